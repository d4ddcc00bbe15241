// Y'CbCr to RGB, only at the pixels that resizing needs.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <temporalot/base.h>

// 8-bit pictures with 4:2:0 chroma subsampling. Width and height are even and at least ten.
typedef struct file_colours_kind {
    int width, height;
    int to_width, to_height;  // size they will be resized to
    int matrix[4];            // Y'CbCr matrix from sws_getCoefficients
    bool full_range;          // 0 .. 255 instead of 16 .. 235
    bool nearest;             // chroma row selection of swscale before FFmpeg 8
} file_colours_kind;

typedef struct file_colours file_colours;

tot_status file_colours_create(file_colours **colours, const file_colours_kind *kind);

// Bit-identical to swscale with accurate rounding and full chroma. rgb: [height][width][3]; only
// the pixels that tot_resize reads are written.
void file_colours_convert(file_colours *colours, const uint8_t *const planes[3],
                          const int strides[3], uint8_t *rgb);

// colours may be NULL.
void file_colours_free(file_colours *colours);
