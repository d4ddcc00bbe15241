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
