// The shapes of a model in the format of the software renderer: triangles in clusters of up to 64
// that are close together and face the same way, so that whole clusters can be culled.
#pragma once

#include <temporalot/base.h>

#include "world/mujoco.h"

enum {
    SOFT_CLUSTER_TRIANGLES = 64,
    SOFT_CLUSTER_POSITIONS = 3 * SOFT_CLUSTER_TRIANGLES,
    SOFT_DETAILS = 6,  // levels of detail of a mesh: the original and five coarser ones
};

// Maximum deviation of the finest simplified level from the mesh, in metres: it doubles from level
// to level.
static const float SOFT_FINEST = 0.25e-3F;

// A corner of a triangle: the input of shading, in 32 bytes.
typedef struct soft_corner {
    float position[3];
    float normal[3];
    float texture[2];
} soft_corner;

typedef struct soft_cluster {
    float centre[3];  // of a bounding sphere
    float radius;
    float axis[3];  // normals of all triangles are within an angle of this;
    float spread;   // its sine, or 2 if it is 90 degrees or more
    uint32_t first_position;
    uint32_t first_triangle;
    uint16_t positions;  // both are multiples of 8, padded with invisible elements
    uint16_t triangles;
} soft_cluster;

typedef struct soft_shape {
    uint32_t first_cluster;
    uint32_t clusters;
    uint32_t first_triangle;
    uint32_t triangles;
    float centre[3];
    float radius;
    bool closed;  // watertight: faces that look away from a light need not be drawn for its shadow
} soft_shape;

// All shapes. Positions are in three arrays, for SIMD; the three corners of a triangle are
// contiguous.
typedef struct soft_shapes {
    float *x, *y, *z;
    uint8_t *corner_position[3];  // [triangles]: index of the position in its cluster
    soft_corner (*corners)[3];    // [triangles]
    soft_cluster *clusters;
    soft_shape *shapes;
    size_t positions, position_capacity;
    size_t triangles, triangle_capacity;
    size_t cluster_count, cluster_capacity;
    size_t shape_count, shape_capacity;
    uint32_t *details;  // [meshes][SOFT_DETAILS]: the shapes of the levels of detail

    // triangles of the shape under construction: [triangles][3]
    soft_corner *soup;
    size_t soup_count, soup_capacity;  // corners
} soft_shapes;

// The built-in shapes: unit size, at fixed indices in shapes[]. They are followed by the model's
// meshes, and by one shape for every plane geom of the model.
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

// Creates the shapes of the model, with the first `details` levels of every mesh (1 ..
// SOFT_DETAILS). shapes must be zeroed by the caller; free it also after a failure.
tot_status soft_shapes_make(soft_shapes *shapes, const mjModel *model, int details);

void soft_shapes_free(soft_shapes *shapes);

// --- for constructing shapes -------------------------------------------------------------------

// Adds a triangle to the soup.
tot_status soft_soup_triangle(soft_shapes *shapes, const soft_corner corner[3]);

// Adds the two triangles of a quad to the soup.
tot_status soft_soup_quad(soft_shapes *shapes, const soft_corner corner[4]);

// Turns the soup into the next shape, and empties it.
tot_status soft_soup_finish(soft_shapes *shapes);

// The coarsest version of a mesh that is within tolerance of it.
uint32_t soft_shapes_detail(const soft_shapes *shapes, int mesh, float tolerance);

// Adds the built-in shapes, in the order of the enumeration above.
tot_status soft_shapes_add_builtin(soft_shapes *shapes, const mjModel *model);

// One shape for every plane geom.
tot_status soft_shapes_add_planes(soft_shapes *shapes, const mjModel *model);

// --- soft_simplify.c: coarser versions of a mesh, for small sizes on the screen
// -------------------

typedef struct soft_simplifier soft_simplifier;

// Starts from the triangle soup of shapes, which must not be empty.
tot_status soft_simplifier_create(soft_simplifier **simplifier, const soft_shapes *shapes);

// Removes vertices while every remaining one is within tolerance of the planes of all triangles it
// represents; normals are taken from the mesh. Tolerances must increase from call to call.
void soft_simplifier_run(soft_simplifier *simplifier, float tolerance);

size_t soft_simplifier_triangles(const soft_simplifier *simplifier);

// Fills the soup with the remaining triangles.
tot_status soft_simplifier_soup(const soft_simplifier *simplifier, soft_shapes *shapes);

// simplifier may be NULL.
void soft_simplifier_free(soft_simplifier *simplifier);
