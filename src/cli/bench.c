// temporalot bench: how fast, beside what you would use otherwise.
#include <string.h>

#include "base/name.h"
#include "bench.h"
#include "cli/cli.h"

typedef struct benchmark {
    const char *name;
    tot_status (*run)(bool json, int threads);
} benchmark;

static const benchmark benchmarks[] = {
    {"label", bench_label},   {"world", bench_world}, {"picture", bench_picture},
    {"encode", bench_encode}, {"nn", bench_nn},       {"update", bench_update},
};

enum { BENCHMARK_COUNT = sizeof benchmarks / sizeof *benchmarks };

static const char usage[] = "bench [label|world|picture|encode|nn|update] [--threads N] [--json]";
static const char about[] =
    "Times the library beside its Python peer, one after the other in one run (all benchmarks\n"
    "when none is named). ratio is the peer's time over ours; limit ms is what the machine itself\n"
    "needs where that is known. Without --threads: with one, then with one a CPU.";

static int run_named(const char *name, const cli_common *common) {
    const char *names[BENCHMARK_COUNT];
    for (size_t k = 0; k < BENCHMARK_COUNT; k++) {
        names[k] = benchmarks[k].name;
        if (strcmp(name, benchmarks[k].name) == 0) {
            tot_status status = benchmarks[k].run(common->json, (int)common->threads);
            return status == TOT_OK ? EXIT_DONE : cli_fail();
        }
    }
    const char *nearest = tot_nearest_name(name, names, BENCHMARK_COUNT);
    return cli_usage("bench: '%s' is not known%s%s%s", name,
                     nearest != NULL ? "; did you mean '" : "", nearest != NULL ? nearest : "",
                     nearest != NULL ? "'?" : "");
}

int cli_bench(int argc, char **argv) {
    cli_common common = {0};
    cli_texts names = {0};
    cli_parsed parsed = cli_parse(argc, argv, usage, about, NULL, 0, &common, &names);
    int code = cli_exit_code(parsed);
    for (size_t k = 0; parsed == CLI_GO && code == EXIT_DONE && k < names.count; k++) {
        code = run_named(names.items[k], &common);
    }
    for (size_t k = 0;
         parsed == CLI_GO && names.count == 0 && code == EXIT_DONE && k < BENCHMARK_COUNT; k++) {
        code = run_named(benchmarks[k].name, &common);
    }
    cli_texts_free(&names);
    return code;
}
