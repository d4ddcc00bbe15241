// temporalot train: trains a policy from a few demonstrations.
#include <signal.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/terminal.h"
#include "cli/train_options.h"

enum { PATH_SIZE = 1200 };

// Figures shown after the bar, and the least width of the bar with its blanks. Without a terminal
// all figures are printed.
enum { FIGURES = 256, FIGURE_COUNT = 6, LEAST_BAR = 14, WIDE = 1000 };

typedef struct request {
    const char *preset;
    const char *config;
    const char *out;
    cli_texts set;
    cli_texts demos;
    train_options settings;   // settings given as options
    tot_train_config values;  // what they amount to
    bool resume;
    bool approximate;
    bool force;
    cli_common common;
} request;

// --- settings ----------------------------------------------------------------------------------

static int set_one(tot_train_config *config, const char *word) {
    char name[128];
    const size_t length = strcspn(word, "=");
    CLI_USAGE_IF(word[length] != '=' || length == 0 || length >= sizeof name,
                 "--set: '%s' is not NAME=VALUE", word);
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    CLI_USAGE_IF(tot_train_set(config, name, word + length + 1) != TOT_OK, "--set: %s",
                 tot_error());
    return EXIT_DONE;
}

static int set_demos(tot_train_config *config, const cli_texts *demos) {
    char list[TOT_TRAIN_TEXT] = "";
    for (size_t k = 0; k < demos->count; k++) {
        const size_t used = strlen(list);
        const size_t more = strlen(demos->items[k]) + 1;
        CLI_USAGE_IF(used + more >= sizeof list || strchr(demos->items[k], ',') != NULL,
                     "--demo: %s",
                     used + more >= sizeof list ? "the file names are too long"
                                                : "file names with commas are not supported");
        snprintf(list + used, sizeof list - used, "%s%s", k > 0 ? "," : "", demos->items[k]);
    }
    char count[32];
    snprintf(count, sizeof count, "%zu", demos->count);
    CLI_USAGE_IF(
        demos->count > 0 && (tot_train_set(config, "demo", list) != TOT_OK ||
                             (demos->count > 2 && tot_train_set(config, "demos", count) != TOT_OK)),
        "--demo: %s", tot_error());
    return EXIT_DONE;
}

// Applies the options, then --set, which takes precedence.
static int set_all(request *args) {
    int code = train_options_apply(&args->settings, &args->values);
    for (size_t k = 0; k < args->set.count; k++) {
        CLI_THEN(code, set_one(&args->values, args->set.items[k]));
    }
    return code;
}

static tot_status set_preset(request *args) {
    tot_train_defaults(&args->values);
    return tot_train_preset(&args->values, args->preset != NULL ? args->preset : "quick");
}

static tot_status load_file(request *args) {
    return args->config != NULL ? tot_train_load(&args->values, args->config) : TOT_OK;
}

// Applies the preset, then the file, then the command line.
static int read_config(request *args) {
    CLI_USAGE_IF(set_preset(args) != TOT_OK, "--%s", tot_error());
    int code = cli_result(load_file(args));
    return CLI_THEN(code, set_demos(&args->values, &args->demos));
}

// Whether only the folder is given: then its run is continued with its own settings.
static bool names_run_only(const request *args) {
    return args->resume && args->out != NULL && args->config == NULL && args->preset == NULL &&
           train_options_typed(&args->settings, "task") == NULL;
}

// --- progress ----------------------------------------------------------------------------------

static volatile sig_atomic_t save_signal;

static void on_save(int signal_number) {
    (void)signal_number;
    save_signal = 1;
}

typedef struct watch {
    bool quiet;
    bool terminal;
    double drawn;  // time of the last line
    const char *doing;
    bool open;  // the current line has no line break yet
} watch;

static tot_train_command ask(void *context) {
    (void)context;
    if (cli_stopped()) {
        return TOT_TRAIN_STOP;
    }
    if (save_signal) {
        save_signal = 0;
        return TOT_TRAIN_SAVE;
    }
    return TOT_TRAIN_GO;
}

// Writes "training: success 85 %", and as many figures as fit the width after the bar, the most
// important first.
static void describe(const tot_train_progress *progress, int width, char before[64],
                     char figures[FIGURES]) {
    const bool trains = strcmp(progress->doing, "training") == 0;
    const bool begins = strcmp(progress->doing, "demonstrations") == 0;
    char left[16];
    char parts[FIGURE_COUNT][48] = {""};
    size_t used = 0;
    if (isnan(progress->success_rate)) {
        snprintf(before, 64, "training%s%s", trains ? "" : ": ", trains ? "" : progress->doing);
    } else {
        snprintf(before, 64, "training: success %.0f %%%s%s", 100 * progress->success_rate,
                 trains ? "" : ", ", trains ? "" : progress->doing);
    }
    snprintf(parts[0], sizeof *parts, "%lld/%lld", (long long)progress->done,
             (long long)progress->total);
    if (!begins) {
        snprintf(parts[1], sizeof *parts, ", %s left", base_duration(progress->seconds_left, left));
        snprintf(parts[2], sizeof *parts, ", %.0f steps/s", progress->per_second);
    }
    if (!isnan(progress->episode_return)) {
        snprintf(parts[3], sizeof *parts, ", return %.2f", progress->episode_return);
        snprintf(parts[4], sizeof *parts, ", critic %.3g", progress->losses.critic);
        snprintf(parts[5], sizeof *parts, ", actor %.3g", progress->losses.actor);
    }
    figures[0] = '\0';
    for (int k = 0; k < FIGURE_COUNT; k++) {
        const size_t length = strlen(parts[k]);
        if (k == 0 || strlen(before) + used + length + LEAST_BAR < (size_t)width) {
            used += (size_t)snprintf(figures + used, FIGURES - used, "%s", parts[k]);
        }
    }
}

static void show(void *context, const tot_train_progress *progress) {
    watch *seen = context;
    const double now = cli_seconds();
    const double wait = seen->terminal ? 0.2 : 30;
    const bool begins = seen->doing == NULL || strcmp(seen->doing, progress->doing) != 0;
    if (seen->quiet || (now - seen->drawn < wait && !(begins && !seen->terminal))) {
        return;
    }
    char before[64];
    char figures[FIGURES];
    describe(progress, seen->terminal ? cli_width(stderr) : WIDE, before, figures);
    if (seen->terminal) {
        const double share =
            (double)progress->done / (double)(progress->total > 0 ? progress->total : 1);
        cli_bar_line(stderr, before, share, figures);
        seen->open = true;
    } else {
        fprintf(stderr, "%s %s\n", before, figures);
        fflush(stderr);
    }
    seen->drawn = now;
    seen->doing = progress->doing;
}

static void hear(void *context, tot_log_level level, const char *text) {
    watch *seen = context;
    if (level == TOT_LOG_WARNING || !seen->quiet) {
        fputs(seen->open ? "\r\033[K" : "", stderr);
        cli_say(stderr, "%s%s", level == TOT_LOG_WARNING ? "warning: " : "", text);
    }
}

// --- running -----------------------------------------------------------------------------------

static const double solved_enough = 0.9;  // at this rate no diagnosis is suggested

static void print_end(const request *args, const char *folder, const tot_train_config *config,
                      const tot_train_result *result) {
    if (args->common.json) {
        cli_json_run(folder, config);
        printf(", \"step\": %lld, \"resumed_at\": %lld, \"success_rate\": %g}\n",
               (long long)result->step, (long long)result->resumed_at, result->success_rate);
    } else if (!args->common.quiet) {
        printf("%s, %s: success %.0f %% after %lld steps%s\n", config->task, config->method,
               100 * result->success_rate, (long long)result->step,
               result->was_finished ? " (already finished)" : "");
        printf("see %s/report.html", folder);
        printf(config->video > 0 ? " and %s/videos/\n" : "\n", folder);
        if (result->success_rate < solved_enough) {
            printf("temporalot report %s --diagnose analyses why it fails\n", folder);
        }
    }
}

static int run(const request *args) {
    const tot_train_config *config = &args->values;
    char named[PATH_SIZE];
    watch seen = {.quiet = args->common.quiet || args->common.json,
                  .terminal = isatty(STDERR_FILENO) == 1};
    snprintf(named, sizeof named, "runs/%s-%s-%lld", config->task, config->method,
             (long long)config->seed);
    const char *folder = args->out != NULL ? args->out : named;
    const tot_train_options options = {
        .folder = folder,
        .threads = (int)args->common.threads,
        .resume = args->approximate ? TOT_RESUME_APPROXIMATE
                  : args->resume    ? TOT_RESUME_EXACT
                                    : TOT_RESUME_NO,
        .force = args->force,
        .ask = ask,
        .progress = show,
        .context = &seen,
    };
    struct sigaction action = {.sa_handler = on_save, .sa_flags = SA_RESTART};
    tot_train_result result;
    cli_catch_signals();
    sigaction(SIGUSR1, &action, NULL);
    tot_log_set(hear, &seen);
    const tot_status status = tot_train(config, &options, &result);
    tot_log_set(NULL, NULL);
    if (seen.open) {
        fputs("\r\033[K", stderr);
    }
    if (status != TOT_OK) {
        return cli_fail();
    }
    print_end(args, folder, config, &result);
    return EXIT_DONE;
}

static int train(request *args) {
    int code = names_run_only(args) ? cli_result(tot_train_config_of(&args->values, args->out))
                                    : read_config(args);
    CLI_THEN(code, set_all(args));
    if (code != EXIT_DONE) {
        return code;
    }
    CLI_NEED(args->values.task[0] != '\0', "train", "--task NAME");
    CLI_USAGE_IF(tot_train_check(&args->values) != TOT_OK, "%s", tot_error());
    return run(args);
}

// "--resume=approximate": the only option here with an optional value.
static void read_resume(int argc, char **argv, request *args) {
    static char plain[] = "--resume";
    for (int k = 1; k < argc; k++) {
        if (strcmp(argv[k], "--resume=approximate") == 0) {
            args->approximate = true;
            argv[k] = plain;
        }
    }
}

static const char usage[] = "train --task NAME [--method temporalot] [options]";
static const char about[] =
    "Collects two demonstrations (or uses yours) and learns a policy from them without a task "
    "reward.\n"
    "The run folder holds config.yaml, metrics.csv, TensorBoard events, checkpoint/, videos/ and\n"
    "report.html. Ctrl-C and SIGTERM write a checkpoint and stop; SIGUSR1 writes one and "
    "continues.\n"
    "A run continued with --resume is bit-identical to one that was never stopped.";

// The help shows the defaults of the selected preset and file.
static void fill_help(void *context) {
    request *args = context;
    if (set_preset(args) == TOT_OK && load_file(args) == TOT_OK) {
        train_options_explain(&args->settings, &args->values);
    }
}

int cli_train(int argc, char **argv) {
    static request args;
    args = (request){0};
    train_options *all = &args.settings;
    train_options_add(all, "task", "TASK", "a Meta-world task, such as door-open");
    train_options_add(all, "method", "METHOD", "training method, see below");
    const cli_option first[] = {
        {"preset", CLI_TEXT, &args.preset, "PRESET",
         "preset of settings: quick, standard, pixels or paper (default quick)"},
        {"config", CLI_TEXT, &args.config, "FILE.yaml",
         "file of settings that override the preset"},
        {"set", CLI_TEXTS, &args.set, "NAME=VALUE",
         "set one setting, overriding all else; may be repeated"},
        {"demo", CLI_TEXTS, &args.demos, "FILE",
         "demonstrations: .npz of temporalot demo collect --frames, or videos (default: collected "
         "by the run)"},
        {"out", CLI_TEXT, &args.out, "FOLDER", "run folder (default runs/TASK-METHOD-SEED)"},
        {"resume", CLI_FLAG, &args.resume, NULL,
         "continue from the checkpoint, if there is one; --resume=approximate: even with another "
         "version, build, CPU, thread count or other settings"},
        {"force", CLI_FLAG, &args.force, NULL,
         "accept demonstrations of another task, camera, renderer, ..."},
    };
    train_options_put(all, first, BASE_LENGTH(first));
    train_options_add(all, "seed", NULL, NULL);
    train_options_alias(all, "every", "demo_speed", "N",
                        "take every N-th frame of the --demo files");
    train_options_alias(all, "fps", "demo_fps", "X",
                        "take X frames per second of a --demo video, whatever its frame rate");
    train_options_alias(all, "from", "demo_from", "SECONDS",
                        "start at this time in a --demo video");
    train_options_alias(all, "to", "demo_to", "SECONDS", "stop at this time");
    train_options_alias(all, "crop", "demo_crop", "X,Y,W,H",
                        "use this part of a --demo video: left, top, width, height in pixels");
    train_options_rest(all);
    fill_help(&args);
    read_resume(argc, argv, &args);
    cli_before_help(fill_help, &args);
    int code = cli_parse(argc, argv, usage, about, all->options, all->count, &args.common, NULL);
    code = code == CLI_GO ? train(&args) : code;
    cli_texts_free(&args.set);
    cli_texts_free(&args.demos);
    return code;
}
