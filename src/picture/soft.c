// The software renderer, and the steps of drawing a picture.
#include "base/base.h"
#include "base/kernels.h"
#include "picture/soft_state.h"

enum {
    SHADOW_SIZE = 1024,  // texels per side: half of MuJoCo's, still finer than the pixels it covers
    MOST_BANDS = 64,
    CAMERA_DETAILS = 3,
    MOST_PIXELS = 5 << 18,  // larger pictures are drawn in parts: a pixel takes 250 bytes
};

// --- creation ----------------------------------------------------------------------------------

static tot_status make_textures(soft_renderer *soft, const mjModel *model) {
    soft->sky = -1;
    BASE_ALLOC_ZERO(soft->textures, (size_t)model->ntex + 1, "textures");
    for (int k = 0; k < model->ntex; k++) {
        soft->texture_count = k + 1;
        BASE_TRY(soft_texture_make(&soft->textures[k], model, k));
        if (model->tex_type[k] == mjTEXTURE_SKYBOX && soft->sky < 0) {
            soft->sky = k;
        }
    }
    return TOT_OK;
}

// Allocates the per-pixel memory of a layer.
static tot_status make_layer(soft_renderer *soft, soft_layer *layer) {
    const size_t pixels = (size_t)soft->view.width * (size_t)soft->view.height;
    layer->row_first = base_alloc_zero((size_t)soft->view.height + 2, sizeof(uint32_t), "a layer");
    layer->first = base_alloc_zero(pixels, sizeof(uint32_t), "a layer");
    layer->count = base_alloc_zero(pixels, 1, "a layer");
    layer->moving_first = base_alloc_zero(pixels, sizeof(uint32_t), "a layer");
    layer->moving_count = base_alloc_zero(pixels, 1, "a layer");
    BASE_HAVE(layer->row_first, layer->first, layer->count, layer->moving_first,
              layer->moving_count);
    return TOT_OK;
}

static tot_status make_work(soft_renderer *soft) {
    soft->bands = soft->pool != NULL ? tot_pool_threads(soft->pool) : 1;
    soft->bands = soft->bands > MOST_BANDS ? MOST_BANDS : soft->bands;
    BASE_ALLOC_ZERO(soft->work, (size_t)soft->bands, "a renderer's threads");
    for (int k = 0; k < soft->bands; k++) {
        // a band's rows, rounded up to whole blocks
        const size_t rows = (size_t)(soft->view.height / soft->bands) + 4;
        soft_band_work *work = &soft->work[k];
        work->counts = base_alloc(SOFT_MAX_ITEMS + 2, sizeof(uint32_t), "sorting");
        work->queue = base_alloc(rows * (size_t)soft->view.width, sizeof(uint32_t), "a picture");
        BASE_HAVE(work->counts, work->queue);
    }
    return TOT_OK;
}

static tot_status make_memory(soft_renderer *soft) {
    const size_t pixels = (size_t)soft->view.width * (size_t)soft->view.height;
    soft->drawn = base_alloc(SOFT_MAX_ITEMS, sizeof *soft->drawn, "the picture's parts");
    soft->still_count =
        base_alloc_zero(SOFT_MAX_ITEMS, sizeof *soft->still_count, "the picture's parts");
    soft->drawn_scene = base_alloc_zero(1, sizeof *soft->drawn_scene, "the picture's parts");
    soft->mirror_fixed = base_alloc_zero(pixels, sizeof(uint32_t), "a mirror");
    soft->mirror_now = base_alloc_zero(pixels, sizeof(uint32_t), "a mirror");
    soft->fixed_rgb = base_alloc_zero(pixels, 3, "a picture");
    soft->queued = base_alloc_zero(pixels, 1, "a picture");
    BASE_HAVE(soft->drawn, soft->still_count, soft->drawn_scene, soft->mirror_fixed,
              soft->mirror_now, soft->fixed_rgb, soft->queued);
    return TOT_OK;
}

static tot_status check_shapes(const soft_shapes *shapes) {
    for (size_t k = 0; k < shapes->shape_count; k++) {
        BASE_FAIL_IF(shapes->shapes[k].triangles >= 1U << SOFT_TRIANGLE_BITS, TOT_E_UNSUPPORTED,
                     "shape %zu of the scene: %u triangles, at most %u can be drawn", k,
                     shapes->shapes[k].triangles, (1U << SOFT_TRIANGLE_BITS) - 1);
    }
    return TOT_OK;
}

static tot_status fill(soft_renderer *soft, const mjModel *model) {
    const int width = soft->view.width, height = soft->view.height;
    const bool full = soft->view.quality == TOT_QUALITY_FULL;
    soft->samples = full ? 4 : 1;
    soft->kernel = BASE_KERNELS_GET(soft);
    soft->request =
        (soft_scene_request){width, soft->height, 0, &soft->view, full ? SHADOW_SIZE : 0};
    // mirrors and shadows use coarser meshes than the camera
    BASE_TRY(soft_shapes_make(&soft->shapes, model, full ? SOFT_DETAILS : CAMERA_DETAILS));
    BASE_TRY(check_shapes(&soft->shapes));
    BASE_TRY(make_textures(soft, model));
    BASE_TRY(soft_scene_make(&soft->scene, model, soft->view.camera));
    BASE_TRY(make_memory(soft));
    BASE_TRY(make_work(soft));
    BASE_TRY(make_layer(soft, &soft->camera));
    BASE_TRY(make_layer(soft, &soft->mirror));
    BASE_TRY(soft_target_make(&soft->camera.fixed, width, height, soft->samples));
    BASE_TRY(soft_target_make(&soft->camera.target, width, height, soft->samples));
    return TOT_OK;
}

static void free_layer(soft_layer *layer) {
    soft_target_free(&layer->fixed);
    soft_target_free(&layer->target);
    soft_fragments_free(&layer->fragments);
    BASE_RELEASE(layer->row_first, layer->first, layer->count, layer->dark, layer->reaches,
                 layer->moving_first, layer->moving_count);
}

static void soft_free(void *state) {
    soft_renderer *soft = state;
    soft_shapes_free(&soft->shapes);
    for (int k = 0; k < soft->texture_count; k++) {
        soft_texture_free(&soft->textures[k]);
    }
    base_free(soft->textures);
    soft_scene_free(&soft->scene);
    free_layer(&soft->camera);
    free_layer(&soft->mirror);
    for (int k = 0; k < SOFT_MAX_LIGHTS; k++) {
        soft_target_free(&soft->shadow_fixed[k]);
        soft_target_free(&soft->shadow_moving[k]);
    }
    soft_target_free(&soft->transparent);
    BASE_RELEASE(soft->mirror_fixed, soft->mirror_now, soft->fixed_rgb, soft->queued);
    for (int k = 0; soft->work != NULL && k < soft->bands; k++) {
        soft_fragments_free(&soft->work[k].moving);
        soft_fragments_free(&soft->work[k].moving_mirror);
        soft_fragments_free(&soft->work[k].transparent);
        BASE_RELEASE(soft->work[k].dark, soft->work[k].moving_dark, soft->work[k].queue,
                     soft->work[k].counts);
    }
    BASE_RELEASE(soft->work, soft->drawn, soft->still_count, soft->drawn_scene, soft);
}

static tot_status soft_create(void **state, const mjModel *model, const picture_view *view,
                              tot_pool *pool) {
    BASE_NEW(soft_renderer, soft, "a renderer");
    soft->view = *view;
    soft->height = view->height;
    if (view->width * view->height > MOST_PIXELS) {
        soft->view.height = MOST_PIXELS / view->width;
    }
    soft->pool = pool;
    BASE_GIVE(fill(soft, model), state, soft, soft_free);
}

// --- a picture ---------------------------------------------------------------------------------

static bool overlap(soft_band *band, const soft_band *window) {
    band->first_row = band->first_row > window->first_row ? band->first_row : window->first_row;
    band->last_row = band->last_row < window->last_row ? band->last_row : window->last_row;
    band->first_column = window->first_column;
    band->last_column = window->last_column;
    return band->first_row < band->last_row && band->first_column < band->last_column;
}

// Draws the moving items into one band of a layer.
static void draw_moving(soft_renderer *soft, soft_layer *layer, const soft_viewpoint *viewpoint,
                        int index) {
    soft_band band = soft_target_band(&layer->target, index, soft->bands);
    soft_target_restore(&layer->target, &layer->fixed, &band);
    if (overlap(&band, &layer->window)) {
        soft_draw_items(soft, viewpoint, &layer->target, &band, false);
    }
}

static void draw_moving_shadow(soft_renderer *soft, int lamp, int index) {
    soft_target *map = &soft->shadow_moving[lamp];
    const soft_band band = soft_target_band(map, index, soft->bands);
    soft_target_restore(map, NULL, &band);
    soft_draw_items(soft, &soft->scene.shadow_viewpoints[lamp], map, &band, false);
}

static tot_status draw_job(void *context, size_t index, int worker) {
    (void)worker;
    soft_renderer *soft = context;
    const int band = (int)index % soft->bands, what = (int)index / soft->bands;
    if (what == 0) {
        draw_moving(soft, &soft->camera, &soft->scene.viewpoint, band);
    } else if (what <= soft->scene.shadow_count) {
        draw_moving_shadow(soft, what - 1, band);
    } else {
        draw_moving(soft, &soft->mirror, &soft->scene.mirror_viewpoint, band);
    }
    return TOT_OK;
}

// Collects and shades the moving fragments in one band of a layer, and queues their pixels.
static tot_status colour_moving(soft_renderer *soft, soft_layer *layer, int band,
                                soft_fragments *moving) {
    soft_band_work *work = &soft->work[band];
    const soft_target *target = &layer->target;
    const soft_band rows = soft_target_band(target, band, soft->bands);
    moving->count = 0;
    moving->shadows = layer == &soft->camera ? soft->scene.shadow_count : 0;
    for (int row = rows.first_row; row < rows.last_row; row++) {
        BASE_TRY(soft_fragments_collect(moving, target, &layer->fixed, row, target->dirty_low[row],
                                        target->dirty_high[row], false));
    }
    const soft_shading shading = soft_shading_of(soft, layer == &soft->mirror);
    soft_fragments_shade(moving, &shading, soft->kernel, work->counts);
    for (size_t k = 0; k < moving->count; k++) {
        const size_t index = soft_index(soft, moving->pixel[k]);
        if (layer->moving_count[index]++ == 0) {
            layer->moving_first[index] = (uint32_t)k;
            soft_queue(soft, work, moving->pixel[k]);
        }
    }
    return TOT_OK;
}

// The blocks of the shadow map that moving items may have changed.
static soft_reach find_reach(const soft_target *map) {
    soft_reach reach = {INT16_MAX, -1, INT16_MAX, -1};
    for (int row = 0; row < map->block_rows; row++) {
        if (map->dirty_low[row] > map->dirty_high[row]) {
            continue;
        }
        reach.top = row < reach.top ? (int16_t)row : reach.top;
        reach.bottom = (int16_t)row;
        reach.left = map->dirty_low[row] < reach.left ? (int16_t)map->dirty_low[row] : reach.left;
        reach.right =
            map->dirty_high[row] > reach.right ? (int16_t)map->dirty_high[row] : reach.right;
    }
    return reach;
}

// Marks the fragments in the shadow of moving items.
static void find_shadows_of(soft_renderer *soft, int lamp, int band) {
    soft_band_work *work = &soft->work[band];
    soft_layer *camera = &soft->camera;
    const soft_band rows = soft_target_band(&camera->target, band, soft->bands);
    const size_t first = camera->row_first[rows.first_row];
    const size_t last = camera->row_first[rows.last_row];
    const float *map = soft->shadow_moving[lamp].depth;
    const uint8_t bit = (uint8_t)(1U << lamp);
    uint32_t *dark = work->dark + work->dark_count;
    size_t found =
        soft->kernel->find_dark(map, &work->moving.lit[lamp], 0, work->moving.count, dark);
    for (size_t k = 0; k < found; k++) {
        work->moving_dark[dark[k]] |= bit;
    }
    const size_t groups = (camera->fragments.count + SOFT_REACH - 1) / SOFT_REACH;
    const soft_reach *reaches = camera->reaches + (size_t)lamp * groups;
    const soft_reach shadow = find_reach(&soft->shadow_moving[lamp]);
    found = 0;
    for (size_t k = first; k < last;) {
        const soft_reach *reach = &reaches[k / SOFT_REACH];
        const size_t next = (k / SOFT_REACH + 1) * SOFT_REACH;
        const size_t end = next < last ? next : last;
        if (reach->left <= shadow.right && reach->right >= shadow.left &&
            reach->top <= shadow.bottom && reach->bottom >= shadow.top) {
            found +=
                soft->kernel->find_dark(map, &camera->fragments.lit[lamp], k, end, dark + found);
        }
        k = end;
    }
    for (size_t k = 0; k < found; k++) {
        camera->dark[dark[k]] |= bit;
    }
    work->dark_count += found;
}

// The same for all lights, and queues the pixels.
static tot_status find_shadows(soft_renderer *soft, int band) {
    soft_band_work *work = &soft->work[band];
    const soft_layer *camera = &soft->camera;
    const soft_band rows = soft_target_band(&camera->target, band, soft->bands);
    const size_t fixed = camera->row_first[rows.last_row] - camera->row_first[rows.first_row];
    const size_t lamps = (size_t)soft->scene.shadow_count;
    const size_t most = lamps * fixed + work->moving.count;
    BASE_RESERVE(work->dark, work->dark_capacity, most, "a picture's shadows");
    BASE_RESERVE(work->moving_dark, work->moving_dark_capacity, work->moving.count,
                 "a picture's shadows");
    memset(work->moving_dark, 0, work->moving.count);
    for (int k = 0; k < soft->scene.shadow_count; k++) {
        find_shadows_of(soft, k, band);
    }
    for (size_t k = 0; k < work->dark_count; k++) {
        soft_queue(soft, work, camera->fragments.pixel[work->dark[k]]);
    }
    return TOT_OK;
}

static tot_status colour_job(void *context, size_t index, int worker) {
    (void)worker;
    soft_renderer *soft = context;
    soft_band_work *work = &soft->work[index];
    const bool reflects = soft->scene.mirror >= 0;
    BASE_TRY(colour_moving(soft, &soft->camera, (int)index, &work->moving));
    if (reflects) {
        BASE_TRY(colour_moving(soft, &soft->mirror, (int)index, &work->moving_mirror));
        for (size_t k = 0; k < work->queue_count; k++) {
            const uint32_t pixel = work->queue[k];
            const unsigned seen = soft_mirror_mask(soft, &soft->camera.target, pixel);
            soft->mirror_now[soft_index(soft, pixel)] =
                soft_compose(soft, &soft->mirror, pixel, seen, &work->moving_mirror, NULL);
        }
        BASE_TRY(soft_draw_transparent(soft, (int)index, NULL));
    }
    const bool shadows = soft->scene.shadow_count > 0;
    if (shadows) {
        BASE_TRY(find_shadows(soft, (int)index));
    }
    for (size_t k = 0; k < work->queue_count; k++) {
        const uint32_t pixel = work->queue[k];
        soft_put(soft, soft->rgb, pixel,
                 soft_compose(soft, &soft->camera, pixel, soft_all_samples(soft), &work->moving,
                              shadows ? work->moving_dark : NULL));
    }
    return soft_draw_transparent(soft, (int)index, soft->rgb);
}

// Resets the state of the moving items of this picture, also after a failure.
static void tidy(soft_renderer *soft) {
    for (int band = 0; band < soft->bands; band++) {
        soft_band_work *work = &soft->work[band];
        for (size_t k = 0; k < work->queue_count; k++) {
            const size_t index = soft_index(soft, work->queue[k]);
            soft->queued[index] = 0;
            soft->camera.moving_count[index] = 0;
            soft->mirror.moving_count[index] = 0;
            soft->mirror_now[index] = soft->mirror_fixed[index];
        }
        for (size_t k = 0; k < work->dark_count; k++) {
            soft->camera.dark[work->dark[k]] = 0;
        }
        work->queue_count = work->dark_count = 0;
    }
}

static tot_status prepare_transparent(soft_renderer *soft) {
    bool wanted = false;
    for (int k = 0; k < soft->scene.count; k++) {
        wanted |= soft->scene.items[k].transparent;
    }
    return wanted ? soft_target_make(&soft->transparent, soft->view.width, soft->view.height,
                                     soft->samples)
                  : TOT_OK;
}

static tot_status draw_part(soft_renderer *soft, const mjModel *model, mjData *data, uint8_t *rgb) {
    BASE_TRY(soft_scene_update(&soft->scene, &soft->shapes, model, data, &soft->request));
    BASE_TRY(soft_refresh(soft));
    BASE_TRY(prepare_transparent(soft));
    memcpy(rgb, soft->fixed_rgb, 3 * (size_t)soft->view.width * (size_t)soft->view.height);
    soft->rgb = rgb;
    const int targets = 1 + soft->scene.shadow_count + (soft->scene.mirror >= 0);
    tot_status status = tot_pool_run(soft->pool, (size_t)(targets * soft->bands), draw_job, soft);
    BASE_THEN(status, tot_pool_run(soft->pool, (size_t)soft->bands, colour_job, soft));
    tidy(soft);
    return status;
}

static tot_status soft_draw(void *state, const mjModel *model, mjData *data, uint8_t *rgb) {
    soft_renderer *soft = state;
    const int rows = soft->view.height;
    const size_t row = 3 * (size_t)soft->view.width;
    for (int first = 0; first < soft->height; first += rows) {
        // the last part overlaps the previous one rather than being smaller
        const int here = first + rows <= soft->height ? first : soft->height - rows;
        const int place = soft->view.turned ? soft->height - rows - here : here;
        soft->request.first_row = here;
        BASE_TRY(draw_part(soft, model, data, rgb + (size_t)place * row));
    }
    return TOT_OK;
}

const picture_backend picture_backend_soft = {soft_create, soft_draw, soft_free};
