// Reading an .npz: a zip archive with a .npy in every entry that counts. libzip reads the archive;
// what it says about an entry is checked against what the archive can hold before memory is taken.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

#include "base/error.h"
#include "base/memory.h"
#include "file/array.h"
#include "file/npy.h"
#include "file/npz.h"

typedef struct npz_entry {
    const char *name;    // without ".npy"
    zip_uint64_t index;  // in the archive
} npz_entry;

struct tot_npz {
    zip_t *archive;
    char *path;          // for the error text
    int64_t size;        // bytes of the archive
    int64_t count;       // arrays
    npz_entry *entries;  // in the archive's order
    npz_entry *sorted;   // the same by name
    char *names;         // all of them, each ended by a zero byte
};

// --- libzip's errors ---------------------------------------------------------------------------

static tot_status fail_zip(zip_error_t *error, const char *name, const char *doing) {
    tot_status status = TOT_E_FORMAT;
    switch (zip_error_code_zip(error)) {
        case ZIP_ER_MEMORY:
            status = TOT_E_MEMORY;
            break;
        case ZIP_ER_OPEN:
        case ZIP_ER_READ:
        case ZIP_ER_SEEK:
            status = TOT_E_FILE;
            break;
        case ZIP_ER_CRC:
            return tot_fail(TOT_E_FORMAT, "%s: damaged: its CRC is wrong", name);
        case ZIP_ER_EOF:
            return tot_fail(TOT_E_FORMAT, "%s: cut short: the archive ends inside it", name);
        default:
            break;
    }
    return tot_fail(status, "%s: %s: %s", name, doing, zip_error_strerror(error));
}

// --- opening -----------------------------------------------------------------------------------

static tot_status open_archive(tot_npz *npz, tot_source *source) {
    bool is_zip = false;
    TOT_TRY(tot_source_is_zip(source, &is_zip));
    if (!is_zip) {
        return tot_fail(TOT_E_FORMAT, "%s: is not an .npz: no zip archive begins here",
                        source->name);
    }
    zip_error_t error;
    zip_error_init(&error);
    if (source->file >= 0) {
        int code = ZIP_ER_OK;
        npz->archive = zip_fdopen(source->file, 0, &code);
        zip_error_init_with_code(&error, code);
    } else {
        zip_source_t *memory =
            zip_source_buffer_create(source->context, (zip_uint64_t)source->size, 0, &error);
        if (memory != NULL) {
            npz->archive = zip_open_from_source(memory, ZIP_RDONLY, &error);
            if (npz->archive == NULL) {
                zip_source_free(memory);
            }
        }
    }
    tot_status status = TOT_OK;
    if (npz->archive == NULL) {
        status = fail_zip(&error, source->name, "is not an .npz that can be read");
    } else {
        // libzip closed it in favour of its own
        source->file = -1;
    }
    zip_error_fini(&error);
    return status;
}

// The length of an array's name, or 0 when the entry is something else, which is left out.
static size_t array_name_length(const char *name) {
    size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".npy") == 0 ? length - 4 : 0;
}

// Calls libzip for the name of every entry. The first round counts, the second keeps the names.
static tot_status walk_entries(tot_npz *npz, bool keep, size_t *bytes) {
    zip_int64_t total = zip_get_num_entries(npz->archive, 0);
    npz->count = 0;
    *bytes = 0;
    for (zip_int64_t k = 0; k < total; k++) {
        const char *name = zip_get_name(npz->archive, (zip_uint64_t)k, ZIP_FL_ENC_RAW);
        if (name == NULL) {
            return fail_zip(zip_get_error(npz->archive), npz->path, "an entry has no name");
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
    TOT_TRY(walk_entries(npz, false, &bytes));
    size_t count = (size_t)npz->count;
    npz->entries = tot_alloc(count, sizeof *npz->entries, "entries of an .npz");
    npz->sorted = tot_alloc(count, sizeof *npz->sorted, "entries of an .npz");
    npz->names = tot_alloc(bytes, 1, "names of an .npz");
    if (npz->entries == NULL || npz->sorted == NULL || npz->names == NULL) {
        return TOT_E_MEMORY;
    }
    TOT_TRY(walk_entries(npz, true, &bytes));
    qsort(npz->sorted, count, sizeof *npz->sorted, compare_entries);
    for (size_t k = 1; k < count; k++) {
        if (strcmp(npz->sorted[k - 1].name, npz->sorted[k].name) == 0) {
            return tot_fail(TOT_E_FORMAT, "%s: two arrays are named '%s'", npz->path,
                            npz->sorted[k].name);
        }
    }
    return TOT_OK;
}

tot_status tot_npz_open_source(tot_npz **npz, tot_source *source) {
    *npz = NULL;
    tot_npz *made = tot_alloc_zero(1, sizeof *made, ".npz");
    if (made == NULL) {
        return TOT_E_MEMORY;
    }
    made->size = source->size;
    made->path = tot_copy_text(source->name);
    tot_status status = made->path != NULL ? open_archive(made, source) : TOT_E_MEMORY;
    if (status == TOT_OK) {
        status = list_entries(made);
    }
    if (status != TOT_OK) {
        tot_npz_close(made);
        return status;
    }
    *npz = made;
    return TOT_OK;
}

tot_status tot_npz_open(tot_npz **npz, const char *path) {
    *npz = NULL;
    tot_source source;
    TOT_TRY(tot_source_open(&source, path, NULL));
    tot_status status = tot_npz_open_source(npz, &source);
    tot_source_close(&source);
    return status;
}

tot_status tot_npz_open_memory(tot_npz **npz, const void *bytes, size_t size, const char *name) {
    tot_source source;
    tot_source_from_memory(&source, bytes, size, name);
    return tot_npz_open_source(npz, &source);
}

void tot_npz_close(tot_npz *npz) {
    if (npz == NULL) {
        return;
    }
    if (npz->archive != NULL) {
        zip_discard(npz->archive);
    }
    tot_free(npz->names);
    tot_free(npz->sorted);
    tot_free(npz->entries);
    tot_free(npz->path);
    tot_free(npz);
}

// --- names -------------------------------------------------------------------------------------

int64_t tot_npz_count(const tot_npz *npz) {
    return npz->count;
}

const char *tot_npz_name(const tot_npz *npz, int64_t index) {
    return index >= 0 && index < npz->count ? npz->entries[index].name : NULL;
}

static const npz_entry *find_entry(const tot_npz *npz, const char *name) {
    npz_entry wanted = {.name = name};
    return bsearch(&wanted, npz->sorted, (size_t)npz->count, sizeof *npz->sorted, compare_entries);
}

bool tot_npz_has(const tot_npz *npz, const char *name) {
    return find_entry(npz, name) != NULL;
}

// The first names, for an error: "a, b, c and 4 more".
static void describe_names(const tot_npz *npz, char *text, size_t size) {
    size_t used = 0;
    text[0] = '\0';
    for (int64_t k = 0; k < npz->count; k++) {
        const char *name = npz->entries[k].name;
        // leave room for the end
        if (used + strlen(name) + 40 > size) {
            snprintf(text + used, size - used, "%s%lld more", k > 0 ? " and " : "",
                     (long long)(npz->count - k));
            return;
        }
        used += (size_t)snprintf(text + used, size - used, "%s%s", k > 0 ? ", " : "", name);
    }
}

tot_status tot_npz_pick(const tot_npz *npz, const char **name) {
    if (tot_npz_has(npz, "embeddings")) {
        *name = "embeddings";
        return TOT_OK;
    }
    if (npz->count == 1) {
        *name = npz->entries[0].name;
        return TOT_OK;
    }
    if (npz->count == 0) {
        return tot_fail(TOT_E_FORMAT, "%s: holds no array", npz->path);
    }
    char names[400];
    describe_names(npz, names, sizeof names);
    return tot_fail(TOT_E_ARGUMENT, "%s: holds %lld arrays; say which one as FILE.npz:NAME: %s",
                    npz->path, (long long)npz->count, names);
}

static tot_status fail_unknown(const tot_npz *npz, const char *name) {
    char names[400];
    describe_names(npz, names, sizeof names);
    return tot_fail(TOT_E_ARGUMENT, "%s: no array is named '%s'; there %s: %s", npz->path, name,
                    npz->count == 1 ? "is" : "are", npz->count > 0 ? names : "none");
}

// --- reading an entry --------------------------------------------------------------------------

// Refuses what cannot be read, and sizes that the archive cannot hold: deflate makes at most 1032
// bytes of one, so a small file never makes us take a lot of memory.
static tot_status check_entry(const tot_npz *npz, const npz_entry *entry, int64_t *size) {
    zip_stat_t about;
    zip_stat_init(&about);
    if (zip_stat_index(npz->archive, entry->index, 0, &about) != 0) {
        return fail_zip(zip_get_error(npz->archive), entry->name, "cannot look at it");
    }
    const zip_uint64_t wanted =
        ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
    if ((about.valid & wanted) != wanted) {
        return tot_fail(TOT_E_FORMAT, "%s: the archive does not say how large it is", entry->name);
    }
    if (about.encryption_method != ZIP_EM_NONE) {
        return tot_fail(TOT_E_UNSUPPORTED, "%s: is encrypted", entry->name);
    }
    if (about.comp_method != ZIP_CM_STORE && about.comp_method != ZIP_CM_DEFLATE) {
        return tot_fail(TOT_E_UNSUPPORTED,
                        "%s: packed with method %d; stored and deflated entries are read",
                        entry->name, (int)about.comp_method);
    }
    const zip_uint64_t most = about.comp_method == ZIP_CM_STORE ? 1 : 1032;
    if (about.comp_size > (zip_uint64_t)npz->size || about.size / most > about.comp_size ||
        (most == 1 && about.size != about.comp_size)) {
        return tot_fail(TOT_E_FORMAT,
                        "%s: says it is %llu bytes out of %llu, in an archive of %lld", entry->name,
                        (unsigned long long)about.size, (unsigned long long)about.comp_size,
                        (long long)npz->size);
    }
    *size = (int64_t)about.size;
    return TOT_OK;
}

static tot_status read_from_entry(tot_source *source, void *bytes, size_t size) {
    // libzip 1.7 miscounts what it unpacks when asked for more than 32 bits can say
    const size_t largest = (size_t)1 << 30;
    zip_file_t *stream = source->context;
    char *to = bytes;
    while (size > 0) {
        zip_int64_t got = zip_fread(stream, to, size < largest ? size : largest);
        if (got < 0) {
            return fail_zip(zip_file_get_error(stream), source->name, "cannot read");
        }
        if (got == 0) {
            return tot_fail(TOT_E_FORMAT, "%s: cut short: it unpacks to less than it says",
                            source->name);
        }
        to += got;
        size -= (size_t)got;
    }
    return TOT_OK;
}

// libzip compares the CRC when it comes to the end.
tot_status tot_npz_check_entry(tot_source *source) {
    if (source->position != source->size) {
        return tot_fail(TOT_E_FORMAT, "%s: %lld bytes follow the array", source->name,
                        (long long)(source->size - source->position));
    }
    char byte;
    zip_int64_t got = zip_fread(source->context, &byte, 1);
    if (got < 0) {
        return fail_zip(zip_file_get_error(source->context), source->name, "cannot read");
    }
    if (got > 0) {
        return tot_fail(TOT_E_FORMAT, "%s: unpacks to more than it says", source->name);
    }
    return TOT_OK;
}

static tot_status open_entry(tot_npz *npz, const npz_entry *entry, tot_source *source) {
    *source = (tot_source){.name = entry->name, .file = -1, .read = read_from_entry};
    TOT_TRY(check_entry(npz, entry, &source->size));
    source->context = zip_fopen_index(npz->archive, entry->index, 0);
    if (source->context == NULL) {
        return fail_zip(zip_get_error(npz->archive), entry->name, "cannot open");
    }
    return TOT_OK;
}

tot_status tot_npz_open_entry(tot_npz *npz, const char *name, tot_source *source) {
    const npz_entry *entry = find_entry(npz, name);
    if (entry == NULL) {
        return fail_unknown(npz, name);
    }
    const tot_status status = open_entry(npz, entry, source);
    return status != TOT_OK ? tot_fail_in(status, "%s", npz->path) : TOT_OK;
}

void tot_npz_close_entry(tot_source *source) {
    zip_fclose(source->context);
    source->context = NULL;
}

static tot_status read_entry(tot_npz *npz, const npz_entry *entry, tot_array *array) {
    tot_source source;
    TOT_TRY(open_entry(npz, entry, &source));
    tot_status status = tot_npy_read(&source, array);
    if (status == TOT_OK) {
        status = tot_npz_check_entry(&source);
    }
    tot_npz_close_entry(&source);
    return status;
}

tot_status tot_npz_read(tot_npz *npz, const char *name, tot_array *array) {
    tot_array_clear(array);
    const npz_entry *entry = find_entry(npz, name);
    if (entry == NULL) {
        return fail_unknown(npz, name);
    }
    tot_status status = read_entry(npz, entry, array);
    if (status != TOT_OK) {
        tot_array_clear(array);
        return tot_fail_in(status, "%s", npz->path);
    }
    return TOT_OK;
}
