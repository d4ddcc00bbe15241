// Any bytes as an ONNX network: a single-line error, or external file names that stay inside the
// model's folder.
#include "base/memory.h"
#include "file/onnx.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    file_source source;
    file_sha256 *sum = NULL;
    file_onnx onnx;
    if (file_sha256_start(&sum) != TOT_OK) {
        return 0;
    }
    file_source_from_memory(&source, bytes, size, "fuzz");
    if (file_onnx_skim(&onnx, &source, sum) != TOT_OK) {
        fuzz_check_error();
    }
    base_free(sum);
    size_t count = 0;
    for (size_t at = 0; at < onnx.external_bytes; at += strlen(onnx.external + at) + 1) {
        count++;
        if (onnx.external[at] == '/' || onnx.external[at] == '\0') {
            abort();
        }
    }
    if (count != onnx.external_count) {
        abort();
    }
    file_onnx_free(&onnx);
    return 0;
}
