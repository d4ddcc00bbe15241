// Rasterizing triangles: which samples they cover, and their depth there. Included by soft_avx2.c,
// soft_avx512.c and soft_portable.c.
//
// Vertices are snapped to multiples of 1/64 pixel, so that the edge functions are integers and
// computed exactly: a sample on the edge of two triangles belongs to exactly one of them, and the
// result does not depend on the drawing order, the threads' bands or earlier content. In single
// precision that holds for triangles up to SMALL pixels; larger ones are drawn in double precision.
#include "picture/lanes.h"
#include "picture/soft_kernel.h"

// MuJoCo's polygon offset for shadows: 1.5 times the depth slope per texel, plus a constant.
static const float OFFSET_SLOPE = 1.5F, OFFSET_UNIT = 4.0F / 16777216.0F;

enum {
    SMALL = 30 * SOFT_SUBPIXELS,
    GUARD = 16384 * SOFT_SUBPIXELS,  // maximum distance of anything drawn from the origin
    MOST_CLIPPED = 16,
};

// fminf and fmaxf are function calls because of their NaN semantics, which is not needed here.
static inline float least(float a, float b) {
    return a < b ? a : b;
}

static inline float most_of(float a, float b) {
    return a > b ? a : b;
}

// A clockwise triangle on the screen.
typedef struct triangle {
    float x[3], y[3], z[3];
    float area;
    int32_t seen;
} triangle;

// View data for testing and transforming clusters, in object coordinates.
typedef struct object_view {
    float screen[4][4];
    float plane[8][4];  // frustum and mirror; the first four are the sides of the screen
    float plane_size[8];
    int planes;
    float guard[5][4];  // where vertices must be clipped before projection
    float guard_size[5];
    float viewpoint[4];
    float front;
    float away;  // -1 if back faces are drawn, else 1
} object_view;

static inline const soft_shape *drawn_shape(const soft_drawing *drawing, bool shadow) {
    const soft_item *item = drawing->item;
    const uint32_t seen = drawing->viewpoint->clipped ? item->mirror_shape : item->shape;
    return &drawing->shapes->shapes[shadow ? item->shadow_shape : seen];
}

static void multiply_plane(float out[4], const float plane[4], const float place[3][4]) {
    for (int k = 0; k < 4; k++) {
        out[k] = k == 3 ? plane[3] : 0;
        for (int j = 0; j < 3; j++) {
            out[k] += plane[j] * place[j][k];
        }
    }
}

static float plane_length(const float plane[4]) {
    return sqrtf(plane[0] * plane[0] + plane[1] * plane[1] + plane[2] * plane[2]);
}

// low * w <= the row, or the row <= high * w, as a plane
static void set_side(float plane[4], const float row[4], const float w[4], float sign,
                     float level) {
    for (int k = 0; k < 4; k++) {
        plane[k] = sign * (row[k] - level * w[k]);
    }
}

static void make_view(object_view *view, const soft_drawing *drawing) {
    const soft_viewpoint *viewpoint = drawing->viewpoint;
    const soft_target *target = drawing->target;
    const soft_item *item = drawing->item;
    for (int row = 0; row < 4; row++) {
        multiply_plane(view->screen[row], viewpoint->screen[row], item->place);
    }
    const float *x = view->screen[0], *y = view->screen[1], *z = view->screen[2];
    const float *w = view->screen[3];
    const float unit = SOFT_SUBPIXELS;
    const float top = unit * (float)(drawing->band.first_row << target->row_shift);
    const float bottom = unit * (float)(drawing->band.last_row << target->row_shift);
    const float left = unit * (float)(drawing->band.first_column << target->column_shift);
    const float right = unit * (float)(drawing->band.last_column << target->column_shift);
    set_side(view->plane[0], x, w, 1, left);
    set_side(view->plane[1], x, w, -1, right);
    set_side(view->plane[2], y, w, 1, top);
    set_side(view->plane[3], y, w, -1, bottom);
    set_side(view->plane[4], z, w, -1, 1);
    view->planes = 5;
    if (viewpoint->clipped) {
        multiply_plane(view->plane[view->planes++], viewpoint->plane, item->place);
    }
    for (int k = 0; k < view->planes; k++) {
        view->plane_size[k] = plane_length(view->plane[k]);
    }
    set_side(view->guard[0], x, w, 1, -GUARD);
    set_side(view->guard[1], x, w, -1, GUARD);
    set_side(view->guard[2], y, w, 1, -GUARD);
    set_side(view->guard[3], y, w, -1, GUARD);
    memcpy(view->guard[4], view->plane[4], sizeof view->guard[4]);
    for (int k = 0; k < 5; k++) {
        view->guard_size[k] = plane_length(view->guard[k]);
    }
    for (int row = 0; row < 3; row++) {
        view->viewpoint[row] = item->back[row][3] * viewpoint->position[3];
        for (int k = 0; k < 3; k++) {
            view->viewpoint[row] += item->back[row][k] * viewpoint->position[k];
        }
    }
    view->viewpoint[3] = viewpoint->position[3];
    view->away = item->behind ? -1 : 1;
    view->front = viewpoint->front * view->away;
}

static float plane_distance(const float plane[4], const float point[3]) {
    return plane[0] * point[0] + plane[1] * point[1] + plane[2] * point[2] + plane[3];
}

typedef enum position_of { OUTSIDE, INSIDE, CROSSING } position_of;

// Classifies a bounding sphere: invisible, entirely within the range for projection, or partly. A
// NaN sphere is outside.
static position_of locate(const object_view *view, const float centre[3], float radius) {
    position_of place = INSIDE;
    for (int k = 0; k < view->planes; k++) {
        if (!(plane_distance(view->plane[k], centre) >= -radius * view->plane_size[k])) {
            return OUTSIDE;
        }
    }
    for (int k = 5; k < view->planes; k++) {
        if (!(plane_distance(view->plane[k], centre) >= radius * view->plane_size[k])) {
            place = CROSSING;
        }
    }
    for (int k = 0; k < 5; k++) {
        if (!(plane_distance(view->guard[k], centre) >= radius * view->guard_size[k])) {
            place = CROSSING;
        }
    }
    return place;
}

// Whether all triangles of a cluster are back-facing.
static bool looks_away(const object_view *view, const soft_cluster *cluster) {
    float from[3];
    float along = 0, size = 0;
    for (int k = 0; k < 3; k++) {
        from[k] = cluster->centre[k] * view->viewpoint[3] - view->viewpoint[k];
        along += from[k] * cluster->axis[k];
        size += from[k] * from[k];
    }
    return along * view->away >
           cluster->spread * sqrtf(size) + cluster->radius * view->viewpoint[3];
}

static inline void mark_dirty(const soft_target *target, int row, int low, int high) {
    if (low < target->dirty_low[row]) {
        target->dirty_low[row] = low;
    }
    if (high > target->dirty_high[row]) {
        target->dirty_high[row] = high;
    }
}

// The blocks a triangle may touch.
typedef struct block_range {
    int left, right, top, bottom;
} block_range;

static inline bool find_blocks(const soft_drawing *drawing, const triangle *t, block_range *range) {
    const soft_target *target = drawing->target;
    const float left = least(t->x[0], least(t->x[1], t->x[2]));
    const float right = most_of(t->x[0], most_of(t->x[1], t->x[2]));
    const float top = least(t->y[0], least(t->y[1], t->y[2]));
    const float bottom = most_of(t->y[0], most_of(t->y[1], t->y[2]));
    const int edge = target->grid_offset;
    const int column = 6 + target->column_shift, row = 6 + target->row_shift;
    // the pixel whose last sample is the first one right of the left end, and so on
    range->left = ((int)left + edge - 1) >> column;
    range->right = ((int)right - edge) >> column;
    range->top = ((int)top + edge - 1) >> row;
    range->bottom = ((int)bottom - edge) >> row;
    const soft_band *band = &drawing->band;
    range->left = range->left < band->first_column ? band->first_column : range->left;
    range->right = range->right >= band->last_column ? band->last_column - 1 : range->right;
    range->top = range->top < band->first_row ? band->first_row : range->top;
    range->bottom = range->bottom >= band->last_row ? band->last_row - 1 : range->bottom;
    return range->left <= range->right && range->top <= range->bottom;
}

// The depth of a triangle as a plane over the screen, relative to its first vertex.
typedef struct slope {
    float x, y;
    float low, high;
} slope;

static inline slope find_slope(const triangle *t, bool shadow) {
    const float bx = t->x[1] - t->x[0], by = t->y[1] - t->y[0], bz = t->z[1] - t->z[0];
    const float cx = t->x[2] - t->x[0], cy = t->y[2] - t->y[0], cz = t->z[2] - t->z[0];
    const float scale = 1 / t->area;
    slope s = {(bz * cy - cz * by) * scale, (cz * bx - bz * cx) * scale,
               least(t->z[0], least(t->z[1], t->z[2])),
               most_of(t->z[0], most_of(t->z[1], t->z[2]))};
    if (shadow) {
        const float steep = SOFT_SUBPIXELS * most_of(fabsf(s.x), fabsf(s.y));
        s.low -= OFFSET_SLOPE * steep + OFFSET_UNIT;
        s.high -= OFFSET_SLOPE * steep + OFFSET_UNIT;
    }
    return s;
}

// Writes a triangle's depth where it is closer than the current one; at equal depth the later item
// wins, as in OpenGL, regardless of the drawing order here.
static inline void put_block(soft_target *target, size_t place, lanes_i inside, lanes z,
                             int32_t seen, bool shadow) {
    const lanes before = lanes_load(target->depth + place);
    if (shadow) {
        const lanes nearer = lanes_pick(inside, z, before);
        lanes_store(target->depth + place, lanes_most(before, nearer));
        return;
    }
    const lanes_i there = lanes_load_i(target->seen + place);
    const lanes_i mine = lanes_all_i(seen);
    const lanes_i wins = inside & ((z > before) | ((z == before) & (mine > there)));
    lanes_store(target->depth + place, lanes_pick(wins, z, before));
    lanes_store_i(target->seen + place, lanes_pick_i(wins, mine, there));
}

static inline size_t block_place(const soft_target *target, int row, int column) {
    return SOFT_BLOCK * ((size_t)row * (size_t)target->block_columns + (size_t)column);
}

static inline float edge_bias(float dx, float dy) {
    // top-left rule: samples on a top or left edge belong to the triangle
    return dy < 0 || (dy == 0 && dx > 0) ? 0.5F : -0.5F;
}

static void draw_large(const soft_drawing *drawing, const triangle *t, const block_range *range,
                       bool shadow) {
    soft_target *target = drawing->target;
    const lanes lane_x = lanes_load(target->lane_x), lane_y = lanes_load(target->lane_y);
    const lanes_d wide_x = __builtin_convertvector(lane_x, lanes_d);
    const lanes_d wide_y = __builtin_convertvector(lane_y, lanes_d);
    const double size_x = SOFT_SUBPIXELS << target->column_shift;
    const double size_y = SOFT_SUBPIXELS << target->row_shift;
    double dx[3], dy[3], level[3], most[3];
    for (int k = 0; k < 3; k++) {
        const int next = k == 2 ? 0 : k + 1;
        dx[k] = (double)t->x[next] - (double)t->x[k];
        dy[k] = (double)t->y[next] - (double)t->y[k];
        level[k] = (double)edge_bias((float)dx[k], (float)dy[k]) - dx[k] * (double)t->y[k] +
                   dy[k] * (double)t->x[k];
        // maximum increase of the edge function within a block, from its corner
        most[k] = (dx[k] > 0 ? dx[k] * size_y : 0) - (dy[k] < 0 ? dy[k] * size_x : 0);
    }
    const slope s = find_slope(t, shadow);
    const float offset = shadow ? s.high - most_of(t->z[0], most_of(t->z[1], t->z[2])) : 0;
    for (int row = range->top; row <= range->bottom; row++) {
        const double y = size_y * row;
        for (int column = range->left; column <= range->right; column++) {
            const double x = size_x * column;
            double corner[3];
            bool outside = false;
            for (int k = 0; k < 3; k++) {
                corner[k] = level[k] + dx[k] * y - dy[k] * x;
                outside |= corner[k] + most[k] <= 0;
            }
            if (outside) {
                continue;
            }
            lanes_l sign = {0};
            for (int k = 0; k < 3; k++) {
                sign |= (lanes_l)(lanes_all_d(corner[k]) + dx[k] * wide_y - dy[k] * wide_x);
            }
            const lanes_i inside = __builtin_convertvector(~sign >> 63, lanes_i);
            if (lanes_bits(inside) == 0) {
                continue;
            }
            lanes z = t->z[0] + offset + s.x * (lane_x + (float)(x - (double)t->x[0])) +
                      s.y * (lane_y + (float)(y - (double)t->y[0]));
            z = lanes_least(lanes_most(z, lanes_all(s.low)), lanes_all(s.high));
            put_block(target, block_place(target, row, column), inside, z, t->seen, shadow);
        }
    }
}

// Draws a clockwise triangle of any size.
static void draw_triangle(const soft_drawing *drawing, const triangle *t, bool shadow) {
    block_range range;
    if (!find_blocks(drawing, t, &range)) {
        return;
    }
    draw_large(drawing, t, &range, shadow);
    for (int row = range.top; row <= range.bottom; row++) {
        mark_dirty(drawing->target, row, range.left, range.right);
    }
}

// --- clusters that extend behind the camera, through the mirror, or very far away --------------

typedef struct clip_corner {
    float at[4];  // screen x, y, depth and w, before the division
    float plane;  // distance from the mirror
} clip_corner;

static float clip_distance(const clip_corner *corner, int side) {
    const float *at = corner->at;
    switch (side) {
        case 0:
            return at[3] - at[2];
        case 1:
            return GUARD * at[3] + at[0];
        case 2:
            return GUARD * at[3] - at[0];
        case 3:
            return GUARD * at[3] + at[1];
        case 4:
            return GUARD * at[3] - at[1];
        default:
            return corner->plane;
    }
}

// Clips a polygon at one side; returns the number of remaining vertices. NaN is clipped.
static int clip_side(const clip_corner *in, int count, clip_corner *out, int side) {
    int kept = 0;
    for (int k = 0; k < count; k++) {
        const clip_corner *a = &in[k], *b = &in[k + 1 == count ? 0 : k + 1];
        const float da = clip_distance(a, side), db = clip_distance(b, side);
        if (da >= 0) {
            out[kept++] = *a;
        }
        if ((da >= 0) != (db >= 0)) {
            const float part = da / (da - db);
            clip_corner cut;
            for (int j = 0; j < 4; j++) {
                cut.at[j] = a->at[j] + part * (b->at[j] - a->at[j]);
            }
            cut.plane = a->plane + part * (b->plane - a->plane);
            out[kept++] = cut;
        }
    }
    return kept;
}

// Projects a clipped vertex; false if impossible.
static bool project_corner(const clip_corner *corner, float *x, float *y, float *z) {
    const float w = corner->at[3];
    *x = rintf(corner->at[0] / w);
    *y = rintf(corner->at[1] / w);
    *z = corner->at[2] / w;
    return w > 0 && fabsf(*x) <= 1.01F * GUARD && fabsf(*y) <= 1.01F * GUARD && fabsf(*z) <= 2;
}

static void draw_polygon(const soft_drawing *drawing, const clip_corner *polygon, int count,
                         int32_t seen, float front, bool both, bool shadow) {
    float x[MOST_CLIPPED], y[MOST_CLIPPED], z[MOST_CLIPPED];
    for (int k = 0; k < count; k++) {
        if (!project_corner(&polygon[k], &x[k], &y[k], &z[k])) {
            return;
        }
    }
    for (int k = 1; k + 1 < count; k++) {
        // exact in double precision; the sign decides
        const double turn = (double)(x[k + 1] - x[0]) * (double)(y[k] - y[0]) -
                            (double)(x[k] - x[0]) * (double)(y[k + 1] - y[0]);
        const bool clockwise = turn < 0;
        const bool seen_from_front = turn * (double)front > 0;
        if (turn == 0 || (!seen_from_front && !both)) {
            continue;
        }
        const int b = clockwise ? k : k + 1, c = clockwise ? k + 1 : k;
        const triangle t = {
            {x[0], x[b], x[c]}, {y[0], y[b], y[c]}, {z[0], z[b], z[c]}, (float)fabs(turn), seen};
        draw_triangle(drawing, &t, shadow);
    }
}

static void draw_clipped(const soft_drawing *drawing, const soft_cluster *cluster,
                         const object_view *view, bool both, bool shadow) {
    const soft_shapes *shapes = drawing->shapes;
    const soft_shape *shape = drawn_shape(drawing, shadow);
    const int sides = view->planes > 5 ? 6 : 5;
    for (uint32_t k = 0; k < cluster->triangles; k++) {
        const uint32_t number = cluster->first_triangle + k;
        clip_corner polygon[2][MOST_CLIPPED];
        int count = 3, now = 0;
        for (int j = 0; j < 3; j++) {
            const uint32_t at = cluster->first_position + shapes->corner_position[j][number];
            const float point[3] = {shapes->x[at], shapes->y[at], shapes->z[at]};
            for (int row = 0; row < 4; row++) {
                polygon[0][j].at[row] = plane_distance(view->screen[row], point);
            }
            polygon[0][j].plane = sides > 5 ? plane_distance(view->plane[5], point) : 0;
        }
        for (int side = 0; side < sides && count > 0; side++, now = !now) {
            count = clip_side(polygon[now], count, polygon[!now], side);
        }
        const int32_t seen =
            (drawing->number << SOFT_TRIANGLE_BITS) + (int32_t)(number - shape->first_triangle);
        draw_polygon(drawing, polygon[now], count, seen, view->front, both, shadow);
    }
}
