// Reading a .npy: the elements are read directly into the array's memory, unless they must be
// converted to native byte order, to C order or to a supported type.
#include "file/npy.h"

#include "base/base.h"
#include "file/array.h"
#include "file/storage.h"

// --- reading -----------------------------------------------------------------------------------

// numpy itself rejects longer ones by default.
enum { LITERAL_MAX = 10000 };

static tot_status read_version(file_source *source, size_t *literal) {
    uint8_t prefix[8];
    BASE_FAIL_IF(source->size == 0, TOT_E_FORMAT, "%s: is empty, not a .npy", source->name);
    BASE_TRY(file_source_read(source, prefix, sizeof prefix, "magic of a .npy"));
    BASE_FAIL_IF(memcmp(prefix, "\x93NUMPY", 6) != 0, TOT_E_FORMAT,
                 "%s: is not a .npy: wrong magic bytes at its start", source->name);
    int version = prefix[6];
    BASE_FAIL_IF(version < 1 || version > 3 || prefix[7] != 0, TOT_E_UNSUPPORTED,
                 "%s: version %d.%d of .npy; 1.0, 2.0 and 3.0 are supported", source->name,
                 prefix[6], prefix[7]);
    *literal = 0;
    BASE_TRY(file_source_read(source, literal, version == 1 ? 2 : 4, "header length"));
    *literal = le64toh(*literal);
    return TOT_OK;
}

tot_status file_npy_read_header(file_source *source, file_npy_header *header) {
    size_t literal = 0;
    BASE_TRY(read_version(source, &literal));
    BASE_FAIL_IF(literal > (uint64_t)(source->size - source->position), TOT_E_FORMAT,
                 "%s: cut short: the header says it has %zu bytes, %lld are left", source->name,
                 literal, (long long)(source->size - source->position));
    BASE_FAIL_IF(literal > LITERAL_MAX, TOT_E_UNSUPPORTED,
                 "%s: a header of %zu bytes; up to %d are read", source->name, literal,
                 LITERAL_MAX);
    char text[LITERAL_MAX];
    BASE_TRY(file_source_read(source, text, literal, "header"));
    BASE_TRY(file_npy_parse_header(header, text, literal, source->name));
    // before allocating memory for them
    BASE_FAIL_IF(header->bytes > (uint64_t)(source->size - source->position), TOT_E_FORMAT,
                 "%s: cut short: its shape needs %zu bytes, %lld are there", source->name,
                 header->bytes, (long long)(source->size - source->position));
    return TOT_OK;
}

static file_kind kind_of(const file_npy_header *header) {
    static const file_kind kinds[TOT_TYPE_COUNT] = {
        [TOT_F32] = FILE_KIND_F32, [TOT_F64] = FILE_KIND_F64, [TOT_F16] = FILE_KIND_F16,
        [TOT_U8] = FILE_KIND_U8,   [TOT_I32] = FILE_KIND_I32, [TOT_I64] = FILE_KIND_I64,
    };
    return header->is_bool ? FILE_KIND_BOOL : kinds[header->type];
}

// Reads elements that are not stored as they are in memory. Those in Fortran order go through a
// buffer; others are read to the end of the array's `bytes` bytes and converted from front to back,
// which never overwrites an element that has not been read.
static tot_status read_converted(file_source *source, const file_npy_header *header, char *to,
                                 size_t bytes) {
    file_storage storage = {.kind = kind_of(header), .count = header->count};
    file_view view = {.dimensions = header->dimensions};
    char *buffer = NULL;
    memcpy(view.shape, header->shape, sizeof view.shape);
    if (header->fortran) {
        file_view_make_fortran(&view);
        buffer = base_alloc(header->bytes, 1, "array in Fortran order");
        if (buffer == NULL) {
            return base_fail_in(TOT_E_MEMORY, "%s", source->name);
        }
    } else {
        file_view_make_dense(&view);
    }
    storage.bytes = buffer != NULL ? buffer : to + (bytes - header->bytes);
    const tot_status status = file_source_read(source, storage.bytes, header->bytes, "data");
    if (status == TOT_OK) {
        file_storage_order(&storage, header->is_big);
        file_view_lay_out(&view, &storage, to);
    }
    base_free(buffer);
    return status;
}

tot_status file_npy_read(file_source *source, tot_array *array) {
    file_array_clear(array);
    file_npy_header header = {0};
    BASE_TRY(file_npy_read_header(source, &header));
    const tot_type type = file_kind_type(kind_of(&header));
    size_t bytes = 0;
    int64_t count = 0;
    BASE_TRY(file_shape_measure(header.shape, header.dimensions, tot_type_size(type), &count,
                                &bytes, source->name));
    if (file_array_reserve(array, bytes) != TOT_OK) {
        return base_fail_in(TOT_E_MEMORY, "%s", source->name);
    }
    const bool as_it_is = type == header.type && !header.is_bool && !header.fortran &&
                          header.is_big == FILE_MACHINE_IS_BIG;
    BASE_TRY(as_it_is ? file_source_read(source, array->data, bytes, "data")
                      : read_converted(source, &header, array->data, bytes));
    array->type = type;
    array->dimensions = header.dimensions;
    memcpy(array->shape, header.shape, sizeof array->shape);
    return TOT_OK;
}
