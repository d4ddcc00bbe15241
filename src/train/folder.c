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

tot_status tot_path(char *path, const char *folder, const char *name) {
    const int length = snprintf(path, TOT_PATH, "%s/%s", folder, name);
    if (length < 0 || length >= TOT_PATH) {
        return tot_fail(TOT_E_ARGUMENT, "%.64s...: the name of the folder is too long", folder);
    }
    return TOT_OK;
}

tot_status tot_make_folder(const char *path) {
    char whole[TOT_PATH];
    // "" would be the root
    if (path[0] == '\0') {
        return tot_fail(TOT_E_ARGUMENT, "the name of the folder is empty");
    }
    TOT_TRY(tot_path(whole, path, ""));
    // the root is there
    char *slash = strchr(whole[0] == '/' ? whole + 1 : whole, '/');
    for (; slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(whole, 0777) != 0 && errno != EEXIST) {
            return tot_fail(TOT_E_FILE, "%s: cannot make the folder: %s", whole, strerror(errno));
        }
        *slash = '/';
    }
    return TOT_OK;
}

tot_status tot_lock_folder(const char *folder, int *lock) {
    char path[TOT_PATH];
    TOT_TRY(tot_path(path, folder, "lock"));
    *lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (*lock < 0) {
        return tot_fail(TOT_E_FILE, "%s: cannot write: %s", path, strerror(errno));
    }
    if (flock(*lock, LOCK_EX | LOCK_NB) == 0) {
        return TOT_OK;
    }
    const int error = errno;
    close(*lock);
    *lock = -1;
    if (error == EWOULDBLOCK) {
        return tot_fail(TOT_E_FILE, "%s: another process is training in this folder", folder);
    }
    return tot_fail(TOT_E_FILE, "%s: cannot lock: %s", path, strerror(error));
}

tot_status train_write_text(const char *path, const char *text) {
    tot_file *file = NULL;
    TOT_TRY(tot_file_create(&file, path));
    const tot_status status = tot_file_write(file, text, strlen(text));
    if (status != TOT_OK) {
        tot_file_discard(file);
        return status;
    }
    return tot_file_commit(file);
}

tot_status tot_write_config(const char *folder, const tot_train_config *config) {
    char path[TOT_PATH];
    TOT_TRY(tot_path(path, folder, "config.yaml"));
    char *text = tot_train_config_text(config);
    if (text == NULL) {
        return TOT_E_MEMORY;
    }
    const tot_status status = train_write_text(path, text);
    tot_free(text);
    return status;
}

tot_status tot_train_config_of(tot_train_config *config, const char *folder) {
    char path[TOT_PATH];
    TOT_TRY(tot_path(path, folder, "config.yaml"));
    tot_train_defaults(config);
    return tot_train_load(config, path);
}
