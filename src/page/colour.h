// Colours of heat maps and of series.
#pragma once

#include "page/buffer.h"

enum { PAGE_COLOUR_COUNT = 256, PAGE_SERIES_COLOURS = 8 };

// Dark indigo over teal to pale yellow: perceptually uniform with monotone lightness, so that the
// map works with colour blindness and in greyscale print.
void page_colour_map(unsigned char colours[PAGE_COLOUR_COUNT][3]);

// CSS rules with the colours of the classes s0 .. s7 in light and dark mode.
void page_colour_add_rules(page_buffer *out);

// The classes of series 0, 1, ...: a colour, with another dash pattern after every eight: "s1 d0".
void page_colour_add_class(page_buffer *out, size_t index);
