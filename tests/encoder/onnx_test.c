// ONNX networks as encoders: outputs of small networks, and all kinds of invalid files.
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "../folder.h"
#include "../sanitizers.h"
#include "base/memory.h"
#include "encoder/onnx.h"
#include "encoder/preprocess.h"
#include "file/onnx.h"
#include "made_onnx.h"

enum { SIZE = 64, CELLS = SIZE / MADE_PATCH, MAP = MADE_CHANNELS * CELLS * CELLS, PICTURES = 7 };

static const double imagenet_mean[] = {0.485, 0.456, 0.406};
static const double imagenet_std[] = {0.229, 0.224, 0.225};

static char path[128];
static uint8_t pictures[PICTURES * SIZE * SIZE * 3];

static const char *in_folder(const char *name) {
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void make_pictures(void) {
    for (size_t k = 0; k < sizeof pictures; k++) {
        pictures[k] = (uint8_t)((k * 2654435761u) >> 13);
    }
}

// OpenVINO is optional, and neither it nor its threads are built with sanitizers.
static void need_openvino(void) {
    if (TEST_SANITIZED || tot_openvino_check(NULL, NULL) != TOT_OK) {
        if (!TEST_SANITIZED && getenv("CI") != NULL) {
            fail_msg("%s", tot_error());
        }
        skip();
    }
}

static tot_weights *load(const made_onnx *made, const tot_weights_settings *settings) {
    tot_weights *weights = NULL;
    made_write(in_folder("made.onnx"), made, 0);
    assert_ok(tot_weights_load(&weights, path, settings));
    return weights;
}

// Encodes all pictures; to be freed by the caller. width: set to the elements per picture.
static float *encode(tot_weights *weights, int size, int batch, int threads, bool pool,
                     int64_t *width) {
    tot_encoder *encoder = NULL;
    tot_pool *workers = NULL;
    tot_encoder_settings settings;
    tot_encoder_defaults(&settings);
    settings.size = size;
    settings.batch = batch;
    settings.pool = pool;
    assert_ok(tot_pool_create(&workers, threads));
    assert_ok(tot_encoder_create(&encoder, weights, &settings, workers));
    *width = tot_encoder_width(encoder);
    assert_int_equal(tot_encoder_size(encoder), SIZE);
    float *out = calloc((size_t)(PICTURES * *width), sizeof *out);
    assert_non_null(out);
    assert_ok(tot_encode(encoder, pictures, PICTURES, out));
    tot_encoder_free(encoder);
    tot_pool_free(workers);
    return out;
}

static void assert_near(const float *found, const double *expected, int64_t count) {
    for (int64_t k = 0; k < count; k++) {
        if (!(fabs((double)found[k] - expected[k]) < 1e-5)) {
            fail_msg("number %lld is %g, not %g", (long long)k, (double)found[k], expected[k]);
        }
    }
}

// Compares the map of every picture with the expected one.
static void assert_maps(const float *found, const double *mean, const double *std, double range) {
    for (int k = 0; k < PICTURES; k++) {
        double map[MAP];
        made_map(pictures + (size_t)k * SIZE * SIZE * 3, SIZE, mean, std, range, map);
        assert_near(found + (size_t)k * MAP, map, MAP);
    }
}

// --- outputs ------------------------------------------------------------------------------------

// For any layout and type of the input, with static and dynamic dimensions.
TEST(test_map) {
    need_openvino();
    static const made_onnx kinds[] = {
        {.batch = 1}, {.side = SIZE, .batch = 1}, {.channels_last = true}, {.half = true}, {0}};
    const tot_weights_settings settings = {.output = "map"};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        int64_t width = 0;
        tot_weights *weights = load(&kinds[k], &settings);
        assert_string_equal(tot_weights_network(weights)->name, "made");
        float *found = encode(weights, SIZE, 3, 1, false, &width);
        assert_int_equal(width, MAP);
        if (!kinds[k].half) {
            assert_maps(found, imagenet_mean, imagenet_std, 1);
        } else {
            assert_true(isfinite(found[0]) && found[0] != found[1]);
        }
        free(found);
        tot_weights_free(weights);
    }
}

TEST(test_same_bytes) {
    need_openvino();
    int64_t width = 0;
    tot_weights *weights = load(&(made_onnx){0}, NULL);
    float *expected = encode(weights, SIZE, 1, 1, false, &width);
    static const int ways[][2] = {{1, 2}, {5, 1}, {8, 3}, {3, 2}};
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        float *found = encode(weights, SIZE, ways[k][0], ways[k][1], false, &width);
        assert_memory_equal(found, expected, (size_t)(PICTURES * width) * sizeof *found);
        free(found);
    }
    free(expected);
    tot_weights_free(weights);
}

// Patch tokens are a map, channels first; pooling takes the class token. A vector output before
// them is skipped.
TEST(test_tokens) {
    need_openvino();
    int64_t width = 0;
    tot_weights *weights = load(&(made_onnx){.row_before = "logits"}, NULL);
    float *found = encode(weights, SIZE, 8, 2, false, &width);
    assert_int_equal(width, MAP);
    assert_maps(found, imagenet_mean, imagenet_std, 1);
    free(found);
    found = encode(weights, SIZE, 8, 2, true, &width);
    assert_int_equal(width, MADE_CHANNELS);
    for (int k = 0; k < PICTURES; k++) {
        assert_memory_equal(found + (size_t)k * MADE_CHANNELS, made_class,
                            MADE_CHANNELS * sizeof *found);
    }
    free(found);
    tot_weights_free(weights);
}

// A map without a class token is pooled as the mean of its cells, which equals the network's vector
// output.
TEST(test_row) {
    need_openvino();
    const tot_weights_settings wanted[] = {{.output = "map"}, {.output = "row"}};
    float *found[2];
    for (int k = 0; k < 2; k++) {
        int64_t width = 0;
        tot_weights *weights = load(&(made_onnx){0}, &wanted[k]);
        found[k] = encode(weights, SIZE, 8, 1, k == 0, &width);
        assert_int_equal(width, MADE_CHANNELS);
        tot_weights_free(weights);
    }
    for (int k = 0; k < PICTURES * MADE_CHANNELS; k++) {
        assert_true(fabsf(found[0][k] - found[1][k]) < 1e-5F);
    }
    free(found[0]);
    free(found[1]);
}

// An intermediate tensor that is not an output of the file.
TEST(test_inner_output) {
    need_openvino();
    int64_t width = 0;
    const tot_weights_settings settings = {.output = "map"};
    tot_weights *weights = load(&(made_onnx){.only_row = true}, &settings);
    float *found = encode(weights, SIZE, 8, 1, false, &width);
    assert_int_equal(width, MAP);
    assert_maps(found, imagenet_mean, imagenet_std, 1);
    free(found);
    tot_weights_free(weights);
}

TEST(test_sizes) {
    need_openvino();
    int64_t width = 0;
    tot_encoder *encoder = NULL;
    tot_encoder_settings settings;
    tot_encoder_defaults(&settings);
    tot_weights *weights = load(&(made_onnx){.side = SIZE, .batch = 1}, NULL);
    free(encode(weights, 0, 1, 1, false, &width));  // its own size
    settings.size = 2 * SIZE;                       // the number of tokens is fixed in the graph
    assert_fails(tot_encoder_create(&encoder, weights, &settings, NULL), TOT_E_ARGUMENT,
                 "expects pictures of 64 pixels per side, not 128");
    free(encode(weights, SIZE, 1, 1, false, &width));
    tot_weights_free(weights);

    // the batch size is fixed in the graph
    weights = load(&(made_onnx){.side = SIZE, .batch = 4}, NULL);
    settings.size = 0;
    assert_fails(tot_encoder_create(&encoder, weights, &settings, NULL), TOT_E_UNSUPPORTED,
                 "expects batches of 4 pictures");
    tot_weights_free(weights);

    // any size: the preset's
    weights = load(&(made_onnx){0}, NULL);
    assert_ok(tot_encoder_create(&encoder, weights, &settings, NULL));
    assert_int_equal(tot_encoder_size(encoder), 224);
    assert_int_equal(tot_encoder_width(encoder), MADE_CHANNELS * 14 * 14);
    tot_encoder_free(encoder);
    settings.size = 8;
    assert_fails(tot_encoder_create(&encoder, weights, &settings, NULL), TOT_E_ARGUMENT, "size: 8");
    settings.size = SIZE;
    settings.precision = TOT_PRECISION_INT8;
    assert_fails(tot_encoder_create(&encoder, weights, &settings, NULL), TOT_E_UNSUPPORTED,
                 "quantise the file itself");
    tot_weights_free(weights);
}

// --- preprocessing ------------------------------------------------------------------------------

TEST(test_presets) {
    encoder_preprocess read;
    static const struct {
        const char *name;
        float black, white;  // for the green channel
    } expected[] = {
        {"imagenet", -2.0357143F, 2.4285715F},
        {"dinov2", -2.0357143F, 2.4285715F},
        {"r3m", 0, 255},
        {"vip", 0, 255},
        {"clip", -1.7520971F, 2.0748837F},
        {"siglip", -1, 1},
    };
    assert_int_equal(tot_preprocess_count(), sizeof expected / sizeof *expected);
    for (size_t k = 0; k < tot_preprocess_count(); k++) {
        const tot_weights_settings settings = {.preprocess = expected[k].name};
        const uint8_t two[] = {0, 0, 0, 255, 255, 255};
        float planes[6], pixels[6];
        assert_string_equal(tot_preprocess_at(k)->name, expected[k].name);
        assert_ok(encoder_preprocess_read(&read, &settings));
        encoder_preprocess_run(&read, two, 2, true, planes);
        encoder_preprocess_run(&read, two, 2, false, pixels);
        assert_true(fabsf(planes[2] - expected[k].black) < 1e-5F);
        assert_true(fabsf(planes[3] - expected[k].white) < 1e-4F);
        for (int i = 0; i < 6; i++) {
            assert_true(planes[i] == pixels[i % 2 * 3 + i / 2]);
        }
        assert_int_equal(read.size, 224);
    }
    assert_null(tot_preprocess_at(tot_preprocess_count()));
}

TEST(test_bad_preprocessing) {
    encoder_preprocess read;
    static const struct {
        tot_weights_settings settings;
        const char *word;
    } bad[] = {
        {{.preprocess = "siglib"}, "did you mean 'siglip'"},
        {{.mean = "0.5,0.5"}, "mean: '0.5,0.5' is not one number, or three"},
        {{.mean = "1,2,3,4"}, "mean: '1,2,3,4'"},
        {{.mean = "1,2,3,"}, "mean: '1,2,3,'"},
        {{.mean = ""}, "mean: ''"},
        {{.std = "1,nan,1"}, "std: 'nan'"},
        {{.std = "1,x,1"}, "std: 'x'"},
        {{.std = "0"}, "std: 0 is not more than 0"},
        {{.std = "1,-1,1"}, "std: -1"},
        {{.std = "1e-300"}, "too small"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        assert_fails(encoder_preprocess_read(&read, &bad[k].settings), TOT_E_ARGUMENT, bad[k].word);
    }
}

TEST(test_own_preprocessing) {
    need_openvino();
    static const double mean[] = {0.1, 0.2, 0.3};
    static const double std[] = {0.5, 0.5, 0.5};
    const tot_weights_settings own = {.output = "map", .mean = "0.1,0.2,0.3", .std = "0.5"};
    const tot_weights_settings plain = {.output = "map"};
    int64_t width = 0;
    char hash[17];
    tot_weights *weights = load(&(made_onnx){0}, &own);
    float *found = encode(weights, SIZE, 8, 1, false, &width);
    assert_maps(found, mean, std, 1);
    free(found);
    snprintf(hash, sizeof hash, "%s", tot_weights_hash(weights));
    tot_weights_free(weights);
    weights = load(&(made_onnx){0}, &plain);
    assert_string_not_equal(hash, tot_weights_hash(weights));
    tot_weights_free(weights);
}

// --- layouts ------------------------------------------------------------------------------------

TEST(test_layouts) {
    static const struct {
        int64_t sides[4];
        int rank;
        encoder_layout expected;
    } good[] = {
        {{1, 384, 16, 16}, 4, {384, 256, 0, false}},
        {{1, 7, 7, 768}, 4, {768, 49, 0, true}},
        {{1, 257, 384}, 3, {384, 256, 1, true}},
        {{1, 261, 384}, 3, {384, 256, 5, true}},
        {{1, 729, 1152}, 3, {1152, 729, 0, true}},
        {{1, 50, 768}, 3, {768, 49, 1, true}},
        {{1, 285, 8}, 3, {8, 285, 0, true}},
        {{1, 512}, 2, {512, 1, 0, true}},
        {{512}, 1, {512, 1, 0, true}},
    };
    for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
        encoder_layout found;
        const encoder_layout *expected = &good[k].expected;
        assert_ok(encoder_layout_read(&found, good[k].sides, good[k].rank));
        assert_int_equal(found.channels, expected->channels);
        assert_int_equal(found.cells, expected->cells);
        assert_int_equal(found.extra, expected->extra);
        assert_int_equal(found.channel_last, expected->channel_last);
    }
    encoder_layout found;
    const int64_t batch[] = {2, 512};
    const int64_t any[] = {1, -1, 384};
    const int64_t many[] = {1, 2, 3, 4, 5};
    assert_fails(encoder_layout_read(&found, batch, 2), TOT_E_UNSUPPORTED, "neither a map");
    assert_fails(encoder_layout_read(&found, any, 3), TOT_E_UNSUPPORTED, "depends on the picture");
    assert_fails(encoder_layout_read(&found, many, 5), TOT_E_UNSUPPORTED, "5 dimensions");
    assert_fails(encoder_layout_read(&found, many, -1), TOT_E_UNSUPPORTED, "dimensions");
}

// --- invalid files ------------------------------------------------------------------------------

static tot_status skim(const void *bytes, size_t size, file_onnx *onnx) {
    file_source source;
    file_sha256 *sum = NULL;
    assert_ok(file_sha256_start(&sum));
    file_source_from_memory(&source, bytes, size, "made.onnx");
    BASE_FINALLY(file_onnx_skim(onnx, &source, sum), base_free(sum));
}

// A truncated file is rejected before OpenVINO sees it, unless only its opset is missing.
TEST(test_cut_short) {
    file_protobuf model = {0};
    file_onnx onnx;
    made_model(&(made_onnx){.location = "weights.bin"}, &model);
    assert_ok(skim(model.bytes, model.size, &onnx));
    assert_int_equal(onnx.external_count, 1);
    assert_string_equal(onnx.external, "weights.bin");
    file_onnx_free(&onnx);
    size_t refused = 0;
    for (size_t size = 0; size < model.size; size++) {
        const tot_status status = skim(model.bytes, size, &onnx);
        refused += status == TOT_E_FORMAT;
        assert_true(status == TOT_E_FORMAT || status == TOT_OK);
        file_onnx_free(&onnx);
    }
    assert_true(refused >= model.size - 1);
    file_protobuf_free(&model);
    assert_fails(skim("version https://git-lfs", 23, &onnx), TOT_E_FORMAT, "no ONNX model");
}

TEST(test_external_names) {
    static const char *const bad[] = {"/etc/passwd", "../weights.bin", "a/../../b", "..", ""};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        file_protobuf model = {0};
        file_onnx onnx;
        made_model(&(made_onnx){.location = bad[k]}, &model);
        assert_fails(skim(model.bytes, model.size, &onnx), TOT_E_FORMAT, "not below its folder");
        file_protobuf_free(&model);
    }
}

TEST(test_huge) {
    tot_weights *weights = NULL;
    FILE *file = fopen(in_folder("huge.onnx"), "wb");
    assert_non_null(file);
    assert_int_equal(ftruncate(fileno(file), (off_t)3 << 30), 0);  // sparse: no block is written
    assert_int_equal(fclose(file), 0);
    assert_fails(tot_weights_load(&weights, path, NULL), TOT_E_UNSUPPORTED, "3.2 GB");
    unlink(path);
}

static void refuse(const made_onnx *made, const tot_weights_settings *settings, tot_status expected,
                   const char *word) {
    tot_weights *weights = NULL;
    made_write(in_folder("bad.onnx"), made, 0);
    assert_fails(tot_weights_load(&weights, path, settings), expected, word);
    assert_null(weights);
    assert_non_null(strstr(tot_error(), "bad.onnx"));
    assert_null(strchr(tot_error(), '\n'));
}

TEST(test_refused) {
    need_openvino();
    refuse(&(made_onnx){.input = "input_ids"}, NULL, TOT_E_UNSUPPORTED,
           "2 inputs (picture, input_ids)");
    refuse(&(made_onnx){.extra = "Inverter"}, NULL, TOT_E_UNSUPPORTED, "Inverter");
    refuse(&(made_onnx){0}, &(tot_weights_settings){.output = "features"}, TOT_E_ARGUMENT,
           "no tensor 'features'; its outputs are tokens, map, row");
    refuse(&(made_onnx){0}, &(tot_weights_settings){.stride = 16}, TOT_E_ARGUMENT, "stride: ");
    refuse(&(made_onnx){0}, &(tot_weights_settings){.prefix = "module."}, TOT_E_ARGUMENT,
           "prefix: ");
    refuse(&(made_onnx){0}, &(tot_weights_settings){.network = "resnet50"}, TOT_E_ARGUMENT,
           "not resnet50");
    refuse(&(made_onnx){.location = "weights.bin"}, NULL, TOT_E_FILE, "weights.bin");
}

TEST(test_external_weights) {
    need_openvino();
    int64_t width = 0;
    FILE *file = fopen(in_folder("weights.bin"), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(made_kernel(), sizeof(float), MADE_WEIGHTS, file), MADE_WEIGHTS);
    assert_int_equal(fclose(file), 0);
    const made_onnx made = {.location = "weights.bin", .only_row = true};
    tot_weights *weights = load(&(made_onnx){.location = "weights.bin"}, NULL);
    float *found = encode(weights, SIZE, 8, 1, false, &width);
    assert_maps(found, imagenet_mean, imagenet_std, 1);
    free(found);
    tot_weights_free(weights);
    refuse(&made, &(tot_weights_settings){.output = "map"}, TOT_E_ARGUMENT, "external weights");
    unlink(in_folder("weights.bin"));
}

// Settings that other networks do not have, and two files at once.
TEST(test_mixed_up) {
    tot_weights *weights = NULL;
    const tot_weights_settings own = {.mean = "0.5"};
    const tot_weights_settings named = {.network = "a.onnx"};
    assert_fails(tot_weights_load(&weights, "resnet50.pth", &own), TOT_E_ARGUMENT,
                 "mean: only for ONNX networks");
    assert_fails(tot_weights_load(&weights, "resnet50.pth", &named), TOT_E_ARGUMENT,
                 "cannot use resnet50.pth");
    assert_fails(tot_weights_load(&weights, NULL, &named), TOT_E_FILE, "a.onnx");
    assert_null(weights);
}

int main(void) {
    make_pictures();
    return RUN_TESTS(make_folder, remove_folder);
}
