// Figures and tables of a page: the HTML around curves, heat maps and pictures.
#pragma once

#include <temporalot/page.h>

#include "page/buffer.h"

// The arguments must have passed page_plot_check, page_heat_check, page_strip_check, or one of the
// checks below.
void page_figure_add_curves(page_buffer *out, const tot_curves *curves);
void page_figure_add_heat_map(page_buffer *out, const tot_heat_map *map);
void page_figure_add_strip(page_buffer *out, const tot_frame_strip *strip);
void page_figure_add_intervals(page_buffer *out, const tot_intervals *intervals);
void page_table_add(page_buffer *out, const tot_table *table);

tot_status page_intervals_check(const tot_intervals *intervals);
tot_status page_table_check(const tot_table *table);

// CSS gradient of the colour bar, and the colours as hexadecimal digits for the script.
void page_figure_add_bar_rule(page_buffer *out);
void page_figure_add_colours(page_buffer *out);
