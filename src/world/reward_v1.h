// What the older dense rewards (reward_function_version v1) of many tasks share.
#pragma once

#include "world/reward.h"

// world_approach with the constants of most tasks, and never below zero.
double world_approach_v1(double most, double distance);

// What most such rewards end in: success within a radius.
static inline void world_conclude_v1(double distance, double radius, double reward,
                                     tot_world_info *out) {
    out->success = distance <= radius;
    out->near_object = 1;
    out->obj_to_target = distance;
    out->unscaled_reward = reward;
}

// What lifting an object is worth: all of it once it is held as high as `lift`; else its height,
// where the fingers are near and it is above `low`.
static inline double world_pick_v1(bool held, bool near, double height, double low, double lift) {
    return held ? 100 * lift : near && height > low ? 100 * fmin(lift, height) : 0;
}

// Reach an object, lift it, carry it to the goal: what such a reward compares.
typedef struct world_carry {
    const double *object;
    double height;     // at which the object lay
    double lift;       // the height from which on it is carried
    double most;       // maxPlacingDist
    double distance;   // from the object to the goal
    double remaining;  // the distance that is rewarded: of the object, or of the head of a peg
    double z_weight;   // of the height of the fingers while they are not above the object
    double base;       // the reward for lifting is that of lift - base + more
    double more;
} world_carry;

// What a reset writes to three numbers of world->memory; world->goal and world->start_object are
// set. height: at which the object lies; lift: how far it is to be lifted.
void world_carry_remember(const tot_world *world, double height, double lift, double *memory);

// The comparison at this frame, with the z_weight of most tasks. memory: as world_carry_remember
// left it.
world_carry world_carry_from(const tot_world *world, const double *object, const double *memory);

double world_carry_v1(const tot_world *world, const world_action *action, const world_carry *carry);
