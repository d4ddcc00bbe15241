#include "page/buffer.h"

#include <libavutil/base64.h>
#include <stdarg.h>
#include <temporalot/file.h>

#include "base/base.h"

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
    char small[256];
    va_list arguments;
    va_start(arguments, format);
    // clang-tidy loses track of va_start if it analyses other files before this one
    // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized)
    int length = vsnprintf(small, sizeof small, format, arguments);
    va_end(arguments);
    if (length < 0) {
        text->status = base_fail(TOT_E_ARGUMENT, "page: a text that cannot be formatted");
    } else if ((size_t)length < sizeof small) {
        page_buffer_add_bytes(text, small, (size_t)length);
    } else {
        // plus the terminating NUL
        page_buffer_reserve(text, (size_t)length + 1);
        if (text->status == TOT_OK) {
            va_start(arguments, format);
            vsnprintf(text->bytes + text->length, (size_t)length + 1, format, arguments);
            va_end(arguments);
            text->length += (size_t)length;
        }
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

void page_buffer_free(page_buffer *text) {
    base_free(text->bytes);
    *text = (page_buffer){0};
}

bool page_text_given(const char *words) {
    return words != NULL && words[0] != '\0';
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

static const char *entity(char character) {
    switch (character) {
        case '&':
            return "&amp;";
        case '<':
            return "&lt;";
        case '>':
            return "&gt;";
        case '"':
            return "&quot;";
        case '\'':
            return "&#39;";
        default:
            return NULL;
    }
}

void page_buffer_add_escaped(page_buffer *text, const char *words) {
    const char *at = words != NULL ? words : "";
    while (*at != '\0') {
        size_t length = character_length((const unsigned char *)at);
        if (length == 0) {
            page_buffer_add(text, "\xef\xbf\xbd");
            at++;
        } else if (entity(*at) != NULL) {
            page_buffer_add(text, entity(*at));
            at++;
        } else {
            page_buffer_add_bytes(text, at, length);
            at += length;
        }
    }
}

// --- numbers -----------------------------------------------------------------------------------

static bool is_digit(char character) {
    return character >= '0' && character <= '9';
}

// Appends `count` of the `have` digits from `start`, padded with zeros.
static size_t put_digits(char *to, const char *digits, int have, int start, int count) {
    for (int k = 0; k < count; k++) {
        to[k] = start + k < have ? digits[start + k] : '0';
    }
    return (size_t)count;
}

size_t page_number_write(char buffer[PAGE_NUMBER_SIZE], double value, int digits) {
    size_t length = 0;
    buffer[0] = '\0';
    if (!__builtin_isfinite(value)) {
        return 0;
    }
    // printf rounds correctly, but its decimal separator depends on the locale: only use its digits
    char rounded[PAGE_NUMBER_SIZE];
    char figures[PAGE_NUMBER_SIZE] = "0";
    int count = 0;
    int exponent = 0;
    snprintf(rounded, sizeof rounded, "%.*e", digits - 1, value);
    for (const char *at = rounded; *at != '\0'; at++) {
        if (*at == 'e') {
            exponent = (int)strtol(at + 1, NULL, 10);
            break;
        }
        if (is_digit(*at)) {
            figures[count++] = *at;
        }
    }
    while (count > 1 && figures[count - 1] == '0') {
        count--;
    }
    if (rounded[0] == '-' && figures[0] != '0') {
        buffer[length++] = '-';
    }
    if (exponent < -5 || exponent >= (digits > 9 ? digits : 9)) {
        buffer[length++] = figures[0];
        if (count > 1) {
            buffer[length++] = '.';
            length += put_digits(buffer + length, figures, count, 1, count - 1);
        }
        length += (size_t)snprintf(buffer + length, PAGE_NUMBER_SIZE - length, "e%d", exponent);
        return length;
    }
    if (exponent < 0) {
        memcpy(buffer + length, "0.00000", 7);
        length += (size_t)(1 - exponent);
        length += put_digits(buffer + length, figures, count, 0, count);
    } else {
        length += put_digits(buffer + length, figures, count, 0, exponent + 1);
        if (count > exponent + 1) {
            buffer[length++] = '.';
            length +=
                put_digits(buffer + length, figures, count, exponent + 1, count - exponent - 1);
        }
    }
    buffer[length] = '\0';
    return length;
}

size_t page_number_write_fixed(char buffer[PAGE_NUMBER_SIZE], double value, int decimals) {
    char rounded[PAGE_NUMBER_SIZE];
    snprintf(rounded, sizeof rounded, "%.*f", decimals, value);
    bool zero = true;
    for (const char *at = rounded; *at != '\0'; at++) {
        zero = zero && (!is_digit(*at) || *at == '0');
    }
    size_t length = 0;
    bool between = false;
    for (const char *at = rounded; *at != '\0'; at++) {
        if (is_digit(*at)) {
            // anything between the digits was the locale's decimal separator
            if (between) {
                buffer[length++] = '.';
                between = false;
            }
            buffer[length++] = *at;
        } else if (*at == '-' && length == 0) {
            if (!zero) {
                buffer[length++] = '-';
            }
        } else {
            between = true;
        }
    }
    buffer[length] = '\0';
    return length;
}

void page_buffer_add_number(page_buffer *text, double value, int digits) {
    char number[PAGE_NUMBER_SIZE];
    size_t length = page_number_write(number, value, digits);
    page_buffer_add_bytes(text, number, length);
}

void page_buffer_add_fixed(page_buffer *text, double value, int decimals) {
    char number[PAGE_NUMBER_SIZE];
    size_t length = page_number_write_fixed(number, value, decimals);
    if (decimals > 0) {
        while (length > 1 && number[length - 1] == '0') {
            length--;
        }
        length -= length > 1 && number[length - 1] == '.' ? 1 : 0;
    }
    page_buffer_add_bytes(text, number, length);
}

// --- base64 ------------------------------------------------------------------------------------

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
