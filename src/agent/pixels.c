// The pixel encoder: four convolutions trained with the critic.
#include "agent/agent.h"
#include "base/base.h"

enum { LAYERS = 4 };

static void add_layers(agent_pixel_encoder *pixels) {
    const int64_t filters = pixels->shape.filters;
    for (int64_t layer = 0; layer < LAYERS; layer++) {
        char name[16];
        int64_t channels = layer == 0 ? pixels->shape.channels : filters;
        // every second module of the Sequential is a ReLU; contiguous, as tot_conv requires
        snprintf(name, sizeof name, "%d", 2 * (int)layer);
        agent_network_add_pair(&pixels->network, name, (int64_t[4]){filters, channels, 3, 3},
                               sqrt(2), false);
    }
}

tot_status agent_pixel_encoder_create(tot_agent *agent) {
    agent_pixel_encoder *pixels = &agent->pixels;
    pixels->network.name = "encoder";
    pixels->shape = (tot_conv_shape){
        .channels = TOT_STACK * 3,
        .size = agent->sees.pixels,
        .filters = agent->config.filters,
        .layers = LAYERS,
        .shift = agent->config.shift,
        .batch = agent->rows,
    };
    add_layers(pixels);
    BASE_TRY(tot_conv_create(&pixels->conv, &pixels->shape, true, agent->nn));
    agent->width = tot_conv_features(&pixels->shape);
    BASE_TRY(agent_network_alloc(&pixels->network, false));
    size_t rows = (size_t)agent->rows;
    size_t width = (size_t)agent->width;
    pixels->features = base_alloc(rows, width * sizeof(float), "features of pictures");
    pixels->next_features = base_alloc(rows, width * sizeof(float), "features of pictures");
    return pixels->features != NULL && pixels->next_features != NULL ? TOT_OK : TOT_E_MEMORY;
}

void agent_pixel_encoder_free(agent_pixel_encoder *pixels) {
    agent_network_free(&pixels->network);
    tot_conv_free(pixels->conv);
    BASE_RELEASE(pixels->features, pixels->next_features);
}

void agent_pixel_encoder_learn(tot_agent *agent, const tot_batch *batch) {
    agent_pixel_encoder *pixels = &agent->pixels;
    agent_network *network = &pixels->network;
    if (agent->sees.pixels > 0) {
        tot_conv_backward(pixels->conv, network->parameters, batch->count, batch->pictures,
                          batch->shifts, pixels->features, pixels->feature_gradient,
                          network->gradients, false);
        agent_network_update(agent->nn, network, &agent->config, 0);
    }
}
