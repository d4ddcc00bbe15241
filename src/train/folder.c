#include "train/folder.h"

#include <dirent.h>
#include <errno.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "file/atomic.h"
#include "train/settings.h"

static const char *const inner[] = {"checkpoint", "checkpoint/replay", "videos"};

tot_status train_path(char *path, const char *folder, const char *name) {
    const int length = snprintf(path, TRAIN_PATH, "%s/%s", folder, name);
    BASE_FAIL_IF(length < 0 || length >= TRAIN_PATH, TOT_E_ARGUMENT,
                 "%.64s...: the name of the folder is too long", folder);
    return TOT_OK;
}

tot_status train_make_folder(const char *path) {
    char whole[TRAIN_PATH];
    // "" would become the root
    BASE_FAIL_IF(path[0] == '\0', TOT_E_ARGUMENT, "the name of the folder is empty");
    BASE_TRY(train_path(whole, path, ""));
    return file_make_folders(whole);
}

tot_status train_lock_folder(const char *folder, int *lock) {
    char path[TRAIN_PATH];
    BASE_TRY(train_path(path, folder, "lock"));
    BASE_TRY(file_open_own(path, lock, NULL));
    if (flock(*lock, LOCK_EX | LOCK_NB) == 0) {
        return TOT_OK;
    }
    const int error = errno;
    close(*lock);
    *lock = -1;
    BASE_FAIL_IF(error == EWOULDBLOCK, TOT_E_FILE, "%s: another process is training in this folder",
                 folder);
    return base_fail(TOT_E_FILE, "%s: cannot lock: %s", path, strerror(error));
}

tot_status train_check_folders(const char *folder) {
    for (size_t k = 0; k < BASE_LENGTH(inner); k++) {
        char path[TRAIN_PATH];
        struct stat found;
        BASE_TRY(train_path(path, folder, inner[k]));
        BASE_FAIL_IF(lstat(path, &found) == 0 && !S_ISDIR(found.st_mode), TOT_E_FILE,
                     "%s: cannot write into it: is %s, not a folder", path,
                     S_ISLNK(found.st_mode) ? "a symbolic link" : "a file");
    }
    return TOT_OK;
}

size_t train_existing(const char *folder) {
    char path[TRAIN_PATH];
    size_t length = (size_t)snprintf(path, sizeof path, "%s", folder);
    while (length > 0 && length < sizeof path && access(path, F_OK) != 0) {
        const char *slash = strrchr(path, '/');
        length = slash != NULL ? (size_t)(slash - path) : 0;
        path[length] = '\0';
    }
    return length;
}

bool train_is_fresh(const char *folder) {
    DIR *entries = opendir(folder);
    bool fresh = entries != NULL || errno == ENOENT;
    for (struct dirent *entry; entries != NULL && (entry = readdir(entries)) != NULL;) {
        fresh = fresh && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0);
    }
    if (entries != NULL) {
        closedir(entries);
    }
    return fresh;
}

void train_unmake_folder(const char *folder, size_t existing) {
    static const char *const begun[] = {"config.yaml", "status.json", "metrics.csv", TRAIN_EVENTS,
                                        "lock",        "videos",      "checkpoint"};
    char path[TRAIN_PATH];
    for (size_t k = 0; k < BASE_LENGTH(begun); k++) {
        if (train_path(path, folder, begun[k]) == TOT_OK) {
            remove(path);
        }
    }
    // removes only empty folders, innermost first
    size_t length = (size_t)snprintf(path, sizeof path, "%s", folder);
    while (length > existing && length < sizeof path && rmdir(path) == 0) {
        const char *slash = strrchr(path, '/');
        length = slash != NULL ? (size_t)(slash - path) : 0;
        path[length] = '\0';
    }
}

void train_remove_leftovers(const char *folder) {
    char path[TRAIN_PATH];
    file_remove_leftovers(folder);
    for (size_t k = 0; k < BASE_LENGTH(inner); k++) {
        if (train_path(path, folder, inner[k]) == TOT_OK) {
            file_remove_leftovers(path);
        }
    }
}

tot_status train_write_config(const char *folder, const tot_train_config *config) {
    char path[TRAIN_PATH];
    BASE_TRY(train_path(path, folder, "config.yaml"));
    char *text = train_config_text(config);
    BASE_HAVE(text);
    BASE_FINALLY(file_save_text(path, text), base_free(text));
}

tot_status tot_train_config_of(tot_train_config *config, const char *folder) {
    BASE_NEED(config, folder);
    char path[TRAIN_PATH];
    BASE_TRY(train_path(path, folder, "config.yaml"));
    tot_train_defaults(config);
    return tot_train_load(config, path);
}
