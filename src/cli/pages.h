// All commands with their pages, one after the other: for what is made of the tables of options.
#pragma once

#include "cli/cli.h"

// The page is good during the call.
void cli_each_command(void (*take)(void *context, const cli_command *command, const cli_page *page),
                      void *context);

// The options of a page and the common ones; headings and entries are left out.
void cli_each_option(const cli_page *page,
                     void (*take)(void *context, const cli_page *page, const cli_option *option),
                     void *context);
