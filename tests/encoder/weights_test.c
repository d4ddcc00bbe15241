// Reading weights: prefixes, the tensor order of an older layout, and all kinds of invalid files.
#include "generated.h"

static tot_status load_edited(tot_weights **weights, const char *network, made_editor edit,
                              void *context) {
    return made_load(weights, network, "", edit, context, NULL);
}

// Asserts that loading fails with this error and returns nothing.
#define assert_refused(expression, expected, word) \
    do {                                           \
        tot_weights *weights = NULL;               \
        assert_fails(expression, expected, word);  \
        assert_null(weights);                      \
    } while (0)

// --- valid files --------------------------------------------------------------------------------

TEST(test_prefixes) {
    static const char *const prefixes[] = {"", "module.", "module.pre.", "convnet.", "model.a.b."};
    char first[17] = "";
    for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes; k++) {
        tot_weights *weights = NULL;
        assert_ok(made_load(&weights, "resnet18", prefixes[k], NULL, NULL, NULL));
        assert_string_equal(tot_weights_network(weights)->name, "resnet18");
        // the hash covers the values, not the names
        if (k == 0) {
            snprintf(first, sizeof first, "%s", tot_weights_hash(weights));
            assert_int_equal(strlen(first), 16);
        }
        assert_string_equal(tot_weights_hash(weights), first);
        tot_weights_free(weights);
    }
}

TEST(test_asked_for) {
    tot_weights *weights = NULL;
    tot_weights_settings settings = {.network = "resnet18", .prefix = "module."};
    assert_ok(made_load(&weights, "resnet18", "module.", NULL, NULL, &settings));
    tot_weights_free(weights);
    weights = NULL;
    settings.prefix = "other.";
    assert_fails(made_load(&weights, "resnet18", "module.", NULL, NULL, &settings), TOT_E_ARGUMENT,
                 "other.");
    settings = (tot_weights_settings){.network = "resnet34"};
    assert_fails(made_load(&weights, "resnet18", "", NULL, NULL, &settings), TOT_E_ARGUMENT,
                 "holds resnet18, not resnet34");
    settings.network = "resnet20";
    assert_fails(made_load(&weights, "resnet18", "", NULL, NULL, &settings), TOT_E_ARGUMENT,
                 "did you mean");
    assert_null(weights);
}

// The names of the older MobileNetV2: conv.0, conv.1, conv.3, ... within a block.
static bool old_names(void *context, char *name, char *shape, size_t *count) {
    (void)shape;
    (void)count;
    int *number = context;
    if (strstr(name, ".conv.") != NULL) {
        const char *ending = strrchr(name, '.');
        char renamed[200];
        snprintf(renamed, sizeof renamed, "features.x.%d%s", (*number)++, ending);
        memcpy(name, renamed, strlen(renamed) + 1);
    }
    return true;
}

TEST(test_order) {
    tot_weights *by_name = NULL;
    tot_weights *by_order = NULL;
    int number = 0;
    assert_ok(load_edited(&by_name, "mobilenetv2", NULL, NULL));
    // generated values depend on the plain name, so that both files have the same
    assert_ok(load_edited(&by_order, "mobilenetv2", old_names, &number));
    assert_true(number > 200);
    assert_string_equal(tot_weights_hash(by_name), tot_weights_hash(by_order));
    tot_weights_free(by_name);
    tot_weights_free(by_order);
}

// --- invalid files ------------------------------------------------------------------------------

typedef struct change {
    const char *name;   // name of the tensor
    const char *other;  // its new name; NULL: omitted
    const char *shape;  // its new shape with the same number of elements; NULL: unchanged
} change;

static bool make_change(void *context, char *name, char *shape, size_t *count) {
    (void)count;
    const change *this = context;
    if (strcmp(name, this->name) != 0) {
        return true;
    }
    if (this->shape != NULL) {
        snprintf(shape, 80, "%s", this->shape);
        return true;
    }
    if (this->other != NULL) {
        snprintf(name, 200, "%s", this->other);
    }
    return this->other != NULL;
}

TEST(test_missing_and_surplus) {
    change missing = {.name = "layer2.0.conv1.weight"};
    assert_refused(load_edited(&weights, "resnet18", make_change, &missing), TOT_E_SHAPE,
                   "as resnet18: missing layer2.0.conv1.weight");
    change renamed = {.name = "layer2.0.conv1.weight", .other = "layer2.0.konv1.weight"};
    assert_refused(load_edited(&weights, "resnet18", make_change, &renamed), TOT_E_SHAPE,
                   "missing layer2.0.conv1.weight; surplus layer2.0.konv1.weight");
    change first = {.name = "conv1.weight", .other = "first.weight"};
    assert_refused(load_edited(&weights, "resnet18", make_change, &first), TOT_E_SHAPE,
                   "conv1.weight");
    change narrow = {.name = "features.4.conv.1.0.weight"};
    assert_refused(load_edited(&weights, "mobilenetv2", make_change, &narrow), TOT_E_SHAPE,
                   "features.4.conv.1.0.weight");
}

TEST(test_wrong_shape) {
    change kernel = {.name = "layer1.0.conv2.weight", .shape = "64,64,9,1"};
    assert_refused(load_edited(&weights, "resnet18", make_change, &kernel), TOT_E_SHAPE,
                   "layer1.0.conv2.weight is 64x64x9x1 float32, not 64x64x3x3");
    change norm = {.name = "bn1.bias", .shape = "8,8"};
    assert_refused(load_edited(&weights, "resnet18", make_change, &norm), TOT_E_SHAPE,
                   "bn1.bias is 8x8 float32, not 64");
}

// Both halves of a file that contains a network twice.
TEST(test_two_networks) {
    made_file file = {0};
    float *numbers;
    made_entry(&file, "a.conv1.weight", "64,3,7,7", 64 * 3 * 49, &numbers);
    memset(numbers, 0, 64 * 3 * 49 * sizeof *numbers);
    made_entry(&file, "b.conv1.weight", "64,3,7,7", 64 * 3 * 49, &numbers);
    memset(numbers, 0, 64 * 3 * 49 * sizeof *numbers);
    size_t size;
    uint8_t *bytes = made_end(&file, &size);
    tot_tensors *tensors = made_parse(bytes, size);
    assert_refused(tot_weights_from(&weights, tensors, NULL), TOT_E_ARGUMENT, "'a.' and 'b.'");
    const tot_weights_settings settings = {.prefix = "b."};
    assert_refused(tot_weights_from(&weights, tensors, &settings), TOT_E_SHAPE,
                   "missing b.bn1.weight");
    tot_tensors_free(tensors);
}

// Loads weights with one value of a tensor replaced.
static tot_status load_with_number(tot_weights **weights, const char *tensor, float number) {
    size_t size;
    uint8_t *bytes = made_weights("resnet18", "", NULL, NULL, &size);
    uint64_t header;
    memcpy(&header, bytes, 8);
    char key[100];
    snprintf(key, sizeof key, "\"%s\"", tensor);
    char *text = calloc(header + 1, 1);
    assert_non_null(text);
    memcpy(text, bytes + 8, header);
    const char *offsets = strstr(strstr(text, key), "data_offsets\":[");
    memcpy(bytes + 8 + header + strtoull(offsets + 15, NULL, 10) + 4 * sizeof number, &number,
           sizeof number);
    free(text);
    tot_tensors *tensors = made_parse(bytes, size);
    const tot_status status = tot_weights_from(weights, tensors, NULL);
    tot_tensors_free(tensors);
    return status;
}

TEST(test_numbers) {
    assert_refused(load_with_number(&weights, "layer3.1.conv2.weight", NAN), TOT_E_VALUE,
                   "layer3.1.conv2.weight: number 4 is");
    assert_refused(load_with_number(&weights, "layer3.1.bn2.bias", INFINITY), TOT_E_VALUE,
                   "layer3.1.bn2.bias: number 4 is inf");
    assert_refused(load_with_number(&weights, "bn1.running_var", -1), TOT_E_VALUE,
                   "bn1.running_var: number 4 is -1");
    assert_refused(load_with_number(&weights, "layer2.1.conv1.weight", 3e38F), TOT_E_VALUE,
                   "overflows");
}

TEST(test_names_of_networks) {
    const tot_network_info *info = NULL;
    assert_ok(tot_network_find(&info, "resnet50"));
    assert_int_equal(info->channels, 2048);
    assert_fails(tot_network_find(&info, "resnet500"), TOT_E_ARGUMENT, "resnet50");
    assert_fails(tot_network_find(&info, "vision-transformer"), TOT_E_ARGUMENT, "mobilenetv2");
    for (size_t k = 0; k < tot_network_count(); k++) {
        assert_ok(tot_network_find(&info, tot_network_at(k)->name));
        assert_ptr_equal(info, tot_network_at(k));
    }
    assert_null(tot_network_at(tot_network_count()));
}

TEST_MAIN(NULL, NULL)
