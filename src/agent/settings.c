// The settings of the agent: defaults, ranges, and by name.
#include <stdio.h>
#include <string.h>

#include <temporalot/agent.h>

#include "base/error.h"
#include "base/name.h"
#include "base/parse.h"

static const tot_parameter parameters[] = {
#define TOT_PARAMETER(type, name, initial, low, high, help) {#name, #initial, help},
#include <temporalot/agent_parameters.def>
#undef TOT_PARAMETER
};

enum { PARAMETER_COUNT = sizeof parameters / sizeof *parameters };

void tot_agent_defaults(tot_agent_config *config) {
#define TOT_PARAMETER(type, name, initial, low, high, help) config->name = initial;
#include <temporalot/agent_parameters.def>
#undef TOT_PARAMETER
}

static tot_status check_count(const char *name, int64_t value, double low, double high) {
    if (!((double)value >= low && (double)value <= high)) {
        return tot_fail(TOT_E_ARGUMENT, "%s: %lld is not in %.0f .. %.0f", name, (long long)value,
                        low, high);
    }
    return TOT_OK;
}

static tot_status check_real(const char *name, double value, double low, double high) {
    if (!(value >= low && value <= high)) {
        return tot_fail(TOT_E_ARGUMENT, "%s: %g is not in %g .. %g", name, value, low, high);
    }
    return TOT_OK;
}

tot_status tot_agent_config_check(const tot_agent_config *config) {
#define TOT_PARAMETER(type, name, initial, low, high, help) \
    TOT_TRY(check_##type(#name, config->name, low, high));
#include <temporalot/agent_parameters.def>
#undef TOT_PARAMETER
    return TOT_OK;
}

size_t tot_agent_parameter_count(void) {
    return PARAMETER_COUNT;
}

const tot_parameter *tot_agent_parameter_at(size_t index) {
    return index < PARAMETER_COUNT ? &parameters[index] : NULL;
}

static tot_status set_count(const char *name, int64_t *value, const char *text) {
    return tot_parse_count(name, text, value);
}

static tot_status set_real(const char *name, double *value, const char *text) {
    return tot_parse_real(name, text, value);
}

tot_status tot_agent_set(tot_agent_config *config, const char *name, const char *text) {
    char key[64];
    tot_setting_key(key, sizeof key, name);
    // a value out of its range leaves the setting as it was
#define TOT_PARAMETER(type, field, initial, low, high, help) \
    if (strcmp(key, #field) == 0) {                          \
        TOT_FIELD_##type value = config->field;              \
        TOT_TRY(set_##type(#field, &value, text));           \
        TOT_TRY(check_##type(#field, value, low, high));     \
        config->field = value;                               \
        return TOT_OK;                                       \
    }
#include <temporalot/agent_parameters.def>
#undef TOT_PARAMETER
    const char *names[PARAMETER_COUNT];
    for (size_t k = 0; k < PARAMETER_COUNT; k++) {
        names[k] = parameters[k].name;
    }
    return tot_fail_unknown(key, names, PARAMETER_COUNT, "'%s' is not a setting of the agent",
                            name);
}
