// Weight files that are truncated, wrong or malicious.
#include "file/made_pth.h"
#include "file/test_folder.h"

#include <temporalot/tensors.h>

#include "failing_memory.h"

static made pickle, file;

static tot_status parse_bytes(const void *bytes, size_t size) {
    // a copy of exact size, so that a sanitizer detects reads past the end
    uint8_t *exact = malloc(size > 0 ? size : 1);
    assert_non_null(exact);
    memcpy(exact, bytes, size);
    tot_tensors *tensors = (void *)1;
    const tot_status status = tot_tensors_parse(&tensors, exact, size, "x.pth");
    assert_true((status == TOT_OK) == (tensors != NULL));
    tot_tensors_free(tensors);
    free(exact);
    return status;
}

static tot_status parse(const made *from) {
    return parse_bytes(from->bytes, from->size);
}

TEST(refuses_every_beginning) {
    failing_memory memory;
    for (int form = 0; form < 3; form++) {
        make_form(&pickle, &file, form);
        for (size_t size = 0; size < file.size; size++) {
            failing_memory_start(&memory, 0);
            const tot_status status = parse_bytes(file.bytes, size);
            assert_int_equal(failing_memory_stop(&memory), 0);
            assert_fails(status, TOT_E_FORMAT, "x.pth");
        }
        assert_ok(parse(&file));
    }
}

// Any byte may have any value: a single-line error or tensors; never a crash or a leak, and never
// an allocation not justified by the file's size.
TEST(survives_every_changed_byte) {
    static const uint8_t changes[] = {0, 0xff, 1, 0x80};
    for (int form = 0; form < 3; form++) {
        make_form(&pickle, &file, form);
        for (size_t at = 0; at < file.size; at++) {
            const uint8_t kept = file.bytes[at];
            for (size_t k = 0; k < sizeof changes; k++) {
                file.bytes[at] = changes[k] == 1 ? kept ^ 1 : changes[k];
                const tot_status status = parse(&file);
                if (status != TOT_OK && status != TOT_E_FORMAT && status != TOT_E_UNSUPPORTED) {
                    print_error("form %d, byte %zu, %d: status %d, %s\n", form, at, file.bytes[at],
                                (int)status, tot_error());
                    fail();
                }
            }
            file.bytes[at] = kept;
        }
    }
}

// --- pickles -----------------------------------------------------------------------------------

typedef struct bad_pickle {
    const char *bytes;
    size_t size;
    tot_status status;
    const char *words;
} bad_pickle;

#define BAD(literal, status, words) \
    { literal, sizeof(literal) - 1, status, words }
#define STORAGE                                        \
    "(X\7\0\0\0storagectorch\nFloatStorage\nX\1\0\0\0" \
    "0X\3\0\0\0cpuK\6tQ"
#define REBUILD "ctorch._utils\n_rebuild_tensor_v2\n"
#define ORDERED "ccollections\nOrderedDict\n"

static const bad_pickle bad_pickles[] = {
    // names
    BAD("\x80\2cos\nsystem\nX\2\0\0\0ls\x85R.", TOT_E_UNSUPPORTED, "byte 2: names os.system"),
    BAD("\x80\2cposix\nsystem\nX\2\0\0\0ls\x85R.", TOT_E_UNSUPPORTED, "posix.system"),
    BAD("}X\1\0\0\0acbuiltins\neval\nX\1\0\0\0x\x85Rs.", TOT_E_UNSUPPORTED,
        "byte 7: names builtins.eval"),
    BAD("\x8c\2os\x8c\6system\x93.", TOT_E_UNSUPPORTED, "byte 12: names os.system"),
    BAD("\x8c\2os\x8c\6sys\nem\x93.", TOT_E_UNSUPPORTED, "names os.sys?em"),
    BAD("ctorch\nload\n.", TOT_E_UNSUPPORTED, "names torch.load"),
    BAD("ctorch._utils\n_rebuild_tensor_v9\n.", TOT_E_UNSUPPORTED, "_rebuild_tensor_v9"),
    BAD("ctorch\nCharStorage\n.", TOT_E_UNSUPPORTED, "kind torch.CharStorage"),
    BAD("(ios\nsystem\n.", TOT_E_UNSUPPORTED, "opcode 0x69"),
    BAD("K\1\x93.", TOT_E_FORMAT, "not a text"),
    BAD("\x8c\1a\x93.", TOT_E_FORMAT, "stack is empty"),
    BAD("cos", TOT_E_FORMAT, "cut short"),
    // calls
    BAD("K\1)R.", TOT_E_FORMAT, "not a function"),
    BAD(ORDERED "K\1R.", TOT_E_FORMAT, "no tuple"),
    BAD(ORDERED "K\1\x85R.", TOT_E_FORMAT, "list of pairs"),
    BAD(ORDERED "](K\1e\x85R.", TOT_E_FORMAT, "list of pairs"),
    BAD(ORDERED "](](K\1ee\x85R.", TOT_E_FORMAT, "list of pairs"),
    BAD(ORDERED "NN\x86R.", TOT_E_UNSUPPORTED, "with 2 arguments"),
    BAD("ctorch\nFloatStorage\n)R.", TOT_E_UNSUPPORTED, "calls torch.FloatStorage"),
    BAD("ctorch._utils\n_rebuild_parameter\nK\1\x88N\x87R.", TOT_E_FORMAT, "not made of a tensor"),
    BAD("K\1}b.", TOT_E_UNSUPPORTED, "sets the state"),
    BAD("}K\1b.", TOT_E_UNSUPPORTED, "sets the state"),
    BAD(REBUILD "(K\1K\1K\1K\1K\1K\1tR.", TOT_E_FORMAT, "not made of a storage"),
    BAD(REBUILD "(" STORAGE "K\0K\6\x85)\x89NtR.", TOT_E_FORMAT, "not made of a storage"),
    BAD(REBUILD "(" STORAGE "K\0N\x85K\1\x85\x89NtR.", TOT_E_FORMAT, "not made of a storage"),
    BAD(REBUILD "(" STORAGE "K\0](K\6e](K\1e\x89NtR.", TOT_E_FORMAT, "not made of a storage"),
    BAD(REBUILD "(" STORAGE "K\0\x88\x85K\1\x85\x89NtR.", TOT_E_FORMAT, "not made of a storage"),
    BAD(REBUILD "(" STORAGE "K\0))\x89N}(X\3\0\0\0neg\x88utR.", TOT_E_UNSUPPORTED, "mean"),
    BAD(REBUILD "(" STORAGE "K\0(NNNNNNNNNt)\x89NtR.", TOT_E_FORMAT, "not made of a storage"),
    BAD(REBUILD "(" STORAGE "K\0(K\1K\1K\1K\1K\1K\1K\1K\1K\1t(K\1K\1K\1K\1K\1K\1K\1K\1K\1t\x89NtR.",
        TOT_E_UNSUPPORTED, "9 dimensions"),
    // persistent ids
    BAD("NQ.", TOT_E_FORMAT, "persistent id"),
    BAD("X\5\0\0\0abcdeQ.", TOT_E_FORMAT, "persistent id"),
    BAD("(X\6\0\0\0modulectorch\nFloatStorage\nX\1\0\0\0"
        "0NK\6tQ.",
        TOT_E_FORMAT, "persistent id"),
    BAD("(X\7\0\0\0storageNX\1\0\0\0"
        "0NK\6tQ.",
        TOT_E_FORMAT, "persistent id"),
    BAD("(X\7\0\0\0storage" ORDERED "X\1\0\0\0"
        "0NK\6tQ.",
        TOT_E_FORMAT, "persistent id"),
    BAD("(X\7\0\0\0storagectorch\nFloatStorage\nX\1\0\0\0"
        "0NJ\xff\xff\xff\xfftQ.",
        TOT_E_FORMAT, "persistent id"),
    BAD("(X\7\0\0\0storagectorch\nFloatStorage\nX\1\0\0\0"
        "0NK\6NN\x86tQ.",
        TOT_E_UNSUPPORTED, "part of another"),
    BAD("(" STORAGE "(X\7\0\0\0storagectorch\nFloatStorage\nX\1\0\0\0"
        "0NK\7tQt.",
        TOT_E_FORMAT, "two kinds or sizes"),
    BAD("(" STORAGE "(X\7\0\0\0storagectorch\nIntStorage\nX\1\0\0\0"
        "0NK\6tQt.",
        TOT_E_FORMAT, "two kinds or sizes"),
    // the stack machine
    BAD("", TOT_E_FORMAT, "cut short"),
    BAD(".", TOT_E_FORMAT, "stack is empty"),
    BAD("NN.", TOT_E_FORMAT, "left on its stack"),
    BAD("(N.", TOT_E_FORMAT, "left on its stack"),
    BAD("N(.", TOT_E_FORMAT, "stack is empty"),
    BAD("\x80\6N.", TOT_E_UNSUPPORTED, "protocol 6"),
    BAD("\x80\2\xff.", TOT_E_FORMAT, "0xff is not an opcode"),
    BAD("\0.", TOT_E_FORMAT, "0x00 is not an opcode"),
    BAD("I1\n.", TOT_E_UNSUPPORTED, "opcode 0x49"),
    BAD("\x81.", TOT_E_UNSUPPORTED, "opcode 0x81"),
    BAD("t.", TOT_E_FORMAT, "no mark"),
    BAD("u.", TOT_E_FORMAT, "no mark"),
    BAD("N\x86.", TOT_E_FORMAT, "too few values"),
    BAD("N(N\x86.", TOT_E_FORMAT, "too few values"),
    BAD("NNa.", TOT_E_FORMAT, "not a list"),
    BAD("a.", TOT_E_FORMAT, "too few values"),
    BAD("s.", TOT_E_FORMAT, "too few values"),
    BAD("}Ns.", TOT_E_FORMAT, "too few values"),
    BAD("}(NNNu.", TOT_E_FORMAT, "a key without a value"),
    BAD("](NNu.", TOT_E_FORMAT, "not a dictionary"),
    BAD("(NNu.", TOT_E_FORMAT, "too few values"),
    BAD("q\0.", TOT_E_FORMAT, "stack is empty"),
    BAD("Nr\xff\xff\xff\x7f.", TOT_E_FORMAT, "memo 2147483647 is too large"),
    BAD("Nr\0\0\0\1.", TOT_E_FORMAT, "memo 16777216 is too large"),
    BAD("h\0.", TOT_E_FORMAT, "never set"),
    BAD("Nq\1h\0.", TOT_E_FORMAT, "never set"),
    BAD("j\xff\xff\xff\xff.", TOT_E_FORMAT, "never set"),
    BAD("X\xff\xff\xff\xff.", TOT_E_FORMAT, "a text of 4294967295 bytes"),
    BAD("T\xff\xff\xff\xff.", TOT_E_FORMAT, "a text of 4294967295 bytes"),
    BAD("\x8d\xff\xff\xff\xff\xff\xff\xff\xff.", TOT_E_FORMAT, "18446744073709551615 bytes"),
    BAD("\x8a\xff.", TOT_E_FORMAT, "a text of 255 bytes"),
    BAD("N.N", TOT_E_FORMAT, "1 bytes follow its end"),
    // the resulting value
    BAD("N.", TOT_E_UNSUPPORTED, "a single value"),
    BAD("X\1\0\0\0a.", TOT_E_UNSUPPORTED, "a single value"),
    BAD("}q\0X\1\0\0\0ah\0s.", TOT_E_UNSUPPORTED, "nested more than 32 deep"),
    BAD("]q\0h\0a.", TOT_E_UNSUPPORTED, "nested more than 32 deep"),
    BAD("}N}s.", TOT_E_UNSUPPORTED, "neither text nor number"),
    BAD("}X\3\0\0\0a\0b}s.", TOT_E_FORMAT, "zero byte"),
};

TEST(refuses_bad_pickles) {
    failing_memory memory;
    for (size_t k = 0; k < sizeof bad_pickles / sizeof bad_pickles[0]; k++) {
        const bad_pickle *bad = &bad_pickles[k];
        pickle.size = 0;
        put(&pickle, bad->bytes, bad->size);
        make_pth_zip(&file, &pickle, made_storages, 1, NULL);
        failing_memory_start(&memory, 0);
        const tot_status status = parse(&file);
        assert_int_equal(failing_memory_stop(&memory), 0);
        if (status != bad->status || strstr(tot_error(), bad->words) == NULL) {
            print_error("pickle %zu\n", k);
        }
        assert_fails(status, bad->status, bad->words);
    }
}

// Nested lists of two identical lists: few bytes, 2^30 paths through them.
TEST(refuses_endless_ways) {
    pickle_start(&pickle);
    put_literal(&pickle, "]q\0");
    for (int level = 1; level <= 30; level++) {
        const uint8_t again[] = {
            ']', '(', 'h',           (uint8_t)(level - 1), 'h', (uint8_t)(level - 1),
            'e', 'q', (uint8_t)level};
        put(&pickle, again, sizeof again);
    }
    const size_t open = pickle.size;
    // the stack must hold one value: collect all in a tuple
    made whole = {0};
    put_literal(&whole, "\x80\2(");
    put(&whole, pickle.bytes + 2, open - 2);
    put_text(&whole, "t.");
    make_pth_zip(&file, &whole, NULL, 0, NULL);
    assert_fails(parse(&file), TOT_E_FORMAT, "again and again");
}

TEST(refuses_long_names) {
    char key[1200];
    memset(key, 'k', sizeof key);
    key[sizeof key - 1] = '\0';
    pickle_start(&pickle);
    put_text(&pickle, "}");
    pickle_text(&pickle, key);
    put_text(&pickle, "}s.");
    make_pth_zip(&file, &pickle, NULL, 0, NULL);
    assert_fails(parse(&file), TOT_E_UNSUPPORTED, "more than 1000 letters");
}

// --- tensors -----------------------------------------------------------------------------------

typedef struct bad_tensor {
    made_tensor tensor;
    tot_status status;
    const char *words;
} bad_tensor;

#define F(count)  "t", "FloatStorage", "0", count
#define HUGE_SIZE (INT64_C(1) << 62)

static const bad_tensor bad_tensors[] = {
    {{F(6), 0, 1, {7}, {1}, false}, TOT_E_FORMAT, "tensor 't': lies outside of its storage"},
    {{F(6), 1, 2, {2, 3}, {3, 1}, false}, TOT_E_FORMAT, "outside of its storage"},
    {{F(6), 7, 0, {0}, {0}, false}, TOT_E_FORMAT, "begins at element 7"},
    {{F(6), 6, 0, {0}, {0}, false}, TOT_E_FORMAT, "outside of its storage"},
    {{F(6), -1, 1, {2}, {1}, false}, TOT_E_FORMAT, "begins at element -1"},
    {{F(6), INT64_MAX, 1, {2}, {1}, false}, TOT_E_FORMAT, "begins at element"},
    {{F(6), 5, 1, {2}, {-1}, false}, TOT_E_FORMAT, "negative"},
    {{F(6), 0, 1, {-2}, {1}, false}, TOT_E_FORMAT, "negative"},
    {{F(6), 0, 1, {2}, {INT64_MAX}, false}, TOT_E_FORMAT, "outside of its storage"},
    {{F(6), 1, 2, {3, 3}, {INT64_MAX, INT64_MAX}, false}, TOT_E_FORMAT, "outside"},
    {{F(6), 0, 1, {HUGE_SIZE}, {0}, false}, TOT_E_FORMAT, "can be counted"},
    {{F(6), 0, 2, {HUGE_SIZE, HUGE_SIZE}, {0, 0}, false}, TOT_E_FORMAT, "can be counted"},
    {{F(6), 0, 3, {0, HUGE_SIZE, HUGE_SIZE}, {0, 0, 0}, false}, TOT_E_FORMAT, "can be counted"},
    {{F(6), 0, 1, {INT64_C(1) << 40}, {0}, false}, TOT_E_FORMAT, "an expanded view?"},
    {{F(6), 0, 2, {100000, 6}, {0, 1}, false}, TOT_E_FORMAT, "an expanded view?"},
    {{F(5), 0, 1, {5}, {1}, false}, TOT_E_FORMAT, "storage '0'"},
    {{F(INT64_MAX), 0, 1, {5}, {1}, false}, TOT_E_FORMAT, "storage '0'"},
    {{F(INT64_C(1) << 61), 0, 1, {5}, {1}, false}, TOT_E_FORMAT, "storage '0'"},
    {{"t", "DoubleStorage", "0", 6, 0, 1, {6}, {1}, false}, TOT_E_FORMAT, "storage '0'"},
    {{"t", "FloatStorage", "1", 6, 0, 1, {6}, {1}, false}, TOT_E_FORMAT, "'1'"},
    {{"t", "FloatStorage", "", 6, 0, 1, {6}, {1}, false}, TOT_E_FORMAT, "storage ''"},
    {{"t", "FloatStorage", "../version", 6, 0, 1, {6}, {1}, false}, TOT_E_FORMAT, "../version"},
};

TEST(refuses_bad_tensors) {
    // the legacy format reports a storage of the wrong tensor with a different message
    for (size_t k = 0; k < sizeof bad_tensors / sizeof bad_tensors[0]; k++) {
        const bad_tensor *bad = &bad_tensors[k];
        for (int old = 0; old <= 1; old++) {
            pickle_start(&pickle);
            put_text(&pickle, "}");
            pickle_tensors(&pickle, &bad->tensor, 1, old != 0);
            put_text(&pickle, ".");
            if (old != 0) {
                make_pth_old(&file, &pickle, made_storages, 1);
            } else {
                make_pth_zip(&file, &pickle, made_storages, 1, NULL);
            }
            const bool about_storage = strstr(bad->words, "'") == bad->words ||
                                       strncmp(bad->words, "storage", 7) == 0 ||
                                       strncmp(bad->words, "..", 2) == 0;
            assert_fails(parse(&file), bad->status,
                         old != 0 && about_storage ? "storage" : bad->words);
        }
    }
}

TEST(refuses_two_of_one_name) {
    const made_tensor twice[2] = {made_tensors[0], made_tensors[0]};
    pickle_start(&pickle);
    put_text(&pickle, "}");
    pickle_tensors(&pickle, twice, 2, false);
    put_text(&pickle, ".");
    make_pth_zip(&file, &pickle, made_storages, 1, NULL);
    assert_fails(parse(&file), TOT_E_FORMAT, "two tensors are named 'conv.weight'");
    make_safetensors(&file,
                     "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]},"
                     "\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[1,2]}}",
                     "xy", 2);
    assert_fails(parse(&file), TOT_E_FORMAT, "two tensors are named 'a'");
}

// Many strided views of one storage add up to more than the file could plausibly contain.
TEST(refuses_many_copies) {
    static float numbers[2000];
    const made_storage storage = {"0", 2000, numbers, sizeof numbers};
    made_tensor view = {"t", "FloatStorage", "0", 2000, 0, 2, {50, 40}, {1, 50}, false};
    for (int count = 2; count <= 12; count += 10) {
        pickle_start(&pickle);
        put_text(&pickle, "](");
        pickle_tensor(&pickle, &view, false);
        put_literal(&pickle, "q\0");
        for (int k = 1; k < count; k++) {
            put_literal(&pickle, "h\0");
        }
        put_text(&pickle, "e.");
        make_pth_zip(&file, &pickle, &storage, 1, NULL);
        if (count == 2) {
            assert_ok(parse(&file));
        } else {
            assert_fails(parse(&file), TOT_E_FORMAT, "too many for a file");
        }
    }
}

// --- archives ----------------------------------------------------------------------------------

TEST(refuses_bad_archives) {
    make_checkpoint(&pickle, false);
    const made_entry right = {"archive/data.pkl", pickle.bytes, pickle.size};
    made_entry entries[2] = {right, right};
    make_zip(&file, entries, 0);
    assert_fails(parse(&file), TOT_E_FORMAT, "not one that PyTorch wrote");
    snprintf(entries[0].name, sizeof entries[0].name, "data.pkl");
    make_zip(&file, entries, 1);
    assert_fails(parse(&file), TOT_E_FORMAT, "not one that PyTorch wrote");
    snprintf(entries[0].name, sizeof entries[0].name, "other/data.txt");
    make_zip(&file, entries, 1);
    assert_fails(parse(&file), TOT_E_FORMAT, "no entry 'other/data.pkl'");
    entries[0] = right;
    make_zip(&file, entries, 2);
    assert_fails(parse(&file), TOT_E_FORMAT, "two entries are named");
    make_zip(&file, entries, 1);
    assert_fails(parse(&file), TOT_E_FORMAT, "storage '0': is not in the file");
    // a byte of the pickle that only the CRC covers: the 'h' of "hi"
    uint8_t *text = memmem(file.bytes, file.size, "\0hiX", 4);
    assert_non_null(text);
    text[1] = 'H';
    assert_fails(parse(&file), TOT_E_FORMAT, "CRC is wrong");
}

TEST(refuses_packed_entries) {
    make_checkpoint(&pickle, false);
    make_pth_zip(&file, &pickle, made_storages, MADE_STORAGES, "little");
    uint8_t *directory = memmem(file.bytes, file.size, "PK\1\2", 4);
    assert_non_null(directory);
    file.bytes[8] = directory[10] = 8;
    assert_fails(parse(&file), TOT_E_UNSUPPORTED, "packed");
}

// --- the legacy format -------------------------------------------------------------------------

TEST(refuses_bad_older_form) {
    made_storage storages[2] = {made_storages[0], made_storages[0]};
    pickle_start(&pickle);
    put_text(&pickle, "}");
    pickle_tensors(&pickle, made_tensors, 1, true);
    put_text(&pickle, ".");
    make_pth_old(&file, &pickle, storages, 0);
    assert_fails(parse(&file), TOT_E_FORMAT, "storage '0': is not in the file");
    make_pth_old(&file, &pickle, storages, 2);
    assert_fails(parse(&file), TOT_E_FORMAT, "storage '0' stands twice");
    storages[1].key = "1";
    make_pth_old(&file, &pickle, storages, 2);
    assert_fails(parse(&file), TOT_E_FORMAT, "storage '1' belongs to no tensor");
    storages[0].count = UINT64_MAX;
    make_pth_old(&file, &pickle, storages, 1);
    assert_fails(parse(&file), TOT_E_FORMAT, "18446744073709551615 elements");
    storages[0].count = 5;
    make_pth_old(&file, &pickle, storages, 1);
    assert_fails(parse(&file), TOT_E_FORMAT, "has 5 elements, its tensor says 6");
    storages[0] = made_storages[0];
    make_pth_old(&file, &pickle, storages, 1);
    file.bytes[4] ^= 1;
    assert_fails(parse(&file), TOT_E_FORMAT, "not one that PyTorch's save began");
    file.bytes[4] ^= 1;
    file.bytes[18] ^= 1;
    assert_fails(parse(&file), TOT_E_UNSUPPORTED, "version of the file is not 1001");
    file.bytes[18] ^= 1;
    assert_ok(parse(&file));
    // any other pickle
    pickle_start(&pickle);
    put_text(&pickle, "cos\nsystem\n.");
    assert_fails(parse(&pickle), TOT_E_UNSUPPORTED, "x.pth: byte 2: names os.system");
}

// --- safetensors -------------------------------------------------------------------------------

typedef struct bad_header {
    const char *header;
    tot_status status;
    const char *words;
} bad_header;

// with 24 bytes of data
#define A   "{\"a\":{"
#define F32 "\"dtype\":\"F32\","
#define SIX "\"shape\":[6],"
#define ALL "\"data_offsets\":[0,24]}}"

static const bad_header bad_headers[] = {
    {"{", TOT_E_FORMAT, "not a JSON object"},
    {A F32 SIX "\"data_offsets\":[0,24]}", TOT_E_FORMAT, "not a JSON object"},
    {"{\"a\":1}", TOT_E_FORMAT, "tensor 'a': is not an object"},
    {"{} x", TOT_E_FORMAT, "not a JSON object"},
    {"{}", TOT_E_FORMAT, "end at byte 0 of 24"},
    {A SIX ALL, TOT_E_FORMAT, "dtype is missing"},
    {A "\"dtype\":1," SIX ALL, TOT_E_FORMAT, "dtype is missing"},
    {A "\"dtype\":\"F8_E4M3\"," SIX ALL, TOT_E_UNSUPPORTED, "'F8_E4M3'"},
    {A "\"dtype\":\"I8\"," SIX ALL, TOT_E_UNSUPPORTED, "'I8'"},
    {A F32 ALL, TOT_E_FORMAT, "shape is missing"},
    {A F32 "\"shape\":6," ALL, TOT_E_FORMAT, "shape is missing"},
    {A F32 "\"shape\":[6.5]," ALL, TOT_E_FORMAT, "dimension 0 is not a size"},
    {A F32 "\"shape\":[-6]," ALL, TOT_E_FORMAT, "dimension 0 is not a size"},
    {A F32 "\"shape\":[3,\"2\"]," ALL, TOT_E_FORMAT, "dimension 1 is not a size"},
    {A F32 "\"shape\":[1e400]," ALL, TOT_E_FORMAT, "dimension 0 is not a size"},
    {A F32 "\"shape\":[9007199254740993000]," ALL, TOT_E_FORMAT, "dimension 0 is not a size"},
    {A F32 "\"shape\":[4294967296,4294967296]," ALL, TOT_E_FORMAT, "can be counted"},
    {A F32 "\"shape\":[0,4294967296,4294967296]," ALL, TOT_E_FORMAT, "can be counted"},
    {A F32 "\"shape\":[1,1,1,1,1,1,1,1,6]," ALL, TOT_E_UNSUPPORTED, "more than 8 dimensions"},
    {A F32 "\"shape\":[5]," ALL, TOT_E_FORMAT, "needs 20 bytes, data_offsets give 24"},
    {A F32 "\"shape\":[7]," ALL, TOT_E_FORMAT, "needs 28 bytes, data_offsets give 24"},
    {A F32 "\"shape\":[6]}}", TOT_E_FORMAT, "data_offsets is missing"},
    {A F32 SIX "\"data_offsets\":[0]}}", TOT_E_FORMAT, "not two sizes"},
    {A F32 SIX "\"data_offsets\":[0,24,24]}}", TOT_E_FORMAT, "not two sizes"},
    {A F32 SIX "\"data_offsets\":[-24,0]}}", TOT_E_FORMAT, "not two sizes"},
    {A F32 SIX "\"data_offsets\":{\"a\":0,\"b\":24}}}", TOT_E_FORMAT, "not two sizes"},
    {A F32 SIX "\"data_offsets\":[24,0]}}", TOT_E_FORMAT, "24 to 0"},
    {A F32 SIX "\"data_offsets\":[1,25]}}", TOT_E_FORMAT, "outside of the file's 24 bytes"},
    {A F32 SIX "\"data_offsets\":[9007199254740968,9007199254740992]}}", TOT_E_FORMAT, "outside"},
    {A F32 "\"shape\":[5],\"data_offsets\":[0,20]}}", TOT_E_FORMAT, "end at byte 20 of 24"},
    {A F32 "\"shape\":[5],\"data_offsets\":[4,24]}}", TOT_E_FORMAT, "begins at byte 4"},
    {A F32 "\"shape\":[4],\"data_offsets\":[0,16]},\"b\":{" F32
           "\"shape\":[3],\"data_offsets\":[12,24]}}",
     TOT_E_FORMAT, "'b' begins at byte 12 of the data, where the one before ends at 16"},
    {A F32 SIX "\"data_offsets\":[0,24]},\"b\":{" F32 SIX "\"data_offsets\":[0,24]}}", TOT_E_FORMAT,
     "begins at byte 0"},
    {A F32 "\"shape\":[0],\"data_offsets\":[9,9]},\"b\":{" F32 SIX "\"data_offsets\":[0,24]}}",
     TOT_E_FORMAT, "begins at byte 9"},
};

TEST(refuses_bad_headers) {
    failing_memory memory;
    for (size_t k = 0; k < sizeof bad_headers / sizeof bad_headers[0]; k++) {
        make_safetensors(&file, bad_headers[k].header, made_numbers, sizeof made_numbers);
        failing_memory_start(&memory, 0);
        const tot_status status = parse(&file);
        assert_int_equal(failing_memory_stop(&memory), 0);
        assert_fails(status, bad_headers[k].status, bad_headers[k].words);
    }
    make_safetensors(&file, A F32 SIX ALL, made_numbers, sizeof made_numbers);
    assert_ok(parse(&file));
}

// The header's claimed length is checked before memory is allocated.
TEST(refuses_long_headers) {
    static const uint64_t lengths[] = {100, UINT64_C(2) << 30, UINT64_MAX, INT64_MAX};
    failing_memory memory;
    for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
        file.size = 0;
        put_number(&file, lengths[k], 8);
        put_text(&file, "{\"a\":");
        failing_memory_start(&memory, 0);
        const tot_status status = parse(&file);
        failing_memory_stop(&memory);
        assert_fails(status, TOT_E_FORMAT, "byte 0: the header says");
        // the object and its name
        assert_true(atomic_load(&memory.calls) <= 2);
    }
    // a NUL byte does not terminate it
    file.size = 0;
    put_number(&file, 4, 8);
    put_literal(&file, "{}\0x");
    assert_fails(parse(&file), TOT_E_FORMAT, "not a JSON object");
}

TEST(refuses_other_files) {
    static const char *const others[] = {
        "", "x", "version https://git-lfs", "<!DOCTYPE html>", "\x93NUMPY\1", "{\"a\":1}"};
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
        assert_fails(parse_bytes(others[k], strlen(others[k])), TOT_E_FORMAT, "not a weight file");
    }
}

TEST_MAIN(NULL, NULL)
