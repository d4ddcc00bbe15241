#include "page/buffer.h"

#include <libavutil/base64.h>
#include <limits.h>
#include <png.h>
#include <stdarg.h>
#include <zlib.h>

#include "base/base.h"
#include "file/atomic.h"

// --- growing -----------------------------------------------------------------------------------

void page_buffer_reserve(page_buffer *text, size_t size) {
    if (text->status != TOT_OK || text->capacity - text->length >= size) {
        return;
    }
    size_t needed;
    if (__builtin_add_overflow(text->length, size, &needed)) {
        text->status = base_fail(TOT_E_MEMORY, "page: more text than memory can hold");
        return;
    }
    void *bytes = text->bytes;
    // a page starts with some ten thousand bytes of style: avoid many small steps
    size_t wanted = needed < 4096 ? 4096 : needed;
    text->status = base_grow(&bytes, &text->capacity, text->length, wanted, 1, "page");
    text->bytes = bytes;
}

void page_buffer_add_bytes(page_buffer *text, const char *bytes, size_t size) {
    page_buffer_reserve(text, size);
    if (text->status == TOT_OK && size > 0) {
        memcpy(text->bytes + text->length, bytes, size);
        text->length += size;
    }
}

void page_buffer_add(page_buffer *text, const char *words) {
    page_buffer_add_bytes(text, words, strlen(words));
}

void page_buffer_add_format(page_buffer *text, const char *format, ...) {
    // most texts are short; a longer one is written again once there is room for it
    for (size_t needed = 256;;) {
        va_list arguments;
        page_buffer_reserve(text, needed);
        if (text->status != TOT_OK) {
            return;
        }
        const size_t room = text->capacity - text->length;
        va_start(arguments, format);
        // clang-tidy loses track of va_start if it analyses other files before this one
        // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized)
        const int length = vsnprintf(text->bytes + text->length, room, format, arguments);
        va_end(arguments);
        if (length < 0) {
            text->status = base_fail(TOT_E_ARGUMENT, "page: a text that cannot be formatted");
        } else if ((size_t)length < room) {
            text->length += (size_t)length;
            return;
        }
        needed = (size_t)length + 1;
    }
}

tot_status page_buffer_finish(page_buffer *text, size_t start, size_t ending) {
    page_buffer_reserve(text, ending);
    const tot_status status = text->status;
    if (status != TOT_OK) {
        page_buffer_truncate(text, start);
    }
    return status;
}

void page_buffer_truncate(page_buffer *text, size_t length) {
    text->length = length;
    text->status = TOT_OK;
}

tot_status page_buffer_save(page_buffer *text, const char *path) {
    // terminate the text
    page_buffer_add_bytes(text, "", 1);
    tot_status status = text->status;
    BASE_THEN(status, file_save_text(path, text->bytes));
    page_buffer_free(text);
    return status;
}

void page_buffer_free(page_buffer *text) {
    base_free(text->bytes);
    *text = (page_buffer){0};
}

int page_text_length(const char *words) {
    int characters = 0;
    for (const char *at = words; *at != '\0'; at++) {
        characters += (*at & 0xc0) != 0x80;
    }
    return characters;
}

// --- escaping ----------------------------------------------------------------------------------

// Length of the UTF-8 character at `at`, 0 if invalid: truncated, overlong, a surrogate, past
// U+10FFFF, or a control character that XML does not allow.
static size_t character_length(const unsigned char *at) {
    if (at[0] < 0x80) {
        return (at[0] >= 0x20 && at[0] != 0x7f) || at[0] == '\t' || at[0] == '\n' ? 1 : 0;
    }
    size_t length = at[0] >= 0xf0 ? 4 : at[0] >= 0xe0 ? 3 : 2;
    if (at[0] < 0xc2 || at[0] > 0xf4) {
        return 0;
    }
    for (size_t k = 1; k < length; k++) {
        // the terminating NUL fails here too, so the end of the string is never passed
        if ((at[k] & 0xc0) != 0x80) {
            return 0;
        }
    }
    bool overlong = (at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xf0 && at[1] < 0x90);
    bool surrogate = at[0] == 0xed && at[1] >= 0xa0;
    bool too_large = at[0] == 0xf4 && at[1] >= 0x90;
    // U+FFFE and U+FFFF are not characters in XML; U+0080 to U+009F are controls
    bool unwanted =
        (at[0] == 0xef && at[1] == 0xbf && at[2] >= 0xbe) || (at[0] == 0xc2 && at[1] < 0xa0);
    return overlong || surrogate || too_large || unwanted ? 0 : length;
}

void page_buffer_add_escaped(page_buffer *text, const char *words) {
    static const char *const entities[UCHAR_MAX + 1] = {
        ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;", ['\''] = "&#39;"};
    const char *at = words != NULL ? words : "";
    while (*at != '\0') {
        const size_t length = character_length((const unsigned char *)at);
        const char *entity = entities[(unsigned char)*at];
        if (length == 0) {
            page_buffer_add(text, "\xef\xbf\xbd");
            at++;
        } else if (entity != NULL) {
            page_buffer_add(text, entity);
            at++;
        } else {
            page_buffer_add_bytes(text, at, length);
            at += length;
        }
    }
}

// --- numbers -----------------------------------------------------------------------------------

// A number as printf wrote it, up to the exponent. printf rounds correctly, but its decimal
// separator depends on the locale, and may have several bytes. Zero has no sign.
static page_number copy_number(const char *printed) {
    page_number number;
    size_t length = 0;
    const size_t end = strcspn(printed, "e");
    const bool zero = strcspn(printed, "123456789") >= end;
    for (size_t k = 0; k < end; k++) {
        const bool digit = printed[k] >= '0' && printed[k] <= '9';
        if (digit || (printed[k] == '-' && !zero)) {
            number.text[length++] = printed[k];
        } else if (length > 0 && number.text[length - 1] != '.') {
            number.text[length++] = '.';
        }
    }
    number.text[length] = '\0';
    return number;
}

static page_number trim_number(page_number number) {
    size_t length = strlen(number.text);
    if (strchr(number.text, '.') != NULL) {
        while (number.text[length - 1] == '0') {
            length--;
        }
        length -= number.text[length - 1] == '.';
    }
    number.text[length] = '\0';
    return number;
}

page_number page_digits(double value, int digits) {
    char printed[PAGE_NUMBER_SIZE];
    if (!isfinite(value)) {
        return (page_number){""};
    }
    snprintf(printed, sizeof printed, "%.*e", digits - 1, value);
    const int exponent = (int)strtol(strchr(printed, 'e') + 1, NULL, 10);
    const int decimals = digits - 1 - exponent;
    const bool scientific = exponent < -5 || exponent >= (digits > 9 ? digits : 9);
    if (!scientific) {
        // a whole number with more digits than wanted ends in zeros
        snprintf(printed, sizeof printed, "%.*f", decimals > 0 ? decimals : 0,
                 decimals < 0 ? strtod(printed, NULL) : value);
    }
    page_number number = trim_number(copy_number(printed));
    if (scientific) {
        const size_t length = strlen(number.text);
        snprintf(number.text + length, sizeof number.text - length, "e%d", exponent);
    }
    return number;
}

page_number page_fixed(double value, int decimals) {
    char printed[PAGE_NUMBER_SIZE];
    snprintf(printed, sizeof printed, "%.*f", decimals, value);
    return copy_number(printed);
}

page_number page_trimmed(double value, int decimals) {
    return trim_number(page_fixed(value, decimals));
}

// --- binary data -------------------------------------------------------------------------------

void page_buffer_add_base64(page_buffer *text, const void *bytes, size_t size) {
    if (size >= INT32_MAX / 2) {
        text->status = base_fail(TOT_E_MEMORY, "page: more data than memory can hold");
        return;
    }
    const int length = AV_BASE64_SIZE((int)size);  // with the terminating NUL
    page_buffer_reserve(text, (size_t)length);
    if (text->status == TOT_OK) {
        av_base64_encode(text->bytes + text->length, length, bytes, (int)size);
        text->length += (size_t)length - 1;
    }
}

tot_status page_buffer_add_deflated(page_buffer *text, const unsigned char *bytes, size_t size) {
    uLongf length = compressBound(size);
    unsigned char *packed = base_alloc(length, 1, "compressed data");
    BASE_HAVE(packed);
    const int result = compress2(packed, &length, bytes, size, Z_BEST_COMPRESSION);
    if (result == Z_OK) {
        page_buffer_add_base64(text, packed, length);
    }
    base_free(packed);
    BASE_FAIL_IF(result != Z_OK, result == Z_MEM_ERROR ? TOT_E_MEMORY : TOT_E_VALUE,
                 "page: zlib stopped with %d", result);
    return text->status;
}

tot_status page_buffer_add_png(page_buffer *text, const unsigned char *pixels, size_t width,
                               size_t height, const unsigned char colours[256][3],
                               bool clear_first) {
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
    size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    unsigned char *png = base_alloc(size, 1, "picture");
    BASE_HAVE(png);
    const int written =
        png_image_write_to_memory(&image, png, &size, 0, pixels, (png_int_32)width, map);
    if (written != 0) {
        page_buffer_add_base64(text, png, size);
    }
    base_free(png);
    png_image_free(&image);
    BASE_FAIL_IF(written == 0, TOT_E_MEMORY, "page: no PNG of %zu x %zu: %s", width, height,
                 image.message);
    return text->status;
}

// --- elements ----------------------------------------------------------------------------------

void page_add_words(page_buffer *out, const char *open, const char *words, const char *close) {
    page_buffer_add(out, open);
    page_buffer_add_escaped(out, words);
    page_buffer_add(out, close);
}

void page_add_element(page_buffer *out, const char *open, const char *words, const char *close) {
    if (page_text_given(words)) {
        page_add_words(out, open, words, close);
    }
}

void page_add_attribute(page_buffer *out, const char *name, const char *words,
                        const char *fallback) {
    page_buffer_add_format(out, " %s=\"", name);
    page_add_words(out, "", page_text_given(words) ? words : fallback, "\"");
}

void page_add_number_attribute(page_buffer *out, const char *name, double value) {
    page_buffer_add_format(out, " %s=\"%s\"", name, page_digits(value, 17).text);
}

bool page_is_plain(unsigned char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') || letter == '-' || letter == '.';
}

void page_add_address(page_buffer *out, const char *path) {
    const bool rooted = path[0] == '/';
    page_buffer_add(out, rooted ? "file://" : "./");
    for (const char *at = path; *at != '\0'; at++) {
        const unsigned char letter = (unsigned char)*at;
        const bool kept = page_is_plain(letter) || letter == '/' || letter == '_' || letter == '~';
        page_buffer_add_format(out, kept ? "%c" : "%%%02X", letter);
    }
}
