// Any bytes as a PNG: a single-line error, or a picture whose elements can all be read. The
// checksums of the chunks are fixed first; otherwise the code behind them would never be reached.
#include "fuzz.h"

#include <temporalot/image.h>

static uint32_t get32(const uint8_t *from) {
    return (uint32_t)from[0] << 24 | (uint32_t)from[1] << 16 | (uint32_t)from[2] << 8 | from[3];
}

static uint32_t checksum(const uint8_t *bytes, size_t size) {
    uint32_t sum = UINT32_MAX;
    for (size_t k = 0; k < size; k++) {
        sum ^= bytes[k];
        for (int bit = 0; bit < 8; bit++) {
            sum = sum >> 1 ^ ((sum & 1) != 0 ? 0xedb88320u : 0);
        }
    }
    return ~sum;
}

static void mend(uint8_t *bytes, size_t size) {
    size_t at = 8;
    while (at + 12 <= size && get32(bytes + at) <= size - at - 12) {
        const size_t length = get32(bytes + at);
        const uint32_t sum = checksum(bytes + at + 4, length + 4);
        for (size_t k = 0; k < 4; k++) {
            bytes[at + 8 + length + k] = (uint8_t)(sum >> (24 - 8 * k) & 0xff);
        }
        at += length + 12;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    tot_array image = {0};
    uint8_t *copy = malloc(size + 1);
    memcpy(copy, bytes, size);
    mend(copy, size);
    if (tot_png_parse(&image, copy, size, "fuzz") == TOT_OK) {
        fuzz_touch(&image);
    } else {
        fuzz_check_error();
        if (tot_array_count(&image) != 0) {
            abort();
        }
    }
    tot_array_free(&image);
    free(copy);
    return 0;
}
