// MuJoCo, loaded when it is first needed rather than linked, so that the program starts, and says
// what is missing, on a machine without it. A function that is needed is one line of the list.
#pragma once

#include <mujoco/mujoco.h>
#include <temporalot/base.h>

enum { WORLD_MUJOCO_VERSION = 330 };  // what Meta-world 3.1.1 pins

#define WORLD_MUJOCO_FUNCTIONS(X) \
    X(mj_versionString)           \
    X(mj_loadXML)                 \
    X(mj_freeLastXML)             \
    X(mj_deleteModel)             \
    X(mj_name2id)                 \
    X(mj_makeData)                \
    X(mj_resetData)               \
    X(mj_deleteData)              \
    X(mj_stateSize)               \
    X(mj_getState)                \
    X(mj_setState)                \
    X(mj_step)                    \
    X(mj_forward)                 \
    X(mj_kinematics)              \
    X(mj_collision)               \
    X(mj_makeConstraint)          \
    X(mj_projectConstraint)       \
    X(mj_referenceConstraint)     \
    X(mj_fwdActuation)            \
    X(mj_fwdAcceleration)         \
    X(mj_fwdConstraint)           \
    X(mj_checkAcc)                \
    X(mj_Euler)                   \
    X(mj_id2name)                 \
    X(mj_local2Global)            \
    X(mjv_defaultOption)          \
    X(mjv_defaultCamera)          \
    X(mjv_defaultScene)           \
    X(mjv_makeScene)              \
    X(mjv_freeScene)              \
    X(mjv_updateScene)            \
    X(mjr_defaultContext)         \
    X(mjr_makeContext)            \
    X(mjr_freeContext)            \
    X(mjr_setBuffer)              \
    X(mjr_render)                 \
    X(mjr_readPixels)

typedef struct world_mujoco_table {
#define WORLD_MUJOCO_MEMBER(name) __typeof__(&name) name;
    WORLD_MUJOCO_FUNCTIONS(WORLD_MUJOCO_MEMBER)
#undef WORLD_MUJOCO_MEMBER
} world_mujoco_table;

// The functions. Filled by the first world_mujoco_load that returned TOT_OK, constant from then on.
extern world_mujoco_table world_mujoco;

// Finds and loads MuJoCo; does nothing when that is done. TOT_E_MISSING names the places looked at
// and what mends it. May be called from any thread, and again after a failure.
tot_status world_mujoco_load(void);

// The library file that was loaded, "" before.
const char *world_mujoco_path(void);

// Runs call(context) with MuJoCo's errors turned into TOT_E_PHYSICS (TOT_E_MEMORY where memory ran
// out) and its warnings dropped: nothing is printed, no log file is written, the process goes on.
// Every call of MuJoCo that can fail is made inside; guards do not nest. An error leaves call by a
// jump, so call owns nothing that it alone could free; what MuJoCo took by then, or before call
// returned false, is given back here.
tot_status world_mujoco_guard(bool (*call)(void *context), void *context);

// The folder that holds this program, without a '/' at its end; "" when the system does not say.
const char *world_program_folder(void);

// A path relative to that folder, in `path`; "" where it is too long.
const char *world_place_near(char *path, size_t size, const char *relative);
