// Protocol buffers, written field by field. A message grows in memory; what fails (only memory can)
// is kept and told by tot_protobuf_status, so that calls can be written one below the other.
#ifndef TOT_FILE_PROTOBUF_H
#define TOT_FILE_PROTOBUF_H

#include <temporalot/base.h>

// {0} is an empty message.
typedef struct tot_protobuf {
    unsigned char *bytes;
    size_t size;
    size_t capacity;
    bool failed;
} tot_protobuf;

void tot_protobuf_clear(tot_protobuf *message);  // keeps its memory
void tot_protobuf_count(tot_protobuf *message, int field, uint64_t value);
void tot_protobuf_double(tot_protobuf *message, int field, double value);
void tot_protobuf_float(tot_protobuf *message, int field, float value);
void tot_protobuf_text(tot_protobuf *message, int field, const char *text);
void tot_protobuf_bytes(tot_protobuf *message, int field, const void *bytes, size_t size);
void tot_protobuf_message(tot_protobuf *message, int field, const tot_protobuf *inner);

// Bytes without a field around them; a word is 32 bits, the lowest byte first.
void tot_protobuf_raw(tot_protobuf *message, const void *bytes, size_t size);
void tot_protobuf_raw_word(tot_protobuf *message, uint32_t word);

tot_status tot_protobuf_status(const tot_protobuf *message);
void tot_protobuf_free(tot_protobuf *message);

#endif
