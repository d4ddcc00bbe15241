#include "page/axis.h"

#include <math.h>
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

// Replaces hyphens by minus signs, and appends a unit unless the number is 0.
static void put_label(char label[PAGE_NUMBER_SIZE], const char *number, const char *unit) {
    size_t length = 0;
    for (const char *at = number; *at != '\0' && length < PAGE_NUMBER_SIZE - 8; at++) {
        if (*at == '-') {
            label[length++] = '\xe2';
            label[length++] = '\x88';
            label[length++] = '\x92';
        } else {
            label[length++] = *at;
        }
    }
    if (strcmp(number, "0") != 0) {
        for (const char *at = unit; *at != '\0'; at++) {
            label[length++] = *at;
        }
    }
    label[length] = '\0';
}

void page_axis_label(const page_axis *axis, int tick, char label[PAGE_NUMBER_SIZE]) {
    double value = page_axis_tick(axis, tick);
    double size = fmax(fabs(axis->low), fabs(axis->high));
    int decimals = (int)fmax(0, -floor(log10(axis->step) + 1e-9));
    const char *unit = "";
    char number[PAGE_NUMBER_SIZE];
    if (size >= 1e9 || decimals > 5) {
        page_number_write(number, value, 6);
    } else if (axis->step >= 1e5 && size >= 1e6) {
        page_number_write(number, value / 1e6, 6);
        unit = "M";
    } else if (axis->step >= 1e2 && size >= 1e4) {
        page_number_write(number, value / 1e3, 6);
        unit = "k";
    } else {
        page_number_write_fixed(number, value, decimals);
    }
    put_label(label, number, unit);
}

int page_axis_label_length(const page_axis *axis) {
    int longest = 0;
    for (int tick = 0; tick < axis->count; tick++) {
        char label[PAGE_NUMBER_SIZE];
        int length = 0;
        page_axis_label(axis, tick, label);
        for (const char *at = label; *at != '\0'; at++) {
            length += (*at & 0xc0) != 0x80;
        }
        longest = length > longest ? length : longest;
    }
    return longest;
}
