// Exports the actor as .npz.
#include "train/export.h"

#include "base/base.h"
#include "file/npz.h"

// Whether it is a weight needed for acting, not one of Adam's moments.
bool train_is_acting(const char *name) {
    const bool acts = strncmp(name, "actor.", 6) == 0 || strncmp(name, "encoder.", 8) == 0;
    return acts && strstr(name, ".adam.") == NULL;
}

static tot_status add_numbers(tot_npz_writer *npz, const char *name, float *numbers, int64_t rows,
                              int64_t columns) {
    const tot_array array = {.type = TOT_F32,
                             .dimensions = columns > 0 ? 2 : 1,
                             .shape = {rows, columns},
                             .data = numbers};
    return tot_npz_add(npz, name, &array);
}

static tot_status add_input(tot_npz_writer *npz, train_policy *policy) {
    if (policy->shaped) {
        BASE_TRY(add_numbers(npz, "input.weight", policy->weight, TRAIN_SHAPED, TOT_OBSERVATION));
        BASE_TRY(add_numbers(npz, "input.bias", policy->bias, TRAIN_SHAPED, 0));
    }
    if (policy->times > 0) {
        BASE_TRY(add_numbers(npz, "time.weight", policy->time_weight, policy->times, 0));
        BASE_TRY(add_numbers(npz, "time.bias", policy->time_bias, policy->times, 0));
    }
    return TOT_OK;
}

static tot_status add_all(tot_npz_writer *npz, train_policy *policy) {
    tot_agent *agent = policy->agent;
    BASE_TRY(add_input(npz, policy));
    for (size_t k = 0; k < tot_agent_tensor_count(agent); k++) {
        const char *name = tot_agent_tensor_name(agent, k);
        const tot_array tensor = tot_agent_tensor(agent, k);
        BASE_TRY(train_is_acting(name) ? tot_npz_add(npz, name, &tensor) : TOT_OK);
    }
    return TOT_OK;
}

tot_status train_export_npz(train_policy *policy, const char *path) {
    tot_npz_writer *npz = NULL;
    BASE_TRY(tot_npz_create(&npz, path, false));
    return file_npz_end(npz, add_all(npz, policy));
}
