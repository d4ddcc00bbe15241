// SHA-256 compared with the standard's examples, and in pieces of every size.
#include "file/sha256.h"

#include "asserts.h"

static void assert_sum(const void *bytes, size_t size, const char *expected) {
    uint8_t digest[FILE_SHA256_BYTES];
    char text[FILE_SHA256_TEXT];
    file_sha256 sum;
    file_sha256_start(&sum);
    file_sha256_add(&sum, bytes, size);
    file_sha256_finish(&sum, digest);
    file_sha256_text(digest, text);
    assert_string_equal(text, expected);
}

TEST(gives_known_sums) {
    assert_sum(NULL, 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
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
    uint8_t bytes[200], whole[FILE_SHA256_BYTES], cut[FILE_SHA256_BYTES];
    file_sha256 sum;
    for (size_t k = 0; k < sizeof bytes; k++) {
        bytes[k] = (uint8_t)(k * 37 + 11);
    }
    for (size_t size = 0; size <= sizeof bytes; size++) {
        file_sha256_start(&sum);
        file_sha256_add(&sum, bytes, size);
        file_sha256_finish(&sum, whole);
        for (size_t at = 0; at <= size; at++) {
            file_sha256_start(&sum);
            file_sha256_add(&sum, bytes, at / 2);
            file_sha256_add(&sum, bytes + at / 2, at - at / 2);
            file_sha256_add(&sum, bytes + at, size - at);
            file_sha256_finish(&sum, cut);
            assert_memory_equal(whole, cut, sizeof whole);
        }
    }
}

TEST_MAIN(NULL, NULL)
