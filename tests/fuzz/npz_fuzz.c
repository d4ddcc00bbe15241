// Any bytes as an archive: every array gives a single-line error or can be read completely.
#include "fuzz.h"

static void read_all(tot_npz *npz) {
    tot_array array = {0};
    for (int64_t k = 0; k < tot_npz_count(npz); k++) {
        const char *name = tot_npz_name(npz, k);
        if (!tot_npz_has(npz, name)) {
            abort();
        }
        if (tot_npz_read(npz, name, &array) == TOT_OK) {
            fuzz_touch(&array);
        } else {
            fuzz_check_error();
            if (tot_array_count(&array) != 0) {
                abort();
            }
        }
    }
    tot_array_free(&array);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    tot_npz *npz = NULL;
    if (tot_npz_open_memory(&npz, bytes, size, "fuzz") == TOT_OK) {
        read_all(npz);
    } else {
        fuzz_check_error();
        if (npz != NULL) {
            abort();
        }
    }
    tot_npz_close(npz);
    return 0;
}
