// Reading .npy files that are truncated, wrong or malicious.
#include "file/made_npy.h"

#include "failing_memory.h"
#include "file/npy.h"

TEST(refuses_every_beginning) {
    tot_array array = {0};
    made_file whole = make_npy(F4_2_3, six, sizeof six);
    for (size_t size = 0; size < whole.size; size++) {
        made_file file = whole;
        file.size = size;
        assert_fails(parse(&array, &file), TOT_E_FORMAT, "x.npy");
        assert_int_equal(tot_array_count(&array), 0);
    }
    tot_array_free(&array);
}

TEST(refuses_wrong_beginnings) {
    tot_array array = {0};
    made_file file = make_npy(F4_2_3, six, sizeof six);
    file.bytes[0] = 'x';
    assert_fails(parse(&array, &file), TOT_E_FORMAT, "wrong magic");
    file.bytes[0] = 0x93;
    file.bytes[6] = 4;
    assert_fails(parse(&array, &file), TOT_E_UNSUPPORTED, "version 4.0");
    file.bytes[6] = 1;
    file.bytes[7] = 1;
    assert_fails(parse(&array, &file), TOT_E_UNSUPPORTED, "version 1.1");
    file.bytes[7] = 0;
    file.bytes[9] = 0xff;
    assert_fails(parse(&array, &file), TOT_E_FORMAT, "header says it has");
    file = make_npy_padded(2, F4_2_3, 0, six, sizeof six);
    memset(file.bytes + 8, 0xff, 4);
    assert_fails(parse(&array, &file), TOT_E_FORMAT, "4294967295 bytes");
    tot_array_free(&array);
}

TEST(refuses_long_header) {
    uint8_t *bytes = malloc(20000);
    assert_non_null(bytes);
    memset(bytes, ' ', 20000);
    static const uint8_t start[] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 0x20, 0x4e};
    memcpy(bytes, start, sizeof start);
    tot_array array = {0};
    assert_fails(tot_array_parse(&array, bytes, 20000, "x.npy"), TOT_E_FORMAT, "cut short");
    bytes[9] = 0x28;
    assert_fails(tot_array_parse(&array, bytes, 20000, "x.npy"), TOT_E_UNSUPPORTED,
                 "header of 10272 bytes");
    tot_array_free(&array);
    free(bytes);
}

typedef struct bad_header {
    const char *literal;
    tot_status status;
    const char *words;
} bad_header;

#define DESCR "'descr': '<f4', "
#define ORDER "'fortran_order': False, "
#define SHAPE "'shape': (2, 3), "

static const bad_header bad_headers[] = {
    // structure
    {"", TOT_E_FORMAT, "ends where '{'"},
    {"[" DESCR ORDER SHAPE "]", TOT_E_FORMAT, "where '{' should be"},
    {"{" DESCR ORDER SHAPE, TOT_E_FORMAT, "ends where"},
    {"{" DESCR ORDER SHAPE "} x", TOT_E_FORMAT, "nothing but space"},
    {"{" DESCR ORDER SHAPE "}}", TOT_E_FORMAT, "nothing but space"},
    {"{" DESCR "," ORDER SHAPE "}", TOT_E_FORMAT, "a key"},
    {"{'descr': '<f4' " ORDER SHAPE "}", TOT_E_FORMAT, "',' or '}'"},
    {"{'descr' '<f4', " ORDER SHAPE "}", TOT_E_FORMAT, "':'"},
    {"{descr: '<f4', " ORDER SHAPE "}", TOT_E_FORMAT, "a key"},
    {"{'descr: <f4}", TOT_E_FORMAT, "closing quote"},
    {"{'de\\x73cr': '<f4', " ORDER SHAPE "}", TOT_E_FORMAT, "plain string"},
    {"{" DESCR ORDER "}", TOT_E_FORMAT, "no key 'shape'"},
    {"{" DESCR SHAPE "}", TOT_E_FORMAT, "no key 'fortran_order'"},
    {"{" ORDER SHAPE "}", TOT_E_FORMAT, "no key 'descr'"},
    {"{" DESCR ORDER SHAPE "'extra': 1}", TOT_E_FORMAT, "unknown key 'extra'"},
    {"{" DESCR ORDER SHAPE DESCR "}", TOT_E_FORMAT, "'descr' twice"},
    {"{}", TOT_E_FORMAT, "no key 'descr'"},
    // types
    {"{'descr': '|O', " ORDER SHAPE "}", TOT_E_UNSUPPORTED, "never unpickled"},
    {"{'descr': 'O8', " ORDER SHAPE "}", TOT_E_UNSUPPORTED, "never unpickled"},
    {"{'descr': '<U5', " ORDER SHAPE "}", TOT_E_UNSUPPORTED, "'<U5'"},
    {"{'descr': '|S5', " ORDER SHAPE "}", TOT_E_UNSUPPORTED, "'|S5'"},
    {"{'descr': '<c8', " ORDER SHAPE "}", TOT_E_UNSUPPORTED, "'<c8'"},
    {"{'descr': '<u2', " ORDER SHAPE "}", TOT_E_UNSUPPORTED, "'<u2'"},
    {"{'descr': '<f16', " ORDER SHAPE "}", TOT_E_UNSUPPORTED, "'<f16'"},
    {"{'descr': '<M8[ns]', " ORDER SHAPE "}", TOT_E_UNSUPPORTED, "'<M8[ns]'"},
    {"{'descr': '|V8', " ORDER SHAPE "}", TOT_E_UNSUPPORTED, "'|V8'"},
    {"{'descr': '', " ORDER SHAPE "}", TOT_E_UNSUPPORTED, "type ''"},
    {"{'descr': '<', " ORDER SHAPE "}", TOT_E_UNSUPPORTED, "type '<'"},
    {"{'descr': '|f4', " ORDER SHAPE "}", TOT_E_FORMAT, "no byte order"},
    {"{'descr': '<f\n4', " ORDER SHAPE "}", TOT_E_FORMAT, "plain string"},
    {"{'descr': '<f\x1b[2J', " ORDER SHAPE "}", TOT_E_UNSUPPORTED, "'<f?[2J'"},
    {"{'descr': [('a', '<f4'), ('b', '<i4')], " ORDER SHAPE "}", TOT_E_UNSUPPORTED, "structured"},
    {"{'descr': ('<f4', (2,)), " ORDER SHAPE "}", TOT_E_UNSUPPORTED, "structured"},
    {"{'descr': 4, " ORDER SHAPE "}", TOT_E_FORMAT, "the type"},
    // order
    {"{" DESCR "'fortran_order': 0, " SHAPE "}", TOT_E_FORMAT, "True or False"},
    {"{" DESCR "'fortran_order': 'False', " SHAPE "}", TOT_E_FORMAT, "True or False"},
    {"{" DESCR "'fortran_order': Falsey, " SHAPE "}", TOT_E_FORMAT, "',' or '}'"},
    // shapes
    {"{" DESCR ORDER "'shape': (6)}", TOT_E_FORMAT, "one dimension"},
    {"{" DESCR ORDER "'shape': 6}", TOT_E_FORMAT, "the shape's '('"},
    {"{" DESCR ORDER "'shape': [2, 3]}", TOT_E_FORMAT, "the shape's '('"},
    {"{" DESCR ORDER "'shape': (2 3)}", TOT_E_FORMAT, "',' or ')'"},
    {"{" DESCR ORDER "'shape': (,)}", TOT_E_FORMAT, "a size"},
    {"{" DESCR ORDER "'shape': (2,,3)}", TOT_E_FORMAT, "a size"},
    {"{" DESCR ORDER "'shape': (2.0, 3)}", TOT_E_FORMAT, "',' or ')'"},
    {"{" DESCR ORDER "'shape': (x, 3)}", TOT_E_FORMAT, "a size"},
    {"{" DESCR ORDER "'shape': (+2, 3)}", TOT_E_FORMAT, "a size"},
    {"{" DESCR ORDER "'shape': (2, 3", TOT_E_FORMAT, "',' or ')'"},
    {"{" DESCR ORDER "'shape': (-2, 3)}", TOT_E_FORMAT, "negative"},
    {"{" DESCR ORDER "'shape': (2, -9223372036854775808)}", TOT_E_FORMAT, "negative"},
    {"{" DESCR ORDER "'shape': (9223372036854775808,)}", TOT_E_FORMAT, "past 64 bits"},
    {"{" DESCR ORDER "'shape': (99999999999999999999999999,)}", TOT_E_FORMAT, "past 64 bits"},
    {"{" DESCR ORDER "'shape': (9223372036854775807,)}", TOT_E_FORMAT, "counted"},
    {"{" DESCR ORDER "'shape': (4294967296, 4294967296)}", TOT_E_FORMAT, "counted"},
    {"{" DESCR ORDER "'shape': (0, 4294967296, 4294967296)}", TOT_E_FORMAT, "counted"},
    {"{" DESCR ORDER "'shape': (2147483648, 1073741824)}", TOT_E_FORMAT, "counted"},
    {"{" DESCR ORDER "'shape': (2147483648, 1073741823)}", TOT_E_FORMAT, "cut short"},
    {"{" DESCR ORDER "'shape': (2147483649,)}", TOT_E_FORMAT, "8589934596 bytes"},
    {"{" DESCR ORDER "'shape': (1, 1, 1, 1, 1, 1, 1, 2, 3)}", TOT_E_UNSUPPORTED, "8 dimensions"},
    {"{" DESCR ORDER "'shape': (7,)}", TOT_E_FORMAT, "needs 28 bytes, 24 are there"},
};

TEST(refuses_bad_headers) {
    tot_array array = {0};
    failing_memory memory;
    for (size_t k = 0; k < sizeof bad_headers / sizeof bad_headers[0]; k++) {
        const bad_header *bad = &bad_headers[k];
        made_file file = make_npy(bad->literal, six, sizeof six);
        // none of them may allocate
        failing_memory_start(&memory, 0);
        tot_status status = parse(&array, &file);
        failing_memory_stop(&memory);
        assert_fails(status, bad->status, bad->words);
        assert_int_equal(atomic_load(&memory.calls), 0);
        assert_int_equal(tot_array_count(&array), 0);
        assert_null(array.data);
    }
}

// The widened array would not fit even if the stored one does.
TEST(refuses_half_overflow) {
    file_npy_header header;
    const char *literal =
        "{'descr': '<f2', 'fortran_order': False, 'shape': (2305843009213693952,)}";
    assert_ok(file_npy_parse_header(&header, literal, strlen(literal), "x"));
    assert_int_equal(header.count, INT64_C(2305843009213693952));
    // a source that claims to contain it: the widened size is rejected before anything is allocated
    made_file file = make_npy(literal, NULL, 0);
    file_source source;
    file_source_from_memory(&source, file.bytes, file.size, "x.npy");
    source.size = INT64_MAX;
    tot_array array = {0};
    assert_fails(file_npy_read(&source, &array), TOT_E_FORMAT, "counted");
}

// Every byte of a file changed to every value: an error or an array, nothing else.
TEST(survives_changed_bytes) {
    made_file whole = make_npy(F4_2_3, six, sizeof six);
    tot_array array = {0};
    for (size_t place = 0; place < whole.size - sizeof six; place++) {
        for (unsigned value = 0; value < 256; value++) {
            made_file file = whole;
            file.bytes[place] = (uint8_t)value;
            if (tot_array_parse(&array, file.bytes, file.size, "x.npy") == TOT_OK) {
                assert_in_range(tot_array_count(&array), 0, 24);
            }
        }
    }
    tot_array_free(&array);
}

TEST_MAIN(NULL, NULL)
