// Collects the tensors in the content of a pickle.
#include "file/pth.h"

#include "base/base.h"

enum {
    LONGEST_NAME = 1000,
    DEEPEST = 32,
};

typedef struct walk {
    file_pth *pth;
    file_storage *storages;  // one per storage of the pickle
    int64_t left;            // remaining budget of the traversal
    size_t length;
    char name[LONGEST_NAME + 1];  // the keys so far, joined by '.'
} walk;

// --- one tensor --------------------------------------------------------------------------------

static tot_status read_storage(walk *at, size_t index) {
    file_pth *pth = at->pth;
    file_storage *storage = &at->storages[index];
    if (storage->bytes != NULL) {
        return TOT_OK;
    }
    const file_storage_key *key = &pth->pickle->storages[index];
    storage->kind = key->kind;
    storage->count = key->count;
    tot_status status = file_storage_make(pth->tensors, storage);
    if (status == TOT_OK) {
        const size_t size = (size_t)storage->count * file_kind_size(storage->kind);
        status = pth->read(pth, index, storage->bytes, size);
    }
    if (status != TOT_OK) {
        return base_fail_in(status, "storage '%.*s'", (int)key->length,
                            pth->pickle->texts + key->text);
    }
    file_storage_order(storage, pth->is_big);
    return TOT_OK;
}

static tot_status add_tensor(walk *at, const file_pickle_value *tensor) {
    size_t index;
    file_view view = {0};
    file_pickle_view(at->pth->pickle, tensor, &index, &view);
    tot_status status = read_storage(at, index);
    BASE_THEN(status, file_tensors_add(at->pth->tensors, at->name, &at->storages[index], &view));
    return status == TOT_OK ? TOT_OK
                            : base_fail_in(status, "%s: tensor '%.200s'", at->pth->name, at->name);
}

// --- dictionaries ------------------------------------------------------------------------------

static bool holds_more(const file_pickle_value *value) {
    return value->kind == FILE_VALUE_TENSOR || value->kind == FILE_VALUE_DICT ||
           value->kind == FILE_VALUE_LIST || value->kind == FILE_VALUE_TUPLE;
}

// Appends a key to the name. The keys of a list are the indices of its items.
static tot_status lengthen_name(walk *at, const file_pickle_value *container,
                                const file_item_link *item, uint32_t number) {
    const file_pickle *pickle = at->pth->pickle;
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%u", (unsigned)number);
    const char *text = digits;
    if (container->kind == FILE_VALUE_DICT) {
        const file_pickle_value *key = &pickle->values[item->key];
        if (key->kind == FILE_VALUE_TEXT) {
            text = pickle->texts + key->first;
            length = (int)key->count;
        } else if (key->kind == FILE_VALUE_NUMBER) {
            length = snprintf(digits, sizeof digits, "%lld", (long long)key->number);
        } else {
            return base_fail(TOT_E_UNSUPPORTED, "%s: a key in '%.200s' is neither text nor number",
                             at->pth->name, at->name);
        }
    }
    const size_t dot = at->length > 0 ? 1 : 0;
    BASE_FAIL_IF((size_t)length > LONGEST_NAME - dot - at->length, TOT_E_UNSUPPORTED,
                 "%s: a name in '%.200s' has more than %d letters", at->pth->name, at->name,
                 LONGEST_NAME);
    BASE_FAIL_IF(length > 0 && memchr(text, '\0', (size_t)length) != NULL, TOT_E_FORMAT,
                 "%s: a key in '%.200s' has a zero byte", at->pth->name, at->name);
    if (dot != 0) {
        at->name[at->length++] = '.';
    }
    memcpy(at->name + at->length, text, (size_t)length);
    at->length += (size_t)length;
    at->name[at->length] = '\0';
    return TOT_OK;
}

static tot_status walk_container(walk *at, const file_pickle_value *container, int depth) {
    const file_pickle *pickle = at->pth->pickle;
    BASE_FAIL_IF(depth > DEEPEST, TOT_E_UNSUPPORTED, "%s: '%.200s' is nested more than %d deep",
                 at->pth->name, at->name, DEEPEST);
    const size_t length = at->length;
    uint32_t next = container->first;
    for (uint32_t k = 0; k < container->count; k++) {
        const file_item_link *item = &pickle->items[next];
        const file_pickle_value *value = &pickle->values[item->value];
        next = item->next;
        // a dictionary that is referenced many times, or contains itself, could be traversed
        // endlessly
        at->left -= 1 + (int64_t)at->length;
        BASE_FAIL_IF(at->left < 0, TOT_E_FORMAT,
                     "%s: dictionaries that hold each other again and again", at->pth->name);
        if (!holds_more(value)) {
            continue;
        }
        BASE_TRY(lengthen_name(at, container, item, k));
        BASE_TRY(value->kind == FILE_VALUE_TENSOR ? add_tensor(at, value)
                                                  : walk_container(at, value, depth + 1));
        at->length = length;
        at->name[length] = '\0';
    }
    return TOT_OK;
}

tot_status file_pth_collect(file_pth *pth) {
    const file_pickle *pickle = pth->pickle;
    const file_pickle_value *root = &pickle->values[pickle->root];
    BASE_FAIL_IF(root->kind == FILE_VALUE_TENSOR || !holds_more(root), TOT_E_UNSUPPORTED,
                 "%s: holds a single %s, not a dictionary of tensors", pth->name,
                 root->kind == FILE_VALUE_TENSOR ? "tensor" : "value");
    // a state_dict has about a hundred bytes per tensor
    walk at = {.pth = pth, .left = 65536 + 64 * pickle->size};
    BASE_ALLOC_ZERO(at.storages, pickle->storage_count, "storages");
    const tot_status status = walk_container(&at, root, 1);
    for (size_t k = 0; k < pickle->storage_count; k++) {
        file_storage_drop(&at.storages[k]);
    }
    base_free(at.storages);
    return status;
}
