// The legacy format of a .pth: five pickles (a magic number, a version, information about the
// machine, the object, the keys of its storages), then each storage: the number of elements, and
// the elements.
#include "base/base.h"
#include "file/pth.h"

static const uint8_t magic[] = {0x6c, 0xfc, 0x9c, 0x46, 0xf9, 0x20, 0x6a, 0xa8, 0x50, 0x19};

enum { VERSION = 1001 };

typedef struct old_file {
    file_source *source;
    int64_t *positions;  // offset of the elements of each storage of the pickle; -1: missing
} old_file;

static bool is_magic(const file_pickle *pickle) {
    const file_pickle_value *root = &pickle->values[pickle->root];
    return root->kind == FILE_VALUE_LARGE && root->count == sizeof magic &&
           memcmp(pickle->texts + root->first, magic, sizeof magic) == 0;
}

static tot_status read_beginning(file_source *source) {
    file_pickle pickle;
    BASE_TRY(file_pickle_read(&pickle, source));
    const bool is_pth = is_magic(&pickle);
    file_pickle_free(&pickle);
    BASE_FAIL_IF(!is_pth, TOT_E_FORMAT, "%s: a pickle, but not one that PyTorch's save began",
                 source->name);
    BASE_TRY(file_pickle_read(&pickle, source));
    const file_pickle_value *version = &pickle.values[pickle.root];
    const bool is_known = version->kind == FILE_VALUE_NUMBER && version->number == VERSION;
    file_pickle_free(&pickle);
    BASE_FAIL_IF(!is_known, TOT_E_UNSUPPORTED, "%s: version of the file is not %d", source->name,
                 VERSION);
    // information about the machine that wrote it: storages are little-endian in any case
    BASE_TRY(file_pickle_read(&pickle, source));
    file_pickle_free(&pickle);
    return TOT_OK;
}

// --- storages ----------------------------------------------------------------------------------

static tot_status find_storage(const file_pickle *pickle, old_file *file, const char *key,
                               size_t length) {
    file_source *source = file->source;
    const size_t index = file_pickle_find_storage(pickle, key, length);
    BASE_FAIL_IF(index == pickle->storage_count, TOT_E_FORMAT,
                 "%s: storage '%.*s' belongs to no tensor", source->name, (int)length, key);
    BASE_FAIL_IF(file->positions[index] >= 0, TOT_E_FORMAT, "%s: storage '%.*s' stands twice",
                 source->name, (int)length, key);
    const int64_t at = source->position;
    uint64_t count = 0;
    BASE_TRY(file_source_read(source, &count, sizeof count, "size of a storage"));
    count = le64toh(count);
    BASE_FAIL_IF(count != (uint64_t)pickle->storages[index].count, TOT_E_FORMAT,
                 "%s: byte %lld: storage '%.*s' has %llu elements, its tensor says %lld",
                 source->name, (long long)at, (int)length, key, (unsigned long long)count,
                 (long long)pickle->storages[index].count);
    const uint64_t left = (uint64_t)(source->size - source->position);
    const uint64_t element = file_kind_size(pickle->storages[index].kind);
    BASE_FAIL_IF(count > left / element, TOT_E_FORMAT,
                 "%s: byte %lld: cut short: storage '%.*s' has %llu elements of %llu bytes, "
                 "%llu bytes are left",
                 source->name, (long long)at, (int)length, key, (unsigned long long)count,
                 (unsigned long long)element, (unsigned long long)left);
    file->positions[index] = source->position;
    source->position += (int64_t)(count * element);
    return TOT_OK;
}

// keys is the last pickle: a list of the keys in the order of the storages.
static tot_status find_storages(const file_pickle *pickle, const file_pickle *keys,
                                old_file *file) {
    const file_pickle_value *list = &keys->values[keys->root];
    BASE_FAIL_IF(list->kind != FILE_VALUE_LIST, TOT_E_FORMAT,
                 "%s: the keys of the storages are not a list", file->source->name);
    for (size_t k = 0; k < pickle->storage_count; k++) {
        file->positions[k] = -1;
    }
    uint32_t item = list->first;
    for (uint32_t k = 0; k < list->count; k++) {
        const file_pickle_value *key = &keys->values[keys->items[item].value];
        item = keys->items[item].next;
        BASE_FAIL_IF(key->kind != FILE_VALUE_TEXT, TOT_E_FORMAT,
                     "%s: the key of a storage is not a text", file->source->name);
        BASE_TRY(find_storage(pickle, file, keys->texts + key->first, key->count));
    }
    file_source_warn_of_rest(file->source, "storages");
    return TOT_OK;
}

static tot_status read_storage(file_pth *pth, size_t index, void *bytes, size_t size) {
    const old_file *file = pth->context;
    BASE_FAIL_IF(file->positions[index] < 0, TOT_E_FORMAT, "is not in the file");
    file->source->position = file->positions[index];
    return file_source_read(file->source, bytes, size, "storage");
}

// --- reading -----------------------------------------------------------------------------------

static tot_status read_keys(const file_pickle *pickle, old_file *file) {
    file_pickle keys;
    BASE_TRY(file_pickle_read(&keys, file->source));
    file->positions = base_alloc(pickle->storage_count, sizeof *file->positions, "storages");
    BASE_FINALLY(file->positions != NULL ? find_storages(pickle, &keys, file) : TOT_E_MEMORY,
                 file_pickle_free(&keys));
}

tot_status file_pth_old_read(tot_tensors *tensors, file_source *source) {
    old_file file = {.source = source};
    file_pickle pickle;
    BASE_TRY(read_beginning(source));
    BASE_TRY(file_pickle_read(&pickle, source));
    tot_status status = read_keys(&pickle, &file);
    if (status == TOT_OK) {
        file_pth pth = {.tensors = tensors,
                        .name = source->name,
                        .pickle = &pickle,
                        .context = &file,
                        .read = read_storage};
        status = file_pth_collect(&pth);
    }
    base_free(file.positions);
    file_pickle_free(&pickle);
    return status;
}
