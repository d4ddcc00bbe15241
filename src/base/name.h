// Names that a user types: finding the one that was meant.
#ifndef TOT_BASE_NAME_H
#define TOT_BASE_NAME_H

#include <stddef.h>

// The nearest of count names to `typed` by edit distance, or NULL when none is near (more than a
// third of the letters differ). names[k] may be NULL (left out).
const char *tot_nearest_name(const char *typed, const char *const *names, size_t count);

#endif
