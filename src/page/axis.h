// An axis: the range it shows, its round ticks and their labels.
#pragma once

#include "page/buffer.h"

typedef struct page_axis {
    double low, high;  // low < high
    double step;       // between ticks: 1, 2 or 5 times a power of ten
    double first;      // the first tick, in steps from 0
    int count;         // of ticks
} page_axis;

// A value that can be drawn: not NaN, and at most 1e300 in size, so that ranges do not overflow.
bool page_axis_usable(double value);

// Shows low .. high, which are usable; low == high gets some room.
// wanted: about how many ticks, at least 1. whole: ticks only at whole numbers.
void page_axis_fit(page_axis *axis, double low, double high, int wanted, bool whole);

// Widens the range outward to the next ticks.
void page_axis_round_out(page_axis *axis);

// Where a value lies: 0 at low, 1 at high.
double page_axis_place(const page_axis *axis, double value);

// The value of tick 0 .. count-1.
double page_axis_tick(const page_axis *axis, int tick);

// The tick's label: no more decimals than the step needs, thousands and millions as k and M, a
// true minus sign.
void page_axis_label(const page_axis *axis, int tick, char label[PAGE_NUMBER_SIZE]);

// Characters of the longest label.
int page_axis_label_length(const page_axis *axis);
