#include "encoder/onednn.h"

#include <dlfcn.h>
#include <pthread.h>

#include "base/base.h"

tot_status encoder_onednn_check(dnnl_status_t status, const char *what) {
    switch (status) {
        case dnnl_success:
            return TOT_OK;
        case dnnl_out_of_memory:
            return base_fail(TOT_E_MEMORY, "oneDNN: no memory (%.80s)", what);
        case dnnl_unimplemented:
            return base_fail(TOT_E_UNSUPPORTED, "oneDNN: not on this CPU (%.80s)", what);
        default:
            return base_fail(TOT_E_UNSUPPORTED, "oneDNN: status %d (%.80s)", (int)status, what);
    }
}

static dnnl_engine_t the_engine;
static dnnl_status_t engine_status;

static void make_engine(void) {
    engine_status = dnnl_engine_create(&the_engine, dnnl_cpu, 0);
}

tot_status encoder_onednn_engine(dnnl_engine_t *engine) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_engine);
    *engine = the_engine;
    return encoder_onednn_check(engine_status, "dnnl_engine_create");
}

// looked up at run time, not linked: must be the OpenMP runtime that oneDNN was built with
static void (*set_threads)(int);
static int (*get_threads)(void);

static void find_openmp(void) {
    void *set = dlsym(RTLD_DEFAULT, "omp_set_num_threads");
    void *get = dlsym(RTLD_DEFAULT, "omp_get_max_threads");
    memcpy(&set_threads, &set, sizeof set);
    memcpy(&get_threads, &get, sizeof get);
}

int encoder_onednn_threads(int threads) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_openmp);
    if (set_threads == NULL || get_threads == NULL) {
        return threads;
    }
    const int before = get_threads();
    if (before != threads) {
        set_threads(threads);
    }
    return before;
}

static bool has(dnnl_cpu_isa_t wanted) {
    return ((unsigned)dnnl_get_effective_cpu_isa() & (unsigned)wanted) == (unsigned)wanted;
}

bool encoder_onednn_has_int8(void) {
    return has(dnnl_cpu_isa_avx2_vnni) || has(dnnl_cpu_isa_avx512_core_vnni);
}

bool encoder_onednn_has_bf16(void) {
    return has(dnnl_cpu_isa_avx512_core_bf16);
}
