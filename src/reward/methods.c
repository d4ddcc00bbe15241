#include "reward/methods.h"

#include "base/error.h"
#include "base/name.h"

static const tot_method methods[] = {
    {"temporalot", "the paper: context cost, band, transport", 3, TOT_MASK_BAND, REWARD_TRANSPORT,
     reward_transport},
    {"temporalot-no-mask", "context cost, transport without a mask", 3, TOT_MASK_NONE,
     REWARD_TRANSPORT, reward_transport},
    {"temporalot-no-context", "frame-to-frame cost, band, transport", 1, TOT_MASK_BAND,
     REWARD_TRANSPORT, reward_transport},
    {"dynamic", "TemporalOT with a mask around the cheapest match", 3, TOT_MASK_DYNAMIC,
     REWARD_TRANSPORT, reward_transport},
    {"ot", "plain optimal transport: no context, no mask", 1, TOT_MASK_NONE, REWARD_TRANSPORT,
     reward_transport},
    {"orca", "ordered coverage of every demonstration frame (ORCA)", 1, TOT_MASK_NONE, REWARD_MATCH,
     reward_orca},
    {"dtw", "dynamic time warping", 1, TOT_MASK_NONE, REWARD_DISTANCE, reward_dtw},
    {"soft-dtw", "dynamic time warping, smoothed", 1, TOT_MASK_NONE, REWARD_DISTANCE,
     reward_soft_dtw},
    {"min-distance", "distance to the nearest demonstration frame", 1, TOT_MASK_NONE,
     REWARD_DISTANCE, reward_min_distance},
    {"segment", "distance to the nearest frame of the step's own segment", 1, TOT_MASK_NONE,
     REWARD_DISTANCE, reward_segment},
    {"threshold", "demonstration frames as subgoals, reached one after the other", 1, TOT_MASK_NONE,
     REWARD_MATCH, reward_threshold},
};

enum { METHOD_COUNT = sizeof methods / sizeof *methods };

size_t tot_method_count(void) {
    return METHOD_COUNT;
}

const tot_method *tot_method_at(size_t index) {
    return index < METHOD_COUNT ? &methods[index] : NULL;
}

BASE_GETTER(const char *, tot_method_name, tot_method, method, NULL, method->name)

BASE_GETTER(const char *, tot_method_help, tot_method, method, NULL, method->help)

BASE_GETTER(bool, tot_method_has_plan, tot_method, method, false, method->kind == REWARD_TRANSPORT)

void tot_reward_defaults(tot_reward_config *config) {
    BASE_NEED_OR(, config);
    config->method = &methods[0];
#define TOT_PARAMETER(type, name, initial, low, high, role, help) config->name = initial;
#include <temporalot/reward_parameters.def>
#undef TOT_PARAMETER
}

tot_status tot_reward_config_for(tot_reward_config *config, const char *method) {
    BASE_NEED(config, method);
    const tot_method *row = BASE_FIND_ROW("method", method, methods);
    if (row == NULL) {
        return TOT_E_ARGUMENT;
    }
    tot_reward_defaults(config);
    config->method = row;
    config->context = row->context;
    config->mask = row->mask;
    return TOT_OK;
}
