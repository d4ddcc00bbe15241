// temporalot/page.h - visualisation of results: self-contained HTML pages and stand-alone SVG
// pictures.
//
//     #include <stdio.h>
//     #include <temporalot/page.h>
//
//     int main(void) {
//         const double reward[] = {-0.3, -0.2, -0.25, -0.1};
//         const tot_series series = {.name = "episode 0", .count = 4, .y = reward};
//         const tot_curves curves = {.title = "Reward", .x_name = "step", .y_name = "reward",
//                                    .series = &series, .series_count = 1};
//         tot_page *page = NULL;
//         if (tot_page_create(&page, "Two episodes") != TOT_OK ||
//             tot_page_add_curves(page, &curves) != TOT_OK ||
//             tot_page_write(page, "page.html") != TOT_OK) {
//             fprintf(stderr, "%s\n", tot_error());
//         }
//         tot_page_free(page);
//     }
//
// A page is one file without external resources. It follows the reader's light or dark theme, fits
// a phone screen, prints, and can be used from the keyboard. Curves, tables and frame strips need
// no JavaScript; sorting, values under the pointer and heat maps do. All strings are UTF-8 and are
// HTML-escaped; invalid bytes are shown as U+FFFD. The same calls give the same bytes, whatever the
// locale. Functions keep no pointers to their arguments.
#ifndef TEMPORALOT_PAGE_H
#define TEMPORALOT_PAGE_H

#include <temporalot/base.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- content -----------------------------------------------------------------------------------

// A column of a table. Numeric columns are right-aligned with tabular figures and sorted by the
// leading number of a cell ("87.5 ± 2.1" is 87.5); cells without a number come last.
typedef struct tot_column {
    const char *name;
    bool numeric;
} tot_column;

// Extras of a cell.
typedef struct tot_cell_extra {
    const char *note;  // small type below the text; may be NULL
    const char *path;  // file that the text links to, relative to the page; may be NULL
    const char *rows;  // row name in a table of this page that the text links to; may be NULL
    bool best;         // bold
} tot_cell_extra;

typedef struct tot_table {
    const char *title;          // may be NULL
    const tot_column *columns;  // [column_count], at least one
    size_t column_count;
    const char *const *cells;      // [row_count * column_count], row-major; a NULL cell is empty
    size_t row_count;              // may be 0
    const tot_cell_extra *extras;  // [row_count * column_count]; may be NULL
    // [row_count], NULL for none. Rows may share a name; following a link to a name shows the rows
    // of that name and hides the others until asked. May be NULL.
    const char *const *row_names;
} tot_table;

// A value with its interval, drawn as a dot on a line.
typedef struct tot_interval {
    const char *name;
    double value, low, high;  // not finite: only name and text are shown
    const char *text;         // text beside it: "53.1 (41.0 to 61.2)"; may be NULL
    size_t colour;            // index of the series colour (0, 1, ...)
} tot_interval;

// A list of intervals on a common axis.
typedef struct tot_intervals {
    const char *title;  // title and axis name may be NULL
    const char *x_name;
    const tot_interval *items;  // [count]
    size_t count;               // may be 0
    double low, high;           // range of the axis; both 0: fitted to the values
    const double *mark;         // position of a reference line (such as a probability of 0.5); may
                                // be NULL
} tot_intervals;

// One curve. A point that is NaN, infinite or beyond 1e300 leaves a gap. Curves with more than
// 2,000 points are reduced to those that determine their shape: ends and extremes of 400 segments,
// and gaps.
typedef struct tot_series {
    const char *name;    // may be NULL
    size_t count;        // may be 0
    const double *x;     // [count], or NULL for 0, 1, 2, ...
    const double *y;     // [count]
    const double *low;   // [count], lower edge of a band around the curve; may be NULL
    const double *high;  // [count], upper edge; set if and only if low is
} tot_series;

typedef struct tot_curves {
    const char *title;  // title and axis names may be NULL
    const char *x_name;
    const char *y_name;
    const tot_series *series;  // [series_count]; an empty one keeps its colour and position
    size_t series_count;       // may be 0
    double y_low, y_high;      // range of the y axis; both 0: fitted to the values
    size_t marked;             // number of series, from the first, with a dot on every point
} tot_curves;

enum { TOT_HEAT_MAP_LIMIT = 2048 };  // maximum number of rows and of columns

// A matrix as a picture, row 0 at the top. A value that is NaN, infinite or beyond 1e300 is outside
// the mask and hatched. A page stores 16 bits per value, so the value shown under the pointer is
// accurate to 1/131068 of the range.
typedef struct tot_heat_map {
    const char *title;     // title and both names may be NULL
    const char *row_name;  // what a row is: "episode step"
    const char *column_name;
    size_t rows, columns;        // 1 .. TOT_HEAT_MAP_LIMIT
    const double *values;        // [rows * columns], row-major
    double low, high;            // values at the ends of the colour scale; both 0: fitted to the
                                 // values
    const int *band_first;       // [rows], first column of the outlined band; may be NULL
    const int *band_end;         // [rows], one past the last column; set with band_first
    const double *path_rows;     // [path_count], a line over the picture; cell (r, c) is centred
    const double *path_columns;  // at (r, c), NaN leaves a gap. Both may be NULL
    size_t path_count;
} tot_heat_map;

// The band of a matrix that is NaN outside it, as from tot_labeler_cost: for every row the first
// column inside and one past the last (0 and 0 if there is none). Both are [rows].
TOT_API void tot_heat_map_band(const double *values, size_t rows, size_t columns, int *band_first,
                               int *band_end);

enum { TOT_STRIP_PICTURES = 24, TOT_STRIP_SIDE = 112 };  // maximum per row; maximum pixels per side

// A row of small pictures: an episode or a demonstration. From more than TOT_STRIP_PICTURES evenly
// spaced ones are shown, including the first and last; larger pictures are scaled down; a row has a
// palette of 256 colours.
typedef struct tot_frame_row {
    const char *name;        // "episode"; may be NULL
    const uint8_t *frames;   // [count][height][width][3], RGB, top row first
    size_t count;            // at least 1
    int width, height;       // 1 .. 16384
    const size_t *steps;     // [count], increasing: the step of each picture; NULL for 0, 1, 2, ...
    size_t step_count;       // total number of steps; 0: up to the last picture
    const double *values;    // [step_count], curve below the pictures, NaN for a gap; may be NULL
    const char *value_name;  // "reward"; may be NULL
    // [step_count], for every step the matching step of row 0 (the argmax of its row of the plan),
    // or -1 for none; may be NULL. Not in row 0.
    const int *match;
} tot_frame_row;

// Stacked rows. Moving the pointer along one row shows the step, its value and the match in the
// others.
typedef struct tot_frame_strip {
    const char *title;          // may be NULL
    const tot_frame_row *rows;  // [row_count]
    size_t row_count;           // at least 1
    int width;                  // displayed width of a picture, 16 .. 512 CSS pixels; 0: 72
} tot_frame_strip;

// --- pages -------------------------------------------------------------------------------------

typedef struct tot_page tot_page;

// An empty page with this title.
TOT_API tot_status tot_page_create(tot_page **page, const char *title);

// These append to the page. On failure the page is unchanged. level: 1 for a section, 2 for a
// subsection.
TOT_API tot_status tot_page_add_heading(tot_page *page, int level, const char *text);
TOT_API tot_status tot_page_add_paragraph(tot_page *page, const char *text);
TOT_API tot_status tot_page_add_code(tot_page *page, const char *text);  // a command to copy
TOT_API tot_status tot_page_add_table(tot_page *page, const tot_table *table);
TOT_API tot_status tot_page_add_intervals(tot_page *page, const tot_intervals *intervals);
TOT_API tot_status tot_page_add_curves(tot_page *page, const tot_curves *curves);
TOT_API tot_status tot_page_add_heat_map(tot_page *page, const tot_heat_map *map);
TOT_API tot_status tot_page_add_frames(tot_page *page, const tot_frame_strip *strip);

// Names and values in a collapsible section, such as the settings of a run. Both are [count].
TOT_API tot_status tot_page_add_settings(tot_page *page, const char *title,
                                         const char *const *names, const char *const *values,
                                         size_t count);

// Elements added between these two calls are placed side by side if the window is wide enough. In a
// row, heat maps of the same shape share their cursor and curves of the same name are toggled
// together. Rows do not nest.
TOT_API tot_status tot_page_begin_row(tot_page *page);
TOT_API tot_status tot_page_end_row(tot_page *page);

// The page in its current state, NUL-terminated. Owned by page, valid until the next call on it.
TOT_API const char *tot_page_text(tot_page *page);

// Writes the page atomically: see tot_file_create.
TOT_API tot_status tot_page_write(tot_page *page, const char *path);

// page may be NULL.
TOT_API void tot_page_free(tot_page *page);

// --- stand-alone pictures ----------------------------------------------------------------------

// An SVG file of panels, arranged left to right and then down, for documents and <img> elements.
typedef struct tot_svg tot_svg;

// columns: panels per row, 1 .. 16. title is read by screen readers.
TOT_API tot_status tot_svg_create(tot_svg **svg, const char *title, int columns);

// On failure the picture is unchanged.
TOT_API tot_status tot_svg_add_curves(tot_svg *svg, const tot_curves *curves);
TOT_API tot_status tot_svg_add_heat_map(tot_svg *svg, const tot_heat_map *map);

// The picture in its current state, NUL-terminated. Owned by svg, valid until the next call on it.
TOT_API const char *tot_svg_text(tot_svg *svg);

// Writes the picture atomically: see tot_file_create.
TOT_API tot_status tot_svg_write(tot_svg *svg, const char *path);

// svg may be NULL.
TOT_API void tot_svg_free(tot_svg *svg);

#ifdef __cplusplus
}
#endif
#endif
