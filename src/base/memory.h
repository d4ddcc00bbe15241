// Memory: every allocation of the library goes through here, so that tests can make any of them
// fail.
#pragma once

#include "base/error.h"

// count * size bytes, 64-byte aligned, uninitialised. NULL, with the error message set, if out of
// memory or if the product overflows. what is named in the message: "plan", "episode". A product of
// 0 gives a pointer that can be freed.
void *base_alloc(size_t count, size_t size, const char *what);

// The same, zeroed.
void *base_alloc_zero(size_t count, size_t size, const char *what);

// Makes *buffer hold at least count elements: *buffer and *capacity (in elements) are replaced if
// too small, and the content is lost. Unchanged on failure.
tot_status base_reserve(void **buffer, size_t *capacity, size_t count, size_t size,
                        const char *what);

// The same, but keeps the first `used` elements and grows by at least half.
tot_status base_grow(void **buffer, size_t *capacity, size_t used, size_t count, size_t size,
                     const char *what);

// Allocates an array of the pointed-to type, and returns TOT_E_MEMORY on failure:
// `BASE_ALLOC(run->names, count, "names");`
#define BASE_ALLOC(pointer, count, what)                            \
    do {                                                            \
        (pointer) = base_alloc((count), sizeof *(pointer), (what)); \
        BASE_HAVE(pointer);                                         \
    } while (0)
#define BASE_ALLOC_ZERO(pointer, count, what)                            \
    do {                                                                 \
        (pointer) = base_alloc_zero((count), sizeof *(pointer), (what)); \
        BASE_HAVE(pointer);                                              \
    } while (0)

// Declares and allocates a new, zeroed object:
// `BASE_NEW(tot_replay, replay, "replay");`
#define BASE_NEW(type, name, what)                         \
    type *name = base_alloc_zero(1, sizeof(type), (what)); \
    BASE_HAVE(name)

// Number of elements of an array.
#define BASE_LENGTH(array) (sizeof(array) / sizeof *(array))

// A copy of a string. NULL if out of memory.
char *base_copy_text(const char *text);

// pointer may be NULL.
void base_free(void *pointer);

// First in a function that frees an object, which may be NULL.
#define BASE_UNLESS_NULL(object) \
    do {                         \
        if ((object) == NULL) {  \
            return;              \
        }                        \
    } while (0)

// Frees several pointers: `BASE_RELEASE(run->names, run->sizes, run);`
#define BASE_RELEASE(...)                                                                       \
    do {                                                                                        \
        void *const base_released_[] = {__VA_ARGS__};                                           \
        for (size_t base_k_ = 0; base_k_ < sizeof base_released_ / sizeof(void *); base_k_++) { \
            base_free(base_released_[base_k_]);                                                 \
        }                                                                                       \
    } while (0)

// Resizes a typed array with base_grow or base_reserve and propagates a failure:
// `BASE_GROW(list->items, list->capacity, list->count, list->count + 1, "items");`
#define BASE_GROW(pointer, capacity, used, count, what)                                           \
    do {                                                                                          \
        void *base_grown_ = (pointer);                                                            \
        BASE_TRY(base_grow(&base_grown_, &(capacity), (used), (count), sizeof *(pointer), what)); \
        (pointer) = base_grown_;                                                                  \
    } while (0)
#define BASE_RESERVE(pointer, capacity, count, what)                                         \
    do {                                                                                     \
        void *base_grown_ = (pointer);                                                       \
        BASE_TRY(base_reserve(&base_grown_, &(capacity), (count), sizeof *(pointer), what)); \
        (pointer) = base_grown_;                                                             \
    } while (0)
