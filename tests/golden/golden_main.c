// The golden tests: rewards, embeddings, pictures, observations, updates and a short run must not
// change unless a commit intends to. hashes.txt has a line for each: kind, name, hash. `kind` is
// "any", or kernels and compiler ("avx512/avx512-gcc12": our kernels, and the CPU's instruction
// set, which oneDNN and the C library dispatch on). Results without a line for this kind are
// skipped.
//
//     golden_test [--level avx2]    compares; exits with 77 if there was nothing to compare with
//     golden_test --write           prints the lines of this machine
#include <inttypes.h>

#include "golden/golden.h"

static bool writes;
static char kind[64];
static int compared;
static int skipped;

uint64_t golden_add(uint64_t hash, const void *bytes, size_t size) {
    const unsigned char *from = bytes;
    for (size_t k = 0; k < size; k++) {
        hash = (hash ^ from[k]) * 1099511628211u;
    }
    return hash;
}

static void find_kind(void) {
    const char *ours = tot_cpu_text(tot_cpu());
    unsetenv("TEMPORALOT_CPU");
    const char *theirs = tot_cpu_text(tot_cpu());
    setenv("TEMPORALOT_CPU", ours, 1);
#ifdef __clang__
    snprintf(kind, sizeof kind, "%s/%s-clang%d", ours, theirs, __clang_major__);
#else
    snprintf(kind, sizeof kind, "%s/%s-gcc%d", ours, theirs, __GNUC__);
#endif
}

// Finds the line with this name for this kind.
static bool find_line(const char *name, uint64_t *hash) {
    char found_kind[64];
    char found_name[128];
    bool found = false;
    FILE *list = fopen(TEST_SOURCE_DIR "/tests/golden/hashes.txt", "r");
    assert_non_null(list);
    while (!found && fscanf(list, "%63s %127s %" SCNx64, found_kind, found_name, hash) == 3) {
        found = strcmp(found_name, name) == 0 &&
                (strcmp(found_kind, kind) == 0 || strcmp(found_kind, "any") == 0);
    }
    fclose(list);
    return found;
}

void golden_check(const char *name, uint64_t hash) {
    uint64_t wanted = 0;
    if (writes) {
        printf("%s %s %016" PRIx64 "\n", kind, name, hash);
    } else if (!find_line(name, &wanted)) {
        skipped++;
    } else {
        compared++;
        if (hash != wanted) {
            fail_msg("%s (%s): %016" PRIx64 ", and was %016" PRIx64, name, kind, hash, wanted);
        }
    }
}

int main(int count, char **words) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_rewards), cmocka_unit_test(golden_embeddings),
        cmocka_unit_test(golden_worlds),  cmocka_unit_test(golden_updates),
        cmocka_unit_test(golden_label),   cmocka_unit_test(golden_run),
    };
    writes = count > 1 && strcmp(words[1], "--write") == 0;
    if (count > 2 && strcmp(words[1], "--level") == 0) {
        setenv("TEMPORALOT_CPU", words[2], 1);
        if (strcmp(tot_cpu_text(tot_cpu()), words[2]) != 0) {
            printf("skipped: this CPU has no %s\n", words[2]);
            return 77;
        }
    }
    find_kind();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    if (!writes) {
        printf("%s: %d compared, %d skipped (no line of this kind)\n", kind, compared, skipped);
    }
    return failed != 0 ? 1 : !writes && compared == 0 ? 77 : 0;
}
