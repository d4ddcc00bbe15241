// Finds run folders and reads them.
#include <temporalot/runs.h>

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

#include "base/base.h"
#include "study/run_read.h"
#include "train/folder.h"

enum { DEEPEST = 32 };

typedef struct found {
    char *path;
    dev_t device;
    ino_t inode;
} found;

struct tot_runs {
    study_run *all;  // [count]
    size_t count;
};

typedef struct search {
    found *folders;
    size_t count;
    size_t capacity;
} search;

const char *tot_run_state_text(tot_run_state state) {
    static const char *const names[] = {"new", "going", "stopped", "finished", "damaged"};
    return (size_t)state < BASE_LENGTH(names) ? names[state] : "unknown";
}

// --- finding -----------------------------------------------------------------------------------

static tot_status keep(search *all, const char *path, const struct stat *about) {
    for (size_t k = 0; k < all->count; k++) {
        if (all->folders[k].inode == about->st_ino && all->folders[k].device == about->st_dev) {
            return TOT_OK;
        }
    }
    BASE_GROW(all->folders, all->capacity, all->count, all->count + 1, "runs");
    char *copy = base_copy_text(path);
    BASE_HAVE(copy);
    all->folders[all->count++] = (found){copy, about->st_dev, about->st_ino};
    return TOT_OK;
}

static tot_status visit(search *all, const char *path, int depth);

static tot_status visit_inside(search *all, const char *path, DIR *entries, int depth) {
    char inner[TRAIN_PATH];
    struct stat about;
    errno = 0;
    for (struct dirent *entry; (entry = readdir(entries)) != NULL; errno = 0) {
        if (entry->d_name[0] == '.') {
            continue;
        }
        BASE_TRY(train_path(inner, path, entry->d_name));
        if (lstat(inner, &about) == 0 && S_ISDIR(about.st_mode)) {
            BASE_TRY(visit(all, inner, depth + 1));
        }
    }
    return errno == 0 ? TOT_OK
                      : base_fail(TOT_E_FILE, "%s: cannot be read: %s", path, strerror(errno));
}

static tot_status visit(search *all, const char *path, int depth) {
    struct stat about;
    if (stat(path, &about) != 0) {
        // removed since its parent folder was listed
        return depth > 0 && errno == ENOENT
                   ? TOT_OK
                   : base_fail(TOT_E_FILE, "%s: %s", path, strerror(errno));
    }
    BASE_FAIL_IF(!S_ISDIR(about.st_mode), TOT_E_FILE, "%s: is not a folder", path);
    if (study_is_run_folder(path)) {
        return keep(all, path, &about);
    }
    if (depth >= DEEPEST) {
        return TOT_OK;
    }
    DIR *entries = opendir(path);
    BASE_FAIL_IF(entries == NULL, TOT_E_FILE, "%s: cannot be read: %s", path, strerror(errno));
    BASE_FINALLY(visit_inside(all, path, entries, depth), closedir(entries));
}

// "runs/" is "runs".
static tot_status visit_given(search *all, const char *folder) {
    char path[TRAIN_PATH];
    size_t length = strlen(folder);
    BASE_FAIL_IF(length == 0 || length >= sizeof path, TOT_E_ARGUMENT,
                 "a run's folder: its name is %s", length == 0 ? "empty" : "too long");
    memcpy(path, folder, length + 1);
    while (length > 1 && path[length - 1] == '/') {
        path[--length] = '\0';
    }
    return visit(all, path, 0);
}

static int compare_paths(const void *a, const void *b) {
    return strverscmp(((const found *)a)->path, ((const found *)b)->path);
}

static void forget(search *all) {
    for (size_t k = 0; k < all->count; k++) {
        base_free(all->folders[k].path);
    }
    base_free(all->folders);
}

// --- reading -----------------------------------------------------------------------------------

static tot_status read_all(tot_runs *runs, const search *all) {
    BASE_ALLOC_ZERO(runs->all, all->count, "runs");
    for (size_t k = 0; k < all->count; k++) {
        runs->count = k + 1;
        BASE_TRY(study_run_read(&runs->all[k], all->folders[k].path));
    }
    return TOT_OK;
}

static tot_status read_found(tot_runs **out, search *all) {
    BASE_FAIL_IF(all->count == 0, TOT_E_ARGUMENT,
                 "no run in the given folders: a run has a config.yaml or a metrics.csv");
    qsort(all->folders, all->count, sizeof *all->folders, compare_paths);
    BASE_NEW(tot_runs, runs, "runs");
    BASE_GIVE(read_all(runs, all), out, runs, tot_runs_free);
}

tot_status tot_runs_find(tot_runs **runs, const char *const *folders, size_t count) {
    BASE_FAIL_IF(runs == NULL || folders == NULL || count == 0, TOT_E_ARGUMENT, "runs: no %s given",
                 runs == NULL ? "place" : "folder");
    *runs = NULL;
    search all = {0};
    tot_status status = TOT_OK;
    for (size_t k = 0; status == TOT_OK && k < count; k++) {
        status = folders[k] != NULL ? visit_given(&all, folders[k])
                                    : base_fail(TOT_E_ARGUMENT, "runs: folder %zu is NULL", k);
    }
    BASE_THEN(status, read_found(runs, &all));
    forget(&all);
    return status;
}

BASE_GETTER(size_t, tot_runs_count, tot_runs, runs, 0, runs->count)

BASE_ITEM(const tot_run_record *, tot_runs_at, tot_runs, runs, runs->count,
          &runs->all[index].record)

void tot_runs_free(tot_runs *runs) {
    BASE_UNLESS_NULL(runs);
    for (size_t k = 0; k < runs->count; k++) {
        study_run_free(&runs->all[k]);
    }
    BASE_RELEASE(runs->all, runs);
}
