// What a player knows beside its policy, for the station that diagnoses runs.
#pragma once

#include <temporalot/page.h>

#include "train/run.h"

// The state of the run at the checkpoint that the player was loaded from.
const train_run_state *train_player_state(const tot_player *player);

// The agent's input and what it sees.
const train_input *train_player_input(const tot_player *player);
const tot_replay_shape *train_player_sees(const tot_player *player);

// report.c: writes the page of the run in a folder anew, to any path, from what the folder holds.
// state: of its newest checkpoint; add: called after the first paragraph, to add to the page.
tot_status train_report_again(const char *folder, const train_run_state *state, const char *path,
                              tot_status (*add)(void *context, tot_page *page), void *context);
