// Colour quantisation, to make pictures small.
#pragma once

#include <temporalot/base.h>

enum { PAGE_PALETTE_SIZE = 256 };

// Chooses at most 256 colours and maps every pixel to one of them. Pictures with no more colours
// are unchanged. rgb: [count][3], count at most 2^31; indices: [count], written; unused colours are
// black.
tot_status page_palette_make(const uint8_t *rgb, size_t count,
                             uint8_t colours[PAGE_PALETTE_SIZE][3], uint8_t *indices);
