// Pictures from a folder of PNG or JPEG files, sorted by name with numbers by value; and a single
// PNG, treated as a folder of one.
#include <dirent.h>
#include <errno.h>

#include "base/base.h"
#include "file/frames.h"

typedef struct folder_reader {
    struct dirent **entries;  // [count], in reading order; NULL: a single PNG
    size_t count;
    const char *root;  // the folder, or the path of the single PNG; owned by the frames
    char *path;        // of the file being read
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

static int compare_entries(const struct dirent **a, const struct dirent **b) {
    return compare_names((*a)->d_name, (*b)->d_name);
}

bool file_frames_is_picture(const char *name) {
    return name[0] != '.' && (base_ends_in(name, ".png") || base_ends_in(name, ".jpg") ||
                              base_ends_in(name, ".jpeg"));
}

static int is_wanted(const struct dirent *entry) {
    return file_frames_is_picture(entry->d_name);
}

static tot_status list_folder(folder_reader *reader) {
    const int count = scandir(reader->root, &reader->entries, is_wanted, compare_entries);
    BASE_FAIL_IF(count < 0, errno == ENOMEM ? TOT_E_MEMORY : TOT_E_FILE, "%s: cannot open: %s",
                 reader->root, strerror(errno));
    reader->count = (size_t)count;
    BASE_FAIL_IF(count == 0, TOT_E_FORMAT, "%s: no PNG or JPEG file in this folder", reader->root);
    return TOT_OK;
}

// --- reading -----------------------------------------------------------------------------------

// A file's name in its folder; NULL: a single PNG.
static const char *name_of(const folder_reader *reader, int64_t index) {
    return reader->entries != NULL ? reader->entries[index]->d_name : NULL;
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
    const size_t capacity = strlen(reader->root) + (name != NULL ? strlen(name) : 0) + 2;
    BASE_RESERVE(reader->path, reader->path_capacity, capacity, "name of a picture");
    snprintf(reader->path, capacity, "%s%s%s", reader->root, name != NULL ? "/" : "",
             name != NULL ? name : "");
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
    BASE_UNLESS_NULL(reader);
    tot_array_free(&reader->image);
    for (size_t k = 0; reader->entries != NULL && k < reader->count; k++) {
        free(reader->entries[k]);
    }
    free(reader->entries);
    BASE_RELEASE(reader->path, reader);
}

static const file_frames_kind folder_kind = {read_picture, NULL, close_reader};

// --- opening -----------------------------------------------------------------------------------

static tot_status open_files(tot_frames *frames, bool is_folder) {
    BASE_NEW(folder_reader, reader, "pictures");
    frames->state = reader;
    frames->kind = &folder_kind;
    reader->root = frames->path;
    reader->count = 1;
    if (is_folder) {
        BASE_TRY(list_folder(reader));
    }
    BASE_TRY(load_picture(reader, 0));
    frames->count = (int64_t)reader->count;
    return file_frames_set_size(frames, reader->image.shape[1], reader->image.shape[0]);
}

tot_status file_frames_open_folder(tot_frames *frames) {
    return open_files(frames, true);
}

tot_status file_frames_open_picture(tot_frames *frames) {
    return open_files(frames, false);
}
