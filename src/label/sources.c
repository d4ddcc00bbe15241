// Expands the sources named by the user: files, folders, patterns, lists.

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <sys/stat.h>

#include <temporalot/label.h>

#include "base/base.h"
#include "file/frames.h"
#include "label/embed.h"

enum { PATH_CAPACITY = 4096 };

// The paths are stored contiguously in one buffer, so that thousands of them take little memory.
tot_status tot_source_list_append(tot_source_list *list, const char *path) {
    BASE_NEED(list, path);
    const size_t size = strlen(path) + 1;
    const uintptr_t before = (uintptr_t)list->texts;
    BASE_GROW(list->items, list->capacity, list->count, list->count + 1, "file names");
    BASE_GROW(list->texts, list->texts_capacity, list->texts_used, list->texts_used + size,
              "file names");
    // if the buffer moved, update the paths
    for (size_t k = 0; (uintptr_t)list->texts != before && k < list->count; k++) {
        list->items[k].path = list->texts + ((uintptr_t)list->items[k].path - before);
    }
    memcpy(list->texts + list->texts_used, path, size);
    list->items[list->count++] = (tot_label_source){.path = list->texts + list->texts_used};
    list->texts_used += size;
    return TOT_OK;
}

// Adds the pictures of several episodes: frames_0, frames_1, ... *found: whether there are any.
static tot_status add_episodes(tot_source_list *list, const char *path, const tot_npz *npz,
                               bool *found) {
    char full[PATH_CAPACITY];
    *found = !tot_npz_has(npz, "embeddings") && !tot_npz_has(npz, "frames") &&
             tot_npz_has(npz, "frames_0");
    for (int64_t k = 0; *found; k++) {
        char name[32];
        snprintf(name, sizeof name, "frames_%lld", (long long)k);
        if (!tot_npz_has(npz, name)) {
            break;
        }
        BASE_FAIL_IF(snprintf(full, sizeof full, "%s:%s", path, name) >= (int)sizeof full,
                     TOT_E_FILE, "%s: the name is too long", path);
        BASE_TRY(tot_source_list_append(list, full));
    }
    return TOT_OK;
}

static tot_status add_path(tot_source_list *list, const char *path) {
    tot_npz *npz = NULL;
    bool found = false;
    if (base_ends_in(path, ".npz")) {
        tot_status status = tot_npz_open(&npz, path);
        if (status == TOT_OK) {
            status = add_episodes(list, path, npz, &found);
            tot_npz_close(npz);
            BASE_TRY(status);
        }
        // any other error is reported when the file is read
        if (status == TOT_E_MEMORY) {
            return status;
        }
    }
    return found ? TOT_OK : tot_source_list_append(list, path);
}

static int compare_paths(const void *a, const void *b) {
    return strcmp(((const tot_label_source *)a)->path, ((const tot_label_source *)b)->path);
}

static tot_status join(char *path, size_t capacity, const char *folder, const char *name) {
    const char *slash = folder[0] == '\0' || folder[strlen(folder) - 1] == '/' ? "" : "/";
    int length = snprintf(path, capacity, "%s%s%s", folder, slash, name);
    BASE_FAIL_IF(length < 0 || (size_t)length >= capacity, TOT_E_FILE,
                 "%s/%s: the name is too long", folder, name);
    return TOT_OK;
}

// Whether a file in a folder is an input.
static bool is_input(const char *name) {
    static const char *const endings[] = {".npy", ".npz",  ".mp4", ".m4v",  ".mov", ".mkv",
                                          ".avi", ".webm", ".mpg", ".mpeg", ".gif"};
    for (size_t k = 0; k < BASE_LENGTH(endings); k++) {
        if (base_ends_in(name, endings[k])) {
            return true;
        }
    }
    return false;
}

// Adds the paths as they are: they are sorted before an .npz is expanded into episodes.
static tot_status add_entries(tot_source_list *names, const char *folder, DIR *open_folder,
                              bool *pictures) {
    char path[PATH_CAPACITY];
    for (struct dirent *entry; (entry = readdir(open_folder)) != NULL;) {
        const char *name = entry->d_name;
        if (name[0] != '.' && is_input(name)) {
            BASE_TRY(join(path, sizeof path, folder, name));
            BASE_TRY(tot_source_list_append(names, path));
        }
        *pictures = *pictures || file_frames_is_picture(name);
    }
    return TOT_OK;
}

static tot_status add_sorted(tot_source_list *list, tot_source_list *names) {
    if (names->count > 1) {
        qsort(names->items, names->count, sizeof *names->items, compare_paths);
    }
    for (size_t k = 0; k < names->count; k++) {
        BASE_TRY(add_path(list, names->items[k].path));
    }
    return TOT_OK;
}

static tot_status add_folder(tot_source_list *list, const char *folder) {
    tot_source_list names = {0};
    bool pictures = false;
    DIR *open_folder = opendir(folder);
    BASE_FAIL_IF(open_folder == NULL, TOT_E_FILE, "%s: %s", folder, strerror(errno));
    tot_status status = add_entries(&names, folder, open_folder, &pictures);
    closedir(open_folder);
    if (status == TOT_OK && names.count > 0) {
        status = add_sorted(list, &names);
    } else if (status == TOT_OK && pictures) {
        status = tot_source_list_append(list, folder);
    } else if (status == TOT_OK) {
        status = base_fail(TOT_E_FILE, "%s: no .npy or .npz file, video or picture in this folder",
                           folder);
    }
    tot_source_list_free(&names);
    return status;
}

static tot_status expand(tot_source_list *list, const char *folder, const char *pattern);

// Handles one name that matches the first component of the pattern. rest: the remaining components,
// or NULL.
static tot_status expand_name(tot_source_list *list, const char *folder, const char *name,
                              const char *rest) {
    char path[PATH_CAPACITY];
    struct stat found;
    BASE_TRY(join(path, sizeof path, folder, name));
    if (stat(path, &found) != 0) {
        return TOT_OK;
    }
    if (rest == NULL) {
        return tot_source_list_append(list, path);
    }
    return S_ISDIR(found.st_mode) ? expand(list, path, rest) : TOT_OK;
}

static tot_status expand_entries(tot_source_list *list, const char *folder, const char *part,
                                 const char *rest, DIR *open_folder) {
    for (struct dirent *entry; (entry = readdir(open_folder)) != NULL;) {
        if (fnmatch(part, entry->d_name, FNM_PERIOD) == 0) {
            BASE_TRY(expand_name(list, folder, entry->d_name, rest));
        }
    }
    return TOT_OK;
}

// Adds the files below `folder` that match a pattern. (glibc 2.36's glob has a double free when
// memory runs out.)
static tot_status expand(tot_source_list *list, const char *folder, const char *pattern) {
    char part[NAME_MAX + 1];
    size_t length = strcspn(pattern, "/");
    BASE_FAIL_IF(length >= sizeof part, TOT_E_FILE, "%s: a part of the pattern is too long",
                 pattern);
    memcpy(part, pattern, length);
    part[length] = '\0';
    const char *rest = pattern[length] == '/' ? pattern + length + 1 : NULL;
    if (length == 0) {
        return rest != NULL ? expand(list, folder[0] == '\0' ? "/" : folder, rest) : TOT_OK;
    }
    if (strpbrk(part, "*?[") == NULL) {
        return expand_name(list, folder, part, rest);
    }
    DIR *open_folder = opendir(folder[0] == '\0' ? "." : folder);
    BASE_FAIL_IF(open_folder == NULL, TOT_E_FILE, "%s: %s", folder, strerror(errno));
    BASE_FINALLY(expand_entries(list, folder, part, rest, open_folder), closedir(open_folder));
}

static tot_status add_pattern(tot_source_list *list, const char *pattern) {
    tot_source_list names = {0};
    tot_status status = expand(&names, "", pattern);
    if (status == TOT_OK && names.count == 0) {
        status = base_fail(TOT_E_FILE, "%s: matches no file", pattern);
    }
    BASE_THEN(status, add_sorted(list, &names));
    tot_source_list_free(&names);
    return status;
}

static bool is_pattern(const char *word) {
    return strpbrk(word, "*?[") != NULL;
}

static tot_status add_word(tot_source_list *list, const char *word, const char *inside);

static tot_status add_list(tot_source_list *list, const char *path) {
    FILE *file = fopen(path, "r");
    BASE_FAIL_IF(file == NULL, TOT_E_FILE, "%s: %s", path, strerror(errno));
    char line[4096];
    tot_status status = TOT_OK;
    while (status == TOT_OK && fgets(line, sizeof line, file) != NULL) {
        size_t length = strcspn(line, "\r\n");
        if (line[length] == '\0' && !feof(file)) {
            status = base_fail(TOT_E_FILE, "%s: a line is longer than 4095 bytes", path);
            break;
        }
        line[length] = '\0';
        if (line[0] != '\0' && line[0] != '#') {
            status = add_word(list, line, path);
        }
    }
    if (status == TOT_OK && ferror(file)) {
        status = base_fail(TOT_E_FILE, "%s: could not be read", path);
    }
    fclose(file);
    return status;
}

// --- views of several cameras ------------------------------------------------------------------

// What the parts of "FRONT,SIDE" stand for.
typedef struct view_lists {
    tot_source_list views[LABEL_MOST_VIEWS];
    size_t count;
} view_lists;

static tot_status expand_views(view_lists *lists, const char *word, const char *inside) {
    char part[PATH_CAPACITY];
    for (const char *at = word; at != NULL;) {
        const size_t length = strcspn(at, ",");
        BASE_FAIL_IF(lists->count == LABEL_MOST_VIEWS, TOT_E_ARGUMENT, "%s: more than %d views",
                     word, LABEL_MOST_VIEWS);
        BASE_FAIL_IF(length == 0 || length >= sizeof part, TOT_E_ARGUMENT,
                     "%s: the name of a view is %s", word, length == 0 ? "empty" : "too long");
        memcpy(part, at, length);
        part[length] = '\0';
        tot_source_list *view = &lists->views[lists->count++];
        BASE_TRY(add_word(view, part, inside));
        BASE_FAIL_IF(view->count != lists->views[0].count, TOT_E_FILE,
                     "%s: the first view has %zu episode%s, %s %zu", word, lists->views[0].count,
                     lists->views[0].count == 1 ? "" : "s", part, view->count);
        for (size_t k = 0; k < view->count; k++) {
            BASE_FAIL_IF(view->items[k].other_count > 0, TOT_E_ARGUMENT,
                         "%s: %s lists several views itself", word, part);
        }
        at = at[length] == ',' ? at + length + 1 : NULL;
    }
    return TOT_OK;
}

// Adds an episode of several views; the others and their paths are one block of memory.
static tot_status append_views(tot_source_list *list, const view_lists *lists, size_t index) {
    const size_t others = lists->count - 1;
    size_t size = others * sizeof(tot_label_source);
    for (size_t view = 1; view <= others; view++) {
        size += strlen(lists->views[view].items[index].path) + 1;
    }
    BASE_TRY(tot_source_list_append(list, lists->views[0].items[index].path));
    tot_label_source *made = base_alloc(size, 1, "file names");
    BASE_HAVE(made);
    list->items[list->count - 1].others = made;
    list->items[list->count - 1].other_count = others;
    char *text = (char *)(made + others);
    for (size_t view = 1; view <= others; view++) {
        const char *path = lists->views[view].items[index].path;
        made[view - 1] = (tot_label_source){.path = strcpy(text, path)};
        text += strlen(path) + 1;
    }
    return TOT_OK;
}

static tot_status add_views(tot_source_list *list, const char *word, const char *inside) {
    view_lists lists = {0};
    tot_status status = expand_views(&lists, word, inside);
    for (size_t k = 0; status == TOT_OK && k < lists.views[0].count; k++) {
        status = append_views(list, &lists, k);
    }
    for (size_t view = 0; view < lists.count; view++) {
        tot_source_list_free(&lists.views[view]);
    }
    return status;
}

// --- one word ----------------------------------------------------------------------------------

// Whether a word with commas names a list, an array of an .npz or the files of a pattern as it
// stands, so that it does not mean several views.
static tot_status is_one_name(const char *word, bool *one) {
    tot_source_list names = {0};
    struct stat found;
    char path[PATH_CAPACITY];
    const char *array = strstr(word, ".npz:");
    *one = word[0] == '@' && stat(word + 1, &found) == 0;
    if (!*one && array != NULL) {
        const int length = (int)(array - word) + (int)strlen(".npz");
        *one = snprintf(path, sizeof path, "%.*s", length, word) < (int)sizeof path &&
               stat(path, &found) == 0 && strchr(array, ',') == NULL;
    }
    if (!*one && is_pattern(word)) {
        // a folder that cannot be read is reported when the word is expanded
        const tot_status status = expand(&names, "", word);
        *one = names.count > 0;
        tot_source_list_free(&names);
        return status == TOT_E_MEMORY ? status : TOT_OK;
    }
    return TOT_OK;
}

// inside: the list that contains the word; NULL for one given by the user.
static tot_status add_word(tot_source_list *list, const char *word, const char *inside) {
    struct stat found;
    if (stat(word, &found) == 0) {
        return S_ISDIR(found.st_mode) ? add_folder(list, word) : add_path(list, word);
    }
    bool one = true;
    BASE_TRY(strchr(word, ',') != NULL ? is_one_name(word, &one) : TOT_OK);
    if (!one) {
        return add_views(list, word, inside);
    }
    if (word[0] == '@') {
        return inside == NULL
                   ? add_list(list, word + 1)
                   : base_fail(TOT_E_FILE, "%s: a list cannot name a list ('%s')", inside, word);
    }
    if (is_pattern(word)) {
        return add_pattern(list, word);
    }
    // missing, or "F.npz:NAME": found out when it is read
    return add_path(list, word);
}

// --- public functions --------------------------------------------------------------------------

tot_status tot_source_list_add(tot_source_list *list, const char *word) {
    BASE_NEED(list, word);
    return add_word(list, word, NULL);
}

void tot_source_list_free(tot_source_list *list) {
    BASE_UNLESS_NULL(list);
    for (size_t k = 0; k < list->count; k++) {
        base_free(list->items[k].others);
    }
    BASE_RELEASE(list->items, list->texts);
    *list = (tot_source_list){0};
}
