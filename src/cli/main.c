// temporalot: one program, one file per command.
#include "cli/cli.h"
#include "cli/terminal.h"

static const cli_command commands[] = {
    {"label", "compute rewards of episodes from demonstrations", cli_label, NULL},
    {"demo", "collect demonstrations with Meta-world's scripted experts", cli_demo, "collect"},
    {"dataset", "compute rewards for LeRobot and Minari datasets", cli_dataset, NULL},
    {"rollout", "record one episode of a task", cli_rollout, NULL},
    {"render", "draw a picture of a task, or a strip of an episode", cli_render, NULL},
    {"encode", "encode pictures with a pretrained network", cli_encode, NULL},
    {"train", "train a policy from a few demonstrations", cli_train, NULL},
    {"eval", "evaluate the success rate of a run's policy", cli_eval, NULL},
    {"policy", "export a run's policy as .npz or ONNX", cli_policy, "export"},
    {"probe", "check whether a reward ranks progress, on a task or in videos", cli_probe, NULL},
    {"sweep", "train a grid of runs, locally or on Slurm", cli_sweep, NULL},
    {"reproduce", "reproduce the paper's tables and figures", cli_reproduce, NULL},
    {"report", "summarise runs on one page: tables, curves, statistics", cli_report, NULL},
    {"bench", "measure speed against the Python equivalents", cli_bench, NULL},
    {"doctor", "check what is installed, what is missing and how to get it", cli_doctor, NULL},
    {"completion", "print a completion script for bash, zsh or fish", cli_completion, NULL},
    {"manual", "print the man page", cli_manual, NULL},
};

enum { COMMAND_COUNT = BASE_LENGTH(commands) };

const cli_command *cli_command_at(size_t index) {
    return index < COMMAND_COUNT ? &commands[index] : NULL;
}

void cli_print_version(void) {
    printf("temporalot %s (commit %s)\n", tot_version(), tot_commit());
}

static void print_commands(FILE *out) {
    enum { COLUMN = 14 };
    const int width = cli_width(out) - 1;
    fprintf(out, "usage: temporalot COMMAND [options]\n\n");
    for (size_t k = 0; k < COMMAND_COUNT; k++) {
        fprintf(out, "  %-*s", COLUMN - 2, commands[k].name);
        cli_wrap(out, commands[k].help, COLUMN, COLUMN, width);
    }
    fputc('\n', out);
    cli_wrap(out, "For details see temporalot COMMAND --help, or man temporalot.", 0, 0, width);
}

// Failing to write standard output is an error, too.
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
        cli_say(stderr, "temporalot: warning: %s", text);
    }
}

static bool is(const char *word, const char *name, const char *brief) {
    return strcmp(word, name) == 0 || strcmp(word, brief) == 0;
}

// Some commands have a subcommand: `demo collect --task ...`.
static int run_verb(const cli_command *command, int argc, char **argv) {
    char name[64];
    snprintf(name, sizeof name, "%s %s", command->name, command->verb);
    if (argc > 1 && strcmp(argv[1], command->verb) == 0) {
        argv[1] = name;
        return command->run(argc - 1, argv + 1);
    }
    if (argc > 1 && (is(argv[1], "--help", "-h") || is(argv[1], "--version", "-V"))) {
        return command->run(argc, argv);
    }
    return argc < 2
               ? cli_usage("%s: a subcommand is needed: temporalot %s; see temporalot %s --help",
                           command->name, name, name)
               : cli_usage("%s: '%s' is not a subcommand; use temporalot %s", command->name,
                           argv[1], name);
}

// argv[0] names the command.
static int run_command(int argc, char **argv) {
    const cli_command *command = BASE_FIND_ROW("command", argv[0], commands);
    CLI_USAGE_IF(command == NULL, "%s", tot_error());
    return finish(command->verb != NULL ? run_verb(command, argc, argv) : command->run(argc, argv));
}

int main(int argc, char **argv) {
    static char help[] = "--help";
    tot_log_set(warn, NULL);
    if (argc < 2) {
        print_commands(stderr);
        return EXIT_USAGE;
    }
    if (argc == 3 && strcmp(argv[1], "help") == 0) {
        char *words[] = {argv[2], help, NULL};
        return run_command(2, words);
    }
    if (is(argv[1], "--help", "-h") || strcmp(argv[1], "help") == 0) {
        print_commands(stdout);
        return finish(EXIT_DONE);
    }
    if (is(argv[1], "--version", "-V")) {
        cli_print_version();
        return finish(EXIT_DONE);
    }
    return run_command(argc - 1, argv + 1);
}
