// The software renderer from the state of a scene to its bytes: any values for positions, cameras,
// lights, materials and sizes, including NaN and infinity. Nothing may be accessed out of bounds
// (the sanitizers check this), and afterwards the renderer must draw as before.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "picture/soft_state.h"

enum { WIDTH = 21, HEIGHT = 17, BYTES = 3 * WIDTH * HEIGHT, RENDERERS = 4, MOST_ARRAYS = 32 };

static const char scene_text[] =
    "<mujoco><visual><quality numslices='8' numstacks='4' numquads='2'/></visual><asset>"
    "<texture name='sky' type='skybox' builtin='gradient' rgb1='.3 .5 .7' rgb2='0 0 .2' width='8' "
    "height='48'/><texture name='flat' type='2d' builtin='checker' rgb1='.2 .3 .4' "
    "rgb2='.6 .5 .4' width='16' height='16'/><texture name='dice' type='cube' builtin='flat' "
    "mark='cross' rgb1='.8 .5 .3' rgb2='.2 .6 .5' markrgb='1 1 1' width='8' height='48'/>"
    "<material name='floor' texture='flat' texrepeat='4 4' reflectance='.5'/>"
    "<material name='dice' texture='dice' specular='.8' shininess='.6' texuniform='true'/>"
    "<material name='glass' rgba='.7 .3 .2 .5' emission='.1'/>"
    "<mesh name='wedge' vertex='-.2 -.2 0 .2 -.2 0 0 .25 0 0 0 .4'/></asset><worldbody>"
    "<camera pos='0 -2 1.2' xyaxes='1 0 0 0 .45 1'/>"
    "<light pos='1.5 -1 2.5' dir='-1.5 1 -2.5' cutoff='50' exponent='2'/>"
    "<light pos='-2 0 2' dir='2 0 -2' directional='true' diffuse='.2 .3 .5'/>"
    "<geom type='plane' size='1.5 1.5 .1' material='floor'/>"
    "<geom type='box' size='.15 .2 .25' pos='-.5 .1 .25' material='dice'/>"
    "<geom type='mesh' mesh='wedge' pos='.5 -.4 .02' rgba='.3 .7 .3 1'/>"
    "<site type='sphere' size='.05' pos='.2 -.6 .3' rgba='1 0 0 1'/>"
    "<body pos='.1 0 .5'><freejoint/><geom type='sphere' size='.2' material='glass'/></body>"
    "<body pos='.5 .3 .4'><freejoint/><geom type='capsule' size='.1 .15' material='dice'/></body>"
    "</worldbody></mujoco>";

// The values that determine the picture, and their original contents.
typedef struct numbers {
    double *wide;
    float *narrow;
    int count;
    void *kept;
} numbers;

static mjModel *model;
static mjData *data;
static void *renderers[RENDERERS];
static uint8_t expected[RENDERERS][BYTES];
static numbers arrays[MOST_ARRAYS];
static int array_count;

static void need(bool condition) {
    if (!condition) {
        fprintf(stderr, "%s\n", tot_error());
        abort();
    }
}

static void add_array(double *wide, float *narrow, int count) {
    const size_t bytes = (size_t)count * (wide != NULL ? sizeof(double) : sizeof(float));
    numbers *it = &arrays[array_count++];
    *it = (numbers){wide, narrow, count, malloc(bytes + 1)};
    need(array_count <= MOST_ARRAYS && it->kept != NULL);
    memcpy(it->kept, wide != NULL ? (void *)wide : (void *)narrow, bytes);
}

static void restore(void) {
    for (int k = 0; k < array_count; k++) {
        const numbers *it = &arrays[k];
        if (it->wide != NULL) {
            memcpy(it->wide, it->kept, (size_t)it->count * sizeof(double));
        } else {
            memcpy(it->narrow, it->kept, (size_t)it->count * sizeof(float));
        }
    }
}

static void list_arrays(void) {
    const int geoms = (int)model->ngeom, lights = (int)model->nlight, materials = (int)model->nmat;
    add_array(data->geom_xpos, NULL, 3 * geoms);
    add_array(data->geom_xmat, NULL, 9 * geoms);
    add_array(data->site_xpos, NULL, 3 * (int)model->nsite);
    add_array(data->cam_xpos, NULL, 3);
    add_array(data->cam_xmat, NULL, 9);
    add_array(data->light_xpos, NULL, 3 * lights);
    add_array(data->light_xdir, NULL, 3 * lights);
    add_array(model->geom_size, NULL, 3 * geoms);
    add_array(model->cam_fovy, NULL, 1);
    add_array(NULL, model->geom_rgba, 4 * geoms);
    add_array(NULL, model->mat_rgba, 4 * materials);
    add_array(NULL, model->mat_emission, materials);
    add_array(NULL, model->mat_specular, materials);
    add_array(NULL, model->mat_shininess, materials);
    add_array(NULL, model->mat_reflectance, materials);
    add_array(NULL, model->mat_texrepeat, 2 * materials);
    add_array(NULL, model->light_ambient, 3 * lights);
    add_array(NULL, model->light_diffuse, 3 * lights);
    add_array(NULL, model->light_specular, 3 * lights);
    add_array(NULL, model->light_attenuation, 3 * lights);
    add_array(NULL, model->light_cutoff, lights);
    add_array(NULL, model->light_exponent, lights);
}

static tot_status draw(int renderer, uint8_t *rgb) {
    return picture_backend_soft.draw(renderers[renderer], model, data, rgb);
}

static bool load_scene(void *context) {
    char text[500] = "";
    model = world_mujoco.mj_loadXML(context, NULL, text, sizeof text);
    if (model == NULL) {
        fprintf(stderr, "%s\n", text);
        return false;
    }
    data = world_mujoco.mj_makeData(model);
    world_mujoco.mj_forward(model, data);
    return true;
}

// Full and fast, with this CPU's kernels and with the portable ones.
int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    char path[] = "/tmp/temporalot_scene_XXXXXX";
    need(world_mujoco_load() == TOT_OK);
    const int file = mkstemp(path);
    need(file >= 0 && write(file, scene_text, sizeof scene_text - 1) > 0 && close(file) == 0);
    need(world_mujoco_guard(load_scene, path) == TOT_OK && data != NULL);
    unlink(path);
    list_arrays();
    for (int k = 0; k < RENDERERS; k++) {
        const picture_view view = {.quality = k < 2 ? TOT_QUALITY_FULL : TOT_QUALITY_FAST,
                                   .width = WIDTH,
                                   .height = HEIGHT,
                                   .aspect = 1.3,
                                   .zoom = k < 3 ? 1 : 2.5,
                                   .crop = {0, 0, k == 1 ? 0.6 : 1, k == 1 ? 0.5 : 1},
                                   .turned = k % 2 != 0};
        need(picture_backend_soft.create(&renderers[k], model, &view, NULL) == TOT_OK);
        soft_renderer *soft = renderers[k];
        // smaller shadow maps are rendered faster
        soft->request.shadow_size = k < 2 ? 64 : 0;
        if (k % 2 != 0) {
            soft->kernel = &soft_portable;
        }
        need(draw(k, expected[k]) == TOT_OK);
    }
    return 0;
}

typedef struct input {
    const uint8_t *bytes;
    size_t left;
} input;

static uint32_t take(input *in, int bytes) {
    uint32_t value = 0;
    for (; bytes > 0 && in->left > 0; bytes--, in->left--) {
        value = value << 8 | *in->bytes++;
    }
    return value;
}

// A value from the input: arbitrary, one of the worst, or of a size that puts things in the
// picture.
static float take_number(input *in) {
    static const float bad[] = {NAN, INFINITY, -INFINITY, 1e30F, -1e30F, 1e-30F, 0, -0.0F};
    const uint32_t kind = take(in, 1), bits = take(in, 4);
    float number;
    memcpy(&number, &bits, sizeof number);
    switch (kind % 4) {
        case 0:
            return number;
        case 1:
            return bad[bits % 8];
        default:
            return (float)(int32_t)bits / 1e9F;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static uint8_t rgb[BYTES];
    input in = {bytes, size};
    const int renderer = (int)(take(&in, 1) % RENDERERS);
    for (int k = 0; k < 200 && in.left > 0; k++) {
        const numbers *it = &arrays[take(&in, 1) % (uint32_t)array_count];
        const uint32_t place = take(&in, 1) % (uint32_t)it->count;
        const float number = take_number(&in);
        if (it->wide != NULL) {
            it->wide[place] = (double)number;
        } else {
            it->narrow[place] = number;
        }
    }
    const tot_status status = draw(renderer, rgb);
    if (status != TOT_OK) {
        fuzz_check_error();
    }
    need(status == TOT_OK || status == TOT_E_VALUE || status == TOT_E_PHYSICS);
    restore();
    need(draw(renderer, rgb) == TOT_OK);
    need(memcmp(rgb, expected[renderer], BYTES) == 0);
    return 0;
}
