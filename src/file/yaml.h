// Flat YAML: one mapping of names to single values, or to lists of them.
#pragma once

#include <temporalot/base.h>

typedef struct file_yaml_entry {
    char *key;
    char *value;    // a list: its values with commas between
    bool is_list;   // the value was written as a list
    size_t length;  // of the list
    int64_t line;
} file_yaml_entry;

// {0} is an empty one.
typedef struct file_yaml {
    file_yaml_entry *entries;  // [count], in the file's order
    size_t count;
    size_t capacity;
} file_yaml;

// TOT_E_FORMAT, with the line: not YAML, not a flat mapping, or a key that comes twice. On failure
// yaml is empty.
tot_status file_yaml_load(file_yaml *yaml, const char *path);

// The same from memory. name is for the error text.
tot_status file_yaml_parse(file_yaml *yaml, const void *bytes, size_t size, const char *name);

// yaml may be empty.
void file_yaml_free(file_yaml *yaml);
