// Places buffers in one allocation; buffers with disjoint lifetimes may overlap.
#pragma once

#include <stddef.h>

typedef struct encoder_block {
    size_t bytes;
    int first, last;  // first and last step that uses it
    size_t offset;    // written
} encoder_block;

// Sets every block's offset, a multiple of 64. Returns the total size in bytes.
size_t encoder_blocks_place(encoder_block *blocks, int count);
