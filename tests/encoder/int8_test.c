// int8: close to f32; valid and invalid calibration files.
#include "generated.h"

#include <unistd.h>

#include "../failing_memory.h"

enum { SIZE = 96, NUMBERS = SIZE * SIZE * 3, PICTURES = 4 };

static uint8_t rgb[PICTURES * NUMBERS];
static char path[300];

static int set_up(void **state) {
    (void)state;
    snprintf(path, sizeof path, "%s/encoder_int8_test_%d.json", TEST_BINARY_DIR, (int)getpid());
    for (int k = 0; k < PICTURES; k++) {
        generate_picture(1, SIZE, rgb + k * NUMBERS);
        for (int i = 0; i < NUMBERS; i++) {
            rgb[k * NUMBERS + i] = (uint8_t)(rgb[k * NUMBERS + i] / (k + 1) + 10 * k);
        }
    }
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    remove(path);
    return 0;
}

static float *encode(tot_weights *weights, const tot_calibration *calibration, int64_t *width,
                     tot_pool *pool) {
    tot_encoder_settings settings;
    tot_encoder *encoder = NULL;
    tot_encoder_defaults(&settings);
    settings.size = SIZE;
    settings.batch = 2;
    settings.precision = calibration != NULL ? TOT_PRECISION_INT8 : TOT_PRECISION_F32;
    settings.calibration = calibration;
    assert_ok(tot_encoder_create(&encoder, weights, &settings, pool));
    *width = tot_encoder_width(encoder);
    float *out = malloc((size_t)(PICTURES * *width) * sizeof *out);
    assert_non_null(out);
    assert_ok(tot_encode(encoder, rgb, PICTURES, out));
    tot_encoder_free(encoder);
    return out;
}

static void check_close(const char *network, double least) {
    tot_weights *weights = NULL;
    tot_calibration *calibration = NULL;
    tot_pool *pool = NULL;
    int64_t width;
    assert_ok(tot_pool_create(&pool, 2));
    assert_ok(made_load(&weights, network, "", NULL, NULL, NULL));
    assert_ok(tot_calibrate(&calibration, weights, SIZE, rgb, PICTURES, pool));
    float *full = encode(weights, NULL, &width, NULL);
    float *small = encode(weights, calibration, &width, NULL);
    float *threaded = encode(weights, calibration, &width, pool);
    for (int k = 0; k < PICTURES; k++) {
        double product = 0;
        double a = 0;
        double b = 0;
        for (int64_t i = k * width; i < (k + 1) * width; i++) {
            product += (double)full[i] * (double)small[i];
            a += (double)full[i] * (double)full[i];
            b += (double)small[i] * (double)small[i];
        }
        print_message("%s int8, picture %d: cosine %.5f\n", network, k, product / sqrt(a * b));
        assert_true(product / sqrt(a * b) >= least);
    }
    assert_memory_equal(small, threaded, (size_t)(PICTURES * width) * sizeof *small);
    free(full);
    free(small);
    free(threaded);
    tot_calibration_free(calibration);
    tot_weights_free(weights);
    tot_pool_free(pool);
}

TEST(test_resnet18) {
    check_close("resnet18", 0.99);
}

TEST(test_resnet50) {
    check_close("resnet50", 0.99);
}

// random weights of this narrow network quantise poorly; trained ones are closer
TEST(test_mobilenetv2) {
    check_close("mobilenetv2", 0.9);
}

// --- the file -----------------------------------------------------------------------------------

static void write_text(const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void refuse(const tot_weights *weights, const char *text, tot_status expected,
                   const char *word) {
    tot_calibration *calibration = NULL;
    write_text(text);
    assert_fails(tot_calibration_load(&calibration, weights, path), expected, word);
    assert_null(calibration);
}

TEST(test_file) {
    tot_weights *weights = NULL;
    tot_weights *others = NULL;
    tot_calibration *calibration = NULL;
    tot_calibration *again = NULL;
    int64_t width;
    assert_ok(made_load(&weights, "resnet18", "", NULL, NULL, NULL));
    assert_ok(made_load(&others, "mobilenetv2", "", NULL, NULL, NULL));
    assert_ok(tot_calibrate(&calibration, weights, SIZE, rgb, PICTURES, NULL));
    assert_ok(tot_calibration_save(calibration, path));
    assert_ok(tot_calibration_load(&again, weights, path));
    float *a = encode(weights, calibration, &width, NULL);
    float *b = encode(weights, again, &width, NULL);
    assert_memory_equal(a, b, (size_t)(PICTURES * width) * sizeof *a);
    free(a);
    free(b);
    tot_calibration_free(again);
    again = NULL;
    assert_fails(tot_calibration_load(&again, others, path), TOT_E_ARGUMENT, "resnet18");
    tot_encoder_settings settings;
    tot_encoder *encoder = NULL;
    tot_encoder_defaults(&settings);
    settings.precision = TOT_PRECISION_INT8;
    settings.calibration = calibration;
    assert_fails(tot_encoder_create(&encoder, others, &settings, NULL), TOT_E_ARGUMENT,
                 "calibration");
    refuse(weights, "", TOT_E_FORMAT, "JSON");
    refuse(weights, "{\"calibration\": 2}", TOT_E_UNSUPPORTED, "version");
    refuse(weights, "{\"calibration\": 1}", TOT_E_FORMAT, "network");
    refuse(weights, "[1, 2", TOT_E_FORMAT, "JSON");
    char text[400];
    snprintf(text, sizeof text,
             "{\"calibration\": 1, \"network\": \"resnet18\", \"weights\": \"%s\", \"size\": 96, "
             "\"pictures\": 4, \"most\": [1, 2]}",
             tot_weights_hash(weights));
    refuse(weights, text, TOT_E_FORMAT, "most");
    assert_fails(tot_calibrate(&again, weights, SIZE, rgb, 0, NULL), TOT_E_ARGUMENT, "0 pictures");
    assert_fails(tot_calibrate(&again, weights, 8, rgb, 1, NULL), TOT_E_ARGUMENT, "size: 8");
    tot_calibration_free(calibration);
    tot_weights_free(others);
    tot_weights_free(weights);
}

TEST(test_failing_memory) {
    size_t size;
    uint8_t *bytes = made_weights("mobilenetv2", "", NULL, NULL, &size);
    tot_tensors *tensors = made_parse(bytes, size);
    bool failed = true;
    for (uint64_t k = 4; failed; k += 23) {
        failing_memory memory;
        failing_memory_start(&memory, k);
        tot_weights *weights = NULL;
        tot_calibration *calibration = NULL;
        tot_encoder *encoder = NULL;
        tot_encoder_settings settings;
        tot_encoder_defaults(&settings);
        settings.size = SIZE;
        settings.precision = TOT_PRECISION_INT8;
        tot_status status = tot_weights_from(&weights, tensors, NULL);
        if (status == TOT_OK) {
            status = tot_calibrate(&calibration, weights, SIZE, rgb, 1, NULL);
        }
        if (status == TOT_OK) {
            settings.calibration = calibration;
            status = tot_encoder_create(&encoder, weights, &settings, NULL);
        }
        tot_encoder_free(encoder);
        tot_calibration_free(calibration);
        tot_weights_free(weights);
        failed = atomic_load(&memory.failed) > 0;
        failing_memory_check(&memory, status);
    }
    tot_tensors_free(tensors);
}

TEST_MAIN(set_up, tear_down)
