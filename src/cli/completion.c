// temporalot completion: shell scripts generated from the option tables.
#include "cli/cli.h"

// Prints a text inside single quotes, with a backslash before special characters.
static void print_text(const char *text, const char *special) {
    for (; *text != '\0'; text++) {
        if (*text == '\'') {
            fputs("'\\''", stdout);
        } else if (strchr(special, *text) != NULL) {
            printf("\\%c", *text);
        } else {
            putchar(*text);
        }
    }
}

static bool has_choices(const cli_option *option) {
    char word[CLI_CHOICE];
    return cli_choice_at(option->placeholder, 0, word) != NULL;
}

static void print_choices(const cli_option *option) {
    char word[CLI_CHOICE];
    const char *choice = NULL;
    for (size_t k = 0; (choice = cli_choice_at(option->placeholder, k, word)) != NULL; k++) {
        printf(" %s", choice);
    }
}

static bool is_folder(const cli_option *option) {
    return option->placeholder != NULL && strncmp(option->placeholder, "FOLDER", 6) == 0;
}

static void print_letter(const cli_page *page, const char *name, const char *format) {
    const char letter = cli_short_name(page, name);
    if (letter != 0) {
        printf(format, letter);
    }
}

// --- bash --------------------------------------------------------------------------------------

static void bash_values(const cli_page *page, const cli_option *option) {
    if (!has_choices(option) && !is_folder(option)) {
        return;
    }
    printf("        --%s", option->name);
    print_letter(page, option->name, "|-%c");
    if (is_folder(option)) {
        printf(") COMPREPLY=($(compgen -d -- \"$current\")); return ;;\n");
    } else {
        printf(") words='");
        print_choices(option);
        printf(" ' ;;\n");
    }
}

static void bash_command(const cli_command *command, const cli_page *page) {
    const cli_option *option = NULL;
    printf("    %s)\n        names='", command->name);
    if (command->verb != NULL) {
        printf(" %s", command->verb);
    }
    for (size_t k = 0; (option = cli_next_option(page, &k)) != NULL;) {
        print_letter(page, option->name, " -%c");
        printf(" --%s", option->name);
    }
    printf(" -h --help'\n        case \"$previous\" in\n");
    for (size_t k = 0; (option = cli_next_option(page, &k)) != NULL;) {
        bash_values(page, option);
    }
    printf("        esac ;;\n");
}

static void print_bash(void) {
    printf(
        "# bash completion of temporalot, made by: temporalot completion bash\n"
        "_temporalot() {\n"
        "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}\n"
        "    local names='' words=''\n"
        "    COMPREPLY=()\n"
        "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
        "        COMPREPLY=($(compgen -W '");
    for (size_t k = 0; cli_command_at(k) != NULL; k++) {
        printf(" %s", cli_command_at(k)->name);
    }
    printf(
        " --help --version' -- \"$current\"))\n"
        "        return\n"
        "    fi\n"
        "    case \"${COMP_WORDS[1]}\" in\n");
    cli_each_command(bash_command);
    printf(
        "    esac\n"
        "    if [ -n \"$words\" ]; then\n"
        "        COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
        "    elif [[ $current == -* || ( $COMP_CWORD -eq 2 && ${COMP_WORDS[1]} == @(demo|policy) ) "
        "]]; then\n"
        "        COMPREPLY=($(compgen -W \"$names\" -- \"$current\"))\n"
        "    else\n"
        "        COMPREPLY=($(compgen -f -- \"$current\"))\n"
        "    fi\n"
        "}\n"
        "complete -o filenames -F _temporalot temporalot\n");
}

// --- zsh ---------------------------------------------------------------------------------------

// In the specs of _arguments.
static const char zsh_special[] = "[]:\\";

static void zsh_spec(const char *name, const cli_option *option) {
    printf("            '%s%s[", option->kind == CLI_TEXTS ? "*" : "", name);
    print_text(option->help, zsh_special);
    printf("]");
    if (option->kind != CLI_FLAG) {
        printf(":");
        print_text(option->placeholder, zsh_special);
        if (has_choices(option)) {
            printf(":(");
            print_choices(option);
            printf(" )");
        } else {
            printf(is_folder(option) ? ":_files -/" : ":_files");
        }
    }
    printf("' \\\n");
}

static void zsh_option(const cli_page *page, const cli_option *option) {
    char name[72];
    const char letter = cli_short_name(page, option->name);
    if (letter != 0) {
        snprintf(name, sizeof name, "-%c", letter);
        zsh_spec(name, option);
    }
    snprintf(name, sizeof name, "--%s", option->name);
    zsh_spec(name, option);
}

static void zsh_command(const cli_command *command, const cli_page *page) {
    const cli_option *option = NULL;
    printf("    %s)\n        _arguments \\\n", command->name);
    for (size_t k = 0; (option = cli_next_option(page, &k)) != NULL;) {
        zsh_option(page, option);
    }
    if (command->verb != NULL) {
        printf("            '1:what to do:(%s)' \\\n", command->verb);
    }
    printf("            '(-h --help)'{-h,--help}'[help]' '*:file:_files' ;;\n");
}

static void print_zsh(void) {
    printf(
        "#compdef temporalot\n"
        "# zsh completion of temporalot, made by: temporalot completion zsh\n"
        "_temporalot() {\n"
        "    local -a commands\n"
        "    commands=(\n");
    for (size_t k = 0; cli_command_at(k) != NULL; k++) {
        printf("        '%s:", cli_command_at(k)->name);
        print_text(cli_command_at(k)->help, zsh_special);
        printf("'\n");
    }
    printf(
        "    )\n"
        "    if (( CURRENT == 2 )); then\n"
        "        _describe command commands\n"
        "        return\n"
        "    fi\n"
        "    local command=$words[2]\n"
        "    shift words\n"
        "    (( CURRENT-- ))\n"
        "    case $command in\n");
    cli_each_command(zsh_command);
    printf(
        "    esac\n"
        "}\n"
        "if [ \"$funcstack[1]\" = _temporalot ]; then\n"
        "    _temporalot \"$@\"\n"
        "else\n"
        "    compdef _temporalot temporalot\n"
        "fi\n");
}

// --- fish --------------------------------------------------------------------------------------

static void fish_option(const cli_command *command, const cli_page *page,
                        const cli_option *option) {
    printf("complete -c temporalot -n '__fish_seen_subcommand_from %s' -l %s", command->name,
           option->name);
    print_letter(page, option->name, " -s %c");
    if (option->kind != CLI_FLAG) {
        printf(" -r");
    }
    if (has_choices(option)) {
        printf(" -f -a '");
        print_choices(option);
        printf(" '");
    } else if (is_folder(option)) {
        printf(" -f -a '(__fish_complete_directories)'");
    }
    printf(" -d '");
    print_text(option->help, "");
    printf("'\n");
}

static void fish_command(const cli_command *command, const cli_page *page) {
    const cli_option *option = NULL;
    printf("complete -c temporalot -n __fish_use_subcommand -f -a %s -d '", command->name);
    print_text(command->help, "");
    printf("'\n");
    if (command->verb != NULL) {
        printf("complete -c temporalot -n '__fish_seen_subcommand_from %s' -f -a %s\n",
               command->name, command->verb);
    }
    for (size_t k = 0; (option = cli_next_option(page, &k)) != NULL;) {
        fish_option(command, page, option);
    }
}

static void print_fish(void) {
    printf("# fish completion of temporalot, made by: temporalot completion fish\n");
    cli_each_command(fish_command);
}

// --- the command -------------------------------------------------------------------------------

static const char usage[] = "completion bash|zsh|fish";
static const char about[] =
    "Prints a script that completes commands, options and their values. make install puts it where "
    "the shell looks; otherwise:\n"
    "\n"
    "  source <(temporalot completion bash)                    # in ~/.bashrc\n"
    "  temporalot completion zsh > ~/.zfunc/_temporalot        # with ~/.zfunc in fpath\n"
    "  temporalot completion fish > ~/.config/fish/completions/temporalot.fish";

static int print_script(const cli_texts *words) {
    static const struct shell {
        const char *name;
        void (*print)(void);
    } shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};
    CLI_USAGE_IF(words->count != 1, "completion: name one shell: bash, zsh or fish");
    const struct shell *shell = BASE_FIND_ROW("shell", words->items[0], shells);
    CLI_USAGE_IF(shell == NULL, "completion: %s", tot_error());
    shell->print();
    return EXIT_DONE;
}

int cli_completion(int argc, char **argv) {
    cli_common common = {0};
    cli_texts words = {0};
    int code = cli_parse(argc, argv, usage, about, NULL, 0, &common, &words);
    code = code == CLI_GO ? print_script(&words) : code;
    cli_texts_free(&words);
    return code;
}
