// temporalot: one program, one file a command.
#include <string.h>

#include "base/name.h"
#include "cli/cli.h"

static const cli_command commands[] = {
    {"label", "rewards for episodes, from demonstrations", cli_label},
    {"demo", "demonstrations by Meta-world's scripted experts", cli_demo},
    {"dataset", "rewards for LeRobot and Minari datasets", cli_dataset},
    {"rollout", "one episode of a task, recorded", cli_rollout},
    {"render", "a picture of a task, or a row of them of an episode", cli_render},
    {"encode", "pictures to embeddings, by a pretrained network", cli_encode},
    {"train", "a policy from a couple of demonstrations", cli_train},
    {"eval", "how well the policy of a run does", cli_eval},
    {"policy", "the policy of a run for other programs: .npz, ONNX", cli_policy},
    {"probe", "does this reward rank progress on this task?", cli_probe},
    {"sweep", "a grid of runs, here or by Slurm", cli_sweep},
    {"reproduce", "the paper's tables and figures, from nothing to a page", cli_reproduce},
    {"report", "many runs on one page: tables, curves, statistics", cli_report},
    {"bench", "how fast, beside what you would use otherwise", cli_bench},
    {"doctor", "what was found and what is missing, and what mends it", cli_doctor},
};

enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static void print_commands(FILE *out) {
    fprintf(out, "usage: temporalot COMMAND [options]\n\n");
    for (size_t k = 0; k < COMMAND_COUNT; k++) {
        fprintf(out, "  %-10s %s\n", commands[k].name, commands[k].help);
    }
    fprintf(out, "\ntemporalot COMMAND --help tells more; temporalot --version says %s.\n",
            tot_version());
}

static int unknown_command(const char *name) {
    const char *names[COMMAND_COUNT];
    for (size_t k = 0; k < COMMAND_COUNT; k++) {
        names[k] = commands[k].name;
    }
    const char *nearest = base_nearest_name(name, names, COMMAND_COUNT);
    return cli_usage("unknown command '%s'%s%s%s", name, nearest != NULL ? "; did you mean '" : "",
                     nearest != NULL ? nearest : "", nearest != NULL ? "'?" : "");
}

// Output that does not reach its file or pipe is a failure too.
static int finish(int code) {
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "temporalot: standard output: could not write\n");
        return code == EXIT_DONE ? EXIT_FAILED : code;
    }
    return code;
}

static void warn(void *context, tot_log_level level, const char *text) {
    (void)context;
    if (level == TOT_LOG_WARNING) {
        fprintf(stderr, "temporalot: warning: %s\n", text);
    }
}

int main(int argc, char **argv) {
    tot_log_set(warn, NULL);
    if (argc < 2) {
        print_commands(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        print_commands(stdout);
        return finish(EXIT_DONE);
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("temporalot %s (commit %s)\n", tot_version(), tot_commit());
        return finish(EXIT_DONE);
    }
    for (size_t k = 0; k < COMMAND_COUNT; k++) {
        if (strcmp(argv[1], commands[k].name) == 0) {
            return finish(commands[k].run(argc - 1, argv + 1));
        }
    }
    return unknown_command(argv[1]);
}
