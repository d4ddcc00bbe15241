// Drawing clusters of triangles, eight at a time, and whole items. Included by soft_avx2.c,
// soft_avx512.c and soft_portable.c after soft_raster_kernel.h, whose rules apply here too.
#include "picture/soft_raster_kernel.h"

// The vertices of a cluster on the screen. x and y, relative to a nearby origin, are packed into
// one integer, because gathers dominate the cost here.
typedef struct projection {
    int32_t xy[SOFT_CLUSTER_POSITIONS];
    float z[SOFT_CLUSTER_POSITIONS];
    int32_t origin_x, origin_y;
} projection;

typedef struct corner_bounds {
    float left, right, top, bottom;
} corner_bounds;

static inline float lanes_lowest(lanes a) {
    float low = a[0];
    for (int k = 1; k < LANES; k++) {
        low = least(low, a[k]);
    }
    return low;
}

// False if the vertices are too far apart for that, or too far from the screen.
static bool project(const soft_shapes *shapes, const soft_cluster *cluster, const object_view *view,
                    projection *out, corner_bounds *bounds) {
    const float(*m)[4] = view->screen;
    lanes sx[SOFT_CLUSTER_POSITIONS / LANES], sy[SOFT_CLUSTER_POSITIONS / LANES];
    lanes left = lanes_all(2 * GUARD), top = left, right = -left, bottom = -left;
    const int count = cluster->positions / LANES;
    for (int k = 0; k < count; k++) {
        const size_t from = cluster->first_position + LANES * (size_t)k;
        const lanes x = lanes_load(shapes->x + from);
        const lanes y = lanes_load(shapes->y + from);
        const lanes z = lanes_load(shapes->z + from);
        const lanes w = 1.0F / (m[3][0] * x + m[3][1] * y + m[3][2] * z + m[3][3]);
        sx[k] = (m[0][0] * x + m[0][1] * y + m[0][2] * z + m[0][3]) * w;
        sy[k] = (m[1][0] * x + m[1][1] * y + m[1][2] * z + m[1][3]) * w;
        lanes_store(out->z + LANES * k, (m[2][0] * x + m[2][1] * y + m[2][2] * z + m[2][3]) * w);
        left = lanes_least(left, sx[k]);
        right = lanes_most(right, sx[k]);
        top = lanes_least(top, sy[k]);
        bottom = lanes_most(bottom, sy[k]);
    }
    *bounds = (corner_bounds){floorf(lanes_lowest(left)), ceilf(-lanes_lowest(-right)),
                              floorf(lanes_lowest(top)), ceilf(-lanes_lowest(-bottom))};
    // a NaN vertex can hide earlier ones in min and max, so each bound is checked separately
    if (!(bounds->right - bounds->left < 32767 && bounds->bottom - bounds->top < 32767 &&
          bounds->left >= -2 * GUARD && bounds->right <= 2 * GUARD && bounds->top >= -2 * GUARD &&
          bounds->bottom <= 2 * GUARD)) {
        return false;
    }
    out->origin_x = (int32_t)bounds->left;
    out->origin_y = (int32_t)bounds->top;
    for (int k = 0; k < count; k++) {
        const lanes_i x = lanes_round_i(sx[k]) - out->origin_x;
        const lanes_i y = lanes_round_i(sy[k]) - out->origin_y;
        lanes_store_i(out->xy + LANES * k, x | y << 16);
    }
    return true;
}

// Whether any of the blocks can be drawn to.
static bool is_open(const soft_target *target, const block_range *range) {
    if (target->open == NULL) {
        return true;
    }
    for (int row = range->top >> SOFT_TILE_SHIFT; row <= range->bottom >> SOFT_TILE_SHIFT; row++) {
        for (int column = range->left >> SOFT_TILE_SHIFT; column <= range->right >> SOFT_TILE_SHIFT;
             column++) {
            if (target->open[row * target->tile_columns + column]) {
                return true;
            }
        }
    }
    return false;
}

// Marks the blocks that a cluster spans as changed; false if there are none.
static bool mark_cluster(const soft_drawing *drawing, const corner_bounds *bounds) {
    const triangle around = {{bounds->left, bounds->right, bounds->left},
                             {bounds->top, bounds->bottom, bounds->top},
                             {0},
                             0,
                             0};
    block_range range;
    if (!find_blocks(drawing, &around, &range) || !is_open(drawing->target, &range)) {
        return false;
    }
    for (int row = range.top; row <= range.bottom; row++) {
        mark_dirty(drawing->target, row, range.left, range.right);
    }
    return true;
}

// Setup of eight triangles: clockwise, in coordinates relative to the corner of their first block,
// as structure of arrays so that single triangles can be read back.
typedef struct setup {
    float level[3][LANES], dx[3][LANES], dy[3][LANES];  // edge functions
    float slope_x[LANES], slope_y[LANES], depth[LANES], low[LANES], high[LANES];
    int32_t left[LANES], right[LANES], top[LANES], bottom[LANES];  // blocks
    int32_t skip_x[LANES], skip_y[LANES];  // blocks outside of the band before the first one inside
} setup;

static inline lanes_i lanes_least_i(lanes_i a, lanes_i b) {
    return lanes_pick_i(a < b, a, b);
}

static inline lanes_i lanes_most_i(lanes_i a, lanes_i b) {
    return lanes_pick_i(a > b, a, b);
}

// Finds the blocks of eight triangles; returns a mask of those that have any.
static inline lanes_i set_blocks(const soft_drawing *drawing, const lanes x[3], const lanes y[3],
                                 setup *out) {
    const soft_target *target = drawing->target;
    const soft_band *band = &drawing->band;
    const int edge = target->grid_offset;
    const int column = 6 + target->column_shift, row = 6 + target->row_shift;
    const lanes_i x_low = lanes_round_i(lanes_least(x[0], lanes_least(x[1], x[2])));
    const lanes_i x_high = lanes_round_i(lanes_most(x[0], lanes_most(x[1], x[2])));
    const lanes_i y_low = lanes_round_i(lanes_least(y[0], lanes_least(y[1], y[2])));
    const lanes_i y_high = lanes_round_i(lanes_most(y[0], lanes_most(y[1], y[2])));
    const lanes_i first_x = (x_low + (edge - 1)) >> column, first_y = (y_low + (edge - 1)) >> row;
    const lanes_i left = lanes_most_i(first_x, lanes_all_i(band->first_column));
    const lanes_i right =
        lanes_least_i((x_high - edge) >> column, lanes_all_i(band->last_column - 1));
    const lanes_i top = lanes_most_i(first_y, lanes_all_i(band->first_row));
    const lanes_i bottom = lanes_least_i((y_high - edge) >> row, lanes_all_i(band->last_row - 1));
    lanes_store_i(out->left, left);
    lanes_store_i(out->right, right);
    lanes_store_i(out->top, top);
    lanes_store_i(out->bottom, bottom);
    lanes_store_i(out->skip_x, left - first_x);
    lanes_store_i(out->skip_y, top - first_y);
    // a line of the sample grid must lie between the bounds, in x and in y
    const int shift = target->grid_shift, last = (1 << shift) - 1 - edge;
    return (right >= left) & (bottom >= top) &
           ((x_high - edge) >> shift >= (x_low + last) >> shift) &
           ((y_high - edge) >> shift >= (y_low + last) >> shift);
}

static inline void set_edges(const soft_target *target, const lanes x[3], const lanes y[3],
                             const lanes z[3], lanes area, bool shadow, setup *out) {
    const lanes_i first_x = lanes_load_i(out->left) - lanes_load_i(out->skip_x);
    const lanes_i first_y = lanes_load_i(out->top) - lanes_load_i(out->skip_y);
    const lanes origin_x = lanes_from_i(first_x * (SOFT_SUBPIXELS << target->column_shift));
    const lanes origin_y = lanes_from_i(first_y * (SOFT_SUBPIXELS << target->row_shift));
    for (int k = 0; k < 3; k++) {
        const int next = k == 2 ? 0 : k + 1;
        const lanes dx = x[next] - x[k], dy = y[next] - y[k];
        // top-left rule: samples on a top or left edge belong to the triangle
        const lanes_i mine = (dy < 0) | ((dy == 0) & (dx > 0));
        const lanes bias = lanes_pick(mine, lanes_all(0.5F), lanes_all(-0.5F));
        lanes_store(out->level[k], dy * (x[k] - origin_x) - dx * (y[k] - origin_y) + bias);
        lanes_store(out->dx[k], dx);
        lanes_store(out->dy[k], dy);
    }
    const lanes scale = 1.0F / area;
    const lanes bx = x[1] - x[0], by = y[1] - y[0], bz = z[1] - z[0];
    const lanes cx = x[2] - x[0], cy = y[2] - y[0], cz = z[2] - z[0];
    const lanes slope_x = (bz * cy - cz * by) * scale, slope_y = (cz * bx - bz * cx) * scale;
    lanes offset = lanes_all(0);
    if (shadow) {
        const lanes steep = lanes_most(lanes_size(slope_x), lanes_size(slope_y));
        offset = steep * (-OFFSET_SLOPE * SOFT_SUBPIXELS) - OFFSET_UNIT;
    }
    lanes_store(out->slope_x, slope_x);
    lanes_store(out->slope_y, slope_y);
    lanes_store(out->depth,
                z[0] + offset - slope_x * (x[0] - origin_x) - slope_y * (y[0] - origin_y));
    lanes_store(out->low, lanes_least(z[0], lanes_least(z[1], z[2])) + offset);
    lanes_store(out->high, lanes_most(z[0], lanes_most(z[1], z[2])) + offset);
}

static inline __attribute__((always_inline)) void draw_lane(soft_target *target, const setup *s,
                                                            int lane, int32_t seen, bool shadow) {
    const lanes lane_x = lanes_load(target->lane_x), lane_y = lanes_load(target->lane_y);
    const float step_x = (float)(SOFT_SUBPIXELS << target->column_shift);
    const float step_y = (float)(SOFT_SUBPIXELS << target->row_shift);
    // everything is a function of the block, not of where the band begins: steps of the edge
    // functions are exact, those of the depth would not be
    const float skip_x = (float)s->skip_x[lane] * step_x, skip_y = (float)s->skip_y[lane] * step_y;
    lanes edge[3];
    for (int k = 0; k < 3; k++) {
        const float dx = s->dx[k][lane], dy = s->dy[k][lane];
        edge[k] = (s->level[k][lane] + (dx * skip_y - dy * skip_x)) + (dx * lane_y - dy * lane_x);
    }
    const lanes depth = s->depth[lane] + (s->slope_x[lane] * lane_x + s->slope_y[lane] * lane_y);
    const lanes low = lanes_all(s->low[lane]), high = lanes_all(s->high[lane]);
    const int columns = s->right[lane] - s->left[lane] + 1;
    const int rows = s->bottom[lane] - s->top[lane] + 1;
    size_t place = block_place(target, s->top[lane], s->left[lane]);
    const size_t next_row = SOFT_BLOCK * (size_t)target->block_columns;
    for (int row = 0;; row++) {
        lanes e0 = edge[0], e1 = edge[1], e2 = edge[2];
        const float down = s->slope_y[lane] * (skip_y + (float)row * step_y);
        for (int column = 0;; column++) {
            const lanes_i inside = ~((lanes_i)e0 | (lanes_i)e1 | (lanes_i)e2) >> 31;
            const float across = s->slope_x[lane] * (skip_x + (float)column * step_x);
            const lanes z = depth + (across + down);
            put_block(target, place + SOFT_BLOCK * (size_t)column, inside,
                      lanes_least(lanes_most(z, low), high), seen, shadow);
            if (column + 1 == columns) {
                break;
            }
            e0 -= s->dy[0][lane] * step_x;
            e1 -= s->dy[1][lane] * step_x;
            e2 -= s->dy[2][lane] * step_x;
        }
        if (row + 1 == rows) {
            break;
        }
        place += next_row;
        edge[0] += s->dx[0][lane] * step_y;
        edge[1] += s->dx[1][lane] * step_y;
        edge[2] += s->dx[2][lane] * step_y;
    }
}

// Triangles that are too large for single precision.
static __attribute__((noinline)) void draw_large_lane(const soft_drawing *drawing, const lanes x[3],
                                                      const lanes y[3], const lanes z[3],
                                                      lanes area, int lane, int32_t seen,
                                                      bool shadow) {
    const triangle t = {{x[0][lane], x[1][lane], x[2][lane]},
                        {y[0][lane], y[1][lane], y[2][lane]},
                        {z[0][lane], z[1][lane], z[2][lane]},
                        area[lane],
                        seen};
    draw_triangle(drawing, &t, shadow);
}

static inline lanes_i is_large(const lanes a[3]) {
    const lanes low = lanes_least(a[0], lanes_least(a[1], a[2]));
    const lanes high = lanes_most(a[0], lanes_most(a[1], a[2]));
    return high - low >= SMALL;
}

static inline __attribute__((always_inline)) void draw_eight(const soft_drawing *drawing,
                                                             const projection *points,
                                                             const uint8_t *const index[3],
                                                             int32_t seen, float front, bool both,
                                                             bool shadow) {
    lanes_i corner[3];
    lanes x[3], y[3], z[3];
    for (int j = 0; j < 3; j++) {
        corner[j] = lanes_bytes(index[j]);
        const lanes_i xy = lanes_gather_i(points->xy, corner[j]);
        x[j] = lanes_from_i((xy & 0xFFFF) + points->origin_x);
        y[j] = lanes_from_i((xy >> 16) + points->origin_y);
    }
    const lanes turn = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
    // in front of the camera triangles are counterclockwise: y points down here
    const lanes_i alive = both ? turn != 0 : turn * front < 0;
    setup s;
    const lanes_i wanted = alive & set_blocks(drawing, x, y, &s);
    int bits = lanes_bits(wanted);
    if (bits == 0) {
        return;
    }
    for (int j = 0; j < 3; j++) {
        z[j] = lanes_gather(points->z, corner[j]);
    }
    // make all clockwise on the screen by swapping the second and third vertex
    const lanes_i swap = turn < 0;
    lanes *const arrays[3] = {x, y, z};
    for (int j = 0; j < 3; j++) {
        lanes *a = arrays[j];
        const lanes second = lanes_pick(swap, a[2], a[1]);
        a[2] = lanes_pick(swap, a[1], a[2]);
        a[1] = second;
    }
    const lanes area = lanes_size(turn);
    set_edges(drawing->target, x, y, z, area, shadow, &s);
    const int large = lanes_bits((is_large(x) | is_large(y)) & wanted);
    while (bits != 0) {
        const int lane = __builtin_ctz((unsigned)bits);
        bits &= bits - 1;
        if (large >> lane & 1) {
            draw_large_lane(drawing, x, y, z, area, lane, seen + lane, shadow);
        } else {
            draw_lane(drawing->target, &s, lane, seen + lane, shadow);
        }
    }
}

static inline __attribute__((always_inline)) void draw_cluster(const soft_drawing *drawing,
                                                               const soft_cluster *cluster,
                                                               const object_view *view, bool both,
                                                               bool shadow) {
    const soft_shapes *shapes = drawing->shapes;
    const soft_shape *shape = drawn_shape(drawing, shadow);
    projection points;
    corner_bounds bounds;
    if (!project(shapes, cluster, view, &points, &bounds)) {
        draw_clipped(drawing, cluster, view, both, shadow);
        return;
    }
    if (!mark_cluster(drawing, &bounds)) {
        return;
    }
    const uint32_t first = cluster->first_triangle;
    const int32_t seen =
        (drawing->number << SOFT_TRIANGLE_BITS) + (int32_t)(first - shape->first_triangle);
    for (int k = 0; k < cluster->triangles; k += LANES) {
        const uint8_t *const index[3] = {shapes->corner_position[0] + first + k,
                                         shapes->corner_position[1] + first + k,
                                         shapes->corner_position[2] + first + k};
        draw_eight(drawing, &points, index, seen + k, view->front, both, shadow);
    }
}

// --- items -------------------------------------------------------------------------------------

static inline __attribute__((always_inline)) void draw_item(const soft_drawing *drawing,
                                                            bool shadow) {
    const soft_shapes *shapes = drawing->shapes;
    const soft_shape *shape = drawn_shape(drawing, shadow);
    // all faces cast shadows, but the back faces of a closed shape make no difference
    const bool both = shadow && !shape->closed;
    object_view view;
    make_view(&view, drawing);
    if (shape->clusters == 0 || locate(&view, shape->centre, shape->radius) == OUTSIDE) {
        return;
    }
    for (uint32_t k = 0; k < shape->clusters; k++) {
        const soft_cluster *cluster = &shapes->clusters[shape->first_cluster + k];
        const position_of place = locate(&view, cluster->centre, cluster->radius);
        if (place == OUTSIDE || (!both && looks_away(&view, cluster))) {
            continue;
        }
        if (place == INSIDE) {
            draw_cluster(drawing, cluster, &view, both, shadow);
        } else {
            draw_clipped(drawing, cluster, &view, both, shadow);
        }
    }
}

static void draw(const soft_drawing *drawing) {
    draw_item(drawing, false);
}

static void draw_shadow(const soft_drawing *drawing) {
    draw_item(drawing, true);
}
