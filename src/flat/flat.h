// Shared by the files of this folder: settings as text, and threads that survive a fork.
#pragma once

#include <float.h>
#include <sys/types.h>

#include <temporalot/flat.h>
#include <temporalot/picture.h>

#include "base/settings.h"

enum { FLAT_NAME = 64, FLAT_VALUE = 4096 };

// Rendering settings, with storage for the camera's name.
typedef struct flat_picture {
    tot_picture_settings settings;
    char camera[FLAT_NAME];
} flat_picture;

static inline size_t flat_picture_bytes(const flat_picture *picture) {
    return (size_t)picture->settings.width * (size_t)picture->settings.height * 3;
}

// Applies one setting; names use '_'.
typedef tot_status (*flat_taker)(void *context, const char *name, const char *value);

// Calls take for every line of settings (may be NULL).
tot_status flat_settings(const char *settings, flat_taker take, void *context);

// A table of settings, stored in the struct passed as context to flat_settings.
typedef struct flat_table {
    const char *what;  // "environment"
    const base_setting *rows;
    size_t count;
    const char *const *others;  // names that are handled elsewhere; NULL-terminated
} flat_table;

// A row: a field of a struct, under a given name.
#define FLAT_ROW(owner, type, name, field, from, to)                                          \
    {                                                                                         \
        name, BASE_KIND_##type, BASE_RESULT, offsetof(owner, field), BASE_SIZE(owner, field), \
            BASE_RANGE_##type(from, to), NULL                                                 \
    }
#define FLAT_INT(owner, name, field)         FLAT_ROW(owner, count, name, field, -INT32_MAX, INT32_MAX)
#define FLAT_COUNT(owner, name, field)       FLAT_ROW(owner, count, name, field, INT64_MIN, INT64_MAX)
#define FLAT_REAL(owner, name, field)        FLAT_ROW(owner, real, name, field, -DBL_MAX, DBL_MAX)
#define FLAT_WORD(owner, name, field, words) FLAT_ROW(owner, choice, name, field, words, )
#define FLAT_TEXT(owner, name, field)        FLAT_ROW(owner, text, name, field, , )

// Applies the setting of that name. picture: for camera, width etc.; may be NULL.
tot_status flat_set(const flat_table *table, void *config, flat_picture *picture, const char *name,
                    const char *value);

// A pool created on first use, and again in a child process after a fork, which does not inherit
// threads.
typedef struct flat_threads {
    int count;
    pid_t process;  // the process that started the threads; 0: none yet
    tot_pool *pool;
} flat_threads;

// TOT_E_ARGUMENT for an invalid number of threads.
tot_status flat_threads_init(flat_threads *threads, int count);

// True if this process has not started the threads yet. An inherited pool is then dropped: threads
// that do not exist cannot be stopped.
bool flat_threads_stale(flat_threads *threads);

tot_status flat_threads_start(flat_threads *threads);

void flat_threads_free(flat_threads *threads);

// NULL if there is no benchmark of that name; sets no error text.
const tot_family *flat_family_find(const char *name);
