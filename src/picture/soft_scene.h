// The content of a picture: the geoms of an mjvScene as transformed shapes with materials, the
// lights, and the viewpoints (the camera, the camera behind the mirror, the shadow-casting lights).
#pragma once

#include "picture/renderer.h"
#include "picture/soft_shape.h"
#include "picture/soft_texture.h"

enum {
    SOFT_MAX_LIGHTS = 8,      // as in OpenGL
    SOFT_TRIANGLE_BITS = 20,  // a sample stores item and triangle in 31 bits
    SOFT_MAX_ITEMS = 2047,
    SOFT_SUBPIXELS = 64,  // vertices are snapped to multiples of 1/64 pixel
};

typedef struct soft_item {
    uint32_t shape;         // for the camera,
    uint32_t mirror_shape;  // in the mirror,
    uint32_t shadow_shape;  // and in shadow maps
    float place[3][4];      // object to world
    float normal[3][3];     // the same for normals; the results are not of unit length
    float back[3][4];       // world to object
    float colour[4];
    float emission, specular, shininess;
    float faint;           // cosine below which the highlight is not visible
    int texture;           // -1: none
    bool own_coordinates;  // the mesh has texture coordinates; else they are this matrix times
    float mapping[3][4];   // the object's x, y, z, 1
    bool behind;           // a plane seen from behind, which is nearly transparent
    bool transparent;
    bool reflective;
    bool casts;  // a shadow
    bool fixed;  // static: drawn only once
    int geom;    // its index in the scene
} soft_item;

// A viewpoint.
typedef struct soft_viewpoint {
    float screen[4][4];  // world to subpixels, depth (1 near, 0 far) and w, all but w multiplied by
                         // w
    float position[4];   // position and 1, or direction towards it and 0
    float front;         // 1, or -1 in a mirror, where the winding is reversed
    bool clipped;        // by a plane: nothing below it is drawn
    float plane[4];
} soft_viewpoint;

typedef struct soft_lamp {
    float ambient[3], diffuse[3], specular[3];
    float position[3];  // the direction towards it if it is directional
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
    soft_item *items;  // [SOFT_MAX_ITEMS]; in drawing order
    int count;
    soft_lamp lamps[SOFT_MAX_LIGHTS];
    int lamp_count;
    int shadow_count;  // the shadow-casting lights, and their viewpoints
    int shadow_lamps[SOFT_MAX_LIGHTS];
    soft_viewpoint shadow_viewpoints[SOFT_MAX_LIGHTS];
    float ambient;  // if there are no lights
    soft_viewpoint viewpoint;
    int mirror;  // the reflective item, -1: none
    soft_viewpoint mirror_viewpoint;
    float reflectance;
} soft_scene;

// scene must be zeroed by the caller; free it also after a failure.
tot_status soft_scene_make(soft_scene *scene, const mjModel *model, int camera);

void soft_scene_free(soft_scene *scene);

typedef struct soft_scene_request {
    int width, height;  // of the whole picture
    int first_row;      // of the part that is drawn
    const picture_view *view;
    int shadow_size;  // texels per side, 0: no shadows and no reflections
} soft_scene_request;

// Updates everything from the state of the world.
tot_status soft_scene_update(soft_scene *scene, const soft_shapes *shapes, const mjModel *model,
                             mjData *data, const soft_scene_request *request);
