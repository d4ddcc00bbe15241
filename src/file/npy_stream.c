// Rows are written straight to the file; the header before them is written twice, first with no
// rows and at the end with their number. With two dimensions it has 128 bytes in both cases.
#include "file/npy_stream.h"

#include "base/base.h"
#include "file/atomic.h"
#include "file/npy.h"

struct file_npy_stream {
    tot_file *file;
    tot_array about;  // type and shape, no data
};

tot_status file_npy_stream_create(file_npy_stream **stream, const char *path, tot_type type,
                                  int64_t width) {
    char header[FILE_NPY_HEADER_MAX];
    *stream = NULL;
    BASE_NEW(file_npy_stream, made, ".npy");
    made->about = (tot_array){.type = type, .dimensions = 2, .shape = {0, width}};
    tot_status status = tot_file_create(&made->file, path);
    BASE_THEN(status,
              tot_file_write(made->file, header, file_npy_format_header(header, &made->about)));
    BASE_GIVE(status, stream, made, file_npy_stream_discard);
}

tot_status file_npy_stream_add(file_npy_stream *stream, const void *rows, int64_t count) {
    const size_t row = (size_t)stream->about.shape[1] * tot_type_size(stream->about.type);
    BASE_TRY(tot_file_write(stream->file, rows, (size_t)count * row));
    stream->about.shape[0] += count;
    return TOT_OK;
}

int64_t file_npy_stream_rows(const file_npy_stream *stream) {
    return stream->about.shape[0];
}

tot_status file_npy_stream_commit(file_npy_stream *stream) {
    char header[FILE_NPY_HEADER_MAX];
    const size_t size = file_npy_format_header(header, &stream->about);
    const tot_status status = file_patch(stream->file, 0, header, size);
    tot_file *file = stream->file;
    base_free(stream);
    return file_end(file, status);
}

void file_npy_stream_discard(file_npy_stream *stream) {
    BASE_UNLESS_NULL(stream);
    tot_file_discard(stream->file);
    base_free(stream);
}
