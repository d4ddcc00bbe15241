#include "world/siblings.h"

static const double *object_of(const tot_world *world) {
    return world->observation + WORLD_FIRST_OBJECT;
}

// Moves above a handle, down to it, then onward by an offset. height: above the handle; near: how
// close to it in z.
static void push_sideways(const double *observation, const double *handle, double height,
                          double near, const double *onward, float *action) {
    const double *hand = observation;
    double to[3];
    if (world_distance2(hand, handle) > 0.04) {
        world_shift(to, handle, 0.0, 0.0, height);
    } else if (fabs(hand[2] - handle[2]) > near) {
        world_copy3(to, handle);
    } else {
        world_shift(to, handle, onward[0], onward[1], onward[2]);
    }
    world_expert_move(action, observation, to, 25.0, 1.0);
}

// --- shared by many families --------------------------------------------------------------------

void world_place_first(tot_world *world) {
    world_move_body(world, 0, world->draw);
}

void world_observe_body(const tot_world *world, double *objects) {
    world_copy3(objects, world_body_position(world, 0));
    world_copy4(objects + 3, world_body_quaternion(world, 0));
}

void world_observe_geom(const tot_world *world, double *objects) {
    world_copy3(objects, world_geom_position(world, 0));
    world_quaternion(objects + 3, world_geom_matrix(world, 0));
}

void world_observe_puck(const tot_world *world, double *objects) {
    world_copy3(objects, world_body_position(world, 0));
    world_quaternion(objects + 3, world_geom_matrix(world, 1));
}

void world_observe_handle(const tot_world *world, double *objects) {
    world_copy3(objects, world_site_position(world, 1));
}

void world_reset_puck(tot_world *world, int goal) {
    world_place_object(world, world->draw[0], world->draw[1], world->draw[2]);
    world_copy3(world->goal, world->draw + 3);
    world_move_site(world, goal, world->goal);
    world_copy3(world->start_object, world->draw);
}

void world_reset_pushed(tot_world *world, double height, int goal) {
    world_set3(world->goal, world->draw[3], world->draw[4], height);
    world_set3(world->start_object, world->draw[0], world->draw[1], height);
    world_place_object(world, world->draw[0], world->draw[1], height);
    world_move_site(world, goal, world->goal);
    world->memory[0] = world_distance2(world->draw, world->goal);
}

void world_slide_v1(const tot_world *world, double radius, tot_world_info *out) {
    const double *object = object_of(world);
    const double distance = world_distance2(object, world->goal);
    world_conclude_v1(distance, radius, world_reach_v1(world, object, world->memory[0], distance),
                      out);
}

void world_slide_evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    world_slide_v1(world, 0.07, out);
}

// --- swept blocks -------------------------------------------------------------------------------

void world_sweep_evaluate(const tot_world *world, const double *goal, double grip, double xz,
                          tot_world_info *out) {
    const double radius = 0.02;
    const double *block = object_of(world);
    const double distance = world_distance3(block, goal);
    const double in_place =
        world_tolerance(distance, 0, 0.05, world_distance3(world->start_object, goal));
    const double grasped = world_caging_by_pads(world, block, radius, radius + grip, xz);
    out->success = distance <= 0.05;
    out->near_object = world_tcp_distance(world, block) <= 0.03;
    out->grasp_success = world->observation[3] > 0 && world_touches(world, WORLD_PUCK_GEOM);
    out->grasp_reward = grasped;
    out->in_place_reward = in_place;
    out->obj_to_target = distance;
    out->unscaled_reward =
        distance < 0.05 ? 10.0 : 2 * grasped + 6 * world_hamacher(grasped, in_place);
}

void world_sweep_v1(const tot_world *world, bool fallen, tot_world_info *out) {
    const double *block = object_of(world);
    const double reach = world_tcp_distance(world, block);
    const double distance = fallen ? 0 : world_distance2(block, world->goal);
    const double push = reach < 0.05 ? world_approach_v1(world->memory[0], distance) : 0;
    world_conclude_v1(distance, 0.05, (fallen ? 0 : -reach) + push, out);
}

// --- locks --------------------------------------------------------------------------------------

enum { MOST_PULL };  // in world->memory

void world_lock_remember(tot_world *world, double x, double y, double z) {
    const double *lock = world_body_position(world, WORLD_LOCK_LINK);
    world_shift(world->goal, lock, x, y, z);
    world->memory[MOST_PULL] = world_distance3(world->goal, lock);
}

void world_lock_observe(const tot_world *world, double *objects) {
    world_copy3(objects, world_site_position(world, WORLD_LOCK));
    world_copy4(objects + 3, world_body_quaternion(world, WORLD_LOCK_DOOR_LINK));
}

void world_lock_evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    const double *lock = object_of(world);
    const double left = world_distance3(lock, world->goal);
    world_conclude_v1(left, 0.02, world_reach_v1(world, lock, world->memory[MOST_PULL], left), out);
}

// --- buttons ------------------------------------------------------------------------------------

void world_button_remember(tot_world *world, int axis) {
    const double *start = world_site_position(world, WORLD_BUTTON_START);
    world_copy3(world->goal, world_site_position(world, WORLD_BUTTON_HOLE));
    world_copy3(world->start_object, world->draw);
    world->memory[WORLD_BUTTON_TRAVEL] = fabs(start[axis] - world->goal[axis]);
}

void world_button_reset_topdown(tot_world *world) {
    world_forward(world);
    world_button_remember(world, 2);
}

void world_button_observe_front(const tot_world *world, double *objects) {
    world_shift(objects, world_body_position(world, WORLD_BUTTON), 0.0, -0.193, 0.0);
    world_copy4(objects + 3, world_body_quaternion(world, WORLD_BUTTON));
}

void world_button_observe_topdown(const tot_world *world, double *objects) {
    world_shift(objects, world_body_position(world, WORLD_BUTTON), 0.0, 0.0, 0.193);
    world_copy4(objects + 3, world_body_quaternion(world, WORLD_BUTTON));
}

double world_button_look(const tot_world *world, int axis, double radius, double near,
                         double travel, tot_world_info *out) {
    const double *button = object_of(world);
    const double distance = world_tcp_distance(world, button);
    out->obj_to_target = fabs(world->goal[axis] - button[axis]);
    out->success = out->obj_to_target <= radius;
    out->near_object = distance <= 0.05;
    out->grasp_success = world->observation[3] > 0;
    // the margin is the button's current distance from the initial TCP
    out->grasp_reward =
        world_tolerance(distance, 0, near, world_distance3(button, world->start_tcp));
    out->in_place_reward = world_tolerance(out->obj_to_target, 0, 0.005, travel);
    return distance;
}

void world_button_front(const tot_world *world, double travel, tot_world_info *out) {
    const double distance = world_button_look(world, 1, 0.02, 0.05, travel, out);
    out->unscaled_reward = 2 * world_hamacher(fmax(world->observation[3], 0.0), out->grasp_reward);
    if (distance <= 0.05) {
        out->unscaled_reward += 8 * out->in_place_reward;
    }
}

void world_button_front_v1(const tot_world *world, double radius, double most,
                           tot_world_info *out) {
    const double *button = object_of(world);
    const double distance = fabs(button[1] - world->goal[1]);
    world_conclude_v1(distance, radius, world_left_reach_v1(world, button, most, distance), out);
}

void world_button_topdown(const tot_world *world, double fingers, tot_world_info *out) {
    const double travel = world->memory[WORLD_BUTTON_TRAVEL];
    const double distance = world_button_look(world, 2, 0.024, 0.01, travel, out);
    out->unscaled_reward = 5 * world_hamacher(fingers, out->grasp_reward);
    if (distance <= 0.03) {
        out->unscaled_reward += 5 * out->in_place_reward;
    }
}

void world_button_topdown_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    const double *button = object_of(world);
    const double distance = fabs(button[2] - world->goal[2]);
    const double most = world->memory[WORLD_BUTTON_TRAVEL];
    world_conclude_v1(distance, 0.024, world_reach_v1(world, button, most, distance), out);
}

// --- mugs ---------------------------------------------------------------------------------------

void world_mug_place(tot_world *world, const double *mug) {
    double machine[3];
    world_shift(machine, mug, 0.0, 0.22, 0.0);
    world_move_body(world, WORLD_MUG_MACHINE, machine);
}

void world_mug_reset(tot_world *world) {
    world_place_mug(world, world->draw);
    world_copy3(world->goal, world->draw + 3);
    world_move_site(world, WORLD_MUG_GOAL, world->goal);
    world_copy3(world->start_object, world->draw);
    world->memory[WORLD_MUG_MOST] = world_distance2(world->draw, world->goal);
}

void world_mug_observe(const tot_world *world, double *objects) {
    world_copy3(objects, world_body_position(world, WORLD_MUG));
    world_quaternion(objects + 3, world_geom_matrix(world, WORLD_MUG_GEOM));
}

void world_mug_evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    static const double scale[3] = {2.0, 2.0, 1.0};
    static const world_cage cage = {.object_radius = 0.02,
                                    .pad_success = 0.05,
                                    .reach_radius = 0.04,
                                    .xz = 0.05,
                                    .effort = 0.7,
                                    .medium_density = true};
    const double opening = world->observation[3];
    const double *mug = object_of(world);
    const double distance = world_tcp_distance(world, mug);
    const double away = world_distance_scaled(mug, world->goal, scale);
    const double in_place = world_tolerance(
        away, 0, 0.05, world_distance_scaled(world->start_object, world->goal, scale));
    const world_number grasped = world_caging(world, action, mug, &cage);
    world_number reward = world_hamacher_number(grasped, world_plain(in_place));
    if (distance < 0.04 && opening > 0) {
        reward = world_add(reward, world_plain(1.0 + 5.0 * in_place));
    }
    out->obj_to_target = world_distance3(mug, world->goal);
    out->success = out->obj_to_target <= 0.07;
    out->near_object = distance <= 0.03;
    out->grasp_success = opening > 0 && world_touches(world, WORLD_MUG_GEOM);
    out->grasp_reward = grasped.value;
    out->in_place_reward = in_place;
    out->unscaled_reward = away < 0.05 ? 10.0 : reward.value;
}

void world_mug_conclude_v1(const tot_world *world, double reward, tot_world_info *out) {
    world_conclude_v1(world_distance3(object_of(world), world->goal), 0.07, reward, out);
}

// --- nuts with a handle --------------------------------------------------------------------------

void world_nut_remember(tot_world *world, double height, double lift) {
    world_copy3(world->start_object, world->draw);
    world_carry_remember(world, height, lift, world->memory);
}

void world_nut_observe(const tot_world *world, double *objects) {
    world_copy3(objects, world_site_position(world, WORLD_NUT_HANDLE));
    world_copy4(objects + 3, world_body_quaternion(world, WORLD_NUT));
}

void world_nut_evaluate(tot_world *world, const world_action *action, bool high_density,
                        tot_world_info *out) {
    const world_cage cage = {.object_radius = 0.015,
                             .pad_success = 0.02,
                             .reach_radius = 0.01,
                             .xz = 0.01,
                             .medium_density = !high_density,
                             .high_density = high_density};
    double handle[3];
    world_along_handle(world->observation, 0.02 / 2.0, handle);
    const world_number grab = world_caging(world, action, handle, &cage);
    out->near_object = world_laid_down(world->observation, 0.4);
    out->grasp_success = grab.value >= 0.5;
    out->grasp_reward = grab.value;
    out->unscaled_reward = world_tool_reward(grab, out->in_place_reward, out->near_object).value;
    if (out->success != 0) {
        out->unscaled_reward = 10.0;
    }
}

// --- pucks behind a wall -------------------------------------------------------------------------

world_wall world_wall_look(tot_world *world, const world_action *action, const world_cage *cage,
                           const double *pass, const double *scale, tot_world_info *out) {
    const double *puck = object_of(world);
    const double *start = world->start_object;
    const world_wall wall = {
        .grasped = world_caging(world, action, puck, cage),
        .reach = world_tcp_distance(world, puck),
        .at_wall = world_tolerance(world_distance_scaled(puck, pass, scale), 0, 0.05,
                                   world_distance_scaled(start, pass, scale)),
        .distance = world_distance3(puck, world->goal),
        .opened = world->observation[3] > 0,
    };
    out->success = wall.distance <= 0.07;
    out->near_object = wall.reach <= 0.03;
    out->grasp_success =
        wall.opened && puck[2] - 0.02 > start[2] && world_touches(world, WORLD_WALL_PUCK);
    out->grasp_reward = wall.grasped.value;
    out->in_place_reward =
        world_tolerance(wall.distance, 0, 0.05, world_distance3(start, world->goal));
    out->obj_to_target = wall.distance;
    return wall;
}

void world_wall_reward(const tot_world *world, const world_wall *wall, world_number reward,
                       bool held, tot_world_info *out) {
    const double *puck = object_of(world);
    if (held) {
        reward = world_add(reward, world_plain(1.0));
        if (puck[1] > 0.75) {
            reward = world_add(reward, world_plain(4.0));
            reward = world_add(reward, world_plain(3.0 * out->in_place_reward));
        } else {
            reward = world_add(reward, world_plain(4.0 * wall->at_wall));
        }
    }
    out->unscaled_reward = wall->distance < 0.05 ? 10.0 : reward.value;
}

void world_wall_expert(const double *observation, const world_wall_plan *plan, const double *onward,
                       float *action) {
    const double *hand = observation;
    const double *centre = observation + WORLD_FIRST_OBJECT;
    double puck[3];
    world_shift(puck, centre, -0.005, 0, 0);
    double to[3];
    if (world_distance2(hand, puck) > plan->near) {
        world_shift(to, puck, 0.0, 0.0, plan->up);
    } else if (fabs(hand[2] - puck[2]) > 0.04 && (!plan->low || puck[2] < 0.03)) {
        world_shift(to, puck, 0.0, 0.0, 0.03);
    } else {
        world_copy3(to, onward);
    }
    const bool away = world_distance2(hand, centre) > plan->near || fabs(hand[2] - centre[2]) > 0.1;
    world_expert_move(action, observation, to, 10.0, away ? 0.0 : plan->effort);
}

// --- drawers ------------------------------------------------------------------------------------

void world_drawer_front(const tot_world *world, double height, double *position) {
    world_shift(position, world_body_position(world, WORLD_DRAWER), 0.0, -0.16, height);
}

void world_drawer_v1(const tot_world *world, double travel, double radius, tot_world_info *out) {
    const double *drawer = object_of(world);
    const double distance = fabs(drawer[1] - world->goal[1]);
    world_conclude_v1(distance, radius, world_reach_v1(world, drawer, travel, distance), out);
}

// --- sticks and a thermos -----------------------------------------------------------------------

// in world->memory, after the stick's initial position
enum { STICK_HEIGHT = WORLD_STICK_START + 3, STICK_LIFT, STICK_MOST_PLACING, STICK_MOST_WAY };

// Reference values of the rewards, stored at the start.
static void remember_stick(tot_world *world, double height) {
    double *memory = world->memory;
    double *start = memory + WORLD_STICK_START;
    world_set3(start, world->draw[0], world->draw[1], height);
    const double *thermos = world->start_object;
    world_copy3(world->start_object, world_body_position(world, WORLD_STICK_THERMOS));
    memory[STICK_HEIGHT] = world_body_position(world, WORLD_STICK)[2];
    memory[STICK_LIFT] = memory[STICK_HEIGHT] + 0.04;
    const double above[3] = {thermos[0], thermos[1], memory[STICK_LIFT]};
    memory[STICK_MOST_PLACING] = world_distance3(above, start) + memory[STICK_LIFT];
    memory[STICK_MOST_WAY] = world_distance2(thermos, world->goal);
}

void world_stick_reset(tot_world *world, double height, double slide) {
    // index of the thermos's slides in x and y; its two joints come after the stick's free joint
    enum { SLIDE_POSITION = 16, SLIDE_VELOCITY = 16 };
    const double stick_height = 0.02;
    world_set3(world->goal, world->draw[3], world->draw[4], height);
    world_place_object(world, world->draw[0], world->draw[1], stick_height);
    mjData *data = world->data;
    data->qpos[SLIDE_POSITION] = 0;
    data->qpos[SLIDE_POSITION + 1] = slide;
    // the Python package indexes velocities like positions, of which there is one more, so it only
    // stops the second slide
    data->qvel[SLIDE_VELOCITY] = 0;
    world_forward(world);
    world_move_site(world, WORLD_STICK_GOAL, world->goal);
    remember_stick(world, stick_height);
}

void world_stick_observe(const tot_world *world, double y, double *objects) {
    world_copy3(objects, world_body_position(world, WORLD_STICK));
    world_quaternion(objects + 3, world_body_matrix(world, WORLD_STICK));
    world_shift(objects + 7, world_site_position(world, WORLD_STICK_HANDLE), 0.0, y, 0.0);
}

void world_stick_v1(const tot_world *world, const world_action *action, double wide, double narrow,
                    tot_world_info *out) {
    const double *memory = world->memory;
    const double *stick = object_of(world);
    // the Python package mistakes the stick's height and two components of its quaternion for the
    // thermos
    const double *thermos = stick + 2;
    const double low = memory[STICK_HEIGHT] + 0.005;
    const double lift = memory[STICK_LIFT];
    const double left = world_distance2(thermos, world->goal);
    const double apart = world_distance3(stick, thermos);
    const double reach = world_tcp_distance(world, stick);
    const bool dropped = stick[2] < low && left > 0.02 && reach > 0.02;
    const bool picked = stick[2] >= lift - 0.01 && !dropped;
    const double pick = world_pick_v1(picked, reach < 0.1, stick[2], low, lift);
    double move = 0;
    if (picked && reach < 0.1) {
        move = world_approach(memory[STICK_MOST_PLACING], apart, 1000, 0.01, 0.001);
        if (apart < 0.05) {
            move += world_approach(memory[STICK_MOST_WAY], left, 2000, wide, narrow);
        }
        move = fmax(move, 0);
    }
    out->near_object = 1;
    out->obj_to_target = left;
    out->unscaled_reward = -reach + (reach < 0.05 ? world_closing_v1(action) : 0) + pick + move;
}

void world_stick_expert(const double *observation, const double *stick, const double *thermos,
                        const double *there, double gain, float *action) {
    const double *hand = observation;
    double to[3];
    if (!(fabs(stick[0] - thermos[0]) > 0.04)) {
        world_copy3(to, there);
    } else if (world_distance2(hand, stick) > 0.02) {
        world_shift(to, stick, 0.0, 0.0, 0.1);
    } else if (fabs(hand[2] - stick[2]) > 0.02) {
        world_copy3(to, stick);
    } else if (fabs(stick[1] - thermos[1]) > 0.02) {
        world_set3(to, stick[0], thermos[1], stick[2]);
    } else if (fabs(stick[2] - thermos[2]) > 0.02) {
        world_set3(to, stick[0], thermos[1], thermos[2]);
    } else {
        world_copy3(to, thermos);
    }
    const bool away = world_distance2(hand, stick) > 0.02 || fabs(hand[2] - stick[2]) > 0.1;
    world_expert_move(action, observation, to, gain, away ? -1.0 : 0.7);
}

// --- faucets ------------------------------------------------------------------------------------

void world_faucet_reset(tot_world *world, double side) {
    const double length = 0.175;
    world_shift(world->goal, world->draw, side * length, 0.0, 0.125);
    world_move_site(world, WORLD_FAUCET_GOAL, world->goal);
    world_copy3(world->start_object, world->draw);
}

void world_faucet_observe(const tot_world *world, double *objects) {
    world_shift(objects, world_site_position(world, WORLD_FAUCET_HANDLE), 0.0, 0.0, -0.01);
    world_copy4(objects + 3, world_body_quaternion(world, WORLD_FAUCET));
}

void world_faucet_evaluate(const tot_world *world, const double *handle, tot_world_info *out) {
    const double radius = 0.07;
    const double *start = world->start_object;
    const double away = world_distance3(handle, world->goal);
    const double distance = world_tcp_distance(world, handle);
    out->success = away <= radius;
    out->near_object = distance <= 0.01;
    out->grasp_success = 1;
    out->grasp_reward = world_tolerance_gaussian(
        distance, 0, 0.01, fabs(world_distance3(start, world->start_tcp) - 0.01));
    out->in_place_reward =
        world_tolerance(away, 0, radius, fabs(world_distance3(start, world->goal) - radius));
    out->obj_to_target = away;
    out->unscaled_reward =
        away <= radius ? 10 : (2 * out->grasp_reward + 3 * out->in_place_reward) * 2;
}

void world_faucet_evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    const double *handle = object_of(world);
    const double most = world_distance3(world->goal, world->start_object);
    const double distance = world_distance3(handle, world->goal);
    world_conclude_v1(distance, 0.07, world_reach_v1(world, handle, most, distance), out);
    out->grasp_success = 1;
}

void world_faucet_expert(const double *observation, double side, float *action) {
    const double onward[3] = {side * 0.1, 0.05, 0.0};
    double handle[3];
    world_shift(handle, observation + WORLD_FIRST_OBJECT, -side * 0.04, 0.0, 0.03);
    push_sideways(observation, handle, 0.1, 0.04, onward, action);
}

// --- handles ------------------------------------------------------------------------------------

enum { HANDLE_START };  // in world->memory

void world_handle_reset(tot_world *world) {
    world_place_joint(world, -0.001);
    world_copy3(world->goal, world_site_position(world, WORLD_HANDLE_GOAL));
    world_copy3(world->start_object, world->draw);
    world_copy3(world->memory + HANDLE_START, world_site_position(world, WORLD_HANDLE));
}

void world_handle_evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    const double radius = 0.02;
    const double *handle = object_of(world);
    const double *start = world->memory + HANDLE_START;
    const double distance = world_tcp_distance(world, handle);
    const double away = fabs(handle[2] - world->goal[2]);
    out->success = away <= radius;
    out->near_object = distance <= 0.05;
    out->grasp_success = 1;
    out->grasp_reward = world_tolerance(distance, 0, radius,
                                        fabs(world_distance3(start, world->start_tcp) - radius));
    out->in_place_reward =
        world_tolerance(away, 0, radius, fabs(fabs(start[2] - world->goal[2]) - radius));
    out->obj_to_target = away;
    out->unscaled_reward =
        (away <= radius ? 1.0 : world_hamacher(out->grasp_reward, out->in_place_reward)) * 10;
}

void world_handle_evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    const double *handle = object_of(world);
    const double most = fabs(world->memory[HANDLE_START + 2] - world->goal[2]);
    const double distance = fabs(handle[2] - world->goal[2]);
    world_conclude_v1(distance, 0.02, world_left_reach_v1(world, handle, most, distance), out);
    out->grasp_success = 1;
}

// --- plates -------------------------------------------------------------------------------------

void world_plate_reset(tot_world *world, double x, double y, const double *start) {
    world_copy3(world->goal, world->draw + 3);
    world->data->qpos[WORLD_OBJECT_JOINT] = x;
    world->data->qpos[WORLD_OBJECT_JOINT + 1] = y;
    world_forward(world);
    world_move_site(world, WORLD_PLATE_GOAL, world->goal);
    world_copy3(world->start_object, world->draw);
    const double *from = start != NULL ? start : world_geom_position(world, WORLD_PLATE);
    world->memory[0] = world_distance2(from, world->goal);
}

double world_plate_look(const tot_world *world, double less, tot_world_info *out) {
    const double radius = 0.05;
    const double *plate = object_of(world);
    const double *start = world->draw;
    const double distance = world_distance3(plate, world->goal);
    const double reach = world_tcp_distance(world, plate);
    out->success = distance <= 0.07;
    out->near_object = reach <= 0.03;
    out->grasp_reward =
        world_tolerance(reach, 0, radius, world_distance3(world->start_tcp, start) - less);
    out->in_place_reward =
        world_tolerance(distance, 0, radius, world_distance3(start, world->goal) - less);
    out->obj_to_target = distance;
    return reach;
}

void world_plate_evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    double tcp[3];
    world_tcp(world, tcp);
    const double reach = world_plate_look(world, 0.05, out);
    const bool behind = tcp[2] <= 0.03 && reach < 0.07;
    const double reward = behind ? 2.0 + 7.0 * out->in_place_reward : 1.5 * out->grasp_reward;
    out->unscaled_reward = out->obj_to_target < 0.05 ? 10.0 : reward;
}

// --- reaching -----------------------------------------------------------------------------------

enum { MOST_REACH };  // in world->memory

void world_reach_reset(tot_world *world) {
    world_reset_puck(world, WORLD_PUCK_GOAL);
    world->memory[MOST_REACH] = world_distance3(world->start_tcp, world->goal);
}

static double look_reach(const tot_world *world, tot_world_info *out) {
    double tcp[3];
    world_tcp(world, tcp);
    const double distance = world_distance3(tcp, world->goal);
    out->success = distance <= 0.05;
    out->obj_to_target = distance;
    return distance;
}

double world_reach_evaluate(const tot_world *world, tot_world_info *out) {
    const double distance = look_reach(world, out);
    const double margin = world_distance3(world->task->definition->hand_start, world->goal);
    out->in_place_reward = world_tolerance(distance, 0, 0.05, margin);
    out->unscaled_reward = 10 * out->in_place_reward;
    return distance;
}

double world_reach_evaluate_v1(const tot_world *world, tot_world_info *out) {
    const double distance = look_reach(world, out);
    out->unscaled_reward = world_approach_v1(world->memory[MOST_REACH], distance);
    return distance;
}

// --- windows ------------------------------------------------------------------------------------

void world_window_reset(tot_world *world, double slide) {
    *world_joint_position(world, WORLD_WINDOW_SLIDE) = slide;
    world_move_site(world, WORLD_WINDOW_GOAL, world->goal);
    world_copy3(world->start_object, world->draw);
    // the joint was set, but derived quantities have not been updated
    world_shift(world->memory + WORLD_WINDOW_START, world_site_position(world, WORLD_WINDOW_HANDLE),
                slide, 0.0, 0.0);
}

void world_window_evaluate(const tot_world *world, double way, world_tolerance_function reaching,
                           tot_world_info *out) {
    const double *handle = object_of(world);
    const double left = fabs(handle[0] - world->goal[0]);
    const double distance = world_tcp_distance(world, handle);
    const double far = world_distance3(world->memory + WORLD_WINDOW_START, world->start_tcp);
    out->success = left <= 0.05;
    out->near_object = distance <= 0.05;
    out->grasp_success = 1.0;
    out->grasp_reward = reaching(distance, 0, 0.02, fabs(far - 0.02));
    out->in_place_reward = world_tolerance(left, 0, 0.05, fabs(way - 0.05));
    out->obj_to_target = left;
    out->unscaled_reward = 10 * world_hamacher(out->grasp_reward, out->in_place_reward);
}

void world_window_evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    const double *handle = object_of(world);
    const double left = fabs(handle[0] - world->goal[0]);
    const double distance = world_tcp_distance(world, handle);
    // here the approach term may be negative
    const double pull = distance < 0.05 ? world_approach(0.2, left, 1000, 0.01, 0.001) : 0;
    world_conclude_v1(left, 0.05, -distance + pull, out);
    out->grasp_success = 1.0;
}

void world_window_expert(const double *observation, double side, double height, float *action) {
    const double onward[3] = {side * 0.1, 0.0, 0.0};
    double window[3];
    world_shift(window, observation + WORLD_FIRST_OBJECT, -side * 0.03, -0.03, -0.08);
    push_sideways(observation, window, height, 0.02, onward, action);
}
