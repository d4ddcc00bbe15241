#include "base/settings.h"

#include "base/base.h"

// --- choices -----------------------------------------------------------------------------------

int base_word_find(const char *words, const char *text) {
    for (int place = 0;; place++) {
        const size_t length = strcspn(words, "|");
        if (length == strlen(text) && strncmp(words, text, length) == 0) {
            return place;
        }
        if (words[length] == '\0') {
            return -1;
        }
        words += length + 1;
    }
}

const char *base_word_at(const char *words, int place, char *text, size_t size) {
    for (; place > 0 && *words != '\0'; place--) {
        words += strcspn(words, "|");
        words += *words == '|' ? 1 : 0;
    }
    snprintf(text, size, "%.*s", (int)strcspn(words, "|"), words);
    return text;
}

const char *base_words_list(const char *words, char *text, size_t size) {
    text[0] = '\0';
    while (*words != '\0') {
        const size_t length = strcspn(words, "|");
        const char *rest = words + length + (words[length] == '|' ? 1 : 0);
        const char *before = text[0] == '\0' ? "" : *rest == '\0' ? " or " : ", ";
        base_append(text, size, "%s%.*s", before, (int)length, words);
        words = rest;
    }
    return text;
}

static int word_count(const char *words) {
    int count = 1;
    for (; *words != '\0'; words++) {
        count += *words == '|' ? 1 : 0;
    }
    return count;
}

// --- a single setting --------------------------------------------------------------------------

static int64_t count_of(const base_setting *setting, const void *value) {
    return setting->size == sizeof(int) ? *(const int *)value : *(const int64_t *)value;
}

static int place_in(const base_setting *setting, const void *value) {
    return setting->size == sizeof(bool) ? *(const bool *)value : *(const int *)value;
}

static tot_status check_number(const base_setting *setting, double value) {
    char range[96];
    BASE_FAIL_IF(!(value >= setting->low && value <= setting->high), TOT_E_ARGUMENT,
                 setting->kind == BASE_COUNT ? "%s: %.0f is not in %s" : "%s: %g is not in %s",
                 setting->name, value, base_setting_range(setting, range, sizeof range));
    return TOT_OK;
}

static tot_status check_place(const base_setting *setting, int place) {
    return place >= 0 && place < word_count(setting->words)
               ? TOT_OK
               : base_fail(TOT_E_ARGUMENT, "%s: %d is not the place of one of %s", setting->name,
                           place, setting->words);
}

tot_status base_setting_set(const base_setting *setting, void *config, const char *text) {
    void *value = (char *)config + setting->offset;
    int64_t count = 0;
    double real = 0;
    int place = 0;
    switch (setting->kind) {
        case BASE_COUNT:
            BASE_TRY(base_parse_count(setting->name, text, &count));
            BASE_TRY(check_number(setting, (double)count));
            if (setting->size == sizeof(int)) {
                *(int *)value = (int)count;
            } else {
                *(int64_t *)value = count;
            }
            return TOT_OK;
        case BASE_REAL:
            BASE_TRY(base_parse_real(setting->name, text, &real));
            BASE_TRY(check_number(setting, real));
            *(double *)value = real;
            return TOT_OK;
        case BASE_CHOICE:
            place = base_word_find(setting->words, text);
            BASE_FAIL_IF(place < 0, TOT_E_ARGUMENT, "%s: '%s' is not one of %s", setting->name,
                         text, setting->words);
            if (setting->size == sizeof(bool)) {
                *(bool *)value = place == 1;
            } else {
                *(int *)value = place;
            }
            return TOT_OK;
        case BASE_TEXT:
        default:
            BASE_FAIL_IF(strlen(text) >= setting->size, TOT_E_ARGUMENT,
                         "%s: longer than %zu characters", setting->name, setting->size - 1);
            // the text may be the value itself
            memmove(value, text, strlen(text) + 1);
            return TOT_OK;
    }
}

tot_status base_setting_check(const base_setting *setting, const void *config) {
    const void *value = (const char *)config + setting->offset;
    switch (setting->kind) {
        case BASE_COUNT:
            return check_number(setting, (double)count_of(setting, value));
        case BASE_REAL:
            return check_number(setting, *(const double *)value);
        case BASE_CHOICE:
            return check_place(setting, place_in(setting, value));
        case BASE_TEXT:
        default:
            return TOT_OK;
    }
}

// The fewest digits that round-trip.
static void real_text(double value, char *text, size_t size) {
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, size, "%.*g", digits, value);
        if (strtod(text, NULL) == value) {
            return;
        }
    }
}

void base_setting_get(const base_setting *setting, const void *config, char *text, size_t size) {
    const void *value = (const char *)config + setting->offset;
    switch (setting->kind) {
        case BASE_COUNT:
            snprintf(text, size, "%lld", (long long)count_of(setting, value));
            break;
        case BASE_REAL:
            real_text(*(const double *)value, text, size);
            break;
        case BASE_CHOICE:
            base_word_at(setting->words, place_in(setting, value), text, size);
            break;
        case BASE_TEXT:
        default:
            snprintf(text, size, "%s", (const char *)value);
    }
}

const char *base_setting_range(const base_setting *setting, char *text, size_t size) {
    if (setting->kind == BASE_CHOICE) {
        snprintf(text, size, "%s", setting->words);
    } else if (setting->kind == BASE_TEXT) {
        snprintf(text, size, "a text");
    } else if (setting->kind == BASE_COUNT && setting->high > 9e15) {
        snprintf(text, size, "%.0f or more", setting->low);
    } else if (setting->kind == BASE_COUNT) {
        snprintf(text, size, "%.0f .. %.0f", setting->low, setting->high);
    } else {
        snprintf(text, size, "%g .. %g", setting->low, setting->high);
    }
    return text;
}

const char *base_setting_takes(const base_setting *setting) {
    static const char *const takes[] = {
        [BASE_COUNT] = "N", [BASE_REAL] = "X", [BASE_TEXT] = "TEXT"};
    return setting->kind == BASE_CHOICE ? setting->words : takes[setting->kind];
}

// --- tables of settings ------------------------------------------------------------------------

const base_setting *base_settings_find(const base_setting *table, size_t count, const char *name) {
    char key[64];
    base_setting_key(key, sizeof key, name);
    for (size_t k = 0; k < count; k++) {
        if (strcmp(table[k].name, key) == 0) {
            return &table[k];
        }
    }
    return NULL;
}

tot_status base_settings_unknown(const base_setting *table, size_t count, const char *name) {
    enum { MOST_NAMES = 256 };
    const char *names[MOST_NAMES];
    char key[64];
    base_setting_key(key, sizeof key, name);
    const size_t shown = count < MOST_NAMES ? count : MOST_NAMES;
    for (size_t k = 0; k < shown; k++) {
        names[k] = table[k].name;
    }
    return base_fail_unknown(key, names, shown, "'%s' is not a setting", name);
}
