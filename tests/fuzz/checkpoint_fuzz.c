// A complete checkpoint with any part changed: its entries, the replay, the metrics, the events.
// Expects a single-line error, or a run that continues for a step; the sanitizers check the rest.
// Parts that an input does not name are those of a real run.
#include "fuzz.h"

#include "real_run.h"
#include "train/checkpoint.h"

static fuzz_parts real;
static train_run run;
static bool opened;
static char folder[64];
static char files[4][TRAIN_PATH];  // checkpoint, metrics, events, replay

static void need(bool condition) {
    if (!condition) {
        fprintf(stderr, "%s\n", tot_error());
        abort();
    }
}

// Stops after one step, once everything is open.
static tot_train_command stop(void *context) {
    (void)context;
    return opened ? TOT_TRAIN_STOP : TOT_TRAIN_GO;
}

// Not part of the first input, whose time is limited: loading a scene takes long on a busy machine.
int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    static tot_train_config config;
    static tot_train_options options = {
        .threads = 1, .ask = stop, .resume = TOT_RESUME_APPROXIMATE};
    char inner[TRAIN_PATH];
    bool continues = false;
    need(real_run(folder, &config) && real_parts(&real, folder));
    need(train_path(inner, folder, "checkpoint") == TOT_OK && real_find(files[0], inner, "at-"));
    need(real_find(files[1], folder, "metrics.csv") && real_find(files[2], folder, "events"));
    need(train_path(inner, folder, "checkpoint/replay") == TOT_OK);
    need(real_find(files[3], inner, "replay-"));
    options.folder = folder;
    need(train_run_open(&run, &config, &options, &continues) == TOT_OK && continues);
    opened = true;
    return 0;
}

// Fixes the checksums of the replay's files, which few mutations would pass.
static void mend_replay(uint8_t *bytes, size_t size) {
    enum { HEAD = 40, RECORD = 32, WIDTH = TOT_OBSERVATION };
    uint32_t check = 0;
    if (size < HEAD) {
        return;
    }
    check = (uint32_t)crc32(0, bytes, HEAD - 4);
    memcpy(bytes + HEAD - 4, &check, 4);
    for (size_t at = HEAD; at + RECORD <= size;) {
        int64_t steps = 0;
        memcpy(&steps, bytes + at + 16, sizeof steps);
        const size_t left = size - at - RECORD;
        const size_t payload =
            steps >= 0 && steps < 1 << 20
                ? 4 * ((size_t)(steps + 1) * (size_t)run.input.width + (size_t)steps * 5)
                : SIZE_MAX;
        const size_t counted = payload <= left ? payload : left;
        check = (uint32_t)crc32(0, bytes + at + RECORD, (uInt)counted);
        memcpy(bytes + at + 4, &check, 4);
        check = (uint32_t)crc32(0, bytes + at, RECORD - 4);
        memcpy(bytes + at + RECORD - 4, &check, 4);
        at += RECORD + counted;
    }
}

static void remove_inner(const char *name) {
    char path[TRAIN_PATH], inner[TRAIN_PATH];
    need(train_path(inner, folder, name) == TOT_OK);
    while (real_find(path, inner, "at-") || real_find(path, inner, "replay-")) {
        need(unlink(path) == 0);
    }
}

static void write_parts(const fuzz_parts *parts) {
    static const char *const names[] = {"", "metrics.csv", "events", "replay"};
    char keep[TRAIN_PATH], aside[TRAIN_PATH];
    // except its subfolder "replay"
    need(train_path(keep, folder, "checkpoint/replay") == TOT_OK);
    need(train_path(aside, folder, "aside") == TOT_OK && rename(keep, aside) == 0);
    remove_inner("checkpoint");
    need(rename(aside, keep) == 0);
    remove_inner("checkpoint/replay");
    need(fuzz_archive_write(parts, files[0]));
    for (int k = 1; k < 4; k++) {
        for (size_t i = 0; i < parts->count; i++) {
            const fuzz_part *part = &parts->items[i];
            if (strcmp(part->name, names[k]) == 0) {
                uint8_t *copy = malloc(part->size + 1);
                need(copy != NULL);
                memcpy(copy, part->bytes, part->size);
                if (k == 3) {
                    mend_replay(copy, part->size);
                }
                need(fuzz_file_write(files[k], copy, part->size));
                free(copy);
            }
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static fuzz_parts parts;
    parts = real;
    fuzz_parts_read(&parts, bytes, size);
    write_parts(&parts);
    train_record_close(run.record);
    run.record = NULL;
    if (train_checkpoint_load(&run, true) != TOT_OK) {
        fuzz_check_error();
        return 0;
    }
    // one step and its checkpoint; the result of learning does not matter
    const tot_status status = run.state.finished == 1 ? TOT_OK : train_run_loop(&run);
    if (status != TOT_OK) {
        fuzz_check_error();
    }
    return 0;
}
