#include "train/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "train/settings.h"

tot_status train_path(char *path, const char *folder, const char *name) {
    const int length = snprintf(path, TRAIN_PATH, "%s/%s", folder, name);
    if (length < 0 || length >= TRAIN_PATH) {
        return base_fail(TOT_E_ARGUMENT, "%.64s...: the name of the folder is too long", folder);
    }
    return TOT_OK;
}

tot_status train_make_folder(const char *path) {
    char whole[TRAIN_PATH];
    // "" would be the root
    if (path[0] == '\0') {
        return base_fail(TOT_E_ARGUMENT, "the name of the folder is empty");
    }
    BASE_TRY(train_path(whole, path, ""));
    // the root is there
    char *slash = strchr(whole[0] == '/' ? whole + 1 : whole, '/');
    for (; slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(whole, 0777) != 0 && errno != EEXIST) {
            return base_fail(TOT_E_FILE, "%s: cannot make the folder: %s", whole, strerror(errno));
        }
        *slash = '/';
    }
    return TOT_OK;
}

tot_status train_lock_folder(const char *folder, int *lock) {
    char path[TRAIN_PATH];
    BASE_TRY(train_path(path, folder, "lock"));
    *lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (*lock < 0) {
        return base_fail(TOT_E_FILE, "%s: cannot write: %s", path, strerror(errno));
    }
    if (flock(*lock, LOCK_EX | LOCK_NB) == 0) {
        return TOT_OK;
    }
    const int error = errno;
    close(*lock);
    *lock = -1;
    if (error == EWOULDBLOCK) {
        return base_fail(TOT_E_FILE, "%s: another process is training in this folder", folder);
    }
    return base_fail(TOT_E_FILE, "%s: cannot lock: %s", path, strerror(error));
}

tot_status train_write_text(const char *path, const char *text) {
    tot_file *file = NULL;
    BASE_TRY(tot_file_create(&file, path));
    const tot_status status = tot_file_write(file, text, strlen(text));
    if (status != TOT_OK) {
        tot_file_discard(file);
        return status;
    }
    return tot_file_commit(file);
}

tot_status train_write_config(const char *folder, const tot_train_config *config) {
    char path[TRAIN_PATH];
    BASE_TRY(train_path(path, folder, "config.yaml"));
    char *text = train_config_text(config);
    if (text == NULL) {
        return TOT_E_MEMORY;
    }
    const tot_status status = train_write_text(path, text);
    base_free(text);
    return status;
}

tot_status tot_train_config_of(tot_train_config *config, const char *folder) {
    char path[TRAIN_PATH];
    BASE_TRY(train_path(path, folder, "config.yaml"));
    tot_train_defaults(config);
    return tot_train_load(config, path);
}
