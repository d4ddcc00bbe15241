// Any bytes as a settings file: a single-line error; or settings that survive a round trip, each of
// which can be queried.
#include "fuzz.h"

#include "base/memory.h"
#include "train/settings.h"

static void use(const tot_train_config *config) {
    static tot_train_config again;
    char *text = train_config_text(config);
    if (text == NULL) {
        abort();
    }
    tot_train_defaults(&again);
    if (train_parse(&again, text, strlen(text), "config.yaml") != TOT_OK ||
        train_config_difference(config, &again) != NULL) {
        abort();
    }
    base_free(text);
    if (tot_train_check(config) != TOT_OK) {
        fuzz_check_error();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static tot_train_config config;
    tot_train_defaults(&config);
    // a run has a task, so that no file without one is written
    if (tot_train_set(&config, "task", "push") != TOT_OK) {
        abort();
    }
    if (train_parse(&config, bytes, size, "fuzz") == TOT_OK) {
        use(&config);
    } else {
        fuzz_check_error();
    }
    return 0;
}
