// Y'CbCr to RGB, only at the pixels that resizing looks at.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <temporalot/base.h>

// Pictures of 8 bits with chroma of half the width and height. They have an even number of columns
// and of rows, ten at least.
typedef struct file_colours_kind {
    int width, height;
    int to_width, to_height;  // what they will be resized to
    int matrix[4];            // of Y'CbCr, as sws_getCoefficients gives it
    bool full_range;          // 0 .. 255, not 16 .. 235
    bool nearest;             // rows of chroma as swscale took them before FFmpeg 8
} file_colours_kind;

typedef struct file_colours file_colours;

tot_status file_colours_create(file_colours **colours, const file_colours_kind *kind);

// What swscale makes of a picture with accurate rounding and all of the chroma, to the bit. rgb:
// [height][width][3], of which only what tot_resize looks at is written.
void file_colours_convert(file_colours *colours, const uint8_t *const planes[3],
                          const int strides[3], uint8_t *rgb);

// colours may be NULL.
void file_colours_free(file_colours *colours);
