// A temporary folder for a test, and helpers for files in it.
#pragma once

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "asserts.h"

enum { TEST_PATH_SIZE = 512 };

static char test_folder[TEST_PATH_SIZE];

static inline int make_test_folder(void **state) {
    (void)state;
    const char *base = getenv("TMPDIR");
    snprintf(test_folder, sizeof test_folder, "%s/temporalot-test-XXXXXX",
             base != NULL ? base : "/tmp");
    return mkdtemp(test_folder) != NULL ? 0 : -1;
}

// The path of a file in the folder. Valid for the next seven calls.
static inline const char *in_folder(const char *name) {
    static char paths[8][2 * TEST_PATH_SIZE];
    static unsigned next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", test_folder, name);
    return path;
}

// The number of files in the folder; optionally removes them.
static inline int count_files(bool remove_them) {
    DIR *folder = opendir(test_folder);
    assert_non_null(folder);
    int count = 0;
    struct dirent *item;
    while ((item = readdir(folder)) != NULL) {
        if (strcmp(item->d_name, ".") == 0 || strcmp(item->d_name, "..") == 0) {
            continue;
        }
        count++;
        if (remove_them) {
            assert_int_equal(unlinkat(dirfd(folder), item->d_name, 0), 0);
        }
    }
    closedir(folder);
    return count;
}

static inline int empty_test_folder(void **state) {
    (void)state;
    count_files(true);
    return 0;
}

static inline int remove_test_folder(void **state) {
    empty_test_folder(state);
    return rmdir(test_folder);
}

static inline void write_bytes(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

// The bytes of a file, to be freed with free().
static inline uint8_t *read_bytes(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    struct stat status;
    assert_int_equal(fstat(fileno(file), &status), 0);
    *size = (size_t)status.st_size;
    uint8_t *bytes = malloc(*size + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    bytes[*size] = 0;
    return bytes;
}
