// Stand-alone pictures: panels of equal size.
#include <temporalot/page.h>

#include "base/base.h"
#include "file/atomic.h"
#include "page/assets.h"
#include "page/colour.h"
#include "page/heat.h"
#include "page/plot.h"
#include "page/buffer.h"

enum {
    PANEL_WIDTH = 420,
    PANEL_HEIGHT = 400,
    MARGIN = 20,      // around a panel's content
    AREA_TOP = 72,    // title and name of the vertical axis are above the area
    BELOW_AREA = 58,  // tick labels and name of the horizontal axis are below it
    BAR_SPACE = 84,   // the colour bar and its labels
    LEGEND_LINE = 20,
    KEY_WIDTH = 26,
    OPENING_CAPACITY = 256,
    MAX_COLUMNS = 16,
};

struct tot_svg {
    // [OPENING_CAPACITY bytes for the opening tag, which contains the total size][panel][panel]...
    page_buffer text;
    int columns;
    int count;
};

static const char ending[] = "</svg>\n";

static void add_text(page_buffer *out, const char *class, const char *anchor, int x, int y,
                     const char *words, const char *arrow) {
    if (page_text_given(words)) {
        page_buffer_add_format(out, "<text class=\"%s\" text-anchor=\"%s\" x=\"%d\" y=\"%d\">",
                               class, anchor, x, y);
        page_buffer_add_escaped(out, words);
        page_buffer_add_format(out, "%s</text>\n", arrow);
    }
}

// --- the file ----------------------------------------------------------------------------------

static void add_definitions(page_buffer *out) {
    unsigned char colours[PAGE_COLOUR_COUNT][3];
    page_colour_map(colours);
    page_buffer_add(out,
                    "<defs>\n<pattern id=\"hatch\" width=\"6\" height=\"6\" "
                    "patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
                    "<line class=\"hatch\" x1=\"0\" x2=\"0\" y1=\"0\" y2=\"6\"/></pattern>\n"
                    "<linearGradient id=\"colours\" x1=\"0\" x2=\"0\" y1=\"1\" y2=\"0\">");
    for (int stop = 0; stop <= 16; stop++) {
        const unsigned char *colour = colours[stop * (PAGE_COLOUR_COUNT - 1) / 16];
        page_buffer_add_format(out, "<stop offset=\"%s\" stop-color=\"#%02x%02x%02x\"/>",
                               page_trimmed(stop / 16.0, 4).text, colour[0], colour[1], colour[2]);
    }
    page_buffer_add(out, "</linearGradient>\n</defs>\n");
}

tot_status tot_svg_create(tot_svg **svg, const char *title, int columns) {
    BASE_FAIL_IF(svg == NULL || title == NULL, TOT_E_ARGUMENT, "svg: no %s given",
                 svg == NULL ? "place" : "title");
    *svg = NULL;
    BASE_FAIL_IF(columns < 1 || columns > MAX_COLUMNS, TOT_E_ARGUMENT,
                 "svg: %d columns are not within 1 and %d", columns, MAX_COLUMNS);
    BASE_NEW(tot_svg, made, "svg");
    made->columns = columns;
    page_buffer *out = &made->text;
    page_buffer_add_format(out, "%*s", OPENING_CAPACITY, "");
    page_add_words(out, "<title>", title, "</title>\n<style>\n");
    page_buffer_add_bytes(out, (const char *)page_svg_css, page_svg_css_size);
    page_colour_add_rules(out);
    page_buffer_add(out, "</style>\n");
    add_definitions(out);
    page_buffer_add(out, "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n");
    BASE_GIVE(page_buffer_finish(out, 0, sizeof ending), svg, made, tot_svg_free);
}

void tot_svg_free(tot_svg *svg) {
    BASE_UNLESS_NULL(svg);
    page_buffer_free(&svg->text);
    base_free(svg);
}

const char *tot_svg_text(tot_svg *svg) {
    if (svg == NULL) {
        return "";
    }
    int across = svg->count < svg->columns ? svg->count : svg->columns;
    int down = (svg->count + svg->columns - 1) / svg->columns;
    int width = PANEL_WIDTH * (across > 0 ? across : 1);
    int height = PANEL_HEIGHT * (down > 0 ? down : 1);
    char opening[OPENING_CAPACITY];
    int length = snprintf(opening, sizeof opening,
                          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                          "viewBox=\"0 0 %d %d\" role=\"img\">\n",
                          width, height, width, height);
    // the tag is right-aligned in its space, and the text begins with it
    char *start = svg->text.bytes + OPENING_CAPACITY - length;
    memcpy(start, opening, (size_t)length);
    memcpy(svg->text.bytes + svg->text.length, ending, sizeof ending);
    return start;
}

tot_status tot_svg_write(tot_svg *svg, const char *path) {
    BASE_FAIL_IF(svg == NULL || path == NULL, TOT_E_ARGUMENT, "svg: no %s given",
                 svg == NULL ? "picture" : "path");
    return file_save_text(path, tot_svg_text(svg));
}

// --- panels ------------------------------------------------------------------------------------

static void open_panel(tot_svg *svg, const char *title, const char *name, const char *arrow) {
    page_buffer_add_format(&svg->text, "<svg x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\">\n",
                           svg->count % svg->columns * PANEL_WIDTH,
                           svg->count / svg->columns * PANEL_HEIGHT, PANEL_WIDTH, PANEL_HEIGHT);
    add_text(&svg->text, "title", "start", MARGIN, MARGIN + 15, title, "");
    add_text(&svg->text, "name", "start", MARGIN, AREA_TOP - 14, name, arrow);
}

static tot_status close_panel(tot_svg *svg, size_t start) {
    page_buffer_add(&svg->text, "</svg>\n");
    BASE_TRY(page_buffer_finish(&svg->text, start, sizeof ending));
    svg->count++;
    return TOT_OK;
}

// Adds the names of the series in lines below the area; with out NULL it only counts the lines.
static int add_legend(page_buffer *out, const tot_curves *curves, int top) {
    int x = MARGIN;
    int lines = 0;
    for (size_t k = 0; k < curves->series_count; k++) {
        const char *name = curves->series[k].name;
        if (!page_text_given(name)) {
            continue;
        }
        // approximately: the actual fonts are unknown
        int width = KEY_WIDTH + 7 * page_text_length(name) + 18;
        if (lines == 0 || x + width > PANEL_WIDTH) {
            x = MARGIN;
            lines++;
        }
        int y = top + (lines - 1) * LEGEND_LINE;
        if (out != NULL) {
            page_buffer_add(out, "<g class=\"");
            page_colour_add_class(out, k);
            page_buffer_add_format(out,
                                   "\"><line class=\"line\" x1=\"%d\" x2=\"%d\" y1=\"%d\" "
                                   "y2=\"%d\"/></g>",
                                   x + 1, x + KEY_WIDTH - 7, y - 4, y - 4);
            add_text(out, "legend", "start", x + KEY_WIDTH, y, name, "");
        }
        x += width;
    }
    return lines;
}

tot_status tot_svg_add_curves(tot_svg *svg, const tot_curves *curves) {
    BASE_FAIL_IF(svg == NULL, TOT_E_ARGUMENT, "curves: no picture given");
    BASE_TRY(page_plot_check(curves));
    page_plot plot;
    page_plot_fit(&plot, curves);
    page_buffer *out = &svg->text;
    size_t start = out->length;
    int left = MARGIN + 12 + 7 * page_axis_label_length(&plot.y);
    int width = PANEL_WIDTH - MARGIN - left;
    int lines = add_legend(NULL, curves, 0);
    int height = PANEL_HEIGHT - AREA_TOP - BELOW_AREA - (lines > 8 ? 8 : lines) * LEGEND_LINE;
    open_panel(svg, curves->title, curves->y_name, "");
    page_buffer_add_format(
        out, "<svg x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" overflow=\"visible\">\n", left,
        AREA_TOP, width, height);
    page_plot_draw(out, &plot, width, height, false);
    page_buffer_add(out, "</svg>\n");
    add_text(out, "name", "end", PANEL_WIDTH - MARGIN, AREA_TOP + height + 38, curves->x_name, "");
    add_legend(out, curves, AREA_TOP + height + 62);
    return close_panel(svg, start);
}

static void add_bar(page_buffer *out, const page_axis *axis, int left, int height) {
    page_buffer_add_format(out,
                           "<rect fill=\"url(#colours)\" x=\"%d\" y=\"%d\" width=\"12\" "
                           "height=\"%d\"/>\n",
                           left, AREA_TOP, height);
    for (int tick = 0; tick < axis->count; tick++) {
        const double up = page_axis_place(axis, page_axis_tick(axis, tick));
        page_buffer_add_format(out, "<text class=\"tick\" x=\"%d\" dy=\".35em\" y=\"%s\">%s</text>",
                               left + 19, page_trimmed(AREA_TOP + height * (1 - up), 1).text,
                               page_axis_label(axis, tick).text);
    }
    page_buffer_add(out, "\n");
}

static void add_area(page_buffer *out, const page_heat *heat, int left, int width, int height) {
    size_t longest = heat->map->rows > heat->map->columns ? heat->map->rows : heat->map->columns;
    page_buffer_add_format(
        out,
        "<svg x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" overflow=\"visible\">\n"
        "<rect fill=\"url(#hatch)\" width=\"100%%\" height=\"100%%\"/>\n"
        "<image width=\"100%%\" height=\"100%%\" preserveAspectRatio=\"none\" "
        "image-rendering=\"pixelated\" href=\"data:image/png;base64,",
        left, AREA_TOP, width, height);
    // large cells, so that viewers that smooth pictures only smooth the edges
    BASE_THEN(out->status, page_heat_add_png(out, heat, (600 + longest - 1) / longest));
    page_buffer_add(out, "\"/>\n<rect class=\"frame\" width=\"100%\" height=\"100%\"/>\n");
    page_heat_draw(out, heat);
    page_buffer_add(out, "</svg>\n");
}

tot_status tot_svg_add_heat_map(tot_svg *svg, const tot_heat_map *map) {
    BASE_FAIL_IF(svg == NULL, TOT_E_ARGUMENT, "heat map: no picture given");
    BASE_TRY(page_heat_check(map));
    page_heat heat;
    page_heat_fit(&heat, map);
    page_buffer *out = &svg->text;
    size_t start = out->length;
    int left = MARGIN + 12 + 7 * page_axis_label_length(&heat.row_axis);
    int most_width = PANEL_WIDTH - left - BAR_SPACE;
    int most_height = PANEL_HEIGHT - AREA_TOP - BELOW_AREA;
    // square cells if they fit, and never narrower than a quarter of the panel
    double cell = fmin(most_width / (double)map->columns, most_height / (double)map->rows);
    int width = (int)fmax(cell * (double)map->columns, most_width / 4.0);
    int height = (int)fmax(cell * (double)map->rows, most_height / 4.0);
    open_panel(svg, map->title, map->row_name, " \xe2\x86\x93");
    add_area(out, &heat, left, width, height);
    add_bar(out, &heat.colour, left + width + 14, height);
    add_text(out, "name", "end", left + width, AREA_TOP + height + 38, map->column_name,
             " \xe2\x86\x92");
    return close_panel(svg, start);
}
