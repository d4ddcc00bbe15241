// Pictures from a folder of PNG or JPEG files, sorted by name with numbers by value; and a single
// PNG, treated as a folder of one.
#include <dirent.h>
#include <errno.h>

#include "base/base.h"
#include "file/frames.h"

typedef struct folder_reader {
    // the names, concatenated; `starts` is in reading order
    size_t *starts;
    char *names;
    size_t count;
    size_t starts_capacity;
    size_t names_used;
    size_t names_capacity;
    char *folder;  // "" for a single PNG, whose name is its path
    char *path;    // of the file being read
    size_t path_capacity;
    tot_array image;  // the last picture read
} folder_reader;

// --- names -------------------------------------------------------------------------------------

static bool is_digit(char letter) {
    return letter >= '0' && letter <= '9';
}

// Compares two decimal numbers of any length by value, and advances past both.
static int compare_numbers(const char **a, const char **b) {
    const char *one = *a + strspn(*a, "0");
    const char *other = *b + strspn(*b, "0");
    const size_t length = strspn(one, "0123456789");
    const size_t other_length = strspn(other, "0123456789");
    *a = one + length;
    *b = other + other_length;
    if (length != other_length) {
        return length < other_length ? -1 : 1;
    }
    return strncmp(one, other, length);
}

static int compare_names(const char *a, const char *b) {
    const char *one = a;
    const char *other = b;
    while (*one != '\0' && *other != '\0') {
        int order = 0;
        if (is_digit(*one) && is_digit(*other)) {
            order = compare_numbers(&one, &other);
        } else {
            order = (int)(unsigned char)*one++ - (int)(unsigned char)*other++;
        }
        if (order != 0) {
            return order;
        }
    }
    if (*one != *other) {
        return *one == '\0' ? -1 : 1;
    }
    // 1.png and 01.png: any order, as long as it is deterministic
    return strcmp(a, b);
}

static int compare_starts(const void *a, const void *b, void *names) {
    return compare_names((const char *)names + *(const size_t *)a,
                         (const char *)names + *(const size_t *)b);
}

static tot_status add_name(folder_reader *reader, const char *name) {
    const size_t size = strlen(name) + 1;
    void *names = reader->names;
    BASE_GROW(reader->starts, reader->starts_capacity, reader->count, reader->count + 1,
              "names of pictures");
    BASE_TRY(base_grow(&names, &reader->names_capacity, reader->names_used,
                       reader->names_used + size, 1, "names of pictures"));
    reader->names = names;
    memcpy(reader->names + reader->names_used, name, size);
    reader->starts[reader->count++] = reader->names_used;
    reader->names_used += size;
    return TOT_OK;
}

bool file_frames_is_picture(const char *name) {
    return name[0] != '.' && (base_ends_in(name, ".png") || base_ends_in(name, ".jpg") ||
                              base_ends_in(name, ".jpeg"));
}

static tot_status add_names(folder_reader *reader, const char *folder, DIR *open_folder) {
    struct dirent *entry;
    errno = 0;
    while ((entry = readdir(open_folder)) != NULL) {
        if (file_frames_is_picture(entry->d_name)) {
            BASE_TRY(add_name(reader, entry->d_name));
        }
        errno = 0;
    }
    return errno != 0 ? base_fail(TOT_E_FILE, "%s: cannot list it: %s", folder, strerror(errno))
                      : TOT_OK;
}

static tot_status list_folder(folder_reader *reader, const char *folder) {
    DIR *open_folder = opendir(folder);
    BASE_FAIL_IF(open_folder == NULL, TOT_E_FILE, "%s: cannot open: %s", folder, strerror(errno));
    const tot_status status = add_names(reader, folder, open_folder);
    closedir(open_folder);
    BASE_TRY(status);
    BASE_FAIL_IF(reader->count == 0, TOT_E_FORMAT, "%s: no PNG or JPEG file in this folder",
                 folder);
    qsort_r(reader->starts, reader->count, sizeof *reader->starts, compare_starts, reader->names);
    return TOT_OK;
}

// --- reading -----------------------------------------------------------------------------------

static const char *name_of(const folder_reader *reader, int64_t index) {
    return reader->names + reader->starts[index];
}

// The extension may say PNG for another format; if the content is unknown, trust the extension.
static tot_status is_png(const char *path, bool *png) {
    uint8_t first[8] = {0};
    file_source source;
    BASE_TRY(file_source_open(&source, path, NULL));
    tot_status status = TOT_OK;
    if (source.size >= (int64_t)sizeof first) {
        status = source.read(&source, first, sizeof first);
    }
    file_source_close(&source);
    *png = memcmp(first, "\x89PNG", 4) == 0 ||
           (base_ends_in(path, ".png") && !file_frames_is_other(first));
    return status;
}

static tot_status load_picture(folder_reader *reader, int64_t index) {
    const char *name = name_of(reader, index);
    const size_t capacity = strlen(reader->folder) + strlen(name) + 2;
    BASE_RESERVE(reader->path, reader->path_capacity, capacity, "name of a picture");
    snprintf(reader->path, capacity, "%s%s%s", reader->folder, reader->folder[0] != '\0' ? "/" : "",
             name);
    bool png = false;
    BASE_TRY(is_png(reader->path, &png));
    return png ? tot_png_read(&reader->image, reader->path)
               : file_frames_read_other(&reader->image, reader->path);
}

static tot_status read_picture(tot_frames *frames, uint8_t *rgb, bool *end) {
    folder_reader *reader = frames->state;
    if (frames->taken == frames->count) {
        *end = true;
        return TOT_OK;
    }
    // the first was loaded when the folder was opened
    if (frames->taken > 0) {
        BASE_TRY(load_picture(reader, frames->taken));
        BASE_TRY(file_frames_check_size(frames, name_of(reader, frames->taken),
                                        reader->image.shape[1], reader->image.shape[0]));
    }
    memcpy(rgb, reader->image.data, (size_t)tot_array_count(&reader->image));
    return TOT_OK;
}

static void close_reader(void *state) {
    folder_reader *reader = state;
    if (reader == NULL) {
        return;
    }
    tot_array_free(&reader->image);
    BASE_RELEASE(reader->path, reader->folder, reader->names, reader->starts, reader);
}

static const file_frames_kind folder_kind = {read_picture, NULL, close_reader};

// --- opening -----------------------------------------------------------------------------------

static tot_status make_reader(tot_frames *frames, const char *folder, folder_reader **reader) {
    BASE_ALLOC_ZERO(*reader, 1, "pictures");
    frames->state = *reader;
    frames->kind = &folder_kind;
    (*reader)->folder = base_copy_text(folder);
    return (*reader)->folder != NULL ? TOT_OK : TOT_E_MEMORY;
}

static tot_status load_first(tot_frames *frames, folder_reader *reader) {
    BASE_TRY(load_picture(reader, 0));
    frames->count = (int64_t)reader->count;
    return file_frames_set_size(frames, reader->image.shape[1], reader->image.shape[0]);
}

tot_status file_frames_open_folder(tot_frames *frames) {
    folder_reader *reader = NULL;
    BASE_TRY(make_reader(frames, frames->path, &reader));
    BASE_TRY(list_folder(reader, frames->path));
    return load_first(frames, reader);
}

tot_status file_frames_open_picture(tot_frames *frames) {
    folder_reader *reader = NULL;
    BASE_TRY(make_reader(frames, "", &reader));
    BASE_TRY(add_name(reader, frames->path));
    return load_first(frames, reader);
}
