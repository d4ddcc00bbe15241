// Frame strips: which pictures of a row are shown, and as what they are kept.
#pragma once

#include <temporalot/page.h>

#include "page/buffer.h"

enum { PAGE_STRIP_WIDTH = 72 };  // of a picture as it is shown, unless another is asked for

// The pictures of a row that are shown.
typedef struct page_strip_choice {
    size_t count;
    size_t frames[TOT_STRIP_PICTURES];  // their numbers
    size_t steps[TOT_STRIP_PICTURES];   // and their steps
    size_t step_count;                  // of the whole row
    size_t width, height;               // in pixels, made smaller
} page_strip_choice;

// Says what is wrong with the strip, if anything is.
tot_status page_strip_check(const tot_frame_strip *strip);

// Those that a page shows; and no more than so many, of so many pixels per side at most.
// pictures: 1 .. TOT_STRIP_PICTURES.
void page_strip_choose(page_strip_choice *choice, const tot_frame_row *row);
void page_strip_choose_within(page_strip_choice *choice, const tot_frame_row *row, size_t pictures,
                              size_t side);

// One of the chosen pictures at its size: [choice->height] lines of [choice->width][3], `stride`
// bytes from one to the next.
void page_strip_shrink(const tot_frame_row *row, const page_strip_choice *choice, size_t picture,
                       uint8_t *rgb, size_t stride);

// Where a step lies along the pictures: 1.5 is half-way from the middle of picture 1 to that of 2.
double page_strip_place(const page_strip_choice *choice, size_t step);

// The chosen pictures side by side, without gaps, as base64 of one PNG: what they have in common is
// stored once.
void page_strip_add_png(page_buffer *out, const tot_frame_row *row,
                        const page_strip_choice *choice);
