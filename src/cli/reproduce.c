// temporalot reproduce: the paper's tables and figures, from training to the page.
#include <signal.h>

#include "cli/cli.h"
#include "cli/sweeping.h"
#include "study/reproduce.h"

enum { PATH_SIZE = 1200, MOST_SEEDS = 1000, MOST_STUDIES = 64, MOST_OPTIONS = 96, COMMAND = 2048 };

typedef struct request {
    study_reproduce_settings settings;
    const char *out;
    cli_sweeping how;
    cli_texts set;
    cli_texts what;
    cli_common common;
    char folder[PATH_SIZE];
    char command[COMMAND];  // the command that reproduces this
    const study_entry *studies[MOST_STUDIES];
    size_t count;
} request;

// --- arguments ---------------------------------------------------------------------------------

static int find_studies(request *args) {
    for (size_t k = 0; k < args->what.count; k++) {
        const char *name = args->what.items[k];
        const bool all = strcmp(name, "all") == 0;
        const size_t count = all ? study_count() : 1;
        for (size_t i = 0; i < count && args->count < MOST_STUDIES; i++) {
            const study_entry *study = all ? study_at(i) : NULL;
            CLI_USAGE_IF(!all && study_find(&study, name) != TOT_OK, "reproduce: %s", tot_error());
            args->studies[args->count++] = study;
        }
    }
    return args->count > 0
               ? EXIT_DONE
               : cli_usage("reproduce: name a table or figure; see temporalot reproduce --help");
}

static void add_word(char *command, const char *word) {
    const size_t used = strlen(command);
    const bool plain = word[strcspn(word, " \"'$*?<>|&;()[]\\")] == '\0' && word[0] != '\0';
    snprintf(command + used, COMMAND - used, plain ? " %s" : " '%s'", word);
}

static int check(request *args, int argc, char **argv) {
    CLI_RANGE("seeds", args->settings.seeds, 1, MOST_SEEDS);
    args->settings.set = args->set.items;
    args->settings.set_count = args->set.count;
    snprintf(args->folder, sizeof args->folder, "runs/reproduce-%s", args->settings.preset);
    if (args->out != NULL) {
        cli_sweeping_folder(args->folder, sizeof args->folder, args->out);
    }
    args->settings.folder = args->folder;
    snprintf(args->command, sizeof args->command, "temporalot");
    for (int k = 0; k < argc; k++) {
        add_word(args->command, argv[k]);
    }
    const int code = cli_sweeping_check(&args->how);
    return code != EXIT_DONE ? code : find_studies(args);
}

// --- running -----------------------------------------------------------------------------------

static int write_pages(const request *args) {
    // pages are written atomically: from here on Ctrl-C may end the program at once
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    tot_pool *pool = NULL;
    int code = EXIT_DONE;
    if (tot_pool_create(&pool, (int)args->common.threads) != TOT_OK) {
        return cli_fail();
    }
    for (size_t k = 0; k < args->count; k++) {
        const study_entry *study = args->studies[k];
        if (study_reproduce_page(study, &args->settings, args->command, pool) != TOT_OK) {
            code = cli_fail();
        } else if (!args->common.quiet && !args->common.json) {
            printf("%s: see %s/%s.html\n", study->name, args->settings.folder, study->name);
        }
    }
    tot_pool_free(pool);
    return code;
}

static int run_and_write(tot_sweep *sweep, const request *args) {
    // studies without runs of their own need no sweep folder
    if (tot_sweep_count(sweep) == 0 && !args->how.slurm) {
        return write_pages(args);
    }
    if (tot_sweep_open(sweep, args->settings.folder) != TOT_OK) {
        return cli_fail();
    }
    cli_catch_signals();
    if (study_reproduce_demos(sweep, cli_sweeping_ask, NULL) != TOT_OK) {
        return cli_fail();
    }
    const int code = cli_sweeping_run(sweep, &args->how, &args->common);
    if (args->how.slurm || code == EXIT_STOPPED) {
        return code;
    }
    const int written = write_pages(args);
    return code != EXIT_DONE ? code : written;
}

static int reproduce(const request *args) {
    tot_sweep *sweep = NULL;
    CLI_USAGE_IF(
        study_reproduce_runs(&sweep, args->studies, args->count, &args->settings) != TOT_OK,
        "reproduce: %s", tot_error());
    const bool only_list = args->how.dry_run || args->how.status;
    const int code =
        only_list ? cli_sweeping_list(sweep, args->settings.folder, &args->how, &args->common)
                  : run_and_write(sweep, args);
    tot_sweep_free(sweep);
    return code;
}

static const char usage[] = "reproduce WHAT [--preset standard] [--seeds 5] [--jobs 2] [options]";
static const char about[] =
    "Trains the runs that a table or figure of the paper needs and that are not finished yet, and\n"
    "writes the results beside the paper's own numbers: FOLDER/WHAT.html, .csv and .tex. Runs are\n"
    "shared between tables. It can be stopped and restarted at any time.";

int cli_reproduce(int argc, char **argv) {
    static request args;
    args = (request){.how = {.jobs = 2},
                     .settings = {.preset = "standard", .seeds = 5, .weights_folder = "weights"}};
    cli_option options[MOST_OPTIONS] = {
        {"preset", CLI_TEXT, &args.settings.preset, "PRESET",
         "preset of settings: quick, standard, pixels or paper (default standard)"},
        {"seeds", CLI_COUNT, &args.settings.seeds, "N", "seeds 0 .. N - 1 (default 5)"},
        {"tasks", CLI_TEXT, &args.settings.tasks, "A,B", "tasks to use instead of the table's own"},
        {"methods", CLI_TEXT, &args.settings.methods, "A,B",
         "only these methods, such as temporalot or ot0.99 (default: all of the table's)"},
        {"set", CLI_TEXTS, &args.set, "NAME=VALUE", "a setting for all runs; may be repeated"},
        {"out", CLI_TEXT, &args.out, "FOLDER", "output folder (default runs/reproduce-PRESET)"},
        {"weights-dir", CLI_TEXT, &args.settings.weights_folder, "FOLDER",
         "folder with the weights of encoders, such as resnet50-0676ba61.pth (default weights)"},
        CLI_SWEEPING_OPTIONS(args.how),
        {.name = "tables and figures:", .kind = CLI_SECTION},
        {"all", CLI_ENTRY, NULL, NULL, "all of them"},
    };
    size_t count = 0;
    while (options[count].name != NULL) {
        count++;
    }
    for (size_t k = 0; k < study_count() && count < MOST_OPTIONS; k++) {
        options[count++] =
            (cli_option){.name = study_at(k)->name, .kind = CLI_ENTRY, .help = study_at(k)->title};
    }
    int code = cli_parse(argc, argv, usage, about, options, count, &args.common, &args.what);
    if (code == CLI_GO) {
        code = check(&args, argc, argv);
        CLI_THEN(code, reproduce(&args));
    }
    cli_texts_free(&args.set);
    cli_texts_free(&args.what);
    return code;
}
