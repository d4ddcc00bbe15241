// temporalot bench: speed of the library against its Python peers.
#include "bench.h"
#include "cli/cli.h"

typedef struct benchmark {
    const char *name;
    bench_function run;
    int rounds;  // default number of rounds
} benchmark;

static const benchmark benchmarks[] = {
    {"label", bench_label, 3},   {"world", bench_world, 3}, {"picture", bench_picture, 3},
    {"encode", bench_encode, 3}, {"nn", bench_nn, 3},       {"update", bench_update, 3},
    {"train", bench_train, 2},
};

enum { BENCHMARK_COUNT = BASE_LENGTH(benchmarks) };

enum { MOST_ROUNDS = 1000 };

static const char usage[] =
    "bench [label|world|picture|encode|nn|update|train] [--tasks A,B] [--rounds N] "
    "[--threads N] [--json]";
static const char about[] =
    "Times the library against its Python peers (all benchmarks if none is named). Each round\n"
    "measures both, and the fastest round of each is shown: interference can only slow a round\n"
    "down. `ratio` is the peer's time divided by ours; `limit ms` is the least time the hardware\n"
    "allows, where that is known. Without --threads, measures with one thread and then with one "
    "per\n"
    "CPU. `world` prints two lines per task: `world` steps one world, `worlds` 16 in parallel.";

// Whether every name in a list "A,B" is a task.
static bool know_tasks(const char *list) {
    const tot_task_info *info = NULL;
    while (list != NULL) {
        char name[64];
        const char *comma = strchr(list, ',');
        snprintf(name, sizeof name, "%.*s",
                 (int)(comma != NULL ? (size_t)(comma - list) : strlen(list)), list);
        if (tot_task_find(&info, name) != TOT_OK) {
            return false;
        }
        list = comma != NULL ? comma + 1 : NULL;
    }
    return true;
}

// args.rounds == 0: the benchmark's own number of rounds.
static int run_named(const char *name, bench_args args) {
    const benchmark *found = BASE_FIND_ROW("bench", name, benchmarks);
    CLI_USAGE_IF(found == NULL, "%s", tot_error());
    args.rounds = args.rounds > 0 ? args.rounds : found->rounds;
    return bench_run(name, found->run, &args) == TOT_OK ? EXIT_DONE : cli_fail();
}

typedef struct request {
    const char *tasks;
    int64_t rounds;
    cli_texts names;  // none: all benchmarks
    cli_common common;
} request;

static int measure(const request *args) {
    const bool given = args->rounds != CLI_NOT_GIVEN;
    CLI_RANGE("rounds", given ? args->rounds : 1, 1, MOST_ROUNDS);
    CLI_USAGE_IF(!know_tasks(args->tasks), "--tasks: %s", tot_error());
    const bench_args settings = {.threads = (int)args->common.threads,
                                 .tasks = args->tasks,
                                 .rounds = given ? (int)args->rounds : 0,
                                 .json = args->common.json,
                                 .quiet = args->common.quiet};
    const bool all = args->names.count == 0;
    int code = EXIT_DONE;
    for (size_t k = 0; k < (all ? BENCHMARK_COUNT : args->names.count); k++) {
        CLI_THEN(code, run_named(all ? benchmarks[k].name : args->names.items[k], settings));
    }
    return code;
}

int cli_bench(int argc, char **argv) {
    request args = {.rounds = CLI_NOT_GIVEN};
    const cli_option options[] = {
        {"tasks", CLI_TEXT, &args.tasks, "A,B", "world: only these tasks (default: all)"},
        {"rounds", CLI_COUNT, &args.rounds, "N", "rounds to measure (default 3; train: 2)"},
    };
    int code = cli_parse(argc, argv, usage, about, options, BASE_LENGTH(options), &args.common,
                         &args.names);
    code = code == CLI_GO ? measure(&args) : code;
    cli_texts_free(&args.names);
    return code;
}
