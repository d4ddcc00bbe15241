// Reading a .npy: the elements are read directly into the array's memory, and converted to native
// byte order, to C order and to a supported type only if needed.
#include "file/npy.h"

#include "base/base.h"
#include "file/array.h"
#include "file/half.h"

// --- byte order --------------------------------------------------------------------------------

static void swap_elements(void *data, int64_t count, size_t element) {
    if (element == 2) {
        uint16_t *values = data;
        for (int64_t i = 0; i < count; i++) {
            values[i] = __builtin_bswap16(values[i]);
        }
    } else if (element == 4) {
        uint32_t *values = data;
        for (int64_t i = 0; i < count; i++) {
            values[i] = __builtin_bswap32(values[i]);
        }
    } else if (element == 8) {
        uint64_t *values = data;
        for (int64_t i = 0; i < count; i++) {
            values[i] = __builtin_bswap64(values[i]);
        }
    }
}

// --- types -------------------------------------------------------------------------------------

// Converts count halves in the second half of data to count floats. Going front to back never
// overwrites a half that has not been read; processing blocks allows vectorization.
static void widen_halves(void *data, int64_t count) {
    enum { BLOCK = 256 };
    uint16_t halves[BLOCK];
    uint32_t floats[BLOCK];
    char *to = data;
    const char *from = to + count * 2;
    for (int64_t start = 0; start < count; start += BLOCK) {
        size_t block = count - start < BLOCK ? (size_t)(count - start) : BLOCK;
        memcpy(halves, from + start * 2, block * 2);
        for (size_t i = 0; i < block; i++) {
            floats[i] = file_widen_half(halves[i]);
        }
        memcpy(to + start * 4, floats, block * 4);
    }
}

// numpy treats any nonzero byte as true.
static void make_bools(uint8_t *values, int64_t count) {
    for (int64_t i = 0; i < count; i++) {
        values[i] = values[i] != 0;
    }
}

// --- Fortran order -----------------------------------------------------------------------------

// One plane: to[row * to_stride + column] = from[column * from_stride + row], in cache-sized tiles.
#define DEFINE_TRANSPOSE(element)                                                         \
    static void transpose_##element(element *to, int64_t to_stride, const element *from,  \
                                    int64_t from_stride, int64_t rows, int64_t columns) { \
        enum { TILE = 32 };                                                               \
        for (int64_t row = 0; row < rows; row += TILE) {                                  \
            int64_t row_end = rows - row < TILE ? rows : row + TILE;                      \
            for (int64_t column = 0; column < columns; column += TILE) {                  \
                int64_t column_end = columns - column < TILE ? columns : column + TILE;   \
                for (int64_t i = row; i < row_end; i++) {                                 \
                    for (int64_t j = column; j < column_end; j++) {                       \
                        to[i * to_stride + j] = from[j * from_stride + i];                \
                    }                                                                     \
                }                                                                         \
            }                                                                             \
        }                                                                                 \
    }

DEFINE_TRANSPOSE(uint8_t)
DEFINE_TRANSPOSE(uint16_t)
DEFINE_TRANSPOSE(uint32_t)
DEFINE_TRANSPOSE(uint64_t)

static void transpose_plane(char *to, int64_t to_stride, const char *from, int64_t from_stride,
                            int64_t rows, int64_t columns, size_t element) {
    if (element == 1) {
        transpose_uint8_t((uint8_t *)to, to_stride, (const uint8_t *)from, from_stride, rows,
                          columns);
    } else if (element == 2) {
        transpose_uint16_t((uint16_t *)(void *)to, to_stride, (const uint16_t *)(const void *)from,
                           from_stride, rows, columns);
    } else if (element == 4) {
        transpose_uint32_t((uint32_t *)(void *)to, to_stride, (const uint32_t *)(const void *)from,
                           from_stride, rows, columns);
    } else {
        transpose_uint64_t((uint64_t *)(void *)to, to_stride, (const uint64_t *)(const void *)from,
                           from_stride, rows, columns);
    }
}

// Memory layout of an array in Fortran order. Dimensions of size 1 are omitted.
typedef struct fortran_layout {
    int dimensions;
    size_t element;  // bytes
    int64_t shape[TOT_MAX_DIMENSIONS];
    int64_t from_stride[TOT_MAX_DIMENSIONS];  // in elements: first index fastest
    int64_t to_stride[TOT_MAX_DIMENSIONS];    // last index fastest
} fortran_layout;

static fortran_layout lay_out(const file_npy_header *header) {
    fortran_layout layout = {.element = tot_type_size(header->type)};
    for (int k = 0; k < header->dimensions; k++) {
        if (header->shape[k] != 1) {
            layout.shape[layout.dimensions++] = header->shape[k];
        }
    }
    int64_t stride = 1;
    for (int k = 0; k < layout.dimensions; k++) {
        layout.from_stride[k] = stride;
        stride *= layout.shape[k];
    }
    stride = 1;
    for (int k = layout.dimensions - 1; k >= 0; k--) {
        layout.to_stride[k] = stride;
        stride *= layout.shape[k];
    }
    return layout;
}

// Transposes `columns` values of the last index, which are contiguous in the file. The first and
// last dimensions form a plane; the loop goes over those in between.
static void turn_columns(const fortran_layout *layout, char *to, const char *from,
                         int64_t columns) {
    int last = layout->dimensions - 1;
    int64_t index[TOT_MAX_DIMENSIONS] = {0};
    int64_t to_offset = 0;
    int64_t from_offset = 0;
    for (;;) {
        transpose_plane(to + to_offset * (int64_t)layout->element, layout->to_stride[0],
                        from + from_offset * (int64_t)layout->element, layout->from_stride[last],
                        layout->shape[0], columns, layout->element);
        // increment; dimension 1 is the fastest in the file
        int k = 1;
        while (k < last && index[k] + 1 == layout->shape[k]) {
            to_offset -= index[k] * layout->to_stride[k];
            from_offset -= index[k] * layout->from_stride[k];
            index[k] = 0;
            k++;
        }
        if (k >= last) {
            return;
        }
        index[k]++;
        to_offset += layout->to_stride[k];
        from_offset += layout->from_stride[k];
    }
}

// Reads the elements to `to` in C order, through a buffer that fits the cache if columns are short,
// and that always holds enough of them to write whole cache lines.
static tot_status read_fortran(file_source *source, const fortran_layout *layout, char *to) {
    enum { BUFFER = 1 << 20, LINE = 64 };
    int last = layout->dimensions - 1;
    size_t column = (size_t)layout->from_stride[last] * layout->element;
    int64_t columns = layout->shape[last];
    int64_t step = (int64_t)(BUFFER / column);
    int64_t least = (int64_t)(LINE / layout->element);
    step = step > least ? step : least;
    step = step < columns ? step : columns;
    char *buffer = base_alloc((size_t)step, column, "array in Fortran order");
    if (buffer == NULL) {
        return base_fail_in(TOT_E_MEMORY, "%s", source->name);
    }
    tot_status status = TOT_OK;
    for (int64_t start = 0; start < columns && status == TOT_OK; start += step) {
        int64_t some = columns - start < step ? columns - start : step;
        status = file_source_read(source, buffer, (size_t)some * column, "data");
        if (status == TOT_OK) {
            turn_columns(layout, to + start * (int64_t)layout->element, buffer, some);
        }
    }
    base_free(buffer);
    return status;
}

// --- reading -----------------------------------------------------------------------------------

// numpy itself rejects longer ones by default.
enum { LITERAL_MAX = 10000 };

static tot_status read_version(file_source *source, size_t *literal) {
    uint8_t prefix[12];
    BASE_FAIL_IF(source->size == 0, TOT_E_FORMAT, "%s: is empty, not a .npy", source->name);
    BASE_TRY(file_source_read(source, prefix, 8, "magic of a .npy"));
    BASE_FAIL_IF(memcmp(prefix, "\x93NUMPY", 6) != 0, TOT_E_FORMAT,
                 "%s: is not a .npy: wrong magic bytes at its start", source->name);
    int version = prefix[6];
    BASE_FAIL_IF(version < 1 || version > 3 || prefix[7] != 0, TOT_E_UNSUPPORTED,
                 "%s: version %d.%d of .npy; 1.0, 2.0 and 3.0 are supported", source->name,
                 prefix[6], prefix[7]);
    size_t width = version == 1 ? 2 : 4;
    BASE_TRY(file_source_read(source, prefix + 8, width, "header length"));
    *literal = 0;
    for (size_t k = 0; k < width; k++) {
        *literal |= (size_t)prefix[8 + k] << (8 * k);
    }
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

static tot_status read_elements(file_source *source, const file_npy_header *header, char *to) {
    fortran_layout layout = lay_out(header);
    if (header->fortran && layout.dimensions > 1 && header->count > 0) {
        return read_fortran(source, &layout, to);
    }
    return file_source_read(source, to, header->bytes, "data");
}

tot_status file_npy_read(file_source *source, tot_array *array) {
    file_array_clear(array);
    file_npy_header header = {0};
    BASE_TRY(file_npy_read_header(source, &header));
    tot_type type = header.type == TOT_F16 ? TOT_F32 : header.type;
    size_t bytes = 0;
    int64_t count = 0;
    BASE_TRY(file_shape_measure(header.shape, header.dimensions, tot_type_size(type), &count,
                                &bytes, source->name));
    if (file_array_reserve(array, bytes) != TOT_OK) {
        return base_fail_in(TOT_E_MEMORY, "%s", source->name);
    }
    // elements that are widened are read to the end of the buffer
    char *stored = (char *)array->data + (bytes - header.bytes);
    BASE_TRY(read_elements(source, &header, stored));
    if (header.swapped) {
        swap_elements(stored, header.count, tot_type_size(header.type));
    }
    if (header.type == TOT_F16) {
        widen_halves(array->data, header.count);
    } else if (header.is_bool) {
        make_bools(array->data, header.count);
    }
    array->type = type;
    array->dimensions = header.dimensions;
    memcpy(array->shape, header.shape, sizeof array->shape);
    return TOT_OK;
}
