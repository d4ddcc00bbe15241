// The older rewards (reward_function_version v1).
#include "world/reward_v1.h"

double world_approach_v1(double most, double distance) {
    return fmax(world_approach(most, distance, 1000, 0.01, 0.001), 0);
}

void world_carry_remember(const tot_world *world, double height, double lift, double *memory) {
    memory[0] = height;
    memory[1] = height + lift;
    memory[2] = world_most_placing(world, height + lift);
}

world_carry world_carry_from(const tot_world *world, const double *object, const double *memory) {
    const double distance = world_distance3(object, world->goal);
    return (world_carry){
        .object = object,
        .height = memory[0],
        .lift = memory[1],
        .most = memory[2],
        .distance = distance,
        .remaining = distance,
        .z_weight = 2,
    };
}

double world_carry_v1(const tot_world *world, const world_action *action,
                      const world_carry *carry) {
    double tcp[3];
    world_tcp(world, tcp);
    const double reach = world_distance3(carry->object, tcp);
    const double z = carry->object[2];
    const double low = carry->height + 0.005;
    const bool dropped = z < low && carry->distance > 0.02 && reach > 0.02;
    const bool picked = z >= carry->lift - 0.01 && !dropped;
    double pick = 0;
    if (picked) {
        pick = 100 * (carry->lift - carry->base + carry->more);
    } else if (reach < 0.1 && z > low) {
        pick = 100 * (fmin(carry->lift, z) - carry->base + carry->more);
    }
    double place = 0;
    if (picked && reach < 0.1) {
        place = world_approach_v1(carry->most, carry->remaining);
    }
    return world_coming_v1(world, action, carry->object, 0.05, 0.05, carry->z_weight) + pick +
           place;
}
