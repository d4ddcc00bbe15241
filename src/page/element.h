// Small pieces of HTML that figures share.
#pragma once

#include "page/axis.h"
#include "page/buffer.h"

enum { PAGE_LEFT_SPACE = 56 };  // pixels: the usual room for labels at the left

// `open`, the words escaped, `close`; nothing at all where there are no words.
void page_add_element(page_buffer *out, const char *open, const char *words, const char *close);

// ` name="words"`, or the fallback where there are no words.
void page_add_attribute(page_buffer *out, const char *name, const char *words,
                        const char *fallback);
void page_add_number_attribute(page_buffer *out, const char *name, double value);

// Whether a letter means nothing but itself anywhere: in an address, an id, an attribute.
bool page_is_plain(unsigned char letter);

// A path as an address that stays a path: never another scheme, host, query or place.
void page_add_address(page_buffer *out, const char *path);

// Pixels that labels beside a picture need. Never less than `least`, so that pictures side by side
// or below each other line up.
int page_label_space(const page_axis *axis, int least);
