// Prints the margins of a probe: what solving the task earns compared with failing at it.
#pragma once

#include "cli/cli.h"

void cli_margins_print(const tot_margins *margins);

// The members of a JSON object, without its braces.
void cli_margins_print_json(const tot_margins *margins);

void cli_search_print(const tot_search *search);
void cli_search_print_json(const tot_search *search);
