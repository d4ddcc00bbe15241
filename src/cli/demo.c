// temporalot demo collect: demonstrations by Meta-world's scripted experts.
#include <unistd.h>

#include <temporalot/train.h>

#include "cli/cli.h"
#include "cli/film.h"
#include "cli/output.h"
#include "cli/train_options.h"
#include "file/atomic.h"

enum { OUTPUTS = 3 };

typedef struct request {
    const char *task;
    tot_collect_settings settings;
    train_options options;  // including the margins, which are settings of a run
    tot_train_config run;   // the values of those settings, and the view
    const char *out;
    int64_t seed;
    cli_film_args film;
    cli_common common;
} request;

// --- outputs -----------------------------------------------------------------------------------

// Checks that all outputs can be written, before any demonstration is collected.
static tot_status check_files(const request *args, const tot_picture_settings *pictures,
                              char *path) {
    if (pictures != NULL) {
        BASE_TRY(cli_film_check(&args->film, pictures));
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

static bool on_attempt(void *context, int64_t attempts, int64_t found) {
    cli_progress *progress = context;
    (void)attempts;
    cli_progress_show(progress, found < progress->total ? found : progress->total);
    return !cli_stopped();
}

static tot_status collect(request *args, tot_recording *demos) {
    tot_collect_settings *settings = &args->settings;
    tot_task *task = NULL;
    BASE_TRY(tot_task_load(&task, args->task, NULL));
    cli_progress progress;
    cli_progress_start(&progress, "demo", settings->count, args->common.quiet);
    settings->progress = on_attempt;
    settings->progress_context = &progress;
    const tot_status status = tot_collect(demos, task, settings);
    cli_progress_end(&progress);
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
    if (args->settings.choose > 1) {
        snprintf(how, sizeof how, "the steadiest of %lld each", (long long)args->settings.choose);
    }
    printf("%s: %zu demonstration%s in %lld attempt%s (%s), hold %s, speed %lld\n", meta->task,
           demos->count, cli_plural(demos->count), attempts, cli_plural((size_t)attempts), how,
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

static tot_status run(request *args, char *path, const cli_output *outputs) {
    const bool pictures = args->settings.pictures != NULL;
    tot_recording demos = {0};
    // video and sheet show all views, one above the other
    tot_picture_settings shown = args->film.drawing.settings;
    shown.height *= args->settings.views;
    BASE_TRY(check_files(args, pictures ? &shown : NULL, path));
    tot_status status = collect(args, &demos);
    if (status == TOT_OK && pictures) {
        status = develop(args, &shown, &demos);
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

// Checks the arguments and completes the settings, which point to `views` afterwards.
static int read_args(request *args, tot_views *views) {
    const tot_task_info *info = NULL;
    CLI_NEED(args->task != NULL, "demo collect", "--task NAME");
    CLI_USAGE_IF(tot_task_find(&info, args->task) != TOT_OK, "--%s", tot_error());
    CLI_RANGE("seed", args->seed, 0, INFINITY);
    int code = train_options_apply(&args->options, &args->run);
    CLI_THEN(code, cli_film_read(&args->film));
    const tot_picture_settings *common = &args->film.drawing.settings;
    CLI_USAGE_IF(
        code == EXIT_DONE && tot_views_read(views, common->camera, (tot_view)args->run.view,
                                            args->run.hand_margin, common) != TOT_OK,
        "--%s", tot_error());
    args->settings.seed = (uint64_t)args->seed;
    args->settings.fit_margin = args->run.view_margin;
    args->settings.pictures = cli_film_wanted(&args->film) ? views->view : NULL;
    args->settings.views = views->count;
    return code;
}

static int collect_args(request *args) {
    tot_views views = {0};
    int code = read_args(args, &views);
    if (code != EXIT_DONE) {
        return code;
    }
    char name[128];
    snprintf(name, sizeof name, "demos/%s.npz", args->task);
    char *path = base_copy_text(args->out != NULL ? args->out : name);
    cli_output outputs[OUTPUTS] = {{"out", path, false},
                                   {"video", args->film.video, false},
                                   {"sheet", args->film.sheet, false}};
    cli_catch_signals();
    code = path != NULL ? cli_outputs_check(outputs, OUTPUTS, NULL, args->common.overwrite)
                        : cli_fail();
    CLI_THEN(code, cli_result(tot_pool_create(&args->settings.pool, (int)args->common.threads)));
    CLI_THEN(code, cli_result(run(args, path, outputs)));
    tot_pool_free(args->settings.pool);
    base_free(path);
    return code;
}

static const char usage[] = "demo collect --task NAME [options]";
static const char about[] =
    "Runs Meta-world's scripted expert and keeps the episodes that end in success. Every second\n"
    "frame is stored: the observation before an action, the action, and with --frames the picture\n"
    "before it.";

int cli_demo(int argc, char **argv) {
    static request args;
    args = (request){.film = {.rate = CLI_FILM_RATE}};
    tot_collect_defaults(&args.settings);
    cli_drawing_start(&args.film.drawing, TOT_QUALITY_FAST);
    tot_train_defaults(&args.run);
    const cli_option first[] = {
        {"task", CLI_TEXT, &args.task, "TASK", "a Meta-world task, such as door-open"},
        {"count", CLI_COUNT, &args.settings.count, "N", "demonstrations to collect (default 2)"},
        {"seed", CLI_COUNT, &args.seed, "N",
         "random seed: attempt k is episode k of this seed (default 0)"},
        {"speed", CLI_COUNT, &args.settings.speed, "N", "keep only every N-th step (default 1)"},
        {"hold", CLI_WORD, &args.settings.hold, NULL, NULL},
        {"view", CLI_WORD, &args.run.view, NULL,
         "draw the whole camera view, the part where hand and objects move, a close-up of the "
         "hand, or the last two, one above the other; several views are also given as --camera "
         "NAME:VIEW,NAME:VIEW (default camera)"},
    };
    const cli_option last[] = {
        {"attempts", CLI_COUNT, &args.settings.attempts, "N",
         "attempts per demonstration before giving up (default 300)"},
        {"choose", CLI_COUNT, &args.settings.choose, "N",
         "keep the steadiest of N successful attempts: the one whose actions, replayed with "
         "noise, succeed most often (default 1: the first)"},
        CLI_FILM_OPTIONS(args.film),
        {"out", CLI_TEXT, &args.out, "FILE.npz", "output file (default demos/TASK.npz)"},
    };
    train_options *all = &args.options;
    train_options_put(all, first, BASE_LENGTH(first));
    train_options_add(all, "view_margin", "METRES", "margin around the fitted view");
    train_options_add(all, "hand_margin", "METRES",
                      "how far the close-up reaches to each side of the hand");
    train_options_explain(all, &args.run);
    train_options_put(all, last, BASE_LENGTH(last));
    const int code =
        cli_parse(argc, argv, usage, about, all->options, all->count, &args.common, NULL);
    return code == CLI_GO ? collect_args(&args) : code;
}
