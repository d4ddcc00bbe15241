// Tables of functions taken from a loaded library.
#include <dlfcn.h>
#include <math.h>

#include "base/symbols.h"
#include "test.h"

typedef struct table {
    double (*cos)(double);
    double (*sqrt)(double);
} table;

static void *open_mathematics(void) {
    void *library = dlopen("libm.so.6", RTLD_NOW | RTLD_LOCAL);
    assert_non_null(library);
    return library;
}

TEST(test_fills_the_table) {
    static const base_symbol symbols[] = {{"cos", offsetof(table, cos)},
                                          {"sqrt", offsetof(table, sqrt)}};
    void *library = open_mathematics();
    table taken = {0};
    assert_null(base_take_symbols(library, symbols, 2, &taken));
    assert_true(taken.cos(0) == 1);
    assert_true(taken.sqrt(9) == 3);
    dlclose(library);
}

TEST(test_names_the_first_missing) {
    static const base_symbol symbols[] = {{"cos", offsetof(table, cos)},
                                          {"no_such_function", offsetof(table, sqrt)},
                                          {"nor_this", offsetof(table, sqrt)}};
    void *library = open_mathematics();
    table taken = {0};
    assert_string_equal(base_take_symbols(library, symbols, 3, &taken), "no_such_function");
    assert_null(taken.sqrt);
    dlclose(library);
}

TEST_MAIN(NULL, NULL)
