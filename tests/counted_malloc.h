// Counts every call of malloc, by any code, unless something else replaces malloc. For one test
// program: defines malloc.
#pragma once

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#endif

static _Atomic uint64_t mallocs;

#if defined(__GLIBC__) && !defined(SANITIZED)
void *__libc_malloc(size_t size);
void *malloc(size_t size);

void *malloc(size_t size) {
    atomic_fetch_add(&mallocs, 1);
    return __libc_malloc(size);
}
#endif
