#include "file/protobuf.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

enum { VARINT = 0, FIXED_64 = 1, LENGTH = 2, FIXED_32 = 5 };  // wire types

void tot_protobuf_clear(tot_protobuf *message) {
    message->size = 0;
    message->failed = false;
}

void tot_protobuf_raw(tot_protobuf *message, const void *bytes, size_t size) {
    void *buffer = message->bytes;
    if (message->failed || tot_grow(&buffer, &message->capacity, message->size,
                                    message->size + size, 1, "message") != TOT_OK) {
        message->failed = true;
        return;
    }
    message->bytes = buffer;
    if (size > 0) {
        memcpy(message->bytes + message->size, bytes, size);
    }
    message->size += size;
}

void tot_protobuf_raw_word(tot_protobuf *message, uint32_t word) {
    const unsigned char bytes[4] = {(unsigned char)word, (unsigned char)(word >> 8),
                                    (unsigned char)(word >> 16), (unsigned char)(word >> 24)};
    tot_protobuf_raw(message, bytes, sizeof bytes);
}

// seven bits a byte, the lowest first; the eighth says that more follow
static void varint(tot_protobuf *message, uint64_t value) {
    unsigned char bytes[10];
    size_t count = 0;
    do {
        bytes[count++] = (unsigned char)((value & 127) | (value > 127 ? 128 : 0));
        value >>= 7;
    } while (value > 0);
    tot_protobuf_raw(message, bytes, count);
}

static void key(tot_protobuf *message, int field, int wire) {
    varint(message, (uint64_t)field << 3 | (uint64_t)wire);
}

void tot_protobuf_count(tot_protobuf *message, int field, uint64_t value) {
    key(message, field, VARINT);
    varint(message, value);
}

void tot_protobuf_double(tot_protobuf *message, int field, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    key(message, field, FIXED_64);
    tot_protobuf_raw_word(message, (uint32_t)bits);
    tot_protobuf_raw_word(message, (uint32_t)(bits >> 32));
}

void tot_protobuf_float(tot_protobuf *message, int field, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    key(message, field, FIXED_32);
    tot_protobuf_raw_word(message, bits);
}

void tot_protobuf_bytes(tot_protobuf *message, int field, const void *bytes, size_t size) {
    key(message, field, LENGTH);
    varint(message, size);
    tot_protobuf_raw(message, bytes, size);
}

void tot_protobuf_text(tot_protobuf *message, int field, const char *text) {
    tot_protobuf_bytes(message, field, text, strlen(text));
}

void tot_protobuf_message(tot_protobuf *message, int field, const tot_protobuf *inner) {
    message->failed = message->failed || inner->failed;
    tot_protobuf_bytes(message, field, inner->bytes, inner->size);
}

tot_status tot_protobuf_status(const tot_protobuf *message) {
    return message->failed ? tot_fail(TOT_E_MEMORY, "message: no memory") : TOT_OK;
}

void tot_protobuf_free(tot_protobuf *message) {
    tot_free(message->bytes);
    *message = (tot_protobuf){0};
}
