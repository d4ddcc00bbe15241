// temporalot report: summarises runs on one page.
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/diagnosing.h"
#include "cli/output.h"
#include "cli/python.h"
#include "study/run_read.h"

enum { PATH_SIZE = 1200 };

// The files of a report.
enum { OUT, CSV, LATEX, SVG, OUTPUTS };
static const char *const endings[OUTPUTS] = {".html", ".csv", ".tex", ".svg"};

typedef struct request {
    cli_output outputs[OUTPUTS];
    const char *title;
    const char *paper;
    const char *columns;
    bool diagnose;
    int64_t goals;
    cli_texts runs;
    cli_common common;
} request;

// Whether the file belongs to a run: its page or its metrics.
static bool is_of_run(const char *path) {
    char folder[PATH_SIZE] = "./";
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    if (slash != NULL) {
        snprintf(folder, sizeof folder, "%.*s", (int)(name - path), path);
    }
    return (strcmp(name, "report.html") == 0 || strcmp(name, "metrics.csv") == 0) &&
           (study_run_has(folder, "config.yaml") || study_run_has(folder, "metrics.csv"));
}

// Earlier reports may be overwritten, other files may not.
static int check_file(const request *args, int kind) {
    const char *option = args->outputs[kind].option, *path = args->outputs[kind].path;
    CLI_USAGE_IF(!base_ends_in(path, endings[kind]), "report: --%s %s does not end in %s", option,
                 path, endings[kind]);
    CLI_USAGE_IF(is_of_run(path),
                 "report: --%s %s is a file of that run itself; choose another name or folder",
                 option, path);
    CLI_USAGE_IF(!args->common.overwrite && access(path, R_OK) == 0 && !cli_is_ours(path),
                 "report: --%s %s already exists and is not a report written by temporalot; "
                 "--overwrite replaces it, or choose another name",
                 option, path);
    return EXIT_DONE;
}

static int check_runs(const request *args) {
    CLI_USAGE_IF(args->runs.count == 0,
                 "report: name one or more run folders; see temporalot report --help");
    return EXIT_DONE;
}

static int check(const request *args) {
    bool any = false;
    int code = EXIT_DONE;
    for (int kind = 0; kind < OUTPUTS; kind++) {
        if (args->outputs[kind].path != NULL) {
            any = true;
            CLI_THEN(code, check_file(args, kind));
        }
    }
    CLI_THEN(code, check_runs(args));
    CLI_USAGE_IF(code == EXIT_DONE && !any,
                 "report: --out report.html (or --csv, --latex, --svg) is needed");
    return code;
}

static tot_status write_all(const request *args, const tot_runs *runs, tot_pool *pool) {
    tot_report_settings settings;
    tot_report_defaults(&settings);
    settings.title = args->title != NULL ? args->title : settings.title;
    settings.paper = args->paper;
    settings.columns = args->columns;
    settings.pool = pool;
    for (int kind = 0; kind < OUTPUTS; kind++) {
        const char *path = args->outputs[kind].path;
        BASE_TRY(path != NULL ? tot_report_write(runs, &settings, path) : TOT_OK);
        if (path != NULL && !args->common.quiet && !args->common.json) {
            printf("%s\n", path);
        }
    }
    return TOT_OK;
}

// Damaged runs are reported here as well as on the page.
static void tell(const request *args, const tot_runs *runs) {
    size_t counts[TOT_RUN_DAMAGED + 1] = {0};
    for (size_t k = 0; k < tot_runs_count(runs); k++) {
        const tot_run_record *run = tot_runs_at(runs, k);
        counts[run->state]++;
        if (run->state == TOT_RUN_DAMAGED) {
            fprintf(stderr, "temporalot: %s is left out of the numbers: %s\n", run->folder,
                    run->problem);
        }
    }
    if (args->common.json) {
        printf("{\"runs\": %zu", tot_runs_count(runs));
        for (int state = 0; state <= TOT_RUN_DAMAGED; state++) {
            printf(", \"%s\": %zu", tot_run_state_text((tot_run_state)state), counts[state]);
        }
        cli_outputs_json(args->outputs, OUTPUTS);
        printf("}\n");
    } else if (!args->common.quiet) {
        printf("%zu run%s: %zu finished, %zu going, %zu stopped, %zu new, %zu damaged\n",
               tot_runs_count(runs), cli_plural(tot_runs_count(runs)), counts[TOT_RUN_FINISHED],
               counts[TOT_RUN_GOING], counts[TOT_RUN_STOPPED], counts[TOT_RUN_NEW],
               counts[TOT_RUN_DAMAGED]);
    }
}

static int write_report(const request *args) {
    const int wrong = check(args);
    if (wrong != EXIT_DONE) {
        return wrong;
    }
    tot_runs *runs = NULL;
    tot_pool *pool = NULL;
    tot_status status = tot_runs_find(&runs, args->runs.items, args->runs.count);
    BASE_THEN(status, tot_pool_create(&pool, (int)args->common.threads));
    BASE_THEN(status, write_all(args, runs, pool));
    if (status == TOT_OK) {
        tell(args, runs);
    }
    tot_pool_free(pool);
    tot_runs_free(runs);
    return cli_result(status);
}

// The page of a labelled dataset is written by the Python package.
static bool is_dataset(const cli_texts *folders) {
    return folders->count == 1 && (study_run_has(folders->items[0], "meta/info.json") ||
                                   study_run_has(folders->items[0], "data/metadata.json"));
}

// Whether there are options that only a report of runs has.
static bool asks_for_runs(const request *args) {
    return args->outputs[CSV].path != NULL || args->outputs[LATEX].path != NULL ||
           args->outputs[SVG].path != NULL || args->paper != NULL || args->columns != NULL;
}

static int report_dataset(const request *args) {
    CLI_USAGE_IF(asks_for_runs(args), "report: %s is a dataset, which takes --out and --title only",
                 args->runs.items[0]);
    const char *arguments[9] = {"dataset", "report", args->runs.items[0]};
    size_t count = 3;
    if (args->outputs[OUT].path != NULL) {
        arguments[count++] = "--out";
        arguments[count++] = args->outputs[OUT].path;
    }
    if (args->title != NULL) {
        arguments[count++] = "--title";
        arguments[count++] = args->title;
    }
    if (args->common.quiet) {
        arguments[count++] = "--quiet";
    }
    return cli_python((char *const *)arguments);
}

// Whether the path is the run's own report.html.
static bool is_own_page(const char *path, const char *folder) {
    char own[PATH_SIZE];
    struct stat one, other;
    snprintf(own, sizeof own, "%s/report.html", folder);
    return strcmp(path, own) == 0 || (stat(path, &one) == 0 && stat(own, &other) == 0 &&
                                      one.st_dev == other.st_dev && one.st_ino == other.st_ino);
}

// A page shows the diagnosis of one run; while the run is training, it writes its own page itself.
static int check_page(const request *args, const tot_runs *runs) {
    const char *out = args->outputs[OUT].path;
    if (out == NULL) {
        return EXIT_DONE;
    }
    CLI_USAGE_IF(tot_runs_count(runs) != 1,
                 "report: --out %s: a page holds the diagnosis of one run, but %zu are given", out,
                 tot_runs_count(runs));
    const tot_run_record *run = tot_runs_at(runs, 0);
    const bool own = is_own_page(out, run->folder);
    CLI_USAGE_IF(own && run->state == TOT_RUN_GOING,
                 "report: --out %s: that run is still training and writes this file itself; choose "
                 "another name",
                 out);
    return own ? EXIT_DONE : check_file(args, OUT);
}

static int diagnose(const request *args) {
    CLI_USAGE_IF(asks_for_runs(args) || args->title != NULL,
                 "report: --diagnose takes --out and --goals only");
    int code = check_runs(args);
    CLI_THEN(code, cli_check_range("goals", (double)args->goals, 1, 1000));
    tot_runs *runs = NULL;
    cli_catch_signals();
    CLI_THEN(code, cli_result(tot_runs_find(&runs, args->runs.items, args->runs.count)));
    CLI_THEN(code, check_page(args, runs));
    CLI_THEN(code, cli_diagnose(runs, args->goals, args->outputs[OUT].path, &args->common));
    tot_runs_free(runs);
    return code;
}

static const char usage[] =
    "report RUN... --out report.html [--csv F.csv] [--latex F.tex] [--svg F.svg]\n"
    "       temporalot report RUN... --diagnose [--goals 8] [--out report.html]\n"
    "       temporalot report DATASET [--out report.html]";
static const char about[] =
    "Summarises the runs found in the given folders and below: a table that links to the runs "
    "behind\n"
    "every number, learning curves, statistics over all tasks with confidence intervals, and what "
    "is\n"
    "missing. The page is a single HTML file.\n"
    "With --diagnose: why does a policy fail? It is run on goals of its last evaluation, alongside "
    "a\n"
    "demonstration bent to the goal, replayed, with open fingers and stopping short, the scripted\n"
    "expert and random actions, all rewarded as in the run. A verdict follows from the motion of\n"
    "hand, fingers and objects. --out writes the run's page with the diagnosis included.\n"
    "For a labelled dataset (temporalot dataset label): its episodes ranked by reward, with "
    "pictures,\n"
    "where each departs from the demonstration, and the worst ten percent.";

int cli_report(int argc, char **argv) {
    request args = {.goals = 8,
                    .outputs = {[OUT] = {.option = "out"},
                                [CSV] = {.option = "csv"},
                                [LATEX] = {.option = "latex"},
                                [SVG] = {.option = "svg"}}};
    const cli_option options[] = {
        {"out", CLI_TEXT, &args.outputs[OUT].path, "FILE.html", "the report"},
        {"csv", CLI_TEXT, &args.outputs[CSV].path, "FILE.csv", "one row per run"},
        {"latex", CLI_TEXT, &args.outputs[LATEX].path, "FILE.tex", "the table (needs booktabs)"},
        {"svg", CLI_TEXT, &args.outputs[SVG].path, "FILE.svg", "the learning curves"},
        {"title", CLI_TEXT, &args.title, "TEXT", "title of the report"},
        {"columns", CLI_TEXT, &args.columns, "NAME",
         "the setting shown in the columns (default: detected from the runs)"},
        {"paper", CLI_TEXT, &args.paper, "TABLE",
         "show the paper's numbers beside ours: table1, pretrain or speed"},
        {"diagnose", CLI_FLAG, &args.diagnose, NULL, "analyse why the runs' policies fail"},
        {"goals", CLI_COUNT, &args.goals, "N", "goals to diagnose on (default 8)"},
    };
    int code = cli_parse(argc, argv, usage, about, options, BASE_LENGTH(options), &args.common,
                         &args.runs);
    if (code == CLI_GO) {
        code = args.diagnose            ? diagnose(&args)
               : is_dataset(&args.runs) ? report_dataset(&args)
                                        : write_report(&args);
    }
    cli_texts_free(&args.runs);
    return code;
}
