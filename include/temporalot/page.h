// temporalot/page.h - results to look at: self-contained HTML pages and stand-alone SVG pictures.
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
// A page is one file: no network, no other file. It is light or dark as the reader's system is,
// fits a phone, prints, and can be used from the keyboard. Curves, tables and frame strips need no
// JavaScript; sorting, values under the pointer and heat maps do. All texts are UTF-8 and are
// escaped: "<" is shown, never obeyed; bytes that are not UTF-8 are shown as U+FFFD. The same calls
// give the same bytes, whatever the locale. Nothing given to a function is kept after it returns.
#ifndef TEMPORALOT_PAGE_H
#define TEMPORALOT_PAGE_H

#include <temporalot/base.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- what can be shown -------------------------------------------------------------------------

// A column of a table. Numeric ones stand at the right, in figures of one width, and are sorted by
// the number a cell begins with ("87.5 ± 2.1" is 87.5); cells without one come last.
typedef struct tot_column {
    const char *name;
    bool numeric;
} tot_column;

// What a cell has beside its words.
typedef struct tot_cell_extra {
    const char *note;  // in small type below them; may be NULL
    const char *path;  // of a file that they lead to, as seen from the page; may be NULL
    const char *rows;  // the name of rows of a table of this page that they lead to; may be NULL
    bool best;         // they are bold
} tot_cell_extra;

typedef struct tot_table {
    const char *title;          // may be NULL
    const tot_column *columns;  // [column_count], at least one
    size_t column_count;
    const char *const *cells;      // [row_count * column_count], row by row; a NULL cell is empty
    size_t row_count;              // may be 0
    const tot_cell_extra *extras;  // [row_count * column_count]; may be NULL
    // [row_count], NULL for none: rows may share a name, and one that is led to shows all of its
    // name, and no others until asked. May be NULL.
    const char *const *row_names;
} tot_table;

// A value with the interval around it: a dot on a line.
typedef struct tot_interval {
    const char *name;
    double value, low, high;  // not finite: only the name and the text are shown
    const char *text;         // what is read beside it: "53.1 (41.0 to 61.2)"; may be NULL
    size_t colour;            // the colour of series 0, 1, ... of curves
} tot_interval;

// Intervals below each other, on one axis.
typedef struct tot_intervals {
    const char *title;  // these two may be NULL
    const char *x_name;
    const tot_interval *items;  // [count]
    size_t count;               // may be 0
    double low, high;           // what the axis shows; both 0: what the values need
    const double *mark;         // where a line crosses them all (a chance of 0.5); may be NULL
} tot_intervals;

// One curve. A point that is NaN, infinite or beyond 1e300 leaves a gap. Of more than 2,000 points
// those that shape the curve are kept: the ends and extremes of 400 stretches, and the gaps.
typedef struct tot_series {
    const char *name;    // may be NULL
    size_t count;        // may be 0
    const double *x;     // [count], or NULL for 0, 1, 2, ...
    const double *y;     // [count]
    const double *low;   // [count], the lower edge of a band around the curve; may be NULL
    const double *high;  // [count], its upper edge; given with low or not at all
} tot_series;

typedef struct tot_curves {
    const char *title;  // these three may be NULL
    const char *x_name;
    const char *y_name;
    const tot_series *series;  // [series_count]; one without points keeps its colour and place
    size_t series_count;       // may be 0
    double y_low, y_high;      // what the y axis shows; both 0: what the values need
    size_t marked;             // the first so many have a dot on every point
} tot_curves;

enum { TOT_HEAT_MAP_LIMIT = 2048 };  // rows and columns of the largest heat map

// A matrix as a picture, row 0 at the top. A value that is NaN, infinite or beyond 1e300 is outside
// the mask and drawn as an empty hatch. A page keeps 16 bits a value, so what it shows under the
// pointer is within 1/131068 of the values' range.
typedef struct tot_heat_map {
    const char *title;     // these three may be NULL
    const char *row_name;  // what a row is: "episode step"
    const char *column_name;
    size_t rows, columns;        // 1 .. TOT_HEAT_MAP_LIMIT
    const double *values;        // [rows * columns], row by row
    double low, high;            // the values at the ends of the colours; both 0: the values' own
    const int *band_first;       // [rows], first column inside the outlined band; may be NULL
    const int *band_end;         // [rows], the column behind the last; given with band_first
    const double *path_rows;     // [path_count], a line over the picture: cell (r, c) has its
    const double *path_columns;  // centre at (r, c); NaN leaves a gap. Both may be NULL
    size_t path_count;
} tot_heat_map;

// The band of a matrix that is NaN outside it, as tot_labeler_cost gives: of every row the first
// column that is not outside, and the column behind the last (0 and 0 when all are). Both [rows].
TOT_API void tot_heat_map_band(const double *values, size_t rows, size_t columns, int *band_first,
                               int *band_end);

enum { TOT_STRIP_PICTURES = 24, TOT_STRIP_SIDE = 112 };  // of a row, and pixels per side at most

// A row of small pictures: an episode, or a demonstration. Of more than TOT_STRIP_PICTURES an even
// choice is shown, with the first and the last; larger ones are made smaller; a row keeps 256
// colours.
typedef struct tot_frame_row {
    const char *name;        // "episode"; may be NULL
    const uint8_t *frames;   // [count][height][width][3], RGB, top row first
    size_t count;            // at least 1
    int width, height;       // 1 .. 16384
    const size_t *steps;     // [count], rising: which step a picture shows; NULL for 0, 1, 2, ...
    size_t step_count;       // how many steps there were; 0: up to the last picture's
    const double *values;    // [step_count], a curve under the pictures, NaN for a gap; may be NULL
    const char *value_name;  // "reward"; may be NULL
    // [step_count], for every step the one of row 0 that it goes with (the largest of its row of a
    // plan), or -1 for none; may be NULL. Not in row 0.
    const int *match;
} tot_frame_row;

// Rows below each other. Moving along one shows the step, its value and its match in the others.
typedef struct tot_frame_strip {
    const char *title;          // may be NULL
    const tot_frame_row *rows;  // [row_count]
    size_t row_count;           // at least 1
    int width;                  // of a picture as it is shown, 16 .. 512 CSS pixels; 0: 72
} tot_frame_strip;

// --- pages -------------------------------------------------------------------------------------

typedef struct tot_page tot_page;

// An empty page under this title.
TOT_API tot_status tot_page_create(tot_page **page, const char *title);

// These add below what is there. One that fails leaves the page as it was.
// level: 1 for a section, 2 for a part of one.
TOT_API tot_status tot_page_add_heading(tot_page *page, int level, const char *text);
TOT_API tot_status tot_page_add_paragraph(tot_page *page, const char *text);
TOT_API tot_status tot_page_add_code(tot_page *page, const char *text);  // a command to copy
TOT_API tot_status tot_page_add_table(tot_page *page, const tot_table *table);
TOT_API tot_status tot_page_add_intervals(tot_page *page, const tot_intervals *intervals);
TOT_API tot_status tot_page_add_curves(tot_page *page, const tot_curves *curves);
TOT_API tot_status tot_page_add_heat_map(tot_page *page, const tot_heat_map *map);
TOT_API tot_status tot_page_add_frames(tot_page *page, const tot_frame_strip *strip);

// Names and their values, folded under one line: the settings of a run. Both [count].
TOT_API tot_status tot_page_add_settings(tot_page *page, const char *title,
                                         const char *const *names, const char *const *values,
                                         size_t count);

// What is added between these stands side by side, where the window is wide enough. Heat maps of
// one row that have the same shape share their probe; curves of one name are toggled together.
// Rows do not nest.
TOT_API tot_status tot_page_begin_row(tot_page *page);
TOT_API tot_status tot_page_end_row(tot_page *page);

// The whole page as it is now, ending in a 0 byte. Owned by page, valid until its next call.
TOT_API const char *tot_page_text(tot_page *page);

// Writes the page: whole or absent, see tot_file_create.
TOT_API tot_status tot_page_write(tot_page *page, const char *path);

// page may be NULL.
TOT_API void tot_page_free(tot_page *page);

// --- stand-alone pictures ----------------------------------------------------------------------

// One SVG file of panels, left to right and then down, for documents and for an <img>.
typedef struct tot_svg tot_svg;

// columns: panels side by side, 1 .. 16. title is what a screen reader says.
TOT_API tot_status tot_svg_create(tot_svg **svg, const char *title, int columns);

// One that fails leaves the picture as it was.
TOT_API tot_status tot_svg_add_curves(tot_svg *svg, const tot_curves *curves);
TOT_API tot_status tot_svg_add_heat_map(tot_svg *svg, const tot_heat_map *map);

// The whole picture as it is now, ending in a 0 byte. Owned by svg, valid until its next call.
TOT_API const char *tot_svg_text(tot_svg *svg);

// Writes the picture: whole or absent.
TOT_API tot_status tot_svg_write(tot_svg *svg, const char *path);

// svg may be NULL.
TOT_API void tot_svg_free(tot_svg *svg);

#ifdef __cplusplus
}
#endif
#endif
