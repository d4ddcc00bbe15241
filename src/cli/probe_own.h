// temporalot probe --demo my.mp4 [--episode ...]: the probe for the user's own recordings.
#pragma once

#include "cli/cli.h"
#include "cli/encoding.h"

typedef struct cli_own_wish {
    const cli_texts *demos;
    const cli_texts *episodes;
    const tot_excerpt *excerpt;
    const tot_embedder_settings *embedder;
    const tot_reward_config *reward;
    const cli_common *common;
} cli_own_wish;

tot_status cli_probe_own(const cli_own_wish *args);
