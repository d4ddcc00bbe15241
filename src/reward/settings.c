// The reward settings: defaults, ranges, and access by name and text.
#include "reward/settings.h"

#include "base/base.h"
#include "reward/methods.h"

static const base_setting settings[] = {
#define TOT_PARAMETER(type, name, initial, low, high, role, help) \
    BASE_SETTING(tot_reward_config, type, name, low, high, role, help),
#include <temporalot/reward_parameters.def>
#undef TOT_PARAMETER
};

enum { SETTING_COUNT = BASE_LENGTH(settings) };

const base_setting *reward_settings(size_t *count) {
    *count = SETTING_COUNT;
    return settings;
}

tot_status tot_reward_config_check(const tot_reward_config *config) {
    BASE_NEED(config);
    BASE_FAIL_IF(config->method == NULL, TOT_E_ARGUMENT, "method: none is set");
    for (size_t k = 0; k < SETTING_COUNT; k++) {
        BASE_TRY(base_setting_check(&settings[k], config));
    }
    return TOT_OK;
}

// --- the mask, which may include its width -----------------------------------------------------

static bool has_width(int mask) {
    return mask == TOT_MASK_BAND || mask == TOT_MASK_DYNAMIC;
}

// "none", "band", "causal" or "dynamic", followed by ":WIDTH" for those that have one, or a width
// alone.
static tot_status set_mask(const base_setting *setting, tot_reward_config *config,
                           const char *text) {
    char word[16];
    tot_reward_config changed = *config;
    const size_t length = strcspn(text, ":");
    snprintf(word, sizeof word, "%.*s", (int)(length < 15 ? length : 15), text);
    const char *width = text[length] == ':' ? text + length + 1 : NULL;
    bool known = base_setting_set(setting, &changed, word) == TOT_OK;
    if (!known && width == NULL) {
        changed.mask = TOT_MASK_BAND;
        width = text;
        known = true;
    }
    int64_t value = config->mask_width;
    BASE_FAIL_IF(!known || (width != NULL && !has_width(changed.mask)) ||
                     (width != NULL && base_parse_count("mask", width, &value) != TOT_OK),
                 TOT_E_ARGUMENT,
                 "mask: '%s' is not a width, none, causal, band:WIDTH or dynamic:WIDTH", text);
    BASE_FAIL_IF(value < 0, TOT_E_ARGUMENT, "mask: %lld is below 0", (long long)value);
    config->mask = changed.mask;
    config->mask_width = value;
    return TOT_OK;
}

// --- squashing: two settings in one value ------------------------------------------------------

// "none", "otr" (OTR's 5,5) or "ALPHA,BETA".
static tot_status set_squash(tot_reward_config *config, const char *text) {
    char alpha[64];
    if (strcmp(text, "none") == 0) {
        config->squash_alpha = 0;
        return TOT_OK;
    }
    text = strcmp(text, "otr") == 0 ? "5,5" : text;
    const size_t length = strcspn(text, ",");
    BASE_FAIL_IF(text[length] != ',' || length >= sizeof alpha, TOT_E_ARGUMENT,
                 "squash: '%s' is not none, otr or ALPHA,BETA", text);
    snprintf(alpha, sizeof alpha, "%.*s", (int)length, text);
    BASE_TRY(tot_reward_set(config, "squash_alpha", alpha));
    return tot_reward_set(config, "squash_beta", text + length + 1);
}

// --- access by name ----------------------------------------------------------------------------

void reward_setting_get(const base_setting *setting, const tot_reward_config *config, char *text,
                        size_t size) {
    base_setting_get(setting, config, text, size);
    if (setting->offset == offsetof(tot_reward_config, mask) && has_width(config->mask)) {
        base_append(text, size, ":%lld", (long long)config->mask_width);
    }
}

const char *reward_setting_takes(const base_setting *setting) {
    return strcmp(setting->name, "mask") == 0 ? "N|none|causal|dynamic:N"
                                              : base_setting_takes(setting);
}

tot_status tot_reward_set(tot_reward_config *config, const char *name, const char *text) {
    BASE_NEED(config, name, text);
    if (strcmp(name, "method") == 0) {
        return tot_reward_config_for(config, text);
    }
    if (strcmp(name, "squash") == 0) {
        return set_squash(config, text);
    }
    const base_setting *setting = base_settings_find(settings, SETTING_COUNT, name);
    if (setting == NULL) {
        return base_settings_unknown(settings, SETTING_COUNT, name);
    }
    return setting->offset == offsetof(tot_reward_config, mask)
               ? set_mask(setting, config, text)
               : base_setting_set(setting, config, text);
}

size_t tot_reward_parameter_count(void) {
    return SETTING_COUNT;
}

const tot_parameter *tot_reward_parameter_at(size_t index) {
    static _Thread_local tot_parameter shown;
    static _Thread_local char initial[32];
    tot_reward_config config;
    if (index >= SETTING_COUNT) {
        return NULL;
    }
    tot_reward_defaults(&config);
    reward_setting_get(&settings[index], &config, initial, sizeof initial);
    shown = (tot_parameter){settings[index].name, initial, settings[index].help,
                            reward_setting_takes(&settings[index])};
    return &shown;
}
