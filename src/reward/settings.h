// The settings of the reward as rows of a table, for those who list them beside others.
#pragma once

#include <temporalot/reward.h>

#include "base/settings.h"

// Rows whose offsets are in tot_reward_config.
const base_setting *reward_settings(size_t *count);

// base_setting_get, with its width beside a mask.
void reward_setting_get(const base_setting *setting, const tot_reward_config *config, char *text,
                        size_t size);

// base_setting_takes, with all that a mask may be.
const char *reward_setting_takes(const base_setting *setting);

// All settings but the method, at their defaults.
void reward_settings_fill(tot_reward_config *config);
