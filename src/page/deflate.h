// Compression: zlib streams and PNG pictures.
#pragma once

#include <temporalot/base.h>

// Compresses to a zlib stream. *packed must be freed with base_free.
tot_status page_deflate(const unsigned char *bytes, size_t size, unsigned char **packed,
                        size_t *packed_size);

// An 8-bit PNG with a palette of 256 colours. pixels: [height * width]. clear_first: colour 0 is
// transparent. *png must be freed with base_free.
tot_status page_png_encode(const unsigned char *pixels, size_t width, size_t height,
                           const unsigned char colours[256][3], bool clear_first,
                           unsigned char **png, size_t *png_size);
