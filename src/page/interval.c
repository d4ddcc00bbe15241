// Values with intervals: one row each, with a dot on a line and the numbers as text.
#include "base/base.h"
#include "page/axis.h"
#include "page/colour.h"
#include "page/figure.h"

tot_status page_intervals_check(const tot_intervals *intervals) {
    BASE_FAIL_IF(intervals == NULL || (intervals->count > 0 && intervals->items == NULL),
                 TOT_E_ARGUMENT, "intervals: none given");
    const char *title = intervals->title != NULL ? intervals->title : "";
    for (size_t k = 0; k < intervals->count; k++) {
        const tot_interval *item = &intervals->items[k];
        BASE_FAIL_IF(item->name == NULL, TOT_E_ARGUMENT, "intervals \"%s\": number %zu has no name",
                     title, k);
    }
    BASE_FAIL_IF(!page_axis_accepts(intervals->low, intervals->high), TOT_E_ARGUMENT,
                 "intervals \"%s\": from %g to %g is no range", title, intervals->low,
                 intervals->high);
    return TOT_OK;
}

static bool is_usable(const tot_interval *item) {
    return page_axis_usable(item->value) && page_axis_usable(item->low) &&
           page_axis_usable(item->high);
}

static void fit(page_axis *axis, const tot_intervals *intervals) {
    double low = INFINITY;
    double high = -INFINITY;
    if (intervals->low < intervals->high) {
        page_axis_fit(axis, intervals->low, intervals->high, 5, false);
        return;
    }
    for (size_t k = 0; k < intervals->count; k++) {
        if (is_usable(&intervals->items[k])) {
            low = fmin(low, fmin(intervals->items[k].low, intervals->items[k].value));
            high = fmax(high, fmax(intervals->items[k].high, intervals->items[k].value));
        }
    }
    page_axis_fit(axis, low <= high ? low : 0, low <= high ? high : 1, 5, false);
    page_axis_round_out(axis);
}

// The position of a value on the axis, in percent and clipped.
static page_number percent(const page_axis *axis, double value) {
    return page_trimmed(100 * fmin(fmax(page_axis_place(axis, value), 0), 1), 2);
}

static void add_upright(page_buffer *out, const char *class, const page_axis *axis, double value) {
    page_buffer_add_format(out,
                           "<line class=\"%s\" y1=\"0\" y2=\"100%%\" x1=\"%s%%\" x2=\"%s%%\"/>",
                           class, percent(axis, value).text, percent(axis, value).text);
}

static void add_track(page_buffer *out, const tot_intervals *intervals, const page_axis *axis,
                      size_t index) {
    const tot_interval *item = &intervals->items[index];
    page_buffer_add(out, "<svg class=\"track ");
    page_colour_add_class(out, item->colour);
    page_buffer_add(out, "\" aria-hidden=\"true\"><g class=\"grid\">");
    for (int tick = 0; tick < axis->count; tick++) {
        add_upright(out, "tick-line", axis, page_axis_tick(axis, tick));
    }
    page_buffer_add(out, "</g>");
    if (intervals->mark != NULL && page_axis_usable(*intervals->mark)) {
        add_upright(out, "mark-line", axis, *intervals->mark);
    }
    if (is_usable(item)) {
        page_buffer_add_format(
            out,
            "<line class=\"range\" y1=\"50%%\" y2=\"50%%\" x1=\"%s%%\" x2=\"%s%%\"/>"
            "<circle r=\"5\" cy=\"50%%\" cx=\"%s%%\"/>",
            percent(axis, item->low).text, percent(axis, item->high).text,
            percent(axis, item->value).text);
    }
    page_buffer_add(out, "</svg>");
}

static void add_axis(page_buffer *out, const tot_intervals *intervals, const page_axis *axis) {
    page_buffer_add(out, "<tr aria-hidden=\"true\"><td></td><td class=\"scale\"><svg>");
    for (int tick = 0; tick < axis->count; tick++) {
        page_buffer_add_format(
            out, "<text class=\"tick\" text-anchor=\"middle\" y=\"12\" x=\"%s%%\">%s</text>",
            percent(axis, page_axis_tick(axis, tick)).text, page_axis_label(axis, tick).text);
    }
    page_buffer_add(out, "</svg>");
    page_add_element(out, "<p class=\"name x\">", intervals->x_name, "</p>");
    page_buffer_add(out, "</td><td></td></tr>\n");
}

void page_figure_add_intervals(page_buffer *out, const tot_intervals *intervals) {
    page_axis axis;
    fit(&axis, intervals);
    page_buffer_add(out, "<figure class=\"intervals\">\n");
    page_add_element(out, "<figcaption>", intervals->title, "</figcaption>\n");
    page_buffer_add(out, "<table>\n");
    for (size_t k = 0; k < intervals->count; k++) {
        const tot_interval *item = &intervals->items[k];
        page_add_words(out, "<tr><th scope=\"row\">", item->name, "</th><td>");
        add_track(out, intervals, &axis, k);
        page_add_words(out, "</td><td class=\"number\">", item->text, "</td></tr>\n");
    }
    add_axis(out, intervals, &axis);
    page_buffer_add(out, "</table>\n</figure>\n");
}
