// What a picture is made of: the geoms of an mjvScene as shapes with a place and a material, the
// lights, and the points of view (the camera, the camera behind the mirror, the light of a shadow).
#pragma once

#include "picture/renderer.h"
#include "picture/soft_shape.h"
#include "picture/soft_texture.h"

enum {
    SOFT_MAX_LIGHTS = 8,      // what OpenGL draws with
    SOFT_TRIANGLE_BITS = 20,  // a picture element remembers item and triangle in 31 bits
    SOFT_MAX_ITEMS = 2047,
    SOFT_SUBPIXELS = 64,  // corners are moved to multiples of 1/64 pixel
};

typedef struct soft_item {
    uint32_t shape;         // as the camera sees it,
    uint32_t mirror_shape;  // as it is reflected,
    uint32_t shadow_shape;  // and as the light sees it
    float place[3][4];      // object to world
    float normal[3][3];     // the same for normals; they are not of unit length afterwards
    float back[3][4];       // world to object
    float colour[4];
    float emission, specular, shininess;
    float faint;           // a cosine whose highlight is too weak to be seen
    int texture;           // -1: none
    bool own_coordinates;  // the mesh brings its texture coordinates; else they are these times
    float mapping[3][4];   // the object's x, y, z, 1
    bool behind;           // a plane seen from behind, which is nearly transparent
    bool transparent;
    bool reflective;
    bool casts;  // a shadow
    bool fixed;  // part of what is drawn once
    int geom;    // its number in the scene
} soft_item;

// A point of view.
typedef struct soft_viewpoint {
    float screen[4][4];  // world to subpixels, depth (1 near, 0 far) and w, all but w times w
    float position[4];   // where it stands and 1, or the direction towards it and 0
    float front;         // 1, or -1 in a mirror, where triangles turn the other way round
    bool clipped;        // by a plane: what is below it is not drawn
    float plane[4];
} soft_viewpoint;

typedef struct soft_lamp {
    float ambient[3], diffuse[3], specular[3];
    float position[3];  // towards it where it is directional
    float direction[3];
    float attenuation[3];
    float cutoff, exponent;  // cosine of the spot's angle, -1 for none
    bool directional;
    bool casts;  // shadows
} soft_lamp;

typedef struct soft_scene {
    mjvScene mujoco;
    mjvOption options;
    mjvCamera camera;
    soft_item *items;  // [capacity]; in the order in which they are drawn
    int count, capacity;
    soft_lamp lamps[SOFT_MAX_LIGHTS];
    int lamp_count;
    int shadow_count;  // the lamps that cast shadows, and what each of them sees
    int shadow_lamps[SOFT_MAX_LIGHTS];
    soft_viewpoint shadow_viewpoints[SOFT_MAX_LIGHTS];
    float ambient;  // where there is no lamp
    soft_viewpoint viewpoint;
    int mirror;  // the item that reflects, -1: none
    soft_viewpoint mirror_viewpoint;
    float reflectance;
} soft_scene;

// scene is zeroed by the caller; free it also after a failure.
tot_status soft_scene_make(soft_scene *scene, const mjModel *model, int camera);

void soft_scene_free(soft_scene *scene);

typedef struct soft_scene_request {
    int width, height;  // of the whole picture
    int first_row;      // of the part of it that is drawn
    const picture_view *view;
    int shadow_size;  // texels per side, 0: no shadows and no reflections
} soft_scene_request;

// Takes everything from the state of the world.
tot_status soft_scene_update(soft_scene *scene, const soft_shapes *shapes, const mjModel *model,
                             mjData *data, const soft_scene_request *request);
