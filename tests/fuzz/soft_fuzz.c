// The rasteriser of the software renderer: any triangles, transforms and cameras, into targets of
// any size. Nothing may be written outside the target; the sanitizers check this.
#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "picture/soft_target.h"

typedef struct input {
    const uint8_t *bytes;
    size_t left;
} input;

static uint32_t take_byte(input *in) {
    if (in->left == 0) {
        return 0;
    }
    in->left--;
    return *in->bytes++;
}

// A value from the input: arbitrary, or of a size that puts things on the screen.
static float take_number(input *in) {
    uint32_t bits = 0;
    for (int k = 0; k < 4; k++) {
        bits = bits << 8 | take_byte(in);
    }
    float number;
    memcpy(&number, &bits, sizeof number);
    return take_byte(in) % 4 == 0 ? number : (float)(int32_t)bits / 1e9F;
}

static void take_viewpoint(input *in, soft_viewpoint *viewpoint, int side) {
    // a camera that looks along z, plus a perturbation
    *viewpoint = (soft_viewpoint){.screen = {{0}}, .position = {0, 0, 0, 1}, .front = 1};
    viewpoint->screen[0][0] = viewpoint->screen[1][1] = 32.0F * (float)side;
    viewpoint->screen[0][2] = viewpoint->screen[1][2] = 32.0F * (float)side;
    viewpoint->screen[2][3] = 0.1F;
    viewpoint->screen[3][2] = 1;
    for (uint32_t k = take_byte(in) % 8; k > 0; k--) {
        viewpoint->screen[take_byte(in) % 4][take_byte(in) % 4] += take_number(in);
    }
    viewpoint->front = take_byte(in) % 2 ? 1 : -1;
    viewpoint->clipped = take_byte(in) % 2 != 0;
    for (int k = 0; k < 4 && viewpoint->clipped; k++) {
        viewpoint->plane[k] = take_number(in);
    }
}

static void take_item(input *in, soft_item *item) {
    memset(item, 0, sizeof *item);
    for (int k = 0; k < 3; k++) {
        item->place[k][k] = item->back[k][k] = item->normal[k][k] = 1;
    }
    item->place[2][3] = 2;
    for (uint32_t k = take_byte(in) % 8; k > 0; k--) {
        item->place[take_byte(in) % 3][take_byte(in) % 4] += take_number(in);
        item->back[take_byte(in) % 3][take_byte(in) % 4] += take_number(in);
    }
}

static tot_status take_shape(input *in, soft_shapes *shapes) {
    const uint32_t count = 1 + take_byte(in) % 100;
    for (uint32_t k = 0; k < count; k++) {
        soft_corner corner[3];
        memset(corner, 0, sizeof corner);
        for (int j = 0; j < 9; j++) {
            corner[j / 3].position[j % 3] = take_number(in);
        }
        const tot_status status = soft_soup_triangle(shapes, corner);
        if (status != TOT_OK) {
            return status;
        }
    }
    return soft_soup_finish(shapes);
}

static void draw_with(const soft_kernel *kernel, const soft_shapes *shapes, const soft_item *item,
                      const soft_viewpoint *viewpoint, int width, int height, int samples) {
    soft_target target = {0};
    if (soft_target_make(&target, width, height, samples) == TOT_OK) {
        const soft_drawing drawing = {shapes,    item,    1,
                                      viewpoint, &target, soft_target_band(&target, 0, 1)};
        if (samples == 0) {
            kernel->draw_shadow(&drawing);
        } else {
            kernel->draw(&drawing);
        }
    }
    soft_target_free(&target);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static const int kinds[3] = {0, 1, 4};
    input in = {bytes, size};
    const int width = 1 + (int)take_byte(&in), height = 1 + (int)take_byte(&in);
    const int samples = kinds[take_byte(&in) % 3];
    soft_viewpoint viewpoint;
    soft_item item;
    soft_shapes shapes = {0};
    take_viewpoint(&in, &viewpoint, width);
    take_item(&in, &item);
    if (take_shape(&in, &shapes) == TOT_OK) {
        draw_with(&soft_portable, &shapes, &item, &viewpoint, width, height, samples);
#if defined(__x86_64__)
        if (tot_cpu() >= TOT_CPU_AVX2) {
            draw_with(&soft_avx2, &shapes, &item, &viewpoint, width, height, samples);
        }
#endif
    }
    soft_shapes_free(&shapes);
    return 0;
}
