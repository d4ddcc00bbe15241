// A .safetensors: the length of the header in 8 bytes, the header in JSON, and the data of all
// tensors, contiguous.
#include <cjson/cJSON.h>

#include "base/base.h"
#include "file/array.h"
#include "file/tensors.h"

// The limit of the format's own library.
static const uint64_t largest_header = 100000000;

// Larger integers are not exact in JSON.
static const double largest_number = 9007199254740992.0;

typedef struct header {
    const char *name;  // of the file, for error messages
    int64_t start;     // offset of the data in the file
    int64_t size;      // bytes of data
    cJSON *root;
} header;

// A tensor as described in the header.
typedef struct described {
    const char *name;
    file_kind kind;
    file_view view;
    int64_t count;
    int64_t from, to;  // byte offsets in the data
} described;

static tot_status read_header(file_source *source, header *about) {
    uint64_t length = 0;
    BASE_TRY(file_source_read(source, &length, sizeof length, "length of the header"));
    length = le64toh(length);
    const uint64_t left = (uint64_t)(source->size - source->position);
    BASE_FAIL_IF(length > left || length > largest_header, TOT_E_FORMAT,
                 "%s: byte 0: the header says it has %llu bytes: %llu follow, and at most "
                 "%llu are read",
                 source->name, (unsigned long long)length, (unsigned long long)left,
                 (unsigned long long)largest_header);
    char *text = base_alloc(length + 1, 1, "header");
    BASE_HAVE(text);
    tot_status status = file_source_read(source, text, length, "header");
    if (status == TOT_OK) {
        const char *end = NULL;
        text[length] = '\0';
        about->root = cJSON_ParseWithLengthOpts(text, length + 1, &end, 1);
        if (!cJSON_IsObject(about->root)) {
            status = base_fail(TOT_E_FORMAT, "%s: byte %lld: the header is not a JSON object",
                               source->name, (long long)(8 + (end != NULL ? end - text : 0)));
        }
    }
    base_free(text);
    about->start = source->position;
    about->size = source->size - source->position;
    return status;
}

// --- one tensor --------------------------------------------------------------------------------

static bool whole_number(const cJSON *item, int64_t *number) {
    if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0) || item->valuedouble > largest_number ||
        item->valuedouble != floor(item->valuedouble)) {
        return false;
    }
    *number = (int64_t)item->valuedouble;
    return true;
}

static tot_status read_kind(const cJSON *item, file_kind *kind) {
    static const char *const names[FILE_KIND_COUNT] = {
        [FILE_KIND_F32] = "F32",   [FILE_KIND_F64] = "F64", [FILE_KIND_F16] = "F16",
        [FILE_KIND_BF16] = "BF16", [FILE_KIND_U8] = "U8",   [FILE_KIND_BOOL] = "BOOL",
        [FILE_KIND_I32] = "I32",   [FILE_KIND_I64] = "I64",
    };
    const char *name = cJSON_GetStringValue(item);
    BASE_FAIL_IF(name == NULL, TOT_E_FORMAT, "dtype is missing, or not a text");
    for (int k = 0; k < FILE_KIND_COUNT; k++) {
        if (strcmp(name, names[k]) == 0) {
            *kind = (file_kind)k;
            return TOT_OK;
        }
    }
    return base_fail(TOT_E_UNSUPPORTED, "numbers of the kind '%.40s' are not read here", name);
}

static tot_status read_shape(const cJSON *list, described *tensor) {
    BASE_FAIL_IF(!cJSON_IsArray(list), TOT_E_FORMAT, "shape is missing, or not a list");
    file_view *view = &tensor->view;
    const cJSON *item;
    cJSON_ArrayForEach(item, list) {
        BASE_FAIL_IF(view->dimensions == TOT_MAX_DIMENSIONS, TOT_E_UNSUPPORTED,
                     "shape has more than %d dimensions", TOT_MAX_DIMENSIONS);
        BASE_FAIL_IF(!whole_number(item, &view->shape[view->dimensions]), TOT_E_FORMAT,
                     "shape: dimension %d is not a size", view->dimensions);
        view->dimensions++;
    }
    return TOT_OK;
}

static tot_status read_offsets(const cJSON *list, const header *about, described *tensor) {
    BASE_FAIL_IF(!cJSON_IsArray(list) || cJSON_GetArraySize(list) != 2 ||
                     !whole_number(list->child, &tensor->from) ||
                     !whole_number(list->child->next, &tensor->to),
                 TOT_E_FORMAT, "data_offsets is missing, or not two sizes");
    BASE_FAIL_IF(tensor->from > tensor->to || tensor->to > about->size, TOT_E_FORMAT,
                 "data_offsets are %lld to %lld, outside of the file's %lld bytes of data",
                 (long long)tensor->from, (long long)tensor->to, (long long)about->size);
    return TOT_OK;
}

static tot_status read_description(const cJSON *item, const header *about, described *tensor) {
    *tensor = (described){.name = item->string};
    BASE_FAIL_IF(!cJSON_IsObject(item), TOT_E_FORMAT, "is not an object");
    BASE_TRY(read_kind(cJSON_GetObjectItemCaseSensitive(item, "dtype"), &tensor->kind));
    BASE_TRY(read_shape(cJSON_GetObjectItemCaseSensitive(item, "shape"), tensor));
    BASE_TRY(read_offsets(cJSON_GetObjectItemCaseSensitive(item, "data_offsets"), about, tensor));
    size_t bytes = 0;
    BASE_TRY(file_shape_measure(tensor->view.shape, tensor->view.dimensions,
                                file_kind_size(tensor->kind), &tensor->count, &bytes, "shape"));
    file_view_make_dense(&tensor->view);
    BASE_FAIL_IF((uint64_t)(tensor->to - tensor->from) != bytes, TOT_E_FORMAT,
                 "its shape needs %zu bytes, data_offsets give %lld", bytes,
                 (long long)(tensor->to - tensor->from));
    return TOT_OK;
}

// --- all tensors -------------------------------------------------------------------------------

static int compare_places(const void *a, const void *b) {
    const described *left = a, *right = b;
    if (left->from != right->from) {
        return left->from < right->from ? -1 : 1;
    }
    return (left->to > right->to) - (left->to < right->to);
}

// Every byte must belong to exactly one tensor.
static tot_status check_places(const header *about, const described *tensors, size_t count) {
    described *sorted = base_alloc(count, sizeof *sorted, "header");
    BASE_HAVE(sorted);
    if (count > 0) {
        memcpy(sorted, tensors, count * sizeof *sorted);
        qsort(sorted, count, sizeof *sorted, compare_places);
    }
    tot_status status = TOT_OK;
    int64_t end = 0;
    for (size_t k = 0; k < count && status == TOT_OK; k++) {
        if (sorted[k].from != end) {
            status =
                base_fail(TOT_E_FORMAT,
                          "%s: tensor '%.200s' begins at byte %lld of the data, where the one "
                          "before ends at %lld",
                          about->name, sorted[k].name, (long long)sorted[k].from, (long long)end);
        }
        end = sorted[k].to;
    }
    base_free(sorted);
    if (status == TOT_OK && end != about->size) {
        status = base_fail(TOT_E_FORMAT, "%s: the tensors end at byte %lld of %lld of data",
                           about->name, (long long)end, (long long)about->size);
    }
    return status;
}

static tot_status read_tensor(tot_tensors *tensors, file_source *source, const header *about,
                              const described *tensor) {
    file_storage storage = {.kind = tensor->kind, .count = tensor->count};
    tot_status status = file_storage_make(tensors, &storage);
    if (status == TOT_OK) {
        source->position = about->start + tensor->from;
        status =
            file_source_read(source, storage.bytes, (size_t)(tensor->to - tensor->from), "tensor");
    }
    if (status == TOT_OK) {
        file_storage_order(&storage, false);
        status = file_tensors_add(tensors, tensor->name, &storage, &tensor->view);
    }
    file_storage_drop(&storage);
    return status;
}

static tot_status read_descriptions(const header *about, described *found, size_t *count) {
    const cJSON *item;
    *count = 0;
    cJSON_ArrayForEach(item, about->root) {
        if (strcmp(item->string, "__metadata__") == 0) {
            continue;
        }
        const tot_status status = read_description(item, about, &found[*count]);
        if (status != TOT_OK) {
            return base_fail_in(status, "%s: tensor '%.200s'", about->name, item->string);
        }
        (*count)++;
    }
    return check_places(about, found, *count);
}

static tot_status read_all(tot_tensors *tensors, file_source *source, const header *about) {
    size_t count = (size_t)cJSON_GetArraySize(about->root);
    described *found = base_alloc(count, sizeof *found, "header");
    BASE_HAVE(found);
    tot_status status = read_descriptions(about, found, &count);
    for (size_t k = 0; k < count && status == TOT_OK; k++) {
        status = read_tensor(tensors, source, about, &found[k]);
        if (status != TOT_OK) {
            status = base_fail_in(status, "%s: tensor '%.200s'", about->name, found[k].name);
        }
    }
    base_free(found);
    return status;
}

tot_status file_safetensors_read(tot_tensors *tensors, file_source *source) {
    header about = {.name = source->name};
    tot_status status = read_header(source, &about);
    BASE_THEN(status, read_all(tensors, source, &about));
    cJSON_Delete(about.root);
    return status;
}
