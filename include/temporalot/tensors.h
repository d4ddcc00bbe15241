// temporalot/tensors.h - named tensors of a weight file: .pth and .pt as written by PyTorch, and
// .safetensors. Nothing in a file is ever executed.
//
//     #include <stdio.h>
//     #include <temporalot/tensors.h>
//
//     int main(int argc, char **argv) {
//         tot_tensors *tensors = NULL;
//         if (argc < 2 || tot_tensors_load(&tensors, argv[1]) != TOT_OK) {
//             fprintf(stderr, "%s\n", tot_error());
//             return 1;
//         }
//         for (size_t k = 0; k < tot_tensors_count(tensors); k++) {
//             const tot_array *tensor = tot_tensors_at(tensors, k);
//             printf("%s: %lld numbers\n", tot_tensors_name(tensors, k),
//                    (long long)tot_array_count(tensor));
//         }
//         tot_tensors_free(tensors);
//         return 0;
//     }
#ifndef TEMPORALOT_TENSORS_H
#define TEMPORALOT_TENSORS_H

#include <temporalot/base.h>
#include <temporalot/file.h>

#ifdef __cplusplus
extern "C" {
#endif

// Immutable once loaded; may be read by any number of threads.
typedef struct tot_tensors tot_tensors;

// Reads all tensors of a weight file. The format is detected from the content, not from the name:
// PyTorch's zip format, PyTorch's legacy format (several pickles, then the storages), safetensors.
// float16 and bfloat16 are converted to float32 (exactly); float32, float64, uint8, bool, int32 and
// int64 are kept (batch norm counters are int64); other types are rejected by name. Strided views
// are made contiguous. Nested dictionaries ({"state_dict": {...}, "epoch": 3}) are traversed and
// their keys joined by '.'; numbers, strings, None and lists of them are ignored.
// The pickle reader only knows tensors, dictionaries, lists, strings and numbers; a pickle that
// names any other function or class is TOT_E_UNSUPPORTED, and the message gives the name and its
// byte offset. TOT_E_FORMAT: damaged (the message gives the byte offset), a storage outside the
// file, duplicate names, or sizes that overflow.
// If the file name ends in -XXXXXXXX.pth (eight or more hex digits, as in resnet50-0676ba61.pth),
// the SHA-256 of the file must begin with them, else TOT_E_FORMAT.
TOT_API tot_status tot_tensors_load(tot_tensors **tensors, const char *path);

// The same from memory, which can be freed afterwards. name is only used in error messages.
TOT_API tot_status tot_tensors_parse(tot_tensors **tensors, const void *bytes, size_t size,
                                     const char *name);

TOT_API size_t tot_tensors_count(const tot_tensors *tensors);

// In file order; NULL past the end. Both are valid as long as tensors.
TOT_API const char *tot_tensors_name(const tot_tensors *tensors, size_t index);
TOT_API const tot_array *tot_tensors_at(const tot_tensors *tensors, size_t index);

// NULL if there is no tensor of that name.
TOT_API const tot_array *tot_tensors_find(const tot_tensors *tensors, const char *name);

// The path or name it was read from, for error messages.
TOT_API const char *tot_tensors_source(const tot_tensors *tensors);

// tensors may be NULL.
TOT_API void tot_tensors_free(tot_tensors *tensors);

#ifdef __cplusplus
}
#endif
#endif
