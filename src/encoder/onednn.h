// oneDNN's C API with our status codes, and control of its threads.
#pragma once

#include <oneapi/dnnl/dnnl.h>
#include <string.h>

#include <temporalot/base.h>

// TOT_OK for dnnl_success; otherwise sets the error text. what: the attempted operation.
tot_status encoder_onednn_check(dnnl_status_t status, const char *what);

#define ENCODER_ONEDNN(expression) BASE_TRY(encoder_onednn_check((expression), #expression))

// The CPU engine, created on first use and kept.
tot_status encoder_onednn_engine(dnnl_engine_t *engine);

// oneDNN creates primitives for a fixed number of OpenMP threads, and they must run with the same
// number. Sets it for the calling thread and returns the previous value. No effect if oneDNN has no
// OpenMP.
int encoder_onednn_threads(int threads);

// Casts away const for inputs, which oneDNN does not write: its memory API has no const.
static inline void *encoder_onednn_input(const void *data) {
    void *writable;
    memcpy(&writable, &data, sizeof writable);
    return writable;
}

// Whether the CPU has 8-bit and bf16 dot-product instructions.
bool encoder_onednn_has_int8(void);
bool encoder_onednn_has_bf16(void);
