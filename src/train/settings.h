// The settings of a run by name.
#ifndef TOT_TRAIN_SETTINGS_H
#define TOT_TRAIN_SETTINGS_H

#include <temporalot/train.h>

#include "base/settings.h"

// All settings of a run in the order of config.yaml: its own, the agent's, the reward's. Offsets
// are in tot_train_config.
const base_setting *train_settings(size_t *count);

// tot_train_load from memory. name is for the error text.
tot_status tot_train_parse(tot_train_config *config, const void *bytes, size_t size,
                           const char *name);

// All settings as the text of config.yaml; to be freed with tot_free. NULL: no memory.
char *tot_train_config_text(const tot_train_config *config);

// The first setting in which two differ, leaving out those that say only what is written when and
// where; NULL: none.
const char *tot_train_config_difference(const tot_train_config *a, const tot_train_config *b);

// The presets: files of configs/, embedded by cmake/embed.cmake, which has the same list.
#define TRAIN_PRESETS(X) X(quick) X(standard) X(pixels) X(paper)
#define TRAIN_PRESET(name)                          \
    extern const unsigned char tot_preset_##name[]; \
    extern const size_t tot_preset_##name##_size;
TRAIN_PRESETS(TRAIN_PRESET)
#undef TRAIN_PRESET

#endif
