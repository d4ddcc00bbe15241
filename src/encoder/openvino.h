// OpenVINO's C API, loaded on first use of an ONNX network: the program builds and runs without it.
// Declares only what is called; names and layouts are OpenVINO's.
#pragma once

#include <temporalot/encoder.h>

typedef struct ov_core ov_core;
typedef struct ov_model ov_model;
typedef struct ov_port ov_port;  // an input or output of a model
typedef struct ov_compiled_model ov_compiled_model;
typedef struct ov_infer_request ov_infer_request;
typedef struct ov_tensor ov_tensor;
typedef struct ov_prepostprocessor ov_prepostprocessor;
typedef struct ov_input_info ov_input_info;
typedef struct ov_input_tensor_info ov_input_tensor_info;
typedef struct ov_output_info ov_output_info;
typedef struct ov_output_tensor_info ov_output_tensor_info;

typedef struct ov_version {
    const char *build;
    const char *description;
} ov_version;

// A range; static if both limits are equal.
typedef struct ov_dimension {
    int64_t least, most;
} ov_dimension;

typedef struct ov_partial_shape {
    ov_dimension rank;
    ov_dimension *sides;
} ov_partial_shape;

typedef struct ov_shape {
    int64_t rank;
    int64_t *sides;
} ov_shape;

enum { OV_F16 = 3, OV_F32 = 4, OV_F64 = 5 };  // element type numbers since OpenVINO 2025

// RESULT, NAME, ARGUMENTS. A status of 0 means success.
#define ENCODER_OPENVINO_FUNCTIONS(X)                                                             \
    X(int, ov_get_openvino_version, (ov_version * version))                                       \
    X(void, ov_version_free, (ov_version * version))                                              \
    X(const char *, ov_get_last_err_msg, (void))                                                  \
    X(void, ov_free, (const char *text))                                                          \
    X(int, ov_core_create, (ov_core * *core))                                                     \
    X(int, ov_core_read_model,                                                                    \
      (const ov_core *core, const char *path, const char *weights, ov_model **model))             \
    X(int, ov_core_read_model_from_memory_buffer,                                                 \
      (const ov_core *core, const char *bytes, size_t size, const ov_tensor *weights,             \
       ov_model **model))                                                                         \
    X(int, ov_core_compile_model,                                                                 \
      (const ov_core *core, const ov_model *model, const char *device, size_t words,              \
       ov_compiled_model **compiled, ...))                                                        \
    X(void, ov_model_free, (ov_model * model))                                                    \
    X(int, ov_model_inputs_size, (const ov_model *model, size_t *count))                          \
    X(int, ov_model_outputs_size, (const ov_model *model, size_t *count))                         \
    X(int, ov_model_const_input_by_index, (const ov_model *model, size_t index, ov_port **port))  \
    X(int, ov_model_const_output_by_index, (const ov_model *model, size_t index, ov_port **port)) \
    X(int, ov_model_const_output_by_name,                                                         \
      (const ov_model *model, const char *name, ov_port **port))                                  \
    X(int, ov_model_reshape_single_input, (const ov_model *model, ov_partial_shape shape))        \
    X(int, ov_port_get_any_name, (const ov_port *port, char **name))                              \
    X(int, ov_port_get_partial_shape, (const ov_port *port, ov_partial_shape *shape))             \
    X(void, ov_output_const_port_free, (ov_port * port))                                          \
    X(int, ov_partial_shape_create_static,                                                        \
      (int64_t rank, const int64_t *sides, ov_partial_shape *shape))                              \
    X(void, ov_partial_shape_free, (ov_partial_shape * shape))                                    \
    X(int, ov_shape_create, (int64_t rank, const int64_t *sides, ov_shape *shape))                \
    X(int, ov_shape_free, (ov_shape * shape))                                                     \
    X(int, ov_preprocess_prepostprocessor_create,                                                 \
      (const ov_model *model, ov_prepostprocessor **processor))                                   \
    X(void, ov_preprocess_prepostprocessor_free, (ov_prepostprocessor * processor))               \
    X(int, ov_preprocess_prepostprocessor_build,                                                  \
      (const ov_prepostprocessor *processor, ov_model **model))                                   \
    X(int, ov_preprocess_prepostprocessor_get_input_info_by_index,                                \
      (const ov_prepostprocessor *processor, size_t index, ov_input_info **info))                 \
    X(void, ov_preprocess_input_info_free, (ov_input_info * info))                                \
    X(int, ov_preprocess_input_info_get_tensor_info,                                              \
      (const ov_input_info *info, ov_input_tensor_info **tensor))                                 \
    X(void, ov_preprocess_input_tensor_info_free, (ov_input_tensor_info * tensor))                \
    X(int, ov_preprocess_input_tensor_info_set_element_type,                                      \
      (ov_input_tensor_info * tensor, int type))                                                  \
    X(int, ov_preprocess_prepostprocessor_get_output_info_by_name,                                \
      (const ov_prepostprocessor *processor, const char *name, ov_output_info **info))            \
    X(void, ov_preprocess_output_info_free, (ov_output_info * info))                              \
    X(int, ov_preprocess_output_info_get_tensor_info,                                             \
      (const ov_output_info *info, ov_output_tensor_info **tensor))                               \
    X(void, ov_preprocess_output_tensor_info_free, (ov_output_tensor_info * tensor))              \
    X(int, ov_preprocess_output_set_element_type, (ov_output_tensor_info * tensor, int type))     \
    X(int, ov_compiled_model_create_infer_request,                                                \
      (const ov_compiled_model *compiled, ov_infer_request **request))                            \
    X(void, ov_compiled_model_free, (ov_compiled_model * compiled))                               \
    X(int, ov_infer_request_get_input_tensor_by_index,                                            \
      (const ov_infer_request *request, size_t index, ov_tensor **tensor))                        \
    X(int, ov_infer_request_get_tensor,                                                           \
      (const ov_infer_request *request, const char *name, ov_tensor **tensor))                    \
    X(int, ov_infer_request_infer, (ov_infer_request * request))                                  \
    X(void, ov_infer_request_free, (ov_infer_request * request))                                  \
    X(int, ov_tensor_create, (int type, ov_shape shape, ov_tensor **tensor))                      \
    X(int, ov_tensor_get_byte_size, (const ov_tensor *tensor, size_t *bytes))                     \
    X(int, ov_tensor_data, (const ov_tensor *tensor, void **data))                                \
    X(void, ov_tensor_free, (ov_tensor * tensor))

typedef struct encoder_openvino {
#define FIELD(result, name, arguments) result(*name) arguments;
    ENCODER_OPENVINO_FUNCTIONS(FIELD)
#undef FIELD
    ov_core *core;  // one per process
} encoder_openvino;

// Finds and loads the library once per process. TOT_E_MISSING tells what to install. Thread-safe.
tot_status encoder_openvino_load(const encoder_openvino **openvino);

// Fails with TOT_E_UNSUPPORTED: the subject and OpenVINO's last error message, on one line.
tot_status encoder_openvino_fail(const encoder_openvino *openvino, const char *subject);
