// Preloaded (LD_PRELOAD) to test the program as a whole:
//   FAIL_AT=K       the K-th allocation after main starts fails (malloc, calloc, realloc,
//                   posix_memalign, aligned_alloc); 0 or unset: none
//   FAIL_REPORT=F   on exit, writes "ALLOCATIONS PEAK" to F: the number of allocations,
//                   and the peak resident size in kB
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// glibc's own functions, under names that cannot be interposed
extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *pointer, size_t bytes);
extern void *__libc_memalign(size_t alignment, size_t bytes);

static atomic_bool counting;
static atomic_long calls;
static long fail_at;

static int fails(void) {
    return atomic_load(&counting) && atomic_fetch_add(&calls, 1) + 1 == fail_at;
}

void *malloc(size_t bytes) {
    if (fails()) {
        errno = ENOMEM;
        return NULL;
    }
    return __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes) {
    if (fails()) {
        errno = ENOMEM;
        return NULL;
    }
    return __libc_calloc(count, bytes);
}

void *realloc(void *pointer, size_t bytes) {
    if (fails()) {
        errno = ENOMEM;
        return NULL;
    }
    return __libc_realloc(pointer, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes) {
    if (fails()) {
        errno = ENOMEM;
        return NULL;
    }
    return __libc_memalign(alignment, bytes);
}

int posix_memalign(void **pointer, size_t alignment, size_t bytes) {
    if (fails()) {
        return ENOMEM;
    }
    void *made = __libc_memalign(alignment, bytes);
    if (made == NULL) {
        return ENOMEM;
    }
    *pointer = made;
    return 0;
}

static void report(void) {
    atomic_store(&counting, 0);
    const char *path = getenv("FAIL_REPORT");
    FILE *status = path != NULL ? fopen("/proc/self/status", "r") : NULL;
    if (status == NULL) {
        return;
    }
    long peak = 0;
    char line[256];
    while (fgets(line, sizeof line, status) != NULL) {
        if (strncmp(line, "VmHWM:", 6) == 0) {
            peak = strtol(line + 6, NULL, 10);
        }
    }
    fclose(status);
    FILE *out = fopen(path, "w");
    if (out != NULL) {
        fprintf(out, "%ld %ld\n", atomic_load(&calls), peak);
        fclose(out);
    }
}

typedef int (*main_function)(int, char **, char **);
typedef int (*start_function)(main_function, int, char **, void (*)(void), void (*)(void),
                              void (*)(void), void *);

static main_function real_main;

static int counted_main(int argc, char **argv, char **environment) {
    const char *args = getenv("FAIL_AT");
    fail_at = args != NULL ? strtol(args, NULL, 10) : 0;
    atexit(report);
    atomic_store(&counting, 1);
    return real_main(argc, argv, environment);
}

// Calls main. Interposing it starts the count exactly there.
int __libc_start_main(main_function main, int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end);

int __libc_start_main(main_function main, int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end) {
    real_main = main;
    start_function start = NULL;
    *(void **)&start = dlsym(RTLD_NEXT, "__libc_start_main");
    return start(counted_main, argc, argv, init, fini, rtld_fini, stack_end);
}
