// Colours: the map of heat maps, and those of series.
#ifndef TOT_PAGE_COLOUR_H
#define TOT_PAGE_COLOUR_H

#include "page/buffer.h"

enum { TOT_COLOUR_COUNT = 256, TOT_SERIES_COLOURS = 8 };

// Dark indigo over teal to pale yellow: equal steps look equally large, and lightness alone orders
// them, so that the map survives colour blindness and a grey printer.
void tot_colour_map(unsigned char colours[TOT_COLOUR_COUNT][3]);

// CSS rules that give the classes s0 .. s7 their colours, on light paper and on a dark screen.
void tot_colour_add_rules(tot_text *out);

// The classes of series 0, 1, ...: a colour, and after eight of them another dash: "s1 d0".
void tot_colour_add_class(tot_text *out, size_t index);

#endif
