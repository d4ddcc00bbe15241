// Converts pictures to planes, the input layout of the pixel encoder.
#include "agent/replay.h"

void agent_planes_portable(const uint8_t *rgb, int64_t points, uint8_t *planes) {
    for (int64_t k = 0; k < points; k++) {
        planes[k] = rgb[3 * k];
        planes[points + k] = rgb[3 * k + 1];
        planes[2 * points + k] = rgb[3 * k + 2];
    }
}

void agent_planes(const uint8_t *rgb, int64_t points, uint8_t *planes) {
#if defined(__x86_64__)
    if (tot_cpu() >= TOT_CPU_AVX2) {
        agent_planes_avx2(rgb, points, planes);
        return;
    }
#endif
    agent_planes_portable(rgb, points, planes);
}
