// What the files of this station share: settings as text, and threads that survive a fork.
#pragma once

#include <sys/types.h>

#include <temporalot/flat.h>
#include <temporalot/picture.h>

enum { FLAT_NAME = 64, FLAT_VALUE = 4096 };

// Takes one setting; names are written with '_'.
typedef tot_status (*flat_taker)(void *context, const char *name, const char *value);

// Gives every line of settings (may be NULL) to take.
tot_status flat_settings(const char *settings, flat_taker take, void *context);

// "off" or "on".
tot_status flat_switch(const char *name, const char *value, bool *on);

// The index of value among the words, which end in NULL.
tot_status flat_choice(const char *name, const char *value, const char *const *words, int *choice);

tot_status flat_int(const char *name, const char *value, int *number);

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

// A setting of pictures: camera, width, height, renderer, quality, upright, aspect, zoom. *taken is
// false when it is none. The camera's name is kept in `camera`, of FLAT_NAME bytes.
tot_status flat_picture_setting(tot_picture_settings *settings, char *camera, const char *name,
                                const char *value, bool *taken);
