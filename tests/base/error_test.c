// Status texts, the per-thread error text, the log, and CPU detection.
#include <pthread.h>

#include <temporalot/base.h>
#include "base/error.h"
#include "test.h"

TEST(test_every_status_has_its_own_text) {
    for (int a = 0; a < TOT_STATUS_COUNT; a++) {
        const char *text = tot_status_text((tot_status)a);
        assert_non_null(text);
        assert_true(strlen(text) > 0);
        for (int b = 0; b < a; b++) {
            assert_string_not_equal(text, tot_status_text((tot_status)b));
        }
    }
    assert_true(strlen(tot_status_text(TOT_STATUS_COUNT)) > 0);
    assert_true(strlen(tot_status_text((tot_status)-1)) > 0);
    assert_true(strlen(tot_status_text((tot_status)1000000)) > 0);
}

TEST(test_version) {
    char expected[32];
    snprintf(expected, sizeof expected, "%d.%d.%d", TOT_VERSION_MAJOR, TOT_VERSION_MINOR,
             TOT_VERSION_PATCH);
    assert_string_equal(tot_version(), expected);
    assert_string_equal(TOT_VERSION, expected);
}

TEST(test_text_and_status) {
    assert_int_equal(base_fail(TOT_E_FORMAT, "%s: field %d", "a.npy", 7), TOT_E_FORMAT);
    assert_string_equal(tot_error(), "a.npy: field 7");
    assert_int_equal(base_fail_in(TOT_E_FILE, "episode %d", 3), TOT_E_FILE);
    assert_string_equal(tot_error(), "episode 3: a.npy: field 7");
    // an error text that contains the current one
    base_fail(TOT_E_FILE, "again: %s", tot_error());
    assert_string_equal(tot_error(), "again: episode 3: a.npy: field 7");
}

TEST(test_always_one_line) {
    base_fail(TOT_E_FORMAT, "%s", "two\nlines\r\twith \x1b[31mcolour\x7f");
    for (const char *at = tot_error(); *at != '\0'; at++) {
        assert_true((unsigned char)*at >= ' ' && *at != 0x7f);
    }
    // non-ASCII characters are kept
    base_fail(TOT_E_FORMAT, "d\xc3\xa9mo.npy");
    assert_string_equal(tot_error(), "d\xc3\xa9mo.npy");
}

TEST(test_long_texts_are_cut) {
    char name[3000];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    base_fail(TOT_E_FORMAT, "%s", name);
    assert_int_equal(strlen(tot_error()), 1023);
    base_fail_in(TOT_E_FORMAT, "outer");
    assert_int_equal(strlen(tot_error()), 1023);
    assert_int_equal(strncmp(tot_error(), "outer: xxx", 10), 0);
    base_fail_in(TOT_E_FORMAT, "%s", name);
    assert_int_equal(strlen(tot_error()), 1023);
}

typedef struct spoken {
    char first[64];
    char after[64];
} spoken;

static void *fail_in_thread(void *argument) {
    spoken *told = argument;
    snprintf(told->first, sizeof told->first, "%s", tot_error());
    base_fail(TOT_E_VALUE, "of the thread");
    snprintf(told->after, sizeof told->after, "%s", tot_error());
    return NULL;
}

TEST(test_every_thread_has_its_own_text) {
    base_fail(TOT_E_VALUE, "of the caller");
    pthread_t thread;
    spoken told = {"x", "x"};
    assert_int_equal(pthread_create(&thread, NULL, fail_in_thread, &told), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_string_equal(told.first, "");
    assert_string_equal(told.after, "of the thread");
    assert_string_equal(tot_error(), "of the caller");
}

typedef struct heard {
    int times;
    tot_log_level level;
    char text[64];
} heard;

static void listen(void *context, tot_log_level level, const char *text) {
    heard *h = context;
    h->times++;
    h->level = level;
    snprintf(h->text, sizeof h->text, "%s", text);
}

TEST(test_log) {
    heard h = {0};
    base_log(TOT_LOG_WARNING, "nobody listens");
    tot_log_set(listen, &h);
    base_log(TOT_LOG_WARNING, "%d\nframes", 3);
    assert_int_equal(h.times, 1);
    assert_int_equal(h.level, TOT_LOG_WARNING);
    assert_string_equal(h.text, "3?frames");
    tot_log_set(NULL, NULL);
    base_log(TOT_LOG_INFO, "nobody listens");
    assert_int_equal(h.times, 1);
}

TEST(test_cpu) {
    unsetenv("TEMPORALOT_CPU");
    tot_cpu_level best = tot_cpu();
    assert_string_equal(tot_cpu_text(TOT_CPU_PORTABLE), "portable");
    assert_string_equal(tot_cpu_text(TOT_CPU_AVX2), "avx2");
    assert_string_equal(tot_cpu_text(TOT_CPU_AVX512), "avx512");
    for (int level = TOT_CPU_PORTABLE; level <= TOT_CPU_AVX512; level++) {
        setenv("TEMPORALOT_CPU", tot_cpu_text((tot_cpu_level)level), 1);
        assert_int_equal(tot_cpu(), level < (int)best ? level : (int)best);
    }
    setenv("TEMPORALOT_CPU", "of tomorrow", 1);
    assert_int_equal(tot_cpu(), best);
    unsetenv("TEMPORALOT_CPU");
}

TEST_MAIN(NULL, NULL)
