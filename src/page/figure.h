// Figures of a page: the HTML around curves and heat maps.
#ifndef TOT_PAGE_FIGURE_H
#define TOT_PAGE_FIGURE_H

#include <temporalot/page.h>

#include "page/buffer.h"

// These have been checked by tot_plot_check, tot_heat_check and tot_strip_check.
void tot_figure_add_curves(tot_text *out, const tot_curves *curves);
void tot_figure_add_heat_map(tot_text *out, const tot_heat_map *map);
void tot_figure_add_strip(tot_text *out, const tot_frame_strip *strip);
void tot_figure_add_intervals(tot_text *out, const tot_intervals *intervals);

// Says what is wrong with the intervals, if anything is.
tot_status tot_intervals_check(const tot_intervals *intervals);

// CSS for the colour bar, and the colours as hexadecimal digits for the script.
void tot_figure_add_bar_rule(tot_text *out);
void tot_figure_add_colours(tot_text *out);

#endif
