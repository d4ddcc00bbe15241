// Element types, validation of views, and copying views to contiguous memory.
#include "file/storage.h"

#include "base/base.h"
#include "file/array.h"

static const struct {
    size_t size;
    tot_type type;
} kinds[FILE_KIND_COUNT] = {
    [FILE_KIND_F32] = {4, TOT_F32},  [FILE_KIND_F64] = {8, TOT_F64}, [FILE_KIND_F16] = {2, TOT_F32},
    [FILE_KIND_BF16] = {2, TOT_F32}, [FILE_KIND_U8] = {1, TOT_U8},   [FILE_KIND_BOOL] = {1, TOT_U8},
    [FILE_KIND_I32] = {4, TOT_I32},  [FILE_KIND_I64] = {8, TOT_I64},
};

size_t file_kind_size(file_kind kind) {
    return kinds[kind].size;
}

tot_type file_kind_type(file_kind kind) {
    return kinds[kind].type;
}

// The bits of the float32 equivalent to a half-precision float, for which C17 has no type. Exact
// for every bit pattern, including NaN payloads.
static inline uint32_t widen_half(uint16_t half) {
    uint32_t sign = (uint32_t)(half & 0x8000u) << 16;
    uint32_t magnitude = half & 0x7fffu;
    uint32_t normal = (magnitude << 13) + (112u << 23);
    uint32_t infinite = (magnitude << 13) | 0x7f800000u;
    // a subnormal half is a multiple of 2^-24, and normal as a float
    float small = (float)(int32_t)magnitude * 0x1p-24f;
    uint32_t subnormal;
    memcpy(&subnormal, &small, sizeof subnormal);
    uint32_t finite = magnitude < 0x0400u ? subnormal : normal;
    return sign | (magnitude >= 0x7c00u ? infinite : finite);
}

// Copies count elements, stride apart (in elements), to contiguous memory; each converted by
// `read`.
#define COPY_AS(in, out, read)                                                   \
    for (int64_t k = 0; k < count; k++) {                                        \
        in value;                                                                \
        memcpy(&value, from + k * stride * (int64_t)sizeof value, sizeof value); \
        const out result = (out)(read);                                          \
        memcpy(to + k * (int64_t)sizeof result, &result, sizeof result);         \
    }

void file_storage_order(file_storage *storage, bool file_is_big) {
    const char *from = storage->bytes;
    char *to = storage->bytes;
    const int64_t stride = 1, count = storage->count;
    switch (file_is_big == FILE_MACHINE_IS_BIG ? 1 : file_kind_size(storage->kind)) {
        case 2:
            COPY_AS(uint16_t, uint16_t, __builtin_bswap16(value))
            break;
        case 4:
            COPY_AS(uint32_t, uint32_t, __builtin_bswap32(value))
            break;
        case 8:
            COPY_AS(uint64_t, uint64_t, __builtin_bswap64(value))
            break;
        default:
            break;
    }
}

// --- views -------------------------------------------------------------------------------------

void file_view_make_dense(file_view *view) {
    int64_t stride = 1;
    for (int k = view->dimensions - 1; k >= 0; k--) {
        view->stride[k] = stride;
        stride *= view->shape[k];
    }
}

void file_view_make_fortran(file_view *view) {
    int64_t stride = 1;
    for (int k = 0; k < view->dimensions; k++) {
        view->stride[k] = stride;
        stride *= view->shape[k];
    }
}

bool file_view_is_dense(const file_view *view) {
    int64_t stride = 1;
    for (int k = view->dimensions - 1; k >= 0; k--) {
        // the stride of a dimension of size 1 does not matter
        if (view->shape[k] != 1 && view->stride[k] != stride) {
            return false;
        }
        stride *= view->shape[k];
    }
    return true;
}

tot_status file_view_measure(const file_view *view, int64_t storage_count, int64_t *count) {
    size_t bytes = 0;
    // 8 bytes is the largest element
    BASE_TRY(file_shape_measure(view->shape, view->dimensions, 8, count, &bytes, "tensor"));
    BASE_FAIL_IF(view->offset < 0 || view->offset > storage_count, TOT_E_FORMAT,
                 "begins at element %lld of a storage of %lld", (long long)view->offset,
                 (long long)storage_count);
    if (*count == 0) {
        return TOT_OK;
    }
    int64_t last = view->offset;
    bool overflows = false;
    for (int k = 0; k < view->dimensions; k++) {
        int64_t way = 0;
        BASE_FAIL_IF(view->stride[k] < 0, TOT_E_FORMAT, "stride %lld of dimension %d is negative",
                     (long long)view->stride[k], k);
        overflows |= __builtin_mul_overflow(view->shape[k] - 1, view->stride[k], &way);
        overflows |= __builtin_add_overflow(last, way, &last);
    }
    BASE_FAIL_IF(overflows || last >= storage_count, TOT_E_FORMAT,
                 "lies outside of its storage of %lld elements", (long long)storage_count);
    return TOT_OK;
}

// --- copying -----------------------------------------------------------------------------------

static inline __attribute__((always_inline)) void copy_run(file_kind kind, char *to,
                                                           const char *from, int64_t stride,
                                                           int64_t count) {
    switch (kind) {
        case FILE_KIND_F16:
            COPY_AS(uint16_t, uint32_t, widen_half(value))
            break;
        case FILE_KIND_BF16:
            // the upper half of a float32
            COPY_AS(uint16_t, uint32_t, (uint32_t)value << 16)
            break;
        case FILE_KIND_U8:
            COPY_AS(uint8_t, uint8_t, value)
            break;
        case FILE_KIND_BOOL:
            COPY_AS(uint8_t, uint8_t, value != 0)
            break;
        case FILE_KIND_F32:
        case FILE_KIND_I32:
            COPY_AS(uint32_t, uint32_t, value)
            break;
        default:
            COPY_AS(uint64_t, uint64_t, value)
            break;
    }
}

void file_view_lay_out(const file_view *view, const file_storage *storage, void *to) {
    // a contiguous view is one run, others have one run per row
    const bool dense = file_view_is_dense(view);
    const int outer = dense || view->dimensions == 0 ? 0 : view->dimensions - 1;
    int64_t rows = 1, length = 1, index[TOT_MAX_DIMENSIONS] = {0};
    for (int k = 0; k < view->dimensions; k++) {
        *(k < outer ? &rows : &length) *= view->shape[k];
    }
    if (length == 0) {
        return;
    }
    const int64_t stride = dense ? 1 : view->stride[outer];
    const int64_t size = (int64_t)file_kind_size(storage->kind);
    const int64_t out_size = (int64_t)tot_type_size(file_kind_type(storage->kind));
    // strided elements are copied in stripes: their cache lines serve the next rows too
    const int64_t stripe = stride == 1 ? length : 32;
    int64_t at = view->offset;
    for (int64_t first = 0; first < length; first += stripe) {
        const int64_t count = length - first < stripe ? length - first : stripe;
        char *row_to = (char *)to + first * out_size;
        for (int64_t row = 0; row < rows; row++, row_to += length * out_size) {
            const char *from = storage->bytes + (at + first * stride) * size;
            // contiguous elements are converted faster
            if (stride == 1) {
                copy_run(storage->kind, row_to, from, 1, count);
            } else {
                copy_run(storage->kind, row_to, from, stride, count);
            }
            // the next row: increment the indices, last one first; after the last row all are 0
            for (int k = outer - 1; k >= 0; k--) {
                at += view->stride[k];
                if (++index[k] < view->shape[k]) {
                    break;
                }
                at -= view->stride[k] * view->shape[k];
                index[k] = 0;
            }
        }
    }
}
