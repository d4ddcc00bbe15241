// The policy that a run ends with, chosen by the reward that it was trained with: never by success,
// which a user's robot does not report. Late in training success comes and goes from one update to
// the next, and the reward of episodes without noise, the same ones each time, tells which to keep.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "train/export.h"
#include "train/run.h"

struct train_selection {
    train_run *run;
    train_evaluator *evaluator;  // of select_episodes at once
    float *embedded;             // [horizon][width]
    double sum;                  // of the rewards of the episodes so far
    tot_array *tensors;          // [tensor count of the agent], data NULL where acting needs it not
    size_t count;
};

void train_selection_free(train_selection *selection) {
    BASE_UNLESS_NULL(selection);
    train_evaluator_free(selection->evaluator);
    for (size_t k = 0; k < selection->count && selection->tensors != NULL; k++) {
        base_free(selection->tensors[k].data);
    }
    BASE_RELEASE(selection->tensors, selection->embedded, selection);
}

static bool rewards_demonstrations(const train_run *run) {
    return !run->method.task_reward && !run->method.discriminates;
}

bool train_selects(const train_run *run) {
    return run->config.select_every > 0 && run->method.acts && !run->method.discriminates &&
           !train_is_dense(run);
}

static tot_status open_tensors(train_selection *selection) {
    tot_agent *agent = selection->run->agent;
    const size_t count = tot_agent_tensor_count(agent);
    selection->tensors = base_alloc_zero(count, sizeof *selection->tensors, "selection");
    BASE_HAVE(selection->tensors);
    selection->count = count;
    for (size_t k = 0; k < count; k++) {
        tot_array tensor = tot_agent_tensor(agent, k);
        if (train_is_acting(tot_agent_tensor_name(agent, k))) {
            tensor.data = base_alloc((size_t)tot_array_count(&tensor), sizeof(float), "selection");
            BASE_HAVE(tensor.data);
            selection->tensors[k] = tensor;
        }
    }
    return TOT_OK;
}

static tot_status open_selection(train_selection *selection, train_run *run) {
    selection->run = run;
    BASE_TRY(open_tensors(selection));
    selection->embedded = base_alloc((size_t)(run->horizon * run->embedder.width),
                                     sizeof *selection->embedded, "selection");
    BASE_HAVE(selection->embedded);
    const bool frames = run->embedder.sees_pictures && rewards_demonstrations(run);
    return train_evaluator_create(&selection->evaluator, &run->config, run->task,
                                  &run->embedder.views, frames ? &run->embedder : NULL, run->pool);
}

tot_status train_selection_need(train_run *run) {
    if (run->selection != NULL) {
        return TOT_OK;
    }
    train_selection *selection = base_alloc_zero(1, sizeof *selection, "selection");
    BASE_HAVE(selection);
    const tot_status status = open_selection(selection, run);
    if (status != TOT_OK) {
        train_selection_free(selection);
        return status;
    }
    run->selection = selection;
    return TOT_OK;
}

const tot_array *train_selection_tensor(const train_run *run, size_t index) {
    const tot_array *tensor = &run->selection->tensors[index];
    return tensor->data != NULL ? tensor : NULL;
}

static void copy_tensors(train_selection *selection, bool back) {
    for (size_t k = 0; k < selection->count; k++) {
        const tot_array *kept = &selection->tensors[k];
        const tot_array now = tot_agent_tensor(selection->run->agent, k);
        if (kept->data != NULL) {
            memcpy(back ? now.data : kept->data, back ? kept->data : now.data,
                   (size_t)tot_array_count(kept) * sizeof(float));
        }
    }
}

static tot_status on_episode(void *context, int64_t episode, int64_t steps,
                             const float *observations, const uint8_t *frames) {
    (void)episode;
    train_selection *selection = context;
    train_run *run = selection->run;
    tot_label_info info;
    BASE_TRY(train_embedder_embed(&run->embedder, observations + TOT_OBSERVATION, frames, steps,
                                  selection->embedded));
    const tot_embeddings view =
        tot_embeddings_f32(selection->embedded, steps, run->embedder.width);
    BASE_TRY(tot_label(run->labeler, view, "episode", NULL, &info));
    selection->sum += info.sum;
    return TOT_OK;
}

static bool on_progress(void *context, int64_t done) {
    train_run *run = context;
    train_run_progress(run, "selection", done, run->config.select_episodes);
    return train_run_ask(run) != TOT_TRAIN_STOP;
}

// The mean return of the policy as it is now.
static tot_status measure(train_selection *selection, double *mean) {
    train_run *run = selection->run;
    const bool labels = rewards_demonstrations(run);
    tot_evaluation result;
    const train_evaluation_request request = {
        .seed = run->selection_seed,
        .episodes = run->config.select_episodes,
        .on_episode = labels ? on_episode : NULL,
        .on_episode_context = selection,
        .progress = on_progress,
        .progress_context = run,
    };
    selection->sum = 0;
    BASE_TRY(train_evaluator_run(selection->evaluator, run->agent, &request, &result));
    *mean = labels ? selection->sum / (double)run->config.select_episodes : result.episode_return;
    return TOT_OK;
}

tot_status train_run_select(train_run *run) {
    const train_run_state *state = &run->state;
    const bool last = state->step >= run->steps;
    const bool due = last || (2 * state->step >= run->steps &&
                              state->step % run->config.select_every == 0);
    double mean = 0;
    if (!due || (rewards_demonstrations(run) && state->scaled == 0)) {
        return TOT_OK;
    }
    BASE_TRY(train_selection_need(run));
    BASE_TRY(measure(run->selection, &mean));
    base_log(TOT_LOG_INFO, "step %lld: return without noise %.3f", (long long)state->step, mean);
    if (isnan(state->selected_return) || mean > state->selected_return) {
        copy_tensors(run->selection, false);
        run->state.selected_return = mean;
        run->state.selected_step = (double)state->step;
    }
    if (last) {
        copy_tensors(run->selection, true);
        base_log(TOT_LOG_INFO, "the run ends with the policy of step %.0f: return %.3f",
                 state->selected_step, state->selected_return);
    }
    return TOT_OK;
}
