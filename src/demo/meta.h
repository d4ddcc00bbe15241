// The text `meta` of a recording: what is known about its trajectories, as JSON.
#pragma once

#include <temporalot/demo.h>

// Seeds and episodes up to this are the same in JSON's doubles.
#define DEMO_META_MOST 9007199254740991LL

// Adds the text to an archive.
tot_status demo_meta_write(const tot_recording *recording, tot_npz_writer *writer);

// Reads a text of `length` bytes: fills in meta, and makes the trajectories, with where they came
// from and nothing else. name is the file's, for error texts. What was taken on failure is
// tot_recording_free's to free.
tot_status demo_meta_read(tot_recording *recording, const char *text, size_t length,
                          const char *name);

// Makes room for `count` more trajectories.
tot_status demo_recording_reserve(tot_recording *recording, size_t count);

// The version of the Meta-world package that a folder of scenes belongs to, by the package's
// dist-info beside it; "" when there is none.
void demo_scenes_version(const char *folder, char *version, size_t size);
