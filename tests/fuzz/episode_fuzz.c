// Any arrays as the episode.npz of a report: a single-line error, or an episode that can be shown
// on a page.
#include "fuzz.h"

#include <unistd.h>

#include "archive.h"
#include "page/alignment.h"
#include "train/episode.h"

static void show(const train_labelled_episode *kept) {
    tot_page *page = NULL;
    char text[256];
    train_episode_describe(kept, text, sizeof text);
    const page_alignment alignment = train_episode_alignment(kept);
    if (tot_page_create(&page, "episode") != TOT_OK ||
        (page_add_alignment(page, &alignment) != TOT_OK && tot_error()[0] == '\0')) {
        abort();
    }
    if (tot_page_text(page) == NULL) {
        abort();
    }
    tot_page_free(page);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static fuzz_parts parts;
    static char path[64];
    train_labelled_episode kept = {0};
    if (path[0] == '\0') {
        snprintf(path, sizeof path, "%s/temporalot_episode_%ld.npz",
                 access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", (long)getpid());
    }
    parts.count = 0;
    fuzz_parts_read(&parts, bytes, size);
    if (!fuzz_archive_write(&parts, path)) {
        abort();
    }
    if (train_episode_read(&kept, path) == TOT_OK) {
        show(&kept);
    } else {
        fuzz_check_error();
    }
    train_episode_free(&kept);
    unlink(path);
    return 0;
}
