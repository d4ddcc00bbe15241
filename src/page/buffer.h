// A text that grows: what pages and pictures are written into.
#ifndef TOT_PAGE_TEXT_H
#define TOT_PAGE_TEXT_H

#include <temporalot/base.h>

// Starts as {0}. After a failure the rest is dropped and status says why, so that a writer calls
// these one after another and looks once, at the end.
typedef struct tot_text {
    char *bytes;  // not ended by a 0 byte
    size_t length;
    size_t capacity;
    tot_status status;
} tot_text;

void tot_text_add(tot_text *text, const char *words);
void tot_text_add_bytes(tot_text *text, const char *bytes, size_t size);

// Only %s, %d, %zu and %c: floating point goes through the functions below, which know no locale.
void tot_text_add_format(tot_text *text, const char *format, ...) TOT_PRINTF(2, 3);

// For HTML and XML, inside elements and inside quoted attributes. words may be NULL (nothing).
void tot_text_add_escaped(tot_text *text, const char *words);

// Significant digits 1 .. 17, no trailing zeros: "0.125", "-3", "1.5e-7", "2e9". Not finite:
// nothing.
void tot_text_add_number(tot_text *text, double value, int digits);

// At most this many decimals (0 .. 9), no trailing zeros: for coordinates. value is finite.
void tot_text_add_fixed(tot_text *text, double value, int decimals);

void tot_text_add_base64(tot_text *text, const void *bytes, size_t size);

// Room for `size` more bytes, so that adding them cannot fail.
void tot_text_reserve(tot_text *text, size_t size);

// Goes back to an earlier length, forgetting a failure since then.
void tot_text_cut(tot_text *text, size_t length);

void tot_text_free(tot_text *text);

// Whether there are words at all: not NULL and not "".
bool tot_text_given(const char *words);

// Writes a text to a file: whole or absent.
tot_status tot_text_save(const char *words, const char *path);

// --- numbers -----------------------------------------------------------------------------------

enum { TOT_NUMBER_SIZE = 64 };

// The same forms into a buffer, ended by a 0 byte. Returns the length.
size_t tot_number_write(char buffer[TOT_NUMBER_SIZE], double value, int digits);

// Exactly this many decimals (0 .. 9), |value| < 1e16. Never "-0".
size_t tot_number_write_fixed(char buffer[TOT_NUMBER_SIZE], double value, int decimals);

#endif
