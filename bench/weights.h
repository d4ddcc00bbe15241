// Untrained weights of the encoder's networks, deterministic and scaled to keep the outputs in
// range. They take as long to compute with as trained ones.
#ifndef BENCH_WEIGHTS_H
#define BENCH_WEIGHTS_H

#include <temporalot/temporalot.h>

// network: a name from tot_network_at, such as "resnet50".
tot_status bench_weights(tot_weights **weights, const char *network);

// Writes the same weights as a .safetensors file.
tot_status bench_write_weights(const char *network, const char *path);

#endif
