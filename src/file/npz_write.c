// Writing an .npz, without libzip, because that keeps everything in memory until the end.
//
// The zip archive is streamed front to back: every entry is a local header and its data; the
// central directory is built in memory and written at the end. Nothing depends on the clock or the
// machine: the same arrays give identical files.

#define ZLIB_CONST
#include <zlib.h>

#include "base/base.h"
#include "base/hash.h"
#include "file/array.h"
#include "file/atomic.h"
#include "file/npy.h"
#include "file/npz.h"

enum {
    NAME_LONGEST = 200,
    LOCAL_SIZE = 30,      // of a local header, without name and extra field
    DIRECTORY_SIZE = 46,  // of a directory record, likewise
    LOCAL_EXTRA = 20,     // of the zip64 field with both sizes
    END_SIZE = 22,
    END64_SIZE = 56,
    LOCATOR_SIZE = 20,
    CRC_OFFSET = 14,     // of CRC and sizes in a local header
    VERSION_PLAIN = 20,  // deflate
    VERSION_ZIP64 = 45,
    MADE_BY_UNIX = 3 << 8,
    DATE_1980 = 0x0021,  // 1 January, the earliest date of the zip format; the time is 0
    METHOD_STORED = 0,
    METHOD_DEFLATED = 8,
    PACKED_SIZE = 1 << 16,
};

// This value in a 32-bit field means: see the zip64 field.
#define SEE_ZIP64 UINT32_MAX

struct tot_npz_writer {
    tot_file *file;
    char *path;  // for error messages
    bool deflate;
    bool broken;  // an array is missing or incomplete
    uint64_t entries;
    uint8_t *directory;  // its records so far
    size_t directory_size;
    size_t directory_capacity;
    uint32_t *names;        // hash table: offset of a name in the directory plus 1; 0 is free
    size_t names_capacity;  // a power of two, at most half full
    z_stream stream;        // initialised for the first entry, then reused
    bool stream_open;
    uint8_t packed[PACKED_SIZE];
};

// Content of the headers of an entry.
typedef struct zip_record {
    const char *name;  // without ".npy"
    uint64_t offset;
    uint64_t size;
    uint64_t packed;
    uint32_t crc;
    bool local_zip64;
} zip_record;

// --- bytes -------------------------------------------------------------------------------------

static uint8_t *put16(uint8_t *to, uint64_t value) {
    to[0] = (uint8_t)(value & 0xff);
    to[1] = (uint8_t)(value >> 8 & 0xff);
    return to + 2;
}

static uint8_t *put32(uint8_t *to, uint64_t value) {
    return put16(put16(to, value), value >> 16);
}

static uint8_t *put64(uint8_t *to, uint64_t value) {
    return put32(put32(to, value), value >> 32);
}

static uint8_t *put_name(uint8_t *to, const char *name) {
    static const uint8_t suffix[] = {'.', 'n', 'p', 'y'};
    size_t length = strlen(name);
    memcpy(to, name, length);
    memcpy(to + length, suffix, sizeof suffix);
    return to + length + sizeof suffix;
}

static uint64_t smaller(uint64_t value, uint64_t limit) {
    return value < limit ? value : limit;
}

// --- names -------------------------------------------------------------------------------------

static uint64_t hash_name(const char *name, size_t length) {
    const uint64_t hash = base_hash(BASE_HASH_EMPTY, name, length);
    return hash ^ hash >> 32;
}

// The name in a directory record, and its length without ".npy".
static const char *name_at(const tot_npz_writer *writer, uint64_t offset, size_t *length) {
    const uint8_t *from = writer->directory + offset;
    *length = (size_t)(from[28] | from[29] << 8) - 4;
    return (const char *)from + DIRECTORY_SIZE;
}

// The slot of a name in the table, or the free slot where it would go.
static uint32_t *find_place(const tot_npz_writer *writer, const char *name, size_t length) {
    size_t mask = writer->names_capacity - 1;
    size_t place = hash_name(name, length) & mask;
    while (writer->names[place] != 0) {
        size_t other_length;
        const char *other = name_at(writer, writer->names[place] - 1, &other_length);
        if (other_length == length && memcmp(other, name, length) == 0) {
            break;
        }
        place = (place + 1) & mask;
    }
    return &writer->names[place];
}

static tot_status grow_names(tot_npz_writer *writer) {
    if (writer->entries < writer->names_capacity / 2) {
        return TOT_OK;
    }
    size_t capacity = writer->names_capacity > 0 ? writer->names_capacity * 2 : 32;
    uint32_t *larger = base_alloc_zero(capacity, sizeof *larger, "names of an .npz");
    BASE_HAVE(larger);
    uint32_t *old = writer->names;
    size_t old_capacity = writer->names_capacity;
    writer->names = larger;
    writer->names_capacity = capacity;
    for (size_t k = 0; k < old_capacity; k++) {
        if (old[k] != 0) {
            size_t length;
            const char *name = name_at(writer, old[k] - 1, &length);
            *find_place(writer, name, length) = old[k];
        }
    }
    base_free(old);
    return TOT_OK;
}

static tot_status check_name(tot_npz_writer *writer, const char *name) {
    size_t length = strlen(name);
    BASE_FAIL_IF(length < 1 || length > NAME_LONGEST, TOT_E_ARGUMENT,
                 "%s: an array's name has 1 to %d letters, '%.20s' has %zu", writer->path,
                 NAME_LONGEST, name, length);
    for (size_t k = 0; k < length; k++) {
        BASE_FAIL_IF(name[k] < ' ' || name[k] > '~' || name[k] == '/', TOT_E_ARGUMENT,
                     "%s: array '%s': a name is of printable ASCII letters without '/'",
                     writer->path, name);
    }
    BASE_FAIL_IF(writer->directory_size > UINT32_MAX / 2, TOT_E_ARGUMENT,
                 "%s: more arrays than one file can name", writer->path);
    BASE_FAIL_IF(*find_place(writer, name, length) != 0, TOT_E_ARGUMENT,
                 "%s: array '%s' is there already", writer->path, name);
    return TOT_OK;
}

// --- headers -----------------------------------------------------------------------------------

static tot_status write_local_header(tot_npz_writer *writer, const zip_record *record) {
    uint8_t header[LOCAL_SIZE + NAME_LONGEST + 4 + LOCAL_EXTRA];
    bool zip64 = record->local_zip64;
    uint8_t *to = put32(header, 0x04034b50);
    to = put16(to, zip64 ? VERSION_ZIP64 : VERSION_PLAIN);
    to = put16(to, 0);
    to = put16(to, writer->deflate ? METHOD_DEFLATED : METHOD_STORED);
    to = put16(to, 0);
    to = put16(to, DATE_1980);
    to = put32(to, record->crc);
    to = put32(to, zip64 ? SEE_ZIP64 : record->packed);
    to = put32(to, zip64 ? SEE_ZIP64 : record->size);
    to = put16(to, strlen(record->name) + 4);
    to = put16(to, zip64 ? LOCAL_EXTRA : 0);
    to = put_name(to, record->name);
    if (zip64) {
        to = put16(to, 1);
        to = put16(to, LOCAL_EXTRA - 4);
        to = put64(to, record->size);
        to = put64(to, record->packed);
    }
    return tot_file_write(writer->file, header, (size_t)(to - header));
}

// CRC and sizes were unknown when the local header was written.
static tot_status mend_local_header(tot_npz_writer *writer, const zip_record *record) {
    uint8_t sizes[16];
    if (!record->local_zip64) {
        uint8_t *to = put32(put32(put32(sizes, record->crc), record->packed), record->size);
        return file_patch(writer->file, record->offset + CRC_OFFSET, sizes, (size_t)(to - sizes));
    }
    put32(sizes, record->crc);
    BASE_TRY(file_patch(writer->file, record->offset + CRC_OFFSET, sizes, 4));
    put64(put64(sizes, record->size), record->packed);
    uint64_t extra = record->offset + LOCAL_SIZE + strlen(record->name) + 4;
    return file_patch(writer->file, extra + 4, sizes, 16);
}

// Reserves space for one more record and its name, so that adding it cannot fail after the entry
// has been written.
static tot_status reserve_record(tot_npz_writer *writer) {
    enum { LARGEST = DIRECTORY_SIZE + NAME_LONGEST + 4 + 4 + 24 };
    BASE_GROW(writer->directory, writer->directory_capacity, writer->directory_size,
              writer->directory_size + LARGEST, "directory of an .npz");
    return grow_names(writer);
}

static void enter_record(tot_npz_writer *writer, const zip_record *record) {
    uint8_t extra[4 + 24];
    uint8_t *extra_end = extra + 4;
    // the fields that do not fit in 32 bits, in this order
    uint64_t wide[] = {record->size, record->packed, record->offset};
    for (size_t k = 0; k < 3; k++) {
        if (wide[k] >= SEE_ZIP64) {
            extra_end = put64(extra_end, wide[k]);
        }
    }
    size_t extra_size = extra_end > extra + 4 ? (size_t)(extra_end - extra) : 0;
    put16(put16(extra, 1), extra_size - 4);
    int version = extra_size > 0 || record->local_zip64 ? VERSION_ZIP64 : VERSION_PLAIN;
    uint8_t *start = writer->directory + writer->directory_size;
    uint8_t *to = put32(start, 0x02014b50);
    to = put16(to, (uint64_t)(MADE_BY_UNIX | version));
    to = put16(to, (uint64_t)version);
    to = put16(to, 0);
    to = put16(to, writer->deflate ? METHOD_DEFLATED : METHOD_STORED);
    to = put16(to, 0);
    to = put16(to, DATE_1980);
    to = put32(to, record->crc);
    to = put32(to, smaller(record->packed, SEE_ZIP64));
    to = put32(to, smaller(record->size, SEE_ZIP64));
    to = put16(to, strlen(record->name) + 4);
    to = put16(to, extra_size);
    to = put16(to, 0);
    to = put16(to, 0);
    to = put16(to, 0);
    // a regular file, readable by all
    to = put32(to, (uint64_t)0100644 << 16);
    to = put32(to, smaller(record->offset, SEE_ZIP64));
    to = put_name(to, record->name);
    memcpy(to, extra, extra_size);
    *find_place(writer, record->name, strlen(record->name)) =
        (uint32_t)(writer->directory_size + 1);
    writer->directory_size += (size_t)(to - start) + extra_size;
    writer->entries++;
}

static tot_status write_end(tot_npz_writer *writer) {
    uint64_t start = file_position(writer->file);
    uint64_t size = writer->directory_size;
    BASE_TRY(tot_file_write(writer->file, writer->directory, writer->directory_size));
    uint8_t end[END64_SIZE + LOCATOR_SIZE + END_SIZE];
    uint8_t *to = end;
    if (writer->entries >= UINT16_MAX || start >= SEE_ZIP64 || size >= SEE_ZIP64) {
        to = put32(to, 0x06064b50);
        to = put64(to, END64_SIZE - 12);
        to = put16(to, MADE_BY_UNIX | VERSION_ZIP64);
        to = put16(to, VERSION_ZIP64);
        to = put64(to, 0);
        to = put64(to, writer->entries);
        to = put64(to, writer->entries);
        to = put64(to, size);
        to = put64(to, start);
        to = put32(to, 0x07064b50);
        to = put32(to, 0);
        to = put64(to, start + size);
        to = put32(to, 1);
    }
    to = put32(to, 0x06054b50);
    to = put32(to, 0);
    to = put16(to, smaller(writer->entries, UINT16_MAX));
    to = put16(to, smaller(writer->entries, UINT16_MAX));
    to = put32(to, smaller(size, SEE_ZIP64));
    to = put32(to, smaller(start, SEE_ZIP64));
    to = put16(to, 0);
    return tot_file_write(writer->file, end, (size_t)(to - end));
}

// --- entries -----------------------------------------------------------------------------------

static void *allocate_for_zlib(void *context, unsigned count, unsigned size) {
    (void)context;
    return base_alloc(count, size, "deflate");
}

static void free_for_zlib(void *context, void *pointer) {
    (void)context;
    base_free(pointer);
}

static tot_status open_stream(tot_npz_writer *writer) {
    int result;
    if (writer->stream_open) {
        result = deflateReset(&writer->stream);
    } else {
        writer->stream.zalloc = allocate_for_zlib;
        writer->stream.zfree = free_for_zlib;
        // a zip entry is a raw deflate stream, without the zlib header: negative window bits
        result = deflateInit2(&writer->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -15, 8,
                              Z_DEFAULT_STRATEGY);
        writer->stream_open = result == Z_OK;
    }
    BASE_FAIL_IF(result == Z_MEM_ERROR, TOT_E_MEMORY, "%s: no memory to deflate", writer->path);
    return result == Z_OK ? TOT_OK
                          : base_fail(TOT_E_UNSUPPORTED, "%s: zlib does not start: %s",
                                      writer->path, zError(result));
}

// Deflates bytes to the file; finish is set on the last call of an entry.
static tot_status deflate_bytes(tot_npz_writer *writer, const void *bytes, size_t size,
                                bool finish) {
    // zlib has 32-bit counters
    const size_t largest = (size_t)1 << 30;
    // an empty array may have a NULL pointer, which must not be incremented
    const uint8_t *from = size > 0 ? bytes : writer->packed;
    z_stream *stream = &writer->stream;
    int result = Z_OK;
    do {
        size_t piece = size < largest ? size : largest;
        stream->next_in = from;
        stream->avail_in = (uInt)piece;
        from += piece;
        size -= piece;
        int mode = finish && size == 0 ? Z_FINISH : Z_NO_FLUSH;
        do {
            stream->next_out = writer->packed;
            stream->avail_out = PACKED_SIZE;
            result = deflate(stream, mode);
            BASE_FAIL_IF(result == Z_STREAM_ERROR, TOT_E_FILE, "%s: zlib cannot deflate",
                         writer->path);
            BASE_TRY(tot_file_write(writer->file, writer->packed, PACKED_SIZE - stream->avail_out));
        } while (stream->avail_out == 0);
    } while (size > 0);
    return TOT_OK;
}

// Writes an entry: the array's .npy header and its elements.
static tot_status write_entry(tot_npz_writer *writer, zip_record *record, const char *header,
                              size_t header_bytes, const void *data, size_t bytes) {
    uint32_t crc = (uint32_t)crc32_z(0, (const uint8_t *)header, header_bytes);
    // with NULL zlib would reset the CRC
    record->crc = bytes > 0 ? (uint32_t)crc32_z(crc, data, bytes) : crc;
    if (!writer->deflate) {
        BASE_TRY(write_local_header(writer, record));
        BASE_TRY(tot_file_write(writer->file, header, header_bytes));
        return tot_file_write(writer->file, data, bytes);
    }
    BASE_TRY(open_stream(writer));
    BASE_TRY(write_local_header(writer, record));
    uint64_t start = file_position(writer->file);
    BASE_TRY(deflate_bytes(writer, header, header_bytes, false));
    BASE_TRY(deflate_bytes(writer, data, bytes, true));
    record->packed = file_position(writer->file) - start;
    return mend_local_header(writer, record);
}

static tot_status add_array(tot_npz_writer *writer, const char *name, const tot_array *array,
                            size_t bytes) {
    char header[FILE_NPY_HEADER_MAX];
    size_t header_bytes = file_npy_format_header(header, array);
    zip_record record = {
        .name = name,
        .offset = file_position(writer->file),
        .size = (uint64_t)header_bytes + bytes,
        .packed = (uint64_t)header_bytes + bytes,
    };
    // deflate can enlarge an entry, by far less than a thousandth
    record.local_zip64 = record.size + record.size / 1000 + 1000 >= SEE_ZIP64;
    BASE_TRY(write_entry(writer, &record, header, header_bytes, array->data, bytes));
    enter_record(writer, &record);
    return TOT_OK;
}

tot_status tot_npz_add(tot_npz_writer *writer, const char *name, const tot_array *array) {
    BASE_NEED(writer, name, array);
    size_t bytes = 0;
    BASE_TRY(file_array_measure(array, &bytes, name));
    tot_status status = reserve_record(writer);
    if (status == TOT_OK) {
        BASE_TRY(check_name(writer, name));
        status = add_array(writer, name, array, bytes);
    }
    writer->broken = writer->broken || status != TOT_OK;
    return status;
}

tot_status tot_npz_add_text(tot_npz_writer *writer, const char *name, const char *text) {
    BASE_NEED(writer, name, text);
    tot_array array = {
        .type = TOT_U8,
        .dimensions = 1,
        .shape = {(int64_t)strlen(text)},
        // only read
        .data = (void *)text,
    };
    return tot_npz_add(writer, name, &array);
}

// --- the archive -------------------------------------------------------------------------------

static void release(tot_npz_writer *writer) {
    if (writer->stream_open) {
        deflateEnd(&writer->stream);
    }
    BASE_RELEASE(writer->names, writer->directory, writer->path, writer);
}

tot_status tot_npz_create(tot_npz_writer **writer, const char *path, bool deflate) {
    BASE_NEED(writer, path);
    *writer = NULL;
    BASE_NEW(tot_npz_writer, made, ".npz writer");
    made->deflate = deflate;
    made->path = base_copy_text(path);
    BASE_GIVE(made->path != NULL ? tot_file_create(&made->file, path) : TOT_E_MEMORY, writer, made,
              release);
}

tot_status tot_npz_commit(tot_npz_writer *writer) {
    BASE_NEED(writer);
    tot_status status = write_end(writer);
    if (status == TOT_OK && writer->broken) {
        status =
            base_fail(TOT_E_FILE, "%s: not written: an array could not be added", writer->path);
    }
    BASE_FINALLY(file_end(writer->file, status), release(writer));
}

void tot_npz_discard(tot_npz_writer *writer) {
    BASE_UNLESS_NULL(writer);
    tot_file_discard(writer->file);
    release(writer);
}

tot_status file_npz_end(tot_npz_writer *writer, tot_status added) {
    if (added != TOT_OK) {
        tot_npz_discard(writer);
        return added;
    }
    return tot_npz_commit(writer);
}
