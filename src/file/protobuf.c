#include "file/protobuf.h"

#include "base/base.h"

enum { VARINT = 0, FIXED_64 = 1, LENGTH = 2, FIXED_32 = 5 };  // wire types

void file_protobuf_clear(file_protobuf *message) {
    message->size = 0;
    message->failed = false;
}

void file_protobuf_raw(file_protobuf *message, const void *bytes, size_t size) {
    void *buffer = message->bytes;
    if (message->failed || base_grow(&buffer, &message->capacity, message->size,
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

void file_protobuf_raw_word(file_protobuf *message, uint32_t word) {
    word = htole32(word);
    file_protobuf_raw(message, &word, sizeof word);
}

// seven bits per byte, lowest first; the eighth bit means that more follow
static void varint(file_protobuf *message, uint64_t value) {
    unsigned char bytes[10];
    size_t count = 0;
    do {
        bytes[count++] = (unsigned char)((value & 127) | (value > 127 ? 128 : 0));
        value >>= 7;
    } while (value > 0);
    file_protobuf_raw(message, bytes, count);
}

static void key(file_protobuf *message, int field, int wire) {
    varint(message, (uint64_t)field << 3 | (uint64_t)wire);
}

void file_protobuf_count(file_protobuf *message, int field, uint64_t value) {
    key(message, field, VARINT);
    varint(message, value);
}

void file_protobuf_double(file_protobuf *message, int field, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits = htole64(bits);
    key(message, field, FIXED_64);
    file_protobuf_raw(message, &bits, sizeof bits);
}

void file_protobuf_float(file_protobuf *message, int field, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    key(message, field, FIXED_32);
    file_protobuf_raw_word(message, bits);
}

void file_protobuf_bytes(file_protobuf *message, int field, const void *bytes, size_t size) {
    key(message, field, LENGTH);
    varint(message, size);
    file_protobuf_raw(message, bytes, size);
}

void file_protobuf_text(file_protobuf *message, int field, const char *text) {
    file_protobuf_bytes(message, field, text, strlen(text));
}

void file_protobuf_message(file_protobuf *message, int field, const file_protobuf *inner) {
    message->failed = message->failed || inner->failed;
    file_protobuf_bytes(message, field, inner->bytes, inner->size);
}

tot_status file_protobuf_status(const file_protobuf *message) {
    return message->failed ? base_fail(TOT_E_MEMORY, "message: no memory") : TOT_OK;
}

void file_protobuf_free(file_protobuf *message) {
    base_free(message->bytes);
    *message = (file_protobuf){0};
}
