// Half-precision floats, for which C17 has no type.
#pragma once

#include <stdint.h>
#include <string.h>

// The bits of the equivalent float32. Exact for every bit pattern, including NaN payloads.
static inline uint32_t file_widen_half(uint16_t half) {
    uint32_t sign = (uint32_t)(half & 0x8000u) << 16;
    uint32_t magnitude = half & 0x7fffu;
    uint32_t normal = (magnitude << 13) + (112u << 23);
    uint32_t infinite = (magnitude << 13) | 0x7f800000u;
    // a subnormal half is a multiple of 2^-24, and normal as a float
    float small = (float)(int32_t)magnitude * 0x1p-24f;
    uint32_t subnormal;
    memcpy(&subnormal, &small, sizeof subnormal);
    uint32_t finite = magnitude < 0x0400u ? subnormal : normal;
    return sign | (magnitude >= 0x7c00u ? infinite : finite);
}
