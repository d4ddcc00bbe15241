// A growing string that pages and pictures are written to.
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

// Only %s, %d, %zu and %c: floating point goes through the locale-independent functions below.
void page_buffer_add_format(page_buffer *text, const char *format, ...) TOT_PRINTF(2, 3);

// For HTML and XML, in elements and in quoted attributes. words may be NULL (nothing).
void page_buffer_add_escaped(page_buffer *text, const char *words);

// 1 .. 17 significant digits without trailing zeros: "0.125", "-3", "1.5e-7", "2e9". Nothing if not
// finite.
void page_buffer_add_number(page_buffer *text, double value, int digits);

// At most this many decimals (0 .. 9) without trailing zeros: for coordinates. value must be
// finite.
void page_buffer_add_fixed(page_buffer *text, double value, int decimals);

void page_buffer_add_base64(page_buffer *text, const void *bytes, size_t size);

// Reserves `size` more bytes, so that adding them cannot fail.
void page_buffer_reserve(page_buffer *text, size_t size);

// Ends an addition that began at `start`: it is added completely or not at all. Reserves `ending`
// more bytes.
tot_status page_buffer_finish(page_buffer *text, size_t start, size_t ending);

// Truncates to an earlier length, and clears a failure since then.
void page_buffer_truncate(page_buffer *text, size_t length);

void page_buffer_free(page_buffer *text);

// Whether words is neither NULL nor "".
bool page_text_given(const char *words);

// --- numbers -----------------------------------------------------------------------------------

enum { PAGE_NUMBER_SIZE = 64 };

// The same formats into a NUL-terminated buffer. Returns the length.
size_t page_number_write(char buffer[PAGE_NUMBER_SIZE], double value, int digits);

// Exactly this many decimals (0 .. 9), |value| < 1e16. Never "-0".
size_t page_number_write_fixed(char buffer[PAGE_NUMBER_SIZE], double value, int decimals);
