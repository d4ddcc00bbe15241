// A tot_memory for tests: fails at the k-th allocation and counts unreleased allocations.
//
//     failing_memory memory;
//     for (uint64_t k = 1; failing_memory_next(&memory, k); k++) {
//         tot_status status = the_path_under_test();
//         failing_memory_check(&memory, status);
//     }
//
// runs the path once for every allocation it makes, each time failing a different one, and once
// more without failures. A path must fail with TOT_E_MEMORY exactly if an allocation failed, and
// must never leak. Use it where the library holds no other memory; threads may allocate
// concurrently.
#pragma once

#include <stdatomic.h>

#include <temporalot/base.h>

#include "test.h"

typedef struct failing_memory {
    uint64_t fail_at;             // the call that fails, counted from 1; 0: none
    _Atomic uint64_t calls;       // so far
    _Atomic uint64_t failed;      // failed so far
    _Atomic int64_t outstanding;  // allocations not released
    // Called before every successful allocation, to trigger an action at that time; may be NULL.
    void (*before)(void *context, size_t bytes);
    void *before_context;
} failing_memory;

static inline void *failing_memory_allocate(void *context, size_t bytes, size_t alignment) {
    failing_memory *memory = context;
    if (atomic_fetch_add(&memory->calls, 1) + 1 == memory->fail_at) {
        atomic_fetch_add(&memory->failed, 1);
        return NULL;
    }
    if (memory->before != NULL) {
        memory->before(memory->before_context, bytes);
    }
    void *pointer = NULL;
    if (posix_memalign(&pointer, alignment, bytes) != 0) {
        return NULL;
    }
    atomic_fetch_add(&memory->outstanding, 1);
    return pointer;
}

static inline void failing_memory_release(void *context, void *pointer) {
    failing_memory *memory = context;
    if (pointer != NULL) {
        atomic_fetch_sub(&memory->outstanding, 1);
        free(pointer);
    }
}

// Makes the library allocate through memory; its fail_at-th allocation fails.
static inline void failing_memory_start(failing_memory *memory, uint64_t fail_at) {
    memory->fail_at = fail_at;
    atomic_store(&memory->calls, 0);
    atomic_store(&memory->failed, 0);
    atomic_store(&memory->outstanding, 0);
    memory->before = NULL;
    memory->before_context = NULL;
    tot_memory hooks = {failing_memory_allocate, failing_memory_release, memory};
    tot_memory_set(&hooks);
}

// Switches back to the C library's memory. Returns the number of unreleased allocations.
static inline int64_t failing_memory_stop(failing_memory *memory) {
    tot_memory_set(NULL);
    return atomic_load(&memory->outstanding);
}

// Starts round k (from 1). False if no allocation failed in the previous round.
static inline bool failing_memory_next(failing_memory *memory, uint64_t k) {
    if (k > 1 && atomic_load(&memory->failed) == 0) {
        return false;
    }
    failing_memory_start(memory, k);
    return true;
}

// Ends a round: the path must fail if and only if an allocation did, and must release everything.
static inline void failing_memory_check(failing_memory *memory, tot_status status) {
    int64_t outstanding = failing_memory_stop(memory);
    tot_status expected = atomic_load(&memory->failed) > 0 ? TOT_E_MEMORY : TOT_OK;
    if (status != expected || outstanding != 0) {
        print_error("allocation %llu failing: status %d (%s), %lld allocations left\n",
                    (unsigned long long)memory->fail_at, (int)status, tot_error(),
                    (long long)outstanding);
    }
    assert_int_equal(status, expected);
    assert_int_equal(outstanding, 0);
}

// All rounds for a single call.
#define assert_survives_no_memory(call)                                              \
    do {                                                                             \
        failing_memory rounds_;                                                      \
        for (uint64_t round_ = 1; failing_memory_next(&rounds_, round_); round_++) { \
            failing_memory_check(&rounds_, (call));                                  \
        }                                                                            \
    } while (0)
