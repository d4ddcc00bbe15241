#include "page/figure.h"

#include "base/base.h"
#include "page/colour.h"
#include "page/heat.h"
#include "page/plot.h"
#include "page/strip.h"

// Resolution of the coordinates; the displayed size depends on the window.
enum { PLOT_WIDTH = 1000, PLOT_HEIGHT = 400 };

enum { BAR_WIDTH = 26, BAR_STOPS = 16 };  // pixels, number of gradient stops

// --- curves ------------------------------------------------------------------------------------

static void add_legend(page_buffer *out, const tot_curves *curves) {
    page_buffer_add(out, "<div class=\"legend\"><span class=\"at\"></span>");
    for (size_t k = 0; k < curves->series_count; k++) {
        const char *name = curves->series[k].name;
        const char *fallback = page_text_given(curves->y_name) ? curves->y_name : "y";
        page_buffer_add(out, "<button type=\"button\" aria-pressed=\"true\" class=\"");
        page_colour_add_class(out, k);
        page_buffer_add(out, curves->series[k].count == 0 ? " empty\" title=\"no values" : "");
        page_buffer_add(out,
                        "\"><svg class=\"key\" aria-hidden=\"true\"><line x1=\"1\" x2=\"19\" "
                        "y1=\"5\" y2=\"5\"/></svg>");
        page_add_words(out, "<span>", page_text_given(name) ? name : fallback,
                       "</span><b></b></button>\n");
    }
    page_buffer_add(out, "</div>\n<output class=\"unseen\"></output>\n");
}

void page_figure_add_curves(page_buffer *out, const tot_curves *curves) {
    page_plot plot;
    page_plot_fit(&plot, curves);
    page_buffer_add(out, "<figure class=\"curves\">\n");
    page_add_element(out, "<figcaption>", curves->title, "</figcaption>\n");
    page_add_element(out, "<p class=\"name\">", curves->y_name, "</p>\n");
    page_buffer_add_format(out,
                           "<div class=\"area\" style=\"margin-left:%dpx\"><svg class=\"plot\" "
                           "role=\"img\" tabindex=\"0\" aria-label=\"Curves",
                           page_axis_label_space(&plot.y, PAGE_LEFT_SPACE));
    page_add_element(out, ", ", curves->title, "");
    page_add_element(out, ": ", curves->y_name, "");
    page_add_element(out, " over ", curves->x_name, "");
    page_buffer_add(out, ". Left and right move along them.\"");
    page_add_attribute(out, "data-x-name", curves->x_name, "x");
    page_plot_add_ranges(out, &plot);
    page_buffer_add(out, ">\n");
    page_plot_draw(out, &plot, PLOT_WIDTH, PLOT_HEIGHT, true);
    page_buffer_add(out, "</svg></div>\n");
    page_add_element(out, "<p class=\"name x\">", curves->x_name, "</p>\n");
    add_legend(out, curves);
    page_buffer_add(out, "</figure>\n");
}

// --- heat maps ---------------------------------------------------------------------------------

static void add_bar(page_buffer *out, const page_axis *axis) {
    page_buffer_add(out, "<div class=\"bar\" aria-hidden=\"true\">");
    for (int tick = 0; tick < axis->count; tick++) {
        const double up = page_axis_place(axis, page_axis_tick(axis, tick));
        page_buffer_add_format(out, "<span style=\"bottom:%s%%\">%s</span>",
                               page_trimmed(100 * up, 3).text, page_axis_label(axis, tick).text);
    }
    page_buffer_add(out, "</div>");
}

static void add_cells(page_buffer *out, const page_heat *heat) {
    const tot_heat_map *map = heat->map;
    // limit the aspect ratio, or a long map would fill several screens
    double shape = (double)map->columns / (double)map->rows;
    shape = shape < 0.5 ? 0.5 : shape > 3 ? 3 : shape;
    page_buffer_add(out,
                    "<div class=\"cells\" tabindex=\"0\" role=\"application\" "
                    "aria-label=\"Heat map");
    page_add_element(out, ", ", map->title, "");
    page_buffer_add_format(out,
                           ": %zu by %zu. Arrow keys move the probe.\" style=\"aspect-ratio:%s\" "
                           "data-rows=\"%zu\" data-columns=\"%zu\"",
                           map->rows, map->columns, page_trimmed(shape, 4).text, map->rows,
                           map->columns);
    page_add_attribute(out, "data-row-name", map->row_name, "row");
    page_add_attribute(out, "data-column-name", map->column_name, "column");
    page_add_number_attribute(out, "data-low", heat->low);
    page_add_number_attribute(out, "data-high", heat->high);
    page_add_number_attribute(out, "data-colour-low", heat->colour.low);
    page_add_number_attribute(out, "data-colour-high", heat->colour.high);
    page_buffer_add(out, " data-values=\"");
    BASE_THEN(out->status, page_heat_add_values(out, heat));
    page_buffer_add_format(out,
                           "\">\n<canvas width=\"%zu\" height=\"%zu\"></canvas>"
                           "<noscript>This picture needs JavaScript.</noscript>"
                           "<svg class=\"plot\" aria-hidden=\"true\">\n",
                           map->columns, map->rows);
    page_heat_draw(out, heat);
    page_buffer_add(out, "</svg></div>\n");
}

void page_figure_add_heat_map(page_buffer *out, const tot_heat_map *map) {
    page_heat heat;
    page_heat_fit(&heat, map);
    page_buffer_add(out, "<figure class=\"heat\">\n");
    page_add_element(out, "<figcaption>", map->title, "</figcaption>\n");
    page_add_element(out, "<p class=\"name\">", map->row_name, " \xe2\x86\x93</p>\n");
    int right = BAR_WIDTH + page_axis_label_space(&heat.colour, PAGE_LEFT_SPACE);
    page_buffer_add_format(out,
                           "<div class=\"area\" style=\"margin-left:%dpx;margin-right:%dpx\">\n",
                           page_axis_label_space(&heat.row_axis, 0), right);
    add_cells(out, &heat);
    add_bar(out, &heat.colour);
    page_buffer_add(out, "</div>\n");
    page_buffer_add_format(out, "<p class=\"name x\" style=\"margin-right:%dpx\">", right);
    page_add_element(out, "", map->column_name, " \xe2\x86\x92");
    page_buffer_add(out, "</p>\n");
    page_buffer_add(out, "<output></output>\n</figure>\n");
}

void page_figure_add_bar_rule(page_buffer *out) {
    unsigned char colours[PAGE_COLOUR_COUNT][3];
    page_colour_map(colours);
    page_buffer_add(out, ".bar{background:linear-gradient(to top");
    for (int stop = 0; stop <= BAR_STOPS; stop++) {
        const unsigned char *colour = colours[stop * (PAGE_COLOUR_COUNT - 1) / BAR_STOPS];
        page_buffer_add_format(out, ",#%02x%02x%02x", colour[0], colour[1], colour[2]);
    }
    page_buffer_add(out, ")}\n");
}

void page_figure_add_colours(page_buffer *out) {
    unsigned char colours[PAGE_COLOUR_COUNT][3];
    page_colour_map(colours);
    for (int k = 0; k < PAGE_COLOUR_COUNT; k++) {
        page_buffer_add_format(out, "%02x%02x%02x", colours[k][0], colours[k][1], colours[k][2]);
    }
}

// --- frame strips ------------------------------------------------------------------------------

// Resolution of the coordinates of a row's curve, and its approximate number of ticks.
enum { CURVE_WIDTH = 1000, CURVE_HEIGHT = 100, CURVE_TICKS = 3 };

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
                           curves ? page_axis_label_space(&values, PAGE_LEFT_SPACE) : 0);
    for (size_t r = 0; r < strip->row_count; r++) {
        add_row(out, strip, r, &values);
    }
    page_buffer_add(out, "</div></div>\n<output></output>\n</figure>\n");
}
