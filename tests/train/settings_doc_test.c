// docs/settings.md is generated from the table of settings: fails if it is stale, and rewrites it
// with --write (make settings-doc).
#include "asserts.h"

#include "train/settings.h"

static const char path[] = TEST_SOURCE_DIR "/docs/settings.md";

// '|' would end a table cell.
static void print_cell(FILE *to, const char *text) {
    for (; *text != '\0'; text++) {
        fprintf(to, *text == '|' ? "\\|" : "%c", *text);
    }
    fputs(" | ", to);
}

static void print_value(FILE *to, const tot_train_config *config, const char *name) {
    char value[TOT_TRAIN_TEXT];
    assert_ok(tot_train_get(config, name, value, sizeof value));
    print_cell(to, value[0] != '\0' ? value : "none");
}

static void print_row(FILE *to, const base_setting *setting, const tot_train_config *configs) {
    char range[128];
    fprintf(to, "| `%s` | ", setting->name);
    print_cell(to, setting->help);
    print_cell(to, base_setting_range(setting, range, sizeof range));
    for (size_t k = 0; k < tot_train_preset_count(); k++) {
        print_value(to, &configs[k], setting->name);
    }
    fseek(to, -1, SEEK_CUR);
    fputc('\n', to);
}

static void print_all(FILE *to) {
    const size_t presets = tot_train_preset_count();
    tot_train_config *configs = calloc(presets, sizeof *configs);
    size_t count = 0;
    const base_setting *settings = train_settings(&count);
    assert_non_null(configs);
    fputs(
        "# Settings\n\nMade from the table of settings by `make settings-doc`; a test says when it "
        "is "
        "stale.\nA setting is given as `--set name=value` or as a line `name: value` of a YAML "
        "file.\n\n| setting | what it is | range |",
        to);
    for (size_t k = 0; k < presets; k++) {
        tot_train_defaults(&configs[k]);
        assert_ok(tot_train_preset(&configs[k], tot_train_preset_at(k)));
        fprintf(to, " %s |", tot_train_preset_at(k));
    }
    fputs("\n|---|---|---|", to);
    for (size_t k = 0; k < presets; k++) {
        fputs("---|", to);
    }
    fputc('\n', to);
    for (size_t k = 0; k < count; k++) {
        print_row(to, &settings[k], configs);
    }
    free(configs);
}

TEST(test_fresh) {
    char *made = NULL;
    char *found = NULL;
    size_t size = 0;
    size_t length = 0;
    FILE *memory = open_memstream(&made, &size);
    assert_non_null(memory);
    print_all(memory);
    fclose(memory);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_true(getdelim(&found, &length, '\0', file) > 0);
    fclose(file);
    if (strcmp(made, found) != 0) {
        fail_msg("docs/settings.md is stale: make settings-doc writes it anew");
    }
    free(made);
    free(found);
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--write") == 0) {
        FILE *file = fopen(path, "w+");
        if (file == NULL) {
            return 1;
        }
        print_all(file);
        return fclose(file);
    }
    return RUN_TESTS(NULL, NULL);
}
