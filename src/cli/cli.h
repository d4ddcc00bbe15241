// What the commands share: the table of commands, options, progress, signals.
//
// A command is one file with one function and one line in the table of main.c. It parses, calls the
// library, prints, and returns 0, EXIT_FAILED or EXIT_USAGE.
#pragma once

#include <temporalot/temporalot.h>

#include "base/base.h"

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_STOPPED = 130 };

// Prints what is wrong with what was typed, and returns EXIT_USAGE.
#define CLI_USAGE_IF(condition, ...)       \
    do {                                   \
        if (condition) {                   \
            return cli_usage(__VA_ARGS__); \
        }                                  \
    } while (0)

// The same for a number out of its range: `CLI_RANGE("batch", args->batch, 1, 256);`
#define CLI_RANGE(option, value, low, high)                                           \
    do {                                                                              \
        if (cli_check_range((option), (double)(value), (low), (high)) != EXIT_DONE) { \
            return EXIT_USAGE;                                                        \
        }                                                                             \
    } while (0)

// Calls only where nothing failed so far: code is that of the call, or stays.
#define CLI_THEN(code, call) ((code) = (code) != EXIT_DONE ? (code) : (call))

typedef struct cli_command {
    const char *name;
    const char *help;                   // one line, for the list of commands
    int (*run)(int argc, char **argv);  // argv[0] is the command's name
    const char *verb;                   // the word that follows it, as in `demo collect`; or NULL
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
    CLI_WORD,   // int *: the place of a word among those that are shown, "auto|on|off"
    CLI_TEXTS,  // cli_texts *: may be given again, and takes every word up to the next option
    CLI_COUNT,  // int64_t *
    CLI_REAL,   // double *
    // what is not an option, and stands in the help only:
    CLI_SECTION,  // the name is a heading
    CLI_ENTRY,    // the name of something, with its help
} cli_kind;

typedef struct cli_texts {
    const char **items;  // words of argv; the list itself is owned
    size_t count;
    size_t capacity;
} cli_texts;

void cli_texts_free(cli_texts *texts);

typedef struct cli_option {
    const char *name;  // "demo" for --demo
    cli_kind kind;
    void *value;
    // What stands for the value in the help: FILE, FOLDER, TASK, METHOD, REWARD, ENCODER, PRESET,
    // N, ..., or its choices as gl|soft; completion offers them. NULL for a flag.
    const char *shown;
    const char *help;
} cli_option;

// The name of a setting as an option has it: '-' for '_'. Returns out.
const char *cli_option_name(char *out, size_t size, const char *setting);

// Every command has these.
typedef struct cli_common {
    int64_t threads;  // 0: one per CPU
    bool quiet;
    bool json;
    bool overwrite;  // files that this program did not write
} cli_common;

typedef enum cli_parsed { CLI_GO, CLI_HELPED, CLI_WRONG, CLI_BROKEN } cli_parsed;

// What to exit with after these; EXIT_DONE for CLI_GO.
int cli_exit_code(cli_parsed parsed);

// Reads argv into the options and the common ones; -h, --help, -V and --version print and give
// CLI_HELPED. What is not an option goes to `rest` (an error when rest is NULL). CLI_WRONG: a line
// was printed, exit with EXIT_USAGE; CLI_BROKEN: out of memory, likewise EXIT_FAILED. usage: the
// text after "usage: temporalot ", one or more lines; about: paragraphs, which are reflowed, and
// lines that begin with a blank, which are not.
// Short names: -o is --out, -q --quiet, -j --jobs, or --threads where a command has no jobs.
cli_parsed cli_parse(int argc, char **argv, const char *usage, const char *about,
                     const cli_option *options, size_t count, cli_common *common, cli_texts *rest);

// Called by the next cli_parse before it prints its help, with all options read: where the texts
// of the help depend on them.
void cli_before_help(void (*fill)(void *context), void *context);

// All that is said of a command.
typedef struct cli_page {
    const char *usage, *about;
    const cli_option *options;
    size_t count;
    const cli_option *common;
    size_t common_count;
} cli_page;

void cli_print_help(const cli_page *page);

// From now on cli_parse gives the page to `take` instead of reading argv, and says CLI_HELPED;
// NULL: no longer. For what is made of the tables: completion, the manual.
void cli_describe(void (*take)(void *context, const cli_page *page), void *context);

// The short name of an option of this page, 'o' for --out; 0: it has none.
char cli_short_name(const cli_page *page, const char *name);

// The words that a value can be, as offered by completion: out is given each. shown: of the option.
void cli_choices(const char *shown, void (*out)(void *context, const char *word), void *context);

// "BEFORE a, b, c AFTER": those words, for a help that names all of them. Returns text.
const char *cli_list_choices(char *text, size_t size, const char *before, const char *shown,
                             const char *after);

void cli_print_version(void);

// Prints "temporalot: " and the library's error text on standard error; gives EXIT_FAILED, or
// EXIT_STOPPED after a signal.
int cli_fail(void);

// Prints a usage error; gives EXIT_USAGE.
int cli_usage(const char *format, ...) TOT_PRINTF(1, 2);

// EXIT_DONE, or the same for an option whose number is out of its range; high may be INFINITY.
int cli_check_range(const char *option, double value, double low, double high);

// The same with the library's error text, which begins with the name of a setting: as an option.
int cli_usage_setting(void);

// --- progress and signals ----------------------------------------------------------------------

// A bar on standard error, when that is a terminal and the work takes longer than a second. Where
// the total is 0 or less it is not known, and only a count is shown.
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

// One line over the one before: words, a bar with what room the terminal leaves it, figures.
void cli_bar_line(FILE *out, const char *before, double share, const char *figures);

// Seconds on a clock that only moves forward.
double cli_seconds(void);

// "" for one, else "s".
const char *cli_plural(size_t count);

// From now on SIGINT and SIGTERM only raise a flag, so that a command can tidy up.
void cli_catch_signals(void);
bool cli_stopped(void);

// Writes a text as a JSON string with its quotes.
void cli_json_text(FILE *out, const char *text);

// Prints what stands before it (", \"task\": "), then the text so.
void cli_json_put(const char *before, const char *text);

// The same for a number; null: there is none.
void cli_json_number(const char *before, double value);

// The beginning of what is told of a run: its folder, task and method.
void cli_json_run(const char *folder, const tot_train_config *config);
