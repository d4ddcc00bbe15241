// Detects truncated videos from the length declared by the container, because FFmpeg silently reads
// a truncated file as if it ended there.
#include "base/base.h"
#include "file/frames.h"

// End of the content according to the container; 0: unknown.
typedef struct extent {
    uint64_t end;
    const char *part;  // the part that ends there
} extent;

// Reads bytes anywhere in the file; false past its end.
static bool peek(file_source *source, uint64_t offset, uint8_t *bytes, size_t size,
                 tot_status *status) {
    if (*status != TOT_OK || offset > (uint64_t)source->size ||
        size > (uint64_t)source->size - offset) {
        return false;
    }
    source->position = (int64_t)offset;
    *status = source->read(source, bytes, size);
    source->position = 0;
    return *status == TOT_OK;
}

static uint64_t big_endian(const uint8_t *bytes, size_t size) {
    uint64_t value = 0;
    for (size_t k = 0; k < size; k++) {
        value = value << 8 | bytes[k];
    }
    return value;
}

static uint64_t saturated(uint64_t a, uint64_t b) {
    uint64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

// --- MP4 and QuickTime: boxes with a size and a four-letter type -------------------------------

static bool is_known_box(const uint8_t *letters) {
    static const char *const known[] = {"ftyp", "moov", "mdat", "free", "skip", "wide",
                                        "uuid", "meta", "moof", "mfra", "sidx", "styp",
                                        "udta", "pdin", "pnot", "prft", "emsg"};
    for (size_t k = 0; k < BASE_LENGTH(known); k++) {
        if (memcmp(letters, known[k], 4) == 0) {
            return true;
        }
    }
    return false;
}

static extent measure_boxes(file_source *source, tot_status *status) {
    uint8_t box[16];
    extent found = {0, "box"};
    for (uint64_t at = 0; peek(source, at, box, 8, status) && is_known_box(box + 4);) {
        uint64_t size = big_endian(box, 4);
        if (size == 1) {
            size = peek(source, at, box, 16, status) ? big_endian(box + 8, 8) : 0;
        }
        // 0: extends to the end of the file
        if (size < 8) {
            break;
        }
        at = saturated(at, size);
        found.end = at;
    }
    return found;
}

// --- AVI: RIFF ---------------------------------------------------------------------------------

static extent measure_riff(const uint8_t *first) {
    const uint64_t size = (uint64_t)first[4] | (uint64_t)first[5] << 8 | (uint64_t)first[6] << 16 |
                          (uint64_t)first[7] << 24;
    // writers that cannot seek leave it 0 or at its maximum
    return (extent){size == 0 || size >= UINT32_MAX - 8 ? 0 : size + 8, "RIFF"};
}

// --- Matroska and WebM: EBML -------------------------------------------------------------------

// A variable-length size: one byte plus one per leading zero bit of the first. All ones: unknown.
static bool read_size(file_source *source, uint64_t *at, uint64_t *size, tot_status *status) {
    uint8_t bytes[8];
    if (!peek(source, *at, bytes, 1, status) || bytes[0] == 0) {
        return false;
    }
    const size_t length = (size_t)__builtin_clz(bytes[0]) - 24 + 1;
    if (!peek(source, *at, bytes, length, status)) {
        return false;
    }
    const uint64_t mask = (UINT64_C(1) << 7 * length) - 1;
    *size = big_endian(bytes, length) & mask;
    *at += length;
    return *size != mask;
}

static extent measure_ebml(file_source *source, tot_status *status) {
    static const uint8_t segment[4] = {0x18, 0x53, 0x80, 0x67};
    extent found = {0, "segment"};
    uint8_t id[4];
    uint64_t at = sizeof id;
    uint64_t size = 0;
    if (!read_size(source, &at, &size, status)) {
        return found;
    }
    at = saturated(at, size);
    if (peek(source, at, id, sizeof id, status) && memcmp(id, segment, sizeof id) == 0) {
        at += sizeof id;
        found.end = read_size(source, &at, &size, status) ? saturated(at, size) : 0;
    }
    return found;
}

// -----------------------------------------------------------------------------------------------

tot_status file_frames_check_length(file_source *source) {
    static const uint8_t ebml[4] = {0x1a, 0x45, 0xdf, 0xa3};
    uint8_t first[12];
    tot_status status = TOT_OK;
    extent found = {0};
    if (!peek(source, 0, first, sizeof first, &status)) {
        return status;
    }
    if (memcmp(first, "RIFF", 4) == 0) {
        found = measure_riff(first);
    } else if (memcmp(first, ebml, sizeof ebml) == 0) {
        found = measure_ebml(source, &status);
    } else if (is_known_box(first + 4)) {
        found = measure_boxes(source, &status);
    }
    BASE_FAIL_IF(status == TOT_OK && found.end > (uint64_t)source->size, TOT_E_FORMAT,
                 "%s: cut short: its %s ends at byte %llu, the file at %lld", source->name,
                 found.part, (unsigned long long)found.end, (long long)source->size);
    return status;
}
