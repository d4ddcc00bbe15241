#include "page/plot.h"

#include "base/base.h"
#include "page/colour.h"

enum { KEPT_LIMIT = 2000, STRETCHES = 400 };  // five points are kept per stretch

static double point_x(const tot_series *series, size_t index) {
    return series->x != NULL ? series->x[index] : (double)index;
}

static bool point_usable(const tot_series *series, size_t index) {
    return page_axis_usable(point_x(series, index)) && page_axis_usable(series->y[index]);
}

static bool band_usable(const tot_series *series, size_t index) {
    return series->low != NULL && page_axis_usable(point_x(series, index)) &&
           page_axis_usable(series->low[index]) && page_axis_usable(series->high[index]);
}

// --- checking and fitting ----------------------------------------------------------------------

tot_status page_plot_check(const tot_curves *curves) {
    BASE_FAIL_IF(curves == NULL, TOT_E_ARGUMENT, "curves: none given");
    const char *title = curves->title != NULL ? curves->title : "";
    BASE_FAIL_IF(curves->series_count > 0 && curves->series == NULL, TOT_E_ARGUMENT,
                 "curves \"%s\": %zu series said, none given", title, curves->series_count);
    for (size_t k = 0; k < curves->series_count; k++) {
        const tot_series *series = &curves->series[k];
        BASE_FAIL_IF(series->count > 0 && series->y == NULL, TOT_E_ARGUMENT,
                     "curves \"%s\": series %zu has no y", title, k);
        BASE_FAIL_IF((series->low == NULL) != (series->high == NULL), TOT_E_ARGUMENT,
                     "curves \"%s\": series %zu has one edge of a band", title, k);
    }
    BASE_FAIL_IF(!page_axis_accepts(curves->y_low, curves->y_high), TOT_E_ARGUMENT,
                 "curves \"%s\": y from %g to %g is no range", title, curves->y_low,
                 curves->y_high);
    return TOT_OK;
}

struct range {
    double low, high;
};

static void stretch_range(struct range *range, double value) {
    range->low = fmin(range->low, value);
    range->high = fmax(range->high, value);
}

void page_plot_fit(page_plot *plot, const tot_curves *curves) {
    struct range x = {INFINITY, -INFINITY};
    struct range y = {INFINITY, -INFINITY};
    bool whole = true;
    for (size_t k = 0; k < curves->series_count; k++) {
        const tot_series *series = &curves->series[k];
        for (size_t i = 0; i < series->count; i++) {
            bool point = point_usable(series, i);
            bool band = band_usable(series, i);
            if (point) {
                stretch_range(&y, series->y[i]);
            }
            if (band) {
                stretch_range(&y, series->low[i]);
                stretch_range(&y, series->high[i]);
            }
            if (point || band) {
                stretch_range(&x, point_x(series, i));
                whole = whole && floor(point_x(series, i)) == point_x(series, i);
            }
        }
    }
    plot->curves = curves;
    plot->empty = !(x.low <= x.high);
    plot->cut = false;
    if (plot->empty) {
        x = y = (struct range){0, 1};
    }
    page_axis_fit(&plot->x, x.low, x.high, 6, whole);
    if (curves->y_low < curves->y_high) {
        page_axis_fit(&plot->y, curves->y_low, curves->y_high, 5, false);
        plot->cut = y.low < curves->y_low || y.high > curves->y_high;
    } else {
        page_axis_fit(&plot->y, y.low, y.high, 5, false);
        page_axis_round_out(&plot->y);
    }
}

// --- thinning ----------------------------------------------------------------------------------

// The points of [start, end) that determine the shape of the curve: ends, extremes, and the first
// gap.
static size_t keep_stretch(const tot_series *series, size_t start, size_t end, size_t *kept) {
    size_t lowest = start;
    size_t highest = start;
    size_t gap = start;
    for (size_t i = start; i < end; i++) {
        if (!point_usable(series, i)) {
            gap = point_usable(series, gap) ? i : gap;
            continue;
        }
        lowest = !point_usable(series, lowest) || series->y[i] < series->y[lowest] ? i : lowest;
        highest = !point_usable(series, highest) || series->y[i] > series->y[highest] ? i : highest;
    }
    size_t count = 0;
    for (size_t i = start; i < end; i++) {
        if (i == start || i == lowest || i == highest || i == gap || i == end - 1) {
            kept[count++] = i;
        }
    }
    return count;
}

// Selects the points to draw, in order. Returns their number.
static size_t choose_points(const tot_series *series, size_t kept[KEPT_LIMIT]) {
    size_t count = 0;
    if (series->count <= KEPT_LIMIT) {
        for (; count < series->count; count++) {
            kept[count] = count;
        }
        return count;
    }
    size_t start = 0;
    for (size_t stretch = 0; stretch < STRETCHES; stretch++) {
        size_t length = series->count / STRETCHES + (stretch < series->count % STRETCHES);
        count += keep_stretch(series, start, start + length, kept + count);
        start += length;
    }
    return count;
}

// --- drawing -----------------------------------------------------------------------------------

// Draws one series.
struct pen {
    page_buffer *out;
    const page_plot *plot;
    int width, height;
    const tot_series *series;
    size_t kept[KEPT_LIMIT];  // the points to draw
    size_t count;
};

static void put_point(const struct pen *pen, char command, double x, double y) {
    double down = 1 - page_axis_place(&pen->plot->y, y);
    // far outside the range the exact distance does not matter
    down = fmin(fmax(down, -10), 11);
    page_buffer_add_format(pen->out, "%c%s %s", command,
                           page_trimmed(pen->width * page_axis_place(&pen->plot->x, x), 1).text,
                           page_trimmed(pen->height * down, 1).text);
}

static void draw_band(const struct pen *pen) {
    const tot_series *series = pen->series;
    const size_t *kept = pen->kept;
    bool open = false;
    for (size_t start = 0; start < pen->count;) {
        size_t end = start;
        while (end < pen->count && band_usable(series, kept[end])) {
            end++;
        }
        if (end == start) {
            start++;
            continue;
        }
        if (!open) {
            page_buffer_add(pen->out, "<path class=\"band\" d=\"");
            open = true;
        }
        // along the upper edge, and back along the lower
        for (size_t k = start; k < end; k++) {
            put_point(pen, k == start ? 'M' : 'L', point_x(series, kept[k]), series->high[kept[k]]);
        }
        for (size_t k = end; k > start; k--) {
            put_point(pen, 'L', point_x(series, kept[k - 1]), series->low[kept[k - 1]]);
        }
        page_buffer_add(pen->out, "Z");
        start = end;
    }
    if (open) {
        page_buffer_add(pen->out, "\"/>");
    }
}

static bool kept_usable(const struct pen *pen, size_t k) {
    return k < pen->count && point_usable(pen->series, pen->kept[k]);
}

// Isolated points become dots (a zero-length line with round caps), all others lines.
static void draw_points(const struct pen *pen, bool alone) {
    bool open = false;
    for (size_t k = 0; k < pen->count; k++) {
        bool before = k > 0 && kept_usable(pen, k - 1);
        bool after = kept_usable(pen, k + 1);
        if (!kept_usable(pen, k) || alone != (!before && !after)) {
            continue;
        }
        if (!open) {
            page_buffer_add_format(pen->out, "<path class=\"line%s\" d=\"", alone ? " alone" : "");
            open = true;
        }
        size_t index = pen->kept[k];
        put_point(pen, before ? 'L' : 'M', point_x(pen->series, index), pen->series->y[index]);
        page_buffer_add(pen->out, alone ? "h0" : "");
    }
    if (open) {
        page_buffer_add(pen->out, "\"/>");
    }
}

static void draw_markers(const struct pen *pen) {
    page_buffer_add(pen->out, "<path class=\"line alone\" d=\"");
    for (size_t k = 0; k < pen->count; k++) {
        const size_t index = pen->kept[k];
        if (kept_usable(pen, k)) {
            put_point(pen, 'M', point_x(pen->series, index), pen->series->y[index]);
            page_buffer_add(pen->out, "h0");
        }
    }
    page_buffer_add(pen->out, "\"/>");
}

// values: NULL for x.
static void put_values(const struct pen *pen, const char *name, const double *values) {
    page_buffer_add_format(pen->out, " data-%s=\"", name);
    for (size_t k = 0; k < pen->count; k++) {
        size_t index = pen->kept[k];
        double value = values != NULL ? values[index] : point_x(pen->series, index);
        page_buffer_add(pen->out, k > 0 ? "," : "");
        if (page_axis_usable(value)) {
            // neighbouring x values must stay distinct, other values are only displayed
            page_buffer_add(pen->out, page_digits(value, values != NULL ? 6 : 12).text);
        }
    }
    page_buffer_add(pen->out, "\"");
}

static void draw_series(struct pen *pen, size_t index, bool with_values) {
    const tot_series *series = &pen->plot->curves->series[index];
    pen->series = series;
    pen->count = choose_points(series, pen->kept);
    page_buffer_add(pen->out, "<g class=\"series ");
    page_colour_add_class(pen->out, index);
    page_buffer_add(pen->out, "\"");
    if (with_values && series->count > 0) {
        put_values(pen, "x", NULL);
        put_values(pen, "y", series->y);
        if (series->low != NULL) {
            put_values(pen, "low", series->low);
            put_values(pen, "high", series->high);
        }
    }
    page_buffer_add(pen->out, ">");
    draw_band(pen);
    draw_points(pen, false);
    draw_points(pen, true);
    if (index < pen->plot->curves->marked && pen->count > 0) {
        draw_markers(pen);
    }
    page_buffer_add(pen->out, "</g>\n");
}

void page_plot_add_ranges(page_buffer *out, const page_plot *plot) {
    page_add_number_attribute(out, "data-x-low", plot->x.low);
    page_add_number_attribute(out, "data-x-high", plot->x.high);
    page_add_number_attribute(out, "data-y-low", plot->y.low);
    page_add_number_attribute(out, "data-y-high", plot->y.high);
}

// Position of a tick, in percent from the start of the axis.
static double percent(const page_axis *axis, int tick, size_t count) {
    double value = page_axis_tick(axis, tick);
    return count > 0 ? 100 * (value + 0.5) / (double)count : 100 * page_axis_place(axis, value);
}

void page_plot_draw_bottom_labels(page_buffer *out, const page_axis *axis, size_t count) {
    for (int tick = 0; tick < axis->count; tick++) {
        page_buffer_add_format(out,
                               "<text class=\"tick\" text-anchor=\"middle\" x=\"%s%%\" y=\"100%%\" "
                               "dy=\"18\">%s</text>",
                               page_trimmed(percent(axis, tick, count), 3).text,
                               page_axis_label(axis, tick).text);
    }
    page_buffer_add(out, "\n");
}

void page_plot_draw_left_labels(page_buffer *out, const page_axis *axis, size_t count) {
    for (int tick = 0; tick < axis->count; tick++) {
        const double place = percent(axis, tick, count);
        // cells are counted from the top, values increase from the bottom
        const double down = count > 0 ? place : 100 - place;
        page_buffer_add_format(out,
                               "<text class=\"tick\" text-anchor=\"end\" x=\"0\" dx=\"-8\" "
                               "y=\"%s%%\" dy=\".35em\">%s</text>",
                               page_trimmed(down, 3).text, page_axis_label(axis, tick).text);
    }
    page_buffer_add(out, "\n");
}

static void draw_grid(page_buffer *out, const page_plot *plot) {
    page_buffer_add(out, "<g class=\"grid\">");
    for (int tick = 0; tick < plot->y.count; tick++) {
        const page_number down = page_trimmed(100 - percent(&plot->y, tick, 0), 3);
        page_buffer_add_format(out, "<line x1=\"0\" x2=\"100%%\" y1=\"%s%%\" y2=\"%s%%\"/>",
                               down.text, down.text);
    }
    page_buffer_add(out,
                    "<line class=\"axis\" x1=\"0\" x2=\"100%\" y1=\"100%\" y2=\"100%\"/></g>\n");
}

void page_plot_draw(page_buffer *out, const page_plot *plot, int width, int height,
                    bool with_values) {
    struct pen pen = {.out = out, .plot = plot, .width = width, .height = height};
    draw_grid(out, plot);
    if (plot->empty) {
        page_buffer_add(out,
                        "<text class=\"none\" text-anchor=\"middle\" x=\"50%\" y=\"50%\">"
                        "no values</text>\n");
    } else {
        page_plot_draw_bottom_labels(out, &plot->x, 0);
        page_plot_draw_left_labels(out, &plot->y, 0);
    }
    // only clip if necessary: a line on the edge keeps its full width
    page_buffer_add_format(out,
                           "<svg class=\"lines\" width=\"100%%\" height=\"100%%\" "
                           "viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" overflow=\"%s\">\n",
                           width, height, plot->cut ? "hidden" : "visible");
    for (size_t k = 0; k < plot->curves->series_count; k++) {
        draw_series(&pen, k, with_values);
    }
    page_buffer_add(out, "</svg>\n");
}
