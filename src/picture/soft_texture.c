#include "picture/soft_texture.h"

#include "base/base.h"

// per side; six such faces with their mipmap levels fit 31-bit indices
enum { MOST_TEXELS = 8192 };

// --- creation ----------------------------------------------------------------------------------

static uint32_t pack_texel(const uint8_t *from, int channels) {
    const uint32_t red = from[0];
    const uint32_t green = channels >= 3 ? from[1] : red;
    const uint32_t blue = channels >= 3 ? from[2] : red;
    return red | green << 8 | blue << 16;
}

// Bilinear interpolation of four texels; u and v are the position between them.
static uint32_t mix_texels(const uint32_t texel[4], float u, float v) {
    uint32_t out = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        const float top =
            (float)(texel[0] >> shift & 255) * (1 - u) + (float)(texel[1] >> shift & 255) * u;
        const float bottom =
            (float)(texel[2] >> shift & 255) * (1 - u) + (float)(texel[3] >> shift & 255) * u;
        out |= (uint32_t)(top * (1 - v) + bottom * v + 0.5F) << shift;
    }
    return out;
}

static int clamp_index(int index, int size) {
    return index < 0 ? 0 : index >= size ? size - 1 : index;
}

// Fills one face of a mipmap level by sampling the level above half-way between its texels.
static void shrink(const uint32_t *from, int from_width, int from_height, uint32_t *to, int width,
                   int height) {
    for (int y = 0; y < height; y++) {
        const float v = ((float)y + 0.5F) * (float)from_height / (float)height - 0.5F;
        const int y0 = clamp_index((int)floorf(v), from_height);
        const int y1 = clamp_index(y0 + 1, from_height);
        for (int x = 0; x < width; x++) {
            const float u = ((float)x + 0.5F) * (float)from_width / (float)width - 0.5F;
            const int x0 = clamp_index((int)floorf(u), from_width);
            const int x1 = clamp_index(x0 + 1, from_width);
            const uint32_t texel[4] = {
                from[(size_t)y0 * (size_t)from_width + (size_t)x0],
                from[(size_t)y0 * (size_t)from_width + (size_t)x1],
                from[(size_t)y1 * (size_t)from_width + (size_t)x0],
                from[(size_t)y1 * (size_t)from_width + (size_t)x1],
            };
            to[(size_t)y * (size_t)width + (size_t)x] =
                mix_texels(texel, u - floorf(u), v - floorf(v));
        }
    }
}

static size_t face_size(const soft_texture *texture, int level) {
    return (size_t)texture->width[level] * (size_t)texture->height[level];
}

static void plan_levels(soft_texture *texture, int width, int height, size_t *texels) {
    const size_t faces = texture->cube ? 6 : 1;
    *texels = 0;
    texture->levels = 0;
    do {
        const int level = texture->levels++;
        texture->width[level] = width;
        texture->height[level] = height;
        texture->first[level] = (int32_t)*texels;
        *texels += faces * face_size(texture, level);
        if (width == 1 && height == 1) {
            break;
        }
        width = width > 1 ? width / 2 : 1;
        height = height > 1 ? height / 2 : 1;
    } while (texture->levels < SOFT_MAX_LEVELS);
}

tot_status soft_texture_make(soft_texture *texture, const mjModel *model, int number) {
    const int width = model->tex_width[number], height = model->tex_height[number];
    const int channels = model->tex_nchannel[number];
    texture->cube = model->tex_type[number] != mjTEXTURE_2D;
    BASE_FAIL_IF(width < 1 || height < 1 || channels < 1, TOT_E_FORMAT,
                 "texture %d of the scene: %d x %d with %d channels", number, width, height,
                 channels);
    // a cube map is one square for all faces, or six stacked vertically
    const bool separate = texture->cube && width != height;
    BASE_FAIL_IF(separate && height / 6 < width, TOT_E_FORMAT,
                 "texture %d of the scene: %d x %d is no cube", number, width, height);
    BASE_FAIL_IF(width > MOST_TEXELS || height > MOST_TEXELS, TOT_E_UNSUPPORTED,
                 "texture %d of the scene: %d x %d, at most %d a side", number, width, height,
                 MOST_TEXELS);
    size_t texels;
    plan_levels(texture, width, texture->cube ? width : height, &texels);
    BASE_ALLOC(texture->texels, texels, "a texture");
    const uint8_t *data = model->tex_data + model->tex_adr[number];
    const size_t faces = texture->cube ? 6 : 1;
    const size_t size = face_size(texture, 0);
    for (size_t k = 0; k < faces * size; k++) {
        const size_t from = separate ? k : k % size;
        texture->texels[k] = pack_texel(data + from * (size_t)channels, channels);
    }
    for (int level = 1; level < texture->levels; level++) {
        for (size_t face = 0; face < faces; face++) {
            shrink(
                texture->texels + texture->first[level - 1] + face * face_size(texture, level - 1),
                texture->width[level - 1], texture->height[level - 1],
                texture->texels + texture->first[level] + face * face_size(texture, level),
                texture->width[level], texture->height[level]);
        }
    }
    return TOT_OK;
}

void soft_texture_free(soft_texture *texture) {
    base_free(texture->texels);
    *texture = (soft_texture){0};
}

// --- reading -----------------------------------------------------------------------------------

// Adds weight times the colour of a level at s, t (0 .. 1).
static void read_level(const soft_texture *texture, int level, size_t face, float s, float t,
                       float weight, float rgb[3]) {
    const int width = texture->width[level], height = texture->height[level];
    const uint32_t *texels =
        texture->texels + texture->first[level] + face * face_size(texture, level);
    const float u = s * (float)width - 0.5F, v = t * (float)height - 0.5F;
    const float u0 = floorf(u), v0 = floorf(v);
    int x[2] = {(int)u0, (int)u0 + 1}, y[2] = {(int)v0, (int)v0 + 1};
    for (int k = 0; k < 2; k++) {
        x[k] = clamp_index(x[k], width);
        y[k] = clamp_index(y[k], height);
    }
    for (int j = 0; j < 2; j++) {
        for (int i = 0; i < 2; i++) {
            const uint32_t texel = texels[(size_t)y[j] * (size_t)width + (size_t)x[i]];
            const float part = weight * (i == 1 ? u - u0 : 1 - (u - u0)) *
                               (j == 1 ? v - v0 : 1 - (v - v0)) / 255.0F;
            rgb[0] += part * (float)(texel & 255);
            rgb[1] += part * (float)(texel >> 8 & 255);
            rgb[2] += part * (float)(texel >> 16 & 255);
        }
    }
}

// The cube face hit by a direction: twice the axis with the largest component, plus one if it is
// negative; in OpenGL's order.
static size_t find_face(const float direction[3]) {
    size_t axis = 0;
    for (size_t k = 1; k < 3; k++) {
        if (fabsf(direction[k]) > fabsf(direction[axis])) {
            axis = k;
        }
    }
    return 2 * axis + (direction[axis] < 0);
}

static void on_face(const float direction[3], size_t face, float st[2]) {
    static const struct {
        int s, t, s_sign, t_sign;
    } faces[6] = {{2, 1, -1, -1}, {2, 1, 1, -1}, {0, 2, 1, 1},
                  {0, 2, 1, -1},  {0, 1, 1, -1}, {0, 1, -1, -1}};
    const float size = fmaxf(fabsf(direction[face / 2]), 1e-20F);
    st[0] = 0.5F + 0.5F * (float)faces[face].s_sign * direction[faces[face].s] / size;
    st[1] = 0.5F + 0.5F * (float)faces[face].t_sign * direction[faces[face].t] / size;
}

void soft_texture_read_cube(const soft_texture *texture, const soft_texture_point *point,
                            float rgb[3]) {
    const size_t face = find_face(point->here);
    float here[2], neighbour[2][2];
    on_face(point->here, face, here);
    on_face(point->right, face, neighbour[0]);
    on_face(point->below, face, neighbour[1]);
    float shrinking = 0;
    for (int k = 0; k < 2; k++) {
        const float ds = (neighbour[k][0] - here[0]) * (float)texture->width[0];
        const float dt = (neighbour[k][1] - here[1]) * (float)texture->height[0];
        shrinking = fmaxf(shrinking, ds * ds + dt * dt);
    }
    const float level = 0.5F * log2f(fmaxf(shrinking, 1e-20F));
    rgb[0] = rgb[1] = rgb[2] = 0;
    // also rejects NaN, which must not be converted to an index
    if (!(here[0] >= -1 && here[0] <= 2 && here[1] >= -1 && here[1] <= 2)) {
        return;
    }
    if (!(level > 0)) {
        read_level(texture, 0, face, here[0], here[1], 1, rgb);
    } else if (level >= (float)(texture->levels - 1)) {
        read_level(texture, texture->levels - 1, face, here[0], here[1], 1, rgb);
    } else {
        const int upper = (int)level;
        read_level(texture, upper, face, here[0], here[1], 1 - (level - (float)upper), rgb);
        read_level(texture, upper + 1, face, here[0], here[1], level - (float)upper, rgb);
    }
}
