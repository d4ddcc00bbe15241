#include "page/deflate.h"

#include <png.h>
#include <zlib.h>

#include "base/base.h"

static void *zlib_allocate(void *context, unsigned count, unsigned size) {
    (void)context;
    return base_alloc(count, size, "compression");
}

static void zlib_release(void *context, void *pointer) {
    (void)context;
    base_free(pointer);
}

tot_status page_deflate(const unsigned char *bytes, size_t size, unsigned char **packed,
                        size_t *packed_size) {
    z_stream stream = {.zalloc = zlib_allocate, .zfree = zlib_release};
    // zlib has 32-bit counters; nothing here comes close
    BASE_FAIL_IF(size > INT32_MAX, TOT_E_ARGUMENT, "page: %zu bytes are too many to compress",
                 size);
    BASE_FAIL_IF(deflateInit(&stream, Z_BEST_COMPRESSION) != Z_OK, TOT_E_MEMORY,
                 "page: no memory for compression");
    size_t bound = deflateBound(&stream, size);
    unsigned char *to = base_alloc(bound, 1, "compressed data");
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
        base_free(to);
        return base_fail(TOT_E_VALUE, "page: zlib stopped with %d", result);
    }
    *packed = to;
    return TOT_OK;
}

// --- PNG ---------------------------------------------------------------------------------------

tot_status page_png_encode(const unsigned char *pixels, size_t width, size_t height,
                           const unsigned char colours[256][3], bool clear_first,
                           unsigned char **png, size_t *png_size) {
    unsigned char map[256][4];
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)width,
                       .height = (png_uint_32)height,
                       .format = PNG_FORMAT_RGBA_COLORMAP,
                       .colormap_entries = 256};
    for (int k = 0; k < 256; k++) {
        memcpy(map[k], colours[k], 3);
        map[k][3] = clear_first && k == 0 ? 0 : 255;
    }
    *png_size = PNG_IMAGE_PNG_SIZE_MAX(image);
    BASE_ALLOC(*png, *png_size, "picture");
    const int written =
        png_image_write_to_memory(&image, *png, png_size, 0, pixels, (png_int_32)width, map);
    png_image_free(&image);
    if (written == 0) {
        base_free(*png);
        *png = NULL;
        return base_fail(TOT_E_MEMORY, "page: no PNG of %zu x %zu: %s", width, height,
                         image.message);
    }
    return TOT_OK;
}
