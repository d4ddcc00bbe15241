// From fragments to the colours of pixels.
#include <math.h>
#include <string.h>

#include "picture/soft_state.h"

soft_shading soft_shading_of(const soft_renderer *soft, bool mirror) {
    return (soft_shading){
        .shapes = &soft->shapes,
        .scene = &soft->scene,
        .textures = soft->textures,
        .viewpoint = mirror ? &soft->scene.mirror_viewpoint : &soft->scene.viewpoint,
        .mirror = mirror,
        .dim = mirror ? soft->scene.reflectance : 1,
        // shadows are not drawn in mirrors
        .shadows = mirror ? NULL : soft->shadow_fixed,
    };
}

// Saturating addition per channel.
static inline uint32_t add_colours(uint32_t a, uint32_t b) {
    // red and blue with space for a carry between them, and green separately
    uint32_t outer = (a & 0xFF00FF) + (b & 0xFF00FF), green = (a & 0xFF00) + (b & 0xFF00);
    // a carry fills its channel with ones
    const uint32_t over = outer & 0x1000100;
    outer |= over - (over >> 8);
    green |= green & 0x10000 ? 0xFF00 : 0;
    return (outer & 0xFF00FF) | (green & 0xFF00);
}

typedef struct colour_sum {
    uint32_t red, green, blue;
} colour_sum;

static inline void add_fragment(const soft_renderer *soft, const soft_fragments *fragments,
                                size_t k, unsigned mask, unsigned dark, uint32_t reflection,
                                colour_sum *sum) {
    static const uint8_t counts[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    const uint32_t samples = counts[mask & 15];
    if (samples == 0) {
        return;
    }
    uint32_t colour = fragments->base[k];
    if (fragments->seen[k] >> SOFT_TRIANGLE_BITS == soft->scene.mirror + 1) {
        colour = add_colours(colour, reflection);
    }
    for (int j = 0; j < fragments->shadows; j++) {
        const soft_lit *lit = &fragments->lit[j];
        if (!(dark >> j & 1) && lit->place[k] != SOFT_SHADOW_ALWAYS) {
            colour = add_colours(colour, lit->light[k]);
        }
    }
    sum->red += samples * (colour & 255);
    sum->green += samples * (colour >> 8 & 255);
    sum->blue += samples * (colour >> 16 & 255);
}

unsigned soft_mirror_mask(const soft_renderer *soft, const soft_target *camera, uint32_t pixel) {
    const size_t x = pixel & 0xFFFF, y = pixel >> 16;
    const bool four = camera->samples == 4;
    const size_t block =
        (y >> camera->row_shift) * (size_t)camera->block_columns + (x >> camera->column_shift);
    const int32_t *seen =
        camera->seen + SOFT_BLOCK * block + (four ? 4 * (x & 1) : 4 * (y & 1) + (x & 3));
    unsigned mask = 0;
    for (int k = 0; k < camera->samples; k++) {
        mask |= (unsigned)(seen[k] >> SOFT_TRIANGLE_BITS == soft->scene.mirror + 1) << k;
    }
    return mask;
}

uint32_t soft_compose(const soft_renderer *soft, const soft_layer *layer, uint32_t pixel,
                      unsigned wanted, const soft_fragments *moving, const uint8_t *moving_dark) {
    // division by 1 to 4, as a multiplication
    static const uint32_t inverse[5] = {0, 65536, 32768, 21846, 16384};
    if (wanted == 0) {
        return 0;
    }
    const size_t index = soft_index(soft, pixel);
    const uint32_t reflection =
        soft->scene.mirror >= 0 && layer == &soft->camera ? soft->mirror_now[index] : 0;
    colour_sum sum = {0, 0, 0};
    unsigned covered = 0;
    const uint32_t first_moving = layer->moving_first[index];
    for (uint32_t k = first_moving; k < first_moving + layer->moving_count[index]; k++) {
        covered |= moving->mask[k];
        add_fragment(soft, moving, k, moving->mask[k] & wanted,
                     moving_dark != NULL ? moving_dark[k] : 0, reflection, &sum);
    }
    const uint32_t first = layer->first[index];
    for (uint32_t k = first; k < first + layer->count[index]; k++) {
        add_fragment(soft, &layer->fragments, k, layer->fragments.mask[k] & wanted & ~covered,
                     layer->dark != NULL ? layer->dark[k] : 0, reflection, &sum);
    }
    const uint32_t samples = (uint32_t)__builtin_popcount(wanted), half = samples / 2;
    const uint32_t scale = inverse[samples];
    return (sum.red + half) * scale >> 16 | (sum.green + half) * scale >> 16 << 8 |
           (sum.blue + half) * scale >> 16 << 16;
}

// The viewing direction at a point of the screen, in subpixels.
static void look(const soft_viewpoint *viewpoint, float x, float y, float direction[3]) {
    // it lies on the planes of the screen through x and through y
    float a[3], b[3];
    for (int k = 0; k < 3; k++) {
        a[k] = viewpoint->screen[0][k] - x * viewpoint->screen[3][k];
        b[k] = viewpoint->screen[1][k] - y * viewpoint->screen[3][k];
    }
    direction[0] = a[1] * b[2] - a[2] * b[1];
    direction[1] = a[2] * b[0] - a[0] * b[2];
    direction[2] = a[0] * b[1] - a[1] * b[0];
    float forward = 0, size = 0;
    for (int k = 0; k < 3; k++) {
        // w increases in front of the camera; with a parallel projection, depth decreases
        forward += direction[k] * (viewpoint->position[3] != 0 ? viewpoint->screen[3][k]
                                                               : -viewpoint->screen[2][k]);
        size += direction[k] * direction[k];
    }
    const float scale = (forward < 0 ? -1.0F : 1.0F) / sqrtf(fmaxf(size, 1e-30F));
    for (int k = 0; k < 3; k++) {
        direction[k] *= scale;
    }
}

static void look_at_sky(const soft_viewpoint *viewpoint, float x, float y, float out[3]) {
    float direction[3];
    look(viewpoint, x, y, direction);
    // the axes of the sky: y is up
    out[0] = direction[0];
    out[1] = direction[2];
    out[2] = -direction[1];
}

uint32_t soft_sky(const soft_renderer *soft, uint32_t pixel) {
    if (soft->sky < 0) {
        return 0;
    }
    const float x = (float)((pixel & 0xFFFF) * SOFT_SUBPIXELS + SOFT_SUBPIXELS / 2);
    const float y = (float)((pixel >> 16) * SOFT_SUBPIXELS + SOFT_SUBPIXELS / 2);
    soft_texture_point point;
    look_at_sky(&soft->scene.viewpoint, x, y, point.here);
    look_at_sky(&soft->scene.viewpoint, x + SOFT_SUBPIXELS, y, point.right);
    look_at_sky(&soft->scene.viewpoint, x, y + SOFT_SUBPIXELS, point.below);
    float rgb[3];
    soft_texture_read_cube(&soft->textures[soft->sky], &point, rgb);
    uint32_t colour = 0;
    for (int k = 0; k < 3; k++) {
        colour |= (uint32_t)(fminf(rgb[k], 1) * 255 + 0.5F) << (8 * k);
    }
    return colour;
}

void soft_put(const soft_renderer *soft, uint8_t *rgb, uint32_t pixel, uint32_t colour) {
    const size_t pixels = (size_t)soft->view.width * (size_t)soft->view.height;
    const size_t index = soft_index(soft, pixel);
    uint8_t *to = rgb + 3 * (soft->view.turned ? pixels - 1 - index : index);
    to[0] = (uint8_t)(colour & 255);
    to[1] = (uint8_t)(colour >> 8 & 255);
    to[2] = (uint8_t)(colour >> 16 & 255);
}
