#include "study/reproduce_stage.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

// --- opening -----------------------------------------------------------------------------------

// The demonstrations once more, with pictures: they are the same for the same seed.
static tot_status collect_shown(tot_stage *stage, const tot_teacher_needs *needs) {
    const tot_recording *taught = &stage->teacher.recording;
    const bool has_pictures = taught->count > 0 && taught->trajectories[0].frames.data != NULL;
    if (has_pictures || stage->config->demo[0] != '\0') {
        return TOT_OK;
    }
    return tot_teacher_collect(&stage->shown, needs, stage->eye.looks.look, 1);
}

static tot_status open_world(tot_stage *stage) {
    const tot_train_config *config = stage->config;
    const tot_task_settings box = {.metaworld_box = config->metaworld_box == 1};
    const tot_world_settings settings = {.action_repeat = (int)config->action_repeat,
                                         .horizon = (int)config->horizon};
    TOT_TRY(tot_task_load(&stage->task, config->task, &box));
    TOT_TRY(tot_world_create(&stage->world, stage->task, &settings));
    stage->steps = tot_world_steps(stage->world);
    return TOT_OK;
}

tot_status tot_stage_open(tot_stage *stage, const tot_train_config *config, tot_pool *pool) {
    tot_train_method method;
    const tot_replay_shape sees = {.width = TOT_OBSERVATION};
    stage->pool = pool;
    stage->config = tot_alloc(1, sizeof *stage->config, "settings");
    if (stage->config == NULL) {
        return TOT_E_MEMORY;
    }
    *stage->config = *config;
    stage->config->obs = 0;
    TOT_TRY(tot_train_method_find(&method, config->method));
    if (!method.shows_episodes) {
        TOT_TRY(tot_train_set(stage->config, "method", "temporalot"));
    }
    // only what is compared is of interest, not the cloning before it
    TOT_TRY(tot_train_method_find(&method, stage->config->method));
    method.clones = false;
    method.discriminates = false;
    TOT_TRY(open_world(stage));
    const tot_teacher_needs needs = {.config = stage->config,
                                     .task = stage->task,
                                     .method = &method,
                                     .sees = &sees,
                                     .pool = pool};
    TOT_TRY(tot_eye_open(&stage->eye, stage->config, true, pool));
    TOT_TRY(tot_teacher_open(&stage->teacher, &stage->eye, &needs));
    TOT_TRY(collect_shown(stage, &needs));
    stage->picture = (size_t)config->size * (size_t)config->size * 3;
    if (stage->eye.sees_pictures) {
        stage->picture = stage->eye.picture;
        return TOT_OK;
    }
    return tot_painter_create(&stage->painter, stage->task, &stage->eye.looks.look[0], pool);
}

void tot_stage_close(tot_stage *stage) {
    tot_recording_free(&stage->shown);
    tot_teacher_close(&stage->teacher);
    tot_eye_close(&stage->eye);
    tot_painter_free(stage->painter);
    tot_world_free(stage->world);
    tot_task_free(stage->task);
    tot_free(stage->config);
    *stage = (tot_stage){0};
}

// --- episodes ----------------------------------------------------------------------------------

void tot_take_free(tot_take *take) {
    tot_free(take->frames);
    tot_free(take->embeddings);
    *take = (tot_take){0};
}

static tot_status take_memory(const tot_stage *stage, tot_take *take) {
    const size_t steps = (size_t)stage->steps;
    tot_take_free(take);
    take->frames = tot_alloc(steps, stage->picture, "frames");
    take->embeddings = tot_alloc(steps * (size_t)stage->eye.width, sizeof(float), "embeddings");
    take->success = -1;
    return take->frames != NULL && take->embeddings != NULL ? TOT_OK : TOT_E_MEMORY;
}

static tot_status play(tot_stage *stage, tot_take *take, const tot_policy *policy,
                       float *observations) {
    float action[TOT_ACTION] = {0};
    for (int64_t k = 0; k < stage->steps; k++) {
        TOT_TRY(policy->act(policy->context, stage->world, k, action));
        TOT_TRY(tot_world_step(stage->world, action));
        uint8_t *rgb = take->frames + (size_t)k * stage->picture;
        TOT_TRY(stage->painter != NULL ? tot_painter_draw(stage->painter, stage->world, rgb)
                                       : tot_eye_draw(&stage->eye, stage->world, rgb));
        const double *now = tot_world_observation(stage->world);
        for (int i = 0; i < TOT_OBSERVATION; i++) {
            observations[k * TOT_OBSERVATION + i] = (float)now[i];
        }
        if (take->success < 0 && tot_world_success(stage->world)) {
            take->success = k;
        }
    }
    take->steps = stage->steps;
    take->solved = tot_world_success(stage->world);
    return tot_eye_embed(&stage->eye, observations, take->frames, stage->steps, take->embeddings);
}

tot_status tot_stage_play(tot_stage *stage, tot_take *take, uint64_t seed, uint64_t episode,
                          const tot_policy *policy) {
    TOT_TRY(take_memory(stage, take));
    TOT_TRY(tot_world_reset(stage->world, seed, episode));
    float *observations =
        tot_alloc((size_t)stage->steps * TOT_OBSERVATION, sizeof *observations, "observations");
    const tot_status status =
        observations != NULL ? play(stage, take, policy, observations) : TOT_E_MEMORY;
    tot_free(observations);
    return status;
}

// --- rewards -----------------------------------------------------------------------------------

void tot_score_free(tot_score *score) {
    tot_free(score->rewards);
    tot_array_free(&score->cost);
    tot_array_free(&score->mask);
    tot_array_free(&score->plan);
    *score = (tot_score){0};
}

static tot_status label(tot_labeler *labeler, const tot_stage *stage, tot_score *score,
                        const float *embeddings, float *rewards, const tot_reward_config *config) {
    const bool has_plan = tot_method_has_plan(config->method);
    const bool masked = config->mask != TOT_MASK_NONE;
    tot_label_info info;
    TOT_TRY(tot_label(labeler, tot_embeddings_f32(embeddings, stage->steps, stage->eye.width),
                      "episode", rewards, &info));
    score->sum = info.sum;
    score->demo = info.demo;
    score->steps = stage->steps;
    memcpy(score->rewards, tot_labeler_rewards(labeler),
           (size_t)stage->steps * sizeof *score->rewards);
    TOT_TRY(tot_labeler_cost(labeler, &score->cost));
    TOT_TRY(masked ? tot_labeler_mask(labeler, &score->mask) : TOT_OK);
    TOT_TRY(has_plan ? tot_labeler_plan(labeler, &score->plan) : TOT_OK);
    return TOT_OK;
}

tot_status tot_stage_score(const tot_stage *stage, tot_score *score,
                           const tot_reward_config *reward, const float *embeddings, double scale) {
    tot_labeler *labeler = NULL;
    tot_reward_config config = *reward;
    const size_t steps = (size_t)stage->steps;
    config.scale = scale;
    tot_score_free(score);
    score->rewards = tot_alloc(steps, sizeof *score->rewards, "rewards");
    float *rewards = tot_alloc(steps, sizeof *rewards, "rewards");
    tot_status status = score->rewards != NULL && rewards != NULL ? TOT_OK : TOT_E_MEMORY;
    status = status != TOT_OK
                 ? status
                 : tot_labeler_create(&labeler, stage->teacher.demos, &config, stage->pool);
    status = status != TOT_OK ? status : label(labeler, stage, score, embeddings, rewards, &config);
    tot_labeler_free(labeler);
    tot_free(rewards);
    return status;
}

// --- on a page ---------------------------------------------------------------------------------

static tot_alignment alignment_of(const tot_score *score) {
    return (tot_alignment){.plan_title = "Where the plan put its mass",
                           .steps = (size_t)score->steps,
                           .demonstration_steps = (size_t)score->cost.shape[1],
                           .rewards = score->rewards,
                           .cost = score->cost.data,
                           .mask = score->mask.data,
                           .plan = score->plan.data};
}

static tot_alignment with_pictures(const tot_stage *stage, const char *title, const tot_take *take,
                                   const tot_score *score) {
    const tot_recording *demos = stage->shown.count > 0 ? &stage->shown : &stage->teacher.recording;
    const tot_trajectory *demo = &demos->trajectories[score->demo];
    const int side = (int)stage->config->size;
    tot_alignment alignment = alignment_of(score);
    alignment.title = title;
    alignment.episode = (tot_frame_row){
        .frames = take->frames, .count = (size_t)take->steps, .width = side, .height = side};
    if (demo->frames.data != NULL) {
        alignment.demonstration = (tot_frame_row){.frames = demo->frames.data,
                                                  .count = (size_t)demo->steps,
                                                  .width = (int)demo->frames.shape[2],
                                                  .height = (int)demo->frames.shape[1]};
    }
    return alignment;
}

tot_status tot_stage_add_strip(const tot_stage *stage, tot_page *page, const char *title,
                               const tot_take *take, const tot_score *score) {
    const tot_alignment alignment = with_pictures(stage, title, take, score);
    return tot_alignment_add_strip(page, &alignment);
}

tot_status tot_stage_add_alignment(const tot_stage *stage, tot_page *page, const char *title,
                                   const tot_take *take, const tot_score *score) {
    const tot_alignment alignment = with_pictures(stage, title, take, score);
    return tot_page_add_alignment(page, &alignment);
}

tot_status tot_stage_add_matrices(tot_page *page, const tot_score *score) {
    const tot_alignment alignment = alignment_of(score);
    return tot_alignment_add_matrices(page, &alignment);
}
