// Shared by the older dense rewards (reward_function_version v1) of many tasks.
#pragma once

#include "world/reward.h"

// world_approach with the constants of most tasks, clipped at zero.
double world_approach_v1(double most, double distance);

// The usual end of such a reward: success within a radius.
static inline void world_conclude_v1(double distance, double radius, double reward,
                                     tot_world_info *out) {
    out->success = distance <= radius;
    out->near_object = 1;
    out->obj_to_target = distance;
    out->unscaled_reward = reward;
}

// Reward for lifting an object: the maximum once it is held at the height `lift`; else its height,
// if the fingers are close and it is above `low`.
static inline double world_pick_v1(bool held, bool near, double height, double low, double lift) {
    return held ? 100 * lift : near && height > low ? 100 * fmin(lift, height) : 0;
}

// Inputs of a reward for reaching an object, lifting it and carrying it to the goal.
typedef struct world_carry {
    const double *object;
    double height;     // initial height of the object
    double lift;       // height from which it counts as lifted
    double most;       // maxPlacingDist
    double distance;   // from the object to the goal
    double remaining;  // the rewarded distance: of the object, or of the head of a peg
    double z_weight;   // weight of the fingers' height while they are not above the object
    double base;       // the reward for lifting is that of lift - base + more
    double more;
} world_carry;

// Stores three values in world->memory at reset; world->goal and world->start_object must be set.
// height: of the object; lift: by how much it must be lifted.
void world_carry_remember(const tot_world *world, double height, double lift, double *memory);

// The inputs at this frame, with the z_weight of most tasks. memory: from world_carry_remember.
world_carry world_carry_from(const tot_world *world, const double *object, const double *memory);

double world_carry_v1(const tot_world *world, const world_action *action, const world_carry *carry);
