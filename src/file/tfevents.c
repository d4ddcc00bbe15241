#include "file/tfevents.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "file/appender.h"
#include "file/protobuf.h"

// Event: 1 wall_time (double), 2 step, 3 file_version, 5 summary; Summary: 1 value, repeated;
// Value: 1 tag, 2 simple_value (float).
enum { WALL_TIME = 1, STEP = 2, FILE_VERSION = 3, SUMMARY = 5, VALUE = 1, TAG = 1, NUMBER = 2 };

struct tot_tfevents {
    tot_growing file;
    char *path;
    tot_protobuf event;
    tot_protobuf summary;
    tot_protobuf value;
    tot_protobuf frame;
};

// --- CRC-32C -----------------------------------------------------------------------------------

uint32_t tot_crc32c(const void *bytes, size_t size) {
    const uint32_t polynomial = 0x82F63B78u;
    const unsigned char *from = bytes;
    uint32_t crc = 0xFFFFFFFFu;
    for (size_t k = 0; k < size; k++) {
        crc ^= from[k];
        for (int bit = 0; bit < 8; bit++) {
            crc = crc >> 1 ^ (crc & 1 ? polynomial : 0);
        }
    }
    return ~crc;
}

// TensorFlow turns and shifts the sum, so that a frame of frames does not look damaged.
static uint32_t masked(const void *bytes, size_t size) {
    const uint32_t crc = tot_crc32c(bytes, size);
    return (crc >> 15 | crc << 17) + 0xA282EAD8u;
}

// --- records -----------------------------------------------------------------------------------

static tot_status write_record(tot_tfevents *events) {
    const tot_protobuf *event = &events->event;
    tot_protobuf *frame = &events->frame;
    unsigned char length[8];
    for (int k = 0; k < 8; k++) {
        length[k] = (unsigned char)((uint64_t)event->size >> 8 * k);
    }
    tot_protobuf_clear(frame);
    tot_protobuf_raw(frame, length, sizeof length);
    tot_protobuf_raw_word(frame, masked(length, sizeof length));
    tot_protobuf_raw(frame, event->bytes, event->size);
    tot_protobuf_raw_word(frame, masked(event->bytes, event->size));
    TOT_TRY(tot_protobuf_status(frame));
    return tot_growing_add(&events->file, frame->bytes, frame->size);
}

static tot_status begin(tot_tfevents *events, double wall) {
    tot_protobuf_clear(&events->event);
    tot_protobuf_double(&events->event, WALL_TIME, wall);
    tot_protobuf_text(&events->event, FILE_VERSION, "brain.Event:2");
    TOT_TRY(tot_protobuf_status(&events->event));
    return write_record(events);
}

static tot_status open_file(tot_tfevents *events, int64_t bytes, double wall) {
    TOT_TRY(tot_growing_open(&events->file, events->path));
    TOT_TRY(tot_growing_cut(&events->file, bytes));
    return bytes == 0 ? begin(events, wall) : TOT_OK;
}

tot_status tot_tfevents_open(tot_tfevents **out, const char *path, int64_t bytes, double wall) {
    *out = NULL;
    tot_tfevents *events = tot_alloc_zero(1, sizeof *events, "events");
    if (events == NULL) {
        return TOT_E_MEMORY;
    }
    events->file.file = -1;
    events->path = tot_copy_text(path);
    const tot_status status = events->path == NULL ? TOT_E_MEMORY : open_file(events, bytes, wall);
    if (status != TOT_OK) {
        tot_tfevents_close(events);
        return status;
    }
    *out = events;
    return TOT_OK;
}

tot_status tot_tfevents_add(tot_tfevents *events, int64_t step, double wall,
                            const char *const *tags, const double *values, size_t count) {
    tot_protobuf_clear(&events->event);
    tot_protobuf_clear(&events->summary);
    tot_protobuf_double(&events->event, WALL_TIME, wall);
    tot_protobuf_count(&events->event, STEP, (uint64_t)step);
    for (size_t k = 0; k < count; k++) {
        if (isnan(values[k])) {
            continue;
        }
        tot_protobuf_clear(&events->value);
        tot_protobuf_text(&events->value, TAG, tags[k]);
        tot_protobuf_float(&events->value, NUMBER, (float)values[k]);
        tot_protobuf_message(&events->summary, VALUE, &events->value);
    }
    tot_protobuf_message(&events->event, SUMMARY, &events->summary);
    TOT_TRY(tot_protobuf_status(&events->event));
    return write_record(events);
}

int64_t tot_tfevents_bytes(const tot_tfevents *events) {
    return events->file.size;
}

tot_status tot_tfevents_sync(tot_tfevents *events) {
    return tot_growing_sync(&events->file);
}

void tot_tfevents_close(tot_tfevents *events) {
    if (events == NULL) {
        return;
    }
    tot_growing_close(&events->file);
    tot_protobuf_free(&events->event);
    tot_protobuf_free(&events->summary);
    tot_protobuf_free(&events->value);
    tot_protobuf_free(&events->frame);
    tot_free(events->path);
    tot_free(events);
}
