#include "base/base.h"

#include <stdarg.h>

enum { ERROR_TEXT_SIZE = 1024 };

static _Thread_local char error_text[ERROR_TEXT_SIZE];
static tot_log_handler log_handler;
static void *log_context;

static const char *const status_texts[TOT_STATUS_COUNT] = {
    [TOT_OK] = "no error",
    [TOT_E_MEMORY] = "out of memory",
    [TOT_E_ARGUMENT] = "a parameter is out of its range or unknown",
    [TOT_E_SHAPE] = "sizes that must agree do not",
    [TOT_E_VALUE] = "a value that cannot be used",
    [TOT_E_FILE] = "a file could not be opened, read or written",
    [TOT_E_FORMAT] = "a file does not hold what its format promises",
    [TOT_E_UNSUPPORTED] = "a kind of file or value that is not supported",
    [TOT_E_INFEASIBLE] = "a band that cannot carry the marginals",
    [TOT_E_MISSING] = "something that must be installed is missing",
    [TOT_E_PHYSICS] = "the simulation diverged",
    [TOT_E_INTERRUPTED] = "stopped from outside",
    [TOT_E_ATTEMPTS] = "too few attempts succeeded",
};

const char *tot_status_text(tot_status status) {
    if ((int)status < 0 || status >= TOT_STATUS_COUNT) {
        return "unknown status";
    }
    return status_texts[status];
}

const char *tot_error(void) {
    return error_text;
}

const char *tot_version(void) {
    return TOT_VERSION;
}

// Messages quote file contents, which must not break lines or send control characters to a
// terminal.
static void make_one_line(char *text) {
    for (char *at = text; *at != '\0'; at++) {
        if ((unsigned char)*at < ' ' || *at == 0x7f) {
            *at = '?';
        }
    }
}

tot_status base_fail(tot_status status, const char *format, ...) {
    // the arguments may point into the current message
    char text[ERROR_TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    make_one_line(text);
    memcpy(error_text, text, sizeof text);
    return status;
}

tot_status base_fail_in(tot_status status, const char *format, ...) {
    char text[ERROR_TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return base_fail(status, "%s: %s", text, error_text);
}

tot_status base_fail_null(const char *function, const char *names, const void *const *pointers,
                          size_t count) {
    const char *name = names;
    for (size_t k = 0; k < count && pointers[k] != NULL; k++) {
        name += strcspn(name, ",");
        name += strspn(name, ", ");
    }
    return base_fail(TOT_E_ARGUMENT, "%s: %.*s is NULL", function, (int)strcspn(name, ","), name);
}

void tot_log_set(tot_log_handler handler, void *context) {
    log_handler = handler;
    log_context = context;
}

void base_log(tot_log_level level, const char *format, ...) {
    if (log_handler == NULL) {
        return;
    }
    char text[ERROR_TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    make_one_line(text);
    log_handler(log_context, level, text);
}
