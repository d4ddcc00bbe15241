// temporalot/file.h - reading and writing arrays as .npy and .npz. Damaged or incomplete files are
// rejected; files are written atomically.
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
    TOT_F16,  // in files only: read as TOT_F32; can be written
    TOT_U8,
    TOT_I32,
    TOT_I64,
    TOT_TYPE_COUNT
} tot_type;

TOT_API const char *tot_type_text(tot_type type);  // "float32", ...
TOT_API size_t tot_type_size(tot_type type);       // bytes per element

enum { TOT_MAX_DIMENSIONS = 8 };

// A dense array in row-major order (last index fastest) and native byte order.
typedef struct tot_array {
    tot_type type;
    int dimensions;  // 0 .. TOT_MAX_DIMENSIONS; 0 is a scalar
    int64_t shape[TOT_MAX_DIMENSIONS];
    void *data;       // 64-byte aligned if allocated by the library
    size_t capacity;  // bytes owned at data; 0: borrowed, not freed
} tot_array;

// Total number of elements (1 for a scalar); 0 if the shape is invalid.
TOT_API int64_t tot_array_count(const tot_array *array);

// Frees the owned memory and clears the struct. array may be NULL or already cleared.
TOT_API void tot_array_free(tot_array *array);

// Reads a .npy (versions 1 to 3; f2 f4 f8 u1 b1 i4 i8; either byte order; C or Fortran order), or
// one array of an .npz: "FILE.npz:NAME", or "FILE.npz" if it holds a single array or one named
// `embeddings`. An .npz is recognised by its first bytes, not by its name. Paths and names may
// contain ':'; the longest prefix that is a file is the path.
// float16 is converted to float32 (exactly), bool to uint8 (0 or 1). Extra bytes after the array
// are ignored in a .npy, as numpy does, with a warning in the log; in an .npz they are an error.
// Never unpickles: object arrays are rejected. The size in the header is checked against the size
// of the file before memory is allocated. A file that shrinks while it is read is an error.
// array is {0} or previously loaded, in which case its memory is reused if large enough. On failure
// it has no elements but can still be reused or passed to tot_array_free.
TOT_API tot_status tot_array_load(tot_array *array, const char *path);

// The same from memory, .npy or .npz. name is only used in error messages.
TOT_API tot_status tot_array_parse(tot_array *array, const void *bytes, size_t size,
                                   const char *name);

// Writes a .npy, version 1.0, atomically: see tot_file_create.
TOT_API tot_status tot_array_save(const tot_array *array, const char *path);

// --- .npz --------------------------------------------------------------------------------------

typedef struct tot_npz tot_npz;

// Opens an .npz for reading: stored or deflated entries, zip64. Entries whose names do not end in
// ".npy" are ignored; duplicate names are rejected. Not thread-safe.
TOT_API tot_status tot_npz_open(tot_npz **npz, const char *path);

// From memory, which must stay valid until tot_npz_close. name is only used in error messages.
TOT_API tot_status tot_npz_open_memory(tot_npz **npz, const void *bytes, size_t size,
                                       const char *name);

// Number of arrays, and their names without ".npy" in archive order; NULL past the end. A name is
// valid as long as npz.
TOT_API int64_t tot_npz_count(const tot_npz *npz);
TOT_API const char *tot_npz_name(const tot_npz *npz, int64_t index);
TOT_API bool tot_npz_has(const tot_npz *npz, const char *name);

// Reads one array and checks its CRC. array as in tot_array_load. Returns TOT_E_ARGUMENT if there
// is no array of that name.
TOT_API tot_status tot_npz_read(tot_npz *npz, const char *name, tot_array *array);

// npz may be NULL.
TOT_API void tot_npz_close(tot_npz *npz);

typedef struct tot_npz_writer tot_npz_writer;

// Starts an .npz under a temporary name in the folder of `path`. Entries are stored or deflated and
// streamed: memory grows only by a few bytes per entry. The same arrays under the same names give
// identical files.
TOT_API tot_status tot_npz_create(tot_npz_writer **writer, const char *path, bool deflate);

// Adds one array. Names must be unique, 1 to 200 characters of printable ASCII, without '/'. If the
// name or array is rejected the writer is unchanged; after any other failure only tot_npz_discard
// may follow, and tot_npz_commit fails.
TOT_API tot_status tot_npz_add(tot_npz_writer *writer, const char *name, const tot_array *array);

// Adds a string as a uint8 array (such as `meta`).
TOT_API tot_status tot_npz_add_text(tot_npz_writer *writer, const char *name, const char *text);

// Finishes the file, syncs it to disk and renames it to `path`. Frees the writer in any case; on
// failure `path` is unchanged.
TOT_API tot_status tot_npz_commit(tot_npz_writer *writer);

// Cancels: removes the temporary file. writer may be NULL.
TOT_API void tot_npz_discard(tot_npz_writer *writer);

// --- atomic files ------------------------------------------------------------------------------

typedef struct tot_file tot_file;

// A file written under a temporary name in the same folder. tot_file_commit syncs it, renames it to
// `path` and syncs the folder. If anything fails up to the rename, `path` is unchanged and the
// temporary file is removed; if only the folder cannot be synced, TOT_E_FILE is returned with the
// new file in place. Symbolic links, files with several hard links, folders, devices and pipes are
// rejected. After a failed write all later writes and the commit fail with the same error.
TOT_API tot_status tot_file_create(tot_file **file, const char *path);
TOT_API tot_status tot_file_write(tot_file *file, const void *bytes, size_t size);
TOT_API tot_status tot_file_commit(tot_file *file);  // frees file in any case
TOT_API void tot_file_discard(tot_file *file);       // file may be NULL

#ifdef __cplusplus
}
#endif
#endif
