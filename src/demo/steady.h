// How steady a demonstration is: one that ends just inside of what counts as success shows little
// of it to whoever imitates it to a centimetre.
#pragma once

#include <temporalot/demo.h>

enum { DEMO_REPLAYS = 32 };

// Plays the actions of an episode of the world DEMO_REPLAYS times, each with other noise on the
// hand: half of them with a little, half with three times as much. *steady: how often that ends in
// success. The world is then anywhere.
tot_status demo_steady(tot_world *world, const tot_trajectory *whole, int *steady);
