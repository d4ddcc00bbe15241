#include "base/base.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <strings.h>

enum { LONGEST_NAME = 64, MOST_LISTED = 800, MOST_ROWS = 256 };

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

// Case-insensitive Levenshtein distance; names longer than LONGEST_NAME never match.
static size_t edit_distance(const char *a, const char *b) {
    size_t length_a = strlen(a);
    size_t length_b = strlen(b);
    if (length_a > LONGEST_NAME || length_b > LONGEST_NAME) {
        return SIZE_MAX;
    }
    size_t row[LONGEST_NAME + 1];
    for (size_t j = 0; j <= length_b; j++) {
        row[j] = j;
    }
    for (size_t i = 1; i <= length_a; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= length_b; j++) {
            size_t above = row[j];
            int differ = tolower((unsigned char)a[i - 1]) != tolower((unsigned char)b[j - 1]);
            size_t changed = diagonal + (differ ? 1 : 0);
            row[j] = smaller(changed, smaller(above, row[j - 1]) + 1);
            diagonal = above;
        }
    }
    return row[length_b];
}

const char *base_nearest_name(const char *typed, const char *const *names, size_t count) {
    const char *nearest = NULL;
    size_t least = strlen(typed) / 3 + 2;
    for (size_t k = 0; k < count; k++) {
        if (names[k] == NULL) {
            continue;
        }
        size_t distance = edit_distance(typed, names[k]);
        // a prefix counts as close: "door" means "door-open"
        if (strlen(typed) >= 3 && strncmp(typed, names[k], strlen(typed)) == 0) {
            distance = 1;
        }
        if (distance < least) {
            least = distance;
            nearest = names[k];
        }
    }
    return nearest;
}

// The names separated by commas; "" if they do not fit in an error message.
static void list_names(char *list, size_t size, const char *const *names, size_t count) {
    size_t used = 0;
    list[0] = '\0';
    for (size_t k = 0; k < count && used < size; k++) {
        used += (size_t)snprintf(list + used, size - used, "%s%s", used > 0 ? ", " : "", names[k]);
    }
    if (used >= size) {
        list[0] = '\0';
    }
}

tot_status base_fail_unknown(const char *typed, const char *const *names, size_t count,
                             const char *format, ...) {
    char text[1024];
    char list[MOST_LISTED];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const char *nearest = base_nearest_name(typed, names, count);
    BASE_FAIL_IF(nearest != NULL, TOT_E_ARGUMENT, "%s; did you mean '%s'?", text, nearest);
    list_names(list, sizeof list, names, count);
    return base_fail(TOT_E_ARGUMENT, "%s%s%s", text, list[0] != '\0' ? "; there are " : "", list);
}

const void *base_find_row(const char *what, const char *name, const void *rows, size_t count,
                          size_t size) {
    const char *names[MOST_ROWS];
    for (size_t k = 0; k < count && k < MOST_ROWS; k++) {
        const char *row = (const char *)rows + k * size;
        memcpy(&names[k], row, sizeof names[k]);
        if (strcmp(names[k], name) == 0) {
            return row;
        }
    }
    base_fail_unknown(name, names, smaller(count, MOST_ROWS), "%s: '%s' is not known", what, name);
    return NULL;
}

bool base_ends_in(const char *name, const char *ending) {
    const size_t length = strlen(name);
    const size_t tail = strlen(ending);
    return length >= tail && strcasecmp(name + length - tail, ending) == 0;
}

void base_append(char *text, size_t size, const char *format, ...) {
    const size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

const char *base_current_name(const char *name) {
    static const struct {
        const char *before, *now;
    } renamed[] = {{"cell", "stride"}, {"looks", "views"}, {"first_look", "first_view"}};
    for (size_t k = 0; k < BASE_LENGTH(renamed); k++) {
        if (strcmp(name, renamed[k].before) == 0) {
            return renamed[k].now;
        }
    }
    return name;
}

void base_setting_key(char *key, size_t size, const char *typed) {
    snprintf(key, size, "%s", typed);
    for (char *letter = key; *letter != '\0'; letter++) {
        *letter = *letter == '-' ? '_' : *letter;
    }
    const char *current = base_current_name(key);
    if (current != key) {
        snprintf(key, size, "%s", current);
    }
}

const char *base_duration(double seconds, char text[16]) {
    if (!(seconds >= 0)) {
        snprintf(text, 16, "?");
    } else if (seconds < 100) {
        snprintf(text, 16, "%.0f s", seconds);
    } else if (seconds < 6000) {
        snprintf(text, 16, "%.0f min", seconds / 60);
    } else {
        snprintf(text, 16, "%.1f h", seconds / 3600);
    }
    return text;
}

// --- numbers -----------------------------------------------------------------------------------

static bool ends_there(const char *text, const char *end) {
    return end != text && *end == '\0' && !isspace((unsigned char)*text);
}

tot_status base_parse_count(const char *name, const char *text, int64_t *value) {
    char *end = NULL;
    errno = 0;
    long long parsed = strtoll(text, &end, 10);
    BASE_FAIL_IF(!ends_there(text, end), TOT_E_ARGUMENT, "%s: '%s' is not a whole number", name,
                 text);
    BASE_FAIL_IF(errno == ERANGE, TOT_E_ARGUMENT, "%s: '%s' does not fit in 64 bits", name, text);
    *value = parsed;
    return TOT_OK;
}

tot_status base_parse_real(const char *name, const char *text, double *value) {
    char *end = NULL;
    double parsed = strtod(text, &end);
    BASE_FAIL_IF(!ends_there(text, end) || !isfinite(parsed), TOT_E_ARGUMENT,
                 "%s: '%s' is not a number", name, text);
    *value = parsed;
    return TOT_OK;
}
