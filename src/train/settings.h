// The settings of a run by name.
#ifndef TOT_TRAIN_SETTINGS_H
#define TOT_TRAIN_SETTINGS_H

#include <temporalot/train.h>

// tot_train_load from memory. name is for the error text.
tot_status tot_train_parse(tot_train_config *config, const void *bytes, size_t size,
                           const char *name);

// All settings as the text of config.yaml; to be freed with tot_free. NULL: no memory.
char *tot_train_config_text(const tot_train_config *config);

// The first setting in which two differ, leaving out those that say only what is written when and
// where; NULL: none.
const char *tot_train_config_difference(const tot_train_config *a, const tot_train_config *b);

// The files of configs/, see cmake/embed.cmake.
extern const unsigned char tot_preset_paper[];
extern const size_t tot_preset_paper_size;
extern const unsigned char tot_preset_quick[];
extern const size_t tot_preset_quick_size;

#endif
