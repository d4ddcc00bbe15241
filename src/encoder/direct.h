// Our own convolutions in float32, for CPUs with AVX2: products of tiles that lie in registers,
// Winograd's transforms for 3x3, and 3x3 by channel. See docs/speed_encoder.md for why.
#pragma once

#include "encoder/weights.h"

typedef struct encoder_direct encoder_direct;

// Whether this CPU is one for which they are written and faster than oneDNN's.
bool encoder_direct_wanted(void);

// For up to `batch` pictures of `size` at a time. pool (may be NULL) shares the work of each layer.
tot_status encoder_direct_create(encoder_direct **direct, tot_weights *weights, int size, int batch,
                                 tot_pool *pool);

// rgb: [count][size][size][3], count <= batch; out: [count][channels][map][map], written. The
// bytes do not depend on the number of threads or pictures.
tot_status encoder_direct_run(encoder_direct *direct, const uint8_t *rgb, int count, float *out);

// How the layers are computed: "product", "winograd 4x4", ...; for the table of a benchmark.
const char *encoder_direct_kernel(const encoder_direct *direct, int layer);

// After every layer: for measuring them one by one. NULL: none.
typedef void (*encoder_direct_watcher)(void *context, int layer);
void encoder_direct_watch(encoder_direct *direct, encoder_direct_watcher watcher, void *context);

// direct may be NULL.
void encoder_direct_free(encoder_direct *direct);
