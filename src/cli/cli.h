// What the commands share: the table of commands, options, progress, signals.
//
// A command is one file with one function and one row in the table of main.c. It parses its
// options, calls the library, prints, and returns 0, EXIT_FAILED or EXIT_USAGE.
#pragma once

#include <temporalot/temporalot.h>

#include "base/base.h"

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_STOPPED = 130 };

// Prints a usage error and returns EXIT_USAGE if the condition holds.
#define CLI_USAGE_IF(condition, ...)       \
    do {                                   \
        if (condition) {                   \
            return cli_usage(__VA_ARGS__); \
        }                                  \
    } while (0)

// The same for an option that must be given: `CLI_NEED(args->run != NULL, "eval", "--run FOLDER");`
#define CLI_NEED(given, command, option)                                                      \
    CLI_USAGE_IF(!(given), "%s: %s is needed; see temporalot %s --help", (command), (option), \
                 (command))

// The same for a number out of range: `CLI_RANGE("batch", args->batch, 1, 256);`
#define CLI_RANGE(option, value, low, high)                                           \
    do {                                                                              \
        if (cli_check_range((option), (double)(value), (low), (high)) != EXIT_DONE) { \
            return EXIT_USAGE;                                                        \
        }                                                                             \
    } while (0)

// Makes the call and stores its exit code, unless an earlier call has failed.
#define CLI_THEN(code, call) ((code) = (code) != EXIT_DONE ? (code) : (call))

typedef struct cli_command {
    const char *name;
    const char *help;                   // one line, for the list of commands
    int (*run)(int argc, char **argv);  // argv[0] is the command's name
    const char *verb;                   // subcommand, as in `demo collect`; or NULL
} cli_command;

// The table of commands; NULL past the last.
const cli_command *cli_command_at(size_t index);

int cli_label(int argc, char **argv);
int cli_demo(int argc, char **argv);
int cli_dataset(int argc, char **argv);
int cli_rollout(int argc, char **argv);
int cli_render(int argc, char **argv);
int cli_encode(int argc, char **argv);
int cli_train(int argc, char **argv);
int cli_eval(int argc, char **argv);
int cli_policy(int argc, char **argv);
int cli_probe(int argc, char **argv);
int cli_sweep(int argc, char **argv);
int cli_reproduce(int argc, char **argv);
int cli_report(int argc, char **argv);
int cli_bench(int argc, char **argv);
int cli_doctor(int argc, char **argv);
int cli_completion(int argc, char **argv);
int cli_manual(int argc, char **argv);

// --- options -----------------------------------------------------------------------------------

typedef enum cli_kind {
    CLI_FLAG,   // bool *
    CLI_TEXT,   // const char **
    CLI_WORD,   // int *: index of the word among the choices shown, "auto|on|off"
    CLI_TEXTS,  // cli_texts *: may be repeated, and takes all words up to the next option
    CLI_COUNT,  // int64_t *
    CLI_REAL,   // double *
    // not options, only part of the help:
    CLI_SECTION,  // the name is a heading
    CLI_ENTRY,    // a name with its help, such as that of a method
} cli_kind;

// The initial value of a CLI_COUNT that is not any number a user would give.
#define CLI_NOT_GIVEN INT64_MIN

typedef struct cli_texts {
    const char **items;  // words of argv; only the list itself is owned
    size_t count;
    size_t capacity;
} cli_texts;

void cli_texts_free(cli_texts *texts);

typedef struct cli_option {
    const char *name;  // "demo" for --demo
    cli_kind kind;
    void *value;
    // Placeholder for the value in the help: FILE, FOLDER, TASK, METHOD, REWARD, ENCODER, PRESET,
    // N, ..., or its choices as in gl|soft, which completion offers. NULL for a flag.
    const char *placeholder;
    const char *help;
    // What is NULL of these is taken from the setting of a run of that name; the default is the
    // word in *value, or otherwise that of the setting.
} cli_option;

// The option name of a setting: '-' for '_'. Returns out.
const char *cli_option_name(char *out, size_t size, const char *setting);

// Options that every command has.
typedef struct cli_common {
    int64_t threads;  // 0: one per CPU
    bool quiet;
    bool json;
    bool overwrite;  // replace files that this program did not write
} cli_common;

// The command line is read, and the command can start: no exit code.
enum { CLI_GO = -1 };

// Parses argv into the command's options and the common ones. Returns CLI_GO, or the exit code of a
// command that has nothing more to do: EXIT_DONE after -h, --help, -V and --version, EXIT_USAGE
// after an error, EXIT_FAILED if out of memory. Words that are not options go to `rest` (an error
// if rest is NULL). usage: the text after "usage: temporalot ", one or more lines; about:
// paragraphs, which are reflowed, and lines that begin with a blank, which are not. Short names: -o
// is --out, -q is --quiet, -j is --jobs, or --threads if the command has no jobs.
int cli_parse(int argc, char **argv, const char *usage, const char *about,
              const cli_option *options, size_t count, cli_common *common, cli_texts *rest);

// EXIT_DONE, or a usage error if one of these options was on the command line that cli_parse read
// last: "--svg: only with --task". names end with a NULL.
int cli_refuse(const char *const *names, const char *why);

// Registers a callback that the next cli_parse calls after parsing and before printing the help,
// for help texts that depend on the options.
void cli_before_help(void (*fill)(void *context), void *context);

// Everything that describes a command.
typedef struct cli_page {
    const char *usage, *about;
    const cli_option *options;
    size_t count;
    const cli_option *common;
    size_t common_count;
} cli_page;

// The next option of a page, the command's own first, then the common ones, without headings and
// entries. *at is 0 for the first. NULL past the end.
const cli_option *cli_next_option(const cli_page *page, size_t *at);

void cli_print_help(const cli_page *page);

// Calls `take` for every command with its page, which is valid during the call only. Used to
// generate completion scripts and the manual from the option tables.
void cli_each_command(void (*take)(const cli_command *command, const cli_page *page));

// The short name of an option on this page, 'o' for --out; 0: none.
char cli_short_name(const cli_page *page, const char *name);

enum { CLI_CHOICE = 64 };

// A possible value of an option, as offered by completion. placeholder: the option's placeholder;
// word: memory for the result. NULL past the end.
const char *cli_choice_at(const char *placeholder, size_t index, char word[CLI_CHOICE]);

// "BEFORE a, b, c AFTER": the possible values, for a help text that lists them all. Returns text.
const char *cli_list_choices(char *text, size_t size, const char *before, const char *placeholder,
                             const char *after);

void cli_print_version(void);

// Prints "temporalot: " and the library's error text on standard error; returns EXIT_FAILED, or
// EXIT_STOPPED after a signal.
int cli_fail(void);

// EXIT_DONE if the status is TOT_OK; otherwise as cli_fail.
int cli_result(tot_status status);

// Prints a usage error; returns EXIT_USAGE.
int cli_usage(const char *format, ...) TOT_PRINTF(1, 2);

// EXIT_DONE, or a usage error if the value of an option is out of range; high may be INFINITY.
int cli_check_range(const char *option, double value, double low, double high);

// Prints the library's error text, which begins with the name of a setting, as a usage error of the
// corresponding option.
int cli_usage_setting(void);

// --- progress and signals ----------------------------------------------------------------------

// A progress bar on standard error, if that is a terminal and the work takes longer than a second.
// If the total is 0 or less it is unknown, and only a count is shown.
typedef struct cli_progress {
    const char *what;
    int64_t total;
    double started;
    double drawn;
    bool shown;
    bool enabled;
} cli_progress;

void cli_progress_start(cli_progress *progress, const char *what, int64_t total, bool quiet);
void cli_progress_show(cli_progress *progress, int64_t done);
void cli_progress_end(cli_progress *progress);

// The same as a callback of the library, whose context is the cli_progress; returns false after a
// signal.
bool cli_progress_watch(void *context, int64_t done, int64_t total);

// Overwrites the current line with text, a bar that takes the remaining width, and figures.
void cli_bar_line(FILE *out, const char *before, double share, const char *figures);

// Seconds on a monotonic clock.
double cli_seconds(void);

// "" if count is 1, otherwise "s".
const char *cli_plural(size_t count);

// From now on SIGINT and SIGTERM only set a flag, so that a command can clean up.
void cli_catch_signals(void);
bool cli_stopped(void);

// Prints `before` (", \"task\": "), then the text as a quoted JSON string.
void cli_json_put(const char *before, const char *text);

// The same for a number; null if it is not finite.
void cli_json_number(const char *before, double value);

// The opening of the JSON object of a run: its folder, task and method.
void cli_json_run(const char *folder, const tot_train_config *config);
