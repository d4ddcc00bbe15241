// The steadiness (robustness to noise) of a demonstration: a demonstration that ends just inside
// the success region is of little use to an agent that imitates it with an error of a centimetre.
#pragma once

#include <temporalot/demo.h>

enum { DEMO_REPLAYS = 32 };

// Replays the actions of an episode DEMO_REPLAYS times with different noise on the hand: half of
// the replays with low noise, half with three times as much. *steady: number of replays that end in
// success. The state of the world is unspecified afterwards.
tot_status demo_steady(tot_world *world, const tot_trajectory *whole, int *steady);
