// The style and the script of every page: page.css and page.js, turned into C when building.
#pragma once

#include <stddef.h>

extern const unsigned char page_css[];
extern const size_t page_css_size;

extern const unsigned char page_js[];
extern const size_t page_js_size;

extern const unsigned char page_svg_css[];
extern const size_t page_svg_css_size;
