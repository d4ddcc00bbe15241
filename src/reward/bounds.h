// Minimum and maximum of two step counts.
#pragma once

#include <stdint.h>

static inline int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static inline int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}
