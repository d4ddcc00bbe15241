// Heat maps: their values in few bytes, and what is drawn over them.
#pragma once

#include <temporalot/page.h>

#include "page/axis.h"
#include "page/buffer.h"

typedef struct page_heat {
    const tot_heat_map *map;
    double low, high;    // smallest and largest value; both 0 when all are outside
    page_axis colour;    // the range of the colours, with ticks for the bar
    page_axis row_axis;  // 0 .. rows - 1
    page_axis column_axis;
} page_heat;

enum { PAGE_HEAT_OUTSIDE = 65535 };  // the code of a value that is NaN

// Says what is wrong with the map, if anything is.
tot_status page_heat_check(const tot_heat_map *map);

// Finds the ranges.
void page_heat_fit(page_heat *heat, const tot_heat_map *map);

// The values as base64 of a zlib stream. In it a value is a code, 0 at low to 65534 at high, stored
// as its difference, modulo 65536, to left + above - (left and above) of its neighbours' codes,
// which are 0 beyond the edge: first the low bytes of all cells, then the high bytes.
void page_heat_add_values(page_buffer *out, const page_heat *heat);

// A picture of the cells as base64 of a PNG, every cell `scale` pixels wide and high, outside
// cells transparent.
void page_heat_add_png(page_buffer *out, const page_heat *heat, size_t scale);

// Tick labels, the band's outline and the path, for inside an <svg> that is the picture's area.
void page_heat_draw(page_buffer *out, const page_heat *heat);
