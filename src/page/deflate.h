// Bytes made smaller: zlib streams and PNG pictures.
#pragma once

#include <temporalot/base.h>

// Compresses into a zlib stream. *packed is freed with base_free.
tot_status page_deflate(const unsigned char *bytes, size_t size, unsigned char **packed,
                        size_t *packed_size);

// A PNG of one byte a pixel that names one of 256 colours.
// pixels: [height * width]. clear_first: colour 0 is transparent. *png is freed with base_free.
tot_status page_png_encode(const unsigned char *pixels, size_t width, size_t height,
                           const unsigned char colours[256][3], bool clear_first,
                           unsigned char **png, size_t *png_size);
