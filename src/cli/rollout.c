// temporalot rollout: records one episode of a task.
#include <sys/stat.h>

#include "cli/cli.h"
#include "cli/film.h"
#include "cli/output.h"
#include "demo/trajectory.h"

enum { OUTPUTS = 3 };

enum { MOST_FRAMES = 1000000000 };

#define MOST_SEED 9007199254740991.0

// What the command line asks for.
typedef struct request {
    const char *task;
    const char *policy;
    const char *rand_vec;
    const char *out;
    int64_t seed;
    int64_t episode;
    int64_t steps;  // 0: the task's horizon, or the number of actions in the file
    int64_t action_repeat;
    bool metaworld_box;
    cli_film_args film;
    cli_common common;
} request;

typedef struct rollout {
    const request *args;
    cli_output outputs[OUTPUTS];
    double draw[TOT_MAX_DRAW];
    size_t draw_length;  // 0: sampled from seed and episode
    tot_array actions;   // of a policy FILE
    tot_player *player;  // of a policy RUN
    tot_random random;
    tot_policy policy;
    const char *policy_name;  // as stored in the recording
    tot_world_settings settings;
    tot_task *task;
    tot_world *world;
    tot_recording recording;
    cli_progress progress;

    // pictures, if requested
    const tot_picture_settings *view;
    tot_pool *pool;
    tot_renderer *renderer;
    tot_array frames;  // all of them if they are stored, otherwise only the latest
    int64_t drawn;
    cli_film film;
} rollout;

// --- reading the command line ------------------------------------------------------------------

// Parses "x,y,...". Returns the exit code.
static int read_draw(rollout *work, const char *text) {
    while (true) {
        char number[64];
        char name[32];
        const size_t length = strcspn(text, ",");
        snprintf(number, sizeof number, "%.*s", (int)(length < 63 ? length : 63), text);
        snprintf(name, sizeof name, "--rand-vec[%zu]", work->draw_length);
        CLI_USAGE_IF(work->draw_length == TOT_MAX_DRAW, "--rand-vec: more than %d numbers",
                     TOT_MAX_DRAW);
        CLI_USAGE_IF(base_parse_real(name, number, &work->draw[work->draw_length]) != TOT_OK, "%s",
                     tot_error());
        work->draw_length++;
        if (text[length] == '\0') {
            return EXIT_DONE;
        }
        text += length + 1;
    }
}

static bool is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

// Whether a policy's name refers to a file: FILE.npy, FILE.npz, FILE.npz:NAME.
static bool is_file(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 || strstr(path, ".npy") != NULL || strstr(path, ".npz") != NULL;
}

static int read_policy(rollout *work) {
    static const char *const names[] = {"expert", "random", "zero"};
    const request *args = work->args;
    const char *name = args->policy;
    work->policy_name = name;
    if (strcmp(name, "expert") == 0) {
        work->policy = tot_policy_expert();
    } else if (strcmp(name, "zero") == 0) {
        work->policy = tot_policy_zero();
    } else if (strcmp(name, "random") == 0) {
        tot_random_init_numbered(&work->random, (uint64_t)args->seed, "random policy",
                                 (uint64_t)args->episode);
        work->policy = tot_policy_random(&work->random);
    } else if (is_folder(name)) {
        work->policy_name = "run";
        if (tot_player_load(&work->player, name, NULL) != TOT_OK) {
            return cli_fail();
        }
        work->policy = tot_player_policy(work->player);
    } else if (is_file(name)) {
        work->policy_name = "file";
        if (tot_array_load(&work->actions, name) != TOT_OK ||
            tot_actions_check(&work->actions, name) != TOT_OK) {
            return cli_fail();
        }
        work->policy = tot_policy_replay(&work->actions);
    } else {
        const char *nearest = base_nearest_name(name, names, BASE_LENGTH(names));
        return cli_usage(
            "--policy: '%s' is not expert, random, zero, a FILE.npy or a run folder%s%s%s", name,
            nearest != NULL ? "; did you mean '" : "", nearest != NULL ? nearest : "",
            nearest != NULL ? "'?" : "");
    }
    return EXIT_DONE;
}

// Frames per step: as given, otherwise as the run was trained. Call after read_policy.
static int64_t frames_a_step(const rollout *work) {
    if (work->args->action_repeat != CLI_NOT_GIVEN) {
        return work->args->action_repeat;
    }
    return work->player != NULL ? tot_player_config(work->player)->action_repeat : 1;
}

// Length of the episode in frames. Call after read_policy.
static int read_length(rollout *work) {
    const request *args = work->args;
    const int64_t repeat = frames_a_step(work);
    int64_t steps = args->steps;
    if (work->actions.data != NULL) {
        const int64_t rows = work->actions.shape[0];
        CLI_USAGE_IF(steps > rows, "--steps: %lld, but %s has only %lld actions", (long long)steps,
                     args->policy, (long long)rows);
        steps = steps > 0 ? steps : rows;
    }
    CLI_USAGE_IF(steps > MOST_FRAMES / repeat,
                 "--steps: %lld steps of %lld frames are more than %d frames", (long long)steps,
                 (long long)repeat, MOST_FRAMES);
    tot_world_defaults(&work->settings);
    work->settings.action_repeat = (int)repeat;
    work->settings.horizon = (int)(steps * repeat);
    return EXIT_DONE;
}

static int check_args(const request *args) {
    const tot_task_info *info = NULL;
    CLI_NEED(args->task != NULL, "rollout", "--task NAME");
    CLI_NEED(args->policy != NULL, "rollout", "--policy NAME");
    CLI_USAGE_IF(tot_task_find(&info, args->task) != TOT_OK, "--%s", tot_error());
    CLI_RANGE("seed", args->seed, 0, MOST_SEED);
    CLI_RANGE("episode", args->episode, 0, MOST_SEED);
    CLI_RANGE("steps", args->steps, 0, MOST_FRAMES);
    if (args->action_repeat != CLI_NOT_GIVEN) {
        CLI_RANGE("action-repeat", args->action_repeat, 1, MOST_FRAMES);
    }
    return EXIT_DONE;
}

// --- pictures ----------------------------------------------------------------------------------

static tot_status open_film(rollout *work) {
    const request *args = work->args;
    const int64_t steps = tot_world_steps(work->world);
    const int64_t kept = args->film.frames ? steps : 1;
    BASE_TRY(tot_pool_create(&work->pool, (int)args->common.threads));
    BASE_TRY(tot_renderer_create(&work->renderer, work->task, work->view, work->pool));
    BASE_TRY(demo_frames_allocate(&work->frames, kept, work->view->height, work->view->width));
    if (args->film.frames) {
        tot_recording_describe_pictures(&work->recording.meta, work->view, work->renderer, true);
    }
    return cli_film_open(&work->film, &args->film, work->view, steps, 1);
}

// Renders the world after a step.
static tot_status draw(rollout *work, const tot_world *world) {
    const size_t picture = work->frames.capacity / (size_t)work->frames.shape[0];
    const int64_t place = work->args->film.frames ? work->drawn : 0;
    uint8_t *rgb = (uint8_t *)work->frames.data + (size_t)place * picture;
    work->drawn++;
    BASE_TRY(tot_renderer_draw(work->renderer, world, rgb));
    return cli_film_add(&work->film, rgb);
}

// After the last step.
static tot_status close_film(rollout *work, tot_trajectory *trajectory) {
    if (work->args->film.frames) {
        trajectory->frames = work->frames;
        work->frames = (tot_array){0};
    }
    return cli_film_commit(&work->film);
}

// --- running -----------------------------------------------------------------------------------

static tot_status after_step(void *context, const tot_world *world, int64_t step,
                             const float *action) {
    (void)action;
    rollout *work = context;
    cli_progress_show(&work->progress, step);
    BASE_FAIL_IF(cli_stopped(), TOT_E_INTERRUPTED, "stopped; nothing was written");
    return work->renderer != NULL && step > 0 ? draw(work, world) : TOT_OK;
}

static tot_status record(rollout *work, tot_trajectory *trajectory) {
    const request *args = work->args;
    const bool given = work->draw_length > 0;
    const bool random = strcmp(work->policy_name, "random") == 0;
    BASE_TRY(given ? tot_world_reset_to(work->world, work->draw, work->draw_length)
                   : tot_world_reset(work->world, (uint64_t)args->seed, (uint64_t)args->episode));
    cli_progress_start(&work->progress, "rollout", tot_world_steps(work->world),
                       args->common.quiet);
    const tot_status status =
        tot_trajectory_record(trajectory, work->world, &work->policy, after_step, work);
    cli_progress_end(&work->progress);
    BASE_TRY(status);
    if (work->renderer != NULL) {
        BASE_TRY(close_film(work, trajectory));
    }
    // random actions also depend on seed and episode
    trajectory->seed = given && !random ? -1 : args->seed;
    trajectory->episode = given && !random ? -1 : args->episode;
    return tot_recording_add(&work->recording, trajectory);
}

// Loads the task, which is needed to check a given rand_vec. Returns the exit code.
static int open_task(rollout *work) {
    const request *args = work->args;
    const tot_task_settings box = {.metaworld_box = args->metaworld_box};
    if (cli_out_check(args->out) != TOT_OK || cli_film_check(&args->film, work->view) != TOT_OK ||
        tot_task_load(&work->task, args->task, &box) != TOT_OK) {
        return cli_fail();
    }
    if (work->draw_length > 0 &&
        tot_task_check_draw(work->task, work->draw, work->draw_length) != TOT_OK) {
        return cli_usage("--rand-vec%s", tot_error() + strlen("rand_vec"));
    }
    return EXIT_DONE;
}

static tot_status run(rollout *work) {
    const request *args = work->args;
    tot_trajectory trajectory = {0};
    BASE_TRY(tot_world_create(&work->world, work->task, &work->settings));
    BASE_TRY(tot_recording_describe(&work->recording.meta, work->task, &work->settings,
                                    work->policy_name));
    if (cli_film_wanted(&args->film)) {
        BASE_TRY(open_film(work));
    }
    const tot_status status = record(work, &trajectory);
    tot_trajectory_free(&trajectory);
    BASE_TRY(status);
    return tot_recording_save(&work->recording, args->out);
}

// --- printing ----------------------------------------------------------------------------------

// The sum of the dense rewards.
static double return_of(const tot_trajectory *one) {
    double sum = 0;
    for (int64_t k = 0; one->rewards != NULL && k < one->steps; k++) {
        sum += one->rewards[k];
    }
    return sum;
}

static void print_json(const rollout *work) {
    const tot_trajectory *one = &work->recording.trajectories[0];
    const int64_t first = tot_trajectory_first_success(one);
    cli_json_put("{\"task\": ", work->args->task);
    cli_json_put(", \"policy\": ", work->args->policy);
    if (one->episode >= 0) {
        printf(", \"seed\": %lld, \"episode\": %lld", (long long)one->seed,
               (long long)one->episode);
    } else {
        printf(", \"seed\": null, \"episode\": null");
    }
    printf(
        ", \"steps\": %lld, \"frames\": %d, \"action_repeat\": %lld, \"success\": %s, "
        "\"first_success\": ",
        (long long)one->steps, tot_world_frames(work->world),
        (long long)work->settings.action_repeat, tot_trajectory_succeeded(one) ? "true" : "false");
    if (first >= 0) {
        printf("%lld", (long long)first);
    } else {
        printf("null");
    }
    printf(", \"return\": %.17g, \"rand_vec\": [", return_of(one));
    for (int k = 0; k < one->draw_length; k++) {
        printf("%s%.17g", k > 0 ? ", " : "", one->rand_vec[k]);
    }
    printf("]");
    cli_outputs_json(work->outputs, OUTPUTS);
    printf("}\n");
}

static void print_text(const rollout *work) {
    const tot_trajectory *one = &work->recording.trajectories[0];
    const int64_t first = tot_trajectory_first_success(one);
    printf("%s, %s, ", work->args->task, work->args->policy);
    if (work->draw_length > 0) {
        printf("given rand_vec:");
    } else {
        printf("episode %lld of seed %lld, rand_vec:", (long long)one->episode,
               (long long)one->seed);
    }
    for (int k = 0; k < one->draw_length; k++) {
        printf(" %.6g", one->rand_vec[k]);
    }
    printf("\n%lld steps, %d frames; success at the last step: %s; ", (long long)one->steps,
           tot_world_frames(work->world), tot_trajectory_succeeded(one) ? "yes" : "no");
    if (first >= 0) {
        printf("first success at step %lld\n", (long long)first);
    } else {
        printf("no success at any step\n");
    }
    printf("sum of Meta-world's dense rewards: %.6g\n", return_of(one));
    cli_outputs_print(work->outputs, OUTPUTS);
}

// --- the command -------------------------------------------------------------------------------

static int roll_out(request *args) {
    tot_label_source policy = {.path = args->policy};
    const tot_source_list inputs = {.items = &policy, .count = 1};
    rollout work = {.args = args,
                    .view = &args->film.drawing.settings,
                    .outputs = {{"out", args->out, false},
                                {"video", args->film.video, false},
                                {"sheet", args->film.sheet, false}}};
    int code = check_args(args);
    if (code == EXIT_DONE && args->rand_vec != NULL) {
        code = read_draw(&work, args->rand_vec);
    }
    CLI_THEN(code, read_policy(&work));
    CLI_THEN(code, read_length(&work));
    CLI_THEN(code, cli_film_read(&args->film));
    // a run folder is not a file that could be overwritten
    CLI_THEN(code, cli_outputs_check(work.outputs, OUTPUTS, &inputs, args->common.overwrite));
    cli_catch_signals();
    CLI_THEN(code, open_task(&work));
    if (code == EXIT_DONE) {
        if (run(&work) != TOT_OK) {
            code = cli_fail();
        } else if (args->common.json) {
            print_json(&work);
        } else if (!args->common.quiet) {
            print_text(&work);
        }
    }
    cli_film_discard(&work.film);
    tot_array_free(&work.frames);
    tot_renderer_free(work.renderer);
    tot_pool_free(work.pool);
    tot_recording_free(&work.recording);
    tot_world_free(work.world);
    tot_task_free(work.task);
    tot_array_free(&work.actions);
    tot_player_free(work.player);
    return code;
}

static const char usage[] =
    "rollout --task NAME --policy expert|random|zero|FILE.npy|RUN [options]";
static const char about[] =
    "Runs one episode and records it: observations, actions, success, Meta-world's dense reward "
    "and\n"
    "info, and the sampled positions of object and goal (rand_vec).\n"
    "FILE.npy holds actions, steps x 4, float32 or float64 (FILE.npz:NAME selects an array).\n"
    "RUN is a run folder of temporalot train: the mean action of its newest checkpoint is used.\n"
    "Each picture shows the world after its step.";

int cli_rollout(int argc, char **argv) {
    request args = {
        .out = "traj.npz", .action_repeat = CLI_NOT_GIVEN, .film = {.rate = CLI_FILM_RATE}};
    cli_drawing_start(&args.film.drawing, TOT_QUALITY_FAST);
    const cli_option options[] = {
        {"task", CLI_TEXT, &args.task, "TASK", "a Meta-world task, such as door-open"},
        {"policy", CLI_TEXT, &args.policy, "NAME|FILE",
         "expert (Meta-world's scripted policy), random, zero, a file of actions, or a run folder"},
        {"seed", CLI_COUNT, &args.seed, "N",
         "random seed of the positions of object and goal, and of random actions (default 0)"},
        {"episode", CLI_COUNT, &args.episode, "N", "episode of that seed (default 0)"},
        {"rand-vec", CLI_TEXT, &args.rand_vec, "X,Y,...",
         "positions of object and goal, instead of random ones"},
        {"steps", CLI_COUNT, &args.steps, "N",
         "steps to run (default: the task's horizon, or as many as FILE has)"},
        {"action-repeat", CLI_COUNT, &args.action_repeat, "N",
         "frames per step (default 1, or as in the training of RUN)"},
        {"metaworld-box", CLI_FLAG, &args.metaworld_box, NULL, NULL},
        CLI_FILM_OPTIONS(args.film),
        {"out", CLI_TEXT, &args.out, "FILE.npz", "output file (default traj.npz)"},
    };
    const int code =
        cli_parse(argc, argv, usage, about, options, BASE_LENGTH(options), &args.common, NULL);
    return code == CLI_GO ? roll_out(&args) : code;
}
