// temporalot eval: success rate of a run's policy.
#include "cli/cli.h"
#include "cli/output.h"

typedef struct request {
    const char *run;
    cli_output video;
    int64_t episodes;
    int64_t seed;
    int64_t filmed;
    cli_common common;
} request;

static tot_train_command ask(void *context) {
    (void)context;
    return cli_stopped() ? TOT_TRAIN_STOP : TOT_TRAIN_GO;
}

static void print(const request *args, const tot_player *player, const tot_evaluation *result) {
    const tot_train_config *config = tot_player_config(player);
    if (args->common.json) {
        cli_json_put("{\"run\": ", args->run);
        cli_json_put(", \"task\": ", config->task);
        printf(
            ", \"step\": %lld, \"episodes\": %lld, \"success_rate\": %.9g, \"solved_rate\": %.9g, "
            "\"return\": %.9g, \"seed\": %lld",
            (long long)tot_player_step(player), (long long)result->episodes, result->success_rate,
            result->solved_rate, result->episode_return, (long long)args->seed);
        cli_outputs_json(&args->video, 1);
        printf("}\n");
    } else if (!args->common.quiet) {
        printf(
            "%s, %s, after %lld steps: success in %.1f %% of %lld episodes (at any step in %.1f "
            "%%), solved for %.1f steps per episode\n",
            config->task, config->method, (long long)tot_player_step(player),
            100 * result->success_rate, (long long)result->episodes, 100 * result->solved_rate,
            result->episode_return);
        cli_outputs_print(&args->video, 1);
    }
}

static tot_status evaluate(const request *args, tot_pool *pool, tot_player **player) {
    tot_evaluation result;
    tot_status status = tot_player_load(player, args->run, pool);
    BASE_THEN(status, tot_player_evaluate(*player, (uint64_t)args->seed, args->episodes,
                                          args->video.path, args->filmed, ask, NULL, &result));
    if (status == TOT_OK) {
        print(args, *player, &result);
    }
    return status;
}

static int run(request *args) {
    CLI_NEED(args->run != NULL, "eval", "--run FOLDER");
    CLI_RANGE("episodes", args->episodes, 1, INFINITY);
    CLI_RANGE("filmed", args->filmed, 1, INFINITY);
    CLI_RANGE("seed", args->seed, 0, INFINITY);
    const int code = cli_outputs_check(&args->video, 1, NULL, args->common.overwrite);
    if (code != EXIT_DONE) {
        return code;
    }
    tot_pool *pool = NULL;
    tot_player *player = NULL;
    cli_catch_signals();
    tot_status status = tot_pool_create(&pool, (int)args->common.threads);
    BASE_THEN(status, evaluate(args, pool, &player));
    tot_player_free(player);
    tot_pool_free(pool);
    return cli_result(status);
}

static const char usage[] = "eval --run FOLDER [options]";
static const char about[] =
    "Runs episodes with the mean action of a run's newest checkpoint. An episode is a success if "
    "the\n"
    "task is solved at its last step, as in the paper; solved_rate counts any step, as is common "
    "for\n"
    "Meta-world; the return is the mean number of steps at which the task is solved.";

int cli_eval(int argc, char **argv) {
    // different from the seeds of training, which are derived from the run's
    request args = {.video = {.option = "video"}, .episodes = 100, .seed = 1000000, .filmed = 4};
    const cli_option options[] = {
        {"run", CLI_TEXT, &args.run, "FOLDER", "run folder of temporalot train"},
        {"episodes", CLI_COUNT, &args.episodes, "N", "episodes to run (default 100)"},
        {"seed", CLI_COUNT, &args.seed, "N", "random seed of the goals (default 1000000)"},
        {"video", CLI_TEXT, &args.video.path, "FILE.mp4", "record the first episodes as a video"},
        {"filmed", CLI_COUNT, &args.filmed, "N", "episodes in the video (default 4, at most 20)"},
    };
    const int code =
        cli_parse(argc, argv, usage, about, options, BASE_LENGTH(options), &args.common, NULL);
    return code == CLI_GO ? run(&args) : code;
}
