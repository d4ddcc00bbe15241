// Serialising the state of a world.
#include "base/base.h"
#include "base/hash.h"
#include "world/sawyer.h"

#define SPECIFICATION mjSTATE_INTEGRATION

static const char magic[8] = {'T', 'O', 'T', 'W', 'O', 'R', 'L', 'D'};

enum { VERSION = 2 };

// The fixed part. Followed by physics, body_pos, site_pos.
typedef struct header {
    char magic[8];
    uint64_t checksum;  // of everything after it
    uint64_t size;      // total
    uint32_t version;
    int32_t action_repeat;
    int32_t horizon;
    int32_t frames;
    char task[32];
    uint8_t metaworld_box;
    uint8_t ready;
    uint8_t diverged;
    uint8_t success;
    uint8_t reward_version;
    uint8_t goal_hidden;
    uint8_t reserved[2];
    tot_random random;
    uint64_t seed;
    uint64_t episode;
    double draw[TOT_MAX_DRAW];
    double goal[3];
    double start_tcp[3];
    double start_object[3];
    double memory[WORLD_MAX_MEMORY];
    double reward;
    tot_world_info evaluation;
    double now[WORLD_FRAME_NUMBERS];
    double observation[TOT_OBSERVATION];
} header;

_Static_assert(sizeof(header) == 80 + 8 * (5 + TOT_MAX_DRAW + 9 + WORLD_MAX_MEMORY + 8 +
                                           WORLD_FRAME_NUMBERS + TOT_OBSERVATION),
               "no byte of the header is left to chance");

// The fields that header and world have in common.
#define SINGLES(X) X(random) X(seed) X(episode) X(reward) X(evaluation)
#define ARRAYS(X)  X(draw) X(goal) X(start_tcp) X(start_object) X(memory) X(now) X(observation)

size_t world_physics_count(const mjModel *model) {
    return (size_t)world_mujoco.mj_stateSize(model, SPECIFICATION);
}

static uint64_t checksum_of(const unsigned char *state, size_t size) {
    const size_t first = offsetof(header, size);
    return base_hash(BASE_HASH_EMPTY, state + first, size - first);
}

static size_t physics_size(const tot_world *world) {
    return world_physics_count(&world->model) * sizeof(double);
}

static size_t bodies_size(const tot_world *world) {
    return 3 * (size_t)world->model.nbody * sizeof(double);
}

static size_t sites_size(const tot_world *world) {
    return 3 * (size_t)world->model.nsite * sizeof(double);
}

BASE_GETTER(size_t, tot_world_state_size, tot_world, world, 0,
            sizeof(header) + physics_size(world) + bodies_size(world) + sites_size(world))

static header describe(const tot_world *world) {
    header head = {
        .size = tot_world_state_size(world),
        .version = VERSION,
        .action_repeat = world->settings.action_repeat,
        .horizon = world->settings.horizon,
        .frames = world->frames,
        .metaworld_box = world->task->settings.metaworld_box,
        .reward_version = (uint8_t)world->task->settings.reward_version,
        .goal_hidden = world->settings.goal_hidden,
        .ready = world->ready,
        .diverged = world->diverged,
        .success = world->success,
    };
    memcpy(head.magic, magic, sizeof magic);
    strncpy(head.task, world->task->info.name, sizeof head.task - 1);
#define SAVE(name) memcpy(&head.name, &world->name, sizeof head.name);
    SINGLES(SAVE)
    ARRAYS(SAVE)
#undef SAVE
    return head;
}

tot_status tot_world_save(const tot_world *world, void *state, size_t size) {
    BASE_NEED(world, state);
    header head = describe(world);
    BASE_FAIL_IF(size < head.size, TOT_E_SHAPE, "state: %zu bytes are too few, %zu are needed",
                 size, (size_t)head.size);
    unsigned char *out = state;
    memcpy(out, &head, sizeof head);
    unsigned char *at = out + sizeof head;
    // through the world's own buffer, because the caller's may be unaligned
    world_mujoco.mj_getState(&world->model, world->data, world->physics, SPECIFICATION);
    memcpy(at, world->physics, physics_size(world));
    at += physics_size(world);
    memcpy(at, world->model.body_pos, bodies_size(world));
    at += bodies_size(world);
    memcpy(at, world->model.site_pos, sites_size(world));
    head.checksum = checksum_of(out, head.size);
    memcpy(out + offsetof(header, checksum), &head.checksum, sizeof head.checksum);
    return TOT_OK;
}

// --- restore -----------------------------------------------------------------------------------

static tot_status check_whole(const tot_world *world, const header *head, const void *state,
                              size_t size) {
    BASE_FAIL_IF(memcmp(head->magic, magic, sizeof magic) != 0, TOT_E_FORMAT,
                 "state: these bytes are not a world's state");
    BASE_FAIL_IF(head->version != VERSION, TOT_E_UNSUPPORTED,
                 "state: version %u is not supported, only %d", (unsigned)head->version, VERSION);
    BASE_FAIL_IF(memchr(head->task, '\0', sizeof head->task) == NULL ||
                     strcmp(head->task, world->task->info.name) != 0,
                 TOT_E_ARGUMENT, "state: it is of the task %.*s, the world is of %s",
                 (int)sizeof head->task, head->task, world->task->info.name);
    BASE_FAIL_IF(head->size != tot_world_state_size(world) || size < head->size, TOT_E_FORMAT,
                 "state: %zu bytes where %zu are needed", size, tot_world_state_size(world));
    BASE_FAIL_IF(head->checksum != checksum_of(state, head->size), TOT_E_FORMAT,
                 "state: damaged, its checksum does not fit");
    return TOT_OK;
}

static tot_status check_settings(const tot_world *world, const header *head) {
    const tot_task_settings *task = &world->task->settings;
    const struct {
        const char *name;
        int stored, own;
    } settings[] = {
        {"action_repeat", head->action_repeat, world->settings.action_repeat},
        {"horizon", head->horizon, world->settings.horizon},
        {"metaworld_box", head->metaworld_box != 0, task->metaworld_box},
        {"goal_hidden", head->goal_hidden != 0, world->settings.goal_hidden},
        {"reward_version", head->reward_version, task->reward_version},
    };
    for (size_t k = 0; k < BASE_LENGTH(settings); k++) {
        BASE_FAIL_IF(settings[k].stored != settings[k].own, TOT_E_ARGUMENT,
                     "state: %s %d, the world has %d", settings[k].name, settings[k].stored,
                     settings[k].own);
    }
    return TOT_OK;
}

// By MuJoCo's criterion for positions: NaN or a too large value is bad.
static bool all_good(const void *numbers, size_t size) {
    const double largest = 1e10;
    for (size_t at = 0; at < size; at += sizeof(double)) {
        double number;
        memcpy(&number, (const unsigned char *)numbers + at, sizeof number);
        if (!(fabs(number) <= largest)) {
            return false;
        }
    }
    return true;
}

// A simulated state must be valid; that of a diverged world may contain anything, as nothing reads
// it.
static tot_status check_numbers(const tot_world *world, const header *head, const void *behind) {
    BASE_FAIL_IF(head->frames < 0 || head->frames > world->settings.horizon, TOT_E_FORMAT,
                 "state: frame %d is not in 0 .. %d", head->frames, world->settings.horizon);
    const bool good = all_good(behind, head->size - sizeof *head) &&
                      all_good(head->draw, sizeof head->draw) &&
                      all_good(head->goal, sizeof head->goal) &&
                      all_good(head->start_tcp, sizeof head->start_tcp) &&
                      all_good(head->start_object, sizeof head->start_object) &&
                      all_good(head->now, sizeof head->now) &&
                      all_good(head->observation, sizeof head->observation);
    return good || head->diverged
               ? TOT_OK
               : base_fail(TOT_E_FORMAT, "state: holds a number that is not finite or too large");
}

static bool take_physics(void *context) {
    tot_world *world = context;
    const mjModel *model = &world->model;
    world_mujoco.mj_resetData(model, world->data);
    world_mujoco.mj_setState(model, world->data, world->physics, SPECIFICATION);
    if (!world->diverged) {
        // update derived quantities for readers, then restore the warm start
        world_mujoco.mj_forward(model, world->data);
        world_mujoco.mj_setState(model, world->data, world->physics, SPECIFICATION);
    }
    return true;
}

tot_status tot_world_restore(tot_world *world, const void *state, size_t size) {
    BASE_NEED(world, state);
    header head;
    BASE_FAIL_IF(size < sizeof head, TOT_E_FORMAT,
                 "state: %zu bytes are too few to be a world's state", size);
    memcpy(&head, state, sizeof head);
    BASE_TRY(check_whole(world, &head, state, size));
    BASE_TRY(check_settings(world, &head));
    const unsigned char *at = (const unsigned char *)state + sizeof head;
    BASE_TRY(check_numbers(world, &head, at));
    memcpy(world->physics, at, physics_size(world));
    at += physics_size(world);
    memcpy(world->model.body_pos, at, bodies_size(world));
    at += bodies_size(world);
    memcpy(world->model.site_pos, at, sites_size(world));

    world->diverged = head.diverged != 0;
    if (head.ready && head.frames == 0 && !world->diverged) {
        // some tasks leave derived quantities one mj_step behind at reset: repeat the reset
        BASE_TRY(world_begin_again(world, head.draw));
    } else {
        BASE_TRY(world_mujoco_guard(take_physics, world));
    }
    world->ready = head.ready != 0;
    world->success = head.success != 0;
    world->fresh = false;
    world->frames = head.frames;
#define RESTORE(name) memcpy(&world->name, &head.name, sizeof head.name);
    SINGLES(RESTORE)
    ARRAYS(RESTORE)
#undef RESTORE
    return TOT_OK;
}
