// Our own convolutions in float32, for CPUs with AVX2: products of tiles that lie in registers,
// Winograd's transforms for 3x3, and 3x3 by channel. See docs/speed_encoder.md for why.
#ifndef TOT_ENCODER_DIRECT_H
#define TOT_ENCODER_DIRECT_H

#include "encoder/weights.h"

typedef struct tot_direct tot_direct;

// Whether this CPU is one for which they are written and faster than oneDNN's.
bool tot_direct_wanted(void);

// For up to `batch` pictures of `size` at a time. pool (may be NULL) shares the work of each layer.
tot_status tot_direct_create(tot_direct **direct, tot_weights *weights, int size, int batch,
                             tot_pool *pool);

// rgb: [count][size][size][3], count <= batch; out: [count][channels][map][map], written. The
// bytes do not depend on the number of threads or pictures.
tot_status tot_direct_run(tot_direct *direct, const uint8_t *rgb, int count, float *out);

// How the layers are computed: "product", "winograd 4x4", ...; for the table of a benchmark.
const char *tot_direct_kernel(const tot_direct *direct, int layer);

// After every layer: for measuring them one by one. NULL: none.
typedef void (*tot_direct_watcher)(void *context, int layer);
void tot_direct_watch(tot_direct *direct, tot_direct_watcher watcher, void *context);

// direct may be NULL.
void tot_direct_free(tot_direct *direct);

#endif
