// Any bytes as a video whose container states its length: complete, or a single-line error; and a
// complete video stays complete when bytes are appended.
#include "file/frames.h"
#include "fuzz.h"

static tot_status check(const uint8_t *bytes, size_t size) {
    file_source source;
    file_source_from_memory(&source, bytes, size, "fuzz");
    return file_frames_check_length(&source);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    const tot_status status = check(bytes, size);
    if (status != TOT_OK) {
        fuzz_check_error();
        if (status != TOT_E_FORMAT) {
            abort();
        }
    }
    // an input that ends somewhere else
    for (size_t k = 0; k < 4 && size > 1; k++) {
        size = size / 2 + size % 3;
        if (check(bytes, size) != TOT_OK) {
            fuzz_check_error();
        }
    }
    return 0;
}
