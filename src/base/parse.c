#include "base/base.h"

#include <ctype.h>
#include <errno.h>

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
