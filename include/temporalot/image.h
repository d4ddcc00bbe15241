// temporalot/image.h - pictures in files: PNG and video, read whole or refused, written whole or
// absent; and pictures from wherever they are kept, one after another. A picture is 8-bit RGB:
// [height][width][3], top row first.
//
//     #include <temporalot/image.h>
//     #include <stdio.h>
//
//     int main(void) {
//         static uint8_t rgb[48][64][3];
//         tot_video *video = NULL;
//         tot_status status = tot_video_create(&video, "blue.mp4", 64, 48, 30);
//         for (int k = 0; status == TOT_OK && k < 30; k++) {
//             rgb[k][2 * k][2] = 255;
//             status = tot_video_add(video, rgb[0][0]);
//         }
//         if (status == TOT_OK) {
//             status = tot_video_commit(video);
//         } else {
//             tot_video_discard(video);
//         }
//         status = status != TOT_OK ? status : tot_png_write("blue.png", rgb[0][0], 64, 48);
//         fputs(status != TOT_OK ? tot_error() : "", stderr);
//         return status != TOT_OK;
//     }
#ifndef TEMPORALOT_IMAGE_H
#define TEMPORALOT_IMAGE_H

#include <temporalot/base.h>
#include <temporalot/file.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- PNG ---------------------------------------------------------------------------------------

enum { TOT_MAX_IMAGE = 65500 };  // pixels per side, of a PNG

// Equal pictures give equal files. Whole or absent: see tot_file_create.
TOT_API tot_status tot_png_write(const char *path, const uint8_t *rgb, int width, int height);

// Reads any PNG as uint8, height x width x 3: palettes and greys become RGB, 16 bits become 8,
// transparency is dropped. image is {0} or one read before; on failure it has no elements.
// TOT_E_FORMAT: not a PNG, or a damaged one; TOT_E_UNSUPPORTED: more than 2^28 pixels.
TOT_API tot_status tot_png_read(tot_array *image, const char *path);

// The same from memory. name is only for the error text.
TOT_API tot_status tot_png_parse(tot_array *image, const void *bytes, size_t size,
                                 const char *name);

// --- video -------------------------------------------------------------------------------------

typedef struct tot_video tot_video;

// Starts a video beside `path` under a temporary name; the ending of the path says in which
// container (.mp4, .mkv, .avi, ...). H.264 where FFmpeg has it, else MPEG-4; colours have half the
// resolution, as players want it, and an odd width or height is filled up by one pixel that
// repeats the edge. Equal pictures give equal files. width and height are 1 .. 16384,
// frames_per_second 0.1 .. 1000.
TOT_API tot_status tot_video_create(tot_video **video, const char *path, int width, int height,
                                    double frames_per_second);

// Adds one picture of the video's size. After a failure only tot_video_discard is left, and
// tot_video_commit fails.
TOT_API tot_status tot_video_add(tot_video *video, const uint8_t *rgb);

// Finishes, syncs and renames over `path`. The video is gone either way; on failure `path` is as it
// was. TOT_E_ARGUMENT when nothing was added.
TOT_API tot_status tot_video_commit(tot_video *video);

// Gives up: removes the temporary file. video may be NULL.
TOT_API void tot_video_discard(tot_video *video);

// The encoder's name in FFmpeg: "libx264", "mpeg4".
TOT_API const char *tot_video_encoder(const tot_video *video);

// --- pictures, one after another ---------------------------------------------------------------

// Where pictures are read from: a .npy of uint8 (steps x height x width x 3), `frames` of an .npz
// ("F.npz:frames_1" names another array), a video that FFmpeg reads, a folder of PNG or JPEG files
// (in the order of their names, numbers by value: 2.png before 10.png), or a single picture. Videos
// and pictures that a player would turn, such as a phone's, are turned. Memory does not grow with
// their number. For one thread at a time.
typedef struct tot_frames tot_frames;

// TOT_E_SHAPE or TOT_E_UNSUPPORTED: not pictures; TOT_E_FORMAT: damaged, or holding none.
TOT_API tot_status tot_frames_open(tot_frames **frames, const char *path);

// The same for a video that is decoded by so many threads of FFmpeg's, ahead of what is read: the
// pictures are the same. threads is 1 .. 64; other sources are read by the caller's thread.
TOT_API tot_status tot_frames_open_threads(tot_frames **frames, const char *path, int threads);

// Pictures in memory: uint8, steps x height x width x 3, which must outlive them. name is for the
// error text.
TOT_API tot_status tot_frames_open_array(tot_frames **frames, const tot_array *array,
                                         const char *name);

// Which pictures of a source are read, and which part of each. {0}: all of all.
typedef struct tot_excerpt {
    int64_t every;    // every N-th picture; 0: as 1
    double fps;       // so many pictures per second of the video, whatever its frame rate: at each
                      // time the picture that is shown then; 0: the pictures as they are stored
    double from, to;  // seconds from the start of the video; to = 0: its end
    int crop[4];      // left, top, width, height in pixels; width = 0: the whole picture
} tot_excerpt;

// Reads "X,Y,W,H" into crop; "" is the whole picture. TOT_E_ARGUMENT: not four whole numbers.
TOT_API tot_status tot_excerpt_set_crop(tot_excerpt *excerpt, const char *text);

// Whether the excerpt leaves everything as it is.
TOT_API bool tot_excerpt_is_all(const tot_excerpt *excerpt);

// From now on only these pictures are read; before the first is. TOT_E_ARGUMENT: a number that is
// not possible, a part that is not inside the picture, or times for pictures that have none (all
// but videos).
TOT_API tot_status tot_frames_pick(tot_frames *frames, const tot_excerpt *excerpt);

// From now on pictures are read in this size, by tot_resize.
TOT_API tot_status tot_frames_resize(tot_frames *frames, int width, int height);

// Of a picture as it is read.
TOT_API int tot_frames_width(const tot_frames *frames);
TOT_API int tot_frames_height(const tot_frames *frames);

// How many there are; -1 where only reading tells (some videos).
TOT_API int64_t tot_frames_count(const tot_frames *frames);

// The next picture: rgb is [height][width][3], written. *end is set, and rgb left alone, after the
// last. TOT_E_SHAPE: a picture of another size than the first, with its number.
TOT_API tot_status tot_frames_read(tot_frames *frames, uint8_t *rgb, bool *end);

// When a player shows the picture that was read last, in seconds; NaN before the first, and where
// there are no times (arrays, PNG files, some videos).
TOT_API double tot_frames_time(const tot_frames *frames);

// frames may be NULL.
TOT_API void tot_frames_close(tot_frames *frames);

// Bilinear, pixel centres at half numbers, edges repeated: what cv2.resize with INTER_LINEAR does,
// rounded to the nearest. from is [from_height][from_width][3], to is [height][width][3], written.
TOT_API void tot_resize(const uint8_t *from, int from_width, int from_height, uint8_t *to,
                        int width, int height);

#ifdef __cplusplus
}
#endif
#endif
