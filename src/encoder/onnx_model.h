// What an ONNX network is made of; onnx.c reads it, onnx_engine.c runs it.
#pragma once

#include <sys/types.h>

#include "encoder/onnx.h"
#include "encoder/openvino.h"
#include "encoder/preprocess.h"

enum { ENCODER_MOST_RANK = 8, ENCODER_PORT_NAME = 256, ENCODER_MODEL_NAME = 64 };

// An input or output.
typedef struct encoder_port {
    char name[ENCODER_PORT_NAME];
    int64_t rank;                      // -1: not fixed
    int64_t sides[ENCODER_MOST_RANK];  // -1: not fixed
} encoder_port;

// The network for pictures of one size, on a number of threads. Kept as long as the weights.
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
    pid_t process;  // that loaded it: OpenVINO's threads do not survive a fork
    tot_network_info info;
    char name[ENCODER_MODEL_NAME];
    encoder_preprocess preprocess;
    ov_model *model;
    encoder_port input, output;
    bool planes;                 // the input's channels come before height and width
    int64_t height;              // of its pictures; -1: any
    encoder_compiled *compiled;  // under the lock of the weights
} encoder_model;

// What OpenVINO said last, behind the path.
tot_status encoder_model_fail(const encoder_model *model);

// Takes port, which is freed.
tot_status encoder_port_read(const encoder_model *model, ov_port *port, encoder_port *out);
