// A test is `TEST(name) { ... }`. Tests run in the order of the file; its last line starts them:
//     TEST_EACH(set_up, tear_down)  // around every test below this line; NULL: nothing
//     TEST(holds_three) {
//         assert_int_equal(count, 3);
//     }
//     TEST_MAIN(make_folder, remove_folder)  // around all of them; NULL: nothing
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct CMUnitTest all_tests[64] __attribute__((unused));  // cmocka ignores zeroed entries
static struct CMUnitTest next_test __attribute__((unused));      // fixtures of the next test

static inline void add_test(const char *name, CMUnitTestFunction function) {
    static size_t count;
    if (count == sizeof all_tests / sizeof *all_tests) {
        abort();
    }
    next_test.name = name;
    next_test.test_func = function;
    all_tests[count++] = next_test;
}

#define TEST(name)                                              \
    static void name(void **state);                             \
    __attribute__((constructor)) static void add_##name(void) { \
        add_test(#name, name);                                  \
    }                                                           \
    static void name(void **state __attribute__((unused)))

#define TEST_EACH(set_up, tear_down)                                             \
    __attribute__((constructor)) static void each_##set_up##_##tear_down(void) { \
        next_test.setup_func = set_up;                                           \
        next_test.teardown_func = tear_down;                                     \
    }

#define RUN_TESTS(set_up, tear_down) cmocka_run_group_tests(all_tests, set_up, tear_down)

#define TEST_MAIN(set_up, tear_down)         \
    int main(void) {                         \
        return RUN_TESTS(set_up, tear_down); \
    }
