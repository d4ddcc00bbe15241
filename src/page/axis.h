// An axis: its range, round ticks and their labels.
#pragma once

#include "page/buffer.h"

typedef struct page_axis {
    double low, high;  // low < high
    double step;       // between ticks: 1, 2 or 5 times a power of ten
    double first;      // the first tick, in steps from 0
    int count;         // of ticks
} page_axis;

// Whether a value can be drawn: not NaN, and at most 1e300 in magnitude, so that ranges do not
// overflow.
bool page_axis_usable(double value);

// Whether a caller's range is valid: usable and increasing, or both 0 (fitted to the values).
bool page_axis_accepts(double low, double high);

// Sets the range low .. high, which must be usable; low == high is widened. wanted: approximate
// number of ticks, at least 1. whole: ticks only at integers.
void page_axis_fit(page_axis *axis, double low, double high, int wanted, bool whole);

// Extends the range to the next ticks.
void page_axis_round_out(page_axis *axis);

// Relative position of a value: 0 at low, 1 at high.
double page_axis_place(const page_axis *axis, double value);

// The value of tick 0 .. count-1.
double page_axis_tick(const page_axis *axis, int tick);

// The label of a tick: no more decimals than the step needs, k and M for thousands and millions, a
// typographic minus sign.
page_number page_axis_label(const page_axis *axis, int tick);

// Length of the longest label in characters.
int page_axis_label_length(const page_axis *axis);

enum { PAGE_LEFT_SPACE = 56 };  // pixels: default space for labels at the left

// Pixels needed for the labels beside a picture. At least `least`, so that adjacent pictures line
// up.
int page_axis_label_space(const page_axis *axis, int least);
