// The width of the terminal, and text formatted to fit it.
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include <temporalot/base.h>

// Columns of the terminal behind a stream: as reported by the terminal, else $COLUMNS, else 80. If
// the stream is not a terminal: 80.
int cli_width(FILE *stream);

// Columns of a UTF-8 text: 2 for wide characters, 0 for combining ones.
int cli_columns(const char *text);

// Copies a text that fits the columns. A longer one is shortened in the middle and keeps the last
// `tail` columns: "weights=resn..,seed-1".
void cli_fit(char *out, size_t size, const char *text, int columns, int tail);

// Writes a text, padded with blanks to the columns.
void cli_put(FILE *out, const char *text, int columns);

// "[####......]" in that many columns, at least 3; share in 0 .. 1. out: [columns + 1].
void cli_bar(char *out, int columns, double share);

// Writes words, wrapped: the first line starts at column `at`, the others are indented by `indent`.
// No line is longer than width, unless a single word is. Ends with a line break.
void cli_wrap(FILE *out, const char *text, int at, int indent, int width);

// Prints a line of at most 4095 bytes, wrapped between words on a terminal.
void cli_say(FILE *out, const char *format, ...) TOT_PRINTF(2, 3);
