// The zip format of a .pth: FOLDER/data.pkl is the pickle, FOLDER/data/KEY are the storages,
// uncompressed; FOLDER/byteorder contains "little" or "big".
#include "base/base.h"
#include "file/pth.h"
#include "file/zip_read.h"

enum { LONGEST_ENTRY = 500 };

typedef struct zip_form {
    zip_t *archive;
    int64_t size;  // bytes of the archive
    char folder[LONGEST_ENTRY + 1];
} zip_form;

// An entry being read.
typedef struct zip_entry {
    file_source source;
    bool has_crc;  // writers can be configured to omit it
    char name[2 * LONGEST_ENTRY];
} zip_entry;

// All entries are in the folder of the first one, as in PyTorch.
static tot_status find_folder(zip_form *form) {
    const zip_int64_t count = zip_get_num_entries(form->archive, 0);
    for (zip_int64_t k = 0; k < count; k++) {
        const char *name = zip_get_name(form->archive, (zip_uint64_t)k, 0);
        const char *slash = name != NULL ? strchr(name, '/') : NULL;
        if (name == NULL) {
            return file_zip_fail(zip_get_error(form->archive), NULL, "an entry has no name");
        }
        // with any flag libzip would search all entries linearly
        BASE_FAIL_IF(zip_name_locate(form->archive, name, 0) != k, TOT_E_FORMAT,
                     "two entries are named '%.200s'", name);
        if (k == 0 && slash != NULL && slash - name <= LONGEST_ENTRY) {
            memcpy(form->folder, name, (size_t)(slash - name));
        }
    }
    return form->folder[0] != '\0'
               ? TOT_OK
               : base_fail(TOT_E_FORMAT, "a zip archive, but not one that PyTorch wrote");
}

// --- entries -----------------------------------------------------------------------------------

// Opens FOLDER/path. A missing entry is not an error, but sets *absent.
static tot_status open_entry(const zip_form *form, zip_entry *entry, const char *path,
                             bool *absent) {
    snprintf(entry->name, sizeof entry->name, "%s/%s", form->folder, path);
    const zip_int64_t index = zip_name_locate(form->archive, entry->name, 0);
    *absent = index < 0;
    if (*absent) {
        return TOT_OK;
    }
    return file_zip_open_entry(&entry->source, form->archive, (zip_uint64_t)index, entry->name,
                               form->size, false, &entry->has_crc);
}

// Closes the entry, which must have been read to its end.
static tot_status close_entry(zip_entry *entry, tot_status status) {
    BASE_THEN(status, file_zip_check_end(&entry->source, entry->has_crc));
    file_zip_close_entry(&entry->source);
    return status;
}

// --- content of the entries --------------------------------------------------------------------

static tot_status read_pickle(const zip_form *form, file_pickle *pickle) {
    zip_entry entry;
    bool absent;
    BASE_TRY(open_entry(form, &entry, "data.pkl", &absent));
    BASE_FAIL_IF(absent, TOT_E_FORMAT, "has no entry '%s': PyTorch did not write it", entry.name);
    tot_status status = file_pickle_read(pickle, &entry.source);
    const bool was_read = status == TOT_OK;
    status = close_entry(&entry, status);
    if (was_read && status != TOT_OK) {
        file_pickle_free(pickle);
    }
    return status;
}

static tot_status read_byte_order(const zip_form *form, bool *is_big) {
    zip_entry entry;
    bool absent;
    char word[8] = {0};
    *is_big = false;
    BASE_TRY(open_entry(form, &entry, "byteorder", &absent));
    if (absent) {
        return TOT_OK;
    }
    tot_status status = TOT_OK;
    if (entry.source.size < (int64_t)sizeof word) {
        status = file_source_read(&entry.source, word, (size_t)entry.source.size, "byte order");
    }
    *is_big = strcmp(word, "big") == 0;
    if (status == TOT_OK && !*is_big && strcmp(word, "little") != 0) {
        status = base_fail(TOT_E_FORMAT, "%s: is neither 'little' nor 'big'", entry.name);
    }
    return close_entry(&entry, status);
}

static tot_status read_storage(file_pth *pth, size_t index, void *bytes, size_t size) {
    const file_storage_key *key = &pth->pickle->storages[index];
    zip_entry entry;
    bool absent = true;
    char path[LONGEST_ENTRY];
    const int length =
        snprintf(path, sizeof path, "data/%.*s", (int)key->length, pth->pickle->texts + key->text);
    if (length > 0 && length < (int)sizeof path) {
        BASE_TRY(open_entry(pth->context, &entry, path, &absent));
    }
    BASE_FAIL_IF(absent, TOT_E_FORMAT, "is not in the file");
    tot_status status = TOT_OK;
    if (entry.source.size != (int64_t)size) {
        status = base_fail(TOT_E_FORMAT, "%s has %lld bytes, its tensor says %zu", entry.name,
                           (long long)entry.source.size, size);
    } else {
        status = file_source_read(&entry.source, bytes, size, "storage");
    }
    return close_entry(&entry, status);
}

// --- reading -----------------------------------------------------------------------------------

static tot_status read_all(zip_form *form, tot_tensors *tensors, file_source *source) {
    file_pickle pickle;
    file_pth pth = {.tensors = tensors,
                    .name = source->name,
                    .pickle = &pickle,
                    .context = form,
                    .read = read_storage};
    tot_status status = find_folder(form);
    BASE_THEN(status, read_byte_order(form, &pth.is_big));
    BASE_THEN(status, read_pickle(form, &pickle));
    if (status != TOT_OK) {
        return base_fail_in(status, "%s", source->name);
    }
    status = file_pth_collect(&pth);
    file_pickle_free(&pickle);
    return status;
}

tot_status file_pth_zip_read(tot_tensors *tensors, file_source *source) {
    BASE_NEW(zip_form, form, ".pth");
    form->size = source->size;
    tot_status status =
        file_zip_open(&form->archive, source, NULL, "is not a zip archive that can be read");
    if (status != TOT_OK) {
        status = base_fail_in(status, "%s", source->name);
    } else {
        status = read_all(form, tensors, source);
        zip_discard(form->archive);
    }
    base_free(form);
    return status;
}
