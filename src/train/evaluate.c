#include "train/evaluate.h"

#include "agent/replay.h"
#include "base/base.h"
#include "demo/trajectory.h"
#include "picture/renderer.h"
#include "train/embedder.h"
#include "train/input.h"

// Number of worlds that run in parallel. Fixed, so that results do not depend on the threads.
enum { MOST_WORLDS = 20, WORLDS_WITH_FRAMES = 5 };

enum { FILM_WIDTH = 320, FILM_HEIGHT = 240, FILM_BYTES = FILM_WIDTH * FILM_HEIGHT * 3 };

enum { FILM_RATE = 20 };  // frames per second

struct train_evaluator {
    const tot_train_config *config;
    const tot_task *task;
    tot_pool *pool;
    int64_t most;                    // worlds in parallel
    int64_t horizon;                 // steps
    const train_embedder *embedder;  // its views are rendered, too; NULL: not needed
    const train_views *views;        // for the video and the agent

    tot_worlds *worlds;
    tot_renderer **renderers;        // [threads][views], at the encoder's size; NULL: none
    tot_renderer **agent_renderers;  // [threads], at the agent's size; NULL for state observations
    tot_renderer *camera;            // for the video

    train_input input;
    float *inputs;          // [most][input.width], current step
    float *actions;         // [most][TOT_ACTION]
    float *observations;    // [most][horizon + 1][TOT_OBSERVATION]
    uint8_t *frames;        // [most][horizon][views * size][size][3]
    uint8_t *agent_frames;  // [most][pixels][pixels][3], current step
    uint8_t *stacks;        // [most][TOT_STACK * 3][pixels][pixels]
    uint8_t *film;          // [filmed][horizon][FILM_HEIGHT][FILM_WIDTH][3]
    size_t film_capacity;
    int64_t *solved;  // [most], steps with success

    // state of the current call
    int64_t step;
    int64_t active;  // worlds in use
};

void train_stack_push(uint8_t *stack, const uint8_t *rgb, int side, bool first) {
    const size_t plane = (size_t)side * (size_t)side;
    if (!first) {
        memmove(stack, stack + 3 * plane, 3 * (TOT_STACK - 1) * plane);
    }
    for (int place = first ? 0 : TOT_STACK - 1; place < TOT_STACK; place++) {
        agent_planes(rgb, (int64_t)plane, stack + 3 * (size_t)place * plane);
    }
}

// --- creation ----------------------------------------------------------------------------------

tot_status train_evaluator_create(train_evaluator **out, const tot_train_config *config,
                                  const tot_task *task, const train_views *views,
                                  const train_embedder *embedder, tot_pool *pool) {
    *out = NULL;
    BASE_NEW(train_evaluator, evaluator, "evaluation");
    evaluator->config = config;
    evaluator->task = task;
    evaluator->pool = pool;
    evaluator->views = views;
    evaluator->embedder = embedder;
    *out = evaluator;
    return TOT_OK;
}

// One renderer per thread of the pool and view.
static tot_status make_renderers(const train_evaluator *evaluator,
                                 const tot_picture_settings *settings, int views,
                                 tot_renderer ***renderers) {
    const int count = tot_pool_threads(evaluator->pool) * views;
    BASE_ALLOC_ZERO(*renderers, (size_t)count, "renderers");
    for (int k = 0; k < count; k++) {
        BASE_TRY(
            tot_renderer_create(&(*renderers)[k], evaluator->task, &settings[k % views], NULL));
    }
    return TOT_OK;
}

static tot_status take_memory(train_evaluator *evaluator) {
    const tot_train_config *config = evaluator->config;
    const size_t worlds = (size_t)evaluator->most;
    const size_t steps = (size_t)evaluator->horizon;
    const size_t pixels = (size_t)config->pixels;
    evaluator->inputs = base_alloc(worlds, TRAIN_MOST_INPUT * sizeof(float), "evaluation");
    evaluator->actions = base_alloc(worlds, TOT_ACTION * sizeof(float), "evaluation");
    evaluator->solved = base_alloc(worlds, sizeof(int64_t), "evaluation");
    evaluator->observations =
        base_alloc(worlds * (steps + 1), TOT_OBSERVATION * sizeof(float), "evaluation");
    BASE_HAVE(evaluator->inputs, evaluator->actions, evaluator->solved, evaluator->observations);
    if (evaluator->embedder != NULL) {
        evaluator->frames = base_alloc(worlds * steps, evaluator->embedder->picture, "frames");
        BASE_HAVE(evaluator->frames);
    }
    if (config->obs == TOT_OBS_PIXELS) {
        evaluator->agent_frames = base_alloc(worlds, pixels * pixels * 3, "pictures");
        evaluator->stacks = base_alloc(worlds, pixels * pixels * 3 * TOT_STACK, "pictures");
        BASE_HAVE(evaluator->agent_frames, evaluator->stacks);
    }
    return TOT_OK;
}

static tot_status prepare(train_evaluator *evaluator, int64_t episodes) {
    const tot_train_config *config = evaluator->config;
    const int64_t limit = evaluator->embedder != NULL ? WORLDS_WITH_FRAMES : MOST_WORLDS;
    const tot_world_settings settings = {.action_repeat = (int)config->action_repeat,
                                         .horizon = (int)config->horizon};
    evaluator->most = episodes < limit ? episodes : limit;
    BASE_TRY(tot_worlds_create(&evaluator->worlds, evaluator->task, &settings,
                               (size_t)evaluator->most, evaluator->pool));
    evaluator->horizon = tot_world_steps(tot_worlds_at(evaluator->worlds, 0));
    evaluator->input = train_input_of(config, evaluator->horizon);
    if (evaluator->embedder != NULL) {
        const train_views *views = &evaluator->embedder->views;
        BASE_TRY(make_renderers(evaluator, views->encoder.view, views->encoder.count,
                                &evaluator->renderers));
    }
    if (config->obs == TOT_OBS_PIXELS) {
        BASE_TRY(
            make_renderers(evaluator, &evaluator->views->agent, 1, &evaluator->agent_renderers));
    }
    return take_memory(evaluator);
}

static tot_status prepare_film(train_evaluator *evaluator, int64_t filmed) {
    tot_picture_settings view = evaluator->views->encoder.view[0];
    view.width = FILM_WIDTH;
    view.height = FILM_HEIGHT;
    view.aspect = 0;
    if (evaluator->camera == NULL) {
        BASE_TRY(tot_renderer_create(&evaluator->camera, evaluator->task, &view, evaluator->pool));
    }
    BASE_RESERVE(evaluator->film, evaluator->film_capacity,
                 (size_t)(filmed * evaluator->horizon) * FILM_BYTES, "film");
    return TOT_OK;
}

// --- one batch of worlds -----------------------------------------------------------------------

// Renders the current state of one world.
static tot_status look_at(void *context, size_t index, int worker) {
    train_evaluator *evaluator = context;
    const tot_train_config *config = evaluator->config;
    const tot_world *world = tot_worlds_at(evaluator->worlds, index);
    if (evaluator->agent_renderers != NULL) {
        const size_t plane = (size_t)config->pixels * (size_t)config->pixels;
        uint8_t *rgb = evaluator->agent_frames + index * plane * 3;
        BASE_TRY(tot_renderer_draw(evaluator->agent_renderers[worker], world, rgb));
        train_stack_push(evaluator->stacks + index * plane * 3 * TOT_STACK, rgb,
                         (int)config->pixels, evaluator->step == 0);
    }
    if (evaluator->renderers != NULL && evaluator->step > 0) {
        const int views = evaluator->embedder->views.encoder.count;
        const size_t picture = evaluator->embedder->picture;
        const size_t place = index * (size_t)evaluator->horizon + (size_t)evaluator->step - 1;
        BASE_TRY(picture_draw_views(evaluator->renderers + worker * views, views, world,
                                    picture / (size_t)views, evaluator->frames + place * picture));
    }
    return TOT_OK;
}

static tot_status observe(train_evaluator *evaluator) {
    const double *now = tot_worlds_observations(evaluator->worlds);
    for (int64_t k = 0; k < evaluator->most; k++) {
        float *observation = evaluator->observations +
                             (k * (evaluator->horizon + 1) + evaluator->step) * TOT_OBSERVATION;
        demo_observation_read(now + k * TOT_OBSERVATION, false, observation);
        train_input_write(&evaluator->input, observation, evaluator->step,
                          evaluator->inputs + k * evaluator->input.width);
    }
    if (evaluator->agent_renderers == NULL && evaluator->renderers == NULL) {
        return TOT_OK;
    }
    return tot_pool_run(evaluator->pool, (size_t)evaluator->most, look_at, evaluator);
}

static tot_status shoot(train_evaluator *evaluator, int64_t filmed) {
    for (int64_t k = 0; k < filmed; k++) {
        const size_t place = (size_t)(k * evaluator->horizon + evaluator->step - 1);
        BASE_TRY(tot_renderer_draw(evaluator->camera, tot_worlds_at(evaluator->worlds, (size_t)k),
                                   evaluator->film + place * FILM_BYTES));
    }
    return TOT_OK;
}

// A diverged simulation counts as a failed episode; any other error is returned.
static tot_status step_worlds(train_evaluator *evaluator) {
    const tot_status status = tot_worlds_step(evaluator->worlds, evaluator->actions);
    if (status != TOT_OK && status != TOT_E_PHYSICS) {
        return status;
    }
    const bool *success = tot_worlds_success(evaluator->worlds);
    for (int64_t k = 0; k < evaluator->most; k++) {
        evaluator->solved[k] += success[k] ? 1 : 0;
    }
    return TOT_OK;
}

static tot_status play(train_evaluator *evaluator, tot_agent *agent,
                       const train_evaluation_request *request, int64_t done, int64_t filmed) {
    evaluator->step = 0;
    memset(evaluator->solved, 0, (size_t)evaluator->most * sizeof *evaluator->solved);
    BASE_TRY(tot_worlds_reset(evaluator->worlds, request->seed, request->first + (uint64_t)done));
    BASE_TRY(observe(evaluator));
    while (evaluator->step < evaluator->horizon) {
        BASE_TRY(tot_agent_act(agent, evaluator->input.width > 0 ? evaluator->inputs : NULL,
                               evaluator->stacks, evaluator->most, evaluator->actions));
        BASE_TRY(step_worlds(evaluator));
        evaluator->step++;
        BASE_TRY(observe(evaluator));
        BASE_TRY(shoot(evaluator, filmed));
        const int64_t now = done + evaluator->active * evaluator->step / evaluator->horizon;
        BASE_FAIL_IF(
            request->progress != NULL && !request->progress(request->progress_context, now),
            TOT_E_INTERRUPTED, "stopped during an evaluation");
    }
    return TOT_OK;
}

static tot_status show(train_evaluator *evaluator, const train_evaluation_request *request,
                       int64_t done) {
    const int64_t steps = evaluator->horizon;
    const size_t picture = evaluator->embedder != NULL ? evaluator->embedder->picture : 0;
    for (int64_t k = 0; k < evaluator->active && request->on_episode != NULL; k++) {
        BASE_TRY(request->on_episode(
            request->on_episode_context, done + k, steps,
            evaluator->observations + k * (steps + 1) * TOT_OBSERVATION,
            evaluator->frames != NULL ? evaluator->frames + (size_t)(k * steps) * picture : NULL));
    }
    return TOT_OK;
}

static tot_status write_film(train_evaluator *evaluator, const char *path, int64_t filmed) {
    tot_video *video = NULL;
    BASE_TRY(tot_video_create(&video, path, FILM_WIDTH, FILM_HEIGHT, FILM_RATE));
    tot_status status = TOT_OK;
    for (int64_t k = 0; status == TOT_OK && k < filmed * evaluator->horizon; k++) {
        status = tot_video_add(video, evaluator->film + (size_t)k * FILM_BYTES);
    }
    if (status != TOT_OK) {
        tot_video_discard(video);
        return status;
    }
    return tot_video_commit(video);
}

// --- all episodes ------------------------------------------------------------------------------

tot_status train_evaluator_run(train_evaluator *evaluator, tot_agent *agent,
                               const train_evaluation_request *request, tot_evaluation *result) {
    int64_t succeeded = 0;
    int64_t solved = 0;
    int64_t ever = 0;
    if (evaluator->worlds == NULL) {
        BASE_TRY(prepare(evaluator, request->episodes));
    }
    int64_t filmed = request->video != NULL ? request->filmed : 0;
    filmed = filmed < evaluator->most ? filmed : evaluator->most;
    filmed = filmed < request->episodes ? filmed : request->episodes;
    if (filmed > 0) {
        BASE_TRY(prepare_film(evaluator, filmed));
    }
    for (int64_t done = 0; done < request->episodes; done += evaluator->most) {
        const int64_t left = request->episodes - done;
        evaluator->active = left < evaluator->most ? left : evaluator->most;
        BASE_TRY(play(evaluator, agent, request, done, done == 0 ? filmed : 0));
        BASE_TRY(show(evaluator, request, done));
        if (done == 0 && filmed > 0) {
            BASE_TRY(write_film(evaluator, request->video, filmed));
        }
        for (int64_t k = 0; k < evaluator->active; k++) {
            succeeded += tot_worlds_success(evaluator->worlds)[k] ? 1 : 0;
            solved += evaluator->solved[k];
            ever += evaluator->solved[k] > 0 ? 1 : 0;
        }
    }
    *result = (tot_evaluation){
        .episodes = request->episodes,
        .success_rate = (double)succeeded / (double)request->episodes,
        .episode_return = (double)solved / (double)request->episodes,
        .solved_rate = (double)ever / (double)request->episodes,
    };
    return TOT_OK;
}

static void free_renderers(const train_evaluator *evaluator, tot_renderer **renderers, int views) {
    for (int k = 0; renderers != NULL && k < tot_pool_threads(evaluator->pool) * views; k++) {
        tot_renderer_free(renderers[k]);
    }
    base_free((void *)renderers);
}

void train_evaluator_free(train_evaluator *evaluator) {
    BASE_UNLESS_NULL(evaluator);
    free_renderers(evaluator, evaluator->renderers,
                   evaluator->embedder != NULL ? evaluator->embedder->views.encoder.count : 0);
    free_renderers(evaluator, evaluator->agent_renderers, 1);
    tot_renderer_free(evaluator->camera);
    tot_worlds_free(evaluator->worlds);
    BASE_RELEASE(evaluator->inputs, evaluator->actions, evaluator->observations, evaluator->frames,
                 evaluator->agent_frames, evaluator->stacks, evaluator->film, evaluator->solved,
                 evaluator);
}
