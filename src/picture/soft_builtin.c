// The built-in shapes, tessellated exactly as in MuJoCo: lighting is computed per vertex, so the
// tessellation is visible.
#include "base/base.h"
#include "picture/soft_shape.h"

static const float PI = 3.14159265358979F;

// --- round shapes ------------------------------------------------------------------------------

// A point on a surface of revolution, from the angle around z and a parameter along the profile.
typedef soft_corner (*profile)(float angle, float along);

static soft_corner sphere_point(float angle, float elevation, float lift) {
    const float x = cosf(angle) * cosf(elevation), y = sinf(angle) * cosf(elevation);
    const float z = sinf(elevation);
    return (soft_corner){{x, y, z + lift}, {x, y, z}, {0, 0}};
}

static soft_corner on_sphere(float angle, float elevation) {
    return sphere_point(angle, elevation, 0);
}

// the halves of a capsule are created one radius away from its centre
static soft_corner on_top(float angle, float elevation) {
    return sphere_point(angle, elevation, 1);
}

static soft_corner on_bottom(float angle, float elevation) {
    return sphere_point(angle, elevation, -1);
}

static soft_corner on_tube(float angle, float height) {
    const float x = cosf(angle), y = sinf(angle);
    return (soft_corner){{x, y, height}, {x, y, 0}, {0, 0}};
}

static soft_corner on_upper_disk(float angle, float radius) {
    return (soft_corner){{cosf(angle) * radius, sinf(angle) * radius, 1}, {0, 0, 1}, {0, 0}};
}

static soft_corner on_lower_disk(float angle, float radius) {
    return (soft_corner){{cosf(angle) * radius, sinf(angle) * radius, -1}, {0, 0, -1}, {0, 0}};
}

// One ring of quads between two steps of the profile, facing outward if `to` is above `from`.
static tot_status add_ring(soft_shapes *shapes, profile point, float from, float to, int slices) {
    for (int k = 0; k < slices; k++) {
        const float a = 2 * PI * (float)k / (float)slices;
        // the last slice ends exactly where the first begins
        const float b = k + 1 < slices ? 2 * PI * (float)(k + 1) / (float)slices : 0;
        const soft_corner quad[4] = {point(a, from), point(b, from), point(b, to), point(a, to)};
        BASE_TRY(soft_soup_quad(shapes, quad));
    }
    return TOT_OK;
}

// The triangles that close a shape at its pole; turned: the pole is at the bottom.
static tot_status add_cap(soft_shapes *shapes, profile point, float from, float pole, int slices,
                          bool turned) {
    soft_corner tip = point(0, pole);
    tip.position[0] = tip.position[1] = 0;
    tip.normal[0] = tip.normal[1] = 0;
    tip.normal[2] = turned ? -1 : 1;
    for (int k = 0; k < slices; k++) {
        const float a = 2 * PI * (float)k / (float)slices;
        const float b = k + 1 < slices ? 2 * PI * (float)(k + 1) / (float)slices : 0;
        const soft_corner up[3] = {point(a, from), point(b, from), tip};
        const soft_corner down[3] = {tip, point(b, from), point(a, from)};
        BASE_TRY(soft_soup_triangle(shapes, turned ? down : up));
    }
    return TOT_OK;
}

// A hemisphere: `stacks` rings from the equator to the pole.
static tot_status add_half(soft_shapes *shapes, profile point, int slices, int stacks, bool below) {
    const float sign = below ? -1 : 1;
    for (int k = 0; k + 1 < stacks; k++) {
        const float a = sign * 0.5F * PI * (float)k / (float)stacks;
        const float b = sign * 0.5F * PI * (float)(k + 1) / (float)stacks;
        BASE_TRY(add_ring(shapes, point, below ? b : a, below ? a : b, slices));
    }
    return add_cap(shapes, point, sign * 0.5F * PI * (float)(stacks - 1) / (float)stacks,
                   sign * 0.5F * PI, slices, below);
}

static tot_status add_tube(soft_shapes *shapes, int slices, int stacks) {
    for (int k = 0; k < stacks; k++) {
        BASE_TRY(add_ring(shapes, on_tube, 2 * (float)k / (float)stacks - 1,
                          2 * (float)(k + 1) / (float)stacks - 1, slices));
    }
    return TOT_OK;
}

static tot_status add_disk(soft_shapes *shapes, int slices, int stacks, bool below) {
    const profile point = below ? on_lower_disk : on_upper_disk;
    BASE_TRY(add_cap(shapes, point, 1 / (float)stacks, 0, slices, below));
    for (int k = 1; k < stacks; k++) {
        const float inner = (float)k / (float)stacks, outer = (float)(k + 1) / (float)stacks;
        BASE_TRY(add_ring(shapes, point, below ? inner : outer, below ? outer : inner, slices));
    }
    return TOT_OK;
}

static tot_status add_round(soft_shapes *shapes, int slices, int stacks) {
    BASE_TRY(add_half(shapes, on_sphere, slices, stacks / 2, false));
    BASE_TRY(add_half(shapes, on_sphere, slices, stacks / 2, true));
    BASE_TRY(soft_soup_finish(shapes));
    BASE_TRY(add_half(shapes, on_top, slices, stacks / 2, false));
    BASE_TRY(soft_soup_finish(shapes));
    BASE_TRY(add_half(shapes, on_bottom, slices, stacks / 2, true));
    BASE_TRY(soft_soup_finish(shapes));
    BASE_TRY(add_disk(shapes, slices, stacks / 2, true));
    BASE_TRY(add_tube(shapes, slices, stacks));
    BASE_TRY(add_disk(shapes, slices, stacks / 2, false));
    BASE_TRY(soft_soup_finish(shapes));
    BASE_TRY(add_tube(shapes, slices, stacks));
    return soft_soup_finish(shapes);
}

// --- flat shapes -------------------------------------------------------------------------------

// A square on a box's side: a and b are ranges along two axes, level is the position on the third.
static tot_status add_square(soft_shapes *shapes, int axis, float level, const float a[2],
                             const float b[2]) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const float along[4] = {a[0], a[1], a[1], a[0]}, across[4] = {b[0], b[0], b[1], b[1]};
    soft_corner quad[4];
    for (int k = 0; k < 4; k++) {
        // seen from below, the winding is reversed
        soft_corner *corner = &quad[level > 0 ? k : 3 - k];
        *corner = (soft_corner){{0}, {0}, {0}};
        corner->position[axis] = level;
        corner->position[u] = along[k];
        corner->position[v] = across[k];
        corner->normal[axis] = level;
    }
    return soft_soup_quad(shapes, quad);
}

static tot_status add_box(soft_shapes *shapes, int quads) {
    for (int i = 0; i < quads; i++) {
        for (int j = 0; j < quads; j++) {
            const float a[2] = {2 * (float)i / (float)quads - 1,
                                2 * (float)(i + 1) / (float)quads - 1};
            const float b[2] = {2 * (float)j / (float)quads - 1,
                                2 * (float)(j + 1) / (float)quads - 1};
            for (int axis = 0; axis < 3; axis++) {
                BASE_TRY(add_square(shapes, axis, 1, a, b));
                BASE_TRY(add_square(shapes, axis, -1, a, b));
            }
        }
    }
    return soft_soup_finish(shapes);
}

// A grid of quads in the plane z = 0, given its lines.
static tot_status add_grid(soft_shapes *shapes, const float *x, int columns, const float *y,
                           int rows) {
    for (int i = 0; i < columns; i++) {
        for (int j = 0; j < rows; j++) {
            const soft_corner quad[4] = {{{x[i], y[j], 0}, {0, 0, 1}, {0, 0}},
                                         {{x[i + 1], y[j], 0}, {0, 0, 1}, {0, 0}},
                                         {{x[i + 1], y[j + 1], 0}, {0, 0, 1}, {0, 0}},
                                         {{x[i], y[j + 1], 0}, {0, 0, 1}, {0, 0}}};
            BASE_TRY(soft_soup_quad(shapes, quad));
        }
    }
    return soft_soup_finish(shapes);
}

enum { MOST_LINES = mjMAXPLANEGRID + 1 };

// The grid lines of a finite plane: squares of twice the spacing, and the remainder at both ends.
// Returns the number of squares.
static int finite_lines(float lines[MOST_LINES], double size, double spacing) {
    const double step = fmax(spacing, size / (mjMAXPLANEGRID - 2));
    const double ratio = size / fmax(mjMINVAL, step);
    // the ratio for a very large plane does not fit an int
    int squares = ratio <= mjMAXPLANEGRID - 2 ? (int)floor(ratio) : mjMAXPLANEGRID - 2;
    squares -= squares % 2;
    const double rest = size - squares * step;
    lines[0] = (float)-size;
    for (int k = 0; k <= squares; k++) {
        lines[k + 1] = (float)(-size + rest + k * step * 2);
    }
    lines[squares + 2] = (float)size;
    return squares + 2;
}

// The grid lines of an infinite plane, which extends past the skybox.
static int endless_lines(float lines[MOST_LINES], double far, double repeat) {
    const double step = repeat > 0 ? 2 / repeat : 2.1 * far / (mjMAXPLANEGRID - 2);
    const double width = (2.1 * far + 2 * step) / mjMAXPLANEGRID;
    for (int k = 0; k < MOST_LINES; k++) {
        lines[k] = (float)(width * k - width * (mjMAXPLANEGRID / 2));
    }
    return mjMAXPLANEGRID;
}

tot_status soft_shapes_add_planes(soft_shapes *shapes, const mjModel *model) {
    const double far = (double)model->vis.map.zfar * model->stat.extent;
    for (int geom = 0; geom < model->ngeom; geom++) {
        if (model->geom_type[geom] != mjGEOM_PLANE) {
            continue;
        }
        const double *size = model->geom_size + 3 * geom;
        const int material = model->geom_matid[geom];
        float lines[2][MOST_LINES];
        int count[2];
        for (int k = 0; k < 2; k++) {
            const double repeat =
                material >= 0 ? (double)model->mat_texrepeat[2 * material + k] : 0;
            count[k] = size[k] > 0 ? finite_lines(lines[k], size[k], size[2])
                                   : endless_lines(lines[k], far, repeat);
        }
        BASE_TRY(add_grid(shapes, lines[0], count[0], lines[1], count[1]));
    }
    return TOT_OK;
}

tot_status soft_shapes_add_builtin(soft_shapes *shapes, const mjModel *model) {
    const int quads = model->vis.quality.numquads > 0 ? model->vis.quality.numquads : 1;
    const int slices = model->vis.quality.numslices > 3 ? model->vis.quality.numslices : 3;
    const int stacks = model->vis.quality.numstacks > 2 ? model->vis.quality.numstacks : 2;
    BASE_TRY(add_round(shapes, slices, stacks));
    BASE_TRY(add_box(shapes, quads));
    const float ends[2] = {-1, 1};
    return add_grid(shapes, ends, 1, ends, 1);
}
