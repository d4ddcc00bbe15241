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
             option->name, option->shown != NULL ? " " : "",
             option->shown != NULL ? option->shown : "");
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

static void give_words(const char *words, void (*out)(void *, const char *), void *context) {
    char word[64];
    for (int k = 0; base_word_at(words, k, word, sizeof word)[0] != '\0'; k++) {
        // FILE, N and dynamic:N are placeholders
        if (strpbrk(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == NULL) {
            out(context, word);
        }
    }
}

void cli_choices(const char *shown, void (*out)(void *context, const char *word), void *context) {
    if (shown == NULL) {
        return;
    }
    if (strcmp(shown, "TASK") == 0) {
        for (size_t k = 0; k < tot_task_count(); k++) {
            out(context, tot_task_at(k)->name);
        }
    } else if (strcmp(shown, "METHOD") == 0) {
        for (size_t k = 0; k < tot_train_method_count(); k++) {
            out(context, tot_train_method_at(k)->name);
        }
    } else if (strcmp(shown, "REWARD") == 0) {
        for (size_t k = 0; k < tot_method_count(); k++) {
            out(context, tot_method_name(tot_method_at(k)));
        }
    } else if (strcmp(shown, "PRESET") == 0) {
        for (size_t k = 0; k < tot_train_preset_count(); k++) {
            out(context, tot_train_preset_at(k));
        }
    } else if (strcmp(shown, "ENCODER") == 0) {
        for (size_t k = 0; k < tot_network_count(); k++) {
            out(context, tot_network_at(k)->name);
        }
    } else {
        give_words(shown, out, context);
    }
}

typedef struct listing {
    char *text;
    size_t size, used;
    const char *between;
} listing;

static void list_word(void *context, const char *word) {
    listing *list = context;
    if (list->used < list->size) {
        list->used += (size_t)snprintf(list->text + list->used, list->size - list->used, "%s%s",
                                       list->between, word);
    }
    list->between = ", ";
}

const char *cli_list_choices(char *text, size_t size, const char *before, const char *shown,
                             const char *after) {
    listing list = {.text = text, .size = size, .between = before};
    cli_choices(shown, list_word, &list);
    list.between = after;
    list_word(&list, "");
    return text;
}
