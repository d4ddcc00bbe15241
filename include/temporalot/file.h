// temporalot/file.h - arrays in files: .npy and .npz, read whole or refused, written whole or
// absent.
//
//     #include <stdio.h>
//     #include <temporalot/file.h>
//
//     int main(int argc, char **argv) {
//         tot_array array = {0};
//         if (argc < 2 || tot_array_load(&array, argv[1]) != TOT_OK) {
//             fprintf(stderr, "%s\n", tot_error());
//             return 1;
//         }
//         printf("%d dimensions of %s\n", array.dimensions, tot_type_text(array.type));
//         tot_array_free(&array);
//         return 0;
//     }
#ifndef TEMPORALOT_FILE_H
#define TEMPORALOT_FILE_H

#include <temporalot/base.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- arrays ------------------------------------------------------------------------------------

typedef enum tot_type {
    TOT_F32,
    TOT_F64,
    TOT_F16,  // only inside files: an array that was read holds TOT_F32; one may be written
    TOT_U8,
    TOT_I32,
    TOT_I64,
    TOT_TYPE_COUNT
} tot_type;

TOT_API const char *tot_type_text(tot_type type);  // "float32", ...
TOT_API size_t tot_type_size(tot_type type);       // bytes an element

enum { TOT_MAX_DIMENSIONS = 8 };

// A dense array, last index fastest, in the machine's byte order.
typedef struct tot_array {
    tot_type type;
    int dimensions;  // 0 .. TOT_MAX_DIMENSIONS; 0 is a single number
    int64_t shape[TOT_MAX_DIMENSIONS];
    void *data;       // 64-byte aligned when the library made it
    size_t capacity;  // bytes owned behind data; 0: borrowed, not freed
} tot_array;

// Elements in all (1 for a single number); 0 for a shape that cannot be.
TOT_API int64_t tot_array_count(const tot_array *array);

// Frees what is owned and clears the struct. array may be NULL or cleared already.
TOT_API void tot_array_free(tot_array *array);

// Reads a .npy (versions 1 to 3, f2 f4 f8 u1 b1 i4 i8, either byte order, C or Fortran order), or
// one array of an .npz: "FILE.npz:NAME", or "FILE.npz" when it holds a single array or one named
// `embeddings`. Whether a file is an .npz is seen from its first bytes, not from its name. Paths
// and names may hold a ':': the longest beginning that is a file counts.
// Halves become float32, exactly; bools become uint8, 0 or 1. Bytes after the array of a .npy are
// ignored, as numpy does, with a warning to the log; in an .npz they are an error.
// Never unpickles: object arrays are refused. Before memory is taken, what the header says is
// checked against what the file can hold. A file that shrinks meanwhile is an error.
// array is {0} or one read before, whose memory is used again where it is large enough; on failure
// it has no elements, and is still good for that and for tot_array_free.
TOT_API tot_status tot_array_load(tot_array *array, const char *path);

// The same from memory, .npy or .npz. name is only for the error text.
TOT_API tot_status tot_array_parse(tot_array *array, const void *bytes, size_t size,
                                   const char *name);

// Writes a .npy, version 1.0. Whole or absent: see tot_file_create.
TOT_API tot_status tot_array_save(const tot_array *array, const char *path);

// --- .npz --------------------------------------------------------------------------------------

typedef struct tot_npz tot_npz;

// Opens an .npz for reading: stored or deflated entries, zip64. Entries whose name does not end in
// ".npy" are left out; two arrays of one name are refused. For one thread at a time.
TOT_API tot_status tot_npz_open(tot_npz **npz, const char *path);

// From memory, which must stay until tot_npz_close. name is only for the error text.
TOT_API tot_status tot_npz_open_memory(tot_npz **npz, const void *bytes, size_t size,
                                       const char *name);

// How many arrays, and their names without ".npy", in the archive's order; NULL past the end. The
// name lives as long as npz.
TOT_API int64_t tot_npz_count(const tot_npz *npz);
TOT_API const char *tot_npz_name(const tot_npz *npz, int64_t index);
TOT_API bool tot_npz_has(const tot_npz *npz, const char *name);

// Reads one array, checking its CRC. array as in tot_array_load. Returns TOT_E_ARGUMENT when there
// is none of that name.
TOT_API tot_status tot_npz_read(tot_npz *npz, const char *name, tot_array *array);

// npz may be NULL.
TOT_API void tot_npz_close(tot_npz *npz);

typedef struct tot_npz_writer tot_npz_writer;

// Starts an .npz beside `path` under a temporary name. Entries are stored or deflated as asked and
// streamed: memory does not grow with what was added but by some bytes per entry. Equal arrays
// under equal names give equal files.
TOT_API tot_status tot_npz_create(tot_npz_writer **writer, const char *path, bool deflate);

// Adds one array. Names are unique, 1 to 200 letters of printable ASCII, no '/'. After a refused
// name or array the writer is as it was; after any other failure only tot_npz_discard is left, and
// tot_npz_commit fails.
TOT_API tot_status tot_npz_add(tot_npz_writer *writer, const char *name, const tot_array *array);

// Adds a text as a uint8 array (what `meta` is).
TOT_API tot_status tot_npz_add_text(tot_npz_writer *writer, const char *name, const char *text);

// Finishes, syncs and renames over `path`. The writer is gone either way; on failure `path` is as
// it was.
TOT_API tot_status tot_npz_commit(tot_npz_writer *writer);

// Gives up: removes the temporary file. writer may be NULL.
TOT_API void tot_npz_discard(tot_npz_writer *writer);

// --- whole or absent ---------------------------------------------------------------------------

typedef struct tot_file tot_file;

// A file written under a temporary name in the same folder. The same bytes are on disk under
// `path` after tot_file_commit (written, synced, renamed, folder synced), or `path` is as it was
// and the temporary file is gone. Links, files of several names (hard links), folders, devices and
// pipes are refused. A write that failed makes every later one and the commit fail alike.
TOT_API tot_status tot_file_create(tot_file **file, const char *path);
TOT_API tot_status tot_file_write(tot_file *file, const void *bytes, size_t size);
TOT_API tot_status tot_file_commit(tot_file *file);  // file is gone either way
TOT_API void tot_file_discard(tot_file *file);       // file may be NULL

#ifdef __cplusplus
}
#endif
#endif
