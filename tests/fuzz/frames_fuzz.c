// Any bytes as pictures: an array is a single-line error or has as many pictures as it claims; the
// length claimed by a video's container is found or not. (FFmpeg's decoding is not tested.)
#include "base/memory.h"
#include "file/frames.h"
#include "fuzz.h"

static void read_all(tot_frames *frames) {
    // 64 pictures of 64 x 64 pixels are enough to detect an error
    const size_t bytes = (size_t)frames->width * (size_t)frames->height * FILE_FRAMES_CHANNELS;
    uint8_t *rgb = bytes < 1 << 14 ? malloc(bytes) : NULL;
    bool end = false;
    tot_status status = TOT_OK;
    for (int k = 0; rgb != NULL && status == TOT_OK && !end && k < 64; k++) {
        status = tot_frames_read(frames, rgb, &end);
        if (end && frames->taken != frames->count) {
            abort();
        }
    }
    if (status != TOT_OK) {
        fuzz_check_error();
    }
    free(rgb);
}

static void read_array(const uint8_t *bytes, size_t size, bool archive) {
    file_source source;
    tot_frames *frames = base_alloc_zero(1, sizeof *frames, "fuzz");
    frames->path = base_copy_text("fuzz");
    file_source_from_memory(&source, bytes, size, "fuzz");
    const tot_status status = archive ? file_frames_open_npz(frames, &source, NULL)
                                      : file_frames_open_npy(frames, &source);
    if (status == TOT_OK) {
        read_all(frames);
    } else {
        fuzz_check_error();
    }
    tot_frames_close(frames);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    file_source source;
    file_source_from_memory(&source, bytes, size, "fuzz");
    if (file_frames_check_length(&source) != TOT_OK) {
        fuzz_check_error();
    }
    read_array(bytes, size, size > 1 && bytes[0] == 'P');
    return 0;
}
