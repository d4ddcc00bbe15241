// The agent's settings as a table, for callers that list them together with other settings.
#pragma once

#include <temporalot/agent.h>

#include "base/settings.h"

// The table rows; offsets are into tot_agent_config.
const base_setting *agent_settings(size_t *count);
