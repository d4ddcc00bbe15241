#include "cli/pages.h"

typedef struct visit {
    void (*take)(void *context, const cli_command *command, const cli_page *page);
    void *context;
    const cli_command *command;
} visit;

static void take_page(void *context, const cli_page *page) {
    const visit *at = context;
    at->take(at->context, at->command, page);
}

void cli_each_command(void (*take)(void *context, const cli_command *command, const cli_page *page),
                      void *context) {
    visit at = {.take = take, .context = context};
    for (size_t k = 0; (at.command = cli_command_at(k)) != NULL; k++) {
        char name[64];
        char *words[] = {name, NULL};
        snprintf(name, sizeof name, "%s", at.command->name);
        cli_describe(take_page, &at);
        at.command->run(1, words);
        cli_describe(NULL, NULL);
    }
}

void cli_each_option(const cli_page *page,
                     void (*take)(void *context, const cli_page *page, const cli_option *option),
                     void *context) {
    const cli_option *option = NULL;
    for (size_t k = 0; (option = cli_page_option(page, k)) != NULL; k++) {
        if (cli_is_option(option)) {
            take(context, page, option);
        }
    }
}
