// Colours: the map of heat maps, and those of series.
#pragma once

#include "page/buffer.h"

enum { PAGE_COLOUR_COUNT = 256, PAGE_SERIES_COLOURS = 8 };

// Dark indigo over teal to pale yellow: equal steps look equally large, and lightness alone orders
// them, so that the map survives colour blindness and a grey printer.
void page_colour_map(unsigned char colours[PAGE_COLOUR_COUNT][3]);

// CSS rules that give the classes s0 .. s7 their colours, on light paper and on a dark screen.
void page_colour_add_rules(page_buffer *out);

// The classes of series 0, 1, ...: a colour, and after eight of them another dash: "s1 d0".
void page_colour_add_class(page_buffer *out, size_t index);
