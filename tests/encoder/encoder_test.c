// Encoders: settings, batches and threads, sharing, memory.
#include "generated.h"

#include <pthread.h>
#include <stdatomic.h>

#include "../counted_malloc.h"
#include "../failing_memory.h"
#include "../sanitizers.h"

enum { SIZE = 64, NUMBERS = SIZE * SIZE * 3, PICTURES = 7 };

static tot_weights *weights;  // ResNet-18, for all tests
static uint8_t rgb[PICTURES * NUMBERS];

static int set_up(void **state) {
    (void)state;
    for (int k = 0; k < PICTURES; k++) {
        generate_picture(k % 2, SIZE, rgb + k * NUMBERS);
        rgb[k * NUMBERS + 1000] ^= (uint8_t)(k << 4);
    }
    return made_load(&weights, "resnet18", "", NULL, NULL, NULL) != TOT_OK;
}

static int tear_down(void **state) {
    (void)state;
    tot_weights_free(weights);
    return 0;
}

static tot_encoder_settings small(void) {
    tot_encoder_settings settings;
    tot_encoder_defaults(&settings);
    settings.size = SIZE;
    return settings;
}

// --- settings -----------------------------------------------------------------------------------

TEST(test_defaults) {
    tot_encoder_settings settings;
    tot_encoder_defaults(&settings);
    assert_int_equal(settings.size, 224);
    assert_int_equal(settings.batch, 8);
    assert_int_equal(settings.precision, TOT_PRECISION_F32);
    assert_false(settings.pool);
    tot_precision precision;
    assert_ok(tot_precision_find(&precision, "int8"));
    assert_string_equal(tot_precision_text(precision), "int8");
    assert_fails(tot_precision_find(&precision, "int4"), TOT_E_ARGUMENT, "int4");
}

static void refuse(tot_encoder_settings settings, tot_status expected, const char *word) {
    tot_encoder *encoder = NULL;
    assert_fails(tot_encoder_create(&encoder, weights, &settings, NULL), expected, word);
    assert_null(encoder);
}

TEST(test_bad_settings) {
    tot_encoder_settings settings = small();
    settings.size = 31;
    refuse(settings, TOT_E_ARGUMENT, "size: 31");
    settings.size = 1025;
    refuse(settings, TOT_E_ARGUMENT, "size: 1025");
    settings = small();
    settings.batch = 0;
    refuse(settings, TOT_E_ARGUMENT, "batch: 0");
    settings.batch = 257;
    refuse(settings, TOT_E_ARGUMENT, "batch: 257");
    settings = small();
    settings.precision = TOT_PRECISION_INT8;
    refuse(settings, TOT_E_ARGUMENT, "calibration");
    settings.precision = (tot_precision)77;
    refuse(settings, TOT_E_ARGUMENT, "precision: 77");
}

TEST(test_text_and_width) {
    tot_encoder_settings settings = small();
    tot_encoder *encoder = NULL;
    char expected[80];
    assert_ok(tot_encoder_create(&encoder, weights, &settings, NULL));
    snprintf(expected, sizeof expected, "resnet18 f32 64 map %s", tot_weights_hash(weights));
    assert_string_equal(tot_encoder_text(encoder), expected);
    assert_int_equal(tot_encoder_width(encoder), 512 * 2 * 2);
    float none;
    assert_ok(tot_encode(encoder, rgb, 0, &none));
    assert_fails(tot_encode(encoder, rgb, -1, &none), TOT_E_ARGUMENT, "count: -1");
    tot_encoder_free(encoder);
}

// --- batches and threads ------------------------------------------------------------------------

static float *encode(const tot_encoder_settings *settings, int count, int threads) {
    tot_encoder *encoder = NULL;
    tot_pool *pool = NULL;
    assert_ok(tot_pool_create(&pool, threads));
    assert_ok(tot_encoder_create(&encoder, weights, settings, pool));
    float *out = malloc((size_t)(count * tot_encoder_width(encoder)) * sizeof *out);
    assert_non_null(out);
    assert_ok(tot_encode(encoder, rgb, count, out));
    tot_encoder_free(encoder);
    tot_pool_free(pool);
    return out;
}

static double difference(const float *a, const float *b, size_t count) {
    double most = 0;
    double largest = 0;
    for (size_t k = 0; k < count; k++) {
        most = fmax(most, fabs((double)a[k] - (double)b[k]));
        largest = fmax(largest, fabs((double)a[k]));
    }
    return most / largest;
}

TEST(test_batches) {
    const size_t width = 512 * 2 * 2;
    tot_encoder_settings settings = small();
    float *expected = encode(&settings, PICTURES, 1);
    static const int batches[] = {1, 2, 3, 16};
    for (int threads = TEST_SANITIZED ? 2 : 1; threads <= (TEST_SANITIZED ? 2 : 3); threads++) {
        for (size_t k = 0; k < sizeof batches / sizeof *batches; k++) {
            settings.batch = batches[k];
            float *out = encode(&settings, PICTURES, threads);
            float *again = encode(&settings, PICTURES, threads);
            assert_memory_equal(out, again, PICTURES * width * sizeof *out);
            assert_true(difference(expected, out, PICTURES * width) < 1e-5);
            // our own kernels sum in the same order for any batch size and number of threads
            if (tot_cpu() == TOT_CPU_AVX2) {
                assert_memory_equal(expected, out, PICTURES * width * sizeof *out);
            }
            free(out);
            free(again);
        }
    }
    // different pictures have different maps
    assert_true(difference(expected, expected + width, width) > 1e-3);
    assert_true(difference(expected, expected + 2 * width, width) > 1e-6);
    free(expected);
}

TEST(test_pool) {
    tot_encoder_settings settings = small();
    float *maps = encode(&settings, PICTURES, 1);
    settings.pool = true;
    for (int threads = 1; threads <= 2; threads++) {
        float *pooled = encode(&settings, PICTURES, threads);
        for (int k = 0; k < PICTURES * 512; k++) {
            const double mean = ((double)maps[4 * k] + (double)maps[4 * k + 1] +
                                 (double)maps[4 * k + 2] + (double)maps[4 * k + 3]) /
                                4;
            assert_true(fabs(mean - (double)pooled[k]) <= 1e-5 * fabs(mean) + 1e-6);
        }
        free(pooled);
    }
    free(maps);
}

typedef struct visitor {
    pthread_t thread;
    float *out;
} visitor;

static void *visit(void *argument) {
    visitor *this = argument;
    const tot_encoder_settings settings = small();
    tot_encoder *encoder = NULL;
    if (tot_encoder_create(&encoder, weights, &settings, NULL) == TOT_OK) {
        for (int k = 0; k < 3; k++) {
            if (tot_encode(encoder, rgb, PICTURES, this->out) != TOT_OK) {
                this->out[0] = NAN;
            }
        }
    }
    tot_encoder_free(encoder);
    return NULL;
}

TEST(test_two_encoders_share) {
    const size_t count = PICTURES * 512 * 4;
    visitor visitors[2];
    for (int k = 0; k < 2; k++) {
        visitors[k].out = calloc(count, sizeof(float));
        assert_non_null(visitors[k].out);
        assert_int_equal(pthread_create(&visitors[k].thread, NULL, visit, &visitors[k]), 0);
    }
    for (int k = 0; k < 2; k++) {
        pthread_join(visitors[k].thread, NULL);
    }
    assert_memory_equal(visitors[0].out, visitors[1].out, count * sizeof(float));
    const tot_encoder_settings settings = small();
    float *alone = encode(&settings, PICTURES, 1);
    assert_memory_equal(visitors[0].out, alone, count * sizeof(float));
    free(alone);
    // one copy of each layer's weights, regardless of who asked first
    int copies = 0;
    for (const encoder_packed *at = weights->packed; at != NULL; at = at->next) {
        for (const encoder_packed *other = at->next; other != NULL; other = other->next) {
            assert_false(at->layer == other->layer && strcmp(at->kind, other->kind) == 0 &&
                         at->key_size == other->key_size &&
                         memcmp(at->key, other->key, at->key_size) == 0);
        }
        copies++;
    }
    assert_true(copies >= 20);
    free(visitors[0].out);
    free(visitors[1].out);
}

// --- memory -------------------------------------------------------------------------------------

static void check_no_allocation(int threads) {
    failing_memory memory;
    failing_memory_start(&memory, 0);
    tot_encoder_settings settings = small();
    settings.batch = 4;
    tot_encoder *encoder = NULL;
    tot_pool *pool = NULL;
    assert_ok(tot_pool_create(&pool, threads));
    tot_weights *own = NULL;
    assert_ok(made_load(&own, "resnet18", "", NULL, NULL, NULL));
    assert_ok(tot_encoder_create(&encoder, own, &settings, pool));
    float *out = malloc((size_t)(PICTURES * tot_encoder_width(encoder)) * sizeof *out);
    assert_non_null(out);
    assert_ok(tot_encode(encoder, rgb, PICTURES, out));
    const uint64_t calls = atomic_load(&memory.calls);
    const uint64_t before = atomic_load(&mallocs);
    for (int count = 1; count <= PICTURES; count++) {
        assert_ok(tot_encode(encoder, rgb, count, out));
    }
    assert_int_equal(atomic_load(&memory.calls), calls);
    // oneDNN itself allocates an argument list at every call of a primitive
    if (tot_cpu() == TOT_CPU_AVX2) {
        assert_int_equal(atomic_load(&mallocs), before);
    }
    free(out);
    tot_encoder_free(encoder);
    tot_pool_free(pool);
    tot_weights_free(own);
    assert_int_equal(failing_memory_stop(&memory), 0);
}

TEST(test_no_allocation_per_picture) {
    check_no_allocation(1);
    check_no_allocation(2);
}

// Every allocation of loading and creating fails once. There are too many to test each: every
// thirteenth, and fewer with a sanitizer.
TEST(test_failing_memory) {
    size_t size;
    uint8_t *bytes = made_weights("mobilenetv2", "", NULL, NULL, &size);
    tot_tensors *tensors = made_parse(bytes, size);
    tot_encoder_settings settings = small();
    settings.pool = true;
    bool failed = true;
    int rounds = 0;
    for (uint64_t k = 1; failed; k += k < 12 ? 1 : TEST_SANITIZED ? 47 : 13) {
        failing_memory memory;
        failing_memory_start(&memory, k);
        tot_weights *own = NULL;
        tot_encoder *encoder = NULL;
        tot_status status = tot_weights_from(&own, tensors, NULL);
        if (status == TOT_OK) {
            status = tot_encoder_create(&encoder, own, &settings, NULL);
        }
        tot_encoder_free(encoder);
        tot_weights_free(own);
        failed = atomic_load(&memory.failed) > 0;
        failing_memory_check(&memory, status);
        rounds++;
    }
    assert_true(rounds > (TEST_SANITIZED ? 14 : 20));
    tot_tensors_free(tensors);
}

TEST_MAIN(set_up, tear_down)
