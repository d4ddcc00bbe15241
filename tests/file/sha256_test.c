// SHA-256 compared with the standard's examples, and in pieces of every size.
#include "file/sha256.h"

#include "asserts.h"
#include "base/memory.h"

// Adds the bytes in three pieces: half of the first `at`, the other half, the rest.
static void hash(const char *bytes, size_t size, size_t at, char text[FILE_SHA256_TEXT]) {
    const size_t sizes[] = {at / 2, at - at / 2, size - at};
    file_sha256 *sum = NULL;
    assert_ok(file_sha256_start(&sum));
    for (size_t k = 0; k < 3; k++) {
        file_sha256_add(sum, size > 0 ? bytes : NULL, sizes[k]);
        bytes += sizes[k];
    }
    file_sha256_finish(sum, text);
    base_free(sum);
}

static void assert_sum(const char *bytes, size_t size, const char *expected) {
    char text[FILE_SHA256_TEXT];
    hash(bytes, size, 0, text);
    assert_string_equal(text, expected);
}

TEST(gives_known_sums) {
    assert_sum("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_sum("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_sum("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
               "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    static char many[1000000];
    memset(many, 'a', sizeof many);
    assert_sum(many, sizeof many,
               "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// The hash does not depend on the pieces; lengths on both sides of each padding boundary.
TEST(does_not_depend_on_pieces) {
    char bytes[200], whole[FILE_SHA256_TEXT], cut[FILE_SHA256_TEXT];
    for (size_t k = 0; k < sizeof bytes; k++) {
        bytes[k] = (char)(k * 37 + 11);
    }
    for (size_t size = 0; size <= sizeof bytes; size++) {
        hash(bytes, size, 0, whole);
        for (size_t at = 0; at <= size; at++) {
            hash(bytes, size, at, cut);
            assert_string_equal(whole, cut);
        }
    }
}

TEST_MAIN(NULL, NULL)
