// MuJoCo, loaded on first use rather than linked, so that the program starts on a machine without
// it and can report what is missing. To use another function, add a line to the list.
#pragma once

#include <mujoco/mujoco.h>
#include <temporalot/base.h>

enum { WORLD_MUJOCO_VERSION = 330 };  // pinned by Meta-world 3.1.1

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

// The functions. Filled by the first successful world_mujoco_load, constant from then on.
extern world_mujoco_table world_mujoco;

// Finds and loads MuJoCo; does nothing if already loaded. TOT_E_MISSING: the message lists the
// places searched and how to fix it. Can be called from any thread, and again after a failure.
tot_status world_mujoco_load(void);

// The library file that was loaded; "" before.
const char *world_mujoco_path(void);

// Runs call(context) with MuJoCo's errors turned into TOT_E_PHYSICS (TOT_E_MEMORY if out of memory)
// and its warnings dropped: nothing is printed, no log file is written, and the process continues.
// Every MuJoCo call that can fail must be made inside; guards do not nest. Errors longjmp out of
// call, so call must not own anything that only it could free; memory that MuJoCo allocated before
// an error, or before call returned false, is freed here.
tot_status world_mujoco_guard(bool (*call)(void *context), void *context);

// The folder of this program, without a trailing '/'; "" if unknown.
const char *world_program_folder(void);

// A path relative to that folder, in `path`; "" if too long.
const char *world_place_near(char *path, size_t size, const char *relative);
