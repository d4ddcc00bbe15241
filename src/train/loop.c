// The training loop, top to bottom: behaviour cloning if the method starts with it; then select an
// action, step the world and render, update (in parallel if possible, see train.c); at the end of
// an episode encode it, label it and add it to the replay; evaluate, log and save when due.
// Everything learnt is a function of the settings and the seed: wall-clock time only decides when a
// checkpoint is written, which does not affect the results.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "demo/trajectory.h"
#include "train/checkpoint.h"
#include "train/noise.h"
#include "train/run.h"

// --- schedules ---------------------------------------------------------------------------------

// Linear from noise_start to noise_end over noise_steps agent steps (0: the whole run).
double train_run_noise(const train_run *run) {
    const tot_train_config *config = &run->config;
    const int64_t length = config->noise_steps > 0 ? config->noise_steps : config->steps;
    const double share = fmin((double)run->state.step / (double)length, 1.0);
    return config->noise_start + share * (config->noise_end - config->noise_start);
}

// Linear over the run, from the configured value to learning_rate_end times that.
static double learning_rate(const train_run *run) {
    const tot_train_config *config = &run->config;
    const double done = (double)run->state.step / (double)config->steps;
    return config->agent.learning_rate * (1 - fmin(done, 1) * (1 - config->learning_rate_end));
}

static double discount_of(const train_run *run) {
    return run->method.schedules ? tot_ads_discount(&run->ads) : run->config.agent.discount;
}

// --- commands and progress ---------------------------------------------------------------------

tot_train_command train_run_ask(train_run *run) {
    const tot_train_command request =
        run->options->ask != NULL ? run->options->ask(run->options->context) : TOT_TRAIN_GO;
    run->save_requested = run->save_requested || request == TOT_TRAIN_SAVE;
    return request;
}

tot_status train_run_stopped(const train_run *run) {
    return base_fail(TOT_E_INTERRUPTED, "stopped at step %lld of %lld; resume continues %s",
                     (long long)run->state.step, (long long)run->steps, run->folder);
}

void train_run_progress(const train_run *run, const char *doing, int64_t done, int64_t total) {
    if (run->options->progress == NULL) {
        return;
    }
    const double seconds = train_seconds() - run->began;
    const double steps = (double)(run->state.cloned + run->state.step - run->began_at);
    const double speed = seconds > 0 ? steps / seconds : 0;
    const double left = (double)(run->steps - run->state.step);
    const tot_train_progress progress = {
        .doing = doing,
        .done = done,
        .total = total,
        .per_second = speed,
        .seconds_left = speed > 0 && steps > 10 ? left / speed : -1,
        .success_rate = run->state.success_rate,
        .episode_return = run->state.last_return,
        .noise = train_run_noise(run),
        .losses = run->losses,
    };
    run->options->progress(run->options->context, &progress);
}

// The mean since the last row; NaN if count is 0.
static double mean(double sum, int64_t count) {
    return count > 0 ? sum / (double)count : NAN;
}

// Writes one row of metrics.csv; evaluation may be NULL.
static tot_status write_row(train_run *run, const tot_evaluation *evaluation) {
    train_run_state *state = &run->state;
    const train_record *record = run->record;
    const double *last =
        record->rows > 0 ? record->values + (record->rows - 1) * TRAIN_METRIC_COUNT : NULL;
    const double seconds = train_seconds() - run->began;
    double row[TRAIN_METRIC_COUNT];
    row[TRAIN_METRIC_step] = (double)state->step;
    row[TRAIN_METRIC_episode] = (double)state->episodes;
    row[TRAIN_METRIC_success_rate] = evaluation != NULL ? evaluation->success_rate : NAN;
    row[TRAIN_METRIC_eval_return] = evaluation != NULL ? evaluation->episode_return : NAN;
    row[TRAIN_METRIC_train_success_rate] = mean(state->window_success, state->window_episodes);
    row[TRAIN_METRIC_return] = mean(state->window_return, state->window_episodes);
    row[TRAIN_METRIC_task_return] = mean(state->window_task_return, state->window_episodes);
    row[TRAIN_METRIC_critic_loss] = mean(state->window_critic, state->window_updates);
    row[TRAIN_METRIC_actor_loss] = mean(state->window_actor, state->window_updates);
    row[TRAIN_METRIC_value] = mean(state->window_value, state->window_updates);
    row[TRAIN_METRIC_clone_loss] = mean(state->window_clone, state->window_cloned);
    row[TRAIN_METRIC_discriminator_loss] =
        run->method.discriminates ? mean(state->window_discriminator, state->window_updates) : NAN;
    row[TRAIN_METRIC_noise] = train_run_noise(run);
    row[TRAIN_METRIC_discount] = discount_of(run);
    row[TRAIN_METRIC_reward_scale] = state->scale;
    row[TRAIN_METRIC_updates] = (double)state->updates;
    row[TRAIN_METRIC_replay_transitions] = (double)tot_replay_transitions(run->replay);
    row[TRAIN_METRIC_wall_seconds] = run->wall_before + seconds;
    row[TRAIN_METRIC_steps_per_second] =
        last != NULL
            ? ((double)state->step - last[TRAIN_METRIC_step]) /
                  fmax(row[TRAIN_METRIC_wall_seconds] - last[TRAIN_METRIC_wall_seconds], 1e-9)
            : NAN;
    BASE_TRY(train_record_add(run->record, row));
    state->rows = record->rows;
    state->event_bytes = file_tfevents_bytes(record->events);
    state->window_episodes = state->window_updates = state->window_cloned = 0;
    state->window_success = state->window_return = state->window_task_return = 0;
    state->window_critic = state->window_actor = state->window_value = 0;
    state->window_clone = state->window_discriminator = 0;
    return TOT_OK;
}

// Start of a step: evaluates and logs when due. An interrupted evaluation has no side effects, so a
// checkpoint of the state before it can still be written.
static tot_status look_back(train_run *run) {
    const train_run_state *state = &run->state;
    const bool last = state->step >= run->steps;
    tot_evaluation evaluation;
    if (last || state->step % run->config.eval_every == 0) {
        const tot_status status = train_run_evaluate(run, &evaluation);
        if (status == TOT_E_INTERRUPTED) {
            BASE_TRY(train_checkpoint_save(run));
            return train_run_stopped(run);
        }
        BASE_TRY(status);
        BASE_TRY(write_row(run, &evaluation));
        return train_run_report(run);
    }
    return state->step % run->config.log_every == 0 ? write_row(run, NULL) : TOT_OK;
}

// End of a step: writes a checkpoint when due or on request.
static tot_status save_when_due(train_run *run) {
    const tot_train_config *config = &run->config;
    const int64_t made = run->state.cloned + run->state.step;
    const tot_train_command request = train_run_ask(run);
    const double minutes = (train_seconds() - run->saved) / 60;
    const bool due = made - run->saved_at >= config->checkpoint_every ||
                     (config->checkpoint_minutes > 0 && minutes >= config->checkpoint_minutes);
    if (due || request == TOT_TRAIN_STOP || run->save_requested) {
        BASE_TRY(train_checkpoint_save(run));
    }
    return request == TOT_TRAIN_STOP ? train_run_stopped(run) : TOT_OK;
}

// --- behaviour cloning -------------------------------------------------------------------------

static tot_status sample_expert(train_run *run) {
    return tot_replay_sample(run->demonstrations.expert, &run->sampling, 1, 1,
                             run->config.agent.shift, &run->expert_batch);
}

// The method bc consists of only this, and counts its updates as steps.
static tot_status clone(train_run *run) {
    const tot_train_config *config = &run->config;
    train_run_state *state = &run->state;
    const bool only = !run->method.acts;
    while (state->cloned < config->clone_updates) {
        BASE_TRY(only ? look_back(run) : TOT_OK);
        BASE_TRY(sample_expert(run));
        BASE_TRY(tot_agent_clone(run->agent, &run->expert_batch, &run->losses));
        state->cloned++;
        if (run->method.imitates && state->cloned == config->clone_updates) {
            BASE_TRY(tot_agent_keep_clone(run->agent));
        }
        state->step += only ? 1 : 0;
        state->window_cloned++;
        state->window_clone += run->losses.clone;
        train_run_progress(run, "cloning", state->cloned, config->clone_updates);
        BASE_TRY(save_when_due(run));
    }
    return TOT_OK;
}

// --- acting ------------------------------------------------------------------------------------

// Records what the agent observes now: observation number `taken` of the episode.
static tot_status observe(train_run *run) {
    train_run_episode *episode = &run->episode;
    float *observation = episode->observations + episode->taken * TOT_OBSERVATION;
    demo_observation_read(tot_world_observation(run->world), false, observation);
    train_input_write(&run->input, observation, episode->taken,
                      episode->inputs + episode->taken * run->input.width);
    if (episode->pictures == NULL) {
        return TOT_OK;
    }
    const int side = run->sees.pixels;
    uint8_t *rgb = episode->pictures + (size_t)episode->taken * (size_t)side * (size_t)side * 3;
    BASE_TRY(tot_renderer_draw(run->embedder.agent_renderer, run->world, rgb));
    train_stack_push(run->stack, rgb, side, episode->taken == 0);
    return TOT_OK;
}

static tot_status begin_episode(train_run *run) {
    BASE_TRY(tot_world_reset(run->world, run->training_seed, (uint64_t)run->state.episodes));
    run->episode.taken = 0;
    run->episode.under_way = true;
    run->state.noise_x = run->state.noise_y = run->state.noise_z = run->state.noise_grip = 0;
    run->state.reflex = train_reflex_draw(&run->config, &run->exploration);
    run->state.still_from = train_still_draw(&run->config, run->horizon, &run->exploration);
    return observe(run);
}

// Uniform during warmup, then the policy's mean action plus noise.
static tot_status choose(train_run *run, float *action) {
    const train_run_episode *episode = &run->episode;
    if (run->state.step < run->config.warmup) {
        for (int k = 0; k < TOT_ACTION; k++) {
            action[k] = (float)(2 * tot_random_uniform(&run->exploration) - 1);
        }
        return TOT_OK;
    }
    const float *input = episode->inputs + episode->taken * run->input.width;
    BASE_TRY(tot_agent_act(run->agent, run->input.width > 0 ? input : NULL, run->stack, 1, action));
    const tot_train_config *config = &run->config;
    train_run_state *state = &run->state;
    double *const last[TOT_ACTION] = {&state->noise_x, &state->noise_y, &state->noise_z,
                                      &state->noise_grip};
    train_noise_add(config, train_run_noise(run), &run->exploration, last, action);
    const float *now = episode->observations + episode->taken * TOT_OBSERVATION;
    train_reflex_act(&state->reflex, config->grip_reach,
                     episode->taken > 0 ? now - TOT_OBSERVATION : NULL, now, action);
    train_still_act(state->still_from, episode->taken, action);
    return TOT_OK;
}

// Steps the world with the chosen action. episode.diverged: the simulation diverged, and the
// episode is discarded.
static tot_status move(train_run *run) {
    train_run_episode *episode = &run->episode;
    const float *action = episode->actions + episode->taken * TOT_ACTION;
    const tot_status status = tot_world_step(run->world, action);
    episode->diverged = status == TOT_E_PHYSICS;
    if (status != TOT_OK) {
        return episode->diverged ? TOT_OK : status;
    }
    episode->success[episode->taken] = tot_world_success(run->world) ? 1 : 0;
    if (train_is_dense(run)) {
        episode->rewards[episode->taken] = (float)tot_world_reward(run->world);
    }
    if (episode->frames != NULL) {
        // the reward of a step uses the picture after it
        BASE_TRY(train_embedder_render(
            &run->embedder, run->world,
            episode->frames + (size_t)episode->taken * run->embedder.picture));
    }
    episode->taken++;
    return observe(run);
}

// --- learning ----------------------------------------------------------------------------------

// GAIfO: trains the discriminator and sets the rewards of the batch.
static tot_status discriminate(train_run *run) {
    const tot_agent_config *agent = &run->config.agent;
    BASE_TRY(sample_expert(run));
    BASE_TRY(
        tot_replay_sample(run->replay, &run->sampling, 1, 1, agent->shift, &run->policy_batch));
    for (int64_t k = 0; k < agent->clone_batch; k++) {
        run->mix[k] = (float)tot_random_uniform(&run->sampling);
    }
    BASE_TRY(tot_agent_discriminate(run->agent, &run->expert_batch, &run->policy_batch, run->mix,
                                    &run->losses));
    run->state.window_discriminator += run->losses.discriminator;
    return tot_agent_discriminator_reward(run->agent, &run->batch, run->batch.rewards);
}

// An update with the expert's actions in the actor's loss.
static tot_status imitate(train_run *run) {
    BASE_TRY(sample_expert(run));
    BASE_TRY(tot_agent_update_cloned(run->agent, &run->batch, &run->expert_batch, &run->losses));
    run->state.window_cloned++;
    run->state.window_clone += run->losses.clone;
    return TOT_OK;
}

static tot_status update(train_run *run) {
    const tot_agent_config *agent = &run->config.agent;
    train_run_state *state = &run->state;
    BASE_TRY(tot_replay_sample(run->replay, &run->sampling, agent->n_step, discount_of(run),
                               agent->shift, &run->batch));
    BASE_TRY(tot_agent_set_learning_rate(run->agent, learning_rate(run)));
    BASE_TRY(run->method.discriminates ? discriminate(run) : TOT_OK);
    const tot_status status = run->method.imitates
                                  ? imitate(run)
                                  : tot_agent_update(run->agent, &run->batch, &run->losses);
    if (status == TOT_E_VALUE) {
        return base_fail_in(status,
                            "stopped at step %lld, update %lld (the previous checkpoint is kept)",
                            (long long)state->step, (long long)state->updates);
    }
    BASE_TRY(status);
    state->updates++;
    state->window_updates++;
    state->window_critic += run->losses.critic;
    state->window_actor += run->losses.actor;
    state->window_value += run->losses.value;
    return TOT_OK;
}

static tot_status update_when_due(train_run *run) {
    const tot_train_config *config = &run->config;
    const bool due = run->state.step >= config->update_after &&
                     run->state.step % config->update_every == 0 &&
                     tot_replay_transitions(run->replay) > 0;
    for (int64_t k = 0; due && k < config->updates; k++) {
        BASE_TRY(update(run));
    }
    return TOT_OK;
}

// Labels the episode and adds it to the replay.
static tot_status end_episode(train_run *run) {
    train_run_episode *episode = &run->episode;
    train_run_state *state = &run->state;
    episode->under_way = false;
    state->episodes++;
    if (episode->diverged) {
        base_log(TOT_LOG_WARNING, "episode %lld: the simulation diverged; the episode is skipped",
                 (long long)state->episodes - 1);
        return TOT_OK;
    }
    BASE_TRY(train_run_label(run));
    const tot_episode whole = {
        .steps = episode->taken,
        .observations = run->input.width > 0 ? episode->inputs : NULL,
        .pictures = episode->pictures,
        .actions = episode->actions,
        .rewards = episode->rewards,
    };
    BASE_TRY(tot_replay_add(run->replay, &whole));
    double sum = 0;
    for (int64_t k = 0; k < episode->taken; k++) {
        sum += (double)episode->rewards[k];
        state->window_task_return += episode->success[k];
    }
    state->last_return = sum;
    state->window_return += sum;
    state->window_success += episode->success[episode->taken - 1];
    state->window_episodes++;
    return TOT_OK;
}

// The two independent parts of a step: the world and the update.
static tot_status move_or_update(void *context, size_t index, int worker) {
    (void)worker;
    return index == 0 ? move(context) : update_when_due(context);
}

// One agent step and its updates. The replay only changes at the end of an episode, so until then
// an update does not depend on the current step, and both run in parallel if there are threads.
static tot_status step(train_run *run) {
    train_run_episode *episode = &run->episode;
    BASE_TRY(choose(run, episode->actions + episode->taken * TOT_ACTION));
    run->state.step++;
    const bool last = episode->taken + 1 == run->horizon;
    if (run->overlap_pool != NULL && !last) {
        BASE_TRY(tot_pool_run(run->overlap_pool, 2, move_or_update, run));
        return episode->diverged ? end_episode(run) : TOT_OK;
    }
    BASE_TRY(move(run));
    BASE_TRY(last || episode->diverged ? end_episode(run) : TOT_OK);
    return update_when_due(run);
}

static tot_status train(train_run *run) {
    while (true) {
        BASE_TRY(run->extended ? TOT_OK : look_back(run));
        run->extended = false;
        if (run->state.step >= run->steps) {
            return TOT_OK;
        }
        BASE_TRY(run->episode.under_way ? TOT_OK : begin_episode(run));
        BASE_TRY(step(run));
        train_run_progress(run, "training", run->state.step, run->steps);
        BASE_TRY(save_when_due(run));
    }
}

tot_status train_run_loop(train_run *run) {
    if (run->method.clones) {
        BASE_TRY(clone(run));
    }
    BASE_TRY(run->method.acts ? train(run) : look_back(run));
    run->state.finished = 1;
    return train_checkpoint_save(run);
}
