// Iterates over all commands and their help pages, for output generated from the option tables.
#pragma once

#include "cli/cli.h"

// The page is valid during the call only.
void cli_each_command(void (*take)(void *context, const cli_command *command, const cli_page *page),
                      void *context);

// The options of a page and the common ones, without headings and entries.
void cli_each_option(const cli_page *page,
                     void (*take)(void *context, const cli_page *page, const cli_option *option),
                     void *context);
