// The smaller and the larger of two numbers of steps.
#ifndef REWARD_BOUNDS_H
#define REWARD_BOUNDS_H

#include <stdint.h>

static inline int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static inline int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}

#endif
