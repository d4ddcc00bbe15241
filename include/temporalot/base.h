// temporalot/base.h - the foundation of every station: status codes and error messages, log,
// memory, random streams, thread pool, CPU features.
//
//     #include <stdio.h>
//     #include <temporalot/base.h>
//
//     int main(void) {
//         tot_random random;
//         tot_random_init(&random, 7, "exploration");
//         tot_pool *pool = NULL;
//         if (tot_pool_create(&pool, 2) != TOT_OK) {
//             fprintf(stderr, "%s\n", tot_error());
//             return 1;
//         }
//         printf("%g drawn, %d threads\n", tot_random_uniform(&random), tot_pool_threads(pool));
//         tot_pool_free(pool);
//         return 0;
//     }
#ifndef TEMPORALOT_BASE_H
#define TEMPORALOT_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TOT_API                 __attribute__((visibility("default")))
#define TOT_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define TOT_API
#define TOT_PRINTF(text, first)
#endif

#define TOT_VERSION_MAJOR 0
#define TOT_VERSION_MINOR 1
#define TOT_VERSION_PATCH 0
#define TOT_VERSION       "0.1.0"

// --- status and error messages -----------------------------------------------------------------

// Every public function checks its arguments first. A NULL pointer that is not documented as
// allowed gives TOT_E_ARGUMENT (or 0 or NULL if the function returns no status) and an error
// message that names the argument.

typedef enum tot_status {
    TOT_OK = 0,
    TOT_E_MEMORY,       // an allocation failed
    TOT_E_ARGUMENT,     // a parameter is out of range, or its name is unknown
    TOT_E_SHAPE,        // sizes that must agree do not
    TOT_E_VALUE,        // NaN, infinity, or an all-zero frame where cosine needs a direction
    TOT_E_FILE,         // the system could not open, read, write or rename a file
    TOT_E_FORMAT,       // the content of a file violates its format
    TOT_E_UNSUPPORTED,  // well formed, but of a kind that is not supported
    TOT_E_INFEASIBLE,   // the band mask cannot satisfy the marginals
    TOT_E_MISSING,      // a library, scene or weight file is not installed
    TOT_E_PHYSICS,      // the simulation diverged
    TOT_E_INTERRUPTED,  // stopped on request
    TOT_E_ATTEMPTS,     // too few successes within the allowed number of attempts
    TOT_STATUS_COUNT
} tot_status;

// A one-sentence description of a status. Never NULL.
TOT_API const char *tot_status_text(tot_status status);

// The calling thread's last error message: it names file, field and value. Never NULL; "" if
// nothing has failed yet. Valid until the thread's next failing call.
TOT_API const char *tot_error(void);

// The library's version, "major.minor.patch".
TOT_API const char *tot_version(void);

// The commit this library was built from, followed by "+" if there were uncommitted changes;
// "unknown" if it was not built from a git checkout.
TOT_API const char *tot_commit(void);

// --- log ---------------------------------------------------------------------------------------

typedef enum tot_log_level { TOT_LOG_INFO, TOT_LOG_WARNING } tot_log_level;

typedef void (*tot_log_handler)(void *context, tot_log_level level, const char *text);

// The library itself prints nothing. All messages go to this handler, on the thread that emits
// them. NULL (the default) discards them. Set it before starting other threads.
TOT_API void tot_log_set(tot_log_handler handler, void *context);

// --- memory ------------------------------------------------------------------------------------

// The allocator of the library. allocate and release must both be set; context may be NULL.
typedef struct tot_memory {
    void *(*allocate)(void *context, size_t bytes, size_t alignment);  // NULL: out of memory
    void (*release)(void *context, void *pointer);                     // pointer may be NULL
    void *context;
} tot_memory;

// Replaces the allocator; NULL restores the C library's. Call it only while the library holds no
// memory.
TOT_API void tot_memory_set(const tot_memory *memory);

// --- random streams ----------------------------------------------------------------------------

// A counter-based generator (Philox 4x32-10). These integers are its whole state: to save and
// restore it, copy the struct. Streams with the same seed and different names are independent.
typedef struct tot_random {
    uint64_t seed;
    uint64_t stream;   // derived from the name
    uint64_t counter;  // 32-bit words drawn so far
} tot_random;

TOT_API void tot_random_init(tot_random *random, uint64_t seed, const char *name);

// Like tot_random_init, with the number appended to the name: one stream per episode, world, ...
TOT_API void tot_random_init_numbered(tot_random *random, uint64_t seed, const char *name,
                                      uint64_t number);

TOT_API uint32_t tot_random_word(tot_random *random);

// Uniform in [0, 1), 53 bits. Draws two words.
TOT_API double tot_random_uniform(tot_random *random);

// Standard normal (Box-Muller, one value per two uniforms).
TOT_API double tot_random_normal(tot_random *random);

// Uniform in 0 .. count-1, unbiased; 0 if count is 0.
TOT_API uint64_t tot_random_below(tot_random *random, uint64_t count);

// --- thread pool -------------------------------------------------------------------------------

typedef struct tot_pool tot_pool;

// A job: index is in 0 .. count-1, worker in 0 .. threads-1. A worker runs one job at a time.
typedef tot_status (*tot_job)(void *context, size_t index, int worker);

// threads: 1 .. 1024, or 0 for one per CPU available to this process. The calling thread is worker
// 0, so a pool of one thread starts none.
TOT_API tot_status tot_pool_create(tot_pool **pool, int threads);

TOT_API int tot_pool_threads(const tot_pool *pool);

// Runs job for every index and waits for all of them. After a failure no further index is started;
// the caller gets the status and error message of the failed job with the lowest index. pool may be
// NULL: everything runs on the calling thread. Must not be called from inside a job of the same
// pool.
TOT_API tot_status tot_pool_run(tot_pool *pool, size_t count, tot_job job, void *context);

// pool may be NULL.
TOT_API void tot_pool_free(tot_pool *pool);

// The number of CPUs available to this process. At least 1.
TOT_API int tot_cpu_count(void);

// --- settings ----------------------------------------------------------------------------------

// The values of a setting that is off or on.
enum { TOT_OFF, TOT_ON };
#define TOT_SWITCH_WORDS "off|on"

// The description of a setting, from which --help, the YAML keys and the docs are generated.
typedef struct tot_parameter {
    const char *name;     // "mask_width"
    const char *initial;  // the default value as text
    const char *help;     // one line
    const char *takes;    // placeholder for the value: "off|on", "N", "X", "TEXT"
} tot_parameter;

// --- CPU features ------------------------------------------------------------------------------

typedef enum tot_cpu_level { TOT_CPU_PORTABLE, TOT_CPU_AVX2, TOT_CPU_AVX512 } tot_cpu_level;

// The instruction set used by the vectorized code: what the CPU supports, or less if the
// environment variable TEMPORALOT_CPU (portable, avx2, avx512) asks for it.
TOT_API tot_cpu_level tot_cpu(void);

TOT_API const char *tot_cpu_text(tot_cpu_level level);

#ifdef __cplusplus
}
#endif
#endif
