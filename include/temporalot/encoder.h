// temporalot/encoder.h - pictures to embeddings: a frozen, pretrained network (ResNet-18, 34, 50,
// 101, 152 as in torchvision, MobileNetV2) on oneDNN and custom kernels, or any ONNX network
// through OpenVINO.
//
//     #include <stdio.h>
//     #include <stdlib.h>
//     #include <temporalot/encoder.h>
//
//     int main(void) {
//         static uint8_t rgb[224 * 224 * 3];
//         tot_weights *weights = NULL;
//         tot_encoder *encoder = NULL;
//         tot_encoder_settings settings;
//         tot_encoder_defaults(&settings);
//         tot_status status = tot_weights_load(&weights, NULL, NULL);
//         status = status != TOT_OK ? status
//                                   : tot_encoder_create(&encoder, weights, &settings, NULL);
//         float *embedding = NULL;
//         if (status == TOT_OK) {
//             embedding = malloc((size_t)tot_encoder_width(encoder) * sizeof *embedding);
//             status = tot_encode(encoder, rgb, 1, embedding);
//         }
//         printf("%s\n", status == TOT_OK ? tot_encoder_text(encoder) : tot_error());
//         free(embedding);
//         tot_encoder_free(encoder);
//         tot_weights_free(weights);
//         return status != TOT_OK;
//     }
#ifndef TEMPORALOT_ENCODER_H
#define TEMPORALOT_ENCODER_H

#include <temporalot/base.h>
#include <temporalot/tensors.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- networks ----------------------------------------------------------------------------------

typedef struct tot_network_info {
    const char *name;  // "resnet50"
    int channels;      // of the last feature map
    int stride;        // input pixels per position of the last feature map: 224 / 32 = 7 positions
    const char *help;  // one line
} tot_network_info;

TOT_API size_t tot_network_count(void);
TOT_API const tot_network_info *tot_network_at(size_t index);

// TOT_E_ARGUMENT if there is no network of that name; the message suggests the closest.
TOT_API tot_status tot_network_find(const tot_network_info **info, const char *name);

// --- weights: immutable once loaded, shared by any number of encoders and threads --------------

typedef struct tot_weights tot_weights;

enum { TOT_MIN_STRIDE = 4, TOT_MAX_STRIDE = 32 };  // of a network: the powers of two between them

typedef struct tot_weights_settings {
    const char *network;  // expected network; NULL: detected from the tensors
    const char *prefix;   // prefix of the tensor names ("module.pre."); NULL: detected
    int stride;           // stop at the last feature map whose stride is at most this many pixels:
                          // 4, 8 or 16. 0 or 32: the whole network

    // ONNX networks only; NULL: the default described
    const char *output;      // name of the tensor to use as embedding, may be an intermediate one;
                             // NULL: the first output with 3 or 4 dimensions, else the first
    const char *preprocess;  // a name of tot_preprocess_at; NULL: "imagenet"
    const char *mean;        // "0.5" or "0.485,0.456,0.406", in units of the range; NULL: that of
                             // preprocess
    const char *std;         // the same
} tot_weights_settings;

// How pictures are normalised for an ONNX network: (byte / 255 * range - mean) / std.
typedef struct tot_preprocess_info {
    const char *name;  // "siglip"
    double mean[3], std[3];
    double range;      // the largest value before the mean is subtracted: 1 or 255
    int size;          // pixels per side, if the network accepts any size
    const char *help;  // one line
} tot_preprocess_info;

TOT_API size_t tot_preprocess_count(void);
TOT_API const tot_preprocess_info *tot_preprocess_at(size_t index);

// The MobileNetV2 weights installed by set-up. TOT_E_MISSING: the message says how to fix it. path
// is valid for the lifetime of the process.
TOT_API tot_status tot_weights_default(const char **path);

// Reads a weight file (tot_tensors_load), recognises the network from its tensors and folds batch
// norm into the convolutions. path NULL: tot_weights_default. settings may be NULL.
// TOT_E_SHAPE: tensors that are missing, unexpected or of the wrong shape, listed by name (tensors
// the body does not need, fc.* or classifier.* and counters, are ignored); TOT_E_VALUE: NaN,
// infinity or a negative variance, the message names the tensor; TOT_E_ARGUMENT: not the expected
// network, or a stride that it does not have.
// A path that ends in .onnx (or settings->network, if path is NULL) is an ONNX network with one
// input, pictures with 3 channels, channels first or last. TOT_E_MISSING: OpenVINO is not
// installed; TOT_E_FORMAT: truncated, or not ONNX; TOT_E_UNSUPPORTED: operators that OpenVINO does
// not have (named), several inputs, or a file larger than 2 GB; TOT_E_FILE: the file of external
// weights is missing; TOT_E_ARGUMENT: no such output.
TOT_API tot_status tot_weights_load(tot_weights **weights, const char *path,
                                    const tot_weights_settings *settings);

// The same from tensors in memory, which may be freed afterwards.
TOT_API tot_status tot_weights_from(tot_weights **weights, const tot_tensors *tensors,
                                    const tot_weights_settings *settings);

TOT_API const tot_network_info *tot_weights_network(const tot_weights *weights);

// Loads OpenVINO, which runs ONNX networks: from OPENVINO_DIR if it is set, else what scripts/deps
// --onnx fetched, else what pip installed. path and version may be NULL; the strings are valid for
// the lifetime of the process. TOT_E_MISSING: the message says what to install.
TOT_API tot_status tot_openvino_check(const char **path, const char **version);

// Channels and stride (in pixels) of the last feature map. 0 for ONNX networks, which do not
// specify them.
TOT_API int tot_weights_channels(const tot_weights *weights);
TOT_API int tot_weights_stride(const tot_weights *weights);

// 16 hex digits of the SHA-256 of the tensors in use, to be stored with demonstrations and runs.
TOT_API const char *tot_weights_hash(const tot_weights *weights);

// All encoders that use the weights must have been freed. weights may be NULL.
TOT_API void tot_weights_free(tot_weights *weights);

// --- encoders: each with its own memory, used by one thread at a time --------------------------

typedef enum tot_precision {
    TOT_PRECISION_F32,
    TOT_PRECISION_INT8,  // weights per channel, activations per layer; needs a calibration
    TOT_PRECISION_BF16,  // if the CPU supports it
} tot_precision;
#define TOT_PRECISION_WORDS "f32|int8|bf16"

// One of these words, valid until the calling thread ends, and the reverse. TOT_E_ARGUMENT for any
// other name.
TOT_API const char *tot_precision_text(tot_precision precision);
TOT_API tot_status tot_precision_find(tot_precision *precision, const char *name);

// Ranges of the activations of every layer, measured on pictures and stored in a file.
typedef struct tot_calibration tot_calibration;

enum { TOT_MIN_ENCODER_SIZE = 32, TOT_MAX_ENCODER_SIZE = 1024, TOT_MAX_ENCODER_BATCH = 256 };

typedef struct tot_encoder_settings {
    int size;   // pictures are size x size pixels, TOT_MIN_ENCODER_SIZE .. TOT_MAX_ENCODER_SIZE;
                // 0: the network's own size, else 224
    int batch;  // pictures at a time, 1 .. TOT_MAX_ENCODER_BATCH. More are processed in chunks.
    tot_precision precision;
    bool pool;                           // average over the feature map, or the class token if
                                         // there is one: `channels` values per picture
    const tot_calibration *calibration;  // for int8, else NULL
} tot_encoder_settings;

// 224 pixels, batches of 8, f32, the whole feature map.
TOT_API void tot_encoder_defaults(tot_encoder_settings *settings);

typedef struct tot_encoder tot_encoder;

// Allocates memory and reorders the weights; encoders with the same weights, precision and CPU
// share them. The threads of pool (may be NULL) process the pictures of a batch in parallel, or
// split the layers of a single one. Results are bitwise reproducible for the same number of
// threads. TOT_E_UNSUPPORTED: this CPU does not support the precision.
TOT_API tot_status tot_encoder_create(tot_encoder **encoder, tot_weights *weights,
                                      const tot_encoder_settings *settings, tot_pool *pool);

// Values per picture: channels x map x map (flattened as in torchvision, channel first), or
// channels. The patch tokens of a transformer are such a map, without the class token and
// registers.
TOT_API int64_t tot_encoder_width(const tot_encoder *encoder);

// Pixels per side of the pictures.
TOT_API int tot_encoder_size(const tot_encoder *encoder);

// rgb: [count][size][size][3]; out: [count][width], written. The input is scaled to 0 .. 1 and
// normalised with the mean and standard deviation of ImageNet, or as set for an ONNX network.
// Allocates nothing.
TOT_API tot_status tot_encode(tot_encoder *encoder, const uint8_t *rgb, int64_t count, float *out);

// Describes the encoder, to be stored with embeddings: "resnet50 f32 224 map 0123456789abcdef"; a
// truncated network has "map8".
TOT_API const char *tot_encoder_text(const tot_encoder *encoder);

// encoder may be NULL.
TOT_API void tot_encoder_free(tot_encoder *encoder);

// --- calibration for int8 ----------------------------------------------------------------------

// Measures activation ranges on count pictures (a few hundred): rgb is [count][size][size][3].
TOT_API tot_status tot_calibrate(tot_calibration **calibration, tot_weights *weights, int size,
                                 const uint8_t *rgb, int64_t count, tot_pool *pool);

// A small JSON file that names the weights it belongs to. TOT_E_ARGUMENT when loaded for others.
TOT_API tot_status tot_calibration_save(const tot_calibration *calibration, const char *path);
TOT_API tot_status tot_calibration_load(tot_calibration **calibration, const tot_weights *weights,
                                        const char *path);

// Free it after the encoders that use it. calibration may be NULL.
TOT_API void tot_calibration_free(tot_calibration *calibration);

#ifdef __cplusplus
}
#endif
#endif
