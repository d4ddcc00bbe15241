// The HTML of frame strips.
#include "base/base.h"
#include "page/element.h"
#include "page/figure.h"
#include "page/plot.h"
#include "page/strip.h"

// Resolution of the coordinates of a row's curve, and its approximate number of ticks.
enum { CURVE_WIDTH = 1000, CURVE_HEIGHT = 100, CURVE_TICKS = 3 };

// --- curves ------------------------------------------------------------------------------------

// A common range of values for all rows, so that their curves are comparable. False: no values.
static bool fit_values(const tot_frame_strip *strip, page_axis *axis) {
    double low = INFINITY;
    double high = -INFINITY;
    for (size_t r = 0; r < strip->row_count; r++) {
        const tot_frame_row *row = &strip->rows[r];
        page_strip_choice choice;
        page_strip_choose(&choice, row);
        for (size_t k = 0; row->values != NULL && k < choice.step_count; k++) {
            if (page_axis_usable(row->values[k])) {
                low = fmin(low, row->values[k]);
                high = fmax(high, row->values[k]);
            }
        }
    }
    bool any = low <= high;
    page_axis_fit(axis, any ? low : 0, any ? high : 1, CURVE_TICKS, false);
    page_axis_round_out(axis);
    return any;
}

// The curve spans the centres of the first and the last picture, like their steps. If much of it
// would be outside, it shows all steps instead.
static void fit_steps(const page_strip_choice *choice, page_axis *axis) {
    double low = (double)choice->steps[0];
    double high = (double)choice->steps[choice->count - 1];
    double last = (double)(choice->step_count - 1);
    double half = choice->count > 1 ? (high - low) / (double)(choice->count - 1) / 2 : 0;
    if (low > half || last - high > half || choice->count < 2) {
        low = 0;
        high = last;
    }
    page_axis_fit(axis, low, high, 8, true);
}

static void add_curve(page_buffer *out, const tot_frame_row *row, const page_strip_choice *choice,
                      const page_axis *values) {
    const tot_series series = {.count = choice->step_count, .y = row->values};
    const tot_curves curves = {.series = &series, .series_count = 1};
    page_plot plot;
    page_plot_fit(&plot, &curves);
    fit_steps(choice, &plot.x);
    plot.y = *values;
    page_add_element(out, "<p class=\"name\">", row->value_name, "</p>\n");
    page_buffer_add(out, "<div class=\"area\"><svg class=\"plot\" role=\"img\" aria-label=\"Curve");
    page_add_element(out, ", ", row->value_name, "");
    page_add_element(out, ": ", row->name, "");
    page_buffer_add(out, "\"");
    page_plot_add_ranges(out, &plot);
    page_buffer_add(out, ">\n");
    page_plot_draw(out, &plot, CURVE_WIDTH, CURVE_HEIGHT, false);
    page_buffer_add(out, "</svg></div>\n");
}

// --- data for the script -----------------------------------------------------------------------

static void add_data(page_buffer *out, const tot_frame_row *row, const page_strip_choice *choice) {
    page_add_attribute(out, "data-name", row->name, "");
    page_buffer_add_format(out, " data-count=\"%zu\" data-steps=\"", choice->step_count);
    for (size_t k = 0; k < choice->count; k++) {
        page_buffer_add_format(out, "%s%zu", k > 0 ? "," : "", choice->steps[k]);
    }
    page_buffer_add(out, "\"");
    if (row->values != NULL) {
        page_add_attribute(out, "data-value-name", row->value_name, "value");
        page_buffer_add(out, " data-values=\"");
        for (size_t k = 0; k < choice->step_count; k++) {
            page_buffer_add(out, k > 0 ? "," : "");
            if (page_axis_usable(row->values[k])) {
                page_buffer_add(out, page_digits(row->values[k], 6).text);
            }
        }
        page_buffer_add(out, "\"");
    }
    if (row->match != NULL) {
        page_buffer_add(out, " data-match=\"");
        for (size_t k = 0; k < choice->step_count; k++) {
            page_buffer_add(out, k > 0 ? "," : "");
            if (row->match[k] >= 0) {
                page_buffer_add_format(out, "%d", row->match[k]);
            }
        }
        page_buffer_add(out, "\"");
    }
}

// --- pictures ----------------------------------------------------------------------------------

// The step below every picture, and a gap between pictures.
static void add_labels(page_buffer *out, const page_strip_choice *choice) {
    page_buffer_add(out, "<svg class=\"plot\" aria-hidden=\"true\">");
    for (size_t k = 0; k < choice->count; k++) {
        double right = 100.0 * (double)k / (double)choice->count;
        if (k > 0) {
            const page_number place = page_trimmed(right, 3);
            page_buffer_add_format(out,
                                   "<line class=\"gap\" y2=\"100%%\" x1=\"%s%%\" x2=\"%s%%\"/>",
                                   place.text, place.text);
        }
        page_buffer_add_format(out,
                               "<text class=\"tick\" text-anchor=\"middle\" x=\"%s%%\" y=\"100%%\" "
                               "dy=\"16\">%zu</text>",
                               page_trimmed(right + 50.0 / (double)choice->count, 3).text,
                               choice->steps[k]);
    }
    page_buffer_add(out, "</svg>");
}

static void add_sheet(page_buffer *out, const tot_frame_row *row, const page_strip_choice *choice) {
    page_buffer_add(out, "<div class=\"sheet\"><img alt=\"");
    page_add_element(out, "", row->name, ": ");
    page_buffer_add_format(out, "%zu of %zu steps, from %zu to %zu\" width=\"%zu\" height=\"%zu\" ",
                           choice->count, choice->step_count, choice->steps[0],
                           choice->steps[choice->count - 1], choice->count * choice->width,
                           choice->height);
    page_buffer_add(out, "decoding=\"async\" src=\"data:image/png;base64,");
    BASE_THEN(out->status, page_strip_add_png(out, row, choice));
    page_buffer_add(out, "\">");
    add_labels(out, choice);
    page_buffer_add(out, "</div>\n");
}

// Lines from the pictures of a row to their matches in row 0 above.
static void add_links(page_buffer *out, const tot_frame_row *row, const page_strip_choice *choice,
                      const page_strip_choice *above) {
    size_t columns = choice->count > above->count ? choice->count : above->count;
    page_buffer_add_format(out,
                           "<svg class=\"links\" style=\"--count:%zu\" viewBox=\"0 0 %zu 1\" "
                           "preserveAspectRatio=\"none\" aria-hidden=\"true\"><path d=\"",
                           columns, columns);
    for (size_t k = 0; k < choice->count; k++) {
        int match = row->match[choice->steps[k]];
        if (match >= 0) {
            const double place = page_strip_place(above, (size_t)match) + 0.5;
            page_buffer_add_format(out, "M%zu.5 1L%s 0", k, page_trimmed(place, 3).text);
        }
    }
    page_buffer_add(out, "\"/></svg>\n");
}

static void add_row(page_buffer *out, const tot_frame_strip *strip, size_t number,
                    const page_axis *values) {
    const tot_frame_row *row = &strip->rows[number];
    page_strip_choice choice;
    page_strip_choose(&choice, row);
    if (number == 1 && row->match != NULL) {
        page_strip_choice above;
        page_strip_choose(&above, &strip->rows[0]);
        add_links(out, row, &choice, &above);
    }
    page_buffer_add_format(out, "<div class=\"frames\" style=\"--count:%zu\"", choice.count);
    add_data(out, row, &choice);
    page_buffer_add(out, ">\n");
    page_add_element(out, "<p class=\"name\">", row->name, "</p>\n");
    add_sheet(out, row, &choice);
    if (row->values != NULL) {
        add_curve(out, row, &choice, values);
    }
    page_buffer_add(out, "</div>\n");
}

void page_figure_add_strip(page_buffer *out, const tot_frame_strip *strip) {
    page_axis values;
    bool curves = fit_values(strip, &values);
    size_t columns = 0;
    for (size_t r = 0; r < strip->row_count; r++) {
        page_strip_choice choice;
        page_strip_choose(&choice, &strip->rows[r]);
        columns = choice.count > columns ? choice.count : columns;
    }
    page_buffer_add_format(out, "<figure class=\"strip\" style=\"--picture:%dpx;--columns:%zu\">\n",
                           strip->width > 0 ? strip->width : PAGE_STRIP_WIDTH, columns);
    page_add_element(out, "<figcaption>", strip->title, "</figcaption>\n");
    page_buffer_add_format(out,
                           "<div class=\"scroll\"><div class=\"tracks\" style=\"--left:%dpx\">\n",
                           curves ? page_label_space(&values, PAGE_LEFT_SPACE) : 0);
    for (size_t r = 0; r < strip->row_count; r++) {
        add_row(out, strip, r, &values);
    }
    page_buffer_add(out, "</div></div>\n<output></output>\n</figure>\n");
}
