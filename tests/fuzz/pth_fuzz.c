// Any bytes as a weight file of PyTorch, and as the pickle inside one, whose checksum few changes
// would get past: an error of one line, or tensors whose every element can be read.
#include "fuzz.h"

#include "../file/made_pth.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static made pickle, file;
    fuzz_tensors(bytes, size);
    if (size <= sizeof pickle.bytes / 2) {
        pickle.size = 0;
        put(&pickle, bytes, size);
        make_pth_zip(&file, &pickle, made_storages, MADE_STORAGES, NULL);
        // of its own size, so that a sanitizer sees any read past the end
        uint8_t *exact = malloc(file.size);
        memcpy(exact, file.bytes, file.size);
        fuzz_tensors(exact, file.size);
        free(exact);
    }
    return 0;
}
