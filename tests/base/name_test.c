// Suggestions for misspelled names.

#include "base/name.h"
#include "test.h"

static const char *const methods[] = {
    "temporalot", "temporalot-no-mask", "temporalot-no-context", "dynamic", "ot",        "orca",
    "dtw",        "soft-dtw",           "min-distance",          "segment", "threshold", NULL,
};

enum { METHODS = sizeof methods / sizeof methods[0] };

static const char *nearest(const char *typed) {
    return base_nearest_name(typed, methods, METHODS);
}

TEST(test_itself_is_nearest) {
    for (size_t k = 0; k < METHODS; k++) {
        if (methods[k] != NULL) {
            assert_string_equal(nearest(methods[k]), methods[k]);
        }
    }
}

TEST(test_slips_of_the_finger) {
    assert_string_equal(nearest("temporalto"), "temporalot");
    assert_string_equal(nearest("TemporalOT"), "temporalot");
    assert_string_equal(nearest("treshold"), "threshold");
    assert_string_equal(nearest("segmnt"), "segment");
    assert_string_equal(nearest("softdtw"), "soft-dtw");
    assert_string_equal(nearest("soft_dtw"), "soft-dtw");
    assert_string_equal(nearest("mindistance"), "min-distance");
    assert_string_equal(nearest("orcas"), "orca");
    // a prefix suggests the whole name
    assert_string_equal(nearest("thres"), "threshold");
    assert_string_equal(nearest("min"), "min-distance");
}

TEST(test_nothing_near) {
    assert_null(nearest("reinforcement"));
    assert_null(nearest("zzzzzzzz"));
    assert_null(
        nearest("xyxyxyxyxyxyxyxyxyxyxyxyxyxyxyxyxyxyxyxyxyxyxyxyxyxyxyxyxyxyxyxyxyxyxyx"
                "xyxyxyxyxyxyxyxyxyxyxyxy"));
    assert_null(base_nearest_name("ot", methods, 0));
    const char *const nobody[] = {NULL, NULL};
    assert_null(base_nearest_name("ot", nobody, 2));
}

TEST(test_empty_and_long_names) {
    // an empty word must not crash; the suggestion does not matter
    (void)nearest("");
    char long_name[65 + 1];
    memset(long_name, 'a', 65);
    long_name[65] = '\0';
    const char *const names[] = {long_name, "b"};
    (void)base_nearest_name(long_name, names, 2);
    long_name[64] = '\0';
    assert_string_equal(base_nearest_name(long_name, names, 2), long_name);
}

TEST(test_unknown_name) {
    assert_int_equal(
        base_fail_unknown("treshold", methods, METHODS, "%s: no '%s'", "m", "treshold"),
        TOT_E_ARGUMENT);
    assert_string_equal(tot_error(), "m: no 'treshold'; did you mean 'threshold'?");
    assert_int_equal(base_fail_unknown("zzzzzzzz", methods, METHODS, "no '%s'", "zzzzzzzz"),
                     TOT_E_ARGUMENT);
    assert_non_null(strstr(tot_error(), "no 'zzzzzzzz'; there are "));
    // a list that does not fit on one line is omitted
    enum { MANY = 200 };
    const char *many[MANY];
    for (size_t k = 0; k < MANY; k++) {
        many[k] = methods[k % METHODS];
    }
    base_fail_unknown("zzzzzzzz", many, MANY, "no '%s'", "zzzzzzzz");
    assert_string_equal(tot_error(), "no 'zzzzzzzz'");
}

TEST(test_rows) {
    static const struct row {
        const char *name;
        int number;
    } rows[] = {{"cosine", 1}, {"euclidean", 2}};
    const struct row *found = BASE_FIND_ROW("cost", "euclidean", rows);
    assert_int_equal(found->number, 2);
    assert_null(BASE_FIND_ROW("cost", "cosin", rows));
    assert_string_equal(tot_error(), "cost: 'cosin' is not known; did you mean 'cosine'?");
    assert_null(BASE_FIND_ROW("cost", "hellinger", rows));
    assert_string_equal(tot_error(), "cost: 'hellinger' is not known; there are cosine, euclidean");
}

TEST(test_setting_key) {
    char key[8];
    base_setting_key(key, sizeof key, "n-step");
    assert_string_equal(key, "n_step");
    base_setting_key(key, sizeof key, "-a_b-");
    assert_string_equal(key, "_a_b_");
    base_setting_key(key, sizeof key, "");
    assert_string_equal(key, "");
    base_setting_key(key, sizeof key, "learning-rate");
    assert_string_equal(key, "learnin");
}

TEST(test_names_of_before) {
    char key[16];
    assert_string_equal(base_current_name("cell"), "stride");
    assert_string_equal(base_current_name("cells"), "cells");
    base_setting_key(key, sizeof key, "cell");
    assert_string_equal(key, "stride");
    base_setting_key(key, sizeof key, "first-look");
    assert_string_equal(key, "first_view");
}

TEST_MAIN(NULL, NULL)
