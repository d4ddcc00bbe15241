// Demonstrations whose speed varies over time.
#pragma once

#include <temporalot/demo.h>

// Makes a copy as in ORCA's experiments: cut once success has held for a tenth of the steps, and
// split into five sections, one to five of which are changed: only every 2nd, 4th, .. 10th step is
// kept, or every step is repeated one to five more times. Random choices come from `random`. out is
// {0} or one used before; on failure it is empty.
tot_status study_trajectory_misalign(tot_trajectory *out, const tot_trajectory *whole,
                                     tot_random *random);
