// The networks compared with PyTorch's: all six with generated weights, and real files.
#include "generated.h"
#include "../sanitizers.h"

enum { PICTURES = 2, MOST_LINE = 200 };

typedef struct likeness {
    int size, picture;
    double largest;                // of PyTorch's map
    double product, ours, theirs;  // for the cosine
    double difference;             // largest difference
    int rows;
} likeness;

static void check_likeness(const char *name, const likeness *this) {
    const double cosine = this->product / sqrt(this->ours * this->theirs);
    const double relative = this->difference / this->largest;
    print_message("%s %d picture %d: 1 - cosine %.2g, largest difference %.2g\n", name, this->size,
                  this->picture, 1 - cosine, relative);
    assert_true(this->rows > 100);
    assert_true(cosine >= 0.999999);
    assert_true(relative <= 1e-4);
}

// The maps of the generated pictures of a size: [PICTURES][width].
static float *encode_pictures(tot_weights *weights, int size, int64_t *width, tot_pool *pool) {
    tot_encoder_settings settings;
    tot_encoder *encoder = NULL;
    tot_encoder_defaults(&settings);
    settings.size = size;
    settings.batch = PICTURES;
    assert_ok(tot_encoder_create(&encoder, weights, &settings, pool));
    *width = tot_encoder_width(encoder);
    const size_t numbers = (size_t)size * (size_t)size * 3;
    uint8_t *rgb = malloc(PICTURES * numbers);
    float *maps = malloc(PICTURES * (size_t)*width * sizeof *maps);
    assert_non_null(rgb);
    assert_non_null(maps);
    for (int k = 0; k < PICTURES; k++) {
        generate_picture(k, size, rgb + (size_t)k * numbers);
    }
    assert_ok(tot_encode(encoder, rgb, PICTURES, maps));
    free(rgb);
    tot_encoder_free(encoder);
    return maps;
}

static void compare_row(likeness *this, const float *map, int64_t index, double value) {
    const double ours = (double)map[index];
    this->product += ours * value;
    this->ours += ours * ours;
    this->theirs += value * value;
    this->difference = fmax(this->difference, fabs(ours - value));
    this->rows++;
}

// Compares with every row of the file. Rows of the same size are contiguous.
static void compare_with(const char *name, tot_weights *weights, int only_size, tot_pool *pool) {
    char path[512];
    char line[MOST_LINE];
    snprintf(path, sizeof path, "%s/tests/encoder/fixtures/%s.csv", TEST_SOURCE_DIR, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    likeness now = {0};
    float *maps = NULL;
    int64_t width = 0;
    int maps_size = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        int size, picture;
        long long index;
        double value;
        assert_int_equal(
            sscanf(strchr(line, ','), ",%d,%d,%lld,%lf", &size, &picture, &index, &value), 4);
        if (only_size != 0 && size != only_size) {
            continue;
        }
        if (size != maps_size) {
            free(maps);
            maps = encode_pictures(weights, size, &width, pool);
            maps_size = size;
        }
        if (index < 0) {
            if (now.rows > 0) {
                check_likeness(name, &now);
            }
            now = (likeness){.size = size, .picture = picture, .largest = value};
            continue;
        }
        assert_true(index < width);
        compare_row(&now, maps + picture * width, index, value);
    }
    check_likeness(name, &now);
    free(maps);
    fclose(file);
}

static void check_network(const char *name, int only_size, tot_pool *pool) {
    tot_weights *weights = NULL;
    assert_ok(made_load(&weights, name, "", NULL, NULL, NULL));
    assert_string_equal(tot_weights_network(weights)->name, name);
    compare_with(name, weights, only_size, pool);
    tot_weights_free(weights);
}

TEST(test_resnet18) {
    check_network("resnet18", 0, NULL);
}

// A deeper network has more of the same layers: one size is enough with a sanitizer.
enum { DEEPER_SIZE = TEST_SANITIZED ? 100 : 0, DEEPEST_SIZE = TEST_SANITIZED ? 100 : 224 };

TEST(test_resnet34) {
    check_network("resnet34", DEEPER_SIZE, NULL);
}

TEST(test_resnet50) {
    check_network("resnet50", DEEPER_SIZE, NULL);
}

TEST(test_resnet50_on_two_threads) {
    tot_pool *pool = NULL;
    assert_ok(tot_pool_create(&pool, 2));
    check_network("resnet50", 100, pool);
    tot_pool_free(pool);
}

TEST(test_resnet101) {
    check_network("resnet101", 100, NULL);
}

TEST(test_resnet152) {
    check_network("resnet152", DEEPEST_SIZE, NULL);
}

TEST(test_mobilenetv2) {
    check_network("mobilenetv2", 0, NULL);
}

// Networks cut at an earlier map, with both engines.
TEST(test_cuts) {
    static const struct {
        const char *name;
        int stride, channels;
    } cuts[] = {{"resnet18", 4, 64},    {"resnet18", 16, 256},  {"resnet50", 8, 512},
                {"mobilenetv2", 4, 24}, {"mobilenetv2", 8, 32}, {"mobilenetv2", 16, 96}};
    for (size_t k = 0; k < sizeof cuts / sizeof *cuts; k++) {
        char label[64];
        tot_weights *weights = NULL;
        const tot_weights_settings settings = {.stride = cuts[k].stride};
        snprintf(label, sizeof label, "%s_stride%d", cuts[k].name, cuts[k].stride);
        assert_ok(made_load(&weights, cuts[k].name, "", NULL, NULL, &settings));
        assert_int_equal(tot_weights_channels(weights), cuts[k].channels);
        assert_int_equal(tot_weights_stride(weights), cuts[k].stride);
        compare_with(label, weights, 0, NULL);
        tot_weights_free(weights);
    }
}

TEST(test_strides_that_are_none) {
    static const int bad[] = {-1, 1, 2, 5, 31, 64};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        tot_weights *weights = NULL;
        const tot_weights_settings settings = {.stride = bad[k]};
        assert_fails(tot_weights_load(&weights, NULL, &settings), TOT_E_ARGUMENT, "stride");
        assert_null(weights);
    }
}

TEST(test_set_up_file) {
    tot_weights *weights = NULL;
    assert_ok(tot_weights_load(&weights, NULL, NULL));
    assert_string_equal(tot_weights_network(weights)->name, "mobilenetv2");
    compare_with("mobilenetv2_file", weights, 0, NULL);
    tot_weights_free(weights);
}

// The file imgsim/model.pth of the wheel imgsim 0.1.2, if available.
TEST(test_imgsim_file) {
    const char *path = getenv("TEMPORALOT_IMGSIM");
    if (path == NULL) {
        skip();
    }
    tot_weights *weights = NULL;
    assert_ok(tot_weights_load(&weights, path, NULL));
    assert_string_equal(tot_weights_network(weights)->name, "resnet50");
    compare_with("imgsim_file", weights, 0, NULL);
    tot_weights_free(weights);
}

TEST_MAIN(NULL, NULL)
