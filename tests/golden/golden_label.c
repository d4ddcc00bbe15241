// Pictures to rewards: two sources against each other, with the network installed by set-up.

#include "golden/golden.h"

#include <temporalot/label.h>

enum { STEPS = 7, HEIGHT = 50, WIDTH = 70 };

static tot_status add(void *context, const tot_labelled *episode) {
    uint64_t *hash = context;
    *hash = golden_add(*hash, episode->rewards, (size_t)episode->steps * sizeof(float));
    return TOT_OK;
}

void golden_label(void **state) {
    (void)state;
    static uint8_t films[3][STEPS * HEIGHT * WIDTH * 3];
    tot_array arrays[3];
    tot_label_source sources[3];
    uint64_t hash = GOLDEN_EMPTY;
    const char *weights = NULL;
    tot_label_options options;
    tot_label_defaults(&options);
    if (tot_weights_default(&weights) != TOT_OK) {
        print_message("skipped: %s\n", tot_error());
        return;
    }
    for (size_t k = 0; k < 3; k++) {
        for (size_t j = 0; j < sizeof films[k]; j++) {
            films[k][j] = (uint8_t)(j / 9 + (j * j + k * j) / (811 + k));
        }
        arrays[k] = (tot_array){
            .type = TOT_U8, .dimensions = 4, .shape = {STEPS, HEIGHT, WIDTH, 3}, .data = films[k]};
        sources[k] = (tot_label_source){.path = "film", .array = &arrays[k]};
    }
    options.embedder.encoder.size = 64;
    options.threads = 1;
    options.take = add;
    options.context = &hash;
    assert_ok(tot_label_sources(sources, 1, sources + 1, 2, &options));
    golden_check("label-pictures", hash);
}
