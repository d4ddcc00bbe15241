// Pickles as written by PyTorch: dictionaries, lists, tuples, strings, numbers and tensors. A
// pickle is a program for a small virtual machine that, in Python, can call anything; this one only
// knows the functions that construct tensors and dictionaries, and calls nothing.
#pragma once

#include "file/source.h"
#include "file/storage.h"

typedef enum file_value_kind {
    FILE_VALUE_NONE,
    FILE_VALUE_BOOL,
    FILE_VALUE_NUMBER,   // 64 bits
    FILE_VALUE_LARGE,    // a larger integer: its bytes, little-endian, stored like a string
    FILE_VALUE_FLOAT,    // its value is not kept
    FILE_VALUE_TEXT,     // `count` bytes from texts[first]
    FILE_VALUE_TUPLE,    // `count` items, a linked list from items[first]
    FILE_VALUE_LIST,     // likewise
    FILE_VALUE_DICT,     // likewise, with keys
    FILE_VALUE_GLOBAL,   // one of the known functions and classes
    FILE_VALUE_STORAGE,  // storages[first]
    FILE_VALUE_TENSOR,   // values[first] is the tuple of its arguments
} file_value_kind;

// Values refer to each other by their index in the pickle.
typedef struct file_pickle_value {
    file_value_kind kind;
    uint32_t first;
    union {
        int64_t number;
        struct {
            uint32_t count, last;
        };
    };
} file_pickle_value;

#define FILE_NO_ITEM UINT32_MAX

typedef struct file_item_link {
    uint32_t key;    // index of a value; only in dictionaries
    uint32_t value;  // index of a value
    uint32_t next;   // index of an item, or FILE_NO_ITEM
} file_item_link;

// A storage that tensors refer to. The file format locates its bytes by the key.
typedef struct file_storage_key {
    uint32_t text, length;  // in texts
    uint32_t value;         // a value that represents it
    file_kind kind;
    int64_t count;  // elements
} file_storage_key;

// The content of a pickle. Bounded by its size: 16 bytes for a value, 12 for an item.
typedef struct file_pickle {
    uint32_t root;  // index of the top-level value
    int64_t size;   // bytes of the pickle
    file_pickle_value *values;
    size_t value_count, value_capacity;
    file_item_link *items;
    size_t item_count, item_capacity;
    char *texts;
    size_t text_size, text_capacity;
    file_storage_key *storages;  // unique, sorted by key
    size_t storage_count, storage_capacity;
} file_pickle;

// Runs the pickle at the source's position. Afterwards a source of a file or memory is positioned
// right after it. Error messages contain the source's name and the byte offset.
tot_status file_pickle_read(file_pickle *pickle, file_source *source);

// pickle may be zeroed.
void file_pickle_free(file_pickle *pickle);

// The index of the storage with this key, or storage_count.
size_t file_pickle_find_storage(const file_pickle *pickle, const char *key, size_t length);

// The storage of a tensor, and its view of it.
void file_pickle_view(const file_pickle *pickle, const file_pickle_value *tensor, size_t *storage,
                      file_view *view);
