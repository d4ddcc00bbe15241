// Demonstrations whose pace changes on the way.
#pragma once

#include <temporalot/demo.h>

// A copy as in ORCA's experiments: cut once success has held for a tenth of the steps, split into
// five sections, of which one to five are changed: every 2nd, 4th, .. 10th step is kept, or every
// step is repeated one to five more times. What is drawn comes from random. out is {0} or one used
// before; on failure it is empty.
tot_status study_trajectory_misalign(tot_trajectory *out, const tot_trajectory *whole,
                                     tot_random *random);
