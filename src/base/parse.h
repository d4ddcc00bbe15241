// Numbers that a user types: the whole text is the number, or it is refused.
#pragma once

#include <temporalot/base.h>

// name is for the error text: "context: 'three' is not a whole number".
tot_status base_parse_count(const char *name, const char *text, int64_t *value);

// Finite numbers only.
tot_status base_parse_real(const char *name, const char *text, double *value);
