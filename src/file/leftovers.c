// Temporary files of processes that were killed while writing.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file/atomic.h"

// ".temporalot-PID-NUMBER.tmp", as named by open_temporary in atomic.c.
static bool is_temporary(const char *name, long *process) {
    unsigned number = 0;
    int end = 0;
    return sscanf(name, ".temporalot-%ld-%u.tmp%n", process, &number, &end) == 2 &&
           end == (int)strlen(name) && *process > 0;
}

// A leftover's process is gone; and nobody holds the writer's lock, in case the folder is shared
// with other machines or containers whose processes are not visible here.
static bool is_left(int folder, const char *name, long process) {
    if (kill((pid_t)process, 0) == 0 || errno != ESRCH) {
        return false;
    }
    struct stat found;
    const int file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    const bool left = file >= 0 && fstat(file, &found) == 0 && S_ISREG(found.st_mode) &&
                      flock(file, LOCK_EX | LOCK_NB) == 0;
    if (file >= 0) {
        close(file);
    }
    return left;
}

size_t file_remove_leftovers(const char *folder) {
    size_t removed = 0;
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries != NULL && (entry = readdir(entries)) != NULL;) {
        long process = 0;
        if (is_temporary(entry->d_name, &process) &&
            is_left(dirfd(entries), entry->d_name, process)) {
            removed += unlinkat(dirfd(entries), entry->d_name, 0) == 0;
        }
    }
    if (entries != NULL) {
        closedir(entries);
    }
    return removed;
}
