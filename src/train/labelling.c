// Computes the rewards of an episode.
#include <string.h>

#include "base/error.h"
#include "train/run.h"

// 1 if the task is solved, otherwise 0. The dense reward is already written at each step.
static void reward_task(train_run_episode *episode) {
    for (int64_t k = 0; k < episode->taken; k++) {
        episode->rewards[k] = episode->success[k];
    }
}

// The discriminator's reward for the observation before each step. Updates recompute it, so the
// values stored in the replay are only used for reports.
static tot_status ask_discriminator(train_run *run) {
    train_run_episode *episode = &run->episode;
    if (run->sees.pixels > 0) {
        memset(episode->rewards, 0, (size_t)episode->taken * sizeof *episode->rewards);
        return TOT_OK;
    }
    tot_batch batch = run->policy_batch;
    for (int64_t k = 0; k < episode->taken; k += run->policy_batch.count) {
        const int64_t left = episode->taken - k;
        batch.count = left < run->policy_batch.count ? left : run->policy_batch.count;
        batch.observations = episode->inputs + k * run->input.width;
        BASE_TRY(tot_agent_discriminator_reward(run->agent, &batch, episode->rewards + k));
    }
    return TOT_OK;
}

// The first episode has scale 1 and determines the scale of all later ones. Rewards that are not
// costs (orca, threshold: 0 and above) have a fixed range and are not scaled.
static void set_scale(train_run *run) {
    if (run->state.scaled == 0) {
        run->state.scale = run->labelled.sum < 0 ? tot_scale_auto(run->labelled.sum) : 1;
        run->state.scaled = 1;
        tot_labeler_set_scale(run->labeler, run->state.scale);
        const bool compares = run->config.best_share > 0;
        for (int64_t k = 0; compares && k < run->episode.taken; k++) {
            // otherwise the first episode would always rank as the best
            run->episode.rewards[k] *= (float)run->state.scale;
        }
    }
}

// Keeps the data for the report. The frames are swapped, not copied: the next episode is rendered
// into the previous buffer.
static void remember(train_run *run) {
    train_run_episode *episode = &run->episode;
    train_last_episode *last = &run->last_episode;
    last->steps = episode->taken;
    last->number = run->state.episodes - 1;
    last->solved = episode->success[episode->taken - 1] != 0;
    last->written = false;
    for (int64_t k = 0; k < episode->taken; k++) {
        last->rewards[k] = (double)episode->rewards[k];
    }
    uint8_t *frames = last->frames;
    last->frames = episode->frames;
    episode->frames = frames;
}

tot_status train_run_label(train_run *run) {
    train_run_episode *episode = &run->episode;
    if (run->method.task_reward) {
        if (!train_is_dense(run)) {
            reward_task(episode);
        }
        return TOT_OK;
    }
    if (run->method.discriminates) {
        return ask_discriminator(run);
    }
    // the cost uses the observation after each step
    BASE_TRY(train_embedder_embed(&run->embedder, episode->observations + TOT_OBSERVATION,
                                  episode->frames, episode->taken, run->embeddings));
    const tot_embeddings view =
        tot_embeddings_f32(run->embeddings, episode->taken, run->embedder.width);
    BASE_TRY(tot_label(run->labeler, view, "episode", episode->rewards, &run->labelled));
    remember(run);
    set_scale(run);
    return TOT_OK;
}
