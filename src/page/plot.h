// The drawing of curves: the same elements inside a page and in a stand-alone picture.
#pragma once

#include <temporalot/page.h>

#include "page/axis.h"
#include "page/buffer.h"

typedef struct page_plot {
    const tot_curves *curves;
    page_axis x, y;
    bool empty;  // there is no point to draw
    bool cut;    // something lies outside the range that was asked for
} page_plot;

// Says what is wrong with the curves, if anything is.
tot_status page_plot_check(const tot_curves *curves);

// Finds the axes.
void page_plot_fit(page_plot *plot, const tot_curves *curves);

// Grid, tick labels and curves, for inside an <svg> that is the plot's area. Labels are placed in
// percent and stand outside the area, curves are stretched to it, so that the area may be of any
// size; width and height only say how finely coordinates are written.
// with_values: also the numbers themselves, for the value under the pointer.
void page_plot_draw(page_buffer *out, const page_plot *plot, int width, int height,
                    bool with_values);

// Tick labels of an axis along the bottom and along the left side. count: 0, or for a heat map how
// many cells the axis has, whose labels stand at their centres.
void page_plot_draw_bottom_labels(page_buffer *out, const page_axis *axis, size_t count);
void page_plot_draw_left_labels(page_buffer *out, const page_axis *axis, size_t count);
