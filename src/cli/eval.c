// temporalot eval: how well the policy of a run does.
#include "cli/cli.h"

typedef struct request {
    const char *run;
    const char *video;
    int64_t episodes;
    int64_t seed;
    int64_t filmed;
    cli_common common;
} request;

static tot_train_wish ask(void *context) {
    (void)context;
    return cli_stopped() ? TOT_TRAIN_STOP : TOT_TRAIN_GO;
}

static void print(const request *wish, const tot_player *player, const tot_evaluation *result) {
    const tot_train_config *config = tot_player_config(player);
    if (wish->common.json) {
        printf("{\"run\": ");
        cli_json_text(stdout, wish->run);
        printf(", \"task\": ");
        cli_json_text(stdout, config->task);
        printf(
            ", \"step\": %lld, \"episodes\": %lld, \"success_rate\": %.9g, \"return\": %.9g, "
            "\"seed\": %lld}\n",
            (long long)tot_player_step(player), (long long)result->episodes, result->success_rate,
            result->episode_return, (long long)wish->seed);
    } else if (!wish->common.quiet) {
        printf(
            "%s, %s, after %lld steps: success in %.1f %% of %lld episodes, solved for %.1f "
            "steps of an episode\n",
            config->task, config->method, (long long)tot_player_step(player),
            100 * result->success_rate, (long long)result->episodes, result->episode_return);
    }
}

static tot_status evaluate(const request *wish, tot_pool *pool, tot_player **player) {
    tot_evaluation result;
    tot_status status = tot_player_load(player, wish->run, pool);
    if (status == TOT_OK) {
        status = tot_player_evaluate(*player, (uint64_t)wish->seed, wish->episodes, wish->video,
                                     wish->filmed, ask, NULL, &result);
    }
    if (status == TOT_OK) {
        print(wish, *player, &result);
    }
    return status;
}

static int run(const request *wish) {
    if (wish->run == NULL) {
        return cli_usage("eval: --run FOLDER is needed; see temporalot eval --help");
    }
    if (wish->episodes < 1 || wish->filmed < 1 || wish->seed < 0) {
        return cli_usage("--%s: %lld is not %d or more",
                         wish->episodes < 1 ? "episodes"
                         : wish->filmed < 1 ? "filmed"
                                            : "seed",
                         (long long)(wish->episodes < 1 ? wish->episodes
                                     : wish->filmed < 1 ? wish->filmed
                                                        : wish->seed),
                         wish->seed < 0 && wish->episodes >= 1 && wish->filmed >= 1 ? 0 : 1);
    }
    tot_pool *pool = NULL;
    tot_player *player = NULL;
    cli_catch_signals();
    tot_status status = tot_pool_create(&pool, (int)wish->common.threads);
    status = status != TOT_OK ? status : evaluate(wish, pool, &player);
    tot_player_free(player);
    tot_pool_free(pool);
    return status == TOT_OK ? EXIT_DONE : cli_fail();
}

static const char usage[] = "eval --run FOLDER [options]";
static const char about[] =
    "Plays episodes with the mean action of a run's newest checkpoint. An episode counts when the\n"
    "task is solved at its last step; the return is the mean number of steps it was solved for.";

int cli_eval(int argc, char **argv) {
    // not a seed that training draws from: those are derived from the run's
    request wish = {.episodes = 100, .seed = 1000000, .filmed = 4};
    const cli_option options[] = {
        {"run", CLI_TEXT, &wish.run, "FOLDER", "of temporalot train"},
        {"episodes", CLI_COUNT, &wish.episodes, "N", "how many (default 100)"},
        {"seed", CLI_COUNT, &wish.seed, "N", "of their goals (default 1000000)"},
        {"video", CLI_TEXT, &wish.video, "FILE.mp4", "film the first of them"},
        {"filmed", CLI_COUNT, &wish.filmed, "N", "how many of them (default 4, most 20)"},
    };
    cli_parsed parsed = cli_parse(argc, argv, usage, about, options,
                                  sizeof options / sizeof *options, &wish.common, NULL);
    return parsed == CLI_GO ? run(&wish) : cli_exit_code(parsed);
}
