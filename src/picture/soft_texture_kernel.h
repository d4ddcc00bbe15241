// Sampling textures at eight points at once, like soft_texture_read_cube for one. Included by
// soft_shade_kernel.h.
#include "picture/lanes.h"
#include "picture/soft_texture.h"

typedef struct lanes_vector {
    lanes x, y, z;
} lanes_vector;

// The cube faces hit by eight directions.
typedef struct cube_faces {
    lanes_i along_y, along_z;  // else along x
    lanes sign;
    lanes_i number;
} cube_faces;

static inline cube_faces find_faces(lanes_vector d) {
    cube_faces f;
    f.along_y = lanes_size(d.y) > lanes_size(d.x);
    f.along_z = lanes_size(d.z) > lanes_most(lanes_size(d.x), lanes_size(d.y));
    f.along_y &= ~f.along_z;
    const lanes most = lanes_pick(f.along_z, d.z, lanes_pick(f.along_y, d.y, d.x));
    const lanes_i negative = most < 0;
    f.sign = lanes_pick(negative, lanes_all(-1), lanes_all(1));
    f.number = (f.along_y & 2) + (f.along_z & 4) + (negative & 1);
    return f;
}

static inline void on_faces(const cube_faces *f, lanes_vector d, lanes *s, lanes *t) {
    const lanes most = lanes_pick(f->along_z, d.z, lanes_pick(f->along_y, d.y, d.x)) * f->sign;
    const lanes half = 0.5F / lanes_most(most, lanes_all(1e-20F));
    const lanes across =
        lanes_pick(f->along_z, d.x * f->sign, lanes_pick(f->along_y, d.x, -d.z * f->sign));
    const lanes up = lanes_pick(f->along_y, d.z * f->sign, -d.y);
    *s = 0.5F + half * across;
    *t = 0.5F + half * up;
}

// An integer from 0 to size - 1: wrapped, or clamped. Also for NaN.
static inline lanes_i inside_texture(lanes at, lanes_i size, bool repeated) {
    lanes_i index = lanes_round_i(at);
    if (repeated) {
        index += (index < 0) & size;
        index -= (index >= size) & size;
    }
    index = lanes_pick_i(index < 0, lanes_all_i(0), index);
    return lanes_pick_i(index >= size, size - 1, index);
}

static inline void add_texels(const soft_texture *texture, lanes_i place, lanes weight,
                              lanes_vector *rgb) {
    const lanes_i texel = lanes_gather_i((const int32_t *)texture->texels, place);
    rgb->x += weight * lanes_from_i(texel & 255);
    rgb->y += weight * lanes_from_i(texel >> 8 & 255);
    rgb->z += weight * lanes_from_i(texel >> 16 & 255);
}

// Adds weight times the colours of a level.
static inline void read_levels(const soft_texture *texture, lanes_i level, lanes_i face, lanes s,
                               lanes t, lanes weight, lanes_vector *rgb) {
    const lanes_i width = lanes_gather_i(texture->width, level);
    const lanes_i height = lanes_gather_i(texture->height, level);
    const lanes_i first = lanes_gather_i(texture->first, level) + face * width * height;
    const lanes u = s * lanes_from_i(width) - 0.5F, v = t * lanes_from_i(height) - 0.5F;
    const lanes u0 = lanes_floor(u), v0 = lanes_floor(v);
    const bool repeated = !texture->cube;
    const lanes_i x0 = inside_texture(u0, width, repeated);
    const lanes_i x1 = inside_texture(u0 + 1.0F, width, repeated);
    const lanes_i y0 = first + width * inside_texture(v0, height, repeated);
    const lanes_i y1 = first + width * inside_texture(v0 + 1.0F, height, repeated);
    const lanes right = u - u0, below = v - v0;
    add_texels(texture, y0 + x0, weight * (1.0F - right) * (1.0F - below), rgb);
    add_texels(texture, y0 + x1, weight * right * (1.0F - below), rgb);
    add_texels(texture, y1 + x0, weight * (1.0F - right) * below, rgb);
    add_texels(texture, y1 + x1, weight * right * below, rgb);
}

// The squared distance of two points in texels.
static inline lanes texel_distance(const soft_texture *texture, lanes ds, lanes dt) {
    ds *= (float)texture->width[0];
    dt *= (float)texture->height[0];
    return ds * ds + dt * dt;
}

// The colours, 0 to 1, at texture coordinates `here`; right and below are the coordinates one pixel
// away.
static inline lanes_vector read_texture(const soft_texture *texture, lanes_vector here,
                                        lanes_vector right, lanes_vector below) {
    lanes s = here.x, t = here.y;
    lanes_i face = lanes_all_i(0);
    lanes shrinking;
    if (texture->cube) {
        const cube_faces faces = find_faces(here);
        lanes rs, rt, bs, bt;
        on_faces(&faces, here, &s, &t);
        on_faces(&faces, right, &rs, &rt);
        on_faces(&faces, below, &bs, &bt);
        face = faces.number;
        shrinking = lanes_most(texel_distance(texture, rs - s, rt - t),
                               texel_distance(texture, bs - s, bt - t));
    } else {
        shrinking = lanes_most(texel_distance(texture, right.x - s, right.y - t),
                               texel_distance(texture, below.x - s, below.y - t));
        s -= lanes_floor(s);
        t -= lanes_floor(t);
    }
    lanes level = 0.5F * lanes_log2(lanes_most(shrinking, lanes_all(1e-20F)));
    level = lanes_least(lanes_most(level, lanes_all(0)), lanes_all((float)(texture->levels - 1)));
    const lanes upper = lanes_floor(level);
    const lanes_i first = lanes_round_i(upper);
    const lanes_i last = lanes_all_i(texture->levels - 1);
    const lanes_i second = lanes_pick_i(first >= last, last, first + 1);
    const lanes weight = (level - upper) * (1.0F / 255);
    lanes_vector rgb = {lanes_all(0), lanes_all(0), lanes_all(0)};
    read_levels(texture, first, face, s, t, 1.0F / 255 - weight, &rgb);
    if (lanes_bits(weight > 0) != 0) {
        read_levels(texture, second, face, s, t, weight, &rgb);
    }
    return rgb;
}
