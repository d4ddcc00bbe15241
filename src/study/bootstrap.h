// Drawing anew and measuring again, many times.
#pragma once

#include <temporalot/statistics.h>

// Draws once and measures: writes one number for every measure. scratch is the caller's thread's.
typedef void (*study_resample)(const void *context, void *scratch, tot_random *random,
                               double *measured);

// Fills low and high of estimates[measures] with percentiles of what `resample` measured, the
// settings' number of times. settings may be NULL (the defaults). Which stream a resample draws
// from depends on its number alone, so threads change nothing.
tot_status study_bootstrap_run(const tot_bootstrap *settings, size_t measures, size_t scratch_bytes,
                               study_resample resample, const void *context,
                               tot_estimate *estimates);

// One of 0 .. count-1, each as likely, from a single word almost always: drawing is most of the
// work.
size_t study_bootstrap_draw(tot_random *random, size_t count);
