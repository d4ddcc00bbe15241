// temporalot/tensors.h - the named tensors of a weight file: .pth and .pt as PyTorch writes them,
// and .safetensors. Nothing in a file is ever executed.
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

// Reads all tensors of a weight file. What it is is seen from its bytes, not from its name:
// PyTorch's zip form, PyTorch's older form (several pickles, then the storages), safetensors.
// float16 and bfloat16 become float32, exactly; float32, float64, uint8, bool, int32 and int64 stay
// (the counters of batch norm are int64); other kinds are refused by name. Strided views are laid
// out densely. Nested dictionaries ({"state_dict": {...}, "epoch": 3}) are walked, and their keys
// joined by '.'; numbers, texts, None and lists of them are passed over.
// The pickle is read by a reader that knows tensors, dictionaries, lists, texts and numbers;
// anything else (a pickle that names any other function or class) is TOT_E_UNSUPPORTED with the
// name and the byte where it stands. TOT_E_FORMAT: damaged, with the byte; tensors whose storage
// lies outside the file, two of one name, sizes that overflow.
// A file name that ends in -XXXXXXXX.pth (eight or more hex digits: resnet50-0676ba61.pth) must
// begin its SHA-256 with them, else TOT_E_FORMAT.
TOT_API tot_status tot_tensors_load(tot_tensors **tensors, const char *path);

// The same from memory, which may be freed afterwards. name is only for the error text.
TOT_API tot_status tot_tensors_parse(tot_tensors **tensors, const void *bytes, size_t size,
                                     const char *name);

TOT_API size_t tot_tensors_count(const tot_tensors *tensors);

// In the file's order. NULL past the end. Both live as long as tensors.
TOT_API const char *tot_tensors_name(const tot_tensors *tensors, size_t index);
TOT_API const tot_array *tot_tensors_at(const tot_tensors *tensors, size_t index);

// NULL when there is none of that name.
TOT_API const tot_array *tot_tensors_find(const tot_tensors *tensors, const char *name);

// The path or name it was read from, for error texts.
TOT_API const char *tot_tensors_source(const tot_tensors *tensors);

// tensors may be NULL.
TOT_API void tot_tensors_free(tot_tensors *tensors);

#ifdef __cplusplus
}
#endif
#endif
