// Atomic file replacement: files are written under a temporary name in the destination folder,
// synced, renamed over the old file, and the folder is synced.
#include "file/atomic.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"

enum { BUFFER_SIZE = 1 << 16, TEMPORARY_NAME_SIZE = 64 };

struct tot_file {
    char *path;  // as given by the caller, for error messages
    char *base;  // file name within the folder
    int folder;  // kept open, so that the file stays in it even if the working directory changes
    int file;    // -1 after a failure, when the temporary file has already been removed
    int error;   // errno of the first failure
    uint64_t position;
    size_t buffered;
    char temporary[TEMPORARY_NAME_SIZE];
    char buffer[BUFFER_SIZE];  // collects small writes
};

// --- descriptors -------------------------------------------------------------------------------

bool file_write_at(int file, uint64_t offset, const void *bytes, size_t size) {
    // Linux transfers at most 2 GiB minus a page per call anyway
    const size_t largest = (size_t)1 << 30;
    const char *from = bytes;
    while (size > 0) {
        const ssize_t put = pwrite(file, from, size < largest ? size : largest, (off_t)offset);
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put <= 0) {
            errno = put < 0 ? errno : ENOSPC;
            return false;
        }
        from += put;
        offset += (uint64_t)put;
        size -= (size_t)put;
    }
    return true;
}

// --- creating ----------------------------------------------------------------------------------

// TOT_E_FILE if writing would affect anything but this name in its folder: a symbolic link, a file
// with several hard links, a folder, a device. found: from lstat or fstat.
static tot_status check_own(const char *path, const struct stat *found) {
    BASE_FAIL_IF(S_ISLNK(found->st_mode), TOT_E_FILE,
                 "%s: cannot write: is a symbolic link, which is not followed", path);
    BASE_FAIL_IF(!S_ISREG(found->st_mode), TOT_E_FILE, "%s: cannot write: is %s, not a file", path,
                 S_ISDIR(found->st_mode) ? "a folder" : "a device or pipe");
    BASE_FAIL_IF(found->st_nlink > 1, TOT_E_FILE,
                 "%s: cannot write: the file has %llu names (hard links), and would change "
                 "under all of them",
                 path, (unsigned long long)found->st_nlink);
    return TOT_OK;
}

tot_status file_open_own(const char *path, int *file, int64_t *size) {
    struct stat found;
    *file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (*file < 0 && errno == ELOOP && lstat(path, &found) == 0) {
        return check_own(path, &found);
    }
    tot_status status = TOT_OK;
    if (*file < 0 || fstat(*file, &found) != 0) {
        status = base_fail(TOT_E_FILE, "%s: cannot open: %s", path, strerror(errno));
    }
    BASE_THEN(status, check_own(path, &found));
    if (status == TOT_OK && size != NULL) {
        *size = found.st_size;
    }
    if (status != TOT_OK && *file >= 0) {
        close(*file);
        *file = -1;
    }
    return status;
}

// Rejects targets that must not be replaced: a folder, a device (such as /dev/null), a link.
static tot_status check_target(const char *path) {
    const size_t length = strlen(path);
    struct stat found;
    BASE_FAIL_IF(length == 0 || path[length - 1] == '/', TOT_E_FILE, "'%s': names no file to write",
                 path);
    return lstat(path, &found) == 0 ? check_own(path, &found) : TOT_OK;
}

// Splits the path into folder and base name and opens the folder.
static tot_status open_folder(tot_file *file) {
    const char *target = file->path;
    const char *slash = strrchr(target, '/');
    file->base = base_copy_text(slash != NULL ? slash + 1 : target);
    char *folder = base_copy_text(target);
    if (file->base == NULL || folder == NULL) {
        base_free(folder);
        return TOT_E_MEMORY;
    }
    if (slash == NULL) {
        memcpy(folder, ".", 2);
    } else {
        // keep the slash of the root folder
        folder[slash == target ? 1 : slash - target] = '\0';
    }
    file->folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file->folder < 0 && errno == EACCES) {
        // a folder that can be written but not listed
        file->folder = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    }
    tot_status status = TOT_OK;
    if (file->folder < 0) {
        status = base_fail(TOT_E_FILE, "%s: cannot write: folder %s: %s", file->path, folder,
                           strerror(errno));
    }
    base_free(folder);
    return status;
}

// Not mkstemp, which makes the file unreadable for others regardless of the umask.
static tot_status open_temporary(tot_file *file) {
    static atomic_uint counter;
    enum { ATTEMPTS = 10000 };
    for (int k = 0; k < ATTEMPTS; k++) {
        snprintf(file->temporary, sizeof file->temporary, ".temporalot-%ld-%u.tmp", (long)getpid(),
                 atomic_fetch_add(&counter, 1u));
        file->file =
            openat(file->folder, file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file->file >= 0) {
            // marks the file as in use for as long as this process lives
            (void)flock(file->file, LOCK_SH | LOCK_NB);
            return TOT_OK;
        }
        if (errno != EEXIST && errno != EINTR) {
            break;
        }
    }
    return base_fail(TOT_E_FILE, "%s: cannot write into its folder: %s", file->path,
                     strerror(errno));
}

static void release(tot_file *file) {
    if (file->folder >= 0) {
        close(file->folder);
    }
    BASE_RELEASE(file->base, file->path, file);
}

static tot_status create_at(tot_file *file) {
    BASE_TRY(open_folder(file));
    BASE_FAIL_IF(strlen(file->base) > NAME_MAX, TOT_E_FILE, "%s: cannot write: %s", file->path,
                 strerror(ENAMETOOLONG));
    return open_temporary(file);
}

tot_status tot_file_create(tot_file **file, const char *path) {
    BASE_NEED(file, path);
    *file = NULL;
    BASE_TRY(check_target(path));
    BASE_NEW(tot_file, made, "file");
    made->path = base_copy_text(path);
    made->folder = -1;
    made->file = -1;
    BASE_GIVE(made->path != NULL ? create_at(made) : TOT_E_MEMORY, file, made, release);
}

// --- writing -----------------------------------------------------------------------------------

static void remove_temporary(tot_file *file) {
    if (file->file >= 0) {
        close(file->file);
        unlinkat(file->folder, file->temporary, 0);
        file->file = -1;
    }
}

// Removes the temporary file; later writes fail with the same error.
static tot_status give_up(tot_file *file, int error) {
    file->error = file->file >= 0 ? error : file->error;
    remove_temporary(file);
    return base_fail(TOT_E_FILE, "%s: cannot write: %s", file->path, strerror(file->error));
}

// Writes all bytes at the offset.
static tot_status write_at(tot_file *file, uint64_t offset, const void *bytes, size_t size) {
    return file_write_at(file->file, offset, bytes, size) ? TOT_OK : give_up(file, errno);
}

static tot_status flush(tot_file *file) {
    size_t size = file->buffered;
    file->buffered = 0;
    return write_at(file, file->position - size, file->buffer, size);
}

uint64_t file_position(const tot_file *file) {
    return file->position;
}

tot_status tot_file_write(tot_file *file, const void *bytes, size_t size) {
    BASE_NEED(file);
    if (size > 0) {
        BASE_NEED(bytes);
    }
    if (file->file < 0) {
        return give_up(file, file->error);
    }
    if (size > BUFFER_SIZE - file->buffered) {
        BASE_TRY(flush(file));
    }
    if (size >= BUFFER_SIZE) {
        BASE_TRY(write_at(file, file->position, bytes, size));
    } else if (size > 0) {
        memcpy(file->buffer + file->buffered, bytes, size);
        file->buffered += size;
    }
    file->position += size;
    return TOT_OK;
}

tot_status file_patch(tot_file *file, uint64_t offset, const void *bytes, size_t size) {
    if (file->file < 0) {
        return give_up(file, file->error);
    }
    uint64_t flushed = file->position - file->buffered;
    if (offset >= flushed) {
        memcpy(file->buffer + (offset - flushed), bytes, size);
        return TOT_OK;
    }
    BASE_TRY(flush(file));
    return write_at(file, offset, bytes, size);
}

// --- finishing ---------------------------------------------------------------------------------

static int sync_whole(int descriptor) {
    int result;
    do {
        result = fsync(descriptor);
    } while (result != 0 && errno == EINTR);
    return result;
}

// At this point the file is complete and renamed. A folder that cannot be synced is not an error:
// some file systems do not support it, and an unlistable folder cannot be opened for it.
static tot_status sync_folder(tot_file *file) {
    if (sync_whole(file->folder) == 0 || errno == EINVAL || errno == EBADF || errno == ENOTSUP ||
        errno == EROFS) {
        return TOT_OK;
    }
    return base_fail(TOT_E_FILE, "%s: written whole, but its folder cannot be synced: %s",
                     file->path, strerror(errno));
}

static tot_status finish(tot_file *file) {
    if (file->file < 0) {
        return give_up(file, file->error);
    }
    BASE_TRY(flush(file));
    if (sync_whole(file->file) != 0) {
        return give_up(file, errno);
    }
    int descriptor = file->file;
    file->file = -1;
    // after EINTR the descriptor is closed anyway, and the data is synced
    if (close(descriptor) != 0 && errno != EINTR) {
        int error = errno;
        unlinkat(file->folder, file->temporary, 0);
        return base_fail(TOT_E_FILE, "%s: cannot write: %s", file->path, strerror(error));
    }
    if (renameat(file->folder, file->temporary, file->folder, file->base) != 0) {
        int error = errno;
        unlinkat(file->folder, file->temporary, 0);
        return base_fail(TOT_E_FILE, "%s: cannot move it into place: %s", file->path,
                         strerror(error));
    }
    return sync_folder(file);
}

tot_status tot_file_commit(tot_file *file) {
    BASE_NEED(file);
    BASE_FINALLY(finish(file), release(file));
}

void tot_file_discard(tot_file *file) {
    BASE_UNLESS_NULL(file);
    remove_temporary(file);
    release(file);
}

tot_status file_end(tot_file *file, tot_status written) {
    if (written != TOT_OK) {
        tot_file_discard(file);
        return written;
    }
    return tot_file_commit(file);
}

tot_status file_save_text(const char *path, const char *text) {
    tot_file *file = NULL;
    BASE_TRY(tot_file_create(&file, path));
    return file_end(file, tot_file_write(file, text, strlen(text)));
}

tot_status file_make_folders(const char *path) {
    char folder[PATH_MAX];
    BASE_FAIL_IF(strlen(path) >= sizeof folder, TOT_E_ARGUMENT, "%.64s...: the name is too long",
                 path);
    // the root exists
    const char *slash = strchr(path[0] == '/' ? path + 1 : path, '/');
    for (; slash != NULL; slash = strchr(slash + 1, '/')) {
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
        BASE_FAIL_IF(mkdir(folder, 0777) != 0 && errno != EEXIST, TOT_E_FILE,
                     "%s: cannot create the folder: %s", folder, strerror(errno));
    }
    return TOT_OK;
}
