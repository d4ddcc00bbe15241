// temporalot demo collect: demonstrations by Meta-world's scripted experts.
#include <unistd.h>

#include <temporalot/train.h>

#include "cli/cli.h"
#include "cli/film.h"
#include "cli/output.h"
#include "file/atomic.h"

enum { OUTPUTS = 3 };

typedef struct request {
    const char *task;
    int hold;  // tot_hold
    int view;  // tot_view
    double view_margin;
    double hand_margin;
    const char *out;
    int64_t count;
    int64_t seed;
    int64_t speed;
    int64_t attempts;
    int64_t choose;
    cli_film_args film;
    cli_common common;
} request;

// --- outputs -----------------------------------------------------------------------------------

// Checks that all outputs can be written, before any demonstration is collected.
static tot_status check_files(const request *args, const tot_collect_settings *settings,
                              char *path) {
    if (settings->pictures != NULL) {
        BASE_TRY(cli_film_check(&args->film, settings->pictures));
    }
    // missing folders are created later, when there is something to put into them
    char *slash = strrchr(path, '/');
    if (slash == NULL || slash == path) {
        return cli_out_check(path);
    }
    *slash = '\0';
    const bool there = access(path, F_OK) == 0;
    *slash = '/';
    return there ? cli_out_check(path) : TOT_OK;
}

// --- collecting --------------------------------------------------------------------------------

typedef struct watch {
    cli_progress progress;
    int64_t wanted;
    int64_t attempts;
} watch;

static bool on_attempt(void *context, int64_t attempts, int64_t found) {
    watch *seen = context;
    seen->attempts = attempts;
    cli_progress_show(&seen->progress, found < seen->wanted ? found : seen->wanted);
    return !cli_stopped();
}

static tot_status collect(const request *args, tot_collect_settings *settings,
                          tot_recording *demos) {
    tot_task *task = NULL;
    BASE_TRY(tot_task_load(&task, args->task, NULL));
    watch seen = {.wanted = args->count};
    cli_progress_start(&seen.progress, "demo", args->count, args->common.quiet);
    settings->progress = on_attempt;
    settings->progress_context = &seen;
    const tot_status status = tot_collect(demos, task, settings);
    cli_progress_end(&seen.progress);
    tot_task_free(task);
    return status;
}

// --- pictures ----------------------------------------------------------------------------------

static tot_status show(cli_film *film, const tot_recording *demos) {
    for (size_t k = 0; k < demos->count; k++) {
        const tot_array *frames = &demos->trajectories[k].frames;
        const size_t picture = frames->capacity / (size_t)frames->shape[0];
        for (int64_t i = 0; i < frames->shape[0]; i++) {
            BASE_TRY(cli_film_add(film, (const uint8_t *)frames->data + (size_t)i * picture));
        }
        cli_film_next(film);
    }
    return cli_film_commit(film);
}

// Writes the video and the sheet from the rendered pictures, and keeps these in the recording only
// if --frames was given.
static tot_status develop(const request *args, const tot_picture_settings *settings,
                          tot_recording *demos) {
    cli_film film;
    tot_status status = cli_film_open(&film, &args->film, settings, demos->trajectories[0].steps,
                                      (int)demos->count);
    BASE_THEN(status, show(&film, demos));
    cli_film_discard(&film);
    for (size_t k = 0; k < demos->count && !args->film.frames; k++) {
        tot_array_free(&demos->trajectories[k].frames);
    }
    if (!args->film.frames) {
        demos->meta.renderer[0] = '\0';
    }
    return status;
}

// --- printing ----------------------------------------------------------------------------------

static int64_t total_attempts(const tot_recording *demos) {
    int64_t attempts = 0;
    for (size_t k = 0; k < demos->count; k++) {
        attempts += demos->trajectories[k].attempts;
    }
    return attempts;
}

static void print_json(const tot_recording *demos, const cli_output *outputs) {
    const tot_recording_meta *meta = &demos->meta;
    cli_json_put("{\"task\": ", meta->task);
    printf(
        ", \"count\": %zu, \"attempts\": %lld, \"hold\": %s, \"speed\": %lld, "
        "\"demonstrations\": [",
        demos->count, (long long)total_attempts(demos), meta->hold ? "true" : "false",
        (long long)meta->speed);
    for (size_t k = 0; k < demos->count; k++) {
        const tot_trajectory *one = &demos->trajectories[k];
        printf(
            "%s{\"seed\": %lld, \"episode\": %lld, \"attempts\": %lld, \"steps\": %lld, "
            "\"first_success\": %lld}",
            k > 0 ? ", " : "", (long long)one->seed, (long long)one->episode,
            (long long)one->attempts, (long long)one->steps,
            (long long)tot_trajectory_first_success(one));
    }
    printf("]");
    cli_outputs_json(outputs, OUTPUTS);
    printf("}\n");
}

static void print_text(const tot_recording *demos, const request *args, const cli_output *outputs) {
    const tot_recording_meta *meta = &demos->meta;
    const long long attempts = total_attempts(demos);
    char how[64];
    snprintf(how, sizeof how, "%.0f %% ended in success",
             100.0 * (double)demos->count / (double)attempts);
    if (args->choose > 1) {
        snprintf(how, sizeof how, "the steadiest of %lld each", (long long)args->choose);
    }
    printf("%s: %zu demonstration%s in %lld attempt%s (%s), hold %s, speed %lld\n", meta->task,
           demos->count, demos->count == 1 ? "" : "s", attempts, attempts == 1 ? "" : "s", how,
           meta->hold ? "on" : "off", (long long)meta->speed);
    for (size_t k = 0; k < demos->count; k++) {
        const tot_trajectory *one = &demos->trajectories[k];
        printf("  %zu: episode %lld of seed %lld, %lld steps, first success at step %lld\n", k,
               (long long)one->episode, (long long)one->seed, (long long)one->steps,
               (long long)tot_trajectory_first_success(one));
    }
    cli_outputs_print(outputs, OUTPUTS);
}

// --- the command -------------------------------------------------------------------------------

static tot_status run(const request *args, tot_collect_settings *settings, char *path,
                      const cli_output *outputs) {
    tot_recording demos = {0};
    BASE_TRY(check_files(args, settings, path));
    tot_status status = collect(args, settings, &demos);
    if (status == TOT_OK && settings->pictures != NULL) {
        status = develop(args, settings->pictures, &demos);
    }
    BASE_THEN(status, file_make_folders(path));
    BASE_THEN(status, tot_recording_save(&demos, path));
    if (status == TOT_OK && args->common.json) {
        print_json(&demos, outputs);
    } else if (status == TOT_OK && !args->common.quiet) {
        print_text(&demos, args, outputs);
    }
    tot_recording_free(&demos);
    return status;
}

// Runs the command with its parsed arguments.
static int collect_args(request *args) {
    tot_collect_settings settings;
    const tot_task_info *info = NULL;
    tot_collect_defaults(&settings);
    CLI_NEED(args->task != NULL, "demo collect", "--task NAME");
    CLI_USAGE_IF(tot_task_find(&info, args->task) != TOT_OK, "--%s", tot_error());
    settings.hold = (tot_hold)args->hold;
    CLI_RANGE("view-margin", args->view_margin, 0.001, 2);
    settings.fit_margin = args->view_margin;
    CLI_RANGE("seed", args->seed, 0, INFINITY);
    CLI_RANGE("hand-margin", args->hand_margin, 0.01, 2);
    tot_picture_settings pictures[2];
    int code = cli_film_read(&args->film);
    if (code != EXIT_DONE) {
        return code;
    }
    pictures[0] = args->film.drawing.settings;
    settings.views = tot_view_pictures(pictures, (tot_view)args->view, args->hand_margin);
    settings.pictures = cli_film_wanted(&args->film) ? pictures : NULL;
    settings.count = args->count;
    settings.seed = (uint64_t)args->seed;
    settings.speed = args->speed;
    settings.attempts = args->attempts;
    settings.choose = args->choose;
    char name[128];
    snprintf(name, sizeof name, "demos/%s.npz", args->task);
    char *path = base_copy_text(args->out != NULL ? args->out : name);
    cli_output outputs[OUTPUTS] = {{"out", path, false},
                                   {"video", args->film.video, false},
                                   {"sheet", args->film.sheet, false}};
    cli_catch_signals();
    code = cli_outputs_check(outputs, OUTPUTS, NULL, args->common.overwrite);
    if (code != EXIT_DONE) {
        base_free(path);
        return code;
    }
    if (path == NULL || tot_pool_create(&settings.pool, (int)args->common.threads) != TOT_OK ||
        run(args, &settings, path, outputs) != TOT_OK) {
        code = cli_fail();
    }
    tot_pool_free(settings.pool);
    base_free(path);
    return code;
}

static const char usage[] = "demo collect --task NAME [options]";
static const char about[] =
    "Runs Meta-world's scripted expert and keeps the episodes that end in success. Every second\n"
    "frame is stored: the observation before an action, the action, and with --frames the picture\n"
    "before it.";

int cli_demo(int argc, char **argv) {
    request args = {.view_margin = 0.05,
                    .hand_margin = 0.2,
                    .count = 2,
                    .speed = 1,
                    .attempts = 300,
                    .choose = 1,
                    .film = {.rate = CLI_FILM_RATE}};
    cli_drawing_start(&args.film.drawing, TOT_QUALITY_FAST);
    const cli_option options[] = {
        {"task", CLI_TEXT, &args.task, "TASK", "a Meta-world task, such as door-open"},
        {"count", CLI_COUNT, &args.count, "N", "demonstrations to collect (default 2)"},
        {"seed", CLI_COUNT, &args.seed, "N",
         "random seed: attempt k is episode k of this seed (default 0)"},
        {"speed", CLI_COUNT, &args.speed, "N", "keep only every N-th step (default 1)"},
        {"hold", CLI_WORD, &args.hold, "auto|on|off",
         "stop the hand after the first success (default auto: where the task needs it)"},
        {"view", CLI_WORD, &args.view, "camera|fitted|hand|both",
         "draw the whole camera view, the part where hand and objects move, a close-up of the "
         "hand, or the last two, one above the other (default camera)"},
        {"view-margin", CLI_REAL, &args.view_margin, "METRES",
         "margin around the fitted view (default 0.05)"},
        {"hand-margin", CLI_REAL, &args.hand_margin, "METRES",
         "how far the close-up reaches to each side of the hand (default 0.2)"},
        {"attempts", CLI_COUNT, &args.attempts, "N",
         "attempts per demonstration before giving up (default 300)"},
        {"choose", CLI_COUNT, &args.choose, "N",
         "keep the steadiest of N successful attempts: the one whose actions, replayed with "
         "noise, succeed most often (default 1: the first)"},
        CLI_FILM_OPTIONS(args.film),
        {"out", CLI_TEXT, &args.out, "FILE.npz", "output file (default demos/TASK.npz)"},
    };
    const int code =
        cli_parse(argc, argv, usage, about, options, BASE_LENGTH(options), &args.common, NULL);
    return code == CLI_GO ? collect_args(&args) : code;
}
