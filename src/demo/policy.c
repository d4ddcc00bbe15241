// Policies without training.
#include "demo/trajectory.h"

#include "base/base.h"

void demo_clip_action(float *action) {
    for (int k = 0; k < TOT_ACTION; k++) {
        action[k] = fminf(fmaxf(action[k], -1.0f), 1.0f);
    }
}

// context: a tot_expert, or NULL for an expert that never holds.
static tot_status act_as_expert(void *context, const tot_world *world, int64_t step,
                                float *action) {
    enum { LIFT = 10 };  // frames, one centimetre each
    tot_expert plain = {0};
    tot_expert *expert = context != NULL ? context : &plain;
    const int frame = tot_world_frames(world);
    expert->since = step == 0 ? 0 : expert->since;
    if (step > 0 && expert->since == 0 && tot_world_success(world)) {
        expert->since = frame;
    }
    if (expert->hold && expert->since > 0 && frame >= expert->since + expert->after) {
        const bool lift = tot_task_information(tot_world_task(world))->lift;
        memset(action, 0, TOT_ACTION * sizeof *action);
        action[2] = lift && frame < expert->since + expert->after + LIFT ? 1.0F : 0.0F;
        action[TOT_ACTION - 1] = expert->grip;
        return TOT_OK;
    }
    tot_world_expert(world, action);
    demo_clip_action(action);
    expert->grip = action[TOT_ACTION - 1];
    return TOT_OK;
}

tot_policy tot_policy_holding(tot_expert *expert) {
    BASE_NEED_OR((tot_policy){0}, expert);
    return (tot_policy){.act = act_as_expert, .context = expert};
}

tot_policy tot_policy_expert(void) {
    return (tot_policy){.act = act_as_expert};
}

static tot_status stand_still(void *context, const tot_world *world, int64_t step, float *action) {
    (void)context;
    (void)world;
    (void)step;
    memset(action, 0, TOT_ACTION * sizeof *action);
    return TOT_OK;
}

tot_policy tot_policy_zero(void) {
    return (tot_policy){.act = stand_still};
}

static tot_status act_at_random(void *context, const tot_world *world, int64_t step,
                                float *action) {
    (void)world;
    (void)step;
    for (int k = 0; k < TOT_ACTION; k++) {
        action[k] = (float)(2.0 * tot_random_uniform(context) - 1.0);
    }
    return TOT_OK;
}

tot_policy tot_policy_random(tot_random *random) {
    BASE_NEED_OR((tot_policy){0}, random);
    return (tot_policy){.act = act_at_random, .context = random};
}

// --- replay of given actions -------------------------------------------------------------------

const char *demo_shape_text(const tot_array *array, char *text, size_t size) {
    snprintf(text, size, "%s", array->dimensions == 0 ? "a single number" : "");
    for (int k = 0; k < array->dimensions; k++) {
        const size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%lld", k > 0 ? " x " : "",
                 (long long)array->shape[k]);
    }
    return text;
}

// Copies the action of a step, in the precision of the array.
static tot_status copy_row(const tot_array *actions, int64_t step, void *action) {
    const size_t row = TOT_ACTION * tot_type_size(actions->type);
    BASE_FAIL_IF(step >= actions->shape[0], TOT_E_ARGUMENT, "there are only %lld actions",
                 (long long)actions->shape[0]);
    memcpy(action, (const char *)actions->data + (size_t)step * row, row);
    return TOT_OK;
}

static tot_status replay_single(void *context, const tot_world *world, int64_t step,
                                float *action) {
    (void)world;
    return copy_row(context, step, action);
}

static tot_status replay_double(void *context, const tot_world *world, int64_t step,
                                double *action) {
    (void)world;
    return copy_row(context, step, action);
}

tot_policy tot_policy_replay(const tot_array *actions) {
    BASE_NEED_OR((tot_policy){0}, actions);
    // the context is only read
    tot_policy policy = {.context = (void *)actions};
    if (actions->type == TOT_F64) {
        policy.act_double = replay_double;
    } else {
        policy.act = replay_single;
    }
    return policy;
}

tot_status tot_actions_check(const tot_array *actions, const char *name) {
    BASE_NEED(actions, name);
    BASE_FAIL_IF(actions->type != TOT_F32 && actions->type != TOT_F64, TOT_E_UNSUPPORTED,
                 "%s: actions are float32 or float64, not %s", name, tot_type_text(actions->type));
    if (actions->dimensions != 2 || actions->shape[0] < 1 || actions->shape[1] != TOT_ACTION) {
        char shape[256];
        return base_fail(TOT_E_SHAPE, "%s: actions are steps x %d, not %s", name, TOT_ACTION,
                         demo_shape_text(actions, shape, sizeof shape));
    }
    BASE_NEED(actions->data);
    for (int64_t k = 0; k < tot_array_count(actions); k++) {
        const double value = actions->type == TOT_F64 ? ((const double *)actions->data)[k]
                                                      : (double)((const float *)actions->data)[k];
        BASE_FAIL_IF(!isfinite(value), TOT_E_VALUE,
                     "%s: step %lld, column %lld: %g is not a valid action", name,
                     (long long)(k / TOT_ACTION), (long long)(k % TOT_ACTION), value);
    }
    return TOT_OK;
}
