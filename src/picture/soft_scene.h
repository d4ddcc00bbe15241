// What a picture is made of: the geoms of an mjvScene as shapes with a place and a material, the
// lights, and the points of view (the camera, the camera behind the mirror, the light of a shadow).
#ifndef TOT_PICTURE_SOFT_SCENE_H
#define TOT_PICTURE_SOFT_SCENE_H

#include "picture/renderer.h"
#include "picture/soft_shape.h"
#include "picture/soft_texture.h"

enum {
    TOT_MAX_LIGHTS = 8,      // what OpenGL draws with
    TOT_TRIANGLE_BITS = 20,  // a picture element remembers item and triangle in 31 bits
    TOT_MAX_ITEMS = 2047,
    TOT_SUBPIXELS = 64,  // corners are moved to multiples of 1/64 pixel
};

typedef struct tot_item {
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
} tot_item;

// A point of view.
typedef struct tot_eye {
    float screen[4][4];  // world to subpixels, depth (1 near, 0 far) and w, all but w times w
    float position[4];   // where it stands and 1, or the direction towards it and 0
    float front;         // 1, or -1 in a mirror, where triangles turn the other way round
    bool clipped;        // by a plane: what is below it is not drawn
    float plane[4];
} tot_eye;

typedef struct tot_lamp {
    float ambient[3], diffuse[3], specular[3];
    float position[3];  // towards it where it is directional
    float direction[3];
    float attenuation[3];
    float cutoff, exponent;  // cosine of the spot's angle, -1 for none
    bool directional;
    bool casts;  // shadows
} tot_lamp;

typedef struct tot_scene {
    mjvScene mujoco;
    mjvOption options;
    mjvCamera camera;
    tot_item *items;  // [room]; in the order in which they are drawn
    int count, room;
    tot_lamp lamps[TOT_MAX_LIGHTS];
    int lamp_count;
    int shadow_count;  // the lamps that cast shadows, and what each of them sees
    int shadow_lamps[TOT_MAX_LIGHTS];
    tot_eye shadow_eyes[TOT_MAX_LIGHTS];
    float ambient;  // where there is no lamp
    tot_eye eye;
    int mirror;  // the item that reflects, -1: none
    tot_eye mirror_eye;
    float reflectance;
} tot_scene;

// scene is zeroed by the caller; free it also after a failure.
tot_status tot_scene_make(tot_scene *scene, const mjModel *model, int camera);

void tot_scene_free(tot_scene *scene);

typedef struct tot_scene_request {
    int width, height;  // of the whole picture
    int first_row;      // of the part of it that is drawn
    const tot_view *view;
    int shadow_size;  // texels a side, 0: no shadows and no reflections
} tot_scene_request;

// Takes everything from the state of the world.
tot_status tot_scene_update(tot_scene *scene, const tot_shapes *shapes, const mjModel *model,
                            mjData *data, const tot_scene_request *request);

#endif
