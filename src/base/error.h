// Setting the error text. Every station reports failures through base_fail.
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <temporalot/base.h>

// Keeps the text for tot_error() and returns status, so that a caller writes
// `return base_fail(TOT_E_FORMAT, "%s: bad magic", path);`. Cut after 1023 bytes.
tot_status base_fail(tot_status status, const char *format, ...) TOT_PRINTF(2, 3);

// The same, with the text that stands already put behind the new words: "words: old text".
tot_status base_fail_in(tot_status status, const char *format, ...) TOT_PRINTF(2, 3);

void base_log(tot_log_level level, const char *format, ...) TOT_PRINTF(2, 3);

// Passes a failure on: `BASE_TRY(read_header(&file));`
#define BASE_TRY(expression)                        \
    do {                                            \
        tot_status base_try_status_ = (expression); \
        if (base_try_status_ != TOT_OK) {           \
            return base_try_status_;                \
        }                                           \
    } while (0)

#endif
