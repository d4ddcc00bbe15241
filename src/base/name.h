// Names that a user types: finding the one that was meant.
#pragma once

#include <stddef.h>

#include <temporalot/base.h>

// The nearest of count names to `typed` by edit distance (a name that begins with it is near), or
// NULL when none is: more than a third of the letters, and one more, would have to change.
// names[k] may be NULL (left out).
const char *base_nearest_name(const char *typed, const char *const *names, size_t count);

// Fails with TOT_E_ARGUMENT and the formatted text, with "; did you mean 'NAME'?" behind it where
// one of the names is near what was typed, else with all of them where they fit a line. No name is
// NULL.
tot_status base_fail_unknown(const char *typed, const char *const *names, size_t count,
                             const char *format, ...) TOT_PRINTF(4, 5);

// The row of that name in a table whose rows begin with a `const char *name`. NULL with the text
// of the error set, as base_fail_unknown does, when there is none; what: "method".
const void *base_find_row(const char *what, const char *name, const void *rows, size_t count,
                          size_t size);
#define BASE_FIND_ROW(what, name, table) \
    base_find_row(what, name, table, sizeof(table) / sizeof *(table), sizeof *(table))

// Whether a name ends in `ending`, in capitals or not: ".npy".
bool base_ends_in(const char *name, const char *ending);

// "45 s", "12 min", "3.4 h"; "?" for a time that is not known (below 0, or NaN). Returns text.
const char *base_duration(double seconds, char text[16]);

// The name of today for one of before ("cell" is "stride"); any other name as it is. Files and
// commands that were written then keep working.
const char *base_current_name(const char *name);

// The name of a setting as tables hold it: the one of today, with '_' for '-'. Cut to size.
void base_setting_key(char *key, size_t size, const char *typed);
