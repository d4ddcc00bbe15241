// The settings of the agent as rows of a table, for those who list them beside others.
#pragma once

#include <temporalot/agent.h>

#include "base/settings.h"

// Rows whose offsets are in tot_agent_config.
const base_setting *agent_settings(size_t *count);
