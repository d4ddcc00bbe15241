// Arrays and their types; loading from a path or from memory in any supported format; saving.
#include "file/array.h"

#include "base/base.h"
#include "file/atomic.h"
#include "file/npy.h"
#include "file/npz.h"
#include "file/source.h"

// --- types -------------------------------------------------------------------------------------

static const struct {
    const char *text;
    size_t size;
} types[TOT_TYPE_COUNT] = {
    [TOT_F32] = {"float32", 4}, [TOT_F64] = {"float64", 8}, [TOT_F16] = {"float16", 2},
    [TOT_U8] = {"uint8", 1},    [TOT_I32] = {"int32", 4},   [TOT_I64] = {"int64", 8},
};

static bool is_type(tot_type type) {
    return (int)type >= 0 && type < TOT_TYPE_COUNT;
}

const char *tot_type_text(tot_type type) {
    return is_type(type) ? types[type].text : "unknown type";
}

size_t tot_type_size(tot_type type) {
    return is_type(type) ? types[type].size : 0;
}

// --- shape and memory --------------------------------------------------------------------------

int64_t tot_array_count(const tot_array *array) {
    BASE_NEED_OR(0, array);
    int64_t count = 1;
    const bool possible = array->dimensions >= 0 && array->dimensions <= TOT_MAX_DIMENSIONS;
    for (int k = 0; possible && k < array->dimensions; k++) {
        if (array->shape[k] < 0 || __builtin_mul_overflow(count, array->shape[k], &count)) {
            return 0;
        }
    }
    return possible ? count : 0;
}

tot_status file_shape_measure(const int64_t *shape, int dimensions, size_t element, int64_t *count,
                              size_t *bytes, const char *name) {
    ptrdiff_t product = (ptrdiff_t)element;
    bool empty = false;
    for (int k = 0; k < dimensions; k++) {
        BASE_FAIL_IF(shape[k] < 0, TOT_E_FORMAT, "%s: shape: dimension %d is negative (%lld)", name,
                     k, (long long)shape[k]);
        if (shape[k] == 0) {
            empty = true;
        } else if (__builtin_mul_overflow(product, shape[k], &product)) {
            return base_fail(TOT_E_FORMAT, "%s: shape: more elements than can be counted", name);
        }
    }
    *bytes = empty ? 0 : (size_t)product;
    *count = (int64_t)(*bytes / element);
    return TOT_OK;
}

tot_status file_array_measure(const tot_array *array, size_t *bytes, const char *name) {
    BASE_FAIL_IF(!is_type(array->type), TOT_E_ARGUMENT, "%s: array to write: unknown type %d", name,
                 (int)array->type);
    BASE_FAIL_IF(array->dimensions < 0 || array->dimensions > TOT_MAX_DIMENSIONS, TOT_E_ARGUMENT,
                 "%s: array to write: %d dimensions, 0 to %d are possible", name, array->dimensions,
                 TOT_MAX_DIMENSIONS);
    int64_t count = 0;
    *bytes = 0;
    if (file_shape_measure(array->shape, array->dimensions, tot_type_size(array->type), &count,
                           bytes, name) != TOT_OK) {
        return TOT_E_ARGUMENT;
    }
    BASE_FAIL_IF(*bytes > 0 && array->data == NULL, TOT_E_ARGUMENT, "%s: array to write: no data",
                 name);
    return TOT_OK;
}

void file_array_clear(tot_array *array) {
    array->type = TOT_F32;
    array->dimensions = 1;
    memset(array->shape, 0, sizeof array->shape);
    if (array->capacity == 0) {
        // borrowed memory is only dropped
        array->data = NULL;
    }
}

tot_status file_array_reserve(tot_array *array, size_t bytes) {
    // never 0: a capacity above 0 marks the pointer as owned
    size_t least = bytes > 0 ? bytes : 1;
    void *data = array->capacity > 0 ? array->data : NULL;
    size_t capacity = array->capacity;
    BASE_TRY(base_reserve(&data, &capacity, least, 1, "array"));
    array->data = data;
    array->capacity = capacity;
    return TOT_OK;
}

tot_status file_array_copy(tot_array *out, const tot_array *from) {
    const size_t bytes = (size_t)tot_array_count(from) * tot_type_size(from->type);
    BASE_TRY(file_array_reserve(out, bytes));
    memcpy(out->data, from->data, bytes);
    out->type = from->type;
    out->dimensions = from->dimensions;
    memcpy(out->shape, from->shape, sizeof out->shape);
    return TOT_OK;
}

void file_array_set_image(tot_array *array, int64_t width, int64_t height) {
    array->type = TOT_U8;
    array->dimensions = 3;
    array->shape[0] = height;
    array->shape[1] = width;
    array->shape[2] = 3;
}

void tot_array_free(tot_array *array) {
    BASE_UNLESS_NULL(array);
    if (array->capacity > 0) {
        base_free(array->data);
    }
    *array = (tot_array){0};
}

// --- loading -----------------------------------------------------------------------------------

static tot_status read_zip(tot_array *array, file_source *source, const char *name) {
    tot_npz *npz = NULL;
    BASE_TRY(file_npz_open_source(&npz, source));
    tot_status status = name != NULL ? TOT_OK : file_npz_pick(npz, &name);
    BASE_THEN(status, tot_npz_read(npz, name, array));
    tot_npz_close(npz);
    return status;
}

tot_status file_array_read(tot_array *array, file_source *source, const char *name) {
    bool is_zip = false;
    BASE_TRY(file_source_is_zip(source, &is_zip));
    if (is_zip) {
        return read_zip(array, source, name);
    }
    BASE_FAIL_IF(name != NULL, TOT_E_FORMAT, "%s: is not an .npz, so it has no array '%s'",
                 source->name, name);
    BASE_TRY(file_npy_read(source, array));
    file_source_warn_of_rest(source, "array");
    return TOT_OK;
}

tot_status tot_array_load(tot_array *array, const char *path) {
    BASE_NEED(array, path);
    file_source source;
    char *file = NULL;
    const char *name = NULL;
    file_array_clear(array);
    tot_status status = file_source_open_named(&source, path, &file, &name);
    if (status == TOT_OK) {
        status = file_array_read(array, &source, name);
        file_source_close(&source);
    }
    base_free(file);
    return status;
}

tot_status tot_array_parse(tot_array *array, const void *bytes, size_t size, const char *name) {
    BASE_NEED(array, bytes, name);
    file_array_clear(array);
    file_source source;
    file_source_from_memory(&source, bytes, size, name);
    return file_array_read(array, &source, NULL);
}

// --- saving ------------------------------------------------------------------------------------

tot_status tot_array_save(const tot_array *array, const char *path) {
    BASE_NEED(array, path);
    size_t bytes = 0;
    BASE_TRY(file_array_measure(array, &bytes, path));
    char header[FILE_NPY_HEADER_MAX];
    size_t header_bytes = file_npy_format_header(header, array);
    tot_file *file = NULL;
    BASE_TRY(tot_file_create(&file, path));
    tot_status status = tot_file_write(file, header, header_bytes);
    BASE_THEN(status, tot_file_write(file, array->data, bytes));
    return file_end(file, status);
}
