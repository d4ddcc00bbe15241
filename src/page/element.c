#include "page/element.h"

void tot_add_element(tot_text *out, const char *open, const char *words, const char *close) {
    if (tot_text_given(words)) {
        tot_text_add(out, open);
        tot_text_add_escaped(out, words);
        tot_text_add(out, close);
    }
}

int tot_label_room(const tot_axis *axis, int least) {
    int room = 14 + 8 * tot_axis_label_length(axis);
    return room > least ? room : least;
}

void tot_add_attribute(tot_text *out, const char *name, const char *words, const char *fallback) {
    tot_text_add_format(out, " %s=\"", name);
    tot_text_add_escaped(out, tot_text_given(words) ? words : fallback);
    tot_text_add(out, "\"");
}

void tot_add_number_attribute(tot_text *out, const char *name, double value) {
    tot_text_add_format(out, " %s=\"", name);
    tot_text_add_number(out, value, 17);
    tot_text_add(out, "\"");
}

bool tot_is_plain(unsigned char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') || letter == '-' || letter == '.';
}

void tot_add_address(tot_text *out, const char *path) {
    const bool rooted = path[0] == '/';
    tot_text_add(out, rooted ? "file://" : "./");
    for (const char *at = path; *at != '\0'; at++) {
        const unsigned char letter = (unsigned char)*at;
        const bool kept = tot_is_plain(letter) || letter == '/' || letter == '_' || letter == '~';
        tot_text_add_format(out, kept ? "%c" : "%%%02X", letter);
    }
}
