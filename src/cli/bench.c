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

enum { MOST_ROUNDS = 1000, NOT_GIVEN = -1000000 };

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

int cli_bench(int argc, char **argv) {
    int64_t rounds = NOT_GIVEN;
    const char *tasks = NULL;
    const cli_option options[] = {
        {"tasks", CLI_TEXT, &tasks, "A,B", "world: only these tasks (default: all)"},
        {"rounds", CLI_COUNT, &rounds, "N", "rounds to measure (default 3; train: 2)"},
    };
    cli_common common = {0};
    cli_texts names = {0};
    cli_parsed parsed =
        cli_parse(argc, argv, usage, about, options, BASE_LENGTH(options), &common, &names);
    int code = cli_exit_code(parsed);
    if (parsed == CLI_GO && rounds != NOT_GIVEN && (rounds < 1 || rounds > MOST_ROUNDS)) {
        code = cli_usage("--rounds: %lld is not in 1 .. %d", (long long)rounds, MOST_ROUNDS);
    }
    if (parsed == CLI_GO && !know_tasks(tasks)) {
        code = cli_usage("--tasks: %s", tot_error());
    }
    const bench_args args = {.threads = (int)common.threads,
                             .tasks = tasks,
                             .rounds = rounds != NOT_GIVEN ? (int)rounds : 0,
                             .json = common.json,
                             .quiet = common.quiet};
    for (size_t k = 0; parsed == CLI_GO && code == EXIT_DONE && k < names.count; k++) {
        code = run_named(names.items[k], args);
    }
    for (size_t k = 0;
         parsed == CLI_GO && names.count == 0 && code == EXIT_DONE && k < BENCHMARK_COUNT; k++) {
        code = run_named(benchmarks[k].name, args);
    }
    cli_texts_free(&names);
    return code;
}
