// Settings from YAML files, and the presets embedded in the library.
#include "base/base.h"
#include "file/yaml.h"
#include "train/settings.h"

typedef struct preset_file {
    const char *name;
    const unsigned char *bytes;
    const size_t *size;
} preset_file;

static const preset_file presets[] = {
#define ROW(name) {#name, train_preset_##name, &train_preset_##name##_size},
    TRAIN_PRESETS(ROW)
#undef ROW
};

enum { PRESET_COUNT = BASE_LENGTH(presets) };

size_t tot_train_preset_count(void) {
    return PRESET_COUNT;
}

const char *tot_train_preset_at(size_t index) {
    return index < PRESET_COUNT ? presets[index].name : NULL;
}

tot_status tot_train_preset(tot_train_config *config, const char *name) {
    BASE_NEED(config, name);
    const preset_file *preset = BASE_FIND_ROW("preset", name, presets);
    if (preset == NULL) {
        return TOT_E_ARGUMENT;
    }
    BASE_TRY(train_parse(config, preset->bytes, *preset->size, name));
    // the preset's reward settings are defaults; a method may still override them
    config->usual = config->reward;
    config->context_given = false;
    config->mask_given = false;
    config->cost_given = false;
    return tot_train_set(config, "method", config->method);
}

// Whether an entry is a setting of earlier versions that did not pay and was removed. Run folders
// of then still name it, mostly switched off; if it was on, a warning says that it is ignored.
static bool is_retired(const file_yaml_entry *entry, const char *path) {
    static const char *const retired[][2] = {
        {"baseline", "off"},        {"best_by", "return"},      {"grip_steps", "0"},
        {"saturation_from", "1.5"}, {"saturation_weight", "0"},
    };
    for (size_t k = 0; k < BASE_LENGTH(retired); k++) {
        if (strcmp(entry->key, retired[k][0]) == 0) {
            if (strcmp(entry->value, retired[k][1]) != 0) {
                base_log(TOT_LOG_WARNING, "%s: line %lld: %s is no longer a setting; it is ignored",
                         path, (long long)entry->line, entry->key);
            }
            return true;
        }
    }
    return false;
}

static tot_status apply(tot_train_config *config, const file_yaml *yaml, const char *path) {
    for (int preset = 1; preset >= 0; preset--) {
        for (size_t k = 0; k < yaml->count; k++) {
            const file_yaml_entry *entry = &yaml->entries[k];
            const bool is_preset = strcmp(entry->key, "preset") == 0;
            if (is_preset != (preset == 1) || is_retired(entry, path)) {
                continue;
            }
            const tot_status status = is_preset ? tot_train_preset(config, entry->value)
                                                : tot_train_set(config, entry->key, entry->value);
            if (status != TOT_OK) {
                return base_fail_in(status, "%s: line %lld", path, (long long)entry->line);
            }
        }
    }
    return TOT_OK;
}

tot_status train_parse(tot_train_config *config, const void *bytes, size_t size, const char *name) {
    file_yaml yaml = {0};
    BASE_TRY(file_yaml_parse(&yaml, bytes, size, name));
    BASE_FINALLY(apply(config, &yaml, name), file_yaml_free(&yaml));
}

tot_status tot_train_load(tot_train_config *config, const char *path) {
    BASE_NEED(config, path);
    file_yaml yaml = {0};
    BASE_TRY(file_yaml_load(&yaml, path));
    BASE_FINALLY(apply(config, &yaml, path), file_yaml_free(&yaml));
}
