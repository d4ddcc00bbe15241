// temporalot reproduce: the paper's tables and figures, from nothing to a page.
#include <signal.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/sweeping.h"
#include "study/reproduce.h"

enum { PATH_SIZE = 1200, MOST_SEEDS = 1000, MOST_STUDIES = 64, COMMAND = 2048 };

typedef struct request {
    study_reproduce_settings settings;
    const char *out;
    cli_sweeping how;
    cli_texts set;
    cli_texts what;
    cli_common common;
    char folder[PATH_SIZE];
    char command[COMMAND];  // how it is made again
    const study_entry *studies[MOST_STUDIES];
    size_t count;
} request;

// --- what is asked for -------------------------------------------------------------------------

static int find_studies(request *wish) {
    for (size_t k = 0; k < wish->what.count; k++) {
        const char *name = wish->what.items[k];
        const bool all = strcmp(name, "all") == 0;
        const size_t count = all ? study_count() : 1;
        for (size_t i = 0; i < count && wish->count < MOST_STUDIES; i++) {
            const study_entry *study = all ? study_at(i) : NULL;
            if (!all && study_find(&study, name) != TOT_OK) {
                return cli_usage("reproduce: %s", tot_error());
            }
            wish->studies[wish->count++] = study;
        }
    }
    return wish->count > 0 ? EXIT_DONE
                           : cli_usage(
                                 "reproduce: which table or figure? See temporalot "
                                 "reproduce --help");
}

static void add_word(char *command, const char *word) {
    const size_t used = strlen(command);
    const bool plain = word[strcspn(word, " \"'$*?<>|&;()[]\\")] == '\0' && word[0] != '\0';
    snprintf(command + used, COMMAND - used, plain ? " %s" : " '%s'", word);
}

static int check(request *wish, int argc, char **argv) {
    if (wish->settings.seeds < 1 || wish->settings.seeds > MOST_SEEDS) {
        return cli_usage("--seeds: %lld is not in 1 .. %d", (long long)wish->settings.seeds,
                         MOST_SEEDS);
    }
    wish->settings.set = wish->set.items;
    wish->settings.set_count = wish->set.count;
    snprintf(wish->folder, sizeof wish->folder, "runs/reproduce-%s", wish->settings.preset);
    if (wish->out != NULL) {
        cli_sweeping_folder(wish->folder, sizeof wish->folder, wish->out);
    }
    wish->settings.folder = wish->folder;
    snprintf(wish->command, sizeof wish->command, "temporalot");
    for (int k = 0; k < argc; k++) {
        add_word(wish->command, argv[k]);
    }
    const int code = cli_sweeping_check(&wish->how);
    return code != EXIT_DONE ? code : find_studies(wish);
}

// --- doing it ----------------------------------------------------------------------------------

static int write_pages(const request *wish) {
    // pages are whole or not there: from here on Ctrl-C ends the program at once
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    tot_pool *pool = NULL;
    int code = EXIT_DONE;
    if (tot_pool_create(&pool, (int)wish->common.threads) != TOT_OK) {
        return cli_fail();
    }
    for (size_t k = 0; k < wish->count; k++) {
        const study_entry *study = wish->studies[k];
        if (study_reproduce_page(study, &wish->settings, wish->command, pool) != TOT_OK) {
            code = cli_fail();
        } else if (!wish->common.quiet && !wish->common.json) {
            printf("%s: look at %s/%s.html\n", study->name, wish->settings.folder, study->name);
        }
    }
    tot_pool_free(pool);
    return code;
}

static int run_and_write(tot_sweep *sweep, const request *wish) {
    // what only looks needs no folder of its own
    if (tot_sweep_count(sweep) == 0 && !wish->how.slurm) {
        return write_pages(wish);
    }
    if (tot_sweep_open(sweep, wish->settings.folder) != TOT_OK) {
        return cli_fail();
    }
    cli_catch_signals();
    if (study_reproduce_demos(sweep, cli_sweeping_ask, NULL) != TOT_OK) {
        return cli_fail();
    }
    if (wish->how.slurm) {
        return cli_sweeping_submit(sweep, &wish->how, &wish->common);
    }
    const int code = cli_sweeping_run(sweep, &wish->how, &wish->common);
    if (code == EXIT_STOPPED) {
        return code;
    }
    const int written = write_pages(wish);
    return code != EXIT_DONE ? code : written;
}

static int reproduce(const request *wish) {
    tot_sweep *sweep = NULL;
    if (study_reproduce_runs(&sweep, wish->studies, wish->count, &wish->settings) != TOT_OK) {
        return cli_usage("reproduce: %s", tot_error());
    }
    int code = EXIT_DONE;
    if (!wish->how.dry_run && !wish->how.status) {
        code = run_and_write(sweep, wish);
    } else if (tot_sweep_peek(sweep, wish->settings.folder) != TOT_OK) {
        code = cli_fail();
    } else {
        code = cli_sweeping_list(sweep, &wish->how, &wish->common);
    }
    tot_sweep_free(sweep);
    return code;
}

static void print_studies(void) {
    printf("\ntables and figures:\n");
    for (size_t k = 0; k < study_count(); k++) {
        printf("  %-11s %s\n", study_at(k)->name, study_at(k)->title);
    }
    printf("  %-11s all of them\n", "all");
}

static const char usage[] = "reproduce WHAT [--preset standard] [--seeds 5] [--jobs 2] [options]";
static const char about[] =
    "Trains the runs that a table or figure of the paper needs, those that are not finished yet,\n"
    "and writes its page beside the paper's own numbers: FOLDER/WHAT.html, .csv and .tex. Runs "
    "are\n"
    "shared between tables. It can be stopped and started again at any time.";

int cli_reproduce(int argc, char **argv) {
    static request wish;
    wish = (request){.how = {.jobs = 2},
                     .settings = {.preset = "standard", .seeds = 5, .weights_folder = "weights"}};
    const cli_option options[] = {
        {"preset", CLI_TEXT, &wish.settings.preset, "NAME",
         "settings: quick, standard, pixels or paper (default standard)"},
        {"seeds", CLI_COUNT, &wish.settings.seeds, "N", "seeds 0 .. N - 1 (default 5)"},
        {"tasks", CLI_TEXT, &wish.settings.tasks, "A,B", "others than the table's own"},
        {"methods", CLI_TEXT, &wish.settings.methods, "A,B",
         "only these, as temporalot or ot0.99 (default: all of the table)"},
        {"set", CLI_TEXTS, &wish.set, "NAME=VALUE", "one setting of all runs; may be repeated"},
        {"out", CLI_TEXT, &wish.out, "FOLDER", "of everything (default runs/reproduce-PRESET)"},
        {"weights-dir", CLI_TEXT, &wish.settings.weights_folder, "FOLDER",
         "where weights of encoders are, as resnet50-0676ba61.pth (default weights)"},
        CLI_SWEEPING_OPTIONS(wish.how),
    };
    const cli_parsed parsed = cli_parse(argc, argv, usage, about, options,
                                        sizeof options / sizeof *options, &wish.common, &wish.what);
    if (parsed == CLI_HELPED) {
        print_studies();
    }
    int code = cli_exit_code(parsed);
    if (parsed == CLI_GO) {
        code = check(&wish, argc, argv);
        code = code == EXIT_DONE ? reproduce(&wish) : code;
    }
    cli_texts_free(&wish.set);
    cli_texts_free(&wish.what);
    return code;
}
