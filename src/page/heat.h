// Heat maps: compact encoding of the values, and overlays.
#pragma once

#include <temporalot/page.h>

#include "page/axis.h"
#include "page/buffer.h"

typedef struct page_heat {
    const tot_heat_map *map;
    double low, high;    // smallest and largest value; both 0 if all are masked
    page_axis colour;    // range of the colours, with ticks for the bar
    page_axis row_axis;  // 0 .. rows - 1
    page_axis column_axis;
} page_heat;

enum { PAGE_HEAT_OUTSIDE = 65535 };  // the code of NaN

// Validates the map.
tot_status page_heat_check(const tot_heat_map *map);

// tot_heat_map_band; is_mask: of a matrix that is 0 outside its band.
void page_heat_band(const double *values, size_t rows, size_t columns, bool is_mask,
                    int *band_first, int *band_end);

// Determines the ranges.
void page_heat_fit(page_heat *heat, const tot_heat_map *map);

// The values as a base64 zlib stream. A value is quantised to a code, 0 at low to 65534 at high,
// and stored as the difference, modulo 65536, to the prediction left + above - upper left from the
// neighbours' codes, which are 0 beyond the edge: first the low bytes of all cells, then the high
// bytes.
tot_status page_heat_add_values(page_buffer *out, const page_heat *heat);

// The cells as a base64 PNG, `scale` pixels per cell side, with masked cells transparent.
tot_status page_heat_add_png(page_buffer *out, const page_heat *heat, size_t scale);

// Tick labels, outline of the band and path, for an <svg> that covers the picture's area.
void page_heat_draw(page_buffer *out, const page_heat *heat);
