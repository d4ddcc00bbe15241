// Setting the error message. Every station reports failures through base_fail.
#pragma once

#include <temporalot/base.h>

// Stores the message for tot_error() and returns status, so that a caller can write
// `return base_fail(TOT_E_FORMAT, "%s: bad magic", path);`. Truncated to 1023 bytes.
tot_status base_fail(tot_status status, const char *format, ...) TOT_PRINTF(2, 3);

// The same, with the current message appended: "new: current".
tot_status base_fail_in(tot_status status, const char *format, ...) TOT_PRINTF(2, 3);

void base_log(tot_log_level level, const char *format, ...) TOT_PRINTF(2, 3);

// Propagates a failure: `BASE_TRY(read_header(&file));`
#define BASE_TRY(expression)                        \
    do {                                            \
        tot_status base_try_status_ = (expression); \
        if (base_try_status_ != TOT_OK) {           \
            return base_try_status_;                \
        }                                           \
    } while (0)

// --- arguments of public functions -------------------------------------------------------------

static inline bool base_has_null(const void *const *pointers, size_t count) {
    bool found = false;
    for (size_t k = 0; k < count; k++) {
        found = found || pointers[k] == NULL;
    }
    return found;
}

// TOT_E_ARGUMENT: "function: name is NULL". names: as written in the call, "a, b".
tot_status base_fail_null(const char *function, const char *names, const void *const *pointers,
                          size_t count);

// First in a public function that does not return a status: if one of these is NULL, sets the error
// message and returns `result` (empty for a void function).
#define BASE_NEED_OR(result, ...)                                              \
    do {                                                                       \
        const void *const base_needed_[] = {__VA_ARGS__};                      \
        const size_t base_count_ = sizeof base_needed_ / sizeof *base_needed_; \
        if (base_has_null(base_needed_, base_count_)) {                        \
            base_fail_null(__func__, #__VA_ARGS__, base_needed_, base_count_); \
            return result;                                                     \
        }                                                                      \
    } while (0)

// The same for a function that returns a status.
#define BASE_NEED(...) BASE_NEED_OR(TOT_E_ARGUMENT, __VA_ARGS__)

// A public getter of an object, which returns `absent` if the object is NULL:
// `BASE_GETTER(int64_t, tot_demos_count, tot_demos, demos, 0, demos->count)`
#define BASE_GETTER(type, function, owner, name, absent, value) \
    type function(const owner *name) {                          \
        BASE_NEED_OR(absent, name);                             \
        return value;                                           \
    }

// The same for an element at an index, NULL past the end:
// `BASE_ITEM(const tot_cell *, tot_sweep_at, tot_sweep, sweep, sweep->count, &sweep->cells[index])`
#define BASE_ITEM(type, function, owner, name, count, value) \
    type function(const owner *name, size_t index) {         \
        BASE_NEED_OR(NULL, name);                            \
        return index < (count) ? value : NULL;               \
    }

// Fails with a status and a message: `BASE_FAIL_IF(rows < 1, TOT_E_SHAPE, "%s: no rows", name);`
#define BASE_FAIL_IF(condition, ...)       \
    do {                                   \
        if (condition) {                   \
            return base_fail(__VA_ARGS__); \
        }                                  \
    } while (0)

// Returns TOT_E_MEMORY if one of these allocations failed, which has set the error message:
// `BASE_HAVE(names, sizes);`
#define BASE_HAVE(...)                                                        \
    do {                                                                      \
        const void *const base_had_[] = {__VA_ARGS__};                        \
        if (base_has_null(base_had_, sizeof base_had_ / sizeof *base_had_)) { \
            return TOT_E_MEMORY;                                              \
        }                                                                     \
    } while (0)

// Calls only if nothing has failed so far, and keeps the first failure: for functions that must
// free something at the end.
#define BASE_THEN(status, call) ((status) = (status) != TOT_OK ? (status) : (call))

// Ends a constructor: returns the object, or frees it and propagates the failure if the last call
// failed: `BASE_GIVE(fill(replay), out, replay, tot_replay_free);`
#define BASE_GIVE(call, out, made, free_it)          \
    do {                                             \
        const tot_status base_give_status_ = (call); \
        if (base_give_status_ != TOT_OK) {           \
            free_it(made);                           \
        } else {                                     \
            *(out) = made;                           \
        }                                            \
        return base_give_status_;                    \
    } while (0)

// Ends a function that must close something after its last call, whether or not that failed:
// `BASE_FINALLY(read_all(&source), file_source_close(&source));`
#define BASE_FINALLY(call, closing)                     \
    do {                                                \
        const tot_status base_finally_status_ = (call); \
        closing;                                        \
        return base_finally_status_;                    \
    } while (0)
