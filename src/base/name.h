// Names that a user types: finding the one that was meant.
#ifndef TOT_BASE_NAME_H
#define TOT_BASE_NAME_H

#include <stddef.h>

// The nearest of count names to `typed` by edit distance (a name that begins with it is near), or
// NULL when none is: more than a third of the letters, and one more, would have to change.
// names[k] may be NULL (left out).
const char *tot_nearest_name(const char *typed, const char *const *names, size_t count);

#endif
