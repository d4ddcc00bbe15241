// What a player knows beside its policy, for the station that diagnoses runs.
#ifndef TRAIN_PLAYER_H
#define TRAIN_PLAYER_H

#include "train/run.h"

// The state of the run at the checkpoint that the player was loaded from.
const train_run_state *train_player_state(const tot_player *player);

// The agent's input and what it sees.
const train_input *train_player_input(const tot_player *player);
const tot_replay_shape *train_player_sees(const tot_player *player);

#endif
