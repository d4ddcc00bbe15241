#include "file/sha256.h"

#include <libavutil/sha.h>

#include "base/base.h"

enum { BITS = 256, BYTES = BITS / 8 };

tot_status file_sha256_start(file_sha256 **sum) {
    *sum = base_alloc(1, (size_t)av_sha_size, "hash");
    BASE_HAVE(*sum);
    av_sha_init(*sum, BITS);
    return TOT_OK;
}

void file_sha256_add(file_sha256 *sum, const void *bytes, size_t size) {
    if (size > 0) {
        av_sha_update(sum, bytes, size);
    }
}

tot_status file_sha256_add_source(file_sha256 *sum, file_source *source) {
    const size_t piece = (size_t)1 << 20;
    void *bytes = base_alloc(piece, 1, "piece of a file");
    BASE_HAVE(bytes);
    tot_status status = TOT_OK;
    while (status == TOT_OK && source->position < source->size) {
        const int64_t left = source->size - source->position;
        const size_t size = left < (int64_t)piece ? (size_t)left : piece;
        status = file_source_read(source, bytes, size, "hash");
        if (status == TOT_OK) {
            file_sha256_add(sum, bytes, size);
        }
    }
    base_free(bytes);
    return status;
}

void file_sha256_finish(file_sha256 *sum, char text[FILE_SHA256_TEXT]) {
    uint8_t digest[BYTES];
    av_sha_final(sum, digest);
    for (size_t k = 0; k < BYTES; k++) {
        snprintf(text + 2 * k, 3, "%02x", digest[k]);
    }
}
