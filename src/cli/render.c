// temporalot render: a picture of a task, or a contact sheet of an expert episode.
#include "cli/cli.h"
#include "cli/drawing.h"
#include "cli/output.h"

// What the command line asks for.
typedef struct request {
    const char *task;
    cli_output out;
    int64_t seed;
    int64_t episode;
    int64_t steps;  // -1: not given: 0 for a picture, the whole episode for a sheet
    bool sheet;
    cli_drawing drawing;
    cli_common common;
} request;

typedef struct rendering {
    const request *args;
    const tot_picture_settings *settings;
    tot_pool *pool;
    tot_task *task;
    tot_world *world;
    tot_renderer *renderer;
    uint8_t *rgb;
    cli_sheet sheet;
    int column;  // next column of the sheet
    cli_progress progress;
} rendering;

// --- drawing -----------------------------------------------------------------------------------

static tot_status prepare(rendering *work) {
    const request *args = work->args;
    tot_world_settings settings;
    tot_world_defaults(&settings);
    // as many frames as requested, regardless of the task's horizon
    settings.horizon = args->steps > 0 ? (int)args->steps : 0;
    BASE_TRY(tot_pool_create(&work->pool, (int)args->common.threads));
    BASE_TRY(tot_task_load(&work->task, args->task, NULL));
    BASE_TRY(tot_world_create(&work->world, work->task, &settings));
    BASE_TRY(tot_renderer_create(&work->renderer, work->task, work->settings, work->pool));
    work->rgb =
        base_alloc((size_t)work->settings->width * (size_t)work->settings->height, 3, "picture");
    BASE_HAVE(work->rgb);
    return tot_world_reset(work->world, (uint64_t)args->seed, (uint64_t)args->episode);
}

static tot_status after_step(void *context, const tot_world *world, int64_t step,
                             const float *action) {
    (void)action;
    rendering *work = context;
    cli_progress_show(&work->progress, step);
    BASE_FAIL_IF(cli_stopped(), TOT_E_INTERRUPTED, "stopped; nothing was written");
    if (work->args->sheet && step == cli_sheet_picture(work->column, tot_world_steps(world) + 1)) {
        BASE_TRY(tot_renderer_draw(work->renderer, world, work->rgb));
        cli_sheet_put(&work->sheet, work->column++, 0, work->rgb);
    }
    return TOT_OK;
}

static tot_status save_picture(const rendering *work) {
    const tot_picture_settings *settings = work->settings;
    if (base_ends_in(work->args->out.path, ".npy")) {
        const tot_array frames = {.type = TOT_U8,
                                  .dimensions = 4,
                                  .shape = {1, settings->height, settings->width, 3},
                                  .data = work->rgb};
        return tot_array_save(&frames, work->args->out.path);
    }
    return tot_png_write(work->args->out.path, work->rgb, settings->width, settings->height);
}

static tot_status draw_picture(rendering *work) {
    const tot_policy expert = tot_policy_expert();
    // the initial state, unless steps were given
    const int64_t steps = work->args->steps > 0 ? work->args->steps : 0;
    BASE_TRY(tot_play(work->world, &expert, steps, after_step, work));
    BASE_TRY(tot_renderer_draw(work->renderer, work->world, work->rgb));
    return save_picture(work);
}

static tot_status draw_sheet(rendering *work) {
    const int64_t steps = tot_world_steps(work->world);
    const int columns = cli_sheet_columns(steps + 1);
    BASE_TRY(
        cli_sheet_create(&work->sheet, columns, 1, work->settings->width, work->settings->height));
    const tot_policy expert = tot_policy_expert();
    BASE_TRY(tot_play(work->world, &expert, -1, after_step, work));
    return cli_sheet_write(&work->sheet, work->args->out.path);
}

// --- printing ----------------------------------------------------------------------------------

static void print_json(const rendering *work) {
    const request *args = work->args;
    cli_json_put("{\"task\": ", args->task);
    printf(", \"seed\": %lld, \"episode\": %lld, \"frames\": %d, \"success\": %s",
           (long long)args->seed, (long long)args->episode, tot_world_frames(work->world),
           tot_world_success(work->world) ? "true" : "false");
    cli_json_put(", \"picture\": ", tot_renderer_text(work->renderer));
    printf(", \"width\": %d, \"height\": %d",
           args->sheet ? work->sheet.width : work->settings->width,
           args->sheet ? work->sheet.height : work->settings->height);
    cli_outputs_json(&args->out, 1);
    printf("}\n");
}

static void print_text(const rendering *work) {
    const request *args = work->args;
    printf("%s, episode %lld of seed %lld, frame %d: %s\n", args->task, (long long)args->episode,
           (long long)args->seed, tot_world_frames(work->world), tot_renderer_text(work->renderer));
    cli_outputs_print(&args->out, 1);
}

// --- the command -------------------------------------------------------------------------------

static int check_args(const request *args) {
    enum { MOST_STEPS = 1000000000 };
    const tot_task_info *info = NULL;
    CLI_NEED(args->task != NULL, "render", "--task NAME");
    CLI_NEED(args->out.path != NULL, "render", "--out FILE.png");
    CLI_USAGE_IF(tot_task_find(&info, args->task) != TOT_OK, "--%s", tot_error());
    CLI_RANGE("seed", args->seed, 0, INFINITY);
    CLI_RANGE("episode", args->episode, 0, INFINITY);
    CLI_RANGE("steps", args->steps == -1 ? 0 : args->steps, 0, MOST_STEPS);
    CLI_USAGE_IF(args->sheet && args->steps == 0,
                 "--sheet: an episode of --steps 0 is a single picture; omit one of the two");
    const bool array = base_ends_in(args->out.path, ".npy");
    CLI_USAGE_IF(!array && !base_ends_in(args->out.path, ".png"),
                 "--out: '%s' ends neither in .png nor in .npy", args->out.path);
    CLI_USAGE_IF(array && args->sheet, "--sheet: a sheet is a .png, but %s is not", args->out.path);
    return EXIT_DONE;
}

static tot_status run(rendering *work) {
    const request *args = work->args;
    BASE_TRY(cli_out_check(args->out.path));
    BASE_TRY(prepare(work));
    cli_progress_start(&work->progress, "render", tot_world_steps(work->world), args->common.quiet);
    BASE_FINALLY(args->sheet ? draw_sheet(work) : draw_picture(work),
                 cli_progress_end(&work->progress));
}

static int render(request *args) {
    rendering work = {.args = args, .settings = &args->drawing.settings};
    int code = check_args(args);
    CLI_THEN(code, cli_outputs_check(&args->out, 1, NULL, args->common.overwrite));
    CLI_THEN(code, cli_drawing_read(&args->drawing));
    if (code == EXIT_DONE) {
        cli_catch_signals();
        if (run(&work) != TOT_OK) {
            code = cli_fail();
        } else if (args->common.json) {
            print_json(&work);
        } else if (!args->common.quiet) {
            print_text(&work);
        }
    }
    cli_sheet_free(&work.sheet);
    base_free(work.rgb);
    tot_renderer_free(work.renderer);
    tot_world_free(work.world);
    tot_task_free(work.task);
    tot_pool_free(work.pool);
    return code;
}

static const char usage[] = "render --task NAME --out FILE.png [options]";
static const char about[] =
    "Draws a task as seen by a camera: at the start of an episode, after some steps of the "
    "scripted\n"
    "expert, or (--sheet) a whole expert episode as one row of pictures.";

int cli_render(int argc, char **argv) {
    request args = {.out = {.option = "out"}, .steps = -1};
    cli_drawing_start(&args.drawing, TOT_QUALITY_FULL);
    const cli_option options[] = {
        {"task", CLI_TEXT, &args.task, "TASK", "a Meta-world task, such as door-open"},
        {"seed", CLI_COUNT, &args.seed, "N",
         "random seed of the positions of object and goal (default 0)"},
        {"episode", CLI_COUNT, &args.episode, "N", "episode of that seed (default 0)"},
        {"steps", CLI_COUNT, &args.steps, "N",
         "steps of the expert before the picture (default 0; with --sheet the task's horizon)"},
        CLI_DRAWING_OPTIONS(args.drawing),
        {"sheet", CLI_FLAG, &args.sheet, NULL, "a strip of pictures of an expert episode"},
        {"out", CLI_TEXT, &args.out.path, "FILE.png", "output file; FILE.npy for an array"},
    };
    const int code =
        cli_parse(argc, argv, usage, about, options, BASE_LENGTH(options), &args.common, NULL);
    return code == CLI_GO ? render(&args) : code;
}
