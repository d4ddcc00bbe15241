// The zip form of a .pth: FOLDER/data.pkl is the pickle, FOLDER/data/KEY the storages, stored
// without packing; FOLDER/byteorder says "little" or "big".
#include <stdio.h>
#include <string.h>
#include <zip.h>

#include "base/error.h"
#include "base/memory.h"
#include "file/pth.h"

enum { LONGEST_ENTRY = 500 };

typedef struct zip_form {
    zip_t *archive;
    int64_t size;  // bytes of the archive
    char folder[LONGEST_ENTRY + 1];
} zip_form;

// One entry that is being read.
typedef struct zip_entry {
    tot_source source;
    uint32_t crc;  // 0 where the writer was told to leave it out
    char name[2 * LONGEST_ENTRY];
} zip_entry;

static tot_status fail_zip(zip_error_t *error, const char *doing) {
    const int code = zip_error_code_zip(error);
    const tot_status status = code == ZIP_ER_MEMORY ? TOT_E_MEMORY
                              : code == ZIP_ER_OPEN || code == ZIP_ER_READ || code == ZIP_ER_SEEK
                                  ? TOT_E_FILE
                                  : TOT_E_FORMAT;
    if (code == ZIP_ER_CRC) {
        return tot_fail(status, "%s: damaged: its CRC is wrong", doing);
    }
    if (code == ZIP_ER_EOF) {
        return tot_fail(status, "%s: cut short: the archive ends inside it", doing);
    }
    return tot_fail(status, "%s: %s", doing, zip_error_strerror(error));
}

// --- the archive -------------------------------------------------------------------------------

static tot_status open_archive(zip_form *form, tot_source *source) {
    zip_error_t error;
    zip_error_init(&error);
    if (source->file >= 0) {
        int code = ZIP_ER_OK;
        form->archive = zip_fdopen(source->file, 0, &code);
        zip_error_init_with_code(&error, code);
    } else {
        zip_source_t *memory =
            zip_source_buffer_create(source->context, (zip_uint64_t)source->size, 0, &error);
        if (memory != NULL) {
            form->archive = zip_open_from_source(memory, ZIP_RDONLY, &error);
            if (form->archive == NULL) {
                zip_source_free(memory);
            }
        }
    }
    tot_status status = TOT_OK;
    if (form->archive == NULL) {
        status = fail_zip(&error, "is not a zip archive that can be read");
    } else {
        // libzip closed it in favour of its own
        source->file = -1;
    }
    zip_error_fini(&error);
    return status;
}

// The folder that all entries stand in is that of the first, as PyTorch has it.
static tot_status find_folder(zip_form *form) {
    const zip_int64_t count = zip_get_num_entries(form->archive, 0);
    for (zip_int64_t k = 0; k < count; k++) {
        const char *name = zip_get_name(form->archive, (zip_uint64_t)k, 0);
        const char *slash = name != NULL ? strchr(name, '/') : NULL;
        if (name == NULL) {
            return fail_zip(zip_get_error(form->archive), "an entry has no name");
        }
        // with any flag libzip would look through all entries for each
        if (zip_name_locate(form->archive, name, 0) != k) {
            return tot_fail(TOT_E_FORMAT, "two entries are named '%.200s'", name);
        }
        if (k == 0 && slash != NULL && slash - name <= LONGEST_ENTRY) {
            memcpy(form->folder, name, (size_t)(slash - name));
        }
    }
    return form->folder[0] != '\0'
               ? TOT_OK
               : tot_fail(TOT_E_FORMAT, "a zip archive, but not one that PyTorch wrote");
}

// --- entries -----------------------------------------------------------------------------------

static tot_status read_from_entry(tot_source *source, void *bytes, size_t size) {
    // libzip 1.7 miscounts when asked for more than 32 bits can say
    const size_t largest = (size_t)1 << 30;
    char *to = bytes;
    while (size > 0) {
        const zip_int64_t got = zip_fread(source->context, to, size < largest ? size : largest);
        if (got < 0) {
            return fail_zip(zip_file_get_error(source->context), source->name);
        }
        if (got == 0) {
            return tot_fail(TOT_E_FORMAT, "%s: cut short: it is less than it says", source->name);
        }
        to += got;
        size -= (size_t)got;
    }
    return TOT_OK;
}

// Refuses what PyTorch does not write, and sizes that the archive cannot hold.
static tot_status check_entry(const zip_form *form, const zip_stat_t *about, const char *name) {
    const zip_uint64_t wanted =
        ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
    if ((about->valid & wanted) != wanted) {
        return tot_fail(TOT_E_FORMAT, "%s: the archive does not say how large it is", name);
    }
    if (about->encryption_method != ZIP_EM_NONE || about->comp_method != ZIP_CM_STORE) {
        return tot_fail(TOT_E_UNSUPPORTED, "%s: is packed or encrypted; stored entries are read",
                        name);
    }
    if (about->size != about->comp_size || about->size > (zip_uint64_t)form->size) {
        return tot_fail(TOT_E_FORMAT, "%s: says it is %llu bytes out of %llu, in a file of %lld",
                        name, (unsigned long long)about->size, (unsigned long long)about->comp_size,
                        (long long)form->size);
    }
    return TOT_OK;
}

// Opens FOLDER/path. *absent says that there is none, which is then no failure.
static tot_status open_entry(const zip_form *form, zip_entry *entry, const char *path,
                             bool *absent) {
    snprintf(entry->name, sizeof entry->name, "%s/%s", form->folder, path);
    const zip_int64_t index = zip_name_locate(form->archive, entry->name, 0);
    *absent = index < 0;
    if (*absent) {
        return TOT_OK;
    }
    zip_stat_t about;
    zip_stat_init(&about);
    if (zip_stat_index(form->archive, (zip_uint64_t)index, 0, &about) != 0) {
        return fail_zip(zip_get_error(form->archive), entry->name);
    }
    TOT_TRY(check_entry(form, &about, entry->name));
    zip_file_t *stream = zip_fopen_index(form->archive, (zip_uint64_t)index, 0);
    if (stream == NULL) {
        return fail_zip(zip_get_error(form->archive), entry->name);
    }
    entry->crc = (about.valid & ZIP_STAT_CRC) != 0 ? about.crc : 0;
    entry->source = (tot_source){.name = entry->name,
                                 .size = (int64_t)about.size,
                                 .file = -1,
                                 .context = stream,
                                 .read = read_from_entry};
    return TOT_OK;
}

// Closes the entry. When all was read, libzip compares the CRC on the way to the end.
static tot_status close_entry(zip_entry *entry, tot_status status) {
    tot_source *source = &entry->source;
    if (status == TOT_OK && source->position != source->size) {
        status = tot_fail(TOT_E_FORMAT, "%s: %lld bytes follow its end", source->name,
                          (long long)(source->size - source->position));
    }
    char byte;
    if (status == TOT_OK && entry->crc != 0 && zip_fread(source->context, &byte, 1) != 0) {
        status = fail_zip(zip_file_get_error(source->context), source->name);
    }
    zip_fclose(source->context);
    return status;
}

// --- what the entries hold ---------------------------------------------------------------------

static tot_status read_pickle(const zip_form *form, tot_pickle *pickle) {
    zip_entry entry;
    bool absent;
    TOT_TRY(open_entry(form, &entry, "data.pkl", &absent));
    if (absent) {
        return tot_fail(TOT_E_FORMAT, "has no entry '%s': PyTorch did not write it", entry.name);
    }
    tot_status status = tot_pickle_read(pickle, &entry.source);
    const bool was_read = status == TOT_OK;
    status = close_entry(&entry, status);
    if (was_read && status != TOT_OK) {
        tot_pickle_free(pickle);
    }
    return status;
}

static tot_status read_byte_order(const zip_form *form, bool *is_big) {
    zip_entry entry;
    bool absent;
    char word[8] = {0};
    *is_big = false;
    TOT_TRY(open_entry(form, &entry, "byteorder", &absent));
    if (absent) {
        return TOT_OK;
    }
    tot_status status = TOT_OK;
    if (entry.source.size < (int64_t)sizeof word) {
        status = tot_source_read(&entry.source, word, (size_t)entry.source.size, "byte order");
    }
    *is_big = strcmp(word, "big") == 0;
    if (status == TOT_OK && !*is_big && strcmp(word, "little") != 0) {
        status = tot_fail(TOT_E_FORMAT, "%s: is neither 'little' nor 'big'", entry.name);
    }
    return close_entry(&entry, status);
}

static tot_status read_storage(tot_pth *pth, size_t index, void *bytes, size_t size) {
    const tot_storage_key *key = &pth->pickle->storages[index];
    zip_entry entry;
    bool absent = true;
    char path[LONGEST_ENTRY];
    const int length =
        snprintf(path, sizeof path, "data/%.*s", (int)key->length, pth->pickle->texts + key->text);
    if (length > 0 && length < (int)sizeof path) {
        TOT_TRY(open_entry(pth->context, &entry, path, &absent));
    }
    if (absent) {
        return tot_fail(TOT_E_FORMAT, "is not in the file");
    }
    tot_status status = TOT_OK;
    if (entry.source.size != (int64_t)size) {
        status = tot_fail(TOT_E_FORMAT, "%s has %lld bytes, its tensor says %zu", entry.name,
                          (long long)entry.source.size, size);
    } else {
        status = tot_source_read(&entry.source, bytes, size, "storage");
    }
    return close_entry(&entry, status);
}

// --- the whole ---------------------------------------------------------------------------------

static tot_status read_all(zip_form *form, tot_tensors *tensors, tot_source *source) {
    tot_pickle pickle;
    tot_pth pth = {.tensors = tensors,
                   .name = source->name,
                   .pickle = &pickle,
                   .context = form,
                   .read = read_storage};
    tot_status status = find_folder(form);
    if (status == TOT_OK) {
        status = read_byte_order(form, &pth.is_big);
    }
    if (status == TOT_OK) {
        status = read_pickle(form, &pickle);
    }
    if (status != TOT_OK) {
        return tot_fail_in(status, "%s", source->name);
    }
    status = tot_pth_collect(&pth);
    tot_pickle_free(&pickle);
    return status;
}

tot_status tot_pth_zip_read(tot_tensors *tensors, tot_source *source) {
    zip_form *form = tot_alloc_zero(1, sizeof *form, ".pth");
    if (form == NULL) {
        return TOT_E_MEMORY;
    }
    form->size = source->size;
    tot_status status = open_archive(form, source);
    if (status != TOT_OK) {
        status = tot_fail_in(status, "%s", source->name);
    } else {
        status = read_all(form, tensors, source);
        zip_discard(form->archive);
    }
    tot_free(form);
    return status;
}
