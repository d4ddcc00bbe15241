// Shading fragments: OpenGL's lighting at the three vertices of the triangle, interpolated to the
// centre of the pixel. Included by soft_avx2.c, soft_avx512.c and soft_portable.c.
#include "picture/lanes.h"
#include "picture/soft_kernel.h"
#include "picture/soft_texture_kernel.h"

static inline lanes dot_lanes(lanes_vector a, lanes_vector b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline lanes inverse_root(lanes a) {
    a = lanes_most(a, lanes_all(1e-30F));
#if defined(__AVX2__)
    // a 12-bit estimate, and one Newton iteration
    const lanes guess = (lanes)_mm256_rsqrt_ps((__m256)a);
    return guess * (1.5F - 0.5F * a * guess * guess);
#else
    return 1.0F / lanes_root(a);
#endif
}

static inline lanes_vector scale_lanes(lanes_vector a, lanes scale) {
    return (lanes_vector){a.x * scale, a.y * scale, a.z * scale};
}

static inline lanes_vector unit_lanes(lanes_vector a) {
    return scale_lanes(a, inverse_root(dot_lanes(a, a)));
}

static inline lanes_vector move_lanes(const float m[3][4], lanes_vector a) {
    return (lanes_vector){m[0][0] * a.x + m[0][1] * a.y + m[0][2] * a.z + m[0][3],
                          m[1][0] * a.x + m[1][1] * a.y + m[1][2] * a.z + m[1][3],
                          m[2][0] * a.x + m[2][1] * a.y + m[2][2] * a.z + m[2][3]};
}

static inline lanes_vector turn_lanes(const float m[3][3], lanes_vector a) {
    return (lanes_vector){m[0][0] * a.x + m[0][1] * a.y + m[0][2] * a.z,
                          m[1][0] * a.x + m[1][1] * a.y + m[1][2] * a.z,
                          m[2][0] * a.x + m[2][1] * a.y + m[2][2] * a.z};
}

static inline lanes_vector between(const lanes_vector corner[3], const lanes weight[3]) {
    return (lanes_vector){
        weight[0] * corner[0].x + weight[1] * corner[1].x + weight[2] * corner[2].x,
        weight[0] * corner[0].y + weight[1] * corner[1].y + weight[2] * corner[2].y,
        weight[0] * corner[0].z + weight[1] * corner[1].z + weight[2] * corner[2].z};
}

// --- lights ------------------------------------------------------------------------------------

// The unit direction to a light, and the fraction of its intensity that arrives.
static inline lanes_vector towards_lamp(const soft_lamp *lamp, lanes_vector at, lanes *arriving) {
    const lanes one = lanes_all(1);
    if (lamp->directional) {
        *arriving = one;
        return (lanes_vector){lanes_all(lamp->position[0]), lanes_all(lamp->position[1]),
                              lanes_all(lamp->position[2])};
    }
    const lanes_vector way = {lamp->position[0] - at.x, lamp->position[1] - at.y,
                              lamp->position[2] - at.z};
    const lanes square = dot_lanes(way, way);
    const lanes inverse = inverse_root(square);
    const lanes distance = square * inverse;
    const lanes_vector unit = scale_lanes(way, inverse);
    const lanes loss =
        lamp->attenuation[0] + lamp->attenuation[1] * distance + lamp->attenuation[2] * square;
    *arriving = one / lanes_most(loss, lanes_all(1e-10F));
    if (lamp->cutoff > -1) {
        const lanes cosine = -(unit.x * lamp->direction[0] + unit.y * lamp->direction[1] +
                               unit.z * lamp->direction[2]);
        const lanes cone = lanes_power(lanes_most(cosine, lanes_all(0)), lamp->exponent);
        *arriving = lanes_pick(cosine >= lamp->cutoff, *arriving * cone, lanes_all(0));
    }
    return unit;
}

// Adds the contribution of a light to a vertex: to the part that is multiplied by the colour, and
// to the highlights.
static inline void add_lamp(const soft_lamp *lamp, lanes_vector at, lanes_vector normal,
                            lanes_vector view, float shininess, float faint, lanes_vector *matte,
                            lanes_vector *gloss) {
    lanes arriving;
    const lanes_vector way = towards_lamp(lamp, at, &arriving);
    const lanes facing = lanes_most(dot_lanes(normal, way), lanes_all(0));
    const lanes_vector half = {way.x + view.x, way.y + view.y, way.z + view.z};
    const lanes shine = dot_lanes(normal, half) * inverse_root(dot_lanes(half, half));
    const lanes lit = facing * arriving;
    matte->x += lamp->ambient[0] * arriving + lamp->diffuse[0] * lit;
    matte->y += lamp->ambient[1] * arriving + lamp->diffuse[1] * lit;
    matte->z += lamp->ambient[2] * arriving + lamp->diffuse[2] * lit;
    // highlights are small: usually none of the eight has one visible in an 8-bit colour
    const lanes_i glossy = (facing > 0) & (shine > faint);
    if (lanes_bits(glossy) == 0) {
        return;
    }
    lanes highlight = lanes_power(lanes_most(shine, lanes_all(0)), shininess) * arriving;
    highlight = lanes_pick(glossy, highlight, lanes_all(0));
    gloss->x += lamp->specular[0] * highlight;
    gloss->y += lamp->specular[1] * highlight;
    gloss->z += lamp->specular[2] * highlight;
}

static inline int count_shadows(const soft_shading *shading) {
    return shading->shadows != NULL ? shading->scene->shadow_count : 0;
}

static inline lanes clamp_unit(lanes a) {
    return lanes_least(lanes_most(a, lanes_all(0)), lanes_all(1));
}

static inline lanes_vector mix_material(const soft_item *item, float dim, float emission,
                                        lanes_vector matte, lanes_vector gloss) {
    const float *c = item->colour;
    return (lanes_vector){clamp_unit(c[0] * dim * (matte.x + emission) + item->specular * gloss.x),
                          clamp_unit(c[1] * dim * (matte.y + emission) + item->specular * gloss.y),
                          clamp_unit(c[2] * dim * (matte.z + emission) + item->specular * gloss.z)};
}

// The colour of a vertex from all lights except the shadow-casting ones (base), and from each of
// these alone (light, with a stride of three for the three vertices).
static inline void light_corner(const soft_shading *shading, const soft_item *item, lanes_vector at,
                                lanes_vector normal, lanes_vector *base, lanes_vector *light) {
    const soft_scene *scene = shading->scene;
    const float *viewpoint = shading->viewpoint->position;
    const lanes_vector away = {viewpoint[0] - at.x * viewpoint[3],
                               viewpoint[1] - at.y * viewpoint[3],
                               viewpoint[2] - at.z * viewpoint[3]};
    const lanes_vector view = unit_lanes(away);
    const lanes nothing = lanes_all(0);
    lanes_vector matte = {nothing + scene->ambient, nothing + scene->ambient,
                          nothing + scene->ambient};
    lanes_vector gloss = {nothing, nothing, nothing};
    for (int k = 0; k < scene->lamp_count; k++) {
        if (!scene->lamps[k].casts || shading->shadows == NULL) {
            add_lamp(&scene->lamps[k], at, normal, view, item->shininess, item->faint, &matte,
                     &gloss);
        }
    }
    *base = mix_material(item, shading->dim, item->emission, matte, gloss);
    for (int k = 0; k < count_shadows(shading); k++) {
        matte = gloss = (lanes_vector){nothing, nothing, nothing};
        add_lamp(&scene->lamps[scene->shadow_lamps[k]], at, normal, view, item->shininess,
                 item->faint, &matte, &gloss);
        light[3 * k] = mix_material(item, shading->dim, 0, matte, gloss);
    }
}

// --- fragments ---------------------------------------------------------------------------------

// Intermediate data of eight fragments.
typedef struct fragment_lanes {
    lanes_vector at[3];          // the vertices in the world,
    lanes_vector coordinate[3];  // their texture coordinates,
    lanes_vector base[3], light[3 * SOFT_MAX_LIGHTS];
    lanes x[3], y[3], w[3];  // and on the screen, times w, relative to the pixel's centre
} fragment_lanes;

// Perspective-correct barycentric weights at a point of the screen, given in subpixels from the
// pixel's centre.
static inline void find_weights(const fragment_lanes *f, float right, float below,
                                lanes weight[3]) {
    lanes x[3], y[3];
    for (int k = 0; k < 3; k++) {
        x[k] = f->x[k] - right * f->w[k];
        y[k] = f->y[k] - below * f->w[k];
    }
    weight[0] = x[1] * y[2] - x[2] * y[1];
    weight[1] = x[2] * y[0] - x[0] * y[2];
    weight[2] = x[0] * y[1] - x[1] * y[0];
    const lanes sum = weight[0] + weight[1] + weight[2];
    const lanes scale = 1.0F / lanes_pick(sum == 0, lanes_all(1), sum);
    for (int k = 0; k < 3; k++) {
        weight[k] *= scale;
    }
}

static inline lanes_i pack_colour(lanes_vector colour) {
    const lanes_i red = lanes_round_i(clamp_unit(colour.x) * 255.0F);
    const lanes_i green = lanes_round_i(clamp_unit(colour.y) * 255.0F);
    const lanes_i blue = lanes_round_i(clamp_unit(colour.z) * 255.0F);
    return red | green << 8 | blue << 16;
}

static inline lanes_vector multiply_lanes(lanes_vector a, lanes_vector b) {
    return (lanes_vector){a.x * b.x, a.y * b.y, a.z * b.z};
}

static lanes_vector find_texture(const soft_texture *texture, const fragment_lanes *f,
                                 const lanes weight[3]) {
    lanes right[3], below[3];
    find_weights(f, SOFT_SUBPIXELS, 0, right);
    find_weights(f, 0, SOFT_SUBPIXELS, below);
    const lanes_vector a = between(f->coordinate, weight);
    const lanes_vector b = between(f->coordinate, right);
    const lanes_vector c = between(f->coordinate, below);
    return read_texture(texture, a, b, c);
}

// Positions in a shadow map, and whether static items block the light there.
static inline lanes_i find_shadow(const soft_target *map, const soft_viewpoint *viewpoint,
                                  lanes_vector at, lanes *depth) {
    const float(*m)[4] = viewpoint->screen;
    const lanes w = 1.0F / (m[3][0] * at.x + m[3][1] * at.y + m[3][2] * at.z + m[3][3]);
    const lanes scale = w * (1.0F / SOFT_SUBPIXELS);
    const lanes x = (m[0][0] * at.x + m[0][1] * at.y + m[0][2] * at.z + m[0][3]) * scale;
    const lanes y = (m[1][0] * at.x + m[1][1] * at.y + m[1][2] * at.z + m[1][3]) * scale;
    *depth = (m[2][0] * at.x + m[2][1] * at.y + m[2][2] * at.z + m[2][3]) * w;
    // outside of the map everything is lit, and so is NaN
    const lanes_i inside =
        (x >= 0) & (x < (float)map->width) & (y >= 0) & (y < (float)map->height) & (w > 0);
    const lanes_i column = lanes_round_i(lanes_floor(x)) & inside;
    const lanes_i row = lanes_round_i(lanes_floor(y)) & inside;
    const lanes_i place =
        (((row >> 1) * map->block_columns + (column >> 2)) << 3) + ((row & 1) << 2) + (column & 3);
    const lanes_i lit = *depth >= lanes_gather(map->depth, place);
    const lanes_i never = lanes_all_i(SOFT_SHADOW_NEVER), always = lanes_all_i(SOFT_SHADOW_ALWAYS);
    return lanes_pick_i(inside, lanes_pick_i(lit, place, always), never);
}

// Object to screen: x, y and w.
typedef struct object_screen {
    float row[3][4];
} object_screen;

static inline uint32_t seen_shape(const soft_shading *shading, const soft_item *item) {
    return shading->mirror ? item->mirror_shape : item->shape;
}

// Loads and lights the vertices of eight triangles.
static inline void gather_corners(const soft_shading *shading, const soft_item *item,
                                  const object_screen *screen, const float *const corner[LANES],
                                  lanes pixel_x, lanes pixel_y, fragment_lanes *f) {
    for (int k = 0; k < 3; k++) {
        const float *from[LANES];
        for (int lane = 0; lane < LANES; lane++) {
            from[lane] = corner[lane] + 8 * k;
        }
        lanes column[LANES];
        lanes_transpose(from, column);
        const lanes_vector object = {column[0], column[1], column[2]};
        const lanes_vector normal = {column[3], column[4], column[5]};
        f->at[k] = move_lanes(item->place, object);
        const lanes_vector seen = move_lanes(screen->row, object);
        f->w[k] = seen.z;
        f->x[k] = seen.x - pixel_x * seen.z;
        f->y[k] = seen.y - pixel_y * seen.z;
        if (item->texture >= 0) {
            const lanes_vector own = {column[6], column[7], lanes_all(0)};
            f->coordinate[k] = item->own_coordinates ? own : move_lanes(item->mapping, object);
        }
        light_corner(shading, item, f->at[k], unit_lanes(turn_lanes(item->normal, normal)),
                     &f->base[k], f->light + k);
    }
}

static inline void put_lit(soft_lit *lit, const uint32_t *order, int count, lanes_i light,
                           lanes_i place, lanes depth) {
    for (int lane = 0; lane < count; lane++) {
        lit->light[order[lane]] = (uint32_t)light[lane];
        lit->place[order[lane]] = place[lane];
        lit->depth[order[lane]] = depth[lane];
    }
}

static void shade_eight(const soft_shading *shading, const soft_item *item,
                        const object_screen *screen, soft_fragments *fragments,
                        const uint32_t *order, int count) {
    const soft_shapes *shapes = shading->shapes;
    const soft_corner(*corners)[3] = (const soft_corner(*)[3])shapes->corners +
                                     shapes->shapes[seen_shape(shading, item)].first_triangle;
    const float *corner[LANES];
    lanes pixel_x, pixel_y;
    for (int lane = 0; lane < LANES; lane++) {
        const uint32_t number = order[lane < count ? lane : 0];
        const uint32_t which = (uint32_t)fragments->seen[number] & ((1U << SOFT_TRIANGLE_BITS) - 1);
        corner[lane] = corners[which][0].position;
        pixel_x[lane] =
            (float)((fragments->pixel[number] & 0xFFFF) * SOFT_SUBPIXELS + SOFT_SUBPIXELS / 2);
        pixel_y[lane] =
            (float)((fragments->pixel[number] >> 16) * SOFT_SUBPIXELS + SOFT_SUBPIXELS / 2);
    }
    fragment_lanes f;
    gather_corners(shading, item, screen, corner, pixel_x, pixel_y, &f);
    lanes weight[3];
    find_weights(&f, 0, 0, weight);
    lanes_vector base = between(f.base, weight);
    lanes_vector texture = {lanes_all(1), lanes_all(1), lanes_all(1)};
    if (item->texture >= 0) {
        texture = find_texture(&shading->textures[item->texture], &f, weight);
        base = multiply_lanes(base, texture);
    }
    const lanes_i packed = pack_colour(base);
    for (int lane = 0; lane < count; lane++) {
        fragments->base[order[lane]] = (uint32_t)packed[lane];
    }
    for (int k = 0; k < count_shadows(shading); k++) {
        const lanes_vector light = multiply_lanes(between(f.light + 3 * k, weight), texture);
        lanes depth;
        const lanes_i place =
            find_shadow(&shading->shadows[k], &shading->scene->shadow_viewpoints[k],
                        between(f.at, weight), &depth);
        put_lit(&fragments->lit[k], order, count, pack_colour(light), place, depth);
    }
}

// Triangles are accessed in random order: prefetches those of four iterations ahead.
static inline void fetch_corners(const soft_shading *shading, const soft_item *item,
                                 const soft_fragments *fragments, const uint32_t *order,
                                 size_t first, size_t last) {
    const soft_shapes *shapes = shading->shapes;
    const soft_corner(*corners)[3] = (const soft_corner(*)[3])shapes->corners +
                                     shapes->shapes[seen_shape(shading, item)].first_triangle;
    for (size_t k = first; k < last; k++) {
        const uint32_t which =
            (uint32_t)fragments->seen[order[k]] & ((1U << SOFT_TRIANGLE_BITS) - 1);
        __builtin_prefetch(&corners[which][0]);
        __builtin_prefetch(&corners[which][2]);
    }
}

static void shade(const soft_shading *shading, const soft_item *item, soft_fragments *fragments,
                  const uint32_t *order, size_t count) {
    static const int rows[3] = {0, 1, 3};
    object_screen screen;
    for (int k = 0; k < 3; k++) {
        const float *row = shading->viewpoint->screen[rows[k]];
        for (int j = 0; j < 4; j++) {
            screen.row[k][j] = (j == 3 ? row[3] : 0) + row[0] * item->place[0][j] +
                               row[1] * item->place[1][j] + row[2] * item->place[2][j];
        }
    }
    fetch_corners(shading, item, fragments, order, 0, count < 4 * LANES ? count : 4 * LANES);
    for (size_t k = 0; k < count; k += LANES) {
        const size_t ahead = k + 4 * LANES;
        fetch_corners(shading, item, fragments, order, ahead,
                      ahead + LANES < count ? ahead + LANES : count);
        shade_eight(shading, item, &screen, fragments, order + k,
                    count - k < LANES ? (int)(count - k) : LANES);
    }
}

static size_t find_dark(const float *map, const soft_lit *lit, size_t first, size_t last,
                        uint32_t *dark) {
    const lanes_i lane = {0, 1, 2, 3, 4, 5, 6, 7};
    size_t found = 0;
    for (size_t k = first; k < last; k += LANES) {
        lanes_i place = lanes_load_i(lit->place + k);
        // elements past the last one are undefined
        const lanes_i tested = (place >= 0) & (lane < (int32_t)(last - k < 8 ? last - k : 8));
        place &= tested;
        const lanes there = lanes_gather(map, place);
        const lanes depth = lanes_load(lit->depth + k);
        int bits = lanes_bits(tested & ~(depth >= there));
        while (bits != 0) {
            dark[found++] = (uint32_t)k + (uint32_t)__builtin_ctz((unsigned)bits);
            bits &= bits - 1;
        }
    }
    return found;
}
