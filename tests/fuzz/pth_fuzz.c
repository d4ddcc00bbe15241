// Any bytes as a PyTorch weight file, and as the pickle inside one, whose checksum few mutations
// would pass: a single-line error, or tensors whose elements can all be read.
#include "fuzz.h"

#include "../file/made_pth.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static made pickle, file;
    fuzz_tensors(bytes, size);
    if (size <= sizeof pickle.bytes / 2) {
        pickle.size = 0;
        put(&pickle, bytes, size);
        make_pth_zip(&file, &pickle, made_storages, MADE_STORAGES, NULL);
        // exact size, so that a sanitizer detects reads past the end
        uint8_t *exact = malloc(file.size);
        memcpy(exact, file.bytes, file.size);
        fuzz_tensors(exact, file.size);
        free(exact);
    }
    return 0;
}
