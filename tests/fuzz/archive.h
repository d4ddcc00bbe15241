// Archives and folders as a single input: a list of parts, each a name and its bytes, so that the
// fuzzer changes the contents of an archive and not its checksums. A part is the length of its name
// (1 byte), the name, the size (4 bytes, little-endian) and the bytes. A part that claims more
// bytes than there are ends with the input.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>
#include <zlib.h>

enum { FUZZ_PARTS = 256, FUZZ_NAME = 96 };

typedef struct fuzz_part {
    char name[FUZZ_NAME];
    const uint8_t *bytes;
    size_t size;
} fuzz_part;

typedef struct fuzz_parts {
    fuzz_part items[FUZZ_PARTS];
    size_t count;
} fuzz_parts;

// The part with this name, added if there is none; NULL if there are too many.
static inline fuzz_part *fuzz_part_of(fuzz_parts *parts, const char *name) {
    for (size_t k = 0; k < parts->count; k++) {
        if (strcmp(parts->items[k].name, name) == 0) {
            return &parts->items[k];
        }
    }
    if (parts->count == FUZZ_PARTS) {
        return NULL;
    }
    fuzz_part *part = &parts->items[parts->count++];
    *part = (fuzz_part){.bytes = NULL};
    snprintf(part->name, sizeof part->name, "%s", name);
    return part;
}

// Replaces parts by those of an input; the bytes are borrowed from the input.
static inline void fuzz_parts_read(fuzz_parts *parts, const uint8_t *bytes, size_t size) {
    while (size > 0) {
        char name[FUZZ_NAME];
        const size_t length = bytes[0] < FUZZ_NAME ? bytes[0] : FUZZ_NAME - 1;
        if (size < 1 + length + 4) {
            return;
        }
        snprintf(name, sizeof name, "%.*s", (int)length, (const char *)bytes + 1);
        const uint8_t *at = bytes + 1 + length;
        size_t count = (size_t)at[0] | (size_t)at[1] << 8 | (size_t)at[2] << 16;
        const size_t left = size - (1 + length + 4);
        count = count < left ? count : left;
        fuzz_part *part = fuzz_part_of(parts, name);
        if (part != NULL) {
            part->bytes = at + 4;
            part->size = count;
        }
        bytes = at + 4 + count;
        size = left - count;
    }
}

// Appends a part to a corpus file.
static inline bool fuzz_part_write(FILE *file, const fuzz_part *part) {
    const uint8_t length = (uint8_t)strlen(part->name);
    const uint8_t size[4] = {(uint8_t)part->size, (uint8_t)(part->size >> 8),
                             (uint8_t)(part->size >> 16), 0};
    return fwrite(&length, 1, 1, file) == 1 && fwrite(part->name, 1, length, file) == length &&
           fwrite(size, 1, 4, file) == 4 && fwrite(part->bytes, 1, part->size, file) == part->size;
}

// --- files -------------------------------------------------------------------------------------

// The bytes of a file, to be freed; NULL if it cannot be read.
static inline uint8_t *fuzz_file_read(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        return NULL;
    }
    *size = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(*size + 1);
    const bool whole = bytes != NULL && fread(bytes, 1, *size, file) == *size;
    fclose(file);
    return whole ? bytes : NULL;
}

static inline bool fuzz_file_write(const char *path, const uint8_t *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    const bool written = file != NULL && (size == 0 || fwrite(bytes, 1, size, file) == size);
    return file != NULL && fclose(file) == 0 && written;
}

// Every entry of an archive as a part: "state.rows.npy". The bytes are never freed.
static inline bool fuzz_archive_read(fuzz_parts *parts, const char *path) {
    zip_t *archive = zip_open(path, ZIP_RDONLY, NULL);
    if (archive == NULL) {
        return false;
    }
    bool fine = true;
    for (zip_int64_t k = 0; fine && k < zip_get_num_entries(archive, 0); k++) {
        zip_stat_t about;
        fine = zip_stat_index(archive, (zip_uint64_t)k, 0, &about) == 0;
        uint8_t *bytes = fine ? malloc(about.size + 1) : NULL;
        zip_file_t *entry = fine ? zip_fopen_index(archive, (zip_uint64_t)k, 0) : NULL;
        fine = bytes != NULL && entry != NULL &&
               zip_fread(entry, bytes, about.size) == (zip_int64_t)about.size;
        fuzz_part *part = fine ? fuzz_part_of(parts, about.name) : NULL;
        fine = part != NULL;
        if (fine) {
            part->bytes = bytes;
            part->size = about.size;
        }
        if (entry != NULL) {
            zip_fclose(entry);
        }
    }
    zip_close(archive);
    return fine;
}

static inline void fuzz_put(FILE *file, uint64_t value, int bytes) {
    for (int k = 0; k < bytes; k++) {
        fputc((int)(value >> 8 * k & 255), file);
    }
}

// The fields of an entry in the local header and in the directory of a zip archive.
static inline void fuzz_put_entry(FILE *file, const fuzz_part *part) {
    fuzz_put(file, 20, 2);
    fuzz_put(file, 0, 2);
    fuzz_put(file, 0, 2);
    fuzz_put(file, 0x00210000, 4);
    fuzz_put(file, (uint32_t)crc32(0, part->bytes, (uInt)part->size), 4);
    fuzz_put(file, (uint32_t)part->size, 4);
    fuzz_put(file, (uint32_t)part->size, 4);
    fuzz_put(file, (uint32_t)strlen(part->name), 2);
    fuzz_put(file, 0, 2);
}

// Writes the parts whose names end in ".npy" as an archive with valid checksums.
static inline bool fuzz_archive_write(const fuzz_parts *parts, const char *path) {
    uint32_t places[FUZZ_PARTS];
    uint32_t count = 0;
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        return false;
    }
    for (int pass = 0; pass < 2; pass++) {
        const uint32_t start = (uint32_t)ftell(file);
        for (size_t k = 0; k < parts->count; k++) {
            const fuzz_part *part = &parts->items[k];
            const size_t length = strlen(part->name);
            if (length < 5 || strcmp(part->name + length - 4, ".npy") != 0) {
                continue;
            }
            if (pass == 0) {
                places[k] = (uint32_t)ftell(file);
                count++;
                fuzz_put(file, 0x04034b50, 4);
                fuzz_put_entry(file, part);
                fwrite(part->name, 1, length, file);
                fwrite(part->bytes, 1, part->size, file);
            } else {
                fuzz_put(file, 0x02014b50, 4);
                fuzz_put(file, 20, 2);
                fuzz_put_entry(file, part);
                fuzz_put(file, 0, 2 + 2 + 2);
                fuzz_put(file, 0, 4);
                fuzz_put(file, places[k], 4);
                fwrite(part->name, 1, length, file);
            }
        }
        if (pass == 1) {
            const uint32_t end = (uint32_t)ftell(file);
            fuzz_put(file, 0x06054b50, 4);
            fuzz_put(file, 0, 4);
            fuzz_put(file, count, 2);
            fuzz_put(file, count, 2);
            fuzz_put(file, end - start, 4);
            fuzz_put(file, start, 4);
            fuzz_put(file, 0, 2);
        }
    }
    return fclose(file) == 0;
}
