// Inner loops for several instruction sets: files named *_avx2.c and *_avx512.c are compiled for
// those, and fill a table of functions that begins with its level.
#pragma once

#include <temporalot/base.h>

#if defined(__AVX512F__)
#define BASE_KERNEL_KIND "avx512"
#elif defined(__AVX2__)
#define BASE_KERNEL_KIND "avx2"
#else
#define BASE_KERNEL_KIND "portable"
#endif

// The best table that this CPU supports: STEM_portable, STEM_avx2 or STEM_avx512.
#if defined(__x86_64__)
#define BASE_KERNELS_GET(stem)                    \
    (tot_cpu() >= TOT_CPU_AVX512 ? &stem##_avx512 \
     : tot_cpu() >= TOT_CPU_AVX2 ? &stem##_avx2   \
                                 : &stem##_portable)
#else
#define BASE_KERNELS_GET(stem) (&stem##_portable)
#endif

// The CPU's name as reported by Linux; "" if unknown.
void base_cpu_name(char *name, size_t size);
