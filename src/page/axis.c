#include "page/axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The smallest 1, 2 or 5 times a power of ten that is at least `rough` > 0.
static double round_step(double rough) {
    double power = pow(10, floor(log10(rough)));
    double lead = rough / power;
    // some slack: 0.2 / 0.1 is not exactly 2
    const double slack = 1 + 1e-9;
    if (lead <= slack) {
        return power;
    }
    return lead <= 2 * slack ? 2 * power : lead <= 5 * slack ? 5 * power : 10 * power;
}

static void find_ticks(page_axis *axis) {
    axis->first = ceil(axis->low / axis->step - 1e-9);
    axis->count = (int)(floor(axis->high / axis->step + 1e-9) - axis->first) + 1;
}

bool page_axis_usable(double value) {
    return fabs(value) <= 1e300;  // false for NaN
}

bool page_axis_accepts(double low, double high) {
    return (low == 0 && high == 0) ||
           (page_axis_usable(low) && page_axis_usable(high) && low < high);
}

void page_axis_fit(page_axis *axis, double low, double high, int wanted, bool whole) {
    double span = high - low;
    double size = fmax(fabs(low), fabs(high));
    // a range too small for distinct ticks is treated as a single value
    if (span <= 1e-12 * size || span < 1e-290) {
        double margin = whole ? 0.5 : size < 1e-290 ? 1 : 0.1 * size;
        low -= margin;
        high += margin;
        span = high - low;
    }
    axis->low = low;
    axis->high = high;
    axis->step = round_step(span / wanted);
    if (whole && axis->step < 1) {
        axis->step = 1;
    }
    find_ticks(axis);
}

void page_axis_round_out(page_axis *axis) {
    axis->low = axis->step * floor(axis->low / axis->step + 1e-9);
    axis->high = axis->step * ceil(axis->high / axis->step - 1e-9);
    find_ticks(axis);
}

double page_axis_place(const page_axis *axis, double value) {
    return (value - axis->low) / (axis->high - axis->low);
}

double page_axis_tick(const page_axis *axis, int tick) {
    return axis->step * (axis->first + tick);
}

page_number page_axis_label(const page_axis *axis, int tick) {
    const double value = page_axis_tick(axis, tick);
    const double size = fmax(fabs(axis->low), fabs(axis->high));
    const int decimals = (int)fmax(0, -floor(log10(axis->step) + 1e-9));
    const bool millions = axis->step >= 1e5 && size >= 1e6;
    const bool thousands = axis->step >= 1e2 && size >= 1e4;
    const char *unit = "";
    page_number number;
    if (size >= 1e9 || decimals > 5) {
        number = page_digits(value, 6);
    } else if (millions || thousands) {
        number = page_digits(value / (millions ? 1e6 : 1e3), 6);
        unit = strcmp(number.text, "0") == 0 ? "" : millions ? "M" : "k";
    } else {
        number = page_fixed(value, decimals);
    }
    page_number label;
    size_t length = 0;
    for (const char *at = number.text; *at != '\0'; at++) {
        const bool minus = *at == '-';
        length += (size_t)snprintf(label.text + length, sizeof label.text - length, "%.*s",
                                   minus ? 3 : 1, minus ? "\xe2\x88\x92" : at);
    }
    snprintf(label.text + length, sizeof label.text - length, "%s", unit);
    return label;
}

int page_axis_label_length(const page_axis *axis) {
    int longest = 0;
    for (int tick = 0; tick < axis->count; tick++) {
        const int length = page_text_length(page_axis_label(axis, tick).text);
        longest = length > longest ? length : longest;
    }
    return longest;
}

int page_axis_label_space(const page_axis *axis, int least) {
    int space = 14 + 8 * page_axis_label_length(axis);
    return space > least ? space : least;
}
