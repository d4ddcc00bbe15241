// Reading bytes. Files are read with pread into the caller's buffer and never mapped: if another
// process truncates a mapped file the program crashes, while a read returns an error.
#include "file/source.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"

// Linux transfers at most 2 GiB minus a page per call anyway.
static const size_t largest_read = (size_t)1 << 30;

static tot_status read_file(file_source *source, void *bytes, size_t size) {
    char *to = bytes;
    off_t offset = (off_t)source->position;
    while (size > 0) {
        size_t piece = size < largest_read ? size : largest_read;
        ssize_t got = pread(source->file, to, piece, offset);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        BASE_FAIL_IF(got < 0, TOT_E_FILE, "%s: cannot read at byte %lld: %s", source->name,
                     (long long)offset, strerror(errno));
        BASE_FAIL_IF(got == 0, TOT_E_FILE,
                     "%s: shrank while it was read: it had %lld bytes, now it ends at %lld",
                     source->name, (long long)source->size, (long long)offset);
        to += got;
        offset += got;
        size -= (size_t)got;
    }
    return TOT_OK;
}

static tot_status read_memory(file_source *source, void *bytes, size_t size) {
    if (size > 0) {
        memcpy(bytes, (const char *)source->context + source->position, size);
    }
    return TOT_OK;
}

tot_status file_source_open(file_source *source, const char *path, bool *absent) {
    *source = (file_source){.name = path, .file = -1};
    if (absent != NULL) {
        *absent = false;
    }
    // non-blocking only so that opening a pipe by mistake does not wait for its other end
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) {
        if (absent != NULL) {
            *absent = errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG;
        }
        return base_fail(TOT_E_FILE, "%s: cannot open: %s", path, strerror(errno));
    }
    struct stat status;
    if (fstat(file, &status) != 0) {
        int error = errno;
        close(file);
        return base_fail(TOT_E_FILE, "%s: cannot stat it: %s", path, strerror(error));
    }
    if (!S_ISREG(status.st_mode)) {
        close(file);
        if (absent != NULL) {
            *absent = S_ISDIR(status.st_mode);
        }
        return base_fail(TOT_E_FILE, "%s: is %s, not a file", path,
                         S_ISDIR(status.st_mode) ? "a folder" : "a device or pipe");
    }
    (void)posix_fadvise(file, 0, 0, POSIX_FADV_SEQUENTIAL);
    source->file = file;
    source->size = (int64_t)status.st_size;
    source->read = read_file;
    return TOT_OK;
}

tot_status file_source_open_named(file_source *source, const char *path, char **file,
                                  const char **array) {
    bool absent = false;
    *file = NULL;
    *array = NULL;
    const tot_status plain = file_source_open(source, path, &absent);
    if (!absent || strchr(path, ':') == NULL) {
        return plain;
    }
    *file = base_copy_text(path);
    BASE_HAVE(*file);
    char *colon;
    while ((colon = strrchr(*file, ':')) != NULL) {
        *colon = '\0';
        *array = path + (colon - *file) + 1;
        const tot_status status = file_source_open(source, *file, &absent);
        if (!absent) {
            return status;
        }
    }
    return base_fail(TOT_E_FILE, "%s: cannot open: no such file", path);
}

void file_source_from_memory(file_source *source, const void *bytes, size_t size,
                             const char *name) {
    *source = (file_source){.name = name, .size = (int64_t)size, .file = -1, .read = read_memory};
    // only read, see read_memory
    source->context = (void *)bytes;
}

void file_source_close(file_source *source) {
    if (source->file >= 0) {
        close(source->file);
        source->file = -1;
    }
}

tot_status file_source_read(file_source *source, void *bytes, size_t size, const char *what) {
    int64_t left = source->size - source->position;
    BASE_FAIL_IF(size > (uint64_t)left, TOT_E_FORMAT,
                 "%s: cut short: the %s needs %zu bytes, %lld are left", source->name, what, size,
                 (long long)left);
    BASE_TRY(source->read(source, bytes, size));
    source->position += (int64_t)size;
    return TOT_OK;
}

void file_source_warn_of_rest(const file_source *source, const char *what) {
    const int64_t left = source->size - source->position;
    if (left > 0) {
        base_log(TOT_LOG_WARNING, "%s: %lld bytes after the %s are ignored", source->name,
                 (long long)left, what);
    }
}

tot_status file_source_is_zip(file_source *source, bool *is_zip) {
    char first[4] = {0};
    *is_zip = false;
    if (source->size < (int64_t)sizeof first) {
        return TOT_OK;
    }
    BASE_TRY(source->read(source, first, sizeof first));
    // an archive begins with an entry, or with the end record if it is empty
    *is_zip = memcmp(first, "PK\3\4", 4) == 0 || memcmp(first, "PK\5\6", 4) == 0;
    return TOT_OK;
}

tot_status file_source_read_file(char **bytes, size_t *size, const char *path, int64_t most,
                                 const char *what) {
    file_source source;
    char *text = NULL;
    *bytes = NULL;
    BASE_TRY(file_source_open(&source, path, NULL));
    *size = (size_t)source.size;
    tot_status status = TOT_OK;
    if (source.size > most) {
        status = base_fail(TOT_E_FORMAT, "%s: %lld bytes are too many for %s", path,
                           (long long)source.size, what);
    } else {
        text = base_alloc_zero(*size + 1, 1, what);
        status = text == NULL ? TOT_E_MEMORY : file_source_read(&source, text, *size, what);
    }
    file_source_close(&source);
    BASE_GIVE(status, bytes, text, base_free);
}
