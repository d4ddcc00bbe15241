// Pickles as PyTorch writes them: dictionaries, lists, tuples, texts, numbers and tensors. A pickle
// is a program for a small machine that, in Python, may call anything; this one knows none but the
// functions that make tensors and dictionaries, and calls nothing.
#pragma once

#include "file/source.h"
#include "file/storage.h"

typedef enum file_value_kind {
    FILE_VALUE_NONE,
    FILE_VALUE_BOOL,
    FILE_VALUE_NUMBER,   // 64 bits
    FILE_VALUE_LARGE,    // a whole number of more: its bytes, lowest first, like a text
    FILE_VALUE_FLOAT,    // no more is known of it
    FILE_VALUE_TEXT,     // `count` bytes from texts[first] on
    FILE_VALUE_TUPLE,    // `count` items, a chain from items[first] on
    FILE_VALUE_LIST,     // likewise
    FILE_VALUE_DICT,     // likewise, with keys
    FILE_VALUE_GLOBAL,   // one of the functions and classes that are known
    FILE_VALUE_STORAGE,  // storages[first]
    FILE_VALUE_TENSOR,   // values[first] is the tuple that it is made of
} file_value_kind;

// Values refer to each other by their number in a pickle.
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
    uint32_t key;    // a value; only in dictionaries
    uint32_t value;  // a value
    uint32_t next;   // an item, or FILE_NO_ITEM
} file_item_link;

// A storage that tensors are made of. Where its bytes are is the file's business, by its key.
typedef struct file_storage_key {
    uint32_t text, length;  // in texts
    uint32_t value;         // one that stands for it
    file_kind kind;
    int64_t count;  // elements
} file_storage_key;

// All that one pickle holds. Bounded by its bytes: 16 for a value, 12 for an item.
typedef struct file_pickle {
    uint32_t root;  // the value that it is
    int64_t size;   // bytes of the pickle
    file_pickle_value *values;
    size_t value_count, value_capacity;
    file_item_link *items;
    size_t item_count, item_capacity;
    char *texts;
    size_t text_size, text_capacity;
    file_storage_key *storages;  // each once, by their key
    size_t storage_count, storage_capacity;
} file_pickle;

// Runs one pickle, which begins at the source's position. Afterwards a source of a file or of
// memory stands right behind it. The text of a failure has the source's name and the byte.
tot_status file_pickle_read(file_pickle *pickle, file_source *source);

// pickle may be cleared.
void file_pickle_free(file_pickle *pickle);

// The number of the storage with this key, or storage_count.
size_t file_pickle_find_storage(const file_pickle *pickle, const char *key, size_t length);

// What a tensor is a view of, and how.
void file_pickle_view(const file_pickle *pickle, const file_pickle_value *tensor, size_t *storage,
                      file_view *view);
