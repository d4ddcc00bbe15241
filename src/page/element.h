// Small pieces of HTML that figures share.
#ifndef TOT_PAGE_ELEMENT_H
#define TOT_PAGE_ELEMENT_H

#include "page/axis.h"
#include "page/buffer.h"

enum { TOT_LEFT_ROOM = 56 };  // pixels: the usual room for labels at the left

// `open`, the words escaped, `close`; nothing at all where there are no words.
void tot_add_element(tot_text *out, const char *open, const char *words, const char *close);

// ` name="words"`, or the fallback where there are no words.
void tot_add_attribute(tot_text *out, const char *name, const char *words, const char *fallback);
void tot_add_number_attribute(tot_text *out, const char *name, double value);

// Whether a letter means nothing but itself anywhere: in an address, an id, an attribute.
bool tot_is_plain(unsigned char letter);

// A path as an address that stays a path: never another scheme, host, query or place.
void tot_add_address(tot_text *out, const char *path);

// Pixels that labels beside a picture need. Never less than `least`, so that pictures side by side
// or below each other line up.
int tot_label_room(const tot_axis *axis, int least);

#endif
