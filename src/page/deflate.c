#include "page/deflate.h"

#include <png.h>
#include <zlib.h>

#include "base/base.h"

tot_status page_deflate(const unsigned char *bytes, size_t size, unsigned char **packed,
                        size_t *packed_size) {
    uLongf length = compressBound(size);
    BASE_ALLOC(*packed, length, "compressed data");
    const int result = compress2(*packed, &length, bytes, size, Z_BEST_COMPRESSION);
    if (result != Z_OK) {
        base_free(*packed);
        *packed = NULL;
        return base_fail(result == Z_MEM_ERROR ? TOT_E_MEMORY : TOT_E_VALUE,
                         "page: zlib stopped with %d", result);
    }
    *packed_size = length;
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
