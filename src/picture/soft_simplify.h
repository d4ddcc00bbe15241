// Coarser versions of a mesh, for when it is small on the screen.
#ifndef TOT_PICTURE_SOFT_SIMPLIFY_H
#define TOT_PICTURE_SOFT_SIMPLIFY_H

#include "picture/soft_shape.h"

typedef struct tot_simplifier tot_simplifier;

// Starts from the soup of shapes, which must not be empty.
tot_status tot_simplifier_create(tot_simplifier **simplifier, const tot_shapes *shapes);

// Takes away corners as long as every one that is left lies within tolerance of the planes of all
// the triangles it stands for; normals stay those of the mesh. Tolerances grow from call to call.
tot_status tot_simplifier_run(tot_simplifier *simplifier, float tolerance);

size_t tot_simplifier_triangles(const tot_simplifier *simplifier);

// Fills the soup with what is left.
tot_status tot_simplifier_soup(const tot_simplifier *simplifier, tot_shapes *shapes);

// simplifier may be NULL.
void tot_simplifier_free(tot_simplifier *simplifier);

#endif
