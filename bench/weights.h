// Weights of the encoder's networks that nobody trained: of the size that keeps the outputs in
// range, the same every time. What is computed takes as long with them as with trained ones.
#ifndef BENCH_WEIGHTS_H
#define BENCH_WEIGHTS_H

#include <temporalot/temporalot.h>

// network: one of tot_network_at, as "resnet50".
tot_status bench_weights(tot_weights **weights, const char *network);

// The same as a .safetensors file.
tot_status bench_write_weights(const char *network, const char *path);

#endif
