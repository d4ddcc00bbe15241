// Settings, declared once. Each station lists its own in a .def file, one row per setting:
//
//     TOT_PARAMETER(type, name, default, low, high, role, help)
//
// type is count (int64_t or int), real (double), choice (an int or bool, the index of a word; low
// is the list of words, "off|on", high is unused) or text (char[]; low and high are unused). The
// row generates the field of the config, its default and range, the YAML key, the command-line
// option, --help and the docs.
#pragma once

#include <stddef.h>

#include <temporalot/base.h>

typedef enum base_kind { BASE_COUNT, BASE_REAL, BASE_CHOICE, BASE_TEXT } base_kind;

// The role of a setting when runs are resumed or compared.
typedef enum base_role {
    BASE_RESULT,     // changes results, and distinguishes runs
    BASE_ASIDE,      // changes results or what is written, but does not distinguish runs
    BASE_FREE,       // only affects when things are written: may change when a run is resumed
    BASE_FILE,       // a file: if another setting gives the same information, prefer that one
    BASE_SEED,       // may vary with the seed, and then does not distinguish runs
    BASE_SEED_FILE,  // a file that may vary with the seed
} base_role;

typedef struct base_setting {
    const char *name;
    base_kind kind;
    base_role role;
    size_t offset;  // of the field in the config
    size_t size;    // of the field: the capacity of a text
    const char *words;
    double low, high;
    const char *help;
} base_setting;

// A row of a table of settings, from a row of a .def file. field: its name in the config.
#define BASE_ROLE_result            BASE_RESULT
#define BASE_ROLE_aside             BASE_ASIDE
#define BASE_ROLE_free              BASE_FREE
#define BASE_ROLE_file              BASE_FILE
#define BASE_ROLE_seed              BASE_SEED
#define BASE_ROLE_seed_file         BASE_SEED_FILE
#define BASE_RANGE_count(from, to)  NULL, (double)(from), (double)(to)
#define BASE_RANGE_real(from, to)   NULL, from, to
#define BASE_RANGE_choice(from, to) from, 0, 0
#define BASE_RANGE_text(from, to)   NULL, 0, 0
#define BASE_KIND_count             BASE_COUNT
#define BASE_KIND_real              BASE_REAL
#define BASE_KIND_choice            BASE_CHOICE
#define BASE_KIND_text              BASE_TEXT
#define BASE_SIZE(config, field)    sizeof(((config *)NULL)->field)
#define BASE_SETTING(config, type, field, from, to, role, help)              \
    {                                                                        \
#field, BASE_KIND_##type, BASE_ROLE_##role, offsetof(config, field), \
            BASE_SIZE(config, field), BASE_RANGE_##type(from, to), help      \
    }

static inline bool base_setting_is_file(const base_setting *setting) {
    return setting->role == BASE_FILE || setting->role == BASE_SEED_FILE;
}

// Parses a value. TOT_E_ARGUMENT: invalid, or out of range; the config is then unchanged.
tot_status base_setting_set(const base_setting *setting, void *config, const char *text);

// Checks that the value in a config is in range.
tot_status base_setting_check(const base_setting *setting, const void *config);

// The value as accepted by base_setting_set; reals with the fewest digits that round-trip.
void base_setting_get(const base_setting *setting, const void *config, char *text, size_t size);

// The range or the words: "1 .. 1000", "off|on". Returns text.
const char *base_setting_range(const base_setting *setting, char *text, size_t size);

// Placeholder for the value in help texts: the words, or "N", "X", "TEXT".
const char *base_setting_takes(const base_setting *setting);

// The setting of this name ('-' equals '_'); NULL if there is none.
const base_setting *base_settings_find(const base_setting *table, size_t count, const char *name);

// TOT_E_ARGUMENT: "'hiden' is not a setting; did you mean 'hidden'?"
tot_status base_settings_unknown(const base_setting *table, size_t count, const char *name);

// The word at an index of "a|b|c"; "" past the end. Returns text.
const char *base_word_at(const char *words, int place, char *text, size_t size);

// The reverse; -1 if it is not one of the words.
int base_word_find(const char *words, const char *text);

// "a, b or c", for error messages. Returns text.
const char *base_words_list(const char *words, char *text, size_t size);
