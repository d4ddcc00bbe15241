// temporalot manual: the man page, generated from the option tables.
#include "cli/cli.h"

// Backslashes are special in roff, and so are dots and quotes at the start of a line.
static void print_text(const char *text) {
    bool begins = true;
    for (; *text != '\0'; text++) {
        if (begins && (*text == '.' || *text == '\'')) {
            fputs("\\&", stdout);
        }
        if (*text == '\\') {
            fputs("\\e", stdout);
        } else if (*text == '-') {
            fputs("\\-", stdout);
        } else {
            putchar(*text);
        }
        begins = *text == '\n';
    }
}

// Paragraphs, and lines that begin with a blank, which are printed unchanged.
static void print_about(const char *text) {
    bool literal = false;
    while (*text != '\0') {
        char line[512];
        const size_t length = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)(length < 511 ? length : 511), text);
        if ((line[0] == ' ') != literal) {
            literal = !literal;
            puts(literal ? ".PP\n.nf" : ".fi");
        }
        if (line[0] == '\0') {
            puts(".PP");
        } else {
            print_text(line);
            putchar('\n');
        }
        text += length + (text[length] == '\n' ? 1 : 0);
    }
    if (literal) {
        puts(".fi");
    }
}

static void print_option(const cli_page *page, const cli_option *option) {
    if (option->kind == CLI_SECTION) {
        puts(".PP");
        print_text(option->name);
        putchar('\n');
        return;
    }
    fputs(".TP\n\\fB", stdout);
    if (option->kind != CLI_ENTRY) {
        const char letter = cli_short_name(page, option->name);
        if (letter != 0) {
            printf("\\-%c\\fR, \\fB", letter);
        }
        fputs("\\-\\-", stdout);
    }
    print_text(option->name);
    fputs("\\fR", stdout);
    if (option->placeholder != NULL) {
        fputs(" \\fI", stdout);
        print_text(option->placeholder);
        fputs("\\fR", stdout);
    }
    putchar('\n');
    print_text(option->help);
    putchar('\n');
}

static void print_command(const cli_command *command, const cli_page *page) {
    fputs(".SS temporalot ", stdout);
    print_text(command->name);
    fputs(command->verb != NULL ? " " : "", stdout);
    fputs(command->verb != NULL ? command->verb : "", stdout);
    printf("\n.nf\n\\fBtemporalot\\fR ");
    print_text(page->usage);
    puts("\n.fi\n.PP");
    print_about(page->about);
    for (size_t k = 0; k < page->count; k++) {
        print_option(page, &page->options[k]);
    }
}

// The common options, once.
static void print_common(const cli_command *command, const cli_page *page) {
    for (size_t k = 0; command == cli_command_at(0) && k < page->common_count; k++) {
        print_option(page, &page->common[k]);
    }
}

static int print_manual(void) {
    printf(".TH TEMPORALOT 1 \"\" \"temporalot %s\" \"User Commands\"\n", tot_version());
    puts(
        ".SH NAME\n"
        "temporalot \\- robot policies from two video demonstrations\n"
        ".SH SYNOPSIS\n"
        "\\fBtemporalot\\fR \\fICOMMAND\\fR [\\fIoptions\\fR]\n"
        ".SH DESCRIPTION\n"
        "Rewards for the steps of an episode, by optimal transport to a few demonstrations, and "
        "policies for Meta\\-world's tasks that learn from that reward.\n"
        ".SH OPTIONS OF ALL COMMANDS");
    cli_each_command(print_common);
    puts(
        ".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nhelp for a command\n"
        ".TP\n\\fB\\-V\\fR, \\fB\\-\\-version\\fR\nversion and commit\n"
        ".SH COMMANDS");
    cli_each_command(print_command);
    puts(
        ".SH EXIT STATUS\n"
        "0: done. 1: failed, with the reason on standard error. 2: the command line is wrong. "
        "130: stopped by a signal.");
    return EXIT_DONE;
}

static const char usage[] = "manual";
static const char about[] =
    "Prints the man page that make install installs: temporalot manual | man -l -";

int cli_manual(int argc, char **argv) {
    cli_common common = {0};
    const int code = cli_parse(argc, argv, usage, about, NULL, 0, &common, NULL);
    return code == CLI_GO ? print_manual() : code;
}
