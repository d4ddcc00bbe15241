// Small scenes that each show one feature, for renderers only: no task, no world.
#pragma once

#include "rendering.h"

#include <unistd.h>

#include "picture/renderer.h"

typedef struct little {
    const char *path;  // path of the XML while it is loaded
    mjModel *model;
    mjData *data;
} little;

static inline bool load_little(void *context) {
    little *it = context;
    char text[500] = "";
    it->model = world_mujoco.mj_loadXML(it->path, NULL, text, sizeof text);
    world_mujoco.mj_freeLastXML();
    if (it->model == NULL) {
        fprintf(stderr, "%s\n", text);
        return false;
    }
    it->data = world_mujoco.mj_makeData(it->model);
    if (it->data != NULL) {
        world_mujoco.mj_forward(it->model, it->data);
    }
    return it->data != NULL;
}

// inside: the whole scene except <mujoco> itself.
static inline void open_little(little *it, const char *inside) {
    char path[] = "/tmp/temporalot_scene_XXXXXX";
    assert_ok(world_mujoco_load());
    const int number = mkstemp(path);
    assert_true(number >= 0);
    FILE *file = fdopen(number, "w");
    assert_non_null(file);
    assert_true(fprintf(file, "<mujoco>%s</mujoco>", inside) > 0);
    assert_int_equal(fclose(file), 0);
    *it = (little){.path = path};
    assert_ok(world_mujoco_guard(load_little, it));
    it->path = NULL;
    assert_int_equal(unlink(path), 0);
    assert_non_null(it->data);
}

static inline void close_little(little *it) {
    world_mujoco.mj_deleteData(it->data);
    world_mujoco.mj_deleteModel(it->model);
}

// Renders a picture with a new renderer. view must be filled in.
static inline tot_status draw_little(const picture_backend *kind, const little *from,
                                     const picture_view *view, uint8_t *rgb) {
    void *state = NULL;
    tot_status status = kind->create(&state, from->model, view, NULL);
    if (status == TOT_OK) {
        status = kind->draw(state, from->model, from->data, rgb);
        kind->free(state);
    }
    return status;
}

// --- scenes ------------------------------------------------------------------------------------

// Common to most of them: a sky, a chequered floor, materials, a mesh given by its vertices.
#define LITTLE_ASSETS                                                                       \
    "<visual><headlight ambient='.2 .2 .2' diffuse='.3 .3 .3' specular='.1 .1 .1'/>"        \
    "<map znear='.05' zfar='10'/><quality shadowsize='2048' offsamples='4'/></visual>"      \
    "<statistic center='0 0 .5' extent='3'/><asset>"                                        \
    "<texture name='sky' type='skybox' builtin='gradient' rgb1='.3 .5 .7' rgb2='0 0 .2' "   \
    "width='32' height='192'/>"                                                             \
    "<texture name='floor' type='2d' builtin='checker' rgb1='.2 .3 .4' rgb2='.6 .5 .4' "    \
    "width='64' height='64'/>"                                                              \
    "<texture name='dice' type='cube' builtin='flat' mark='cross' rgb1='.8 .5 .3' "         \
    "rgb2='.2 .6 .5' markrgb='1 1 1' width='32' height='192'/>"                             \
    "<material name='floor' texture='floor' texrepeat='4 4'/>"                              \
    "<material name='dice' texture='dice'/>"                                                \
    "<material name='shiny' rgba='.7 .3 .2 1' specular='.8' shininess='.6' emission='.1'/>" \
    "<material name='mirror' rgba='.2 .25 .3 1' reflectance='.6'/>"                         \
    "<mesh name='wedge' vertex='-.2 -.2 0 .2 -.2 0 0 .25 0 0 0 .4'/></asset>"

#define LITTLE_CAMERA(position, axes) \
    "<camera name='eye' fovy='50' pos='" position "' xyaxes='" axes "'/>"

// One of each shape, static and moving, and a goal marker.
#define LITTLE_THINGS                                                                              \
    "<geom type='box' size='.15 .2 .25' pos='-.5 .1 .25' material='dice'/>"                        \
    "<geom type='mesh' mesh='wedge' pos='.5 -.4 .02' rgba='.3 .7 .3 1'/>"                          \
    "<geom type='cylinder' size='.12 .2' pos='0 .6 .2' rgba='.4 .4 .8 1'/>"                        \
    "<site type='sphere' size='.05' pos='.2 -.6 .3' rgba='1 0 0 1'/>"                              \
    "<body pos='.1 0 .5'><freejoint/><geom type='sphere' size='.2' material='shiny'/></body>"      \
    "<body pos='.5 .3 .4' euler='30 40 0'><freejoint/><geom type='capsule' size='.1 .15' "         \
    "rgba='.8 .7 .2 1'/></body>"                                                                   \
    "<body pos='-.3 -.5 .3' euler='10 60 20'><freejoint/><geom type='ellipsoid' size='.2 .1 .06' " \
    "rgba='.6 .3 .7 1'/></body>"

static const char little_solid[] = LITTLE_ASSETS "<worldbody>" LITTLE_CAMERA(
    "0 -2 1.2",
    "1 0 0 0 .45 1") "<geom type='plane' size='1.5 1.5 .1' material='floor'/>" LITTLE_THINGS
                     "</worldbody>";

// A plane seen from behind is nearly transparent.
static const char little_behind[] = LITTLE_ASSETS
    "<worldbody>" LITTLE_CAMERA("0 -2 -.5", "1 0 0 0 -.2 1")
    "<light pos='0 0 3' dir='0 0 -1' castshadow='true' cutoff='60'/>"
    "<geom type='plane' size='1.5 1.5 .1' material='floor'/>"
    "<geom type='plane' size='.5 .5 .1' pos='-.6 0 .3' euler='0 70 0' rgba='.7 .2 .2 1'/>"
    LITTLE_THINGS "</worldbody>";

// Three lights with shadows, one without.
static const char little_lights[] = LITTLE_ASSETS
    "<worldbody>" LITTLE_CAMERA("0 -2 1.2", "1 0 0 0 .45 1")
    "<light pos='1.5 -1 2.5' dir='-1.5 1 -2.5' cutoff='50' exponent='2' diffuse='.5 .4 .3'/>"
    "<light pos='-2 0 2' dir='2 0 -2' directional='true' diffuse='.2 .3 .5'/>"
    "<light pos='0 0 3' dir='0 0 -1' cutoff='70' diffuse='.3 .3 .3' attenuation='.5 .2 .1'/>"
    "<light pos='0 1 2' dir='0 0 -1' castshadow='false' diffuse='.2 .2 .1'/>"
    "<geom type='plane' size='1.5 1.5 .1' material='floor'/>" LITTLE_THINGS "</worldbody>";

// Transparent objects, static and moving, in front of and in a mirror, in which the wall is seen
// from behind.
static const char little_mirror[] = LITTLE_ASSETS
    "<worldbody>" LITTLE_CAMERA("0 -2 1.2", "1 0 0 0 .45 1")
    "<light pos='0 -1 3' dir='0 .3 -1' cutoff='60'/>"
    "<geom type='plane' size='1.5 1.5 .1' material='mirror'/>"
    "<geom type='box' size='.2 .1 .3' pos='.7 .5 .35' rgba='.9 .5 .1 .5'/>"
    "<site type='sphere' size='.1' pos='-.1 -.4 .3' rgba='0 1 0 .4'/>"
    "<geom type='plane' size='.4 .3 .1' pos='-1 .8 .5' euler='100 0 0' rgba='.2 .8 .8 1'/>"
    "<body pos='-.2 .3 .9'><freejoint/><geom type='sphere' size='.2' rgba='.9 .2 .9 .6'/></body>"
    LITTLE_THINGS "</worldbody>";

// No light at all, and a moving box with a reflective top.
static const char little_box[] = LITTLE_ASSETS
    "<visual><headlight active='0'/></visual><worldbody>"
    LITTLE_CAMERA("0 -2 1.2", "1 0 0 0 .45 1")
    "<body pos='0 0 -.1'><freejoint/>"
    "<geom type='box' size='1.2 1 .1' material='mirror'/></body>"
    "<geom type='plane' size='2 2 .1' pos='0 0 -.3' material='floor'/>" LITTLE_THINGS
    "</worldbody>";
