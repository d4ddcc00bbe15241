#include "encoder/graph_memory.h"

enum { ALIGNMENT = 64 };

static size_t end_of(const encoder_block *block) {
    return (block->offset + block->bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

// The already placed block that a block at this offset would overlap in memory and lifetime; NULL
// if none.
static const encoder_block *in_the_way(const encoder_block *blocks, int placed,
                                       const encoder_block *block, size_t offset) {
    for (int k = 0; k < placed; k++) {
        const encoder_block *other = &blocks[k];
        if (block->first <= other->last && other->first <= block->last && offset < end_of(other) &&
            other->offset < offset + block->bytes) {
            return other;
        }
    }
    return NULL;
}

size_t encoder_blocks_place(encoder_block *blocks, int count) {
    size_t total = 0;
    for (int k = 0; k < count; k++) {
        size_t offset = 0;
        const encoder_block *other;
        // first fit: skip past every conflicting block
        while ((other = in_the_way(blocks, k, &blocks[k], offset)) != NULL) {
            offset = end_of(other);
        }
        blocks[k].offset = offset;
        const size_t end = end_of(&blocks[k]);
        total = end > total ? end : total;
    }
    return total;
}
