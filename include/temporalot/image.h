// temporalot/image.h - reading and writing PNG and video files, and reading a sequence of pictures
// from any supported source. Damaged files are rejected; files are written atomically. A picture is
// 8-bit RGB: [height][width][3], top row first.
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

enum { TOT_MAX_IMAGE = 65500 };  // pixels per side of a PNG

// The same picture gives the same file. Written atomically: see tot_file_create.
TOT_API tot_status tot_png_write(const char *path, const uint8_t *rgb, int width, int height);

// Reads any PNG as uint8, height x width x 3: palette and grey become RGB, 16 bits become 8, alpha
// is dropped. image is {0} or previously used; on failure it has no elements. TOT_E_FORMAT: not a
// PNG, or damaged; TOT_E_UNSUPPORTED: more than 2^28 pixels.
TOT_API tot_status tot_png_read(tot_array *image, const char *path);

// The same from memory. name is only used in error messages.
TOT_API tot_status tot_png_parse(tot_array *image, const void *bytes, size_t size,
                                 const char *name);

// --- video -------------------------------------------------------------------------------------

typedef struct tot_video tot_video;

// Starts a video under a temporary name in the folder of `path`; the file extension selects the
// container (.mp4, .mkv, .avi, ...). The codec is H.264 if FFmpeg has it, else MPEG-4, with 4:2:0
// chroma subsampling for compatibility with players. An odd width or height is padded by one pixel
// that repeats the edge. The same pictures give the same file. width and height are 1 .. 16384,
// frames_per_second 0.1 .. 1000.
TOT_API tot_status tot_video_create(tot_video **video, const char *path, int width, int height,
                                    double frames_per_second);

// Adds one picture of the video's size. After a failure only tot_video_discard may follow, and
// tot_video_commit fails.
TOT_API tot_status tot_video_add(tot_video *video, const uint8_t *rgb);

// Finishes the file, syncs it to disk and renames it to `path`. Frees the video in any case; on
// failure `path` is unchanged. TOT_E_ARGUMENT if no picture was added.
TOT_API tot_status tot_video_commit(tot_video *video);

// Cancels: removes the temporary file. video may be NULL.
TOT_API void tot_video_discard(tot_video *video);

// FFmpeg's name of the encoder: "libx264", "mpeg4".
TOT_API const char *tot_video_encoder(const tot_video *video);

// --- sequences of pictures ---------------------------------------------------------------------

// A sequence of pictures, read from a .npy of uint8 (steps x height x width x 3), from `frames` of
// an .npz ("F.npz:frames_1" selects another array), from a video that FFmpeg can decode, from a
// folder of PNG or JPEG files (sorted by name, numbers by value: 2.png before 10.png), or from a
// single picture. The rotation stored in videos and pictures, for example by a phone, is applied.
// Memory does not grow with the number of pictures. Not thread-safe.
typedef struct tot_frames tot_frames;

// TOT_E_SHAPE or TOT_E_UNSUPPORTED: not pictures; TOT_E_FORMAT: damaged or empty.
TOT_API tot_status tot_frames_open(tot_frames **frames, const char *path);

// The same, with a video decoded ahead by this many FFmpeg threads; the pictures are identical.
// threads is 1 .. 64. Other sources are read on the calling thread.
TOT_API tot_status tot_frames_open_threads(tot_frames **frames, const char *path, int threads);

// Pictures in memory: uint8, steps x height x width x 3; array must outlive frames. name is used in
// error messages.
TOT_API tot_status tot_frames_open_array(tot_frames **frames, const tot_array *array,
                                         const char *name);

// Selects pictures of a source, and a region of each. {0}: everything.
typedef struct tot_excerpt {
    int64_t every;     // every N-th picture; 0 means 1
    double fps;        // resample the video to this frame rate: at each time, the picture shown
                       // then; 0: the pictures as stored
    double from, to;   // seconds from the start of the video; to = 0: its end
    int crop[4];       // left, top, width, height in pixels; width = 0: the whole picture
    double region[4];  // the same as left, top, right, bottom in fractions of the picture, rounded
                       // to whole pixels; all 0: the whole picture. Not together with crop
} tot_excerpt;

// Parses "X,Y,W,H" into crop; "" is the whole picture. TOT_E_ARGUMENT: not four integers.
TOT_API tot_status tot_excerpt_set_crop(tot_excerpt *excerpt, const char *text);

// Finds the region in which the pictures of several recordings by one stationary camera change,
// with a margin of 5 % of the picture: left, top, right, bottom as fractions, with the pictures'
// aspect ratio. All pictures are read; sizes may differ. excerpt (may be NULL) selects pictures,
// and must not have a crop or region. TOT_E_VALUE: nothing changes; TOT_E_SHAPE: aspect ratios
// differ.
TOT_API tot_status tot_frames_moving(double region[4], const char *const *paths, size_t count,
                                     const tot_excerpt *excerpt);

// True if the excerpt selects everything.
TOT_API bool tot_excerpt_is_all(const tot_excerpt *excerpt);

// Restricts what is read to this excerpt; call it before the first picture is read. TOT_E_ARGUMENT:
// an invalid number, a region that is not inside the picture, or times for a source without
// timestamps (all but videos).
TOT_API tot_status tot_frames_pick(tot_frames *frames, const tot_excerpt *excerpt);

// Resizes all later pictures to this size, with tot_resize.
TOT_API tot_status tot_frames_resize(tot_frames *frames, int width, int height);

// Size of the pictures as returned by tot_frames_read.
TOT_API int tot_frames_width(const tot_frames *frames);
TOT_API int tot_frames_height(const tot_frames *frames);

// Number of pictures; -1 if unknown before all have been read (some videos).
TOT_API int64_t tot_frames_count(const tot_frames *frames);

// Reads the next picture: rgb is [height][width][3], written. After the last one *end is set and
// rgb is unchanged. TOT_E_SHAPE: the size of a picture differs from the first one; the message
// gives its index.
TOT_API tot_status tot_frames_read(tot_frames *frames, uint8_t *rgb, bool *end);

// Presentation time of the last picture read, in seconds; NaN before the first, and if there are no
// timestamps (arrays, PNG files, some videos).
TOT_API double tot_frames_time(const tot_frames *frames);

// frames may be NULL.
TOT_API void tot_frames_close(tot_frames *frames);

// Bilinear resampling with pixel centres at half-integer positions and replicated edges, as
// cv2.resize with INTER_LINEAR, rounded to nearest. from is [from_height][from_width][3], to is
// [height][width][3], written.
TOT_API void tot_resize(const uint8_t *from, int from_width, int from_height, uint8_t *to,
                        int width, int height);

#ifdef __cplusplus
}
#endif
#endif
