// The agent's settings: defaults and ranges. Access by name is part of the run's settings.
#include "agent/settings.h"

#include "base/base.h"

static const base_setting settings[] = {
#define TOT_PARAMETER(type, name, initial, low, high, role, help) \
    BASE_SETTING(tot_agent_config, type, name, low, high, role, help),
#include <temporalot/agent_parameters.def>
#undef TOT_PARAMETER
};

enum { SETTING_COUNT = BASE_LENGTH(settings) };

const base_setting *agent_settings(size_t *count) {
    *count = SETTING_COUNT;
    return settings;
}

void tot_agent_defaults(tot_agent_config *config) {
    BASE_NEED_OR(, config);
#define TOT_PARAMETER(type, name, initial, low, high, role, help) config->name = initial;
#include <temporalot/agent_parameters.def>
#undef TOT_PARAMETER
}

tot_status tot_agent_config_check(const tot_agent_config *config) {
    BASE_NEED(config);
    for (size_t k = 0; k < SETTING_COUNT; k++) {
        BASE_TRY(base_setting_check(&settings[k], config));
    }
    return TOT_OK;
}
