// Escaping, numbers and base64: the building blocks of pages.
#include <locale.h>
#include <unistd.h>

#include "page/buffer.h"
#include "page_help.h"

static void expect_text(page_buffer *text, const char *wanted) {
    assert_int_equal(text->status, TOT_OK);
    assert_int_equal(text->length, strlen(wanted));
    assert_memory_equal(text->bytes, wanted, text->length);
    page_buffer_free(text);
}

TEST(escapes_what_html_would_obey) {
    static const char *const cases[][2] = {
        {"plain", "plain"},
        {"<b>&\"'</b>", "&lt;b&gt;&amp;&quot;&#39;&lt;/b&gt;"},
        {"a\tb\nc", "a\tb\nc"},
        {"caf\xc3\xa9 \xe2\x88\x92 \xf0\x9f\xa4\x96", "caf\xc3\xa9 \xe2\x88\x92 \xf0\x9f\xa4\x96"},
        {"\x01\x1b\x7f", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xc3", "\xef\xbf\xbd"},                  // truncated
        {"\xe2\x88", "\xef\xbf\xbd\xef\xbf\xbd"},  // truncated
        {"\xc0\xbc", "\xef\xbf\xbd\xef\xbf\xbd"},  // an overlong <
        {"\xe0\x80\xbc", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},  // a surrogate
        {"\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xc2\x85x", "\xef\xbf\xbd\xef\xbf\xbdx"},  // a control character
        {"\xef\xbf\xbf", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
        {"", ""},
        {NULL, ""},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        page_buffer text = {0};
        page_buffer_add(&text, "[");
        page_buffer_add_escaped(&text, cases[k][0]);
        char wanted[64];
        snprintf(wanted, sizeof wanted, "[%s", cases[k][1]);
        expect_text(&text, wanted);
    }
}

static void check_numbers(void) {
    static const struct {
        double value;
        int digits;
        const char *wanted;
    } cases[] = {
        {0, 6, "0"},
        {-0.0, 6, "0"},
        {1, 6, "1"},
        {-3, 6, "-3"},
        {0.125, 6, "0.125"},
        {1.0 / 3, 4, "0.3333"},
        {2.0 / 3, 4, "0.6667"},
        {-1234.5678, 6, "-1234.57"},
        {500000, 6, "500000"},
        {123456789, 9, "123456789"},
        {1.5e-7, 6, "1.5e-7"},
        {1e-5, 6, "0.00001"},
        {9.9999e-6, 3, "0.00001"},
        {2e9, 6, "2e9"},
        {123456, 3, "123000"},
        {999999, 3, "1000000"},
        {-1.25e300, 6, "-1.25e300"},
        {0.1, 17, "0.10000000000000001"},
        {(double)NAN, 6, ""},
        {(double)INFINITY, 6, ""},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        assert_string_equal(page_digits(cases[k].value, cases[k].digits).text, cases[k].wanted);
    }
    static const struct {
        double value;
        int decimals;
        const char *wanted, *trimmed;
    } fixed[] = {
        {0, 2, "0.00", "0"},
        {-0.001, 2, "0.00", "0"},
        {1.5, 0, "2", "2"},
        {-1.25, 1, "-1.2", "-1.2"},
        {100, 0, "100", "100"},
        {100, 3, "100.000", "100"},
        {12.34567, 3, "12.346", "12.346"},
        {-0.5, 3, "-0.500", "-0.5"},
    };
    for (size_t k = 0; k < sizeof fixed / sizeof fixed[0]; k++) {
        assert_string_equal(page_fixed(fixed[k].value, fixed[k].decimals).text, fixed[k].wanted);
        assert_string_equal(page_trimmed(fixed[k].value, fixed[k].decimals).text, fixed[k].trimmed);
    }
}

TEST(writes_numbers) {
    check_numbers();
}

// With 17 digits a number survives a round trip.
TEST(numbers_survive) {
    tot_random random;
    tot_random_init(&random, 1, "page numbers");
    for (int k = 0; k < 20000; k++) {
        uint64_t bits = (uint64_t)tot_random_word(&random) << 32 | tot_random_word(&random);
        double value;
        memcpy(&value, &bits, sizeof value);
        const page_number number = page_digits(value, 17);
        if (isfinite(value) && strtod(number.text, NULL) != value) {
            fail_msg("draw %d: %a became %s", k, value, number.text);
        }
    }
}

// Finds a locale that writes 0,5, or creates one for this test.
static bool set_comma_locale(char *folder) {
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "nl_NL.UTF-8"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        if (setlocale(LC_ALL, names[k]) != NULL) {
            return true;
        }
    }
    char command[256];
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >/dev/null 2>&1",
             folder);
    if (system(command) == -1) {
        return false;
    }
    setenv("LOCPATH", folder, 1);
    return setlocale(LC_ALL, "de_DE.UTF-8") != NULL;
}

TEST(knows_no_locale) {
    char folder[] = "/tmp/temporalot-locale-XXXXXX";
    assert_non_null(mkdtemp(folder));
    bool found = set_comma_locale(folder);
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", folder);
    if (found) {
        char sign[8];
        snprintf(sign, sizeof sign, "%.1f", 0.5);
        assert_string_equal(sign, "0,5");
        check_numbers();
    }
    setlocale(LC_ALL, "C");
    unsetenv("LOCPATH");
    assert_int_equal(system(command), 0);
    if (!found) {
        print_message("no locale with a decimal comma here\n");
        skip();
    }
}

TEST(writes_base64) {
    static const char *const cases[][2] = {
        {"", ""},        {"f", "Zg=="},        {"fo", "Zm8="},
        {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}, {"\xff\xfe\xfd", "//79"}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        page_buffer text = {0};
        page_buffer_add_base64(&text, cases[k][0], strlen(cases[k][0]));
        expect_text(&text, cases[k][1]);
    }
    // long data survives a round trip
    uint8_t bytes[5000];
    for (size_t k = 0; k < sizeof bytes; k++) {
        bytes[k] = (uint8_t)(k * k >> 3);
    }
    page_buffer text = {0};
    page_buffer_add_base64(&text, bytes, sizeof bytes);
    page_buffer_add_bytes(&text, "", 1);
    size_t size;
    uint8_t *back = base64_bytes(text.bytes, &size);
    assert_int_equal(size, sizeof bytes);
    assert_memory_equal(back, bytes, size);
    free(back);
    page_buffer_free(&text);
}

TEST(formats_long_texts) {
    char long_word[2000];
    memset(long_word, 'x', sizeof long_word - 1);
    long_word[sizeof long_word - 1] = '\0';
    page_buffer text = {0};
    page_buffer_add_format(&text, "%s|%d", long_word, 7);
    assert_int_equal(text.length, sizeof long_word - 1 + 2);
    assert_memory_equal(text.bytes + sizeof long_word - 1, "|7", 2);
    page_buffer_free(&text);
}

// After a failure nothing more is added, and going back clears the failure.
TEST(stays_failed) {
    failing_memory memory;
    failing_memory_start(&memory, 2);
    page_buffer text = {0};
    page_buffer_add(&text, "kept");
    char many[8192] = {0};
    page_buffer_add_bytes(&text, many, sizeof many);
    assert_int_equal(text.status, TOT_E_MEMORY);
    page_buffer_add(&text, "dropped");
    assert_int_equal(text.length, 4);
    page_buffer_truncate(&text, 4);
    page_buffer_add(&text, "!");
    expect_text(&text, "kept!");
    assert_int_equal(failing_memory_stop(&memory), 0);
}

TEST_MAIN(NULL, NULL)
