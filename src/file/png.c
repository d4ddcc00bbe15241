// PNG, with libpng. It reports errors by longjmp; everything that must be freed is in one struct,
// so that nothing is leaked.
#include <limits.h>
#include <png.h>
#include <setjmp.h>

#include <temporalot/image.h>

#include "base/base.h"
#include "file/atomic.h"
#include "file/array.h"
#include "file/source.h"

enum { CHANNELS = 3, COMPRESSION = 6, MOST_PIXELS = 1 << 28, LARGEST_CHUNK = 1 << 20 };

typedef struct png_work {
    const char *name;  // for error messages
    png_structp png;
    png_infop info;
    png_infop end;
    jmp_buf way_back;
    tot_status status;  // set before the longjmp
    bool refused;       // out of memory

    tot_file *file;
    const uint8_t *rgb;
    png_uint_32 width, height;

    file_source *source;
    tot_array *image;
    png_bytep *rows;
} png_work;

// --- callbacks of libpng -----------------------------------------------------------------------

static void on_error(png_structp png, png_const_charp text) {
    png_work *work = png_get_error_ptr(png);
    if (work->status == TOT_OK) {
        work->status = work->refused ? base_fail(TOT_E_MEMORY, "%s: no memory", work->name)
                                     : base_fail(TOT_E_FORMAT, "%s: damaged or truncated PNG: %s",
                                                 work->name, text);
    }
    longjmp(work->way_back, 1);
}

static void on_warning(png_structp png, png_const_charp text) {
    const png_work *work = png_get_error_ptr(png);
    base_log(TOT_LOG_WARNING, "%s: %s", work->name, text);
}

static png_voidp allocate(png_structp png, png_alloc_size_t bytes) {
    png_work *work = png_get_mem_ptr(png);
    void *pointer = base_alloc(1, bytes, "PNG");
    work->refused = work->refused || pointer == NULL;
    return pointer;
}

static void release(png_structp png, png_voidp pointer) {
    (void)png;
    base_free(pointer);
}

static void write_bytes(png_structp png, png_bytep bytes, size_t size) {
    png_work *work = png_get_io_ptr(png);
    work->status = tot_file_write(work->file, bytes, size);
    if (work->status != TOT_OK) {
        longjmp(work->way_back, 1);
    }
}

static void flush_bytes(png_structp png) {
    // the file is flushed on commit
    (void)png;
}

static void read_bytes(png_structp png, png_bytep bytes, size_t size) {
    png_work *work = png_get_io_ptr(png);
    work->status = file_source_read(work->source, bytes, size, "data");
    if (work->status != TOT_OK) {
        longjmp(work->way_back, 1);
    }
}

// Runs a step that may longjmp.
static tot_status run(png_work *work, void (*step)(png_work *work)) {
    if (setjmp(work->way_back) == 0) {
        step(work);
    }
    return work->status;
}

// --- writing -----------------------------------------------------------------------------------

static void write_picture(png_work *work) {
    work->info = png_create_info_struct(work->png);
    if (work->info == NULL) {
        png_error(work->png, "no memory");
    }
    png_set_write_fn(work->png, work, write_bytes, flush_bytes);
    png_set_compression_level(work->png, COMPRESSION);
    png_set_IHDR(work->png, work->info, work->width, work->height, 8, PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    // marks pictures of this program, which may be overwritten without asking
    char key[] = "Software", text[] = "temporalot";
    png_text software = {.compression = PNG_TEXT_COMPRESSION_NONE, .key = key, .text = text};
    png_set_text(work->png, work->info, &software, 1);
    png_write_info(work->png, work->info);
    for (png_uint_32 y = 0; y < work->height; y++) {
        png_write_row(work->png, work->rgb + (size_t)y * work->width * CHANNELS);
    }
    png_write_end(work->png, NULL);
}

static tot_status write_all(png_work *work) {
    work->png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, work, on_error, on_warning, work,
                                          allocate, release);
    BASE_FAIL_IF(work->png == NULL, TOT_E_MEMORY, "%s: no memory", work->name);
    BASE_FINALLY(run(work, write_picture), png_destroy_write_struct(&work->png, &work->info));
}

tot_status tot_png_write(const char *path, const uint8_t *rgb, int width, int height) {
    BASE_NEED(path, rgb);
    BASE_FAIL_IF(width < 1 || height < 1 || width > TOT_MAX_IMAGE || height > TOT_MAX_IMAGE,
                 TOT_E_ARGUMENT, "%s: %d x %d pixels; 1 .. %d per side are possible", path, width,
                 height, TOT_MAX_IMAGE);
    png_work work = {.name = path, .rgb = rgb};
    work.width = (png_uint_32)width;
    work.height = (png_uint_32)height;
    BASE_TRY(tot_file_create(&work.file, path));
    return file_end(work.file, write_all(&work));
}

// --- reading -----------------------------------------------------------------------------------

// Converts any format to 8-bit RGB.
static void set_transformations(png_work *work) {
    png_set_expand(work->png);
    png_set_scale_16(work->png);
    png_set_gray_to_rgb(work->png);
    png_set_strip_alpha(work->png);
    png_set_interlace_handling(work->png);
    png_read_update_info(work->png, work->info);
}

static void read_header(png_work *work) {
    work->info = png_create_info_struct(work->png);
    work->end = png_create_info_struct(work->png);
    if (work->info == NULL || work->end == NULL) {
        png_error(work->png, "no memory");
    }
    png_set_read_fn(work->png, work, read_bytes);
    png_set_user_limits(work->png, TOT_MAX_IMAGE, TOT_MAX_IMAGE);
    // ignore texts, times and profiles, whatever size they declare
    png_set_keep_unknown_chunks(work->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_set_chunk_malloc_max(work->png, LARGEST_CHUNK);
    png_read_info(work->png, work->info);
    work->width = png_get_image_width(work->png, work->info);
    work->height = png_get_image_height(work->png, work->info);
}

static void read_pixels(png_work *work) {
    set_transformations(work);
    if (png_get_rowbytes(work->png, work->info) != (size_t)work->width * CHANNELS) {
        png_error(work->png, "a kind of colours that is not known");
    }
    png_read_image(work->png, work->rows);
    png_read_end(work->png, work->end);
}

// Memory is only allocated for what a file of this size can hold: deflate expands by a factor of at
// most 1032.
static tot_status check_size(const png_work *work) {
    const uint64_t pixels = (uint64_t)work->width * work->height;
    BASE_FAIL_IF(pixels > MOST_PIXELS, TOT_E_UNSUPPORTED, "%s: %u x %u pixels are more than %d",
                 work->name, (unsigned)work->width, (unsigned)work->height, MOST_PIXELS);
    // the minimum is one bit per pixel
    BASE_FAIL_IF(pixels / 8 / 1032 > (uint64_t)work->source->size, TOT_E_FORMAT,
                 "%s: %lld bytes cannot hold %u x %u pixels", work->name,
                 (long long)work->source->size, (unsigned)work->width, (unsigned)work->height);
    return TOT_OK;
}

static tot_status make_rows(png_work *work) {
    const size_t row = (size_t)work->width * CHANNELS;
    BASE_TRY(check_size(work));
    BASE_TRY(file_array_reserve(work->image, row * work->height));
    BASE_ALLOC(work->rows, work->height, "PNG");
    for (png_uint_32 y = 0; y < work->height; y++) {
        work->rows[y] = (png_bytep)work->image->data + y * row;
    }
    return TOT_OK;
}

static tot_status read_all(png_work *work) {
    BASE_TRY(run(work, read_header));
    BASE_TRY(make_rows(work));
    return run(work, read_pixels);
}

static tot_status read_source(tot_array *image, file_source *source) {
    png_work work = {.name = source->name, .source = source, .image = image};
    file_array_clear(image);
    work.png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &work, on_error, on_warning, &work,
                                        allocate, release);
    BASE_FAIL_IF(work.png == NULL, TOT_E_MEMORY, "%s: no memory", work.name);
    const tot_status status = read_all(&work);
    png_destroy_read_struct(&work.png, &work.info, &work.end);
    base_free(work.rows);
    if (status == TOT_OK) {
        file_array_set_image(image, work.width, work.height);
    }
    return status;
}

tot_status tot_png_read(tot_array *image, const char *path) {
    BASE_NEED(image, path);
    file_source source;
    file_array_clear(image);
    BASE_TRY(file_source_open(&source, path, NULL));
    BASE_FINALLY(read_source(image, &source), file_source_close(&source));
}

tot_status tot_png_parse(tot_array *image, const void *bytes, size_t size, const char *name) {
    BASE_NEED(image, bytes, name);
    file_source source;
    file_source_from_memory(&source, bytes, size, name);
    return read_source(image, &source);
}
