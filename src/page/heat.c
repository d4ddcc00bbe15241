#include "page/heat.h"

#include "base/base.h"
#include "page/colour.h"
#include "page/plot.h"

// --- checking and fitting ----------------------------------------------------------------------

static tot_status check_band(const tot_heat_map *map, const char *title) {
    BASE_FAIL_IF((map->band_first == NULL) != (map->band_end == NULL), TOT_E_ARGUMENT,
                 "heat map \"%s\": one edge of a band", title);
    for (size_t row = 0; map->band_first != NULL && row < map->rows; row++) {
        int first = map->band_first[row];
        int end = map->band_end[row];
        BASE_FAIL_IF(first < 0 || end < first || (size_t)end > map->columns, TOT_E_ARGUMENT,
                     "heat map \"%s\": row %zu has its band in columns %d to %d of %zu", title, row,
                     first, end, map->columns);
    }
    return TOT_OK;
}

tot_status page_heat_check(const tot_heat_map *map) {
    BASE_FAIL_IF(map == NULL, TOT_E_ARGUMENT, "heat map: none given");
    const char *title = map->title != NULL ? map->title : "";
    BASE_FAIL_IF(map->rows < 1 || map->columns < 1 || map->rows > TOT_HEAT_MAP_LIMIT ||
                     map->columns > TOT_HEAT_MAP_LIMIT,
                 TOT_E_ARGUMENT, "heat map \"%s\": %zu x %zu, but each side is within 1 and %d",
                 title, map->rows, map->columns, TOT_HEAT_MAP_LIMIT);
    BASE_FAIL_IF(map->values == NULL, TOT_E_ARGUMENT, "heat map \"%s\": no values", title);
    BASE_FAIL_IF(!page_axis_accepts(map->low, map->high), TOT_E_ARGUMENT,
                 "heat map \"%s\": colours from %g to %g are no range", title, map->low, map->high);
    BASE_FAIL_IF(map->path_count > 0 && (map->path_rows == NULL || map->path_columns == NULL),
                 TOT_E_ARGUMENT, "heat map \"%s\": a path of %zu points without places", title,
                 map->path_count);
    return check_band(map, title);
}

void tot_heat_map_band(const double *values, size_t rows, size_t columns, int *band_first,
                       int *band_end) {
    BASE_NEED_OR(, values, band_first, band_end);
    page_heat_band(values, rows, columns, false, band_first, band_end);
}

void page_heat_band(const double *values, size_t rows, size_t columns, bool is_mask,
                    int *band_first, int *band_end) {
    for (size_t row = 0; row < rows; row++) {
        band_first[row] = 0;
        band_end[row] = 0;
        for (size_t column = 0; column < columns; column++) {
            const double value = values[row * columns + column];
            if (is_mask ? value != 0 : page_axis_usable(value)) {
                band_first[row] = band_end[row] == 0 ? (int)column : band_first[row];
                band_end[row] = (int)column + 1;
            }
        }
    }
}

void page_heat_fit(page_heat *heat, const tot_heat_map *map) {
    double low = INFINITY;
    double high = -INFINITY;
    for (size_t k = 0; k < map->rows * map->columns; k++) {
        if (page_axis_usable(map->values[k])) {
            low = fmin(low, map->values[k]);
            high = fmax(high, map->values[k]);
        }
    }
    bool none = !(low <= high);
    *heat = (page_heat){.map = map, .low = none ? 0 : low, .high = none ? 0 : high};
    bool given = map->low < map->high;
    page_axis_fit(&heat->colour, given ? map->low : heat->low, given ? map->high : heat->high, 4,
                  false);
    page_axis_fit(&heat->row_axis, 0, (double)(map->rows - 1), 6, true);
    page_axis_fit(&heat->column_axis, 0, (double)(map->columns - 1), 6, true);
}

// --- values ------------------------------------------------------------------------------------

static unsigned value_code(const page_heat *heat, size_t index) {
    double value = heat->map->values[index];
    if (!page_axis_usable(value)) {
        return PAGE_HEAT_OUTSIDE;
    }
    double span = heat->high - heat->low;
    return span > 0 ? (unsigned)lround((value - heat->low) / span * (PAGE_HEAT_OUTSIDE - 1)) : 0;
}

// The code predicted from its neighbours; those outside the matrix count as 0.
static unsigned expected_code(const page_heat *heat, size_t row, size_t column) {
    size_t index = row * heat->map->columns + column;
    unsigned left = column > 0 ? value_code(heat, index - 1) : 0;
    unsigned above = row > 0 ? value_code(heat, index - heat->map->columns) : 0;
    unsigned corner = row > 0 && column > 0 ? value_code(heat, index - heat->map->columns - 1) : 0;
    return left + above - corner;
}

// Cost and plan change smoothly, or by row and column, so the prediction errors are small and
// compress well.
static void put_differences(const page_heat *heat, unsigned char *low_bytes,
                            unsigned char *high_bytes) {
    for (size_t row = 0; row < heat->map->rows; row++) {
        for (size_t column = 0; column < heat->map->columns; column++) {
            size_t index = row * heat->map->columns + column;
            unsigned difference = value_code(heat, index) - expected_code(heat, row, column);
            low_bytes[index] = (unsigned char)(difference & 255);
            high_bytes[index] = (unsigned char)(difference >> 8 & 255);
        }
    }
}

tot_status page_heat_add_values(page_buffer *out, const page_heat *heat) {
    size_t count = heat->map->rows * heat->map->columns;
    unsigned char *bytes = base_alloc(count, 2, "heat map");
    BASE_HAVE(bytes);
    put_differences(heat, bytes, bytes + count);
    BASE_FINALLY(page_buffer_add_deflated(out, bytes, 2 * count), base_free(bytes));
}

// --- the PNG -----------------------------------------------------------------------------------

// Colour 0 is for masked cells, 1 .. 255 are the map.
static unsigned char value_colour(const page_heat *heat, double value) {
    if (!page_axis_usable(value)) {
        return 0;
    }
    double place = fmin(fmax(page_axis_place(&heat->colour, value), 0), 1);
    return (unsigned char)(1 + lround(254 * place));
}

static void fill_pixels(const page_heat *heat, size_t scale, unsigned char *pixels) {
    size_t columns = heat->map->columns;
    size_t width = columns * scale;
    for (size_t row = 0; row < heat->map->rows; row++) {
        unsigned char *line = pixels + row * scale * width;
        for (size_t column = 0; column < columns; column++) {
            unsigned char colour = value_colour(heat, heat->map->values[row * columns + column]);
            memset(line + column * scale, colour, scale);
        }
        for (size_t copy = 1; copy < scale; copy++) {
            memcpy(line + copy * width, line, width);
        }
    }
}

tot_status page_heat_add_png(page_buffer *out, const page_heat *heat, size_t scale) {
    size_t width = heat->map->columns * scale;
    size_t height = heat->map->rows * scale;
    unsigned char colours[PAGE_COLOUR_COUNT][3];
    unsigned char *pixels = base_alloc(width * height, 1, "heat map");
    BASE_HAVE(pixels);
    fill_pixels(heat, scale, pixels);
    page_colour_map(colours);
    BASE_FINALLY(
        page_buffer_add_png(out, pixels, width, height, (const unsigned char(*)[3])colours, true),
        base_free(pixels));
}

// --- overlays ----------------------------------------------------------------------------------

// A closed outline around rows [start, end), whose band ranges overlap from row to row.
static void add_outline(page_buffer *out, const tot_heat_map *map, size_t start, size_t end) {
    const int *first = map->band_first;
    const int *last = map->band_end;
    page_buffer_add_format(out, "M%d %zu", first[start], start);
    // down the left side
    for (size_t row = start; row < end;) {
        size_t next = row + 1;
        while (next < end && first[next] == first[row]) {
            next++;
        }
        page_buffer_add_format(out, "v%zu", next - row);
        if (next < end) {
            page_buffer_add_format(out, "h%d", first[next] - first[row]);
        }
        row = next;
    }
    page_buffer_add_format(out, "H%d", last[end - 1]);
    // up the right side
    for (size_t row = end; row > start;) {
        size_t next = row - 1;
        while (next > start && last[next - 1] == last[row - 1]) {
            next--;
        }
        page_buffer_add_format(out, "v-%zu", row - next);
        if (next > start) {
            page_buffer_add_format(out, "h%d", last[next - 1] - last[row - 1]);
        }
        row = next;
    }
    page_buffer_add(out, "Z");
}

static void add_band(page_buffer *out, const tot_heat_map *map) {
    for (size_t start = 0; start < map->rows;) {
        size_t end = start;
        while (end < map->rows && map->band_first[end] < map->band_end[end] &&
               (end == start || (map->band_first[end] < map->band_end[end - 1] &&
                                 map->band_first[end - 1] < map->band_end[end]))) {
            end++;
        }
        if (end > start) {
            add_outline(out, map, start, end);
        }
        start = end > start ? end : start + 1;
    }
}

static bool path_usable(const tot_heat_map *map, size_t index) {
    // implausible positions are treated as gaps
    return fabs(map->path_rows[index]) <= 1e6 && fabs(map->path_columns[index]) <= 1e6;
}

static void add_path(page_buffer *out, const tot_heat_map *map) {
    bool drawing = false;
    for (size_t k = 0; k < map->path_count; k++) {
        if (!path_usable(map, k)) {
            drawing = false;
            continue;
        }
        page_buffer_add_format(out, "%c%s %s", drawing ? 'L' : 'M',
                               page_trimmed(map->path_columns[k] + 0.5, 2).text,
                               page_trimmed(map->path_rows[k] + 0.5, 2).text);
        if (!drawing && (k + 1 == map->path_count || !path_usable(map, k + 1))) {
            page_buffer_add(out, "h0");
        }
        drawing = true;
    }
}

// Draws a pale line on a dark one, visible on any colour.
static void draw_twice(page_buffer *out, const tot_heat_map *map, const char *kind,
                       void (*add)(page_buffer *out, const tot_heat_map *map)) {
    static const char *const layers[] = {"under", "over"};
    for (int layer = 0; layer < 2; layer++) {
        page_buffer_add_format(out, "<path class=\"%s %s\" d=\"", kind, layers[layer]);
        add(out, map);
        page_buffer_add(out, "\"/>\n");
    }
}

void page_heat_draw(page_buffer *out, const page_heat *heat) {
    const tot_heat_map *map = heat->map;
    page_plot_draw_bottom_labels(out, &heat->column_axis, map->columns);
    page_plot_draw_left_labels(out, &heat->row_axis, map->rows);
    page_buffer_add_format(out,
                           "<svg class=\"lines\" width=\"100%%\" height=\"100%%\" "
                           "viewBox=\"0 0 %zu %zu\" preserveAspectRatio=\"none\">\n",
                           map->columns, map->rows);
    if (map->band_first != NULL) {
        draw_twice(out, map, "outline", add_band);
    }
    if (map->path_count > 0) {
        draw_twice(out, map, "path", add_path);
    }
    page_buffer_add(out, "</svg>\n");
}
