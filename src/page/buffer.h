// A text that grows: what pages and pictures are written into.
#pragma once

#include <temporalot/base.h>

// Starts as {0}. After a failure the rest is dropped and status says why, so that a writer calls
// these one after another and looks once, at the end.
typedef struct page_buffer {
    char *bytes;  // not ended by a 0 byte
    size_t length;
    size_t capacity;
    tot_status status;
} page_buffer;

void page_buffer_add(page_buffer *text, const char *words);
void page_buffer_add_bytes(page_buffer *text, const char *bytes, size_t size);

// Only %s, %d, %zu and %c: floating point goes through the functions below, which know no locale.
void page_buffer_add_format(page_buffer *text, const char *format, ...) TOT_PRINTF(2, 3);

// For HTML and XML, inside elements and inside quoted attributes. words may be NULL (nothing).
void page_buffer_add_escaped(page_buffer *text, const char *words);

// Significant digits 1 .. 17, no trailing zeros: "0.125", "-3", "1.5e-7", "2e9". Not finite:
// nothing.
void page_buffer_add_number(page_buffer *text, double value, int digits);

// At most this many decimals (0 .. 9), no trailing zeros: for coordinates. value is finite.
void page_buffer_add_fixed(page_buffer *text, double value, int decimals);

void page_buffer_add_base64(page_buffer *text, const void *bytes, size_t size);

// Room for `size` more bytes, so that adding them cannot fail.
void page_buffer_reserve(page_buffer *text, size_t size);

// Goes back to an earlier length, forgetting a failure since then.
void page_buffer_truncate(page_buffer *text, size_t length);

void page_buffer_free(page_buffer *text);

// Whether there are words at all: not NULL and not "".
bool page_text_given(const char *words);

// --- numbers -----------------------------------------------------------------------------------

enum { PAGE_NUMBER_SIZE = 64 };

// The same forms into a buffer, ended by a 0 byte. Returns the length.
size_t page_number_write(char buffer[PAGE_NUMBER_SIZE], double value, int digits);

// Exactly this many decimals (0 .. 9), |value| < 1e16. Never "-0".
size_t page_number_write_fixed(char buffer[PAGE_NUMBER_SIZE], double value, int decimals);
