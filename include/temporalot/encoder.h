// temporalot/encoder.h - pictures to embeddings: a frozen, pretrained network (ResNet-18, 34, 50,
// 101, 152 as torchvision defines them, MobileNetV2) on oneDNN and kernels of our own, or any ONNX
// network through OpenVINO.
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

// --- the table of networks ---------------------------------------------------------------------

typedef struct tot_network_info {
    const char *name;  // "resnet50"
    int channels;      // of the last feature map
    int stride;  // pixels of the input from one place of the last map to the next: 224 / 32 = 7
                 // places
    const char *help;  // one line
} tot_network_info;

TOT_API size_t tot_network_count(void);
TOT_API const tot_network_info *tot_network_at(size_t index);

// TOT_E_ARGUMENT when there is no network of that name; the text suggests the nearest.
TOT_API tot_status tot_network_find(const tot_network_info **info, const char *name);

// --- weights: immutable once loaded, shared by any number of encoders and threads --------------

typedef struct tot_weights tot_weights;

typedef struct tot_weights_settings {
    const char *network;  // what the tensors must be; NULL: seen from them
    const char *prefix;   // before the names of the tensors ("module.pre."); NULL: found
    int stride;           // stop at the last map whose stride is at most this many pixels: 4,
                          // 8 or 16. 0 or 32: the whole network

    // of ONNX networks only; NULL: as said
    const char *output;      // name of the tensor that is the embedding, also one between layers;
                             // NULL: the first output of 3 or 4 dimensions, else the first
    const char *preprocess;  // a name of tot_preprocess_at; NULL: "imagenet"
    const char *mean;        // "0.5" or "0.485,0.456,0.406", in the units of its range; NULL: its
    const char *std;         // the same
} tot_weights_settings;

// What an ONNX network wants its pictures to be: (byte / 255 * range - mean) / std.
typedef struct tot_preprocess_info {
    const char *name;  // "siglip"
    double mean[3], std[3];
    double range;      // the largest number before the mean is taken off: 1 or 255
    int size;          // pixels per side, where the network takes any
    const char *help;  // one line
} tot_preprocess_info;

TOT_API size_t tot_preprocess_count(void);
TOT_API const tot_preprocess_info *tot_preprocess_at(size_t index);

// The MobileNetV2 weights that come with set-up. TOT_E_MISSING says what mends it. path lives as
// long as the process.
TOT_API tot_status tot_weights_default(const char **path);

// Reads a weight file (tot_tensors_load), recognises the network from its tensors and folds batch
// norm into the convolutions. path NULL: tot_weights_default. settings may be NULL.
// TOT_E_SHAPE: tensors that are missing, surplus or of the wrong shape, listed by name (what the
// body does not need, fc.* or classifier.* and counters, is passed over); TOT_E_VALUE: NaN or
// infinity, or a negative variance, with the tensor; TOT_E_ARGUMENT: another network than asked, or
// a stride that it does not have.
// A path that ends in .onnx (or, where path is NULL, such a settings->network) is an ONNX network
// with one input, pictures of 3 channels in either order. TOT_E_MISSING: OpenVINO is not installed;
// TOT_E_FORMAT: cut short, or not ONNX; TOT_E_UNSUPPORTED: operators that OpenVINO does not have
// (named), several inputs, or a file of more than 2 GB; TOT_E_FILE: the file of its external
// weights is not there; TOT_E_ARGUMENT: no such output.
TOT_API tot_status tot_weights_load(tot_weights **weights, const char *path,
                                    const tot_weights_settings *settings);

// The same from tensors in memory, which may be freed afterwards.
TOT_API tot_status tot_weights_from(tot_weights **weights, const tot_tensors *tensors,
                                    const tot_weights_settings *settings);

TOT_API const tot_network_info *tot_weights_network(const tot_weights *weights);

// Loads OpenVINO, which runs ONNX networks: from OPENVINO_DIR where that is set, else what
// scripts/deps --onnx fetched, else what pip installed. path and version may be NULL; they
// live as long as the process. TOT_E_MISSING says what to install.
TOT_API tot_status tot_openvino_check(const char **path, const char **version);

// The channels and the stride (in pixels) of the last feature map. 0: an ONNX network
// does not say.
TOT_API int tot_weights_channels(const tot_weights *weights);
TOT_API int tot_weights_stride(const tot_weights *weights);

// 16 hex digits of the SHA-256 of what the body uses: what a demonstration or a run records.
TOT_API const char *tot_weights_hash(const tot_weights *weights);

// All of its encoders must be gone. weights may be NULL.
TOT_API void tot_weights_free(tot_weights *weights);

// --- encoders: each with its own memory, one thread at a time ----------------------------------

typedef enum tot_precision {
    TOT_PRECISION_F32,
    TOT_PRECISION_INT8,  // weights by channel, activations by layer: needs a calibration
    TOT_PRECISION_BF16,  // where the CPU has it
} tot_precision;

// "f32", "int8", "bf16", and back. TOT_E_ARGUMENT for another name.
TOT_API const char *tot_precision_text(tot_precision precision);
TOT_API tot_status tot_precision_find(tot_precision *precision, const char *name);

// How large the activations of every layer become: measured on pictures, kept in a file.
typedef struct tot_calibration tot_calibration;

typedef struct tot_encoder_settings {
    int size;   // pictures are size x size pixels: 32 .. 1024; 0: the network's own, else 224
    int batch;  // pictures at a time: 1 .. 256. More are taken in pieces.
    tot_precision precision;
    bool pool;                           // mean over the map, or the class token where there is
                                         // one: `channels` numbers per picture
    const tot_calibration *calibration;  // for int8, else NULL
} tot_encoder_settings;

// 224 pixels, batches of 8, f32, the whole map.
TOT_API void tot_encoder_defaults(tot_encoder_settings *settings);

typedef struct tot_encoder tot_encoder;

// Plans memory and reorders the weights; encoders of the same weights, precision and CPU share
// them. pool (may be NULL) is shared: its threads take pictures of a batch side by side, or the
// layers of a single one. The same number of threads gives the same bytes.
// TOT_E_UNSUPPORTED: a precision that this CPU does not have.
TOT_API tot_status tot_encoder_create(tot_encoder **encoder, tot_weights *weights,
                                      const tot_encoder_settings *settings, tot_pool *pool);

// Numbers a picture: channels x map x map (as torchvision flattens it: channel first), or channels.
// The patch tokens of a transformer are such a map; its class token and registers are left out.
TOT_API int64_t tot_encoder_width(const tot_encoder *encoder);

// Pixels a side of its pictures.
TOT_API int tot_encoder_size(const tot_encoder *encoder);

// rgb: [count][size][size][3]; out: [count][width], written. Scaled to 0 .. 1 and normalised with
// ImageNet's mean and standard deviation on the way in, or as the settings of an ONNX network say.
// No memory is taken.
TOT_API tot_status tot_encode(tot_encoder *encoder, const uint8_t *rgb, int64_t count, float *out);

// What a file of embeddings must record: "resnet50 f32 224 map 0123456789abcdef"; a
// network that was cut has "map8".
TOT_API const char *tot_encoder_text(const tot_encoder *encoder);

// encoder may be NULL.
TOT_API void tot_encoder_free(tot_encoder *encoder);

// --- calibration for int8 ----------------------------------------------------------------------

// Measures on count pictures (a few hundred): rgb is [count][size][size][3].
TOT_API tot_status tot_calibrate(tot_calibration **calibration, tot_weights *weights, int size,
                                 const uint8_t *rgb, int64_t count, tot_pool *pool);

// A small JSON text; names the weights it belongs to. Loading for others is TOT_E_ARGUMENT.
TOT_API tot_status tot_calibration_save(const tot_calibration *calibration, const char *path);
TOT_API tot_status tot_calibration_load(tot_calibration **calibration, const tot_weights *weights,
                                        const char *path);

// After the encoders that use it. calibration may be NULL.
TOT_API void tot_calibration_free(tot_calibration *calibration);

#ifdef __cplusplus
}
#endif
#endif
