// The settings by name and text.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/name.h"
#include "base/parse.h"
#include "reward/methods.h"

static const tot_parameter parameters[] = {
#define TOT_PARAMETER(type, name, initial, low, high, help) {#name, #initial, help},
#include <temporalot/reward_parameters.def>
#undef TOT_PARAMETER
};

enum { PARAMETER_COUNT = sizeof parameters / sizeof *parameters };

static const char *const mask_names[] = {"none", "band", "causal", "dynamic"};
static const char *const cost_names[] = {"cosine", "euclidean"};
static const char *const center_names[] = {"off", "demos"};
static const char *const zero_names[] = {"refuse", "treat-as-far"};

// the defaults that #initial cannot spell
static const char *plain_initial(const tot_parameter *parameter) {
    if (strcmp(parameter->name, "mask") == 0) {
        return "10";
    }
    if (strcmp(parameter->name, "cost") == 0) {
        return cost_names[0];
    }
    if (strcmp(parameter->name, "center") == 0) {
        return center_names[0];
    }
    return strcmp(parameter->name, "zero_frame") == 0 ? zero_names[0] : parameter->initial;
}

size_t tot_reward_parameter_count(void) {
    return PARAMETER_COUNT;
}

const tot_parameter *tot_reward_parameter_at(size_t index) {
    static _Thread_local tot_parameter shown;
    if (index >= PARAMETER_COUNT) {
        return NULL;
    }
    shown = parameters[index];
    shown.initial = plain_initial(&parameters[index]);
    return &shown;
}

static int name_index(const char *const *names, size_t count, const char *text) {
    for (size_t k = 0; k < count; k++) {
        if (strcmp(names[k], text) == 0) {
            return (int)k;
        }
    }
    return -1;
}

// "none", "band", "causal", "dynamic", with ":WIDTH" behind those that have one, or a bare width.
static tot_status set_mask(tot_reward_config *config, const char *text) {
    char kind[16];
    size_t length = strcspn(text, ":");
    snprintf(kind, sizeof kind, "%.*s", (int)(length < 15 ? length : 15), text);
    int mask = name_index(mask_names, sizeof mask_names / sizeof *mask_names, kind);
    const char *width = NULL;
    if (mask < 0 && text[length] == '\0') {
        mask = TOT_MASK_BAND;
        width = text;
    } else if (text[length] == ':') {
        width = text + length + 1;
    }
    bool has_width = mask == TOT_MASK_BAND || mask == TOT_MASK_DYNAMIC;
    int64_t value = config->mask_width;
    if (mask < 0 || (width != NULL && !has_width) ||
        (width != NULL && tot_parse_count("mask", width, &value) != TOT_OK)) {
        return tot_fail(TOT_E_ARGUMENT,
                        "mask: '%s' is not a width, none, causal, band:WIDTH or dynamic:WIDTH",
                        text);
    }
    if (value < 0) {
        return tot_fail(TOT_E_ARGUMENT, "mask: %lld is below 0", (long long)value);
    }
    config->mask = mask;
    config->mask_width = value;
    return TOT_OK;
}

static tot_status set_choice(tot_reward_config *config, const char *name, int *value,
                             const char *text) {
    if (value == &config->mask) {
        return set_mask(config, text);
    }
    const char *const *names = value == &config->cost     ? cost_names
                               : value == &config->center ? center_names
                                                          : zero_names;
    int index = name_index(names, 2, text);
    if (index < 0) {
        return tot_fail(TOT_E_ARGUMENT, "%s: '%s' is neither %s nor %s", name, text, names[0],
                        names[1]);
    }
    *value = index;
    return TOT_OK;
}

static tot_status set_count(tot_reward_config *config, const char *name, int64_t *value,
                            const char *text) {
    (void)config;
    return tot_parse_count(name, text, value);
}

static tot_status set_real(tot_reward_config *config, const char *name, double *value,
                           const char *text) {
    (void)config;
    return tot_parse_real(name, text, value);
}

tot_status tot_reward_set(tot_reward_config *config, const char *name, const char *text) {
    char key[64];
    tot_setting_key(key, sizeof key, name);
    if (strcmp(key, "method") == 0) {
        return tot_reward_config_for(config, text);
    }
#define TOT_PARAMETER(type, field, initial, low, high, help)       \
    if (strcmp(key, #field) == 0) {                                \
        TOT_TRY(set_##type(config, #field, &config->field, text)); \
        return tot_reward_config_check(config);                    \
    }
#include <temporalot/reward_parameters.def>
#undef TOT_PARAMETER
    const char *names[PARAMETER_COUNT];
    for (size_t k = 0; k < PARAMETER_COUNT; k++) {
        names[k] = parameters[k].name;
    }
    return tot_fail_unknown(key, names, PARAMETER_COUNT, "'%s' is not a setting of the reward",
                            name);
}
