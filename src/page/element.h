// Small HTML elements shared by figures.
#pragma once

#include "page/axis.h"
#include "page/buffer.h"

enum { PAGE_LEFT_SPACE = 56 };  // pixels: default space for labels at the left

// `open`, the escaped words, `close`; nothing if there are no words.
void page_add_element(page_buffer *out, const char *open, const char *words, const char *close);

// ` name="words"`, or the fallback if there are no words.
void page_add_attribute(page_buffer *out, const char *name, const char *words,
                        const char *fallback);
void page_add_number_attribute(page_buffer *out, const char *name, double value);

// Whether a character has no special meaning in a URL, an id or an attribute.
bool page_is_plain(unsigned char letter);

// A path as a relative URL: never another scheme, host, query or fragment.
void page_add_address(page_buffer *out, const char *path);

// Pixels needed for the labels beside a picture. At least `least`, so that adjacent pictures line
// up.
int page_label_space(const page_axis *axis, int least);
