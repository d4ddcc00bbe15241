// Drawing of curves: the same elements in a page and in a stand-alone picture.
#pragma once

#include <temporalot/page.h>

#include "page/axis.h"
#include "page/buffer.h"

typedef struct page_plot {
    const tot_curves *curves;
    page_axis x, y;
    bool empty;  // no points to draw
    bool cut;    // some values are outside the requested range
} page_plot;

// Validates the curves.
tot_status page_plot_check(const tot_curves *curves);

// Determines the axes.
void page_plot_fit(page_plot *plot, const tot_curves *curves);

// Grid, tick labels and curves, for an <svg> that covers the plot's area. Labels are positioned in
// percent, outside the area, and curves are stretched to it, so the area can have any size; width
// and height only set the resolution of coordinates. with_values: also writes the numbers, for the
// value under the pointer.
void page_plot_draw(page_buffer *out, const page_plot *plot, int width, int height,
                    bool with_values);

// The ranges of both axes as attributes for the script.
void page_plot_add_ranges(page_buffer *out, const page_plot *plot);

// Tick labels along the bottom and along the left side. count: 0, or for a heat map the number of
// cells of the axis, with labels at their centres.
void page_plot_draw_bottom_labels(page_buffer *out, const page_axis *axis, size_t count);
void page_plot_draw_left_labels(page_buffer *out, const page_axis *axis, size_t count);
