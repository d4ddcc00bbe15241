// The trained policy of a run, for use outside of training.
#include "base/base.h"
#include "demo/trajectory.h"
#include "train/checkpoint.h"
#include "train/evaluate.h"
#include "train/export.h"
#include "train/embedder.h"
#include "train/input.h"
#include "train/player.h"

struct tot_player {
    tot_train_config config;
    tot_pool *pool;
    tot_task *task;
    tot_agent *agent;
    train_input input;
    tot_replay_shape sees;
    train_evaluator *evaluator;
    train_run_state state;

    // for agents that observe pixels
    tot_renderer *renderer;
    train_views views;
    const tot_task *painted;  // the task that the renderer renders: not always the player's own
    uint8_t *stack;           // [TOT_STACK * 3][pixels][pixels]
    uint8_t *rgb;             // [pixels][pixels][3], after the stack in the same allocation
};

static tot_status load(tot_player *player, const char *folder) {
    BASE_TRY(tot_train_config_of(&player->config, folder));
    const tot_train_config *config = &player->config;
    const tot_task_settings box = {.metaworld_box = config->metaworld_box == TOT_ON};
    BASE_TRY(tot_task_load(&player->task, config->task, &box));
    const int64_t frames =
        config->horizon > 0 ? config->horizon : tot_task_information(player->task)->horizon;
    player->input =
        train_input_of(config, (frames + config->action_repeat - 1) / config->action_repeat);
    player->sees =
        (tot_replay_shape){.width = player->input.width,
                           .pixels = config->obs == TOT_OBS_PIXELS ? (int)config->pixels : 0};
    BASE_TRY(tot_agent_create(&player->agent, &config->agent, &player->sees, (uint64_t)config->seed,
                              player->pool));
    BASE_TRY(train_checkpoint_load_agent(player->agent, config, folder, &player->state));
    BASE_TRY(train_views_of(&player->views, config));
    train_take_crop(&player->views.agent, &player->state);
    return train_evaluator_create(&player->evaluator, config, player->task, &player->views, NULL,
                                  player->pool);
}

tot_status tot_player_load(tot_player **out, const char *folder, tot_pool *pool) {
    BASE_NEED(out, folder);
    *out = NULL;
    BASE_NEW(tot_player, player, "player");
    player->pool = pool;
    BASE_GIVE(load(player, folder), out, player, tot_player_free);
}

BASE_GETTER(const tot_train_config *, tot_player_config, tot_player, player, NULL, &player->config)
BASE_GETTER(int64_t, tot_player_step, tot_player, player, 0, player->state.step)
BASE_GETTER(const tot_task *, tot_player_task, tot_player, player, NULL, player->task)

const train_run_state *train_player_state(const tot_player *player) {
    return &player->state;
}

const train_input *train_player_input(const tot_player *player) {
    return &player->input;
}

const tot_replay_shape *train_player_sees(const tot_player *player) {
    return &player->sees;
}

// Renders the world and pushes the picture onto the stack.
static tot_status look(tot_player *player, const tot_world *world, bool first) {
    const size_t agent_frame = (size_t)player->sees.pixels * (size_t)player->sees.pixels * 3;
    if (player->painted != tot_world_task(world)) {
        tot_renderer_free(player->renderer);
        player->renderer = NULL;
        player->painted = NULL;
        BASE_TRY(tot_renderer_create(&player->renderer, tot_world_task(world), &player->views.agent,
                                     player->pool));
        player->painted = tot_world_task(world);
    }
    if (player->stack == NULL) {
        // the stack, followed by the newest picture
        player->stack = base_alloc(TOT_STACK + 1, agent_frame, "pictures");
        BASE_HAVE(player->stack);
        player->rgb = player->stack + TOT_STACK * agent_frame;
    }
    BASE_TRY(tot_renderer_draw(player->renderer, world, player->rgb));
    train_stack_push(player->stack, player->rgb, player->sees.pixels, first);
    return TOT_OK;
}

tot_status tot_player_act(tot_player *player, const float *observations, const uint8_t *pictures,
                          const int64_t *steps, int64_t count, float *actions) {
    BASE_NEED(player, actions);
    const train_input *input = &player->input;
    const int64_t pixels = player->sees.pixels;
    const int64_t picture = TOT_STACK * 3 * pixels * pixels;
    BASE_FAIL_IF((input->numbers && observations == NULL) || (pixels > 0 && pictures == NULL),
                 TOT_E_ARGUMENT, "policy: it was trained on %s and needs them",
                 pixels > 0 ? "pictures" : "the 39 numbers of a state");
    static const float none[TOT_OBSERVATION];
    for (int64_t k = 0; k < count; k++) {
        float row[TRAIN_MOST_INPUT];
        train_input_write(input, observations != NULL ? observations + k * TOT_OBSERVATION : none,
                          steps != NULL ? steps[k] : 0, row);
        BASE_TRY(tot_agent_act(player->agent, input->width > 0 ? row : NULL,
                               pixels > 0 ? pictures + k * picture : NULL, 1,
                               actions + k * TOT_ACTION));
    }
    return TOT_OK;
}

static tot_status act(void *context, const tot_world *world, int64_t step, float *action) {
    tot_player *player = context;
    float numbers[TOT_OBSERVATION];
    demo_observation_read(tot_world_observation(world), false, numbers);
    if (player->sees.pixels > 0) {
        BASE_TRY(look(player, world, step == 0));
    }
    // count frames: the world's own action repeat may differ
    const int64_t taken = tot_world_frames(world) / player->config.action_repeat;
    return tot_player_act(player, numbers, player->stack, &taken, 1, action);
}

tot_policy tot_player_policy(tot_player *player) {
    BASE_NEED_OR((tot_policy){0}, player);
    return (tot_policy){.act = act, .context = player};
}

typedef struct asking {
    tot_train_command (*ask)(void *context);
    void *context;
} asking;

static bool on_progress(void *context, int64_t done) {
    const asking *caller = context;
    (void)done;
    return caller->ask == NULL || caller->ask(caller->context) != TOT_TRAIN_STOP;
}

tot_status tot_player_evaluate(tot_player *player, uint64_t seed, int64_t episodes,
                               const char *video, int64_t filmed,
                               tot_train_command (*ask)(void *context), void *context,
                               tot_evaluation *result) {
    BASE_NEED(player);
    asking caller = {ask, context};
    BASE_FAIL_IF(episodes < 1, TOT_E_ARGUMENT, "episodes: %lld is not 1 or more",
                 (long long)episodes);
    const train_evaluation_request request = {
        .seed = seed,
        .episodes = episodes,
        .video = video,
        .filmed = filmed,
        .progress = on_progress,
        .progress_context = &caller,
    };
    return train_evaluator_run(player->evaluator, player->agent, &request, result);
}

// Detects the task's objects from one of its observations.
static tot_status describe_shaping(tot_player *player, train_policy *policy) {
    tot_world *world = NULL;
    float observation[TOT_OBSERVATION] = {0};
    BASE_TRY(tot_world_create(&world, player->task, NULL));
    const tot_status status = tot_world_reset(world, 0, 0);
    if (status == TOT_OK) {
        demo_observation_read(tot_world_observation(world), false, observation);
    }
    tot_world_free(world);
    train_input_affine(&player->input, observation, policy->weight, policy->bias);
    return status;
}

tot_status tot_player_export(tot_player *player, const char *path) {
    BASE_NEED(player, path);
    const train_input *input = &player->input;
    train_policy policy = {.agent = player->agent,
                           .sees = player->sees,
                           .normed = player->config.agent.layer_norm == TOT_ON,
                           .shaped = input->numbers && input->shaped,
                           .times = input->clock ? 1 + 2 * input->waves : 0};
    train_input_time(input, policy.time_weight, policy.time_bias);
    BASE_TRY(policy.shaped ? describe_shaping(player, &policy) : TOT_OK);
    if (base_ends_in(path, ".onnx")) {
        return train_export_onnx(&policy, path);
    }
    if (base_ends_in(path, ".npz")) {
        return train_export_npz(&policy, path);
    }
    return base_fail(TOT_E_ARGUMENT, "%s: ends neither in .npz nor in .onnx", path);
}

void tot_player_free(tot_player *player) {
    BASE_UNLESS_NULL(player);
    train_evaluator_free(player->evaluator);
    tot_renderer_free(player->renderer);
    base_free(player->stack);
    tot_agent_free(player->agent);
    tot_task_free(player->task);
    base_free(player);
}
