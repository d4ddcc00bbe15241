// Prints --help, formatted for the width of the terminal.
#include "base/settings.h"
#include "cli/cli.h"
#include "cli/terminal.h"

enum { WIDEST = 100, NARROW = 72 };

// One option: its name, and its text wrapped into the second column.
static void print_option(const cli_page *page, const cli_option *option, int column, int width) {
    char left[160];
    const bool entry = option->kind == CLI_ENTRY;
    const char letter = entry ? 0 : cli_short_name(page, option->name);
    const char one[] = {'-', letter, ',', ' ', '\0'};
    snprintf(left, sizeof left, "  %s%s%s%s%s", letter != 0 ? one : "", entry ? "" : "--",
             option->name, option->placeholder != NULL ? " " : "",
             option->placeholder != NULL ? option->placeholder : "");
    const int used = cli_columns(left);
    fputs(left, stdout);
    if (used >= column) {
        fputc('\n', stdout);
    }
    printf("%*s", used >= column ? column : column - used, "");
    cli_wrap(stdout, option->help, column, column, width);
}

// Paragraphs are reflowed; lines that begin with a blank are printed unchanged.
static void print_about(const char *text, int width) {
    while (*text != '\0') {
        char paragraph[2048] = "";
        size_t used = 0;
        while (*text != '\0' && *text != '\n' && *text != ' ') {
            const size_t length = strcspn(text, "\n");
            used += (size_t)snprintf(paragraph + used, sizeof paragraph - used, "%s%.*s",
                                     used > 0 ? " " : "", (int)length, text);
            text += length + (text[length] == '\n' ? 1 : 0);
        }
        if (used > 0) {
            cli_wrap(stdout, paragraph, 0, 0, width);
        }
        while (*text == '\n' || *text == ' ') {
            const size_t length = strcspn(text, "\n");
            printf("%.*s\n", (int)length, text);
            text += length + (text[length] == '\n' ? 1 : 0);
        }
    }
}

// One usage per line; continuation lines are indented.
static void print_usage(const char *usage, int width) {
    enum { BEFORE = sizeof "usage: " - 1 };
    fputs("usage: temporalot ", stdout);
    int column = BEFORE + sizeof "temporalot " - 1;
    while (*usage != '\0') {
        char line[512];
        const size_t length = strcspn(usage, "\n");
        snprintf(line, sizeof line, "%.*s", (int)(length < 511 ? length : 511), usage);
        cli_wrap(stdout, line, column, BEFORE + 4, width);
        usage += length;
        usage += strspn(usage, "\n ");
        column = BEFORE;
        printf("%*s", *usage != '\0' ? BEFORE : 0, "");
    }
}

static void print_options(const cli_page *page, const cli_option *options, size_t count, int column,
                          int width) {
    for (size_t k = 0; k < count; k++) {
        if (options[k].kind == CLI_SECTION) {
            fputc('\n', stdout);
            cli_wrap(stdout, options[k].name, 0, 0, width);
        } else {
            print_option(page, &options[k], column, width);
        }
    }
}

void cli_print_help(const cli_page *page) {
    const int all = cli_width(stdout) - 1;
    const int width = all < WIDEST ? all : WIDEST;
    const int column = width < NARROW ? 20 : 28;
    print_usage(page->usage, width);
    fputc('\n', stdout);
    print_about(page->about, width);
    // a page whose options begin with a heading has its own empty line
    size_t first = 0;
    while (first < page->count && page->options[first].kind != CLI_SECTION) {
        first++;
    }
    fputc('\n', stdout);
    print_options(page, page->options, first, column, width);
    print_options(page, page->common, page->common_count, column, width);
    print_options(page, page->options + first, page->count - first, column, width);
}

// --- choices -----------------------------------------------------------------------------------

static const char *method_at(size_t index) {
    return index < tot_train_method_count() ? tot_train_method_at(index)->name : NULL;
}

static const char *network_at(size_t index) {
    return index < tot_network_count() ? tot_network_at(index)->name : NULL;
}

const char *cli_choice_at(const char *placeholder, size_t index, char word[CLI_CHOICE]) {
    static const struct {
        const char *placeholder;
        const char *(*at)(size_t index);
    } lists[] = {{"TASK", tot_flat_task},
                 {"METHOD", method_at},
                 {"REWARD", tot_flat_method},
                 {"PRESET", tot_train_preset_at},
                 {"ENCODER", network_at}};
    for (size_t k = 0; placeholder != NULL && k < BASE_LENGTH(lists); k++) {
        if (strcmp(placeholder, lists[k].placeholder) == 0) {
            return lists[k].at(index);
        }
    }
    for (int k = 0;
         placeholder != NULL && base_word_at(placeholder, k, word, CLI_CHOICE)[0] != '\0'; k++) {
        // FILE, N and dynamic:N are placeholders
        if (strpbrk(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == NULL && index-- == 0) {
            return word;
        }
    }
    return NULL;
}

const char *cli_list_choices(char *text, size_t size, const char *before, const char *placeholder,
                             const char *after) {
    char word[CLI_CHOICE];
    const char *choice = NULL;
    text[0] = '\0';
    for (size_t k = 0; (choice = cli_choice_at(placeholder, k, word)) != NULL; k++) {
        const size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%s", k == 0 ? before : ", ", choice);
    }
    const size_t used = strlen(text);
    snprintf(text + used, size - used, "%s", after);
    return text;
}
