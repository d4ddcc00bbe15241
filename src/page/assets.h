// The style and the script of every page: page.css and page.js, turned into C when building.
#ifndef TOT_PAGE_ASSETS_H
#define TOT_PAGE_ASSETS_H

#include <stddef.h>

extern const unsigned char tot_page_css[];
extern const size_t tot_page_css_size;

extern const unsigned char tot_page_js[];
extern const size_t tot_page_js_size;

extern const unsigned char tot_svg_css[];
extern const size_t tot_svg_css_size;

#endif
