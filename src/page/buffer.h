// A growing string that pages and pictures are written to, and the small elements they share.
#pragma once

#include <temporalot/base.h>

// Initialise with {0}. After a failure later output is dropped and status has the reason, so that a
// writer needs to check only once, at the end.
typedef struct page_buffer {
    char *bytes;  // not NUL-terminated
    size_t length;
    size_t capacity;
    tot_status status;
} page_buffer;

void page_buffer_add(page_buffer *text, const char *words);
void page_buffer_add_bytes(page_buffer *text, const char *bytes, size_t size);

// Not for floating point, which goes through the locale-independent texts of page_number.
void page_buffer_add_format(page_buffer *text, const char *format, ...) TOT_PRINTF(2, 3);

// For HTML and XML, in elements and in quoted attributes. words may be NULL (nothing).
void page_buffer_add_escaped(page_buffer *text, const char *words);

void page_buffer_add_base64(page_buffer *text, const void *bytes, size_t size);

// A zlib stream of the bytes, as base64. This and the next return text->status, or why there is
// nothing to add.
tot_status page_buffer_add_deflated(page_buffer *text, const unsigned char *bytes, size_t size);

// An 8-bit PNG with a palette of 256 colours, as base64. pixels: [height * width]. clear_first:
// colour 0 is transparent.
tot_status page_buffer_add_png(page_buffer *text, const unsigned char *pixels, size_t width,
                               size_t height, const unsigned char colours[256][3],
                               bool clear_first);

// Reserves `size` more bytes, so that adding them cannot fail.
void page_buffer_reserve(page_buffer *text, size_t size);

// Ends an addition that began at `start`: it is added completely or not at all. Reserves `ending`
// more bytes.
tot_status page_buffer_finish(page_buffer *text, size_t start, size_t ending);

// Truncates to an earlier length, and clears a failure since then.
void page_buffer_truncate(page_buffer *text, size_t length);

// Writes the text to a file, atomically, and frees it.
tot_status page_buffer_save(page_buffer *text, const char *path);

void page_buffer_free(page_buffer *text);

// Whether words is neither NULL nor "".
static inline bool page_text_given(const char *words) {
    return words != NULL && words[0] != '\0';
}

// Number of characters of a UTF-8 text.
int page_text_length(const char *words);

// --- numbers -----------------------------------------------------------------------------------

enum { PAGE_NUMBER_SIZE = 64 };

// A number as text, whatever the locale, for page_buffer_add_format: `page_fixed(x, 3).text`.
typedef struct page_number {
    char text[PAGE_NUMBER_SIZE];
} page_number;

// 1 .. 17 significant digits without trailing zeros: "0.125", "-3", "1.5e-7", "2e9". "" if not
// finite.
page_number page_digits(double value, int digits);

// Exactly this many decimals (0 .. 9), |value| < 1e16. Never "-0".
page_number page_fixed(double value, int decimals);

// The same without trailing zeros: for coordinates.
page_number page_trimmed(double value, int decimals);

// --- elements ----------------------------------------------------------------------------------

// `open`, the escaped words, `close`.
void page_add_words(page_buffer *out, const char *open, const char *words, const char *close);

// The same, or nothing if there are no words.
void page_add_element(page_buffer *out, const char *open, const char *words, const char *close);

// ` name="words"`, or the fallback if there are no words.
void page_add_attribute(page_buffer *out, const char *name, const char *words,
                        const char *fallback);
void page_add_number_attribute(page_buffer *out, const char *name, double value);

// Whether a character has no special meaning in a URL, an id or an attribute.
bool page_is_plain(unsigned char letter);

// A path as a relative URL: never another scheme, host, query or fragment.
void page_add_address(page_buffer *out, const char *path);
