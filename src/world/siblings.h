// Shared by sibling tasks. The tasks of a family number their parts in the same way, by its enum.
#pragma once

#include "world/reward_v1.h"
#include "world/tasks.h"

// --- shared by many families --------------------------------------------------------------------

// An object on the table and its goal: puck or block.
enum { WORLD_PUCK, WORLD_PUCK_GEOM, WORLD_PUCK_GOAL };
#define WORLD_PUCK_PARTS                                                                 \
    {                                                                                    \
        [WORLD_PUCK] = {mjOBJ_BODY, "obj"}, [WORLD_PUCK_GEOM] = {mjOBJ_GEOM, "objGeom"}, \
        [WORLD_PUCK_GOAL] = {mjOBJ_SITE, "goal"},                                        \
    }

// Moves part 0, a body, to the draw.
void world_place_first(tot_world *world);

// Position and quaternion of part 0, a body.
void world_observe_body(const tot_world *world, double *objects);

// Position and rotation of part 0, a geom.
void world_observe_geom(const tot_world *world, double *objects);

// Position of part 0, a body, and rotation of its geom, part 1.
void world_observe_puck(const tot_world *world, double *objects);

// Position of part 1, a site. The quaternion stays zero.
void world_observe_handle(const tot_world *world, double *objects);

// The draw is the object's position, then the goal's; goal: the part of the goal's site.
void world_reset_puck(tot_world *world, int goal);

// The same for an object that is pushed: it and the goal have this height. memory[0]: distance to
// push.
void world_reset_pushed(tot_world *world, double height, int goal);

// v1 reward of an object that is slid over the table by memory[0], to within a radius of the goal.
void world_slide_v1(const tot_world *world, double radius, tot_world_info *out);
// With a radius of 0.07.
void world_slide_evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out);

// --- swept blocks: sweep, sweep-into -------------------------------------------------------------

// grip: how much wider than the block the pads are when holding it.
void world_sweep_evaluate(const tot_world *world, const double *goal, double grip, double xz,
                          tot_world_info *out);
// memory[0]: distance to sweep; fallen: it has arrived.
void world_sweep_v1(const tot_world *world, bool fallen, tot_world_info *out);

// --- locks: door-lock, door-unlock ---------------------------------------------------------------

enum { WORLD_LOCK_DOOR, WORLD_LOCK_DOOR_LINK, WORLD_LOCK_LINK, WORLD_LOCK };
#define WORLD_LOCK_PARTS(lock)                                                            \
    {                                                                                     \
        [WORLD_LOCK_DOOR] = {mjOBJ_BODY, "door"},                                         \
        [WORLD_LOCK_DOOR_LINK] = {mjOBJ_BODY, "door_link"},                               \
        [WORLD_LOCK_LINK] = {mjOBJ_BODY, "lock_link"}, [WORLD_LOCK] = {mjOBJ_SITE, lock}, \
    }

// x, y, z: offset of the goal from the lock.
void world_lock_remember(tot_world *world, double x, double y, double z);
void world_lock_observe(const tot_world *world, double *objects);
void world_lock_evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out);

// --- buttons: button-press, -wall, -topdown, -topdown-wall; coffee-button uses their rewards -----

enum { WORLD_BUTTON_BOX, WORLD_BUTTON, WORLD_BUTTON_HOLE, WORLD_BUTTON_START };
#define WORLD_BUTTON_PARTS                                                                 \
    {                                                                                      \
        [WORLD_BUTTON_BOX] = {mjOBJ_BODY, "box"}, [WORLD_BUTTON] = {mjOBJ_BODY, "button"}, \
        [WORLD_BUTTON_HOLE] = {mjOBJ_SITE, "hole"},                                        \
        [WORLD_BUTTON_START] = {mjOBJ_SITE, "buttonStart"},                                \
    }
enum { WORLD_BUTTON_TRAVEL };  // in world->memory

// Stores goal, start and travel along an axis; derived quantities must be up to date.
void world_button_remember(tot_world *world, int axis);
void world_button_reset_topdown(tot_world *world);
void world_button_observe_front(const tot_world *world, double *objects);
void world_button_observe_topdown(const tot_world *world, double *objects);

// Sets all of out except the reward: how far the button is pressed along an axis, and how close the
// hand is. Returns the hand's distance. radius: of success; near: of full reward for the hand.
double world_button_look(const tot_world *world, int axis, double radius, double near,
                         double travel, tot_world_info *out);
void world_button_front(const tot_world *world, double travel, tot_world_info *out);
void world_button_front_v1(const tot_world *world, double radius, double most, tot_world_info *out);
// fingers: reward for their opening.
void world_button_topdown(const tot_world *world, double fingers, tot_world_info *out);
void world_button_topdown_v1(tot_world *world, const world_action *action, tot_world_info *out);

// --- mugs: coffee-pull, coffee-push -------------------------------------------------------------

enum { WORLD_MUG_MACHINE, WORLD_MUG, WORLD_MUG_GEOM, WORLD_MUG_GOAL };
#define WORLD_MUG_PARTS                                                                          \
    {                                                                                            \
        [WORLD_MUG_MACHINE] = {mjOBJ_BODY, "coffee_machine"}, [WORLD_MUG] = {mjOBJ_BODY, "obj"}, \
        [WORLD_MUG_GEOM] = {mjOBJ_GEOM, "mug"}, [WORLD_MUG_GOAL] = {mjOBJ_SITE, "mug_goal"},     \
    }
enum { WORLD_MUG_MOST };  // in world->memory: distance to move

// Places the machine behind a position of the mug.
void world_mug_place(tot_world *world, const double *mug);
void world_mug_reset(tot_world *world);
void world_mug_observe(const tot_world *world, double *objects);
void world_mug_evaluate(tot_world *world, const world_action *action, tot_world_info *out);
void world_mug_conclude_v1(const tot_world *world, double reward, tot_world_info *out);

// --- nuts with a handle: assembly, disassemble ---------------------------------------------------

enum { WORLD_NUT, WORLD_NUT_HANDLE, WORLD_NUT_CENTRE, WORLD_NUT_PEG, WORLD_NUT_PEG_TOP };
#define WORLD_NUT_PARTS                                                                          \
    {                                                                                            \
        [WORLD_NUT] = {mjOBJ_BODY, "RoundNut"}, [WORLD_NUT_HANDLE] = {mjOBJ_SITE, "RoundNut-8"}, \
        [WORLD_NUT_CENTRE] = {mjOBJ_SITE, "RoundNut"}, [WORLD_NUT_PEG] = {mjOBJ_BODY, "peg"},    \
        [WORLD_NUT_PEG_TOP] = {mjOBJ_SITE, "pegTop"},                                            \
    }
enum { WORLD_NUT_HEIGHT, WORLD_NUT_LIFT, WORLD_NUT_MOST };  // in world->memory

// height: of the part that v1 tracks; lift: by how much it must be lifted.
void world_nut_remember(tot_world *world, double height, double lift);
void world_nut_observe(const tot_world *world, double *objects);
// out has success and in_place_reward set.
void world_nut_evaluate(tot_world *world, const world_action *action, bool high_density,
                        tot_world_info *out);

// --- pucks behind a wall: pick-place-wall, push-wall --------------------------------------------

enum { WORLD_WALL_PUCK, WORLD_WALL_GOAL };
#define WORLD_WALL_PARTS \
    { [WORLD_WALL_PUCK] = {mjOBJ_GEOM, "objGeom"}, [WORLD_WALL_GOAL] = {mjOBJ_SITE, "goal"}, }

typedef struct world_wall {
    world_number grasped;
    double reach;     // from the fingers to the puck
    double at_wall;   // reward for being at the point where the wall is passed
    double distance;  // to the goal
    bool opened;      // the gripper
} world_wall;

// Sets all of out except the reward. pass: the point where the wall is passed; distances to it are
// scaled by scale.
world_wall world_wall_look(tot_world *world, const world_action *action, const world_cage *cage,
                           const double *pass, const double *scale, tot_world_info *out);
// held: whether the puck is held, which adds further reward.
void world_wall_reward(const tot_world *world, const world_wall *wall, world_number reward,
                       bool held, tot_world_info *out);
// Moves above the puck, down to it, then `onward`. near: distance in x and y; up: height above;
// effort: of the gripper that holds it.
typedef struct world_wall_plan {
    double near, up, effort;
    bool low;  // only go down to a puck that lies on the table
} world_wall_plan;
void world_wall_expert(const double *observation, const world_wall_plan *plan, const double *onward,
                       float *action);

// --- drawers: drawer-close, drawer-open ---------------------------------------------------------

enum { WORLD_DRAWER_CHEST, WORLD_DRAWER, WORLD_DRAWER_GOAL };
#define WORLD_DRAWER_PARTS                                                                        \
    {                                                                                             \
        [WORLD_DRAWER_CHEST] = {mjOBJ_BODY, "drawer"},                                            \
        [WORLD_DRAWER] = {mjOBJ_BODY, "drawer_link"}, [WORLD_DRAWER_GOAL] = {mjOBJ_SITE, "goal"}, \
    }

// The front of the drawer, at this height above its centre.
void world_drawer_front(const tot_world *world, double height, double *position);
void world_drawer_v1(const tot_world *world, double travel, double radius, tot_world_info *out);

// --- sticks and a thermos: stick-pull, stick-push -----------------------------------------------

enum {
    WORLD_STICK,
    WORLD_STICK_GEOM,
    WORLD_STICK_END,
    WORLD_STICK_THERMOS,
    WORLD_STICK_HANDLE,
    WORLD_STICK_GOAL
};
#define WORLD_STICK_PARTS                                                                    \
    {                                                                                        \
        [WORLD_STICK] = {mjOBJ_BODY, "stick"}, [WORLD_STICK_GEOM] = {mjOBJ_GEOM, "objGeom"}, \
        [WORLD_STICK_END] = {mjOBJ_SITE, "stick_end"},                                       \
        [WORLD_STICK_THERMOS] = {mjOBJ_BODY, "object"},                                      \
        [WORLD_STICK_HANDLE] = {mjOBJ_SITE, "insertion"},                                    \
        [WORLD_STICK_GOAL] = {mjOBJ_SITE, "goal"},                                           \
    }
enum { WORLD_STICK_START };  // in world->memory: initial position of the stick

// height: of the goal; slide: of the thermos, in y.
void world_stick_reset(tot_world *world, double height, double slide);
// y: offset from the handle of the thermos to its observed position.
void world_stick_observe(const tot_world *world, double y, double *objects);
// Sets all of out except success. wide, narrow: widths of the reward for the thermos at the goal.
void world_stick_v1(const tot_world *world, const world_action *action, double wide, double narrow,
                    tot_world_info *out);
// stick, thermos: where to grasp the one and meet the other; there: where both go.
void world_stick_expert(const double *observation, const double *stick, const double *thermos,
                        const double *there, double gain, float *action);

// --- faucets: faucet-close, faucet-open ---------------------------------------------------------

enum { WORLD_FAUCET, WORLD_FAUCET_HANDLE, WORLD_FAUCET_GOAL };
#define WORLD_FAUCET_PARTS(handle, goal)                                                           \
    {                                                                                              \
        [WORLD_FAUCET] = {mjOBJ_BODY, "faucetBase"}, [WORLD_FAUCET_HANDLE] = {mjOBJ_SITE, handle}, \
        [WORLD_FAUCET_GOAL] = {mjOBJ_SITE, goal},                                                  \
    }

// side: -1 to the left (close), 1 to the right (open).
void world_faucet_reset(tot_world *world, double side);
void world_faucet_observe(const tot_world *world, double *objects);
void world_faucet_evaluate(const tot_world *world, const double *handle, tot_world_info *out);
void world_faucet_evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out);
void world_faucet_expert(const double *observation, double side, float *action);

// --- handles: handle-press, handle-press-side ---------------------------------------------------

enum { WORLD_HANDLE_BOX, WORLD_HANDLE, WORLD_HANDLE_GOAL };
#define WORLD_HANDLE_PARTS                                                                      \
    {                                                                                           \
        [WORLD_HANDLE_BOX] = {mjOBJ_BODY, "box"}, [WORLD_HANDLE] = {mjOBJ_SITE, "handleStart"}, \
        [WORLD_HANDLE_GOAL] = {mjOBJ_SITE, "goalPress"},                                        \
    }

void world_handle_reset(tot_world *world);
void world_handle_evaluate(tot_world *world, const world_action *action, tot_world_info *out);
void world_handle_evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out);

// --- plates: the four plate-slides --------------------------------------------------------------

enum { WORLD_PLATE, WORLD_PLATE_GOAL, WORLD_PLATE_CABINET };
#define WORLD_PLATE_PARTS                                                                \
    {                                                                                    \
        [WORLD_PLATE] = {mjOBJ_GEOM, "puck"}, [WORLD_PLATE_GOAL] = {mjOBJ_SITE, "goal"}, \
        [WORLD_PLATE_CABINET] = {mjOBJ_BODY, "puck_goal"},                               \
    }

// x, y: the plate's joints. start: reference for the distance to the goal; NULL: the plate's
// position.
void world_plate_reset(tot_world *world, double x, double y, const double *start);

// Sets all of out except the reward; less: by how much the margins are smaller than the initial
// distances. Returns the distance from the TCP to the plate.
double world_plate_look(const tot_world *world, double less, tot_world_info *out);
void world_plate_evaluate(tot_world *world, const world_action *action, tot_world_info *out);

// --- reaching: reach, reach-wall ----------------------------------------------------------------

void world_reach_reset(tot_world *world);
// Return the distance from the TCP to the goal.
double world_reach_evaluate(const tot_world *world, tot_world_info *out);
double world_reach_evaluate_v1(const tot_world *world, tot_world_info *out);

// --- windows: window-close, window-open ---------------------------------------------------------

enum { WORLD_WINDOW, WORLD_WINDOW_HANDLE, WORLD_WINDOW_SLIDE, WORLD_WINDOW_GOAL };
#define WORLD_WINDOW_PARTS(handle)                                                             \
    {                                                                                          \
        [WORLD_WINDOW] = {mjOBJ_BODY, "window"}, [WORLD_WINDOW_HANDLE] = {mjOBJ_SITE, handle}, \
        [WORLD_WINDOW_SLIDE] = {mjOBJ_JOINT, "window_slide"},                                  \
        [WORLD_WINDOW_GOAL] = {mjOBJ_SITE, "goal"},                                            \
    }
enum { WORLD_WINDOW_START };  // in world->memory: initial position of the handle

typedef double (*world_tolerance_function)(double x, double low, double high, double margin);

// slide: position of the joint.
void world_window_reset(tot_world *world, double slide);
// way: distance in x from the initial position of the handle to the goal.
void world_window_evaluate(const tot_world *world, double way, world_tolerance_function reaching,
                           tot_world_info *out);
void world_window_evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out);
// side: -1 to the left (close), 1 to the right (open). height: above the handle during the
// approach.
void world_window_expert(const double *observation, double side, double height, float *action);
