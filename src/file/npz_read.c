// Reading an .npz: a zip archive of .npy files, read with libzip.
#include "base/base.h"
#include "file/array.h"
#include "file/npy.h"
#include "file/npz.h"
#include "file/zip_read.h"

typedef struct npz_entry {
    const char *name;    // without ".npy"
    zip_uint64_t index;  // in the archive
} npz_entry;

struct tot_npz {
    zip_t *archive;
    char *path;          // for error messages
    int64_t size;        // bytes of the archive
    int64_t count;       // arrays
    npz_entry *entries;  // in the archive's order
    npz_entry *sorted;   // the same, sorted by name
    char *names;         // all of them, each NUL-terminated
};

// --- opening -----------------------------------------------------------------------------------

static tot_status open_archive(tot_npz *npz, file_source *source) {
    bool is_zip = false;
    BASE_TRY(file_source_is_zip(source, &is_zip));
    BASE_FAIL_IF(!is_zip, TOT_E_FORMAT, "%s: is not an .npz: it is not a zip archive",
                 source->name);
    return file_zip_open(&npz->archive, source, source->name, "is not an .npz that can be read");
}

// The length of an array's name, or 0 if the entry is not an array and is ignored.
static size_t array_name_length(const char *name) {
    size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".npy") == 0 ? length - 4 : 0;
}

// Visits the name of every entry. The first pass counts, the second stores the names.
static tot_status walk_entries(tot_npz *npz, bool keep, size_t *bytes) {
    zip_int64_t total = zip_get_num_entries(npz->archive, 0);
    npz->count = 0;
    *bytes = 0;
    for (zip_int64_t k = 0; k < total; k++) {
        const char *name = zip_get_name(npz->archive, (zip_uint64_t)k, ZIP_FL_ENC_RAW);
        if (name == NULL) {
            return file_zip_fail(zip_get_error(npz->archive), npz->path, "an entry has no name");
        }
        size_t length = array_name_length(name);
        if (length == 0) {
            continue;
        }
        if (keep) {
            char *copy = npz->names + *bytes;
            memcpy(copy, name, length);
            copy[length] = '\0';
            npz->entries[npz->count] = (npz_entry){copy, (zip_uint64_t)k};
            npz->sorted[npz->count] = npz->entries[npz->count];
        }
        npz->count++;
        *bytes += length + 1;
    }
    return TOT_OK;
}

static int compare_entries(const void *a, const void *b) {
    return strcmp(((const npz_entry *)a)->name, ((const npz_entry *)b)->name);
}

static tot_status list_entries(tot_npz *npz) {
    size_t bytes = 0;
    BASE_TRY(walk_entries(npz, false, &bytes));
    size_t count = (size_t)npz->count;
    npz->entries = base_alloc(count, sizeof *npz->entries, "entries of an .npz");
    npz->sorted = base_alloc(count, sizeof *npz->sorted, "entries of an .npz");
    npz->names = base_alloc(bytes, 1, "names of an .npz");
    BASE_HAVE(npz->entries, npz->sorted, npz->names);
    BASE_TRY(walk_entries(npz, true, &bytes));
    qsort(npz->sorted, count, sizeof *npz->sorted, compare_entries);
    for (size_t k = 1; k < count; k++) {
        BASE_FAIL_IF(strcmp(npz->sorted[k - 1].name, npz->sorted[k].name) == 0, TOT_E_FORMAT,
                     "%s: two arrays are named '%s'", npz->path, npz->sorted[k].name);
    }
    return TOT_OK;
}

tot_status file_npz_open_source(tot_npz **npz, file_source *source) {
    *npz = NULL;
    BASE_NEW(tot_npz, made, ".npz");
    made->size = source->size;
    made->path = base_copy_text(source->name);
    tot_status status = made->path != NULL ? open_archive(made, source) : TOT_E_MEMORY;
    BASE_THEN(status, list_entries(made));
    BASE_GIVE(status, npz, made, tot_npz_close);
}

tot_status tot_npz_open(tot_npz **npz, const char *path) {
    BASE_NEED(npz, path);
    *npz = NULL;
    file_source source;
    BASE_TRY(file_source_open(&source, path, NULL));
    BASE_FINALLY(file_npz_open_source(npz, &source), file_source_close(&source));
}

tot_status tot_npz_open_memory(tot_npz **npz, const void *bytes, size_t size, const char *name) {
    BASE_NEED(npz, bytes, name);
    file_source source;
    file_source_from_memory(&source, bytes, size, name);
    return file_npz_open_source(npz, &source);
}

void tot_npz_close(tot_npz *npz) {
    BASE_UNLESS_NULL(npz);
    if (npz->archive != NULL) {
        zip_discard(npz->archive);
    }
    BASE_RELEASE(npz->names, npz->sorted, npz->entries, npz->path, npz);
}

// --- names -------------------------------------------------------------------------------------

BASE_GETTER(int64_t, tot_npz_count, tot_npz, npz, 0, npz->count)

const char *tot_npz_name(const tot_npz *npz, int64_t index) {
    BASE_NEED_OR(NULL, npz);
    return index >= 0 && index < npz->count ? npz->entries[index].name : NULL;
}

static const npz_entry *find_entry(const tot_npz *npz, const char *name) {
    npz_entry wanted = {.name = name};
    return bsearch(&wanted, npz->sorted, (size_t)npz->count, sizeof *npz->sorted, compare_entries);
}

bool tot_npz_has(const tot_npz *npz, const char *name) {
    BASE_NEED_OR(false, npz, name);
    return find_entry(npz, name) != NULL;
}

// The first names, for an error message: "a, b, c and 4 more".
static void describe_names(const tot_npz *npz, char *text, size_t size) {
    size_t used = 0;
    text[0] = '\0';
    for (int64_t k = 0; k < npz->count; k++) {
        const char *name = npz->entries[k].name;
        // leave space for the end
        if (used + strlen(name) + 40 > size) {
            snprintf(text + used, size - used, "%s%lld more", k > 0 ? " and " : "",
                     (long long)(npz->count - k));
            return;
        }
        used += (size_t)snprintf(text + used, size - used, "%s%s", k > 0 ? ", " : "", name);
    }
}

tot_status file_npz_pick(const tot_npz *npz, const char **name) {
    if (tot_npz_has(npz, "embeddings")) {
        *name = "embeddings";
        return TOT_OK;
    }
    if (npz->count == 1) {
        *name = npz->entries[0].name;
        return TOT_OK;
    }
    BASE_FAIL_IF(npz->count == 0, TOT_E_FORMAT, "%s: holds no array", npz->path);
    char names[400];
    describe_names(npz, names, sizeof names);
    return base_fail(TOT_E_ARGUMENT, "%s: holds %lld arrays; choose one with FILE.npz:NAME: %s",
                     npz->path, (long long)npz->count, names);
}

// --- reading an entry --------------------------------------------------------------------------

tot_status file_npz_open_entry(tot_npz *npz, const char *name, file_source *source) {
    const npz_entry *entry = find_entry(npz, name);
    if (entry == NULL) {
        char names[400];
        describe_names(npz, names, sizeof names);
        return base_fail(TOT_E_ARGUMENT, "%s: no array is named '%s'; there %s: %s", npz->path,
                         name, npz->count == 1 ? "is" : "are", npz->count > 0 ? names : "none");
    }
    const tot_status status =
        file_zip_open_entry(source, npz->archive, entry->index, entry->name, npz->size, true, NULL);
    return status != TOT_OK ? base_fail_in(status, "%s", npz->path) : TOT_OK;
}

tot_status file_npz_header(tot_npz *npz, const char *name, file_npy_header *header) {
    file_source source;
    BASE_TRY(file_npz_open_entry(npz, name, &source));
    const tot_status status = file_npy_read_header(&source, header);
    file_zip_close_entry(&source);
    return status != TOT_OK ? base_fail_in(status, "%s", npz->path) : TOT_OK;
}

tot_status tot_npz_read(tot_npz *npz, const char *name, tot_array *array) {
    BASE_NEED(npz, name, array);
    file_array_clear(array);
    file_source source;
    BASE_TRY(file_npz_open_entry(npz, name, &source));
    tot_status status = file_npy_read(&source, array);
    BASE_THEN(status, file_zip_check_end(&source, true));
    file_zip_close_entry(&source);
    if (status != TOT_OK) {
        file_array_clear(array);
        return base_fail_in(status, "%s", npz->path);
    }
    return TOT_OK;
}
