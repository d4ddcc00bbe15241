// Shared by the tests of pages: finding pieces of a text, reading attributes, decoding base64.
#pragma once

#include <math.h>

#include <temporalot/page.h>

#include "failing_memory.h"

static inline size_t count_of(const char *text, const char *piece) {
    size_t count = 0;
    for (const char *at = strstr(text, piece); at != NULL; at = strstr(at + 1, piece)) {
        count++;
    }
    return count;
}

// A copy of the text between `before` and `after`, skipping `skip` occurrences of `before`; to be
// freed with free().
static inline char *between(const char *text, const char *before, const char *after, int skip) {
    const char *start = strstr(text, before);
    while (start != NULL && skip-- > 0) {
        start = strstr(start + 1, before);
    }
    assert_non_null(start);
    start += strlen(before);
    const char *end = strstr(start, after);
    assert_non_null(end);
    return strndup(start, (size_t)(end - start));
}

static inline double number_between(const char *text, const char *before, const char *after) {
    char *words = between(text, before, after, 0);
    double value = atof(words);
    free(words);
    return value;
}

static inline int base64_digit(char letter) {
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = strchr(letters, letter);
    assert_true(at != NULL && letter != '\0');
    return (int)(at - letters);
}

// Decodes base64; to be freed with free().
static inline uint8_t *base64_bytes(const char *text, size_t *size) {
    size_t length = strlen(text);
    assert_int_equal(length % 4, 0);
    uint8_t *bytes = malloc(length / 4 * 3 + 1);
    assert_non_null(bytes);
    *size = 0;
    for (size_t at = 0; at < length; at += 4) {
        unsigned word = 0;
        int kept = 3;
        for (size_t k = 0; k < 4; k++) {
            bool padding = text[at + k] == '=';
            kept -= padding ? 1 : 0;
            word = word << 6 | (padding ? 0 : (unsigned)base64_digit(text[at + k]));
        }
        for (int k = 0; k < kept; k++) {
            bytes[(*size)++] = (uint8_t)(word >> (16 - 8 * k));
        }
    }
    return bytes;
}

// Creates a page, or fails the test.
static inline tot_page *new_page(void) {
    tot_page *page = NULL;
    assert_int_equal(tot_page_create(&page, "Test"), TOT_OK);
    return page;
}

// Asserts that the call fails with TOT_E_ARGUMENT, and that its text contains the words.
#define assert_refused(call, words)                                             \
    do {                                                                        \
        tot_status found_ = (call);                                             \
        if (found_ != TOT_E_ARGUMENT || strstr(tot_error(), (words)) == NULL) { \
            print_error("%s: %d '%s'\n", #call, (int)found_, tot_error());      \
        }                                                                       \
        assert_int_equal(found_, TOT_E_ARGUMENT);                               \
        assert_non_null(strstr(tot_error(), (words)));                          \
    } while (0)
