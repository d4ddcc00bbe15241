#include "page/figure.h"

#include "page/colour.h"
#include "page/element.h"
#include "page/heat.h"
#include "page/plot.h"

// How finely coordinates are written; the window says how large they are shown.
enum { PLOT_WIDTH = 1000, PLOT_HEIGHT = 400 };

enum { BAR_WIDTH = 26, BAR_STOPS = 16 };  // pixels that the colour bar takes, its colours

// --- curves ------------------------------------------------------------------------------------

static void add_legend(tot_text *out, const tot_curves *curves) {
    tot_text_add(out, "<div class=\"legend\"><span class=\"at\"></span>");
    for (size_t k = 0; k < curves->series_count; k++) {
        const char *name = curves->series[k].name;
        const char *fallback = tot_text_given(curves->y_name) ? curves->y_name : "y";
        tot_text_add(out, "<button type=\"button\" aria-pressed=\"true\" class=\"");
        tot_colour_add_class(out, k);
        tot_text_add(out, curves->series[k].count == 0 ? " empty\" title=\"no values" : "");
        tot_text_add(out,
                     "\"><svg class=\"key\" aria-hidden=\"true\"><line x1=\"1\" x2=\"19\" "
                     "y1=\"5\" y2=\"5\"/></svg><span>");
        tot_text_add_escaped(out, tot_text_given(name) ? name : fallback);
        tot_text_add(out, "</span><b></b></button>\n");
    }
    tot_text_add(out, "</div>\n<output class=\"unseen\"></output>\n");
}

void tot_figure_add_curves(tot_text *out, const tot_curves *curves) {
    tot_plot plot;
    tot_plot_fit(&plot, curves);
    tot_text_add(out, "<figure class=\"curves\">\n");
    tot_add_element(out, "<figcaption>", curves->title, "</figcaption>\n");
    tot_add_element(out, "<p class=\"name\">", curves->y_name, "</p>\n");
    tot_text_add_format(out,
                        "<div class=\"area\" style=\"margin-left:%dpx\"><svg class=\"plot\" "
                        "role=\"img\" tabindex=\"0\" aria-label=\"Curves",
                        tot_label_room(&plot.y, TOT_LEFT_ROOM));
    tot_add_element(out, ", ", curves->title, "");
    tot_add_element(out, ": ", curves->y_name, "");
    tot_add_element(out, " over ", curves->x_name, "");
    tot_text_add(out, ". Left and right move along them.\"");
    tot_add_attribute(out, "data-x-name", curves->x_name, "x");
    tot_add_number_attribute(out, "data-x-low", plot.x.low);
    tot_add_number_attribute(out, "data-x-high", plot.x.high);
    tot_add_number_attribute(out, "data-y-low", plot.y.low);
    tot_add_number_attribute(out, "data-y-high", plot.y.high);
    tot_text_add(out, ">\n");
    tot_plot_draw(out, &plot, PLOT_WIDTH, PLOT_HEIGHT, true);
    tot_text_add(out, "</svg></div>\n");
    tot_add_element(out, "<p class=\"name x\">", curves->x_name, "</p>\n");
    add_legend(out, curves);
    tot_text_add(out, "</figure>\n");
}

// --- heat maps ---------------------------------------------------------------------------------

static void add_bar(tot_text *out, const tot_axis *axis) {
    tot_text_add(out, "<div class=\"bar\" aria-hidden=\"true\">");
    for (int tick = 0; tick < axis->count; tick++) {
        char label[TOT_NUMBER_SIZE];
        tot_axis_label(axis, tick, label);
        tot_text_add(out, "<span style=\"bottom:");
        tot_text_add_fixed(out, 100 * tot_axis_place(axis, tot_axis_tick(axis, tick)), 3);
        tot_text_add_format(out, "%%\">%s</span>", label);
    }
    tot_text_add(out, "</div>");
}

static void add_cells(tot_text *out, const tot_heat *heat) {
    const tot_heat_map *map = heat->map;
    // very long maps are squeezed, or one would fill several screens
    double shape = (double)map->columns / (double)map->rows;
    shape = shape < 0.5 ? 0.5 : shape > 3 ? 3 : shape;
    tot_text_add(out,
                 "<div class=\"cells\" tabindex=\"0\" role=\"application\" "
                 "aria-label=\"Heat map");
    tot_add_element(out, ", ", map->title, "");
    tot_text_add_format(out, ": %zu by %zu. Arrow keys move the probe.\" style=\"aspect-ratio:",
                        map->rows, map->columns);
    tot_text_add_fixed(out, shape, 4);
    tot_text_add_format(out, "\" data-rows=\"%zu\" data-columns=\"%zu\"", map->rows, map->columns);
    tot_add_attribute(out, "data-row-name", map->row_name, "row");
    tot_add_attribute(out, "data-column-name", map->column_name, "column");
    tot_add_number_attribute(out, "data-low", heat->low);
    tot_add_number_attribute(out, "data-high", heat->high);
    tot_add_number_attribute(out, "data-colour-low", heat->colour.low);
    tot_add_number_attribute(out, "data-colour-high", heat->colour.high);
    tot_text_add(out, " data-values=\"");
    tot_heat_add_values(out, heat);
    tot_text_add_format(out,
                        "\">\n<canvas width=\"%zu\" height=\"%zu\"></canvas>"
                        "<noscript>This picture needs JavaScript.</noscript>"
                        "<svg class=\"plot\" aria-hidden=\"true\">\n",
                        map->columns, map->rows);
    tot_heat_draw(out, heat);
    tot_text_add(out, "</svg></div>\n");
}

void tot_figure_add_heat_map(tot_text *out, const tot_heat_map *map) {
    tot_heat heat;
    tot_heat_fit(&heat, map);
    tot_text_add(out, "<figure class=\"heat\">\n");
    tot_add_element(out, "<figcaption>", map->title, "</figcaption>\n");
    tot_add_element(out, "<p class=\"name\">", map->row_name, " \xe2\x86\x93</p>\n");
    int right = BAR_WIDTH + tot_label_room(&heat.colour, TOT_LEFT_ROOM);
    tot_text_add_format(out, "<div class=\"area\" style=\"margin-left:%dpx;margin-right:%dpx\">\n",
                        tot_label_room(&heat.row_axis, 0), right);
    add_cells(out, &heat);
    add_bar(out, &heat.colour);
    tot_text_add(out, "</div>\n");
    tot_text_add_format(out, "<p class=\"name x\" style=\"margin-right:%dpx\">", right);
    tot_add_element(out, "", map->column_name, " \xe2\x86\x92");
    tot_text_add(out, "</p>\n");
    tot_text_add(out, "<output></output>\n</figure>\n");
}

void tot_figure_add_bar_rule(tot_text *out) {
    unsigned char colours[TOT_COLOUR_COUNT][3];
    tot_colour_map(colours);
    tot_text_add(out, ".bar{background:linear-gradient(to top");
    for (int stop = 0; stop <= BAR_STOPS; stop++) {
        const unsigned char *colour = colours[stop * (TOT_COLOUR_COUNT - 1) / BAR_STOPS];
        tot_text_add_format(out, ",#%02x%02x%02x", colour[0], colour[1], colour[2]);
    }
    tot_text_add(out, ")}\n");
}

void tot_figure_add_colours(tot_text *out) {
    unsigned char colours[TOT_COLOUR_COUNT][3];
    tot_colour_map(colours);
    for (int k = 0; k < TOT_COLOUR_COUNT; k++) {
        tot_text_add_format(out, "%02x%02x%02x", colours[k][0], colours[k][1], colours[k][2]);
    }
}
