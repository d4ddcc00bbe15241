#include <ctype.h>
#include <stdarg.h>

#include "base/settings.h"
#include "cli/cli.h"
#include "cli/terminal.h"
#include "train/settings.h"

enum { MOST_OPTIONS = 256, MOST_THREADS = 1024 };

void cli_texts_free(cli_texts *texts) {
    base_free((void *)texts->items);
    *texts = (cli_texts){0};
}

static tot_status texts_add(cli_texts *texts, const char *text) {
    void *items = (void *)texts->items;
    BASE_TRY(base_grow(&items, &texts->capacity, texts->count, texts->count + 1,
                       sizeof *texts->items, "arguments"));
    texts->items = items;
    texts->items[texts->count++] = text;
    return TOT_OK;
}

int cli_fail(void) {
    cli_say(stderr, "temporalot: %s", tot_error());
    return cli_stopped() ? EXIT_STOPPED : EXIT_FAILED;
}

int cli_result(tot_status status) {
    return status == TOT_OK ? EXIT_DONE : cli_fail();
}

const char *cli_option_name(char *out, size_t size, const char *setting) {
    snprintf(out, size, "%s", setting);
    for (char *letter = out; *letter != '\0'; letter++) {
        *letter = *letter == '_' ? '-' : *letter;
    }
    return out;
}

int cli_usage(const char *format, ...) {
    va_list arguments;
    char text[4096];
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    cli_say(stderr, "temporalot: %s", text);
    return EXIT_USAGE;
}

int cli_check_range(const char *option, double value, double low, double high) {
    CLI_USAGE_IF(high == INFINITY && !(value >= low), "--%s: %.16g is below %g", option, value,
                 low);
    CLI_USAGE_IF(!(value >= low && value <= high), "--%s: %.16g is not in %g .. %.16g", option,
                 value, low, high);
    return EXIT_DONE;
}

int cli_usage_setting(void) {
    char text[1024];
    snprintf(text, sizeof text, "%s", tot_error());
    char *end = strchr(text, ':');
    for (char *letter = text; end != NULL && letter < end; letter++) {
        *letter = *letter == '_' ? '-' : *letter;
    }
    return cli_usage("--%s", text);
}

// --- help --------------------------------------------------------------------------------------

static struct {
    void (*fill)(void *context);
    void *context;
} before_help;

// The command whose page is wanted; NULL: command lines are parsed.
static struct {
    const cli_command *command;
    void (*take)(const cli_command *command, const cli_page *page);
} described;

void cli_before_help(void (*fill)(void *context), void *context) {
    before_help.fill = fill;
    before_help.context = context;
}

void cli_each_command(void (*take)(const cli_command *command, const cli_page *page)) {
    described.take = take;
    for (size_t k = 0; (described.command = cli_command_at(k)) != NULL; k++) {
        char name[64];
        char *words[] = {name, NULL};
        snprintf(name, sizeof name, "%s", described.command->name);
        described.command->run(1, words);
    }
}

// --- which options were given ------------------------------------------------------------------

static struct {
    const char *names[MOST_OPTIONS];
    size_t count;
} given;

static bool is_given(const char *name) {
    size_t k = 0;
    while (k < given.count && strcmp(given.names[k], name) != 0) {
        k++;
    }
    return k < given.count;
}

static void add_given(const char *name) {
    if (!is_given(name) && given.count < MOST_OPTIONS) {
        given.names[given.count++] = name;
    }
}

int cli_refuse(const char *const *names, const char *why) {
    for (; *names != NULL; names++) {
        CLI_USAGE_IF(is_given(*names), "--%s: %s", *names, why);
    }
    return EXIT_DONE;
}

// --- settings as options -----------------------------------------------------------------------

// Completes an option that leaves its words or its help to a setting of a run.
static void complete(cli_option *option, const tot_train_config *defaults, char *help,
                     size_t size) {
    size_t count = 0;
    const base_setting *rows = train_settings(&count);
    const base_setting *setting = base_settings_find(rows, count, option->name);
    if (setting == NULL || option->kind == CLI_SECTION || option->kind == CLI_ENTRY) {
        return;
    }
    if (option->placeholder == NULL && option->kind != CLI_FLAG) {
        option->placeholder = base_setting_takes(setting);
    }
    if (option->help == NULL) {
        char value[TOT_TRAIN_TEXT] = "";
        if (option->kind == CLI_WORD) {
            base_word_at(option->placeholder, *(const int *)option->value, value, sizeof value);
        } else if (option->kind != CLI_FLAG) {
            base_setting_get(setting, defaults, value, sizeof value);
        }
        snprintf(help, size, value[0] != '\0' ? "%s (default %s)" : "%s", setting->help, value);
        option->help = help;
    }
}

// rows: [MOST_OPTIONS], written. Returns their number.
static size_t complete_all(cli_option *rows, const cli_option *options, size_t count) {
    static char helps[MOST_OPTIONS][TOT_TRAIN_TEXT];
    static tot_train_config defaults;
    size_t k = 0;
    tot_train_defaults(&defaults);
    for (; k < count && k < MOST_OPTIONS; k++) {
        rows[k] = options[k];
        complete(&rows[k], &defaults, helps[k], sizeof helps[k]);
    }
    return k;
}

// --- finding an option -------------------------------------------------------------------------

const cli_option *cli_next_option(const cli_page *page, size_t *at) {
    while (*at < page->count + page->common_count) {
        const size_t k = (*at)++;
        const cli_option *row =
            k < page->count ? &page->options[k] : &page->common[k - page->count];
        if (row->kind != CLI_SECTION && row->kind != CLI_ENTRY) {
            return row;
        }
    }
    return NULL;
}

// Accepts both spellings, --view-margin and --view_margin, and the names of earlier versions.
static const cli_option *find(const cli_page *page, const char *name, size_t length) {
    char typed[64], key[64], own[64];
    const cli_option *option = NULL;
    if (length >= sizeof typed) {
        return NULL;
    }
    snprintf(typed, sizeof typed, "%.*s", (int)length, name);
    base_setting_key(key, sizeof key, typed);
    for (size_t k = 0; (option = cli_next_option(page, &k)) != NULL;) {
        base_setting_key(own, sizeof own, option->name);
        if (strcmp(own, key) == 0) {
            break;
        }
    }
    return option;
}

static const char letters[] = "hVoqj";

// The long name of a short option; NULL: unknown.
static const char *long_name(const cli_page *page, char letter) {
    const bool has_jobs = find(page, "jobs", strlen("jobs")) != NULL;
    const char *const names[] = {"help", "version", "out", "quiet", has_jobs ? "jobs" : "threads"};
    const char *found = strchr(letters, letter);
    return found != NULL ? names[found - letters] : NULL;
}

char cli_short_name(const cli_page *page, const char *name) {
    const char *letter = letters;
    while (*letter != '\0' && strcmp(long_name(page, *letter), name) != 0) {
        letter++;
    }
    return *letter;
}

static int unknown(const cli_page *page, const char *name) {
    const char *names[MOST_OPTIONS];
    char typed[64];
    size_t count = 0;
    snprintf(typed, sizeof typed, "%.*s", (int)strcspn(name, "="), name);
    const cli_option *option = NULL;
    for (size_t k = 0; count < MOST_OPTIONS && (option = cli_next_option(page, &k)) != NULL;) {
        names[count++] = option->name;
    }
    const char *nearest = base_nearest_name(typed, names, count);
    return cli_usage("unknown option --%s%s%s%s", typed, nearest != NULL ? "; did you mean --" : "",
                     nearest != NULL ? nearest : "", nearest != NULL ? "?" : "");
}

// --- reading -----------------------------------------------------------------------------------

static int refuse_dash(const char *name) {
    return cli_usage(
        "%s: '-' does not stand for standard input or output: name a file (./- for a file of that "
        "name)",
        name);
}

// "--hold: 'of' is not auto, on or off"
static tot_status take_word(const cli_option *option, const char *text) {
    char list[256];
    const int place = base_word_find(option->placeholder, text);
    BASE_FAIL_IF(place < 0, TOT_E_ARGUMENT, "--%s: '%s' is not %s", option->name, text,
                 base_words_list(option->placeholder, list, sizeof list));
    *(int *)option->value = place;
    return TOT_OK;
}

static int take(const cli_option *option, const char *text) {
    char name[64];
    snprintf(name, sizeof name, "--%s", option->name);
    tot_status status = TOT_OK;
    if (text != NULL && strcmp(text, "-") == 0) {
        return refuse_dash(name);
    }
    switch (option->kind) {
        case CLI_FLAG:
            *(bool *)option->value = true;
            break;
        case CLI_TEXT:
            *(const char **)option->value = text;
            break;
        case CLI_WORD:
            status = take_word(option, text);
            break;
        case CLI_TEXTS:
            status = texts_add(option->value, text);
            break;
        case CLI_COUNT:
            status = base_parse_count(name, text, option->value);
            break;
        case CLI_REAL:
            status = base_parse_real(name, text, option->value);
            break;
        case CLI_SECTION:
        case CLI_ENTRY:
            break;
    }
    CLI_USAGE_IF(status == TOT_E_ARGUMENT, "%s", tot_error());
    return status == TOT_OK ? CLI_GO : cli_fail();
}

// Whether the word is a value: "-3" and "-" are, "--x" and "-x" are not.
static bool is_value(const char *word) {
    return word[0] != '-' || (word[1] != '-' && !isalpha((unsigned char)word[1]));
}

// A command line and the position in it.
typedef struct reading {
    int argc;
    char **argv;
    int at;
    const cli_page *page;
    cli_texts *rest;
    bool help;
    bool only_rest;  // after --
} reading;

static bool value_follows(const reading *words) {
    return words->at + 1 < words->argc && is_value(words->argv[words->at + 1]);
}

// Reads an option whose value follows '=', follows a short name in the same word, or is the next
// word.
static int read_option(reading *words, const char *name, size_t length, const char *text) {
    const cli_option *option = find(words->page, name, length);
    if (option == NULL) {
        return unknown(words->page, name);
    }
    add_given(option->name);
    CLI_USAGE_IF(option->kind == CLI_FLAG && text != NULL, "--%s takes no value", option->name);
    if (option->kind != CLI_FLAG && text == NULL) {
        CLI_USAGE_IF(!value_follows(words), "--%s needs a value: --%s %s", option->name,
                     option->name, option->placeholder);
        text = words->argv[++words->at];
    }
    int taken = take(option, text);
    while (taken == CLI_GO && option->kind == CLI_TEXTS && value_follows(words)) {
        taken = take(option, words->argv[++words->at]);
    }
    return taken;
}

static int read_rest(reading *words, const char *word) {
    const char *command = words->argv[0];
    CLI_USAGE_IF(words->rest == NULL, "'%s' is not an option of %s; see temporalot %s --help", word,
                 command, command);
    if (strcmp(word, "-") == 0) {
        return refuse_dash(command);
    }
    return texts_add(words->rest, word) == TOT_OK ? CLI_GO : cli_fail();
}

static int read_word(reading *words, const char *word) {
    if (words->only_rest || is_value(word)) {
        return read_rest(words, word);
    }
    if (strcmp(word, "--") == 0) {
        words->only_rest = true;
        return CLI_GO;
    }
    const bool brief = word[1] != '-';
    const char *name = brief ? long_name(words->page, word[1]) : word + 2;
    CLI_USAGE_IF(name == NULL, "unknown option %s; see temporalot %s --help", word, words->argv[0]);
    if (strcmp(name, "help") == 0) {
        words->help = true;
        return CLI_GO;
    }
    if (strcmp(name, "version") == 0) {
        cli_print_version();
        return EXIT_DONE;
    }
    const size_t length = strcspn(name, "=");
    const char *text = brief ? (word[2] != '\0' ? word + 2 : NULL)
                             : (name[length] == '=' ? name + length + 1 : NULL);
    return read_option(words, name, length, text);
}

int cli_parse(int argc, char **argv, const char *usage, const char *about,
              const cli_option *options, size_t count, cli_common *common, cli_texts *rest) {
    int64_t threads = CLI_NOT_GIVEN;
    const cli_option shared[] = {
        {"threads", CLI_COUNT, &threads, "N", "threads to use (default: one per CPU)"},
        {"quiet", CLI_FLAG, &common->quiet, NULL, "print nothing but errors"},
        {"json", CLI_FLAG, &common->json, NULL, "print figures as JSON"},
        {"overwrite", CLI_FLAG, &common->overwrite, NULL,
         "replace files that temporalot did not write"},
    };
    cli_option rows[MOST_OPTIONS];
    given.count = 0;
    count = complete_all(rows, options, count);
    const cli_page page = {usage, about, rows, count, shared, BASE_LENGTH(shared)};
    if (described.command != NULL) {
        described.take(described.command, &page);
        return EXIT_DONE;
    }
    reading words = {.argc = argc, .argv = argv, .at = 1, .page = &page, .rest = rest};
    for (; words.at < argc; words.at++) {
        const int code = read_word(&words, argv[words.at]);
        // --help works even if the rest of the command line is wrong
        if (code == EXIT_DONE || (code != CLI_GO && !words.help)) {
            return code;
        }
    }
    if (words.help) {
        if (before_help.fill != NULL) {
            before_help.fill(before_help.context);
        }
        cli_print_help(&page);
        return EXIT_DONE;
    }
    if (threads != CLI_NOT_GIVEN) {
        CLI_RANGE("threads", threads, 1, MOST_THREADS);
        common->threads = threads;
    }
    return CLI_GO;
}
