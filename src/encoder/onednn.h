// oneDNN's C API with our statuses, and how many threads it uses.
#pragma once

#include <oneapi/dnnl/dnnl.h>
#include <string.h>

#include <temporalot/base.h>

// TOT_OK for dnnl_success; else sets the error text, in which `what` is what was attempted.
tot_status encoder_onednn_check(dnnl_status_t status, const char *what);

#define ENCODER_ONEDNN(expression) BASE_TRY(encoder_onednn_check((expression), #expression))

// The engine of the CPU, made when first asked for and kept.
tot_status encoder_onednn_engine(dnnl_engine_t *engine);

// oneDNN's primitives are made for a number of OpenMP threads and must run with as many: sets it
// for the calling thread and returns what it was. Does nothing where oneDNN has no OpenMP.
int encoder_onednn_threads(int threads);

// oneDNN's memory has no const: for inputs, which it does not write.
static inline void *encoder_onednn_input(const void *data) {
    void *writable;
    memcpy(&writable, &data, sizeof writable);
    return writable;
}

// What the CPU has for numbers of 8 and 16 bits.
bool encoder_onednn_has_int8(void);
bool encoder_onednn_has_bf16(void);
