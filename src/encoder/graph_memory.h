// Placing buffers in one piece of memory: those that are not needed at the same time may overlap.
#pragma once

#include <stddef.h>

typedef struct encoder_block {
    size_t bytes;
    int first, last;  // steps in which it is needed
    size_t offset;    // written
} encoder_block;

// Gives every block its offset, a multiple of 64. Returns the bytes in all.
size_t encoder_blocks_place(encoder_block *blocks, int count);
