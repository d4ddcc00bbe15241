#include "base/base.h"

#include <sys/mman.h>

enum { ALIGNMENT = 64, HUGE_PAGE = 2 << 20, HUGE_BYTES = 2 * HUGE_PAGE };

static void *allocate_default(void *context, size_t bytes, size_t alignment) {
    (void)context;
    void *pointer = NULL;
    bool huge = bytes >= HUGE_BYTES;
    if (posix_memalign(&pointer, huge ? HUGE_PAGE : alignment, bytes) != 0) {
        return NULL;
    }
    if (huge) {
        // only a hint: first touching an episode of 35 MB takes 10 ms instead of 26
        madvise(pointer, bytes / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
    }
    return pointer;
}

static void release_default(void *context, void *pointer) {
    (void)context;
    free(pointer);
}

static const tot_memory default_memory = {allocate_default, release_default, NULL};
static tot_memory memory_in_use = {allocate_default, release_default, NULL};

void tot_memory_set(const tot_memory *memory) {
    const bool given = memory != NULL && memory->allocate != NULL && memory->release != NULL;
    memory_in_use = given ? *memory : default_memory;
}

void *base_alloc(size_t count, size_t size, const char *what) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX - ALIGNMENT) {
        base_fail(TOT_E_MEMORY, "%s: %zu times %zu bytes is more than memory can hold", what, count,
                  size);
        return NULL;
    }
    void *pointer = memory_in_use.allocate(memory_in_use.context, bytes > 0 ? bytes : 1, ALIGNMENT);
    if (pointer == NULL) {
        base_fail(TOT_E_MEMORY, "%s: no memory for %zu bytes", what, bytes);
    }
    return pointer;
}

void *base_alloc_zero(size_t count, size_t size, const char *what) {
    void *pointer = base_alloc(count, size, what);
    if (pointer != NULL) {
        memset(pointer, 0, count * size);
    }
    return pointer;
}

// Replaces a buffer by one of count elements, of which the first `used` are kept.
static tot_status replace(void **buffer, size_t *capacity, size_t used, size_t count, size_t size,
                          const char *what) {
    void *larger = base_alloc(count, size, what);
    BASE_HAVE(larger);
    if (used > 0 && *buffer != NULL) {
        memcpy(larger, *buffer, used * size);
    }
    base_free(*buffer);
    *buffer = larger;
    *capacity = count;
    return TOT_OK;
}

tot_status base_reserve(void **buffer, size_t *capacity, size_t count, size_t size,
                        const char *what) {
    const bool fits = *buffer != NULL && *capacity >= count;
    return fits ? TOT_OK : replace(buffer, capacity, 0, count, size, what);
}

tot_status base_grow(void **buffer, size_t *capacity, size_t used, size_t count, size_t size,
                     const char *what) {
    if (*buffer != NULL && *capacity >= count) {
        return TOT_OK;
    }
    if (*capacity <= SIZE_MAX / 2 && *capacity + *capacity / 2 > count) {
        count = *capacity + *capacity / 2;
    }
    return replace(buffer, capacity, used, count, size, what);
}

char *base_copy_text(const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = base_alloc(size, 1, "text");
    if (copy != NULL) {
        memcpy(copy, text, size);
    }
    return copy;
}

void base_free(void *pointer) {
    if (pointer != NULL) {
        memory_in_use.release(memory_in_use.context, pointer);
    }
}
