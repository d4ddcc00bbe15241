#include <sched.h>

#include "base/base.h"
#include "base/kernels.h"

static const char *const level_texts[] = {"portable", "avx2", "avx512"};

static tot_cpu_level detect(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")) {
        return TOT_CPU_AVX512;
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        return TOT_CPU_AVX2;
    }
#endif
    return TOT_CPU_PORTABLE;
}

tot_cpu_level tot_cpu(void) {
    tot_cpu_level level = detect();
    const char *requested = getenv("TEMPORALOT_CPU");
    for (int k = 0; requested != NULL && k < (int)level; k++) {
        if (strcmp(requested, level_texts[k]) == 0) {
            return (tot_cpu_level)k;
        }
    }
    return level;
}

const char *tot_cpu_text(tot_cpu_level level) {
    const size_t count = BASE_LENGTH(level_texts);
    return (size_t)level < count ? level_texts[level] : "unknown";
}

int tot_cpu_count(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) {
        return 1;
    }
    int count = CPU_COUNT(&set);
    return count > 0 ? count : 1;
}

void base_cpu_name(char *name, size_t size) {
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    name[0] = '\0';
    while (file != NULL && name[0] == '\0' && fgets(line, sizeof line, file) != NULL) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon != NULL) {
            const char *text = colon + 1 + strspn(colon + 1, " ");
            snprintf(name, size, "%.*s", (int)strcspn(text, "\n"), text);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
}
