// Assertions shared by tests: a call that must succeed, and one that must fail.
#pragma once

#include <temporalot/base.h>

#include "test.h"

#define assert_ok(expression)                                  \
    do {                                                       \
        tot_status assert_ok_status = (expression);            \
        if (assert_ok_status != TOT_OK) {                      \
            print_error("%s: %s\n", #expression, tot_error()); \
        }                                                      \
        assert_int_equal(assert_ok_status, TOT_OK);            \
    } while (0)

// Checks the status, and that the single-line error text contains a word.
#define assert_fails(expression, expected, word)                                   \
    do {                                                                           \
        assert_int_equal((expression), (expected));                                \
        if (strstr(tot_error(), (word)) == NULL) {                                 \
            print_error("\"%s\" does not speak of \"%s\"\n", tot_error(), (word)); \
        }                                                                          \
        assert_non_null(strstr(tot_error(), (word)));                              \
        assert_null(strchr(tot_error(), '\n'));                                    \
    } while (0)
