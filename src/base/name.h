// Names and numbers typed by a user.
#pragma once

#include <stddef.h>

#include <temporalot/base.h>

// The closest of count names to `typed` by edit distance (a name that starts with it counts as
// close). NULL if none is close: if more than a third of the letters, plus one, would have to
// change. Entries that are NULL are skipped.
const char *base_nearest_name(const char *typed, const char *const *names, size_t count);

// Fails with TOT_E_ARGUMENT and the formatted message, followed by "; did you mean 'NAME'?" if one
// of the names is close to what was typed, else by all names if they fit in a line. No name may be
// NULL.
tot_status base_fail_unknown(const char *typed, const char *const *names, size_t count,
                             const char *format, ...) TOT_PRINTF(4, 5);

// The row of that name in a table whose rows begin with a `const char *name`. NULL, with the error
// set as by base_fail_unknown, if there is none; what: "method".
const void *base_find_row(const char *what, const char *name, const void *rows, size_t count,
                          size_t size);
#define BASE_FIND_ROW(what, name, table) \
    base_find_row(what, name, table, sizeof(table) / sizeof *(table), sizeof *(table))

// Whether a name ends in `ending`, ignoring case: ".npy".
bool base_ends_in(const char *name, const char *ending);

// Appends to the text in a buffer of size bytes, truncated to it.
void base_append(char *text, size_t size, const char *format, ...) TOT_PRINTF(3, 4);

// "45 s", "12 min", "3.4 h"; "?" if unknown (negative or NaN). Returns text.
const char *base_duration(double seconds, char text[16]);

// The current name of a renamed setting ("cell" is now "stride"); any other name is returned
// unchanged. Keeps old files and commands working.
const char *base_current_name(const char *name);

// The key of a setting in the tables: the current name, with '_' for '-'. Truncated to size.
void base_setting_key(char *key, size_t size, const char *typed);

// The whole text must be the number, else TOT_E_ARGUMENT; name is used in the error message:
// "context: 'three' is not a whole number".
tot_status base_parse_count(const char *name, const char *text, int64_t *value);

// Finite numbers only.
tot_status base_parse_real(const char *name, const char *text, double *value);
