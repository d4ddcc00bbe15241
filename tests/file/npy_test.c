// Reading and writing .npy: handmade files, memory, and files that change or fail.
#include "file/made_npy.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>

#include "failing_memory.h"

static void expect_shape(const tot_array *array, tot_type type, int dimensions,
                         const int64_t *shape) {
    assert_int_equal(array->type, type);
    assert_int_equal(array->dimensions, dimensions);
    for (int k = 0; k < dimensions; k++) {
        assert_int_equal(array->shape[k], shape[k]);
    }
}

// --- valid files -------------------------------------------------------------------------------

TEST_EACH(NULL, empty_test_folder)

TEST(reads_plain_floats) {
    made_file file = make_npy(F4_2_3, six, sizeof six);
    tot_array array = {0};
    assert_ok(parse(&array, &file));
    expect_shape(&array, TOT_F32, 2, (int64_t[]){2, 3});
    assert_int_equal(tot_array_count(&array), 6);
    assert_memory_equal(array.data, six, sizeof six);
    assert_int_equal((uintptr_t)array.data % 64, 0);
    tot_array_free(&array);
    assert_null(array.data);
    tot_array_free(&array);
    tot_array_free(NULL);
}

TEST(reads_header_variants) {
    static const char *const literals[] = {
        "{'shape': (2, 3), 'fortran_order': False, 'descr': '<f4'}",
        "{\"descr\":\"<f4\",\"fortran_order\":False,\"shape\":(2,3)}",
        " { 'descr' : '<f4' ,\t'fortran_order' : False , 'shape' : ( 2 , 3 , ) , } \r\n \n",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2L, 3L), }\n",
    };
    tot_array array = {0};
    for (size_t k = 0; k < sizeof literals / sizeof literals[0]; k++) {
        for (int version = 1; version <= 3; version++) {
            made_file file = make_npy_padded(version, literals[k], k * 100, six, sizeof six);
            assert_ok(parse(&array, &file));
            expect_shape(&array, TOT_F32, 2, (int64_t[]){2, 3});
            assert_memory_equal(array.data, six, sizeof six);
        }
    }
    tot_array_free(&array);
}

TEST(reads_every_type) {
    static const struct {
        const char *descr;
        tot_type type;
        size_t stored;
        uint8_t bytes[8];    // one element in the file
        uint8_t element[8];  // and in the memory of a little-endian machine
    } cases[] = {
        {"<f4", TOT_F32, 4, {0, 0, 0x80, 0x3f}, {0, 0, 0x80, 0x3f}},
        {">f4", TOT_F32, 4, {0x3f, 0x80, 0, 1}, {1, 0, 0x80, 0x3f}},
        {"<f8", TOT_F64, 8, {1, 2, 3, 4, 5, 6, 7, 8}, {1, 2, 3, 4, 5, 6, 7, 8}},
        {">f8", TOT_F64, 8, {8, 7, 6, 5, 4, 3, 2, 1}, {1, 2, 3, 4, 5, 6, 7, 8}},
        {"<f2", TOT_F32, 2, {0x00, 0x3c}, {0, 0, 0x80, 0x3f}},
        {">f2", TOT_F32, 2, {0x3c, 0x00}, {0, 0, 0x80, 0x3f}},
        {"|u1", TOT_U8, 1, {200}, {200}},
        {"u1", TOT_U8, 1, {200}, {200}},
        {"|b1", TOT_U8, 1, {1}, {1}},
        {"|b1", TOT_U8, 1, {2}, {1}},
        {"<i4", TOT_I32, 4, {0xfe, 0xff, 0xff, 0xff}, {0xfe, 0xff, 0xff, 0xff}},
        {">i4", TOT_I32, 4, {0xff, 0xff, 0xff, 0xfe}, {0xfe, 0xff, 0xff, 0xff}},
        {"<i8", TOT_I64, 8, {1, 2, 3, 4, 5, 6, 7, 8}, {1, 2, 3, 4, 5, 6, 7, 8}},
        {">i8", TOT_I64, 8, {8, 7, 6, 5, 4, 3, 2, 1}, {1, 2, 3, 4, 5, 6, 7, 8}},
    };
    if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__) {
        skip();
    }
    tot_array array = {0};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char literal[100];
        snprintf(literal, sizeof literal, "{'descr': '%s', 'fortran_order': False, 'shape': ()}",
                 cases[k].descr);
        made_file file = make_npy(literal, cases[k].bytes, cases[k].stored);
        assert_ok(parse(&array, &file));
        expect_shape(&array, cases[k].type, 0, NULL);
        assert_int_equal(tot_array_count(&array), 1);
        assert_memory_equal(array.data, cases[k].element, tot_type_size(cases[k].type));
    }
    tot_array_free(&array);
}

// All 65536 halves, against ldexp.
TEST(widens_every_half) {
    const char *literal = "{'descr': '<f2', 'fortran_order': False, 'shape': (65536,), }";
    size_t prefix = 10 + strlen(literal);
    uint8_t *bytes = malloc(prefix + 131072);
    assert_non_null(bytes);
    memcpy(bytes, make_npy(literal, NULL, 0).bytes, prefix);
    for (unsigned half = 0; half < 65536; half++) {
        bytes[prefix + 2 * half] = (uint8_t)(half & 0xff);
        bytes[prefix + 2 * half + 1] = (uint8_t)(half >> 8);
    }
    tot_array array = {0};
    assert_ok(tot_array_parse(&array, bytes, prefix + 131072, "halves"));
    const float *values = array.data;
    for (unsigned half = 0; half < 65536; half++) {
        int exponent = (int)(half >> 10 & 31);
        int mantissa = (int)(half & 1023);
        bool negative = half >> 15 != 0;
        assert_int_equal(signbit(values[half]) != 0, negative);
        if (exponent == 31) {
            uint32_t bits;
            memcpy(&bits, &values[half], 4);
            assert_int_equal(bits & 0x7fffffu, (uint32_t)mantissa << 13);
            assert_true(mantissa != 0 ? isnan(values[half]) : isinf(values[half]));
            continue;
        }
        double magnitude =
            exponent > 0 ? ldexp(1024 + mantissa, exponent - 25) : ldexp(mantissa, -24);
        assert_true((double)values[half] == (negative ? -magnitude : magnitude));
    }
    tot_array_free(&array);
    free(bytes);
}

// Elements equal to their C-order index, stored in Fortran order.
static void check_fortran(const int64_t *shape, int dimensions, size_t element) {
    static const char *const codes[] = {[1] = "|u1", [2] = "<f2", [4] = "<i4", [8] = "<i8"};
    int64_t count = 1;
    char literal[200];
    int used = snprintf(literal, sizeof literal,
                        "{'descr': '%s', 'fortran_order': True, 'shape': (", codes[element]);
    for (int k = 0; k < dimensions; k++) {
        count *= shape[k];
        used +=
            snprintf(literal + used, sizeof literal - (size_t)used, "%lld,", (long long)shape[k]);
    }
    snprintf(literal + used, sizeof literal - (size_t)used, ")}");
    size_t prefix = 10 + strlen(literal);
    size_t size = prefix + (size_t)count * element;
    uint8_t *bytes = malloc(size);
    assert_non_null(bytes);
    memcpy(bytes, make_npy(literal, NULL, 0).bytes, prefix);
    for (int64_t place = 0; place < count; place++) {
        int64_t left = place;
        int64_t index = 0;
        int64_t stride = count;
        for (int k = 0; k < dimensions; k++) {
            stride /= shape[k];
            index += left % shape[k] * stride;
            left /= shape[k];
        }
        // halves count from 1024, where each step is one unit in the last place
        uint64_t stored = element == 2 ? (uint64_t)(0x6400 + index) : (uint64_t)index;
        memcpy(bytes + prefix + (size_t)place * element, &stored, element);
    }
    tot_array array = {0};
    assert_ok(tot_array_parse(&array, bytes, size, "fortran"));
    assert_int_equal(tot_array_count(&array), count);
    for (int64_t i = 0; i < count; i++) {
        if (element == 1) {
            assert_int_equal(((uint8_t *)array.data)[i], i & 0xff);
        } else if (element == 2) {
            assert_true(((float *)array.data)[i] == (float)(1024 + i));
        } else if (element == 4) {
            assert_int_equal(((int32_t *)array.data)[i], i);
        } else {
            assert_int_equal(((int64_t *)array.data)[i], i);
        }
    }
    tot_array_free(&array);
    free(bytes);
}

TEST(reads_fortran_order) {
    static const int64_t shapes[][8] = {
        {3, 4},          {1, 7},          {7, 1},          {31, 33},          {33, 31},
        {2, 3, 4},       {5, 1, 6},       {1, 5, 6},       {5, 6, 1},         {2, 3, 4, 5},
        {3, 2, 1, 2, 3}, {2, 2, 2, 2, 2}, {1, 1, 1, 1, 1}, {2, 1, 3, 1, 2, 3}};
    static const int dimensions[] = {2, 2, 2, 2, 2, 3, 3, 3, 3, 4, 5, 5, 5, 6};
    for (size_t k = 0; k < sizeof dimensions / sizeof dimensions[0]; k++) {
        for (size_t element = 1; element <= 8; element *= 2) {
            check_fortran(shapes[k], dimensions[k], element);
        }
    }
    check_fortran((int64_t[]){2, 3, 1, 2, 2, 2, 3, 2}, 8, 4);
    check_fortran((int64_t[]){5}, 1, 8);
    check_fortran((int64_t[]){100, 70}, 2, 8);
    // more than is read at once, with short and long columns
    check_fortran((int64_t[]){2000, 1000}, 2, 1);
    check_fortran((int64_t[]){100, 3, 1200}, 3, 4);
    check_fortran((int64_t[]){40000, 21}, 2, 8);
}

TEST(reads_zero_sizes) {
    tot_array array = {0};
    made_file file =
        make_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (0, 7), }", NULL, 0);
    assert_ok(parse(&array, &file));
    expect_shape(&array, TOT_F32, 2, (int64_t[]){0, 7});
    assert_int_equal(tot_array_count(&array), 0);
    assert_non_null(array.data);
    file = make_npy("{'descr': '<f2', 'fortran_order': True, 'shape': (3, 0, 7), }", NULL, 0);
    assert_ok(parse(&array, &file));
    expect_shape(&array, TOT_F32, 3, (int64_t[]){3, 0, 7});
    tot_array_free(&array);
}

static int warnings;

static void count_warning(void *context, tot_log_level level, const char *text) {
    (void)context;
    warnings += level == TOT_LOG_WARNING && strstr(text, "3 bytes after the array") != NULL;
}

// Like numpy, but not silently.
TEST(ignores_trailing_bytes) {
    made_file file = make_npy(F4_2_3, six, sizeof six);
    memcpy(file.bytes + file.size, "abc", 3);
    file.size += 3;
    tot_array array = {0};
    warnings = 0;
    tot_log_set(count_warning, NULL);
    tot_status status = parse(&array, &file);
    tot_log_set(NULL, NULL);
    assert_ok(status);
    assert_int_equal(warnings, 1);
    assert_memory_equal(array.data, six, sizeof six);
    tot_array_free(&array);
}

// --- memory ------------------------------------------------------------------------------------

TEST(reuses_memory) {
    made_file file = make_npy(F4_2_3, six, sizeof six);
    tot_array array = {0};
    assert_ok(parse(&array, &file));
    void *data = array.data;
    size_t capacity = array.capacity;
    made_file small =
        make_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (5,), }", six, 20);
    assert_ok(parse(&array, &small));
    assert_ptr_equal(array.data, data);
    assert_int_equal(array.capacity, capacity);
    // after a failure the array is empty, and its memory is reused
    made_file bad = make_npy("{}", NULL, 0);
    assert_fails(parse(&array, &bad), TOT_E_FORMAT, "no key");
    assert_int_equal(tot_array_count(&array), 0);
    assert_ok(parse(&array, &file));
    assert_ptr_equal(array.data, data);
    tot_array_free(&array);
}

TEST(leaves_borrowed_memory_alone) {
    float mine[2] = {7.0f, 8.0f};
    tot_array array = {.type = TOT_F32, .dimensions = 1, .shape = {2}, .data = mine};
    made_file file = make_npy(F4_2_3, six, sizeof six);
    assert_ok(parse(&array, &file));
    assert_ptr_not_equal(array.data, mine);
    assert_true(mine[0] == 7.0f && mine[1] == 8.0f);
    tot_array_free(&array);
    array = (tot_array){.type = TOT_F32, .dimensions = 1, .shape = {2}, .data = mine};
    tot_array_free(&array);
}

TEST(survives_failing_allocations) {
    const char *literal = "{'descr': '>f2', 'fortran_order': True, 'shape': (2, 3), }";
    made_file file = make_npy(literal, six, 12);
    write_bytes(in_folder("a.npy"), file.bytes, file.size);
    failing_memory memory;
    uint64_t k;
    for (k = 1; failing_memory_next(&memory, k); k++) {
        tot_array array = {0};
        tot_status status = tot_array_load(&array, in_folder("a.npy"));
        if (status == TOT_OK) {
            status = tot_array_save(&array, in_folder("b.npy"));
        }
        tot_array_free(&array);
        failing_memory_check(&memory, status);
        assert_int_equal(access(in_folder("b.npy"), F_OK), status == TOT_OK ? 0 : -1);
        assert_int_equal(count_files(false), status == TOT_OK ? 2 : 1);
    }
    assert_true(k > 5);
}

// --- files -------------------------------------------------------------------------------------

TEST(saves_and_loads) {
    static const tot_type types[] = {TOT_F32, TOT_F64, TOT_U8, TOT_I32, TOT_I64};
    uint64_t data[12];
    for (size_t k = 0; k < 12; k++) {
        data[k] = 0x3ff0000040000000u + k * 0x0101010101010101u;
    }
    tot_array loaded = {0};
    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
        for (int dimensions = 0; dimensions <= TOT_MAX_DIMENSIONS; dimensions++) {
            tot_array array = {.type = types[k], .dimensions = dimensions, .data = data};
            for (int d = 0; d < dimensions; d++) {
                array.shape[d] = d == 0 ? 3 : d == 4 ? 4 : 1;
            }
            assert_ok(tot_array_save(&array, in_folder("a.npy")));
            assert_ok(tot_array_load(&loaded, in_folder("a.npy")));
            expect_shape(&loaded, types[k], dimensions, array.shape);
            size_t bytes = (size_t)tot_array_count(&array) * tot_type_size(types[k]);
            assert_memory_equal(loaded.data, data, bytes);
        }
    }
    tot_array_free(&loaded);
}

TEST(saves_the_expected_bytes) {
    float data[6];
    memcpy(data, six, sizeof six);
    tot_array array = {.type = TOT_F32, .dimensions = 2, .shape = {2, 3}, .data = data};
    assert_ok(tot_array_save(&array, in_folder("a.npy")));
    size_t size;
    uint8_t *bytes = read_bytes(in_folder("a.npy"), &size);
    assert_int_equal(size, 128 + 24);
    assert_memory_equal(bytes, "\x93NUMPY\1\0\x76\0" F4_2_3, 10 + strlen(F4_2_3));
    assert_int_equal(bytes[127], '\n');
    assert_memory_equal(bytes + 128, six, 24);
    free(bytes);
    // the longest possible header
    array = (tot_array){.type = TOT_F64, .dimensions = 8, .data = data};
    for (int k = 0; k < 8; k++) {
        array.shape[k] = k == 0 ? 0 : k == 1 ? INT64_C(1000000000000000000) : 1;
    }
    assert_ok(tot_array_save(&array, in_folder("b.npy")));
    tot_array loaded = {0};
    assert_ok(tot_array_load(&loaded, in_folder("b.npy")));
    expect_shape(&loaded, TOT_F64, 8, array.shape);
    tot_array_free(&loaded);
}

TEST(refuses_to_save_nonsense) {
    float data[6] = {0};
    const char *path = in_folder("a.npy");
    tot_array array = {.type = TOT_F32, .dimensions = 2, .shape = {2, 3}, .data = data};
    array.shape[1] = -1;
    assert_fails(tot_array_save(&array, path), TOT_E_ARGUMENT, "negative");
    array.shape[1] = INT64_MAX;
    assert_fails(tot_array_save(&array, path), TOT_E_ARGUMENT, "counted");
    assert_int_equal(tot_array_count(&array), 0);
    array.shape[1] = 3;
    array.dimensions = 9;
    assert_fails(tot_array_save(&array, path), TOT_E_ARGUMENT, "9 dimensions");
    array.dimensions = -1;
    assert_fails(tot_array_save(&array, path), TOT_E_ARGUMENT, "-1 dimensions");
    array.dimensions = 2;
    array.type = TOT_TYPE_COUNT;
    assert_fails(tot_array_save(&array, path), TOT_E_ARGUMENT, "unknown type");
    array.type = TOT_F32;
    array.data = NULL;
    assert_fails(tot_array_save(&array, path), TOT_E_ARGUMENT, "no data");
    assert_int_equal(count_files(false), 0);
}

TEST(refuses_what_is_no_file) {
    tot_array array = {0};
    assert_fails(tot_array_load(&array, in_folder("none.npy")), TOT_E_FILE, "No such file");
    assert_fails(tot_array_load(&array, in_folder("none.npz:a")), TOT_E_FILE, "no such file");
    assert_fails(tot_array_load(&array, test_folder), TOT_E_FILE, "is a folder");
    assert_fails(tot_array_load(&array, "/dev/null"), TOT_E_FILE, "a device or pipe");
    assert_fails(tot_array_load(&array, ""), TOT_E_FILE, "cannot open");
    assert_int_equal(mkfifo(in_folder("pipe"), 0600), 0);
    assert_fails(tot_array_load(&array, in_folder("pipe")), TOT_E_FILE, "a device or pipe");
    write_bytes(in_folder("empty.npy"), "", 0);
    assert_fails(tot_array_load(&array, in_folder("empty.npy")), TOT_E_FORMAT, "is empty");
    tot_array_free(&array);
}

// Truncates the file when memory for the elements is allocated, just before they are read.
static void cut_file(void *context, size_t bytes) {
    if (bytes >= 4096) {
        assert_int_equal(truncate(context, 1000), 0);
    }
}

TEST(notices_a_file_that_shrinks) {
    tot_array array = {.type = TOT_U8, .dimensions = 1, .shape = {10000}};
    array.data = calloc(10000, 1);
    const char *path = in_folder("a.npy");
    assert_ok(tot_array_save(&array, path));
    free(array.data);
    failing_memory memory;
    failing_memory_start(&memory, 0);
    memory.before = cut_file;
    memory.before_context = (void *)path;
    tot_array loaded = {0};
    tot_status status = tot_array_load(&loaded, path);
    tot_array_free(&loaded);
    assert_int_equal(failing_memory_stop(&memory), 0);
    assert_fails(status, TOT_E_FILE, "shrank while it was read");
    assert_non_null(strstr(tot_error(), "it had 10128 bytes, now it ends at 1000"));
}

// --- interrupted and partial reads: tests.cmake wraps pread -------------------------------------

ssize_t __real_pread(int file, void *bytes, size_t size, off_t offset);
ssize_t __wrap_pread(int file, void *bytes, size_t size, off_t offset);

static enum { READ_PLAIN, READ_IN_PIECES, READ_FAILING } read_mode;
static int read_calls;

ssize_t __wrap_pread(int file, void *bytes, size_t size, off_t offset) {
    read_calls++;
    if (read_mode == READ_IN_PIECES) {
        if (read_calls % 2 == 0) {
            errno = EINTR;
            return -1;
        }
        size = size < 7 ? size : 7;
    }
    if (read_mode == READ_FAILING && offset > 0) {
        errno = EIO;
        return -1;
    }
    return __real_pread(file, bytes, size, offset);
}

TEST(reads_in_pieces) {
    made_file file = make_npy(F4_2_3, six, sizeof six);
    write_bytes(in_folder("a.npy"), file.bytes, file.size);
    tot_array array = {0};
    read_mode = READ_IN_PIECES;
    read_calls = 0;
    tot_status status = tot_array_load(&array, in_folder("a.npy"));
    read_mode = READ_PLAIN;
    assert_ok(status);
    assert_true(read_calls > 20);
    assert_memory_equal(array.data, six, sizeof six);
    read_mode = READ_FAILING;
    status = tot_array_load(&array, in_folder("a.npy"));
    read_mode = READ_PLAIN;
    assert_fails(status, TOT_E_FILE, "Input/output error");
    tot_array_free(&array);
}

// More than 2^31 elements, which takes 2 GB of memory: only if TEMPORALOT_TEST_LARGE is set.
TEST(reads_past_two_to_the_31) {
    if (getenv("TEMPORALOT_TEST_LARGE") == NULL) {
        skip();
    }
    const int64_t count = (INT64_C(1) << 31) + 10;
    char literal[100];
    snprintf(literal, sizeof literal,
             "{'descr': '|u1', 'fortran_order': False, 'shape': (%lld, 2)}", (long long)count / 2);
    made_file file = make_npy(literal, NULL, 0);
    const char *path = in_folder("large.npy");
    write_bytes(path, file.bytes, file.size);
    int descriptor = open(path, O_WRONLY | O_CLOEXEC);
    assert_true(descriptor >= 0);
    assert_int_equal(pwrite(descriptor, "end", 3, (off_t)file.size + count - 3), 3);
    close(descriptor);
    tot_array array = {0};
    assert_ok(tot_array_load(&array, path));
    assert_int_equal(tot_array_count(&array), count);
    assert_memory_equal((char *)array.data + count - 3, "end", 3);
    tot_array_free(&array);
}

TEST(names_types) {
    assert_string_equal(tot_type_text(TOT_F32), "float32");
    assert_string_equal(tot_type_text(TOT_I64), "int64");
    assert_string_equal(tot_type_text((tot_type)99), "unknown type");
    assert_string_equal(tot_type_text((tot_type)-1), "unknown type");
    assert_int_equal(tot_type_size(TOT_F16), 2);
    assert_int_equal(tot_type_size((tot_type)99), 0);
}

TEST_MAIN(make_test_folder, remove_test_folder)
