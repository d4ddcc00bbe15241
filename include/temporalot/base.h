// temporalot/base.h - what every station stands on: status codes and error text, log, memory,
// random streams, thread pool, CPU features.
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

// --- status and error text ---------------------------------------------------------------------

// Every public function looks at its arguments first: a pointer that is NULL where nothing says
// that it may be gives TOT_E_ARGUMENT, or 0 or NULL where no status is returned, and a text that
// names it.

typedef enum tot_status {
    TOT_OK = 0,
    TOT_E_MEMORY,       // an allocation failed
    TOT_E_ARGUMENT,     // a parameter is out of its range, or its name is not known
    TOT_E_SHAPE,        // sizes that must agree do not
    TOT_E_VALUE,        // NaN, infinity, or an all-zero frame where cosine needs a direction
    TOT_E_FILE,         // the system could not open, read, write or rename
    TOT_E_FORMAT,       // a file does not hold what its format promises
    TOT_E_UNSUPPORTED,  // well formed, but of a kind that is not read here
    TOT_E_INFEASIBLE,   // a band that cannot carry the marginals
    TOT_E_MISSING,      // a library, scene or weight file that is not installed
    TOT_E_PHYSICS,      // the simulation diverged
    TOT_E_INTERRUPTED,  // stopped from outside
    TOT_E_ATTEMPTS,     // as many attempts as were allowed, and not enough of them succeeded
    TOT_STATUS_COUNT
} tot_status;

// One plain sentence for a status. Never NULL.
TOT_API const char *tot_status_text(tot_status status);

// The text of the calling thread's last error: names file, field and value. Never NULL, "" when
// nothing failed yet. Valid until the thread's next failing call.
TOT_API const char *tot_error(void);

// The library's version, "major.minor.patch".
TOT_API const char *tot_version(void);

// The commit it was built of; with a plus: and changes on top of it; "unknown" outside a checkout.
TOT_API const char *tot_commit(void);

// --- log ---------------------------------------------------------------------------------------

typedef enum tot_log_level { TOT_LOG_INFO, TOT_LOG_WARNING } tot_log_level;

typedef void (*tot_log_handler)(void *context, tot_log_level level, const char *text);

// The library prints nothing: what it has to say goes to this handler, from whichever thread says
// it. NULL (the default) drops it. Set it before other threads start.
TOT_API void tot_log_set(tot_log_handler handler, void *context);

// --- memory ------------------------------------------------------------------------------------

// Where the library's own memory comes from. All three are given, or none.
typedef struct tot_memory {
    void *(*allocate)(void *context, size_t bytes, size_t alignment);  // NULL when there is none
    void (*release)(void *context, void *pointer);                     // pointer may be NULL
    void *context;
} tot_memory;

// Replaces the allocator; NULL goes back to the C library's. Only while the library holds nothing.
TOT_API void tot_memory_set(const tot_memory *memory);

// --- random streams ----------------------------------------------------------------------------

// A counter-based stream (Philox 4x32-10): its whole state is these integers, so saving and
// restoring one is copying the struct. Streams of the same seed and different names are unrelated.
typedef struct tot_random {
    uint64_t seed;
    uint64_t stream;   // derived from the name
    uint64_t counter;  // how many 32-bit words were drawn
} tot_random;

TOT_API void tot_random_init(tot_random *random, uint64_t seed, const char *name);

// Like tot_random_init with the number added to the name: one stream for each episode, world, ...
TOT_API void tot_random_init_numbered(tot_random *random, uint64_t seed, const char *name,
                                      uint64_t number);

TOT_API uint32_t tot_random_word(tot_random *random);

// Uniform in [0, 1), 53 bits. Draws two words.
TOT_API double tot_random_uniform(tot_random *random);

// Standard normal (Box-Muller, one value for two uniforms).
TOT_API double tot_random_normal(tot_random *random);

// Uniform in 0 .. count-1, without bias; 0 for a count of 0.
TOT_API uint64_t tot_random_below(tot_random *random, uint64_t count);

// --- thread pool -------------------------------------------------------------------------------

typedef struct tot_pool tot_pool;

// A job: index in 0 .. count-1, worker in 0 .. threads-1 (a worker runs one job at a time).
typedef tot_status (*tot_job)(void *context, size_t index, int worker);

// threads: 1 .. 1024, or 0 for one per CPU that this process may use. The caller's own thread is
// worker 0, so a pool of one starts none.
TOT_API tot_status tot_pool_create(tot_pool **pool, int threads);

TOT_API int tot_pool_threads(const tot_pool *pool);

// Runs job for every index and waits. After a failure no further index is started; the status and
// text of the failed job with the lowest index become the caller's. pool may be NULL: all on the
// caller's thread. Not to be called from inside a job of the same pool.
TOT_API tot_status tot_pool_run(tot_pool *pool, size_t count, tot_job job, void *context);

// pool may be NULL.
TOT_API void tot_pool_free(tot_pool *pool);

// How many CPUs this process may use. At least 1.
TOT_API int tot_cpu_count(void);

// --- settings ----------------------------------------------------------------------------------

// What is known of a setting of a station: the same line makes --help, YAML keys and the docs.
typedef struct tot_parameter {
    const char *name;     // "mask_width"
    const char *initial;  // its default as text
    const char *help;     // one line
    const char *takes;    // what stands for its value: "off|on", "N", "X", "TEXT"
} tot_parameter;

// --- CPU features ------------------------------------------------------------------------------

typedef enum tot_cpu_level { TOT_CPU_PORTABLE, TOT_CPU_AVX2, TOT_CPU_AVX512 } tot_cpu_level;

// What the vector code runs with: what the CPU has, or less when the environment variable
// TEMPORALOT_CPU (portable, avx2, avx512) asks for it.
TOT_API tot_cpu_level tot_cpu(void);

TOT_API const char *tot_cpu_text(tot_cpu_level level);

#ifdef __cplusplus
}
#endif
#endif
