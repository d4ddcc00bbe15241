// Memory: every allocation of the library comes through here, so that a test can make any fail.
#pragma once

#include "base/error.h"

// count * size bytes, 64-byte aligned, not cleared. NULL with the error text set when there is no
// memory or the product overflows. what names the thing in the text: "plan", "episode".
// A product of 0 gives a pointer that may be freed.
void *base_alloc(size_t count, size_t size, const char *what);

// The same, cleared.
void *base_alloc_zero(size_t count, size_t size, const char *what);

// Makes *buffer hold at least count elements: *buffer and *capacity (elements) are replaced when
// they are too small; what was inside is lost. On failure they stay as they were.
tot_status base_reserve(void **buffer, size_t *capacity, size_t count, size_t size,
                        const char *what);

// The same, keeping the first `used` elements, and growing by half at least.
tot_status base_grow(void **buffer, size_t *capacity, size_t used, size_t count, size_t size,
                     const char *what);

// Elements of what a pointer points at; passes it on that there is no memory for them:
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

// A new object, cleared, under a name that is declared here: `BASE_NEW(tot_replay, replay,
// "replay");`
#define BASE_NEW(type, name, what)                         \
    type *name = base_alloc_zero(1, sizeof(type), (what)); \
    BASE_HAVE(name)

// The number of elements of an array.
#define BASE_LENGTH(array) (sizeof(array) / sizeof *(array))

// A copy of a string. NULL when there is no memory.
char *base_copy_text(const char *text);

// pointer may be NULL.
void base_free(void *pointer);

// First in a function that frees an object: there may be none.
#define BASE_UNLESS_NULL(object) \
    do {                         \
        if ((object) == NULL) {  \
            return;              \
        }                        \
    } while (0)

// Several at once: `BASE_RELEASE(run->names, run->sizes, run);`
#define BASE_RELEASE(...)                                                                       \
    do {                                                                                        \
        void *const base_released_[] = {__VA_ARGS__};                                           \
        for (size_t base_k_ = 0; base_k_ < sizeof base_released_ / sizeof(void *); base_k_++) { \
            base_free(base_released_[base_k_]);                                                 \
        }                                                                                       \
    } while (0)

// The array that a pointer points at, through base_grow or base_reserve; passes a failure on:
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
