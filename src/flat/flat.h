// What the files of this station share: settings as text, and threads that survive a fork.
#pragma once

#include <float.h>
#include <sys/types.h>

#include <temporalot/flat.h>
#include <temporalot/picture.h>

#include "base/settings.h"

enum { FLAT_NAME = 64, FLAT_VALUE = 4096 };

// How pictures are drawn; the camera's name is kept beside it.
typedef struct flat_picture {
    tot_picture_settings settings;
    char camera[FLAT_NAME];
} flat_picture;

// Takes one setting; names are written with '_'.
typedef tot_status (*flat_taker)(void *context, const char *name, const char *value);

// Gives every line of settings (may be NULL) to take.
tot_status flat_settings(const char *settings, flat_taker take, void *context);

// A table of settings, each in the struct that is the context of flat_settings.
typedef struct flat_table {
    const char *what;  // "environment"
    const base_setting *rows;
    size_t count;
    const char *const *others;  // names that are taken elsewhere; ends in NULL
} flat_table;

// A row: of the field of a struct, under a name of its own.
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

// Sets what a row of the table names; picture is for camera, width and so on, and may be NULL.
tot_status flat_set(const flat_table *table, void *config, flat_picture *picture, const char *name,
                    const char *value);

// A pool that is made when it is first needed, and again in a child after a fork, where the threads
// of the old one are not.
typedef struct flat_threads {
    int threads;
    pid_t process;  // that started them; 0: none did
    tot_pool *pool;
} flat_threads;

// Fails for a number of threads that cannot be.
tot_status flat_threads_init(flat_threads *threads, int count);

int flat_threads_count(const flat_threads *threads);

// True when this process has yet to start them. The old pool is then forgotten: nobody can stop
// threads that are not there.
bool flat_threads_stale(flat_threads *threads);

tot_status flat_threads_start(flat_threads *threads);

void flat_threads_free(flat_threads *threads);

// NULL where there is no benchmark of that name; no error text is set.
const tot_family *flat_family_find(const char *name);
