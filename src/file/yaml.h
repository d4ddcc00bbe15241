// Flat YAML: one mapping of names to scalars or lists of scalars.
#pragma once

#include <temporalot/base.h>

typedef struct file_yaml_entry {
    char *key;
    char *value;    // of a list: its values separated by commas
    bool is_list;   // the value was written as a list
    size_t length;  // of the list
    int64_t line;
} file_yaml_entry;

// {0} is empty.
typedef struct file_yaml {
    file_yaml_entry *entries;  // [count], in file order
    size_t count;
    size_t capacity;
} file_yaml;

// TOT_E_FORMAT: not YAML, not a flat mapping, or a duplicate key; the message gives the line. On
// failure yaml is empty.
tot_status file_yaml_load(file_yaml *yaml, const char *path);

// The same from memory. name is used in error messages.
tot_status file_yaml_parse(file_yaml *yaml, const void *bytes, size_t size, const char *name);

// yaml may be empty.
void file_yaml_free(file_yaml *yaml);
