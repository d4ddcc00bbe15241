// Frame strips: selection and encoding of the pictures of a row, in few colours to make them small.
#pragma once

#include <temporalot/page.h>

#include "page/buffer.h"

enum { PAGE_STRIP_WIDTH = 72 };  // default displayed width of a picture

// The selected pictures of a row.
typedef struct page_strip_choice {
    size_t count;
    size_t frames[TOT_STRIP_PICTURES];  // their indices
    size_t steps[TOT_STRIP_PICTURES];   // and their steps
    size_t step_count;                  // of the whole row
    size_t width, height;               // in pixels, after downscaling
} page_strip_choice;

// Validates the strip.
tot_status page_strip_check(const tot_frame_strip *strip);

// Selects the pictures for a page; the second with a maximum number of pictures (1 ..
// TOT_STRIP_PICTURES) and of pixels per side.
void page_strip_choose(page_strip_choice *choice, const tot_frame_row *row);
void page_strip_choose_within(page_strip_choice *choice, const tot_frame_row *row, size_t pictures,
                              size_t side);

// One of the selected pictures, downscaled: [choice->height] rows of [choice->width][3], `stride`
// bytes apart.
void page_strip_shrink(const tot_frame_row *row, const page_strip_choice *choice, size_t picture,
                       uint8_t *rgb, size_t stride);

// Position of a step along the pictures: 1.5 is half-way between the centres of pictures 1 and 2.
double page_strip_place(const page_strip_choice *choice, size_t step);

// The selected pictures side by side, without gaps, as one base64 PNG, which stores common content
// only once.
tot_status page_strip_add_png(page_buffer *out, const tot_frame_row *row,
                              const page_strip_choice *choice);

// --- colour quantisation -----------------------------------------------------------------------

enum { PAGE_PALETTE_SIZE = 256 };

// Chooses at most 256 colours and maps every pixel to one of them. Pictures with no more colours
// are unchanged. rgb: [count][3], count at most 2^31; indices: [count], written; unused colours are
// black.
tot_status page_palette_make(const uint8_t *rgb, size_t count,
                             uint8_t colours[PAGE_PALETTE_SIZE][3], uint8_t *indices);
