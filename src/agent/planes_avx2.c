// Converts pictures to planes, 16 pixels at a time.
#include <immintrin.h>

#include "agent/replay.h"

// One colour of 16 pixels, gathered from the three 16-byte parts that contain them.
static __m128i gather(__m128i a, __m128i b, __m128i c, __m128i from_a, __m128i from_b,
                      __m128i from_c) {
    return _mm_or_si128(_mm_or_si128(_mm_shuffle_epi8(a, from_a), _mm_shuffle_epi8(b, from_b)),
                        _mm_shuffle_epi8(c, from_c));
}

// Byte k of a colour is at 3 k + colour; -1 if it is not in this part.
static __m128i places(int colour, int third) {
    int8_t at[16];
    for (int k = 0; k < 16; k++) {
        int byte = 3 * k + colour - 16 * third;
        at[k] = (int8_t)(byte >= 0 && byte < 16 ? byte : -1);
    }
    return _mm_loadu_si128((const __m128i *)at);
}

void agent_planes_avx2(const uint8_t *rgb, int64_t points, uint8_t *planes) {
    __m128i at[3][3];
    for (int colour = 0; colour < 3; colour++) {
        for (int third = 0; third < 3; third++) {
            at[colour][third] = places(colour, third);
        }
    }
    int64_t k = 0;
    for (; k + 16 <= points; k += 16) {
        const __m128i *from = (const __m128i *)(rgb + 3 * k);
        __m128i a = _mm_loadu_si128(from);
        __m128i b = _mm_loadu_si128(from + 1);
        __m128i c = _mm_loadu_si128(from + 2);
        for (int colour = 0; colour < 3; colour++) {
            __m128i plane = gather(a, b, c, at[colour][0], at[colour][1], at[colour][2]);
            _mm_storeu_si128((__m128i *)(planes + colour * points + k), plane);
        }
    }
    for (; k < points; k++) {
        for (int colour = 0; colour < 3; colour++) {
            planes[colour * points + k] = rgb[3 * k + colour];
        }
    }
}
