// temporalot probe: does this reward rank progress on this task?
#include "base/settings.h"
#include "cli/cli.h"
#include "cli/encoding.h"
#include "cli/probe_margins.h"
#include "cli/probe_own.h"
#include "cli/rewarding.h"
#include "cli/train_options.h"

enum { CURVE_COUNT = 4 };

typedef struct request {
    // what the command line asks for
    const char *task_name;
    cli_texts demo_words;  // the user's own recordings
    cli_texts episode_words;
    cli_rewarding rewarding;
    train_options options;    // including those that are settings of a run
    tot_train_config run;     // the values of those settings
    const char *camera_demo;  // NULL: same as camera
    const char *svg;
    int64_t goals;
    int64_t seed;
    bool searches;
    cli_encoding encoding;
    cli_common common;

    // the work
    tot_probe_settings settings;
    tot_picture_settings picture;  // what all views have in common; the orbit is of episodes only
    tot_views views;
    tot_picture_settings demo_pictures;
    bool apart;  // demonstrations have a camera of their own
    bool on_pictures;
    tot_task *task;
    tot_pool *pool;
    tot_embedder *embedder;
    tot_probe *probe;
    tot_references *references;
    tot_margins margins;
    tot_search *search;
    cli_progress progress;
} request;

// --- results -----------------------------------------------------------------------------------

static const char *looks_at(const request *work) {
    return !work->on_pictures               ? "state (39 numbers)"
           : work->settings.encoder != NULL ? tot_encoder_text(work->settings.encoder)
                                            : "pictures";
}

static void print_json(const request *work) {
    cli_json_put("{\"task\": ", work->task_name);
    cli_json_put(", \"method\": ", tot_method_name(work->settings.reward.method));
    cli_json_put(", \"looks_at\": ", looks_at(work));
    if (work->search != NULL) {
        printf(", ");
        cli_search_print_json(work->search);
        printf("}\n");
        return;
    }
    printf(", \"episodes\": %lld, \"rank_correlation\": %.6g, \"last_steps\": %.6g, \"rows\": [",
           (long long)work->settings.episodes, tot_probe_correlation(work->probe),
           tot_probe_last_steps(work->probe));
    for (size_t k = 0; k < tot_probe_row_count(work->probe); k++) {
        const tot_probe_row *row = tot_probe_row_at(work->probe, k);
        cli_json_put(k > 0 ? ", {\"name\": " : "{\"name\": ", row->name);
        printf(", \"reward\": %.6g, \"deviation\": %.6g, \"below_whole\": %.6g, \"success\": %.6g}",
               row->mean, row->deviation, row->below, row->success);
    }
    printf("], ");
    cli_margins_print_json(&work->margins);
    printf("}\n");
}

static void print_table(const request *work) {
    printf("%s, %s, cost on %s\n", work->task_name, tot_method_name(work->settings.reward.method),
           looks_at(work));
    if (work->search != NULL) {
        cli_search_print(work->search);
        return;
    }
    printf("%-30s %10s %10s %12s %9s\n", "expert episode", "reward", "+-", "below whole",
           "success");
    for (size_t k = 0; k < tot_probe_row_count(work->probe); k++) {
        const tot_probe_row *row = tot_probe_row_at(work->probe, k);
        printf("%-30s %10.4f %10.4f %10.0f %% %7.0f %%\n", row->name, row->mean, row->deviation,
               100 * row->below, 100 * row->success);
    }
    printf("rank correlation with progress   %.3f   (1: every step of progress earns reward)\n",
           tot_probe_correlation(work->probe));
    printf("the last 4 steps earn            %.1f %%  of what the last 24 earn\n",
           100 * tot_probe_last_steps(work->probe));
    cli_margins_print(&work->margins);
}

// Plots the reward of every step: whole, frozen early, played backwards, random.
static tot_status write_picture(const request *work) {
    static const size_t shown[CURVE_COUNT] = {0, 3, 6, 8};
    tot_series series[CURVE_COUNT];
    for (size_t k = 0; k < CURVE_COUNT; k++) {
        series[k] = (tot_series){.name = tot_probe_row_at(work->probe, shown[k])->name,
                                 .count = (size_t)tot_probe_steps(work->probe),
                                 .y = tot_probe_curve(work->probe, shown[k])};
    }
    const tot_curves curves = {.title = work->task_name,
                               .x_name = "step",
                               .y_name = "mean reward",
                               .series = series,
                               .series_count = CURVE_COUNT};
    tot_svg *svg = NULL;
    tot_status status = tot_svg_create(&svg, "Rewards of changed expert episodes", 1);
    BASE_THEN(status, tot_svg_add_curves(svg, &curves));
    BASE_THEN(status, tot_svg_write(svg, work->svg));
    tot_svg_free(svg);
    return status;
}

// --- the command -------------------------------------------------------------------------------

// Collects with the same seed as tot_probe_run, so the demonstrations are the same.
static tot_status play_references(request *work) {
    tot_recording demos = {0};
    tot_collect_settings collect;
    tot_reference_settings settings;
    tot_collect_defaults(&collect);
    collect.count = work->settings.demos;
    collect.seed = work->settings.seed;
    tot_reference_defaults(&settings);
    settings.goals = work->goals;
    settings.goal_seed = work->settings.seed + 1;
    settings.camera = work->views.view[0].camera;
    tot_status status = tot_collect(&demos, work->task, &collect);
    BASE_THEN(status, tot_references_play(&work->references, work->task, &demos, &settings));
    tot_recording_free(&demos);
    return status;
}

static tot_status find_margins(request *work) {
    const tot_reference_view view = {.pictures = work->views.view,
                                     .views = work->views.count,
                                     .demo_pictures = work->settings.demo_pictures,
                                     .probe = work->apart ? NULL : work->probe,
                                     .fit_margin = work->settings.fit_margin,
                                     .whiten_episodes = work->settings.whiten_episodes,
                                     .whiten_floor = work->settings.whiten_floor,
                                     .encoder = work->settings.encoder,
                                     .pool = work->pool,
                                     .progress = cli_progress_watch,
                                     .progress_context = &work->progress};
    BASE_TRY(play_references(work));
    cli_progress_start(&work->progress, "reference episodes",
                       (int64_t)tot_references_count(work->references), work->common.quiet);
    BASE_FINALLY(tot_references_reward(work->references, &view, &work->settings.reward, 1,
                                       &work->margins, NULL),
                 cli_progress_end(&work->progress));
}

static tot_status probe(request *work) {
    if (work->on_pictures) {
        BASE_TRY(tot_embedder_create(&work->embedder, &work->encoding.settings, work->pool));
        work->settings.encoder = tot_embedder_encoder(work->embedder);
        for (int k = 0; k < work->views.count; k++) {
            tot_picture_settings *view = &work->views.view[k];
            view->width = view->height = tot_encoder_size(work->settings.encoder);
        }
        work->settings.pictures = work->views.view;
        work->settings.views = work->views.count;
        if (work->apart) {
            work->demo_pictures = work->views.view[0];
            work->demo_pictures.orbit = 0;
            if (work->camera_demo != NULL) {
                work->demo_pictures.camera = work->camera_demo;
            }
            work->settings.demo_pictures = &work->demo_pictures;
        }
    }
    work->settings.progress = cli_progress_watch;
    work->settings.progress_context = &work->progress;
    cli_progress_start(&work->progress, "probe", work->settings.episodes, work->common.quiet);
    tot_status status = tot_probe_run(&work->probe, work->task, &work->settings);
    cli_progress_end(&work->progress);
    BASE_TRY(status);
    BASE_TRY(find_margins(work));
    return work->svg != NULL ? write_picture(work) : TOT_OK;
}

static tot_status search(request *work) {
    const tot_search_settings settings = {.pictures = work->picture,
                                          .hand_margin = work->run.hand_margin,
                                          .weights = work->encoding.settings.weights,
                                          .weights_settings = work->encoding.settings.body,
                                          .encoder = work->encoding.settings.encoder,
                                          .reward = work->settings.reward,
                                          .whiten_episodes = work->settings.whiten_episodes,
                                          .whiten_floor = work->settings.whiten_floor,
                                          .pool = work->pool,
                                          .progress = cli_progress_watch,
                                          .progress_context = &work->progress};
    BASE_TRY(play_references(work));
    cli_progress_start(&work->progress, "search", 1, work->common.quiet);
    BASE_FINALLY(tot_search_run(&work->search, work->references, &settings),
                 cli_progress_end(&work->progress));
}

static tot_status run(request *work) {
    BASE_TRY(tot_task_load(&work->task, work->task_name, NULL));
    BASE_TRY(tot_pool_create(&work->pool, (int)work->common.threads));
    work->settings.pool = work->pool;
    BASE_TRY(work->searches ? search(work) : probe(work));
    if (work->common.json) {
        print_json(work);
    } else if (!work->common.quiet) {
        print_table(work);
    }
    return TOT_OK;
}

static int probe_as_asked(request *work) {
    cli_catch_signals();
    if (work->task_name == NULL) {
        return cli_probe_own(&work->demo_words, &work->episode_words, &work->encoding,
                             &work->settings.reward, &work->common);
    }
    const tot_status status = run(work);
    tot_probe_free(work->probe);
    tot_search_free(work->search);
    tot_references_free(work->references);
    tot_embedder_free(work->embedder);
    tot_pool_free(work->pool);
    tot_task_free(work->task);
    return cli_encoding_result(&work->encoding, status);
}

// Checks that go with the views, which have been read.
static int check_views(const request *work) {
    const tot_views *views = &work->views;
    bool fitted = false, of_hand = false;
    for (int k = 0; k < views->count; k++) {
        fitted = fitted || views->view[k].fitted;
        of_hand = of_hand || views->view[k].around_hand > 0;
    }
    const char *name = fitted && of_hand ? "both" : fitted ? "fitted" : "hand";
    const bool turned = work->picture.orbit != 0;
    CLI_USAGE_IF((fitted || of_hand) && work->picture.zoom > 1,
                 "--zoom: not with --view %s, which has its own", name);
    CLI_USAGE_IF(of_hand && turned, "--orbit: not with --view %s", name);
    CLI_USAGE_IF(work->apart && (fitted || work->searches || !work->on_pictures),
                 "--%s: not with %s", turned ? "orbit" : "camera-demo",
                 fitted           ? "--view fitted: a view cannot be fitted to two cameras"
                 : work->searches ? "--search"
                                  : "--cost-on state");
    CLI_USAGE_IF(work->apart && views->count > 1, "--%s: not with several views",
                 turned ? "orbit" : "camera-demo");
    CLI_USAGE_IF(!work->on_pictures && (fitted || of_hand || views->count > 1 || work->searches),
                 "%s: not with --cost-on state, which uses no pictures",
                 work->searches ? "--search" : "--view");
    const bool names_views = work->picture.camera != NULL && strchr(work->picture.camera, ':');
    CLI_USAGE_IF(work->searches && (views->count > 1 || fitted || of_hand || names_views),
                 "--search: tries the views of one camera; omit --view and views in --camera");
    CLI_USAGE_IF(work->searches && work->picture.zoom > 1,
                 "--search: not with --zoom; fitted views magnify, too");
    return EXIT_DONE;
}

static int read_views(request *work) {
    const tot_train_config *run = &work->run;
    tot_picture_settings *picture = &work->picture;
    const int size = work->encoding.settings.encoder.size;
    const bool whitened = run->whiten == TOT_WHITEN_RANDOM;
    picture->renderer = (tot_renderer_kind)run->renderer;
    picture->quality = (tot_quality)run->quality;
    picture->arm = (tot_arm)run->arm;
    if (size > 0) {
        picture->width = picture->height = size;
    }
    CLI_USAGE_IF(tot_views_read(&work->views, picture->camera, (tot_view)run->view,
                                run->hand_margin, picture) != TOT_OK,
                 "--%s", tot_error());
    work->apart = work->camera_demo != NULL || picture->orbit != 0;
    int code = check_views(work);
    CLI_USAGE_IF(code == EXIT_DONE && work->searches &&
                     work->encoding.settings.encoder.precision == TOT_PRECISION_INT8,
                 "--search: --precision int8 would need a calibration for every stride");
    CLI_USAGE_IF(code == EXIT_DONE && whitened && !work->on_pictures,
                 "--whiten: not with --cost-on state");
    work->settings.fit_margin = run->view_margin;
    work->settings.whiten_episodes = whitened ? run->whiten_episodes : 0;
    work->settings.whiten_floor = run->whiten_floor;
    return code;
}

// Settings of a run that are also options of a task's probe.
static const char *const shared[] = {
    "cost_on",         "view",         "view_margin", "hand_margin", "whiten",
    "whiten_episodes", "whiten_floor", "renderer",    "quality",     "arm",
};

// Refuses the options that only the other of the two kinds of probe uses.
static int check_kind(const request *work) {
    static const char *const of_task[] = {"episodes", "goals", "search", "demos",
                                          "seed",     "svg",   "camera", "camera-demo",
                                          "orbit",    "zoom",  NULL};
    static const char *const of_recordings[] = {"every", "fps", "from", "to", "crop", NULL};
    CLI_USAGE_IF(work->task_name == NULL && work->demo_words.count == 0,
                 "probe: --task NAME, or --demo FILE, is needed; see temporalot probe --help");
    CLI_USAGE_IF(
        work->task_name != NULL && (work->demo_words.count > 0 || work->episode_words.count > 0),
        "--%s: your own recordings are probed without a task: omit --task",
        work->demo_words.count > 0 ? "demo" : "episode");
    if (work->task_name != NULL) {
        return cli_refuse(of_recordings, "only with --demo; the pictures of a task are rendered");
    }
    for (size_t k = 0; k < BASE_LENGTH(shared); k++) {
        char name[32];
        CLI_USAGE_IF(train_options_typed(&work->options, shared[k]) != NULL,
                     "--%s: only with --task", cli_option_name(name, sizeof name, shared[k]));
    }
    return cli_refuse(of_task, "only with --task");
}

// All checks of the command line that can be made before the work begins.
static int read_request(request *work) {
    const tot_task_info *info = NULL;
    CLI_USAGE_IF(work->task_name != NULL && tot_task_find(&info, work->task_name) != TOT_OK, "--%s",
                 tot_error());
    work->on_pictures = work->run.cost_on == TOT_COST_ON_IMAGE;
    work->settings.seed = (uint64_t)work->seed;
    int code = check_kind(work);
    CLI_THEN(code, cli_rewarding_read(&work->rewarding, &work->settings.reward));
    CLI_THEN(code, read_views(work));
    if (work->task_name != NULL) {
        CLI_USAGE_IF(code == EXIT_DONE && work->settings.reward.views > 1,
                     "--views: only with --demo; with --task it follows from --view and --camera");
        work->settings.reward.views = work->views.count;
    }
    return code;
}

static const char usage[] =
    "probe --task T [--encoder E --weights F] [--size N] [--method M] [--view fitted]\n"
    "       temporalot probe --task T --search [--size N] [--method M]\n"
    "       temporalot probe --demo FILE [--demo FILE ...] [--episode FILE ...] [options]";
static const char about[] =
    "Does this reward detect progress on this task? Expert episodes with fresh goals are stopped "
    "some\n"
    "steps before success, played backwards and perturbed: a reward worth training with ranks all "
    "of\n"
    "these below the whole episode, and higher the later they stop. Then demonstrations are bent "
    "to\n"
    "fresh goals, replayed, played with open fingers, stopped short of the object and shifted by\n"
    "3 cm: solving the task must earn more than each of these. Takes a minute or two and needs no\n"
    "training.\n"
    "\n"
    "With --demo instead of --task it asks the same of your own recordings: each demonstration is\n"
    "stopped early, frozen at its first frame and played backwards, and compared with the others.";

static size_t list_options(request *work) {
    static const char *const without[] = {NULL};
    const cli_option first[] = {
        {"task", CLI_TEXT, &work->task_name, "TASK", "a Meta-world task, such as door-open"},
        {"demo", CLI_TEXTS, &work->demo_words, "FILE",
         "without --task: your own demonstrations, as in label; best two or more, since a single "
         "one is compared with itself"},
        {"episode", CLI_TEXTS, &work->episode_words, "FILE", "episodes to compare with them"},
        {"method", CLI_TEXT, &work->rewarding.method, "REWARD",
         "reward, as in label (default temporalot)"},
        {"episodes", CLI_COUNT, &work->settings.episodes, "N", "expert episodes (default 20)"},
        {"goals", CLI_COUNT, &work->goals, "N",
         "fresh goals to bend demonstrations to (default 8)"},
        {"search", CLI_FLAG, &work->searches, NULL,
         "try views, strides and settings of the reward, and name the best for the task"},
        {"demos", CLI_COUNT, &work->settings.demos, "N", "demonstrations (default 2)"},
        {"seed", CLI_COUNT, &work->seed, "N", "random seed of the goals (default 0)"},
        {"svg", CLI_TEXT, &work->svg, "FILE.svg", "write a plot of the reward of every step"},
        {"camera", CLI_TEXT, &work->picture.camera, "NAME",
         "camera, or several views separated by commas, each CAMERA, CAMERA:VIEW or "
         "CAMERA:VIEW:hidden, without the arm (default: the task's)"},
        {"camera-demo", CLI_TEXT, &work->camera_demo, "NAME",
         "camera of the demonstrations (default: that of the episodes)"},
        {"orbit", CLI_REAL, &work->picture.orbit, "DEGREES",
         "rotate the episodes' camera around the middle of the table, but not that of the "
         "demonstrations (default 0)"},
        {"zoom", CLI_REAL, &work->picture.zoom, NULL, NULL},
    };
    const cli_option last[] = {
        CLI_ENCODING_OPTIONS(work->encoding),
    };
    train_options *all = &work->options;
    train_options_put(all, first, BASE_LENGTH(first));
    for (size_t k = 0; k < BASE_LENGTH(shared); k++) {
        train_options_add(all, shared[k], NULL, NULL);
    }
    tot_train_defaults(&work->run);
    train_options_explain(all, &work->run);
    train_options_put(all, last, BASE_LENGTH(last));
    return cli_rewarding_options(&work->rewarding, all->options, without);
}

int cli_probe(int argc, char **argv) {
    static request work;
    work =
        (request){.rewarding = CLI_REWARDING_INITIAL, .goals = 8, .encoding = CLI_ENCODING_INITIAL};
    tot_probe_defaults(&work.settings);
    tot_picture_defaults(&work.picture);
    const size_t count = list_options(&work);
    int code = cli_parse(argc, argv, usage, about, work.options.options, count, &work.common, NULL);
    if (code == CLI_GO) {
        code = cli_encoding_read(&work.encoding);
        CLI_THEN(code, train_options_apply(&work.options, &work.run));
        CLI_THEN(code, read_request(&work));
        CLI_THEN(code, probe_as_asked(&work));
    }
    cli_texts_free(&work.demo_words);
    cli_texts_free(&work.episode_words);
    return code;
}
