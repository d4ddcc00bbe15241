#include "page/element.h"

void page_add_element(page_buffer *out, const char *open, const char *words, const char *close) {
    if (page_text_given(words)) {
        page_buffer_add(out, open);
        page_buffer_add_escaped(out, words);
        page_buffer_add(out, close);
    }
}

int page_label_space(const page_axis *axis, int least) {
    int space = 14 + 8 * page_axis_label_length(axis);
    return space > least ? space : least;
}

void page_add_attribute(page_buffer *out, const char *name, const char *words,
                        const char *fallback) {
    page_buffer_add_format(out, " %s=\"", name);
    page_buffer_add_escaped(out, page_text_given(words) ? words : fallback);
    page_buffer_add(out, "\"");
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
