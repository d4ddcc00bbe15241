// temporalot probe --demo my.mp4 [--episode ...]: the probe for the user's own recordings.
#pragma once

#include "cli/cli.h"
#include "cli/encoding.h"

// Returns the exit code.
int cli_probe_own(const cli_texts *demos, const cli_texts *episodes, cli_encoding *encoding,
                  const tot_reward_config *reward, const cli_common *common);
