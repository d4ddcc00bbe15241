#include "file/tfevents.h"

#include "base/base.h"
#include "file/appender.h"
#include "file/protobuf.h"

// Event: 1 wall_time (double), 2 step, 3 file_version, 5 summary; Summary: 1 value, repeated;
// Value: 1 tag, 2 simple_value (float).
enum { WALL_TIME = 1, STEP = 2, FILE_VERSION = 3, SUMMARY = 5, VALUE = 1, TAG = 1, NUMBER = 2 };

struct file_tfevents {
    file_appender file;
    char *path;
    file_protobuf event;
    file_protobuf summary;
    file_protobuf value;
    file_protobuf frame;
};

// --- CRC-32C -----------------------------------------------------------------------------------

uint32_t file_crc32c(const void *bytes, size_t size) {
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

// TensorFlow rotates and offsets the CRC, so that nested frames do not look damaged.
static uint32_t masked(const void *bytes, size_t size) {
    const uint32_t crc = file_crc32c(bytes, size);
    return (crc >> 15 | crc << 17) + 0xA282EAD8u;
}

// --- records -----------------------------------------------------------------------------------

static tot_status write_record(file_tfevents *events) {
    const file_protobuf *event = &events->event;
    file_protobuf *frame = &events->frame;
    const uint64_t length = htole64(event->size);
    file_protobuf_clear(frame);
    file_protobuf_raw(frame, &length, sizeof length);
    file_protobuf_raw_word(frame, masked(&length, sizeof length));
    file_protobuf_raw(frame, event->bytes, event->size);
    file_protobuf_raw_word(frame, masked(event->bytes, event->size));
    BASE_TRY(file_protobuf_status(frame));
    return file_appender_add(&events->file, frame->bytes, frame->size);
}

static tot_status begin(file_tfevents *events, double wall) {
    file_protobuf_clear(&events->event);
    file_protobuf_double(&events->event, WALL_TIME, wall);
    file_protobuf_text(&events->event, FILE_VERSION, "brain.Event:2");
    BASE_TRY(file_protobuf_status(&events->event));
    return write_record(events);
}

static tot_status open_file(file_tfevents *events, int64_t bytes, double wall) {
    BASE_TRY(file_appender_open(&events->file, events->path));
    BASE_TRY(file_appender_truncate(&events->file, bytes));
    return bytes == 0 ? begin(events, wall) : TOT_OK;
}

tot_status file_tfevents_open(file_tfevents **out, const char *path, int64_t bytes, double wall) {
    *out = NULL;
    BASE_NEW(file_tfevents, events, "events");
    events->file.file = -1;
    events->path = base_copy_text(path);
    BASE_GIVE(events->path == NULL ? TOT_E_MEMORY : open_file(events, bytes, wall), out, events,
              file_tfevents_close);
}

tot_status file_tfevents_add(file_tfevents *events, int64_t step, double wall,
                             const char *const *tags, const double *values, size_t count) {
    file_protobuf_clear(&events->event);
    file_protobuf_clear(&events->summary);
    file_protobuf_double(&events->event, WALL_TIME, wall);
    file_protobuf_count(&events->event, STEP, (uint64_t)step);
    for (size_t k = 0; k < count; k++) {
        if (isnan(values[k])) {
            continue;
        }
        file_protobuf_clear(&events->value);
        file_protobuf_text(&events->value, TAG, tags[k]);
        file_protobuf_float(&events->value, NUMBER, (float)values[k]);
        file_protobuf_message(&events->summary, VALUE, &events->value);
    }
    file_protobuf_message(&events->event, SUMMARY, &events->summary);
    BASE_TRY(file_protobuf_status(&events->event));
    return write_record(events);
}

int64_t file_tfevents_bytes(const file_tfevents *events) {
    return events->file.size;
}

tot_status file_tfevents_sync(file_tfevents *events) {
    return file_appender_sync(&events->file);
}

void file_tfevents_close(file_tfevents *events) {
    BASE_UNLESS_NULL(events);
    file_appender_close(&events->file);
    file_protobuf_free(&events->event);
    file_protobuf_free(&events->summary);
    file_protobuf_free(&events->value);
    file_protobuf_free(&events->frame);
    BASE_RELEASE(events->path, events);
}
