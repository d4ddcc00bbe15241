// Coarser versions of a mesh, for when it is small on the screen.
#pragma once

#include "picture/soft_shape.h"

typedef struct soft_simplifier soft_simplifier;

// Starts from the soup of shapes, which must not be empty.
tot_status soft_simplifier_create(soft_simplifier **simplifier, const soft_shapes *shapes);

// Takes away corners as long as every one that is left lies within tolerance of the planes of all
// the triangles it stands for; normals stay those of the mesh. Tolerances grow from call to call.
tot_status soft_simplifier_run(soft_simplifier *simplifier, float tolerance);

size_t soft_simplifier_triangles(const soft_simplifier *simplifier);

// Fills the soup with what is left.
tot_status soft_simplifier_soup(const soft_simplifier *simplifier, soft_shapes *shapes);

// simplifier may be NULL.
void soft_simplifier_free(soft_simplifier *simplifier);
