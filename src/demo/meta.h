// The `meta` entry of a recording: JSON metadata about its trajectories.
#pragma once

#include <temporalot/demo.h>

// The largest seed or episode that a JSON double represents exactly.
#define DEMO_META_MOST 9007199254740991LL

// Adds the metadata to an archive.
tot_status demo_meta_write(const tot_recording *recording, tot_npz_writer *writer);

// Parses `length` bytes of JSON: fills in meta and creates the trajectories, with only seed,
// episode and attempts set. name is the file's, for error texts. On failure, free the recording
// with tot_recording_free.
tot_status demo_meta_read(tot_recording *recording, const char *text, size_t length,
                          const char *name);

// Reserves memory for `count` more trajectories.
tot_status demo_recording_reserve(tot_recording *recording, size_t count);

// The version of the Meta-world package that a folder of scenes belongs to, from the package's
// dist-info next to it; "" if there is none.
void demo_scenes_version(const char *folder, char *version, size_t size);
