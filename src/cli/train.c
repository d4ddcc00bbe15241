// temporalot train: a policy from a couple of demonstrations.
#include <math.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli/cli.h"

enum { PATH_SIZE = 1200 };

typedef struct request {
    const char *preset;
    const char *config;
    const char *out;
    cli_texts set;
    cli_texts demos;
    // settings with options of their own
    const char *task, *method, *obs, *cost_on, *encoder, *weights, *seed;
    bool resume;
    bool approximate;
    bool force;
    cli_common common;
} request;

// --- settings ----------------------------------------------------------------------------------

static int set_one(tot_train_config *config, const char *word) {
    char name[128];
    const size_t length = strcspn(word, "=");
    if (word[length] != '=' || length == 0 || length >= sizeof name) {
        return cli_usage("--set: '%s' is not NAME=VALUE", word);
    }
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    if (tot_train_set(config, name, word + length + 1) != TOT_OK) {
        return cli_usage("--set: %s", tot_error());
    }
    return EXIT_DONE;
}

static int set_demos(tot_train_config *config, const cli_texts *demos) {
    char list[TOT_TRAIN_TEXT] = "";
    for (size_t k = 0; k < demos->count; k++) {
        const size_t used = strlen(list);
        const size_t more = strlen(demos->items[k]) + 1;
        if (used + more >= sizeof list || strchr(demos->items[k], ',') != NULL) {
            return cli_usage("--demo: %s", used + more >= sizeof list
                                               ? "the names of the files are too long"
                                               : "a name with a comma in it cannot be taken");
        }
        snprintf(list + used, sizeof list - used, "%s%s", k > 0 ? "," : "", demos->items[k]);
    }
    char count[32];
    snprintf(count, sizeof count, "%zu", demos->count);
    if (demos->count > 0 &&
        (tot_train_set(config, "demo", list) != TOT_OK ||
         (demos->count > 2 && tot_train_set(config, "demos", count) != TOT_OK))) {
        return cli_usage("--demo: %s", tot_error());
    }
    return EXIT_DONE;
}

// Preset, then the file, then the options, then --set: the later wins.
static int read_config(const request *args, tot_train_config *config) {
    const struct {
        const char *name, *text;
    } options[] = {
        {"task", args->task},       {"method", args->method},   {"obs", args->obs},
        {"cost_on", args->cost_on}, {"encoder", args->encoder}, {"weights", args->weights},
        {"seed", args->seed},
    };
    tot_train_defaults(config);
    if (tot_train_preset(config, args->preset != NULL ? args->preset : "quick") != TOT_OK) {
        return cli_usage("--%s", tot_error());
    }
    if (args->config != NULL && tot_train_load(config, args->config) != TOT_OK) {
        return cli_fail();
    }
    int code = set_demos(config, &args->demos);
    for (size_t k = 0; code == EXIT_DONE && k < sizeof options / sizeof *options; k++) {
        if (options[k].text != NULL &&
            tot_train_set(config, options[k].name, options[k].text) != TOT_OK) {
            return cli_usage("--%s", tot_error());
        }
    }
    for (size_t k = 0; code == EXIT_DONE && k < args->set.count; k++) {
        code = set_one(config, args->set.items[k]);
    }
    return code;
}

// Whether only the folder is named: then the run there is meant, as it began.
static bool names_run_only(const request *args) {
    return args->resume && args->out != NULL && args->task == NULL && args->config == NULL;
}

// --- what is seen of it ------------------------------------------------------------------------

static volatile sig_atomic_t save_signal;

static void on_save(int signal_number) {
    (void)signal_number;
    save_signal = 1;
}

typedef struct watch {
    bool quiet;
    bool terminal;
    double drawn;  // when the last line was
    const char *doing;
    bool open;  // a line stands there without its end
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

static void show(void *context, const tot_train_progress *progress) {
    watch *seen = context;
    const double now = cli_seconds();
    const double wait = seen->terminal ? 0.2 : 30;
    const bool begins = seen->doing == NULL || strcmp(seen->doing, progress->doing) != 0;
    if (seen->quiet || (now - seen->drawn < wait && !(begins && !seen->terminal))) {
        return;
    }
    char line[256];
    char left[16];
    char success[32] = "-";
    cli_duration(progress->seconds_left, left);
    if (!isnan(progress->success_rate)) {
        snprintf(success, sizeof success, "%.0f %%", 100 * progress->success_rate);
    }
    int used = snprintf(line, sizeof line, "%s %lld/%lld", progress->doing,
                        (long long)progress->done, (long long)progress->total);
    if (strcmp(progress->doing, "demonstrations") != 0) {
        used +=
            snprintf(line + used, sizeof line - (size_t)used, ", %.0f steps/s, %s left, success %s",
                     progress->per_second, left, success);
    }
    if (!isnan(progress->episode_return)) {
        used += snprintf(line + used, sizeof line - (size_t)used,
                         ", return %.2f, critic %.3g, actor %.3g", progress->episode_return,
                         progress->losses.critic, progress->losses.actor);
    }
    if (seen->terminal) {
        fprintf(stderr, "\r%s\033[K", line);
        seen->open = true;
    } else {
        fprintf(stderr, "%s\n", line);
    }
    fflush(stderr);
    seen->drawn = now;
    seen->doing = progress->doing;
}

static void hear(void *context, tot_log_level level, const char *text) {
    watch *seen = context;
    if (level == TOT_LOG_WARNING || !seen->quiet) {
        fprintf(stderr, "%s%s%s\n", seen->open ? "\r\033[K" : "",
                level == TOT_LOG_WARNING ? "warning: " : "", text);
    }
}

// --- running -----------------------------------------------------------------------------------

static void print_end(const request *args, const char *folder, const tot_train_config *config,
                      const tot_train_result *result) {
    if (args->common.json) {
        printf("{\"run\": ");
        cli_json_text(stdout, folder);
        printf(", \"task\": ");
        cli_json_text(stdout, config->task);
        printf(", \"method\": ");
        cli_json_text(stdout, config->method);
        printf(", \"step\": %lld, \"resumed_at\": %lld, \"success_rate\": %g}\n",
               (long long)result->step, (long long)result->resumed_at, result->success_rate);
    } else if (!args->common.quiet) {
        printf("%s, %s: success %.0f %% after %lld steps%s\n", config->task, config->method,
               100 * result->success_rate, (long long)result->step,
               result->was_finished ? " (it was finished already)" : "");
        printf("look at %s/report.html", folder);
        printf(config->video > 0 ? " and %s/videos/\n" : "\n", folder);
    }
}

static int run(const request *args, tot_train_config *config) {
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

static int train(const request *args) {
    tot_train_config *config = base_alloc(1, sizeof *config, "settings");
    if (config == NULL) {
        return cli_fail();
    }
    int code = EXIT_DONE;
    if (names_run_only(args)) {
        code = tot_train_config_of(config, args->out) == TOT_OK ? EXIT_DONE : cli_fail();
        for (size_t k = 0; code == EXIT_DONE && k < args->set.count; k++) {
            code = set_one(config, args->set.items[k]);
        }
    } else {
        code = read_config(args, config);
    }
    if (code == EXIT_DONE && config->task[0] == '\0') {
        code = cli_usage("train: --task NAME is needed; see temporalot train --help");
    }
    if (code == EXIT_DONE && tot_train_check(config) != TOT_OK) {
        code = cli_usage("%s", tot_error());
    }
    code = code == EXIT_DONE ? run(args, config) : code;
    base_free(config);
    return code;
}

// "--resume=approximate" is the only option here with a value that may be left out.
static void read_resume(int argc, char **argv, request *args) {
    static char plain[] = "--resume";
    for (int k = 1; k < argc; k++) {
        if (strcmp(argv[k], "--resume=approximate") == 0) {
            args->approximate = true;
            argv[k] = plain;
        }
    }
}

// Help: the settings and the methods, which are too many for options of their own.
static void print_settings(void) {
    printf("\nsettings (--set NAME=VALUE, or a line `NAME: VALUE` of a file for --config):\n");
    for (size_t k = 0; k < tot_train_parameter_count(); k++) {
        const tot_parameter *one = tot_train_parameter_at(k);
        printf("  %-19s %s [%s]\n", one->name, one->help, one->initial);
    }
    printf("\nmethods:\n");
    for (size_t k = 0; k < tot_train_method_count(); k++) {
        const tot_train_method *method = tot_train_method_at(k);
        printf("  %-21s %s\n", method->name, method->help);
    }
}

static const char usage[] = "train --task NAME [--method temporalot] [options]";
static const char about[] =
    "Collects two demonstrations (or takes yours), and learns a policy from them with no task\n"
    "reward. Everything is written to a folder: config.yaml, metrics.csv, TensorBoard's events,\n"
    "checkpoint/, videos/ and report.html. Ctrl-C and SIGTERM write a checkpoint and stop,\n"
    "SIGUSR1 writes one and goes on; --resume continues to the same bytes.";

int cli_train(int argc, char **argv) {
    request args = {0};
    const cli_option options[] = {
        {"task", CLI_TEXT, &args.task, "NAME", "one of Meta-world's, as door-open"},
        {"method", CLI_TEXT, &args.method, "NAME",
         "what the agent learns from, see below (default temporalot)"},
        {"preset", CLI_TEXT, &args.preset, "NAME",
         "settings to begin with: quick, standard, pixels or paper (default quick)"},
        {"config", CLI_TEXT, &args.config, "FILE.yaml", "settings, over those of the preset"},
        {"set", CLI_TEXTS, &args.set, "NAME=VALUE",
         "one setting, over all others; may be repeated"},
        {"demo", CLI_TEXTS, &args.demos, "FILE",
         "demonstrations: .npz of temporalot demo collect --frames, or a video (default: "
         "collected)"},
        {"obs", CLI_TEXT, &args.obs, "state|pixels", "what the agent sees (default state)"},
        {"cost-on", CLI_TEXT, &args.cost_on, "image|state",
         "what the cost compares (default image)"},
        {"encoder", CLI_TEXT, &args.encoder, "NAME",
         "the encoder's network, as resnet50, or FILE.onnx"},
        {"weights", CLI_TEXT, &args.weights, "FILE", "its weights (default: those of set-up)"},
        {"seed", CLI_TEXT, &args.seed, "N", "of everything that is drawn (default 0)"},
        {"out", CLI_TEXT, &args.out, "FOLDER", "of the run (default runs/TASK-METHOD-SEED)"},
        {"resume", CLI_FLAG, &args.resume, NULL,
         "continue from the checkpoint, if there is one; --resume=approximate also with another "
         "version, build, CPU, thread count or settings"},
        {"force", CLI_FLAG, &args.force, NULL,
         "take demonstrations of another task, camera, renderer, ... all the same"},
    };
    read_resume(argc, argv, &args);
    cli_parsed parsed = cli_parse(argc, argv, usage, about, options,
                                  sizeof options / sizeof *options, &args.common, NULL);
    if (parsed == CLI_HELPED) {
        print_settings();
    }
    const int code = parsed == CLI_GO ? train(&args) : cli_exit_code(parsed);
    cli_texts_free(&args.set);
    cli_texts_free(&args.demos);
    return code;
}
