#include "page/deflate.h"

#include <string.h>
#include <zlib.h>

#include "base/error.h"
#include "base/memory.h"

static void *zlib_allocate(void *context, unsigned count, unsigned size) {
    (void)context;
    return tot_alloc(count, size, "compression");
}

static void zlib_release(void *context, void *pointer) {
    (void)context;
    tot_free(pointer);
}

tot_status tot_deflate(const unsigned char *bytes, size_t size, unsigned char **packed,
                       size_t *packed_size) {
    z_stream stream = {.zalloc = zlib_allocate, .zfree = zlib_release};
    // zlib counts in 32 bits; nothing here comes near
    if (size > INT32_MAX) {
        return tot_fail(TOT_E_ARGUMENT, "page: %zu bytes are too many to compress", size);
    }
    if (deflateInit(&stream, Z_BEST_COMPRESSION) != Z_OK) {
        return tot_fail(TOT_E_MEMORY, "page: no memory for compression");
    }
    size_t bound = deflateBound(&stream, size);
    unsigned char *to = tot_alloc(bound, 1, "compressed data");
    if (to == NULL) {
        deflateEnd(&stream);
        return TOT_E_MEMORY;
    }
    stream.next_in = (unsigned char *)bytes;
    stream.avail_in = (unsigned)size;
    stream.next_out = to;
    stream.avail_out = (unsigned)bound;
    int result = deflate(&stream, Z_FINISH);
    *packed_size = stream.total_out;
    deflateEnd(&stream);
    if (result != Z_STREAM_END) {
        tot_free(to);
        return tot_fail(TOT_E_VALUE, "page: zlib stopped with %d", result);
    }
    *packed = to;
    return TOT_OK;
}

// --- PNG ---------------------------------------------------------------------------------------

static void put_word(unsigned char *to, size_t value) {
    for (int k = 0; k < 4; k++) {
        to[k] = (unsigned char)(value >> (24 - 8 * k));
    }
}

// Writes one chunk and returns where the next begins.
static unsigned char *put_chunk(unsigned char *to, const char *kind, const unsigned char *bytes,
                                size_t size) {
    put_word(to, size);
    memcpy(to + 4, kind, 4);
    if (bytes != NULL) {
        memcpy(to + 8, bytes, size);
    }
    put_word(to + 8 + size, crc32(0, to + 4, (unsigned)size + 4));
    return to + 12 + size;
}

// Rows as PNG wants them, each behind its filter byte (0: none), compressed.
static tot_status pack_rows(const unsigned char *pixels, size_t width, size_t height,
                            unsigned char **packed, size_t *packed_size) {
    unsigned char *rows = tot_alloc(height, width + 1, "picture");
    if (rows == NULL) {
        return TOT_E_MEMORY;
    }
    for (size_t row = 0; row < height; row++) {
        rows[row * (width + 1)] = 0;
        memcpy(rows + row * (width + 1) + 1, pixels + row * width, width);
    }
    tot_status status = tot_deflate(rows, height * (width + 1), packed, packed_size);
    tot_free(rows);
    return status;
}

tot_status tot_png_encode(const unsigned char *pixels, size_t width, size_t height,
                          const unsigned char colours[256][3], bool clear_first,
                          unsigned char **png, size_t *png_size) {
    static const unsigned char signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    unsigned char *packed = NULL;
    size_t packed_size = 0;
    TOT_TRY(pack_rows(pixels, width, height, &packed, &packed_size));
    // the signature, the chunks with 12 bytes around each, and what is in them
    size_t size = sizeof signature + 4 * 12 + 13 + 768 + packed_size + (clear_first ? 13 : 0);
    unsigned char *bytes = tot_alloc(size, 1, "picture");
    if (bytes == NULL) {
        tot_free(packed);
        return TOT_E_MEMORY;
    }
    unsigned char header[13] = {[8] = 8, [9] = 3};  // eight bits that name a colour
    put_word(header, width);
    put_word(header + 4, height);
    const unsigned char transparent[1] = {0};
    memcpy(bytes, signature, sizeof signature);
    unsigned char *at = put_chunk(bytes + sizeof signature, "IHDR", header, sizeof header);
    at = put_chunk(at, "PLTE", colours[0], 768);
    if (clear_first) {
        at = put_chunk(at, "tRNS", transparent, 1);
    }
    at = put_chunk(at, "IDAT", packed, packed_size);
    put_chunk(at, "IEND", NULL, 0);
    tot_free(packed);
    *png = bytes;
    *png_size = size;
    return TOT_OK;
}
