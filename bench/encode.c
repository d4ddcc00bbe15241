// temporalot bench encode: ResNet-50 and MobileNetV2 on 224-pixel pictures, in milliseconds per
// picture, compared with onnxruntime and OpenVINO; the same networks as ONNX files; int8 compared
// with our f32; and ResNet-50 layer by layer.
//
// limit ms is the time that the multiplications of a direct convolution take at the CPU's measured
// peak. Winograd needs fewer multiplications, so our time may be below it.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "base/error.h"
#include "base/memory.h"
#include "bench.h"
#include "encoder/direct.h"
#include "encoder/graph.h"
#include "weights.h"

enum {
    SIZE = 224,
    NUMBERS = SIZE * SIZE * 3,
    MOST_PICTURES = 8,
    CALIBRATION = 4,
    ROUNDS = 9,
    FEW_ROUNDS = 5
};

static const char *const networks[] = {"resnet50", "mobilenetv2"};
static const int batches[] = {1, MOST_PICTURES};
static const char *const peers[] = {"onnxruntime", "openvino"};

enum {
    NETWORKS = sizeof networks / sizeof *networks,
    BATCHES = sizeof batches / sizeof *batches,
    PEERS = sizeof peers / sizeof *peers,
};

// --- peak performance of the CPU ----------------------------------------------------------------

enum { SPINS = 5000000, CHAINS = 10, TRIES = 21 };

static volatile float spun;  // prevents the compiler from removing the loop

// Chains of multiply-adds in registers: enough of them to hide the latency. Returns the number of
// floating-point operations.
#if defined(__x86_64__)
#define SPIN(name, features, vector, width, constraint, set, multiply_add, first)           \
    __attribute__((target(features), noinline)) static double name(void) {                  \
        const vector half = set(0.5F);                                                      \
        vector a = half, b = half, c = half, d = half, e = half;                            \
        vector f = half, g = half, h = half, i = half, j = half;                            \
        for (int k = 0; k < SPINS; k++) {                                                   \
            a = multiply_add(a, half, half);                                                \
            b = multiply_add(b, half, half);                                                \
            c = multiply_add(c, half, half);                                                \
            d = multiply_add(d, half, half);                                                \
            e = multiply_add(e, half, half);                                                \
            f = multiply_add(f, half, half);                                                \
            g = multiply_add(g, half, half);                                                \
            h = multiply_add(h, half, half);                                                \
            i = multiply_add(i, half, half);                                                \
            j = multiply_add(j, half, half);                                                \
            __asm__ volatile("" : "+" constraint(a), "+" constraint(b));                    \
        }                                                                                   \
        spun = first(a) + first(b) + first(c) + first(d) + first(e) + first(f) + first(g) + \
               first(h) + first(i) + first(j);                                              \
        return 2.0 * (width)*CHAINS * SPINS;                                                \
    }

SPIN(spin_avx2, "avx2,fma", __m256, 8, "x", _mm256_set1_ps, _mm256_fmadd_ps, _mm256_cvtss_f32)
SPIN(spin_avx512, "avx512f", __m512, 16, "v", _mm512_set1_ps, _mm512_fmadd_ps, _mm512_cvtss_f32)
#endif

#if defined(__x86_64__)
static tot_status spin_once(void *context) {
    *(double *)context = tot_cpu() == TOT_CPU_AVX512 ? spin_avx512() : spin_avx2();
    return TOT_OK;
}
#endif

// Operations per millisecond on one thread; 0 if they cannot be measured on this CPU.
static double measure_peak(void) {
    double operations = 0;
    double ms = 1;
#if defined(__x86_64__)
    if (tot_cpu() != TOT_CPU_PORTABLE) {
        bench_median(spin_once, &operations, TRIES, &ms);
    }
#endif
    return operations / ms;
}

// --- pictures -----------------------------------------------------------------------------------

// Smooth shapes and some noise, similar to camera images.
static void make_pictures(uint8_t *rgb) {
    tot_random random;
    tot_random_init(&random, 0, "bench pictures");
    for (size_t k = 0; k < (size_t)MOST_PICTURES * NUMBERS; k++) {
        const size_t x = k / 3 % SIZE;
        const size_t y = k / 3 / SIZE % SIZE;
        const size_t shape = (x * (k % 3 + 1) / 2 + y + 60 * ((x / 32 + y / 48) % 2)) % 224;
        rgb[k] = (uint8_t)(shape + tot_random_word(&random) % 32);
    }
}

// --- one network --------------------------------------------------------------------------------

typedef struct bench {
    int threads;
    double peak;  // operations per millisecond on one thread
    tot_pool *pool;
    uint8_t *rgb;
    float *out;
    const bench_peer_figures *figures;
    size_t figure_count;
    const char *name;
    const char *form;  // suffix of the name: " onnx" or ""
    char folder[64];   // with the peers' networks as NAME.onnx
    tot_weights *weights;
    tot_encoder *encoder;
    int batch;
} bench;

static double operations_of(const encoder_network *network, int index) {
    const encoder_layer *layer = &network->layers[index];
    const double pixels = encoder_network_size(network, index, SIZE);
    return encoder_layer_is_pool(layer)
               ? 0
               : 2 * (double)encoder_layer_numbers(layer) * pixels * pixels;
}

static double limit_of(const bench *this) {
    double operations = 0;
    for (int k = 0; k < this->weights->network.count; k++) {
        operations += operations_of(&this->weights->network, k);
    }
    return this->peak > 0 ? operations / this->peak / this->threads : 0;
}

static tot_status encode_once(void *context) {
    bench *this = context;
    return tot_encode(this->encoder, this->rgb, this->batch, this->out);
}

static tot_status measure(bench *this, const tot_encoder_settings *settings, double *ms) {
    BASE_TRY(tot_encoder_create(&this->encoder, this->weights, settings, this->pool));
    this->batch = settings->batch;
    const tot_status status =
        bench_median(encode_once, this, this->batch == 1 ? ROUNDS : FEW_ROUNDS, ms);
    *ms /= this->batch;
    tot_encoder_free(this->encoder);
    this->encoder = NULL;
    return status;
}

// Measures ours once, and adds a line for every peer.
static tot_status bench_f32(bench *this, int batch, double *ms) {
    char work[96];
    char name[160];
    tot_encoder_settings settings;
    tot_encoder_defaults(&settings);
    settings.batch = batch;
    BASE_TRY(measure(this, &settings, ms));
    snprintf(work, sizeof work, "encode %s%s f32 batch %d", this->name, this->form, batch);
    bench_line line = {
        .work = work, .threads = this->threads, .ms = *ms, .limit_ms = limit_of(this)};
    int printed = 0;
    for (int k = 0; k < PEERS; k++) {
        snprintf(name, sizeof name, "%s encode %s f32 batch %d", peers[k], this->name, batch);
        line.peer = line.note = peers[k];
        line.peer_ms = bench_peer_find(this->figures, this->figure_count, name);
        if (line.peer_ms > 0) {
            bench_add(&line);
            printed++;
        }
    }
    if (printed == 0) {
        line.peer = line.note = NULL;
        bench_add(&line);
    }
    return TOT_OK;
}

static tot_status bench_int8(bench *this, const tot_calibration *calibration, int batch,
                             double f32_ms) {
    char work[96];
    tot_encoder_settings settings;
    tot_encoder_defaults(&settings);
    settings.batch = batch;
    settings.precision = TOT_PRECISION_INT8;
    settings.calibration = calibration;
    snprintf(work, sizeof work, "encode %s int8 batch %d", this->name, batch);
    bench_line line = {.work = work,
                       .threads = this->threads,
                       .peer = "our f32",
                       .peer_ms = f32_ms,
                       .note = encoder_graph_has_int8() ? "beside our f32; the CPU has VNNI"
                                                        : "beside our f32; the CPU has no VNNI"};
    BASE_TRY(measure(this, &settings, &line.ms));
    bench_add(&line);
    return TOT_OK;
}

// --- layer by layer -----------------------------------------------------------------------------

typedef struct stopwatch {
    double last;  // end time of the previous layer
    double ms[ENCODER_MOST_LAYERS];
} stopwatch;

static void note_layer(void *context, int layer) {
    stopwatch *this = context;
    const double now = bench_now_ms();
    this->ms[layer] += now - this->last;
    this->last = now;
}

static void note_graph_layer(void *context, int layer, const float *outputs, size_t count) {
    (void)outputs;
    (void)count;
    note_layer(context, layer);
}

static bool alike(const encoder_network *network, int a, int b) {
    const encoder_layer *x = &network->layers[a];
    const encoder_layer *y = &network->layers[b];
    return x->in == y->in && x->out == y->out && x->kernel == y->kernel && x->stride == y->stride &&
           x->groups == y->groups &&
           encoder_network_size(network, a, SIZE) == encoder_network_size(network, b, SIZE);
}

// Layers of the same shape are merged into one line with their mean time.
static void add_layers(const bench *this, const stopwatch *watch,
                       const char *(*kernel)(const void *, int), const void *engine) {
    const encoder_network *network = &this->weights->network;
    bool done[ENCODER_MOST_LAYERS] = {false};
    for (int k = 0; k < network->count; k++) {
        if (done[k] || encoder_layer_is_pool(&network->layers[k])) {
            continue;
        }
        double ms = 0;
        int count = 0;
        for (int other = k; other < network->count; other++) {
            if (alike(network, k, other)) {
                done[other] = true;
                ms += watch->ms[other] / ROUNDS;
                count++;
            }
        }
        const encoder_layer *layer = &network->layers[k];
        const double speed = operations_of(network, k) * count / ms;
        char work[96];
        char note[128];
        snprintf(work, sizeof work, "%s %dx%d/%d %d-%d at %d", this->name, layer->kernel,
                 layer->kernel, layer->stride, layer->in, layer->out,
                 encoder_network_size(network, k, SIZE));
        snprintf(note, sizeof note, "%d layers, %s: %.0f GFLOPS, %.0f %% of the peak", count,
                 kernel(engine, k), speed / 1e6, this->peak > 0 ? 100 * speed / this->peak : 0);
        const bench_line line = {
            .work = work,
            .threads = 1,
            .ms = ms / count,
            .limit_ms = this->peak > 0 ? operations_of(network, k) / this->peak : 0,
            .note = note};
        bench_add(&line);
    }
}

static const char *direct_kernel(const void *engine, int layer) {
    return encoder_direct_kernel(engine, layer);
}

static const char *graph_kernel(const void *engine, int layer) {
    return encoder_graph_kernel(engine, layer);
}

static tot_status bench_direct_layers(const bench *this) {
    encoder_direct *direct = NULL;
    stopwatch watch = {0};
    BASE_TRY(encoder_direct_create(&direct, this->weights, SIZE, 1, NULL));
    tot_status status = encoder_direct_run(direct, this->rgb, 1, this->out);
    encoder_direct_watch(direct, note_layer, &watch);
    for (int k = 0; k < ROUNDS && status == TOT_OK; k++) {
        watch.last = bench_now_ms();
        status = encoder_direct_run(direct, this->rgb, 1, this->out);
    }
    if (status == TOT_OK) {
        add_layers(this, &watch, direct_kernel, direct);
    }
    encoder_direct_free(direct);
    return status;
}

static tot_status bench_graph_layers(const bench *this) {
    const encoder_graph_settings settings = {.size = SIZE, .batch = 1, .threads = 1};
    encoder_graph *graph = NULL;
    stopwatch watch = {0};
    BASE_TRY(encoder_graph_create(&graph, this->weights, &settings));
    tot_status status = encoder_graph_run(graph, this->rgb, this->out);
    encoder_graph_watch(graph, note_graph_layer, &watch);
    for (int k = 0; k < ROUNDS && status == TOT_OK; k++) {
        watch.last = bench_now_ms();
        status = encoder_graph_run(graph, this->rgb, this->out);
    }
    if (status == TOT_OK) {
        add_layers(this, &watch, graph_kernel, graph);
    }
    encoder_graph_free(graph);
    return status;
}

// --- all benchmarks -----------------------------------------------------------------------------

static tot_status bench_network(bench *this) {
    tot_calibration *calibration = NULL;
    const bool resnet = strcmp(this->name, "resnet50") == 0;
    tot_status status = TOT_OK;
    this->peak = measure_peak();
    if (resnet) {
        status =
            tot_calibrate(&calibration, this->weights, SIZE, this->rgb, CALIBRATION, this->pool);
    }
    for (int k = 0; k < BATCHES && status == TOT_OK; k++) {
        double ms = 0;
        status = bench_f32(this, batches[k], &ms);
        if (resnet && status == TOT_OK) {
            status = bench_int8(this, calibration, batches[k], ms);
        }
    }
    tot_calibration_free(calibration);
    if (resnet && this->threads == 1 && status == TOT_OK) {
        status = encoder_direct_wanted() ? bench_direct_layers(this) : bench_graph_layers(this);
    }
    return status;
}

// The peers' ONNX file of a network, which we run with OpenVINO, too.
static tot_status bench_onnx(bench *this) {
    char path[128];
    double ms = 0;
    snprintf(path, sizeof path, "%s/%s.onnx", this->folder, this->name);
    if (access(path, R_OK) != 0 || tot_openvino_check(NULL, NULL) != TOT_OK) {
        return TOT_OK;
    }
    BASE_TRY(tot_weights_load(&this->weights, path, NULL));
    unlink(path);
    this->form = " onnx";
    tot_status status = TOT_OK;
    for (int k = 0; k < BATCHES && status == TOT_OK; k++) {
        status = bench_f32(this, batches[k], &ms);
    }
    this->form = "";
    return status;
}

static tot_status bench_networks(bench *this) {
    char words[256];
    bench_peer_figures figures[BENCH_MOST_FIGURES];
    this->form = "";
    snprintf(this->folder, sizeof this->folder, "/tmp/temporalot-bench-XXXXXX");
    if (mkdtemp(this->folder) == NULL) {
        return base_fail(TOT_E_FILE, "%s: cannot make this folder", this->folder);
    }
    snprintf(words, sizeof words, "--keep=%s", this->folder);
    for (int k = 0; k < NETWORKS * BATCHES; k++) {
        const size_t used = strlen(words);
        snprintf(words + used, sizeof words - used, " %s,%d", networks[k / BATCHES],
                 batches[k % BATCHES]);
    }
    this->figures = figures;
    this->figure_count = bench_peer_run("encode.py", this->threads, words, figures);
    for (int k = 0; k < NETWORKS; k++) {
        this->name = networks[k];
        BASE_TRY(bench_weights(&this->weights, this->name));
        const tot_status status = bench_network(this);
        tot_weights_free(this->weights);
        this->weights = NULL;
        BASE_TRY(status);
        const tot_status as_onnx = bench_onnx(this);
        tot_weights_free(this->weights);
        this->weights = NULL;
        BASE_TRY(as_onnx);
    }
    rmdir(this->folder);
    return TOT_OK;
}

static tot_status bench_on(int threads) {
    const size_t most_numbers = (size_t)MOST_PICTURES * 2048 * (SIZE / 32) * (SIZE / 32);
    bench this = {.threads = threads};
    this.rgb = base_alloc((size_t)MOST_PICTURES * NUMBERS, 1, "pictures");
    this.out = base_alloc(most_numbers, sizeof(float), "embeddings");
    tot_status status = this.rgb != NULL && this.out != NULL ? TOT_OK : TOT_E_MEMORY;
    BASE_THEN(status, tot_pool_create(&this.pool, threads));
    if (status == TOT_OK) {
        make_pictures(this.rgb);
        status = bench_networks(&this);
    }
    tot_pool_free(this.pool);
    base_free(this.out);
    base_free(this.rgb);
    return status;
}

tot_status bench_encode(int threads) {
    return bench_each_count(threads, bench_on);
}
