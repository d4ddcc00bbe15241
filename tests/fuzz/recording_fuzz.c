// Any bytes as a recording of trajectories, and as its metadata: a single-line error, or a
// completely usable recording.
#include "fuzz.h"

#include <math.h>

#include <temporalot/demo.h>

#include "demo/meta.h"

static void use(const tot_trajectory *one) {
    double sum = 0;
    for (int64_t k = 0; k < (one->steps + 1) * TOT_OBSERVATION; k++) {
        sum += one->observations[k] * 1e-300;
    }
    for (int64_t k = 0; k < one->steps * TOT_ACTION; k++) {
        sum += (double)one->actions[k] * 1e-300;
    }
    if (one->steps < 1 || !isfinite(sum) || tot_trajectory_first_success(one) >= one->steps) {
        abort();
    }
    if (one->frames.data != NULL) {
        fuzz_touch(&one->frames);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    tot_recording recording = {0};
    if (tot_recording_parse(&recording, bytes, size, "fuzz") == TOT_OK) {
        for (size_t k = 0; k < recording.count; k++) {
            use(&recording.trajectories[k]);
        }
    } else {
        fuzz_check_error();
        if (recording.count != 0) {
            abort();
        }
    }
    tot_recording_free(&recording);
    // an archive has checksums, which few mutations pass
    if (demo_meta_read(&recording, (const char *)bytes, size, "fuzz") != TOT_OK) {
        fuzz_check_error();
    } else if (recording.count < 1 || recording.meta.action_repeat < 1) {
        abort();
    }
    tot_recording_free(&recording);
    return 0;
}
