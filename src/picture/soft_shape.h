// The shapes of a model as the software renderer wants them: triangles in clusters of up to 64 that
// lie close together and look the same way, so that whole clusters can be left out.
#pragma once

#include <temporalot/base.h>

#include "world/mujoco.h"

enum {
    SOFT_CLUSTER_TRIANGLES = 64,
    SOFT_CLUSTER_POSITIONS = 3 * SOFT_CLUSTER_TRIANGLES,
    SOFT_DETAILS = 6,  // versions of a mesh: as it is, and five coarser ones
};

// How far a coarser version may lie from the mesh, in metres: twice as much from one to the next.
static const float SOFT_FINEST = 0.25e-3F;

// A corner of a triangle: what shading needs, in 32 bytes.
typedef struct soft_corner {
    float position[3];
    float normal[3];
    float texture[2];
} soft_corner;

typedef struct soft_cluster {
    float centre[3];  // of a ball around it
    float radius;
    float axis[3];  // all triangles look at most an angle away from here;
    float spread;   // its sine, or 2 where it is 90 degrees or more
    uint32_t first_position;
    uint32_t first_triangle;
    uint16_t positions;  // both are multiples of 8, filled up with what draws nothing
    uint16_t triangles;
} soft_cluster;

typedef struct soft_shape {
    uint32_t first_cluster;
    uint32_t clusters;
    uint32_t first_triangle;
    uint32_t triangles;
    float centre[3];
    float radius;
    bool closed;  // no light comes through: the faces that look away from it need not be drawn
} soft_shape;

// All shapes together. Positions are in three arrays, for eight at once; corners, three a triangle,
// stand together.
typedef struct soft_shapes {
    float *x, *y, *z;
    uint8_t *corner_position[3];  // [triangles]: which position of its cluster
    soft_corner *corners;         // [triangles][3]
    soft_cluster *clusters;
    soft_shape *shapes;
    size_t positions, position_capacity;
    size_t triangles, triangle_capacity;
    size_t cluster_count, cluster_capacity;
    size_t shape_count, shape_capacity;
    uint32_t *details;  // [meshes][SOFT_DETAILS]: the shapes of the versions

    // triangles of the shape that is being made: [triangles][3]
    soft_corner *soup;
    size_t soup_count, soup_capacity;  // corners
} soft_shapes;

// The built-in shapes: unit sized, at fixed places in shapes[]. Then come the model's meshes, and
// then one shape for every plane geom of the model.
enum {
    SOFT_SHAPE_SPHERE,
    SOFT_SHAPE_SPHERE_TOP,
    SOFT_SHAPE_SPHERE_BOTTOM,
    SOFT_SHAPE_CYLINDER,
    SOFT_SHAPE_CYLINDER_OPEN,
    SOFT_SHAPE_BOX,
    SOFT_SHAPE_PLANE,
    SOFT_SHAPE_FIRST_MESH,
};

// Makes the shapes of the model, and of every mesh the first `details` versions (1 ..
// SOFT_DETAILS). shapes is zeroed by the caller; free it also after a failure.
tot_status soft_shapes_make(soft_shapes *shapes, const mjModel *model, int details);

void soft_shapes_free(soft_shapes *shapes);

// --- for the makers of shapes ------------------------------------------------------------------

// Adds a triangle to the soup.
tot_status soft_soup_triangle(soft_shapes *shapes, const soft_corner corner[3]);

// Adds the two triangles of a quad to the soup.
tot_status soft_soup_quad(soft_shapes *shapes, const soft_corner corner[4]);

// Makes the soup the next shape, and empties it.
tot_status soft_soup_finish(soft_shapes *shapes);

// The coarsest version of a mesh that lies within tolerance of it.
uint32_t soft_shapes_detail(const soft_shapes *shapes, int mesh, float tolerance);

// Fills the soup with a built-in shape and so on, in the order of the enumeration above.
tot_status soft_shapes_add_builtin(soft_shapes *shapes, const mjModel *model);

// One shape for every plane geom.
tot_status soft_shapes_add_planes(soft_shapes *shapes, const mjModel *model);
