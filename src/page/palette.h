// Few colours for many: what makes pictures small.
#pragma once

#include <temporalot/base.h>

enum { PAGE_PALETTE_SIZE = 256 };

// Chooses at most 256 colours and names one for every pixel. Pictures that have no more are kept as
// they are. rgb: [count][3], count at most 2^31; indices: [count], written; colours that are not
// needed become black.
tot_status page_palette_make(const uint8_t *rgb, size_t count,
                             uint8_t colours[PAGE_PALETTE_SIZE][3], uint8_t *indices);
