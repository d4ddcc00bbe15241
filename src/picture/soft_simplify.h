// Coarser versions of a mesh, for small sizes on the screen.
#pragma once

#include "picture/soft_shape.h"

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
