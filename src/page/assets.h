// Style sheet and script of every page: page.css and page.js, converted to C by the build.
#pragma once

#include <stddef.h>

extern const unsigned char page_css[];
extern const size_t page_css_size;

extern const unsigned char page_js[];
extern const size_t page_js_size;

extern const unsigned char page_svg_css[];
extern const size_t page_svg_css_size;
