// The internals of an ONNX network: read by onnx.c, run by onnx_engine.c.
#pragma once

#include <sys/types.h>

#include "encoder/onnx.h"
#include "encoder/openvino.h"
#include "encoder/preprocess.h"

enum { ENCODER_MOST_RANK = 8, ENCODER_PORT_NAME = 256, ENCODER_MODEL_NAME = 64 };

// An input or output.
typedef struct encoder_port {
    char name[ENCODER_PORT_NAME];
    int64_t rank;                      // -1: dynamic
    int64_t sides[ENCODER_MOST_RANK];  // -1: dynamic
} encoder_port;

// The network compiled for a picture size, a number of threads and a precision. Lives as long as
// the weights.
typedef struct encoder_compiled {
    struct encoder_compiled *next;
    int size;
    int threads;
    tot_precision precision;
    encoder_layout layout;
    ov_compiled_model *compiled;
} encoder_compiled;

typedef struct encoder_model {
    const encoder_openvino *openvino;
    char *path;
    pid_t process;  // the process that loaded it: OpenVINO's threads do not survive a fork
    tot_network_info info;
    char name[ENCODER_MODEL_NAME];
    encoder_preprocess preprocess;
    ov_model *model;
    encoder_port input, output;
    bool planes;                 // input is channels first
    int64_t height;              // picture side in pixels; -1: any
    encoder_compiled *compiled;  // guarded by the lock of the weights
} encoder_model;

// Fails with OpenVINO's last error message, prefixed with the path.
tot_status encoder_model_fail(const encoder_model *model);

// Describes a port into out. Takes ownership of port and frees it.
tot_status encoder_port_read(const encoder_model *model, ov_port *port, encoder_port *out);
