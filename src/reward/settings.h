// The reward settings as a table, for callers that list them together with other settings.
#pragma once

#include <temporalot/reward.h>

#include "base/settings.h"

// The table rows; offsets are into tot_reward_config.
const base_setting *reward_settings(size_t *count);

// Like base_setting_get, but appends its width to a mask that has one.
void reward_setting_get(const base_setting *setting, const tot_reward_config *config, char *text,
                        size_t size);

// Like base_setting_takes, but lists all forms a mask may take.
const char *reward_setting_takes(const base_setting *setting);
