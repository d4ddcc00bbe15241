#include <cJSON.h>

#include "base/base.h"
#include "file/atomic.h"
#include "encoder/graph.h"
#include "encoder/onnx.h"
#include "file/source.h"

enum { MOST_BYTES = 1 << 20 };

// --- measuring activations ----------------------------------------------------------------------

static void watch(void *context, int layer, const float *outputs, size_t count) {
    tot_calibration *calibration = context;
    float most = calibration->most[layer];
    for (size_t k = 0; k < count; k++) {
        const float size = fabsf(outputs[k]);
        most = size > most ? size : most;
    }
    calibration->most[layer] = most;
}

// Per-thread state: each thread runs its share of the pictures.
typedef struct lane {
    tot_calibration *found;
    encoder_graph *graph;
    float *map;
} lane;

typedef struct measuring {
    tot_weights *weights;
    const uint8_t *rgb;
    int size;
    int64_t count;
    int lane_count;
    lane *lanes;
} measuring;

static tot_status measure_share(void *context, size_t index, int worker) {
    (void)worker;
    const measuring *this = context;
    const int64_t numbers = (int64_t)this->size * this->size * ENCODER_PICTURE_CHANNELS;
    const int64_t end = this->count * (int64_t)(index + 1) / this->lane_count;
    for (int64_t k = this->count * (int64_t)index / this->lane_count; k < end; k++) {
        BASE_TRY(encoder_graph_run(this->lanes[index].graph, this->rgb + k * numbers,
                                   this->lanes[index].map));
    }
    return TOT_OK;
}

static tot_calibration *create(const tot_weights *weights) {
    tot_calibration *calibration = base_alloc_zero(1, sizeof *calibration, "calibration");
    if (calibration != NULL) {
        snprintf(calibration->network, sizeof calibration->network, "%s",
                 weights->network.info->name);
        snprintf(calibration->hash, sizeof calibration->hash, "%s", weights->hash);
        calibration->layers = weights->network.count;
    }
    return calibration;
}

static tot_status open_lane(const measuring *this, lane *opened) {
    const encoder_graph_settings settings = {.size = this->size, .batch = 1, .threads = 1};
    const encoder_network *network = &this->weights->network;
    const size_t side = (size_t)encoder_network_size(network, network->count - 1, this->size);
    opened->found = create(this->weights);
    opened->map = base_alloc((size_t)encoder_network_channels(network) * side * side, sizeof(float),
                             "calibration");
    BASE_HAVE(opened->found, opened->map);
    BASE_TRY(encoder_graph_create(&opened->graph, this->weights, &settings));
    encoder_graph_watch(opened->graph, watch, opened->found);
    return TOT_OK;
}

static tot_status measure(measuring *this, tot_pool *pool) {
    for (int k = 0; k < this->lane_count; k++) {
        BASE_TRY(open_lane(this, &this->lanes[k]));
    }
    return tot_pool_run(pool, (size_t)this->lane_count, measure_share, this);
}

// Merges the results of all lanes into the first one's and returns it; the caller owns it.
static tot_calibration *collect(const measuring *this) {
    tot_calibration *all = this->lanes[0].found;
    this->lanes[0].found = NULL;
    all->size = this->size;
    all->pictures = this->count;
    for (int k = 1; k < this->lane_count; k++) {
        for (int layer = 0; layer < all->layers; layer++) {
            all->most[layer] = fmaxf(all->most[layer], this->lanes[k].found->most[layer]);
        }
    }
    return all;
}

tot_status tot_calibrate(tot_calibration **out, tot_weights *weights, int size, const uint8_t *rgb,
                         int64_t count, tot_pool *pool) {
    BASE_NEED(out, weights, rgb);
    *out = NULL;
    BASE_FAIL_IF(weights->network.count == 0, TOT_E_UNSUPPORTED, ENCODER_ONNX_NO_INT8);
    BASE_TRY(encoder_check_size(size));
    BASE_FAIL_IF(count < 1, TOT_E_ARGUMENT, "calibration: %lld pictures", (long long)count);
    const int threads = tot_pool_threads(pool);
    measuring this = {.weights = weights, .rgb = rgb, .size = size, .count = count};
    this.lane_count = count < threads ? (int)count : threads;
    BASE_ALLOC_ZERO(this.lanes, (size_t)this.lane_count, "calibration");
    const tot_status status = measure(&this, pool);
    if (status == TOT_OK) {
        *out = collect(&this);
    }
    for (int k = 0; k < this.lane_count; k++) {
        encoder_graph_free(this.lanes[k].graph);
        base_free(this.lanes[k].map);
        tot_calibration_free(this.lanes[k].found);
    }
    base_free(this.lanes);
    return status;
}

void tot_calibration_free(tot_calibration *calibration) {
    base_free(calibration);
}

// --- saving -------------------------------------------------------------------------------------

tot_status tot_calibration_save(const tot_calibration *calibration, const char *path) {
    BASE_NEED(calibration, path);
    char text[8192] = "";  // far more than all layers take
    base_append(text, sizeof text,
                "{\n  \"calibration\": 1,\n  \"network\": \"%s\",\n  \"weights\": \"%s\",\n"
                "  \"size\": %d,\n  \"pictures\": %lld,\n  \"most\": [",
                calibration->network, calibration->hash, calibration->size,
                (long long)calibration->pictures);
    for (int k = 0; k < calibration->layers; k++) {
        base_append(text, sizeof text, "%s%s%.9g", k > 0 ? "," : "", k % 8 == 0 ? "\n    " : " ",
                    (double)calibration->most[k]);
    }
    base_append(text, sizeof text, "\n  ]\n}\n");
    return file_save_text(path, text);
}

// --- loading ------------------------------------------------------------------------------------

static tot_status check_text(const cJSON *root, const char *field, const char *expected,
                             const char *path) {
    const char *found = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(root, field));
    BASE_FAIL_IF(found == NULL, TOT_E_FORMAT, "%s: %s: no text", path, field);
    BASE_FAIL_IF(strcmp(found, expected) != 0, TOT_E_ARGUMENT,
                 "%s: %s: a calibration for '%.40s', not '%s'", path, field, found, expected);
    return TOT_OK;
}

static tot_status read_number(const cJSON *item, const char *field, const char *path,
                              double *number) {
    BASE_FAIL_IF(!cJSON_IsNumber(item) || !(item->valuedouble >= 0 && item->valuedouble < 1e30),
                 TOT_E_FORMAT, "%s: %s: not a number, or not in its range", path, field);
    *number = item->valuedouble;
    return TOT_OK;
}

static tot_status read_fields(tot_calibration *this, const cJSON *root, const char *path) {
    double number = 0;
    BASE_TRY(read_number(cJSON_GetObjectItemCaseSensitive(root, "calibration"), "calibration", path,
                         &number));
    BASE_FAIL_IF(number != 1, TOT_E_UNSUPPORTED, "%s: calibration: version %g is not supported",
                 path, number);
    BASE_TRY(check_text(root, "network", this->network, path));
    BASE_TRY(check_text(root, "weights", this->hash, path));
    BASE_TRY(read_number(cJSON_GetObjectItemCaseSensitive(root, "size"), "size", path, &number));
    this->size = (int)fmin(number, TOT_MAX_ENCODER_SIZE);
    BASE_TRY(
        read_number(cJSON_GetObjectItemCaseSensitive(root, "pictures"), "pictures", path, &number));
    this->pictures = (int64_t)fmin(number, 1e15);
    const cJSON *most = cJSON_GetObjectItemCaseSensitive(root, "most");
    BASE_FAIL_IF(!cJSON_IsArray(most) || cJSON_GetArraySize(most) != this->layers, TOT_E_FORMAT,
                 "%s: most: not a list of %d numbers", path, this->layers);
    int k = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, most) {
        BASE_TRY(read_number(item, "most", path, &number));
        this->most[k++] = (float)number;
    }
    return TOT_OK;
}

static tot_status parse(tot_calibration *calibration, const char *text, const char *path) {
    cJSON *root = cJSON_Parse(text);
    BASE_FINALLY(root != NULL ? read_fields(calibration, root, path)
                              : base_fail(TOT_E_FORMAT, "%s: not JSON", path),
                 cJSON_Delete(root));
}

tot_status tot_calibration_load(tot_calibration **out, const tot_weights *weights,
                                const char *path) {
    BASE_NEED(out, weights, path);
    *out = NULL;
    char *text = NULL;
    size_t size = 0;
    BASE_FAIL_IF(weights->network.count == 0, TOT_E_UNSUPPORTED, ENCODER_ONNX_NO_INT8);
    BASE_TRY(file_source_read_file(&text, &size, path, MOST_BYTES, "calibration"));
    tot_calibration *calibration = create(weights);
    const tot_status status = calibration != NULL ? parse(calibration, text, path) : TOT_E_MEMORY;
    base_free(text);
    BASE_GIVE(status, out, calibration, tot_calibration_free);
}
