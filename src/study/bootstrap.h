// Bootstrap resampling.
#pragma once

#include <temporalot/statistics.h>

// Draws one resample, or takes the scores themselves if random is NULL, and writes one number per
// measure. scratch belongs to the calling thread.
typedef void (*study_resample)(const void *context, void *scratch, tot_random *random,
                               double *measured);

// Fills estimates[measures]: the value is that of the scores themselves, low and high are
// percentiles over the resamples. settings may be NULL (the defaults). The random stream of a
// resample depends only on its index, so the result is the same for any number of threads.
tot_status study_bootstrap_run(const tot_bootstrap *settings, size_t measures, size_t scratch_bytes,
                               study_resample resample, const void *context,
                               tot_estimate *estimates);

// A uniform index in 0 .. count-1, which almost always takes a single random word: drawing is most
// of the work.
size_t study_bootstrap_draw(tot_random *random, size_t count);
