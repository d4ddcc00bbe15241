// Internals of a player, for run diagnosis.
#pragma once

#include <temporalot/page.h>

#include "train/run.h"

// The state of the run at the loaded checkpoint.
const train_run_state *train_player_state(const tot_player *player);

// The agent's input mapping and observation shape.
const train_input *train_player_input(const tot_player *player);
const tot_replay_shape *train_player_sees(const tot_player *player);

// report.c: rewrites the report page of the run in a folder, to any path, from the folder's
// contents. state: of its newest checkpoint; add: called after the first paragraph, to add content.
tot_status train_report_again(const char *folder, const train_run_state *state, const char *path,
                              tot_status (*add)(void *context, tot_page *page), void *context);
