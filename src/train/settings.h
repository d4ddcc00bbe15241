// The settings of a run by name.
#pragma once

#include <temporalot/train.h>

#include "base/settings.h"

// All settings of a run in the order of config.yaml: its own, the agent's, the reward's. Offsets
// are into tot_train_config.
const base_setting *train_settings(size_t *count);

// tot_train_load from memory. name is for the error text.
tot_status train_parse(tot_train_config *config, const void *bytes, size_t size, const char *name);

// All settings as the text of config.yaml; to be freed with base_free. NULL if out of memory.
char *train_config_text(const tot_train_config *config);

// The first setting in which two configs differ, ignoring those that only affect what is written,
// when and where; NULL if there is none.
const char *train_config_difference(const tot_train_config *a, const tot_train_config *b);

// The presets: files in configs/, embedded by cmake/embed.cmake, which has the same list.
#define TRAIN_PRESETS(X) X(quick) X(standard) X(pixels) X(paper)
#define TRAIN_PRESET(name)                            \
    extern const unsigned char train_preset_##name[]; \
    extern const size_t train_preset_##name##_size;
TRAIN_PRESETS(TRAIN_PRESET)
#undef TRAIN_PRESET
