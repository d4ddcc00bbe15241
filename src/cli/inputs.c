#include "cli/inputs.h"

#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/memory.h"

static tot_status add_path(cli_inputs *inputs, const char *path) {
    void *paths = inputs->paths;
    TOT_TRY(tot_grow(&paths, &inputs->capacity, inputs->count, inputs->count + 1,
                     sizeof *inputs->paths, "file names"));
    inputs->paths = paths;
    char *copy = tot_copy_text(path);
    if (copy == NULL) {
        return TOT_E_MEMORY;
    }
    inputs->paths[inputs->count++] = copy;
    return TOT_OK;
}

static int compare_paths(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool ends_in(const char *name, const char *ending) {
    size_t length = strlen(name);
    size_t tail = strlen(ending);
    return length > tail && strcmp(name + length - tail, ending) == 0;
}

static tot_status add_entries(cli_inputs *inputs, const char *folder, DIR *open_folder) {
    char path[4096];
    for (struct dirent *entry; (entry = readdir(open_folder)) != NULL;) {
        const char *name = entry->d_name;
        if (name[0] == '.' || (!ends_in(name, ".npy") && !ends_in(name, ".npz"))) {
            continue;
        }
        int length = snprintf(path, sizeof path, "%s/%s", folder, name);
        if (length < 0 || (size_t)length >= sizeof path) {
            return tot_fail(TOT_E_FILE, "%s/%s: the name is too long", folder, name);
        }
        TOT_TRY(add_path(inputs, path));
    }
    return TOT_OK;
}

static tot_status add_folder(cli_inputs *inputs, const char *folder) {
    DIR *open_folder = opendir(folder);
    if (open_folder == NULL) {
        return tot_fail(TOT_E_FILE, "%s: %s", folder, strerror(errno));
    }
    size_t before = inputs->count;
    tot_status status = add_entries(inputs, folder, open_folder);
    closedir(open_folder);
    TOT_TRY(status);
    if (inputs->count == before) {
        return tot_fail(TOT_E_FILE, "%s: no .npy or .npz file in this folder", folder);
    }
    qsort(inputs->paths + before, inputs->count - before, sizeof *inputs->paths, compare_paths);
    return TOT_OK;
}

static tot_status add_pattern(cli_inputs *inputs, const char *pattern) {
    glob_t found = {0};
    int failed = glob(pattern, 0, NULL, &found);
    tot_status status = TOT_OK;
    if (failed == GLOB_NOMATCH) {
        status = tot_fail(TOT_E_FILE, "%s: matches no file", pattern);
    } else if (failed == GLOB_NOSPACE) {
        status = tot_fail(TOT_E_MEMORY, "%s: no memory for the file names", pattern);
    } else if (failed != 0) {
        status = tot_fail(TOT_E_FILE, "%s: a folder of it cannot be read", pattern);
    }
    for (size_t k = 0; status == TOT_OK && k < found.gl_pathc; k++) {
        status = add_path(inputs, found.gl_pathv[k]);
    }
    globfree(&found);
    return status;
}

static tot_status add_list(cli_inputs *inputs, const char *path) {
    FILE *list = fopen(path, "r");
    if (list == NULL) {
        return tot_fail(TOT_E_FILE, "%s: %s", path, strerror(errno));
    }
    char line[4096];
    tot_status status = TOT_OK;
    while (status == TOT_OK && fgets(line, sizeof line, list) != NULL) {
        size_t length = strcspn(line, "\r\n");
        if (line[length] == '\0' && !feof(list)) {
            status = tot_fail(TOT_E_FILE, "%s: a line is longer than 4095 bytes", path);
            break;
        }
        line[length] = '\0';
        if (line[0] == '@') {
            status = tot_fail(TOT_E_FILE, "%s: a list cannot name a list ('%s')", path, line);
        } else if (line[0] != '\0' && line[0] != '#') {
            status = cli_inputs_add(inputs, line);
        }
    }
    if (status == TOT_OK && ferror(list)) {
        status = tot_fail(TOT_E_FILE, "%s: could not be read", path);
    }
    fclose(list);
    return status;
}

tot_status cli_inputs_add(cli_inputs *inputs, const char *word) {
    struct stat found;
    if (stat(word, &found) == 0) {
        return S_ISDIR(found.st_mode) ? add_folder(inputs, word) : add_path(inputs, word);
    }
    if (word[0] == '@') {
        return add_list(inputs, word + 1);
    }
    if (strpbrk(word, "*?[") != NULL) {
        return add_pattern(inputs, word);
    }
    // not there, or "F.npz:NAME": reading it will tell
    return add_path(inputs, word);
}

void cli_inputs_free(cli_inputs *inputs) {
    for (size_t k = 0; k < inputs->count; k++) {
        tot_free(inputs->paths[k]);
    }
    tot_free(inputs->paths);
    *inputs = (cli_inputs){0};
}
