// Protocol buffers, written field by field. A message grows in memory; a failure (only out of
// memory) is kept and returned by file_protobuf_status, so that calls need no checks in between.
#pragma once

#include <endian.h>

#include <temporalot/base.h>

// {0} is an empty message.
typedef struct file_protobuf {
    unsigned char *bytes;
    size_t size;
    size_t capacity;
    bool failed;
} file_protobuf;

void file_protobuf_clear(file_protobuf *message);  // keeps its memory
void file_protobuf_count(file_protobuf *message, int field, uint64_t value);
void file_protobuf_double(file_protobuf *message, int field, double value);
void file_protobuf_float(file_protobuf *message, int field, float value);
void file_protobuf_text(file_protobuf *message, int field, const char *text);
void file_protobuf_bytes(file_protobuf *message, int field, const void *bytes, size_t size);
void file_protobuf_message(file_protobuf *message, int field, const file_protobuf *inner);

// Bytes without an enclosing field; a word is 32 bits, little-endian.
void file_protobuf_raw(file_protobuf *message, const void *bytes, size_t size);
void file_protobuf_raw_word(file_protobuf *message, uint32_t word);

tot_status file_protobuf_status(const file_protobuf *message);
void file_protobuf_free(file_protobuf *message);
