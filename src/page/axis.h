// An axis: the range it shows, its round ticks and their labels.
#ifndef TOT_PAGE_AXIS_H
#define TOT_PAGE_AXIS_H

#include "page/buffer.h"

typedef struct tot_axis {
    double low, high;  // low < high
    double step;       // between ticks: 1, 2 or 5 times a power of ten
    double first;      // the first tick, in steps from 0
    int count;         // of ticks
} tot_axis;

// A value that can be drawn: not NaN, and at most 1e300 in size, so that ranges do not overflow.
bool tot_axis_usable(double value);

// Shows low .. high, which are usable; low == high gets some room.
// wanted: about how many ticks, at least 1. whole: ticks only at whole numbers.
void tot_axis_fit(tot_axis *axis, double low, double high, int wanted, bool whole);

// Widens the range outward to the next ticks.
void tot_axis_round_out(tot_axis *axis);

// Where a value lies: 0 at low, 1 at high.
double tot_axis_place(const tot_axis *axis, double value);

// The value of tick 0 .. count-1.
double tot_axis_tick(const tot_axis *axis, int tick);

// The tick's label: no more decimals than the step needs, thousands and millions as k and M, a
// true minus sign.
void tot_axis_label(const tot_axis *axis, int tick, char label[TOT_NUMBER_SIZE]);

// Characters of the longest label.
int tot_axis_label_length(const tot_axis *axis);

#endif
