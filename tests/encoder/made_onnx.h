// Small ONNX networks, written field by field: patch embeddings of pictures as a map, as tokens
// preceded by a class token, and as a vector.
#pragma once

#include <stdio.h>
#include <string.h>

#include "../asserts.h"
#include "file/protobuf.h"

enum { MADE_CHANNELS = 5, MADE_PATCH = 16, MADE_FLOAT = 1, MADE_HALF = 10, MADE_INT64 = 7 };
enum { MADE_WEIGHTS = MADE_CHANNELS * 3 * MADE_PATCH * MADE_PATCH };

typedef struct made_onnx {
    int side;                // side of the input pictures; 0: any
    int batch;               // 0: any; at most MADE_MOST_BATCH
    bool channels_last;      // the input is (batch, height, width, 3)
    bool half;               // 16-bit floats
    bool only_row;           // tokens and map are not outputs
    const char *extra;       // type of an additional node at the end; NULL: none
    const char *input;       // an additional input, added to the row; NULL: none
    const char *location;    // file of the external weights; NULL: inside the file
    const char *row_before;  // name of the row as the first output; NULL: the last, "row"
} made_onnx;

// The kernel of the patch embedding: [MADE_CHANNELS][3][MADE_PATCH][MADE_PATCH].
static inline const float *made_kernel(void) {
    static float kernel[MADE_WEIGHTS];
    for (int k = 0; k < MADE_WEIGHTS; k++) {
        kernel[k] = (float)((k * 7919) % 1000 - 500) / 16000.0F;
    }
    return kernel;
}

enum { MADE_MOST_BATCH = 4 };
static const float made_class[MADE_MOST_BATCH * MADE_CHANNELS] = {1, -2, 3, -4, 5};

// --- messages -----------------------------------------------------------------------------------

static inline void made_add(file_protobuf *outer, int field, file_protobuf *inner) {
    file_protobuf_message(outer, field, inner);
    file_protobuf_free(inner);
    *inner = (file_protobuf){0};
}

static inline void made_tensor(file_protobuf *graph, const char *name, int type,
                               const int64_t *sides, int rank, const void *bytes, size_t size,
                               const char *location) {
    file_protobuf tensor = {0};
    file_protobuf entry = {0};
    for (int k = 0; k < rank; k++) {
        file_protobuf_count(&tensor, 1, (uint64_t)sides[k]);
    }
    file_protobuf_count(&tensor, 2, (uint64_t)type);
    file_protobuf_text(&tensor, 8, name);
    if (location == NULL) {
        file_protobuf_bytes(&tensor, 9, bytes, size);
    } else {
        file_protobuf_text(&entry, 1, "location");
        file_protobuf_text(&entry, 2, location);
        made_add(&tensor, 13, &entry);
        file_protobuf_count(&tensor, 14, 1);
    }
    made_add(graph, 5, &tensor);
}

// attribute: a list of integers, or a single one if count is 0; NULL: none.
static inline void made_node(file_protobuf *graph, const char *type, const char *input,
                             const char *second, const char *output, const char *attribute,
                             const int64_t *values, int count) {
    file_protobuf node = {0};
    file_protobuf given = {0};
    file_protobuf_text(&node, 1, input);
    if (second != NULL) {
        file_protobuf_text(&node, 1, second);
    }
    file_protobuf_text(&node, 2, output);
    file_protobuf_text(&node, 4, type);
    if (attribute != NULL) {
        file_protobuf_text(&given, 1, attribute);
        for (int k = 0; k < count; k++) {
            file_protobuf_count(&given, 8, (uint64_t)values[k]);
        }
        if (count == 0) {
            file_protobuf_count(&given, 3, (uint64_t)values[0]);
        }
        file_protobuf_count(&given, 20, count > 0 ? 7 : 2);
        made_add(&node, 5, &given);
    }
    made_add(graph, 1, &node);
}

// sides: 0 for dynamic dimensions. field: 11 for inputs, 12 for outputs.
static inline void made_value(file_protobuf *graph, int field, const char *name, int type,
                              const int64_t *sides, int rank) {
    file_protobuf value = {0}, kind = {0}, tensor = {0}, shape = {0}, side = {0};
    for (int k = 0; k < rank; k++) {
        char any[8];
        snprintf(any, sizeof any, "n%d", k);
        if (sides[k] > 0) {
            file_protobuf_count(&side, 1, (uint64_t)sides[k]);
        } else {
            file_protobuf_text(&side, 2, any);
        }
        made_add(&shape, 1, &side);
    }
    file_protobuf_count(&tensor, 1, (uint64_t)type);
    made_add(&tensor, 2, &shape);
    made_add(&kind, 1, &tensor);
    file_protobuf_text(&value, 1, name);
    made_add(&value, 2, &kind);
    made_add(graph, field, &value);
}

// --- the network --------------------------------------------------------------------------------

// picture -> patches (the map) -> tokens, and the mean of the map.
static inline void made_nodes(const made_onnx *made, file_protobuf *graph, const char *row) {
    static const int64_t strides[] = {MADE_PATCH, MADE_PATCH};
    static const int64_t to_planes[] = {0, 3, 1, 2};
    static const int64_t to_tokens[] = {0, 2, 1};
    static const int64_t floats[] = {MADE_FLOAT};
    static const int64_t one[] = {1};
    const char *at = "picture";
    if (made->half) {
        made_node(graph, "Cast", at, NULL, "wide", "to", floats, 0);
        at = "wide";
    }
    if (made->channels_last) {
        made_node(graph, "Transpose", at, NULL, "planes", "perm", to_planes, 4);
        at = "planes";
    }
    made_node(graph, "Conv", at, "kernel", "map", "strides", strides, 2);
    made_node(graph, "Reshape", "map", "flat", "columns", NULL, NULL, 0);
    made_node(graph, "Transpose", "columns", NULL, "patches", "perm", to_tokens, 3);
    made_node(graph, "Concat", "class", "patches", "tokens", "axis", one, 0);
    made_node(graph, "GlobalAveragePool", "map", NULL, "mean", NULL, NULL, 0);
    const bool more = made->extra != NULL || made->input != NULL;
    made_node(graph, "Flatten", "mean", NULL, more ? "before" : row, NULL, NULL, 0);
    if (more) {
        made_node(graph, made->extra != NULL ? made->extra : "Add", "before", made->input, row,
                  NULL, NULL, 0);
    }
}

static inline void made_graph(const made_onnx *made, file_protobuf *graph) {
    const int64_t cells = made->side / MADE_PATCH;
    const int64_t kernel_sides[] = {MADE_CHANNELS, 3, MADE_PATCH, MADE_PATCH};
    const int64_t batch = made->batch > 0 ? made->batch : 1;
    const int64_t class_sides[] = {batch, 1, MADE_CHANNELS};
    const int64_t flat[] = {batch, MADE_CHANNELS, made->side > 0 ? cells * cells : -1};
    const int64_t flat_sides[] = {3};
    const int64_t planes[] = {made->batch, 3, made->side, made->side};
    const int64_t last[] = {made->batch, made->side, made->side, 3};
    const int64_t any[4] = {0};
    const char *row = made->row_before != NULL ? made->row_before : "row";
    const int64_t row_sides[] = {0, MADE_CHANNELS};
    made_nodes(made, graph, row);
    made_tensor(graph, "kernel", MADE_FLOAT, kernel_sides, 4, made_kernel(),
                MADE_WEIGHTS * sizeof(float), made->location);
    made_tensor(graph, "class", MADE_FLOAT, class_sides, 3, made_class,
                (size_t)batch * MADE_CHANNELS * sizeof(float), NULL);
    made_tensor(graph, "flat", MADE_INT64, flat_sides, 1, flat, sizeof flat, NULL);
    made_value(graph, 11, "picture", made->half ? MADE_HALF : MADE_FLOAT,
               made->channels_last ? last : planes, 4);
    if (made->input != NULL) {
        made_value(graph, 11, made->input, MADE_FLOAT, any, 2);
    }
    if (made->row_before != NULL) {
        made_value(graph, 12, row, MADE_FLOAT, row_sides, 2);
    }
    if (!made->only_row) {
        made_value(graph, 12, "tokens", MADE_FLOAT, any, 3);
        made_value(graph, 12, "map", MADE_FLOAT, any, 4);
    }
    if (made->row_before == NULL) {
        made_value(graph, 12, row, MADE_FLOAT, row_sides, 2);
    }
}

// To be freed with file_protobuf_free.
static inline void made_model(const made_onnx *made, file_protobuf *model) {
    file_protobuf graph = {0}, opset = {0};
    made_graph(made, &graph);
    file_protobuf_count(model, 1, 8);
    made_add(model, 7, &graph);
    file_protobuf_text(&opset, 1, "");
    file_protobuf_count(&opset, 2, 17);
    made_add(model, 8, &opset);
    assert_ok(file_protobuf_status(model));
}

// size: number of bytes to write; 0: all.
static inline void made_write(const char *path, const made_onnx *made, size_t size) {
    file_protobuf model = {0};
    made_model(made, &model);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(model.bytes, 1, size > 0 ? size : model.size, file),
                     size > 0 ? size : model.size);
    assert_int_equal(fclose(file), 0);
    file_protobuf_free(&model);
}

// The expected map: out is [MADE_CHANNELS][cells][cells].
static inline void made_map(const uint8_t *rgb, int size, const double *mean, const double *std,
                            double range, double *out) {
    const int cells = size / MADE_PATCH;
    const float *kernel = made_kernel();
    for (int k = 0; k < MADE_CHANNELS * cells * cells; k++) {
        const int channel = k / cells / cells;
        const int top = k / cells % cells * MADE_PATCH;
        const int left = k % cells * MADE_PATCH;
        out[k] = 0;
        for (int i = 0; i < 3 * MADE_PATCH * MADE_PATCH; i++) {
            const int colour = i / MADE_PATCH / MADE_PATCH;
            const int y = top + i / MADE_PATCH % MADE_PATCH;
            const int x = left + i % MADE_PATCH;
            const double byte = rgb[(y * size + x) * 3 + colour];
            out[k] += (double)kernel[channel * 3 * MADE_PATCH * MADE_PATCH + i] *
                      ((byte / 255 * range - mean[colour]) / std[colour]);
        }
    }
}
