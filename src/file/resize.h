// Which source pixels a resized picture is interpolated from.
#pragma once

// Two neighbours, and the weight of the second.
typedef struct file_tap {
    int first, second;
    float share;
} file_tap;

// Pixel centres are at half-integer positions; the edge is replicated.
static inline file_tap file_find_tap(int index, int count, int from_count) {
    const double place = (index + 0.5) * from_count / count - 0.5;
    if (place <= 0) {
        return (file_tap){0, 0, 0};
    }
    const int first = (int)place;
    if (first >= from_count - 1) {
        return (file_tap){from_count - 1, from_count - 1, 0};
    }
    return (file_tap){first, first + 1, (float)(place - first)};
}
