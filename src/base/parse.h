// Numbers that a user types: the whole text is the number, or it is refused.
#ifndef TOT_BASE_PARSE_H
#define TOT_BASE_PARSE_H

#include <temporalot/base.h>

// name is for the error text: "context: 'three' is not a whole number".
tot_status tot_parse_count(const char *name, const char *text, int64_t *value);

// Finite numbers only.
tot_status tot_parse_real(const char *name, const char *text, double *value);

#endif
