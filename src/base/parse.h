// Numbers typed by a user: the whole string must be the number, else it is rejected.
#pragma once

#include <temporalot/base.h>

// name is used in the error message: "context: 'three' is not a whole number".
tot_status base_parse_count(const char *name, const char *text, int64_t *value);

// Finite numbers only.
tot_status base_parse_real(const char *name, const char *text, double *value);
