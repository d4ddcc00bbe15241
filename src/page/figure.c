#include "page/figure.h"

#include "base/base.h"
#include "page/colour.h"
#include "page/element.h"
#include "page/heat.h"
#include "page/plot.h"

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
                        "y1=\"5\" y2=\"5\"/></svg><span>");
        page_buffer_add_escaped(out, page_text_given(name) ? name : fallback);
        page_buffer_add(out, "</span><b></b></button>\n");
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
                           page_label_space(&plot.y, PAGE_LEFT_SPACE));
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
    int right = BAR_WIDTH + page_label_space(&heat.colour, PAGE_LEFT_SPACE);
    page_buffer_add_format(out,
                           "<div class=\"area\" style=\"margin-left:%dpx;margin-right:%dpx\">\n",
                           page_label_space(&heat.row_axis, 0), right);
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
