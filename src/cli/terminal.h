// The terminal: how wide it is, and texts that fit its columns.
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include <temporalot/base.h>

// Columns of the terminal behind a stream: as it says, else as COLUMNS says, else 80. Where the
// stream is no terminal: 80.
int cli_width(FILE *stream);

// Columns that a UTF-8 text takes: 2 for wide letters, 0 for those that join the one before.
int cli_columns(const char *text);

// Copies a text into so many columns. One that is too long loses its middle and keeps `tail`
// columns of its end: "weights=resn..,seed-1".
void cli_fit(char *out, size_t size, const char *text, int columns, int tail);

// Writes a text, and blanks up to so many columns.
void cli_put(FILE *out, const char *text, int columns);

// "[####......]" in so many columns, which are at least 3; share in 0 .. 1. out: [columns + 1].
void cli_bar(char *out, int columns, double share);

// Writes words, wrapped: the first line begins at column `at`, the others after `indent` blanks.
// No line is longer than width, unless a word is. Ends with a line break.
void cli_wrap(FILE *out, const char *text, int at, int indent, int width);

// A line of at most 4095 bytes; on a terminal wrapped between words.
void cli_say(FILE *out, const char *format, ...) TOT_PRINTF(2, 3);
