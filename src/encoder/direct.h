// Our own float32 convolutions for CPUs with AVX2: register-tiled products, Winograd for 3x3, and
// depthwise 3x3. docs/speed_encoder.md explains why.
#pragma once

#include "encoder/weights.h"

typedef struct encoder_direct encoder_direct;

// Whether these kernels support this CPU and are faster on it than oneDNN's.
bool encoder_direct_wanted(void);

// For batches of up to `batch` pictures of size x size. pool (may be NULL) parallelises each layer.
tot_status encoder_direct_create(encoder_direct **direct, tot_weights *weights, int size, int batch,
                                 tot_pool *pool);

// rgb: [count][size][size][3], count <= batch; out: [count][channels][map][map], written. The
// result is bit-identical for any number of threads and any count.
tot_status encoder_direct_run(encoder_direct *direct, const uint8_t *rgb, int count, float *out);

// How a layer is computed: "product", "winograd 4x4", ...; for benchmark tables.
const char *encoder_direct_kernel(const encoder_direct *direct, int layer);

// Called after every layer, to time layers individually; NULL for none.
typedef void (*encoder_direct_watcher)(void *context, int layer);
void encoder_direct_watch(encoder_direct *direct, encoder_direct_watcher watcher, void *context);

// direct may be NULL.
void encoder_direct_free(encoder_direct *direct);
