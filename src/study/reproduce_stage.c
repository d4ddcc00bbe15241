#include "study/reproduce_stage.h"

#include "base/base.h"
#include "demo/trajectory.h"

// --- opening -----------------------------------------------------------------------------------

// Collects the demonstrations again, with pictures: the same seed gives the same demonstrations.
static tot_status collect_with_pictures(study_stage *stage,
                                        const train_demonstrations_request *request) {
    const tot_recording *taught = &stage->demonstrations.recording;
    const bool has_pictures = taught->count > 0 && taught->trajectories[0].frames.data != NULL;
    if (has_pictures || stage->config->demo[0] != '\0') {
        return TOT_OK;
    }
    return train_demonstrations_collect(&stage->with_pictures, request,
                                        stage->embedder.views.encoder.view, 1);
}

static tot_status open_world(study_stage *stage) {
    const tot_train_config *config = stage->config;
    const tot_task_settings box = {.metaworld_box = config->metaworld_box == TOT_ON};
    const tot_world_settings settings = {.action_repeat = (int)config->action_repeat,
                                         .horizon = (int)config->horizon};
    BASE_TRY(tot_task_load(&stage->task, config->task, &box));
    BASE_TRY(tot_world_create(&stage->world, stage->task, &settings));
    stage->steps = tot_world_steps(stage->world);
    BASE_ALLOC(stage->observations, (size_t)stage->steps * TOT_OBSERVATION, "observations");
    return TOT_OK;
}

tot_status study_stage_open(study_stage *stage, const tot_train_config *config, tot_pool *pool) {
    tot_train_method method;
    const tot_replay_shape sees = {.width = TOT_OBSERVATION};
    stage->pool = pool;
    BASE_ALLOC(stage->config, 1, "settings");
    *stage->config = *config;
    stage->config->obs = 0;
    BASE_TRY(tot_train_method_find(&method, config->method));
    if (!method.compares) {
        BASE_TRY(tot_train_set(stage->config, "method", "temporalot"));
    }
    // only the comparison matters here, not the cloning before it
    BASE_TRY(tot_train_method_find(&method, stage->config->method));
    method.clones = false;
    method.discriminates = false;
    BASE_TRY(open_world(stage));
    const train_demonstrations_request request = {.config = stage->config,
                                                  .task = stage->task,
                                                  .method = &method,
                                                  .sees = &sees,
                                                  .pool = pool};
    BASE_TRY(train_embedder_open(&stage->embedder, stage->config, true, pool));
    BASE_TRY(train_demonstrations_open(&stage->demonstrations, &stage->embedder, &request));
    BASE_TRY(collect_with_pictures(stage, &request));
    stage->picture = (size_t)config->size * (size_t)config->size * 3;
    if (stage->embedder.sees_pictures) {
        stage->picture = stage->embedder.picture;
        return TOT_OK;
    }
    return tot_renderer_create(&stage->renderer, stage->task,
                               &stage->embedder.views.encoder.view[0], pool);
}

void study_stage_close(study_stage *stage) {
    tot_recording_free(&stage->with_pictures);
    train_demonstrations_close(&stage->demonstrations);
    train_embedder_close(&stage->embedder);
    tot_renderer_free(stage->renderer);
    tot_world_free(stage->world);
    tot_task_free(stage->task);
    BASE_RELEASE(stage->observations, stage->config);
    *stage = (study_stage){0};
}

// --- episodes ----------------------------------------------------------------------------------

void study_playback_free(study_playback *take) {
    BASE_RELEASE(take->frames, take->embeddings);
    *take = (study_playback){0};
}

typedef struct filming {
    study_stage *stage;
    study_playback *take;
} filming;

static tot_status film_step(void *context, const tot_world *world, int64_t step,
                            const float *action) {
    const filming *this = context;
    study_stage *stage = this->stage;
    const int64_t k = step - 1;
    if (action == NULL) {
        return TOT_OK;
    }
    if (this->take->success < 0 && tot_world_success(world)) {
        this->take->success = k;
    }
    demo_observation_read(tot_world_observation(world), false,
                          stage->observations + k * TOT_OBSERVATION);
    uint8_t *rgb = this->take->frames + (size_t)k * stage->picture;
    return stage->renderer != NULL ? tot_renderer_draw(stage->renderer, world, rgb)
                                   : train_embedder_render(&stage->embedder, world, rgb);
}

tot_status study_stage_play(study_stage *stage, study_playback *take, uint64_t seed,
                            uint64_t episode, const tot_policy *policy) {
    const size_t steps = (size_t)stage->steps;
    filming this = {stage, take};
    study_playback_free(take);
    BASE_ALLOC(take->frames, steps * stage->picture, "frames");
    BASE_ALLOC(take->embeddings, steps * (size_t)stage->embedder.width, "embeddings");
    take->success = -1;
    BASE_TRY(tot_world_reset(stage->world, seed, episode));
    BASE_TRY(tot_play(stage->world, policy, -1, film_step, &this));
    take->steps = stage->steps;
    take->solved = tot_world_success(stage->world);
    return train_embedder_embed(&stage->embedder, stage->observations, take->frames, stage->steps,
                                take->embeddings);
}

// --- rewards -----------------------------------------------------------------------------------

void study_score_free(study_score *score) {
    base_free(score->rewards);
    tot_array_free(&score->cost);
    tot_array_free(&score->mask);
    tot_array_free(&score->plan);
    *score = (study_score){0};
}

static tot_status label(tot_labeler *labeler, const study_stage *stage, study_score *score,
                        const float *embeddings, const tot_reward_config *config) {
    const bool has_plan = tot_method_has_plan(config->method);
    const bool masked = config->mask != TOT_MASK_NONE;
    tot_label_info info;
    BASE_TRY(tot_label(labeler, tot_embeddings_f32(embeddings, stage->steps, stage->embedder.width),
                       "episode", NULL, &info));
    score->sum = info.sum;
    score->demo = info.demo;
    score->steps = stage->steps;
    memcpy(score->rewards, tot_labeler_rewards(labeler),
           (size_t)stage->steps * sizeof *score->rewards);
    BASE_TRY(tot_labeler_cost(labeler, &score->cost));
    BASE_TRY(masked ? tot_labeler_mask(labeler, &score->mask) : TOT_OK);
    BASE_TRY(has_plan ? tot_labeler_plan(labeler, &score->plan) : TOT_OK);
    return TOT_OK;
}

tot_status study_stage_score(const study_stage *stage, study_score *score,
                             const tot_reward_config *reward, const float *embeddings,
                             double scale) {
    tot_labeler *labeler = NULL;
    tot_reward_config config = *reward;
    config.scale = scale;
    study_score_free(score);
    BASE_ALLOC(score->rewards, (size_t)stage->steps, "rewards");
    BASE_TRY(tot_labeler_create(&labeler, stage->demonstrations.demos, &config, stage->pool));
    BASE_FINALLY(label(labeler, stage, score, embeddings, &config), tot_labeler_free(labeler));
}

// --- on a page ---------------------------------------------------------------------------------

page_alignment study_stage_alignment(const study_stage *stage, const char *title,
                                     const study_playback *take, const study_score *score) {
    const tot_recording *demos =
        stage->with_pictures.count > 0 ? &stage->with_pictures : &stage->demonstrations.recording;
    const tot_trajectory *demo = &demos->trajectories[score->demo];
    const int side = (int)stage->config->size;
    page_alignment alignment = {
        .title = title,
        .plan_title = "Where the plan put its mass",
        .steps = (size_t)score->steps,
        .demonstration_steps = (size_t)score->cost.shape[1],
        .rewards = score->rewards,
        .cost = score->cost.data,
        .mask = score->mask.data,
        .plan = score->plan.data,
        .episode = {
            .frames = take->frames, .count = (size_t)take->steps, .width = side, .height = side}};
    if (demo->frames.data != NULL) {
        alignment.demonstration = (tot_frame_row){.frames = demo->frames.data,
                                                  .count = (size_t)demo->steps,
                                                  .width = (int)demo->frames.shape[2],
                                                  .height = (int)demo->frames.shape[1]};
    }
    return alignment;
}
