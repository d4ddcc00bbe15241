// Pickles as PyTorch writes them: dictionaries, lists, tuples, texts, numbers and tensors. A pickle
// is a program for a small machine that, in Python, may call anything; this one knows none but the
// functions that make tensors and dictionaries, and calls nothing.
#ifndef TOT_FILE_PICKLE_H
#define TOT_FILE_PICKLE_H

#include "file/source.h"
#include "file/storage.h"

typedef enum tot_value_kind {
    TOT_VALUE_NONE,
    TOT_VALUE_BOOL,
    TOT_VALUE_NUMBER,   // 64 bits
    TOT_VALUE_LARGE,    // a whole number of more: its bytes, lowest first, like a text
    TOT_VALUE_FLOAT,    // no more is known of it
    TOT_VALUE_TEXT,     // `count` bytes from texts[first] on
    TOT_VALUE_TUPLE,    // `count` items, a chain from items[first] on
    TOT_VALUE_LIST,     // likewise
    TOT_VALUE_DICT,     // likewise, with keys
    TOT_VALUE_GLOBAL,   // one of the functions and classes that are known
    TOT_VALUE_STORAGE,  // storages[first]
    TOT_VALUE_TENSOR,   // values[first] is the tuple that it is made of
} tot_value_kind;

// Values refer to each other by their number in a pickle.
typedef struct tot_value {
    tot_value_kind kind;
    uint32_t first;
    union {
        int64_t number;
        struct {
            uint32_t count, last;
        };
    };
} tot_value;

#define TOT_NO_ITEM UINT32_MAX

typedef struct tot_item_link {
    uint32_t key;    // a value; only in dictionaries
    uint32_t value;  // a value
    uint32_t next;   // an item, or TOT_NO_ITEM
} tot_item_link;

// A storage that tensors are made of. Where its bytes are is the file's business, by its key.
typedef struct tot_storage_key {
    uint32_t text, length;  // in texts
    uint32_t value;         // one that stands for it
    tot_kind kind;
    int64_t count;  // elements
} tot_storage_key;

// All that one pickle holds. Bounded by its bytes: 16 for a value, 12 for an item.
typedef struct tot_pickle {
    uint32_t root;  // the value that it is
    int64_t size;   // bytes of the pickle
    tot_value *values;
    size_t value_count, value_capacity;
    tot_item_link *items;
    size_t item_count, item_capacity;
    char *texts;
    size_t text_size, text_capacity;
    tot_storage_key *storages;  // each once, by their key
    size_t storage_count, storage_capacity;
} tot_pickle;

// Runs one pickle, which begins at the source's position. Afterwards a source of a file or of
// memory stands right behind it. The text of a failure has the source's name and the byte.
tot_status tot_pickle_read(tot_pickle *pickle, tot_source *source);

// pickle may be cleared.
void tot_pickle_free(tot_pickle *pickle);

// The number of the storage with this key, or storage_count.
size_t tot_pickle_find_storage(const tot_pickle *pickle, const char *key, size_t length);

// What a tensor is a view of, and how.
void tot_pickle_view(const tot_pickle *pickle, const tot_value *tensor, size_t *storage,
                     tot_view *view);

#endif
