#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/name.h"
#include "base/parse.h"
#include "cli/cli.h"

enum { HELP_COLUMN = 28, MOST_OPTIONS = 64 };

void cli_texts_free(cli_texts *texts) {
    base_free((void *)texts->items);
    *texts = (cli_texts){0};
}

static bool texts_add(cli_texts *texts, const char *text) {
    void *items = (void *)texts->items;
    if (base_grow(&items, &texts->capacity, texts->count, texts->count + 1, sizeof *texts->items,
                  "arguments") != TOT_OK) {
        return false;
    }
    texts->items = items;
    texts->items[texts->count++] = text;
    return true;
}

int cli_fail(void) {
    fprintf(stderr, "temporalot: %s\n", tot_error());
    return cli_stopped() ? EXIT_STOPPED : EXIT_FAILED;
}

int cli_exit_code(cli_parsed parsed) {
    switch (parsed) {
        case CLI_WRONG:
            return EXIT_USAGE;
        case CLI_BROKEN:
            return EXIT_FAILED;
        default:
            return EXIT_DONE;
    }
}

int cli_usage(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "temporalot: ");
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return EXIT_USAGE;
}

// One option's help, its text wrapped into the second column of 80.
static void print_option(const cli_option *option) {
    char left[80];
    snprintf(left, sizeof left, "  --%s%s%s", option->name, option->shown != NULL ? " " : "",
             option->shown != NULL ? option->shown : "");
    size_t column = strlen(left);
    fputs(left, stdout);
    if (column >= HELP_COLUMN) {
        fputc('\n', stdout);
        column = 0;
    }
    printf("%*s", (int)(HELP_COLUMN - column), "");
    column = HELP_COLUMN;
    const char *word = option->help;
    while (*word != '\0') {
        size_t length = strcspn(word, " ");
        if (column + length > 79 && column > HELP_COLUMN) {
            printf("\n%*s", HELP_COLUMN, "");
            column = HELP_COLUMN;
        }
        printf("%.*s", (int)length, word);
        column += length;
        word += length;
        if (*word == ' ') {
            fputc(' ', stdout);
            column++;
            word++;
        }
    }
    fputc('\n', stdout);
}

static void print_help(const char *usage, const char *about, const cli_option *options,
                       size_t count, const cli_option *common, size_t common_count) {
    printf("usage: temporalot %s\n\n%s\n\n", usage, about);
    for (size_t k = 0; k < count; k++) {
        print_option(&options[k]);
    }
    for (size_t k = 0; k < common_count; k++) {
        print_option(&common[k]);
    }
}

static const cli_option *find(const cli_option *options, size_t count, const char *name,
                              size_t length) {
    char typed[64];
    snprintf(typed, sizeof typed, "%.*s", (int)length, name);
    const char *current = base_current_name(typed);
    for (size_t k = 0; k < count; k++) {
        if (length < sizeof typed && strcmp(options[k].name, current) == 0) {
            return &options[k];
        }
    }
    return NULL;
}

static void unknown(const char *name, const cli_option *options, size_t count) {
    const char *names[MOST_OPTIONS];
    for (size_t k = 0; k < count && k < MOST_OPTIONS; k++) {
        names[k] = options[k].name;
    }
    const char *nearest =
        base_nearest_name(name, names, count < MOST_OPTIONS ? count : MOST_OPTIONS);
    cli_usage("unknown option --%s%s%s%s", name, nearest != NULL ? "; did you mean --" : "",
              nearest != NULL ? nearest : "", nearest != NULL ? "?" : "");
}

static cli_parsed take(const cli_option *option, const char *text) {
    char name[64];
    snprintf(name, sizeof name, "--%s", option->name);
    tot_status status = TOT_OK;
    switch (option->kind) {
        case CLI_FLAG:
            *(bool *)option->value = true;
            break;
        case CLI_TEXT:
            *(const char **)option->value = text;
            break;
        case CLI_TEXTS:
            status = texts_add(option->value, text) ? TOT_OK : TOT_E_MEMORY;
            break;
        case CLI_COUNT:
            status = base_parse_count(name, text, option->value);
            break;
        case CLI_REAL:
            status = base_parse_real(name, text, option->value);
            break;
    }
    if (status == TOT_OK) {
        return CLI_GO;
    }
    cli_fail();
    return status == TOT_E_MEMORY ? CLI_BROKEN : CLI_WRONG;
}

// Is this word a value? "-3" is one, "--x" is not.
static bool is_value(const char *word) {
    return strncmp(word, "--", 2) != 0;
}

cli_parsed cli_parse(int argc, char **argv, const char *usage, const char *about,
                     const cli_option *options, size_t count, cli_common *common, cli_texts *rest) {
    const cli_option shared[] = {
        {"threads", CLI_COUNT, &common->threads, "N", "threads to use (default: one a CPU)"},
        {"quiet", CLI_FLAG, &common->quiet, NULL, "print nothing but errors"},
        {"json", CLI_FLAG, &common->json, NULL, "print figures as JSON"},
        {"overwrite", CLI_FLAG, &common->overwrite, NULL,
         "replace files that temporalot did not write"},
    };
    const size_t shared_count = sizeof shared / sizeof *shared;
    for (int k = 1; k < argc; k++) {
        const char *word = argv[k];
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            print_help(usage, about, options, count, shared, shared_count);
            return CLI_HELPED;
        }
        if (is_value(word)) {
            if (rest == NULL) {
                cli_usage("'%s' is not an option of %s; see temporalot %s --help", word, argv[0],
                          argv[0]);
                return CLI_WRONG;
            }
            if (!texts_add(rest, word)) {
                cli_fail();
                return CLI_BROKEN;
            }
            continue;
        }
        size_t length = strcspn(word + 2, "=");
        const cli_option *option = find(options, count, word + 2, length);
        if (option == NULL) {
            option = find(shared, shared_count, word + 2, length);
        }
        if (option == NULL) {
            unknown(word + 2, options, count);
            return CLI_WRONG;
        }
        const char *text = word[2 + length] == '=' ? word + 2 + length + 1 : NULL;
        if (option->kind == CLI_FLAG && text != NULL) {
            cli_usage("--%s takes no value", option->name);
            return CLI_WRONG;
        }
        if (option->kind != CLI_FLAG && text == NULL) {
            if (k + 1 >= argc || !is_value(argv[k + 1])) {
                cli_usage("--%s needs a value: --%s %s", option->name, option->name, option->shown);
                return CLI_WRONG;
            }
            text = argv[++k];
        }
        cli_parsed taken = take(option, text);
        while (taken == CLI_GO && option->kind == CLI_TEXTS && k + 1 < argc &&
               is_value(argv[k + 1])) {
            taken = take(option, argv[++k]);
        }
        if (taken != CLI_GO) {
            return taken;
        }
    }
    if (common->threads < 0 || common->threads > 1024) {
        cli_usage("--threads: %lld is not in 0 .. 1024", (long long)common->threads);
        return CLI_WRONG;
    }
    return CLI_GO;
}
