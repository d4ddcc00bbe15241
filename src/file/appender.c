#include "file/appender.h"

#include <errno.h>
#include <unistd.h>

#include "base/base.h"
#include "file/atomic.h"

static tot_status fail(const file_appender *growing, const char *what) {
    return base_fail(TOT_E_FILE, "%s: cannot %s: %s", growing->path, what, strerror(errno));
}

tot_status file_appender_open(file_appender *growing, const char *path) {
    *growing = (file_appender){.path = path, .file = -1};
    return file_open_own(path, &growing->file, &growing->size);
}

tot_status file_appender_truncate(file_appender *growing, int64_t size) {
    BASE_FAIL_IF(growing->size < size, TOT_E_FORMAT,
                 "%s: %lld bytes, but the checkpoint expects at least %lld", growing->path,
                 (long long)growing->size, (long long)size);
    if (ftruncate(growing->file, size) != 0) {
        return fail(growing, "truncate it");
    }
    growing->size = size;
    return TOT_OK;
}

tot_status file_appender_add(file_appender *growing, const void *bytes, size_t size) {
    if (!file_write_at(growing->file, (uint64_t)growing->size, bytes, size)) {
        const tot_status failed = fail(growing, "write");
        // remove the part that was written, if possible
        const int cut = ftruncate(growing->file, growing->size);
        (void)cut;
        return failed;
    }
    growing->size += (int64_t)size;
    return TOT_OK;
}

tot_status file_appender_read(const file_appender *growing, int64_t offset, void *bytes,
                              size_t size) {
    char *to = bytes;
    while (size > 0) {
        const ssize_t got = pread(growing->file, to, size, offset);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            errno = got < 0 ? errno : EIO;
            return fail(growing, "read");
        }
        to += got;
        offset += got;
        size -= (size_t)got;
    }
    return TOT_OK;
}

tot_status file_appender_sync(file_appender *growing) {
    int result;
    do {
        result = fdatasync(growing->file);
    } while (result != 0 && errno == EINTR);
    return result == 0 || errno == EINVAL || errno == ENOTSUP ? TOT_OK : fail(growing, "sync");
}

void file_appender_close(file_appender *growing) {
    if (growing->file >= 0) {
        close(growing->file);
    }
    growing->file = -1;
}
