#include "cli/inputs.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include <temporalot/file.h>

#include "base/error.h"
#include "base/memory.h"

enum { PATH_ROOM = 4096 };

tot_status cli_inputs_append(cli_inputs *inputs, const char *path) {
    size_t size = strlen(path) + 1;
    void *starts = inputs->starts;
    void *texts = inputs->texts;
    TOT_TRY(tot_grow(&starts, &inputs->capacity, inputs->count, inputs->count + 1,
                     sizeof *inputs->starts, "file names"));
    inputs->starts = starts;
    TOT_TRY(tot_grow(&texts, &inputs->texts_capacity, inputs->texts_used, inputs->texts_used + size,
                     1, "file names"));
    inputs->texts = texts;
    memcpy(inputs->texts + inputs->texts_used, path, size);
    inputs->starts[inputs->count++] = inputs->texts_used;
    inputs->texts_used += size;
    return TOT_OK;
}

const char *cli_inputs_path(const cli_inputs *inputs, size_t index) {
    return inputs->texts + inputs->starts[index];
}

static bool ends_in(const char *name, const char *ending) {
    size_t length = strlen(name);
    size_t tail = strlen(ending);
    return length > tail && strcasecmp(name + length - tail, ending) == 0;
}

// The pictures of several episodes: frames_0, frames_1, ... *found says whether there are any.
static tot_status add_episodes(cli_inputs *inputs, const char *path, const tot_npz *npz,
                               bool *found) {
    char full[PATH_ROOM];
    *found = !tot_npz_has(npz, "embeddings") && !tot_npz_has(npz, "frames") &&
             tot_npz_has(npz, "frames_0");
    for (int64_t k = 0; *found; k++) {
        char name[32];
        snprintf(name, sizeof name, "frames_%lld", (long long)k);
        if (!tot_npz_has(npz, name)) {
            break;
        }
        if (snprintf(full, sizeof full, "%s:%s", path, name) >= (int)sizeof full) {
            return tot_fail(TOT_E_FILE, "%s: the name is too long", path);
        }
        TOT_TRY(cli_inputs_append(inputs, full));
    }
    return TOT_OK;
}

static tot_status add_path(cli_inputs *inputs, const char *path) {
    tot_npz *npz = NULL;
    bool found = false;
    if (ends_in(path, ".npz")) {
        tot_status status = tot_npz_open(&npz, path);
        if (status == TOT_OK) {
            status = add_episodes(inputs, path, npz, &found);
            tot_npz_close(npz);
            TOT_TRY(status);
        }
        // any other failure will be told when it is read
        if (status == TOT_E_MEMORY) {
            return status;
        }
    }
    return found ? TOT_OK : cli_inputs_append(inputs, path);
}

static int compare_paths(const void *a, const void *b, void *texts) {
    return strcmp((const char *)texts + *(const size_t *)a,
                  (const char *)texts + *(const size_t *)b);
}

static void sort(cli_inputs *inputs) {
    if (inputs->count > 1) {
        qsort_r(inputs->starts, inputs->count, sizeof *inputs->starts, compare_paths,
                inputs->texts);
    }
}

static tot_status join(char *path, size_t room, const char *folder, const char *name) {
    const char *slash = folder[0] == '\0' || folder[strlen(folder) - 1] == '/' ? "" : "/";
    int length = snprintf(path, room, "%s%s%s", folder, slash, name);
    if (length < 0 || (size_t)length >= room) {
        return tot_fail(TOT_E_FILE, "%s/%s: the name is too long", folder, name);
    }
    return TOT_OK;
}

// What a folder is looked through for.
static bool is_input(const char *name) {
    static const char *const endings[] = {".npy", ".npz",  ".mp4", ".m4v",  ".mov", ".mkv",
                                          ".avi", ".webm", ".mpg", ".mpeg", ".gif"};
    for (size_t k = 0; k < sizeof endings / sizeof *endings; k++) {
        if (ends_in(name, endings[k])) {
            return true;
        }
    }
    return false;
}

// Adds the names as they are: they are sorted before an .npz becomes several.
static tot_status add_entries(cli_inputs *names, const char *folder, DIR *open_folder,
                              bool *pictures) {
    char path[PATH_ROOM];
    for (struct dirent *entry; (entry = readdir(open_folder)) != NULL;) {
        const char *name = entry->d_name;
        if (name[0] != '.' && is_input(name)) {
            TOT_TRY(join(path, sizeof path, folder, name));
            TOT_TRY(cli_inputs_append(names, path));
        }
        *pictures = *pictures || (name[0] != '.' && ends_in(name, ".png"));
    }
    return TOT_OK;
}

static tot_status add_sorted(cli_inputs *inputs, cli_inputs *names) {
    sort(names);
    for (size_t k = 0; k < names->count; k++) {
        TOT_TRY(add_path(inputs, cli_inputs_path(names, k)));
    }
    return TOT_OK;
}

static tot_status add_folder(cli_inputs *inputs, const char *folder) {
    cli_inputs names = {0};
    bool pictures = false;
    DIR *open_folder = opendir(folder);
    if (open_folder == NULL) {
        return tot_fail(TOT_E_FILE, "%s: %s", folder, strerror(errno));
    }
    tot_status status = add_entries(&names, folder, open_folder, &pictures);
    closedir(open_folder);
    if (status == TOT_OK && names.count > 0) {
        status = add_sorted(inputs, &names);
    } else if (status == TOT_OK && pictures) {
        status = cli_inputs_append(inputs, folder);
    } else if (status == TOT_OK) {
        status =
            tot_fail(TOT_E_FILE, "%s: no .npy or .npz file, video or PNG in this folder", folder);
    }
    cli_inputs_free(&names);
    return status;
}

static tot_status expand(cli_inputs *inputs, const char *folder, const char *pattern);

// One name that fits the pattern's first part: `rest` is what stands behind it, or NULL.
static tot_status expand_name(cli_inputs *inputs, const char *folder, const char *name,
                              const char *rest) {
    char path[PATH_ROOM];
    struct stat found;
    TOT_TRY(join(path, sizeof path, folder, name));
    if (stat(path, &found) != 0) {
        return TOT_OK;
    }
    if (rest == NULL) {
        return cli_inputs_append(inputs, path);
    }
    return S_ISDIR(found.st_mode) ? expand(inputs, path, rest) : TOT_OK;
}

static tot_status expand_entries(cli_inputs *inputs, const char *folder, const char *part,
                                 const char *rest, DIR *open_folder) {
    for (struct dirent *entry; (entry = readdir(open_folder)) != NULL;) {
        if (fnmatch(part, entry->d_name, FNM_PERIOD) == 0) {
            TOT_TRY(expand_name(inputs, folder, entry->d_name, rest));
        }
    }
    return TOT_OK;
}

// Adds the files below `folder` that fit a pattern. (glob of glibc 2.36 frees twice when memory
// runs out.)
static tot_status expand(cli_inputs *inputs, const char *folder, const char *pattern) {
    char part[NAME_MAX + 1];
    size_t length = strcspn(pattern, "/");
    if (length >= sizeof part) {
        return tot_fail(TOT_E_FILE, "%s: a part of the pattern is too long", pattern);
    }
    memcpy(part, pattern, length);
    part[length] = '\0';
    const char *rest = pattern[length] == '/' ? pattern + length + 1 : NULL;
    if (length == 0) {
        return rest != NULL ? expand(inputs, folder[0] == '\0' ? "/" : folder, rest) : TOT_OK;
    }
    if (strpbrk(part, "*?[") == NULL) {
        return expand_name(inputs, folder, part, rest);
    }
    DIR *open_folder = opendir(folder[0] == '\0' ? "." : folder);
    if (open_folder == NULL) {
        return tot_fail(TOT_E_FILE, "%s: %s", folder, strerror(errno));
    }
    tot_status status = expand_entries(inputs, folder, part, rest, open_folder);
    closedir(open_folder);
    return status;
}

static tot_status add_pattern(cli_inputs *inputs, const char *pattern) {
    cli_inputs names = {0};
    tot_status status = expand(&names, "", pattern);
    if (status == TOT_OK && names.count == 0) {
        status = tot_fail(TOT_E_FILE, "%s: matches no file", pattern);
    }
    status = status != TOT_OK ? status : add_sorted(inputs, &names);
    cli_inputs_free(&names);
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
    tot_free(inputs->starts);
    tot_free(inputs->texts);
    *inputs = (cli_inputs){0};
}
