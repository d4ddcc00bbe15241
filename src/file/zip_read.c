#include "file/zip_read.h"

#include "base/error.h"

// --- the archive -------------------------------------------------------------------------------

tot_status file_zip_fail(zip_error_t *error, const char *name, const char *doing) {
    const int code = zip_error_code_zip(error);
    const tot_status status = code == ZIP_ER_MEMORY ? TOT_E_MEMORY
                              : code == ZIP_ER_OPEN || code == ZIP_ER_READ || code == ZIP_ER_SEEK
                                  ? TOT_E_FILE
                                  : TOT_E_FORMAT;
    const char *colon = name != NULL ? ": " : "";
    name = name != NULL ? name : "";
    BASE_FAIL_IF(code == ZIP_ER_CRC, status, "%s%sdamaged: its CRC is wrong", name, colon);
    BASE_FAIL_IF(code == ZIP_ER_EOF, status, "%s%scut short: the archive ends inside it", name,
                 colon);
    return base_fail(status, "%s%s%s: %s", name, colon, doing, zip_error_strerror(error));
}

tot_status file_zip_open(zip_t **archive, file_source *source, const char *name,
                         const char *doing) {
    zip_error_t error;
    zip_error_init(&error);
    *archive = NULL;
    if (source->file >= 0) {
        int code = ZIP_ER_OK;
        *archive = zip_fdopen(source->file, 0, &code);
        zip_error_init_with_code(&error, code);
    } else {
        zip_source_t *memory =
            zip_source_buffer_create(source->context, (zip_uint64_t)source->size, 0, &error);
        if (memory != NULL) {
            *archive = zip_open_from_source(memory, ZIP_RDONLY, &error);
            if (*archive == NULL) {
                zip_source_free(memory);
            }
        }
    }
    tot_status status = TOT_OK;
    if (*archive == NULL) {
        status = file_zip_fail(&error, name, doing);
    } else {
        // libzip closed it in favour of its own
        source->file = -1;
    }
    zip_error_fini(&error);
    return status;
}

// --- an entry ----------------------------------------------------------------------------------

static tot_status read_from_entry(file_source *source, void *bytes, size_t size) {
    // libzip 1.7 miscounts the unpacked bytes if more than 32 bits are requested at once
    const size_t largest = (size_t)1 << 30;
    zip_file_t *stream = source->context;
    char *to = bytes;
    while (size > 0) {
        zip_int64_t got = zip_fread(stream, to, size < largest ? size : largest);
        if (got < 0) {
            return file_zip_fail(zip_file_get_error(stream), source->name, "cannot read");
        }
        BASE_FAIL_IF(got == 0, TOT_E_FORMAT, "%s: cut short: it unpacks to less than it says",
                     source->name);
        to += got;
        size -= (size_t)got;
    }
    return TOT_OK;
}

// Deflate expands by a factor of at most 1032, so a small file cannot cause a large allocation.
static tot_status check_entry(const zip_stat_t *about, const char *name, int64_t archive_size,
                              bool deflated) {
    const zip_uint64_t wanted =
        ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
    const bool stored = about->comp_method == ZIP_CM_STORE;
    BASE_FAIL_IF((about->valid & wanted) != wanted, TOT_E_FORMAT,
                 "%s: the archive does not say how large it is", name);
    BASE_FAIL_IF(about->encryption_method != ZIP_EM_NONE, TOT_E_UNSUPPORTED, "%s: is encrypted",
                 name);
    BASE_FAIL_IF(!stored && !(deflated && about->comp_method == ZIP_CM_DEFLATE), TOT_E_UNSUPPORTED,
                 "%s: packed with method %d; stored %sentries are read", name,
                 (int)about->comp_method, deflated ? "and deflated " : "");
    const zip_uint64_t most = stored ? 1 : 1032;
    BASE_FAIL_IF(about->comp_size > (zip_uint64_t)archive_size ||
                     about->size / most > about->comp_size ||
                     (stored && about->size != about->comp_size),
                 TOT_E_FORMAT, "%s: says it is %llu bytes out of %llu, in an archive of %lld", name,
                 (unsigned long long)about->size, (unsigned long long)about->comp_size,
                 (long long)archive_size);
    return TOT_OK;
}

tot_status file_zip_open_entry(file_source *source, zip_t *archive, zip_uint64_t index,
                               const char *name, int64_t archive_size, bool deflated,
                               bool *has_crc) {
    zip_stat_t about;
    zip_stat_init(&about);
    if (zip_stat_index(archive, index, 0, &about) != 0) {
        return file_zip_fail(zip_get_error(archive), name, "cannot look at it");
    }
    BASE_TRY(check_entry(&about, name, archive_size, deflated));
    zip_file_t *stream = zip_fopen_index(archive, index, 0);
    if (stream == NULL) {
        return file_zip_fail(zip_get_error(archive), name, "cannot open");
    }
    *source = (file_source){.name = name,
                            .size = (int64_t)about.size,
                            .file = -1,
                            .context = stream,
                            .read = read_from_entry};
    if (has_crc != NULL) {
        *has_crc = (about.valid & ZIP_STAT_CRC) != 0 && about.crc != 0;
    }
    return TOT_OK;
}

tot_status file_zip_check_end(file_source *source, bool has_crc) {
    BASE_FAIL_IF(source->position != source->size, TOT_E_FORMAT, "%s: %lld bytes follow its end",
                 source->name, (long long)(source->size - source->position));
    char byte;
    const zip_int64_t got = has_crc ? zip_fread(source->context, &byte, 1) : 0;
    if (got < 0) {
        return file_zip_fail(zip_file_get_error(source->context), source->name, "cannot read");
    }
    return got == 0 ? TOT_OK
                    : base_fail(TOT_E_FORMAT, "%s: unpacks to more than it says", source->name);
}

void file_zip_close_entry(file_source *source) {
    zip_fclose(source->context);
    source->context = NULL;
}
