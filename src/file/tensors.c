// The named tensors of a weight file: the object, and the choice of its reader.
#include "file/tensors.h"

#include <ctype.h>

#include "base/base.h"
#include "file/sha256.h"

// --- adding ------------------------------------------------------------------------------------

tot_status file_storage_make(tot_tensors *tensors, file_storage *storage) {
    // a count may be arbitrarily large: it is compared, not multiplied
    const int64_t left = tensors->size - tensors->stored;
    const int64_t element = (int64_t)file_kind_size(storage->kind);
    BASE_FAIL_IF(storage->count < 0 || storage->count > left / element, TOT_E_FORMAT,
                 "needs %lld elements of %lld bytes, more than the file can hold",
                 (long long)storage->count, (long long)element);
    storage->bytes = base_alloc((size_t)storage->count, (size_t)element, "storage of tensors");
    BASE_HAVE(storage->bytes);
    tensors->stored += storage->count * element;
    return TOT_OK;
}

void file_storage_drop(file_storage *storage) {
    if (!storage->lent) {
        base_free(storage->bytes);
    }
    storage->bytes = NULL;
}

// Hands the memory over to the tensors.
static tot_status keep_block(tot_tensors *tensors, void *block) {
    BASE_GROW(tensors->blocks, tensors->block_capacity, tensors->block_count,
              tensors->block_count + 1, "tensors");
    tensors->blocks[tensors->block_count++] = block;
    return TOT_OK;
}

// Copies a tensor that cannot point into its storage. With strides of 0 it can be far larger than
// the storage, and any number of tensors can be views of one storage. The limit is four times the
// file size, enough for halves that appear under two names.
static tot_status lay_out(tot_tensors *tensors, const file_storage *storage, const file_view *view,
                          tot_array *array) {
    const int64_t bytes = tot_array_count(array) * (int64_t)tot_type_size(array->type);
    const int64_t most = tensors->size > INT64_MAX / 4 ? INT64_MAX : 4 * tensors->size;
    BASE_FAIL_IF(bytes > most - tensors->copied, TOT_E_FORMAT,
                 "is laid out in %lld bytes, too many for a file of %lld (an expanded view?)",
                 (long long)bytes, (long long)tensors->size);
    char *data = base_alloc((size_t)bytes, 1, "tensor");
    BASE_HAVE(data);
    if (keep_block(tensors, data) != TOT_OK) {
        base_free(data);
        return TOT_E_MEMORY;
    }
    tensors->copied += bytes;
    file_view_lay_out(view, storage, data);
    array->data = data;
    return TOT_OK;
}

static tot_status lend(tot_tensors *tensors, file_storage *storage, tot_array *array) {
    if (!storage->lent) {
        BASE_TRY(keep_block(tensors, storage->bytes));
        storage->lent = true;
    }
    array->data = storage->bytes;
    return TOT_OK;
}

tot_status file_tensors_add(tot_tensors *tensors, const char *name, file_storage *storage,
                            const file_view *view) {
    int64_t count = 0;
    BASE_TRY(file_view_measure(view, storage->count, &count));
    const tot_type type = file_kind_type(storage->kind);
    tot_array array = {.type = type, .dimensions = view->dimensions};
    memcpy(array.shape, view->shape, (size_t)view->dimensions * sizeof array.shape[0]);
    const bool as_it_is = file_kind_size(storage->kind) == tot_type_size(type) &&
                          storage->kind != FILE_KIND_BOOL && view->offset == 0;
    BASE_TRY(as_it_is && file_view_is_dense(view) ? lend(tensors, storage, &array)
                                                  : lay_out(tensors, storage, view, &array));
    BASE_GROW(tensors->entries, tensors->capacity, tensors->count, tensors->count + 1, "tensors");
    file_named_tensor *entry = &tensors->entries[tensors->count];
    *entry = (file_named_tensor){.name = base_copy_text(name), .array = array};
    BASE_HAVE(entry->name);
    tensors->count++;
    return TOT_OK;
}

// --- by name -----------------------------------------------------------------------------------

static int compare_with_name(const void *name, const void *entry) {
    return strcmp(name, (*(const file_named_tensor *const *)entry)->name);
}

static int compare_names(const void *a, const void *b) {
    return compare_with_name((*(const file_named_tensor *const *)a)->name, b);
}

static tot_status sort_names(tot_tensors *tensors) {
    BASE_ALLOC(tensors->sorted, tensors->count, "names of tensors");
    for (size_t k = 0; k < tensors->count; k++) {
        tensors->sorted[k] = &tensors->entries[k];
    }
    qsort(tensors->sorted, tensors->count, sizeof *tensors->sorted, compare_names);
    for (size_t k = 1; k < tensors->count; k++) {
        BASE_FAIL_IF(compare_names(&tensors->sorted[k - 1], &tensors->sorted[k]) == 0, TOT_E_FORMAT,
                     "%s: two tensors are named '%.200s'", tensors->source,
                     tensors->sorted[k]->name);
    }
    return TOT_OK;
}

const tot_array *tot_tensors_find(const tot_tensors *tensors, const char *name) {
    BASE_NEED_OR(NULL, tensors, name);
    const file_named_tensor *const *found =
        bsearch(name, tensors->sorted, tensors->count, sizeof *tensors->sorted, compare_with_name);
    return found != NULL ? &(*found)->array : NULL;
}

BASE_GETTER(size_t, tot_tensors_count, tot_tensors, tensors, 0, tensors->count)

BASE_ITEM(const char *, tot_tensors_name, tot_tensors, tensors, tensors->count,
          tensors->entries[index].name)

BASE_ITEM(const tot_array *, tot_tensors_at, tot_tensors, tensors, tensors->count,
          &tensors->entries[index].array)

BASE_GETTER(const char *, tot_tensors_source, tot_tensors, tensors, NULL, tensors->source)

void tot_tensors_free(tot_tensors *tensors) {
    BASE_UNLESS_NULL(tensors);
    for (size_t k = 0; k < tensors->block_count; k++) {
        base_free(tensors->blocks[k]);
    }
    for (size_t k = 0; k < tensors->count; k++) {
        base_free(tensors->entries[k].name);
    }
    BASE_RELEASE(tensors->blocks, tensors->sorted, tensors->entries, tensors->source, tensors);
}

// --- reading -----------------------------------------------------------------------------------

// Detects the format. A safetensors has the '{' of its header after the header's length, where
// neither a zip nor a pickle by PyTorch has one.
static tot_status read_source(tot_tensors *tensors, file_source *source) {
    uint8_t first[9] = {0};
    const size_t size = source->size < (int64_t)sizeof first ? (size_t)source->size : sizeof first;
    BASE_TRY(source->read(source, first, size));
    if (first[8] == '{') {
        return file_safetensors_read(tensors, source);
    }
    if (memcmp(first, "PK\3\4", 4) == 0 || memcmp(first, "PK\5\6", 4) == 0) {
        return file_pth_zip_read(tensors, source);
    }
    if (first[0] == 0x80) {
        return file_pth_old_read(tensors, source);
    }
    return base_fail(TOT_E_FORMAT,
                     "%s: is not a weight file: neither a .pth of PyTorch nor a .safetensors",
                     source->name);
}

static tot_status read_tensors(tot_tensors **tensors, file_source *source) {
    BASE_NEW(tot_tensors, made, "tensors");
    made->size = source->size;
    made->source = base_copy_text(source->name);
    tot_status status = made->source != NULL ? read_source(made, source) : TOT_E_MEMORY;
    BASE_THEN(status, sort_names(made));
    BASE_GIVE(status, tensors, made, tot_tensors_free);
}

tot_status tot_tensors_parse(tot_tensors **tensors, const void *bytes, size_t size,
                             const char *name) {
    BASE_NEED(tensors, bytes, name);
    *tensors = NULL;
    file_source source;
    file_source_from_memory(&source, bytes, size, name);
    return read_tensors(tensors, &source);
}

// --- hashes in file names ----------------------------------------------------------------------

// The hex digits at the end of "NAME-DIGITS.pth"; *length is 0 if there are none, or too few or too
// many for a hash.
static const char *hash_in_name(const char *path, size_t *length) {
    const char *end = path + strlen(path);
    *length = 0;
    if (end - path < 4 || strcmp(end - 4, ".pth") != 0) {
        return path;
    }
    end -= 4;
    const char *start = end;
    while (start > path && isxdigit((unsigned char)start[-1])) {
        start--;
    }
    const size_t digits = (size_t)(end - start);
    if (start > path && start[-1] == '-' && digits >= 8 && digits < FILE_SHA256_TEXT) {
        *length = digits;
    }
    return start;
}

static tot_status check_hash(file_source *source) {
    size_t length;
    const char *digits = hash_in_name(source->name, &length);
    if (length == 0) {
        return TOT_OK;
    }
    file_sha256 *sum = NULL;
    char text[FILE_SHA256_TEXT] = "";
    BASE_TRY(file_sha256_start(&sum));
    const tot_status status = file_sha256_add_source(sum, source);
    file_sha256_finish(sum, text);
    base_free(sum);
    BASE_TRY(status);
    source->position = 0;
    BASE_FAIL_IF(strncasecmp(text, digits, length) != 0, TOT_E_FORMAT,
                 "%s: its SHA-256 begins with %.*s, its name says %.*s: it is damaged, or "
                 "must be renamed if these digits are no hash",
                 source->name, (int)length, text, (int)length, digits);
    return TOT_OK;
}

tot_status tot_tensors_load(tot_tensors **tensors, const char *path) {
    BASE_NEED(tensors, path);
    *tensors = NULL;
    file_source source;
    BASE_TRY(file_source_open(&source, path, NULL));
    tot_status status = check_hash(&source);
    BASE_THEN(status, read_tensors(tensors, &source));
    file_source_close(&source);
    return status;
}
