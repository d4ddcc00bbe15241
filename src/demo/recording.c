// Trajectories in files.
#include <dirent.h>
#include <limits.h>

#include "base/base.h"
#include "demo/meta.h"
#include "demo/trajectory.h"
#include "file/npz.h"

enum { NAME_SIZE = 48 };

void tot_recording_free(tot_recording *recording) {
    BASE_UNLESS_NULL(recording);
    for (size_t k = 0; k < recording->count; k++) {
        tot_trajectory_free(&recording->trajectories[k]);
    }
    base_free(recording->trajectories);
    *recording = (tot_recording){0};
}

tot_status demo_recording_reserve(tot_recording *recording, size_t count) {
    BASE_GROW(recording->trajectories, recording->capacity, recording->count,
              recording->count + count, "recording");
    return TOT_OK;
}

tot_status tot_recording_add(tot_recording *recording, tot_trajectory *trajectory) {
    BASE_NEED(recording, trajectory);
    BASE_TRY(demo_recording_reserve(recording, 1));
    recording->trajectories[recording->count++] = *trajectory;
    *trajectory = (tot_trajectory){0};
    return TOT_OK;
}

// --- describing --------------------------------------------------------------------------------

// Finds metaworld-VERSION.dist-info in a folder.
static void find_version(const char *path, char *version, size_t size) {
    static const char before[] = "metaworld-";
    static const char after[] = ".dist-info";
    DIR *folder = opendir(path);
    const struct dirent *item;
    while (folder != NULL && version[0] == '\0' && (item = readdir(folder)) != NULL) {
        const char *middle = item->d_name + sizeof before - 1;
        if (strncmp(item->d_name, before, sizeof before - 1) == 0) {
            const char *end = strstr(middle, after);
            if (end != NULL && end[sizeof after - 1] == '\0') {
                snprintf(version, size, "%.*s", (int)(end - middle), middle);
            }
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
}

void demo_scenes_version(const char *folder, char *version, size_t size) {
    static const char *const places[] = {"..", "../..", "."};
    version[0] = '\0';
    for (size_t k = 0; version[0] == '\0' && k < BASE_LENGTH(places); k++) {
        char path[PATH_MAX];
        if (snprintf(path, sizeof path, "%s/%s", folder, places[k]) < (int)sizeof path) {
            find_version(path, version, size);
        }
    }
}

static bool has_own_box(const tot_task_info *info) {
    const tot_task_info *paper = NULL;
    bool differs = false;
    for (int k = 0; tot_task_find(&paper, info->name) == TOT_OK && k < info->draw_length; k++) {
        differs = differs || info->draw_low[k] != paper->draw_low[k] ||
                  info->draw_high[k] != paper->draw_high[k];
    }
    return differs;
}

tot_status tot_recording_describe(tot_recording_meta *meta, const tot_task *task,
                                  const tot_world_settings *settings, const char *policy) {
    BASE_NEED(meta, task, policy);
    const tot_task_info *info = tot_task_information(task);
    const char *mujoco = NULL;
    const char *scenes = NULL;
    BASE_TRY(tot_mujoco_check(NULL, &mujoco));
    BASE_TRY(tot_scenes_check(&scenes));
    *meta = (tot_recording_meta){.upright = true, .action_repeat = 1, .speed = 1};
    meta->horizon = info->horizon;
    meta->metaworld_box = has_own_box(info);
    if (settings != NULL) {
        meta->action_repeat = settings->action_repeat;
        meta->horizon = settings->horizon > 0 ? settings->horizon : info->horizon;
    }
    snprintf(meta->task, sizeof meta->task, "%s", info->name);
    snprintf(meta->policy, sizeof meta->policy, "%s", policy);
    snprintf(meta->camera, sizeof meta->camera, "%s", info->camera);
    snprintf(meta->mujoco, sizeof meta->mujoco, "%s", mujoco);
    snprintf(meta->program, sizeof meta->program, "%s", tot_version());
    demo_scenes_version(scenes, meta->metaworld, sizeof meta->metaworld);
    return TOT_OK;
}

void tot_recording_describe_pictures(tot_recording_meta *meta, const tot_picture_settings *settings,
                                     const tot_renderer *renderer, bool frames_after) {
    BASE_NEED_OR(, meta, settings, renderer);
    if (settings->camera != NULL) {
        snprintf(meta->camera, sizeof meta->camera, "%s", settings->camera);
    }
    meta->upright = settings->upright;
    meta->frames_after = frames_after;
    memcpy(meta->crop[0], settings->crop, sizeof meta->crop[0]);
    snprintf(meta->renderer, sizeof meta->renderer, "%s", tot_renderer_text(renderer));
}

void demo_recording_describe_views(tot_recording_meta *meta, const tot_picture_settings *views,
                                   tot_renderer *const *renderers, int count) {
    tot_recording_describe_pictures(meta, views, renderers[0], false);
    for (int k = 1; k < count; k++) {
        const size_t used = strlen(meta->renderer);
        snprintf(meta->renderer + used, sizeof meta->renderer - used, " + %s",
                 tot_renderer_text(renderers[k]));
        memcpy(meta->crop[k], views[k].crop, sizeof meta->crop[k]);
    }
}

// --- writing -----------------------------------------------------------------------------------

static const char *name_of(char *full, const char *name, size_t index, size_t count) {
    if (count > 1) {
        snprintf(full, NAME_SIZE, "%s_%zu", name, index);
    } else {
        snprintf(full, NAME_SIZE, "%s", name);
    }
    return full;
}

static const char *info_name(char *plain, size_t which) {
    snprintf(plain, NAME_SIZE, "info_%s", tot_world_info_name(which));
    return plain;
}

static tot_status add_info(tot_npz_writer *writer, const tot_trajectory *one, size_t index,
                           size_t count) {
    for (size_t k = 0; k < TOT_WORLD_INFO; k++) {
        char plain[NAME_SIZE];
        char name[2 * NAME_SIZE];
        const tot_array array = {TOT_F64, 1, {one->steps}, one->info + (int64_t)k * one->steps, 0};
        BASE_TRY(tot_npz_add(writer, name_of(name, info_name(plain, k), index, count), &array));
    }
    return TOT_OK;
}

static tot_status add_trajectory(tot_npz_writer *writer, const tot_trajectory *one, size_t index,
                                 size_t count) {
    const struct {
        const char *name;
        tot_array array;
    } parts[] = {
        {"observations", {TOT_F64, 2, {one->steps + 1, TOT_OBSERVATION}, one->observations, 0}},
        {"actions", {TOT_F32, 2, {one->steps, TOT_ACTION}, one->actions, 0}},
        {"success", {TOT_U8, 1, {one->steps}, one->success, 0}},
        {"rand_vec", {TOT_F64, 1, {one->draw_length}, (void *)one->rand_vec, 0}},
        {"reward", {TOT_F64, 1, {one->steps}, one->rewards, 0}},
        {"frames", one->frames},
    };
    for (size_t k = 0; k < BASE_LENGTH(parts); k++) {
        char name[NAME_SIZE];
        if (parts[k].array.data != NULL) {
            BASE_TRY(
                tot_npz_add(writer, name_of(name, parts[k].name, index, count), &parts[k].array));
        }
    }
    return one->info != NULL ? add_info(writer, one, index, count) : TOT_OK;
}

static tot_status add_all(const tot_recording *recording, tot_npz_writer *writer) {
    for (size_t k = 0; k < recording->count; k++) {
        BASE_TRY(add_trajectory(writer, &recording->trajectories[k], k, recording->count));
    }
    return demo_meta_write(recording, writer);
}

static tot_status check_writable(const tot_recording *recording, const char *path) {
    BASE_FAIL_IF(recording->count < 1, TOT_E_ARGUMENT, "%s: there is no trajectory to write", path);
    for (size_t k = 0; k < recording->count; k++) {
        const tot_trajectory *one = &recording->trajectories[k];
        BASE_FAIL_IF(one->steps < 1 || one->draw_length < 1 || one->draw_length > TOT_MAX_DRAW,
                     TOT_E_ARGUMENT, "%s: trajectory %zu: %lld steps, a draw of %d numbers", path,
                     k, (long long)one->steps, one->draw_length);
        BASE_FAIL_IF(one->seed > DEMO_META_MOST || one->episode > DEMO_META_MOST, TOT_E_ARGUMENT,
                     "%s: trajectory %zu: seed %lld, episode %lld: past %lld", path, k,
                     (long long)one->seed, (long long)one->episode, DEMO_META_MOST);
    }
    return TOT_OK;
}

tot_status tot_recording_save(const tot_recording *recording, const char *path) {
    BASE_NEED(recording, path);
    BASE_TRY(check_writable(recording, path));
    tot_npz_writer *writer = NULL;
    BASE_TRY(tot_npz_create(&writer, path, false));
    return file_npz_end(writer, add_all(recording, writer));
}

// --- reading -----------------------------------------------------------------------------------

typedef struct reader {
    tot_npz *npz;
    const char *path;
    size_t index;
    size_t count;
} reader;

// TOT_E_VALUE if an element of a float32 or float64 array is NaN or infinite.
static tot_status check_finite(const reader *from, const char *name, const tot_array *array) {
    const int64_t columns = array->dimensions > 1 ? array->shape[1] : 1;
    for (int64_t k = 0; k < tot_array_count(array); k++) {
        const double value = array->type == TOT_F64 ? ((const double *)array->data)[k]
                                                    : (double)((const float *)array->data)[k];
        BASE_FAIL_IF(!isfinite(value), TOT_E_VALUE, "%s: %s[%lld, %lld] is %g", from->path, name,
                     (long long)(k / columns), (long long)(k % columns), value);
    }
    return TOT_OK;
}

// Reads one array of a trajectory. If *rows is negative, it is set to the number of rows, otherwise
// it must match. columns: 0 for a one-dimensional array. Floats must be finite.
static tot_status read_part(const reader *from, const char *plain, tot_type type, int64_t *rows,
                            int64_t columns, tot_array *array) {
    char name[NAME_SIZE];
    char shape[256];
    name_of(name, plain, from->index, from->count);
    BASE_FAIL_IF(!tot_npz_has(from->npz, name), TOT_E_FORMAT, "%s: has no array %s", from->path,
                 name);
    BASE_TRY(tot_npz_read(from->npz, name, array));
    BASE_FAIL_IF(array->type != type, TOT_E_FORMAT, "%s: %s is %s, not %s", from->path, name,
                 tot_type_text(array->type), tot_type_text(type));
    const bool shaped =
        columns > 0 ? array->dimensions == 2 && array->shape[1] == columns : array->dimensions == 1;
    if (!shaped || array->shape[0] < 1) {
        char expected[32] = "one dimension";
        if (columns > 0) {
            snprintf(expected, sizeof expected, "rows x %lld", (long long)columns);
        }
        return base_fail(TOT_E_SHAPE, "%s: %s is %s, not %s", from->path, name,
                         demo_shape_text(array, shape, sizeof shape), expected);
    }
    BASE_FAIL_IF(*rows >= 0 && array->shape[0] != *rows, TOT_E_SHAPE,
                 "%s: %s has %lld rows, but its observations need %lld", from->path, name,
                 (long long)array->shape[0], (long long)*rows);
    *rows = array->shape[0];
    return type == TOT_U8 ? TOT_OK : check_finite(from, name, array);
}

// Moves the data out of the array; the caller owns it.
static void *take(tot_array *array) {
    void *data = array->data;
    *array = (tot_array){0};
    return data;
}

static tot_status read_numbers(const reader *from, tot_array *array, tot_trajectory *out) {
    int64_t rows = -1;
    BASE_TRY(read_part(from, "observations", TOT_F64, &rows, TOT_OBSERVATION, array));
    BASE_FAIL_IF(rows < 2, TOT_E_SHAPE, "%s: observations of trajectory %zu: no step between them",
                 from->path, from->index);
    out->observations = take(array);
    out->steps = rows - 1;
    BASE_TRY(read_part(from, "actions", TOT_F32, &out->steps, TOT_ACTION, array));
    out->actions = take(array);
    BASE_TRY(read_part(from, "success", TOT_U8, &out->steps, 0, array));
    out->success = take(array);
    for (int64_t k = 0; k < out->steps; k++) {
        BASE_FAIL_IF(out->success[k] > 1, TOT_E_VALUE,
                     "%s: success of trajectory %zu, step %lld: %d is not 0 or 1", from->path,
                     from->index, (long long)k, out->success[k]);
    }
    return TOT_OK;
}

static tot_status read_info(const reader *from, tot_array *array, tot_trajectory *out) {
    out->info = base_alloc((size_t)out->steps, TOT_WORLD_INFO * sizeof *out->info, "trajectory");
    BASE_HAVE(out->info);
    for (size_t k = 0; k < TOT_WORLD_INFO; k++) {
        char name[NAME_SIZE];
        BASE_TRY(read_part(from, info_name(name, k), TOT_F64, &out->steps, 0, array));
        memcpy(out->info + (int64_t)k * out->steps, array->data,
               (size_t)out->steps * sizeof *out->info);
    }
    return TOT_OK;
}

// Older files contain neither rewards nor info.
static tot_status read_rewards(const reader *from, tot_array *array, tot_trajectory *out) {
    char name[NAME_SIZE];
    if (!tot_npz_has(from->npz, name_of(name, "reward", from->index, from->count))) {
        return TOT_OK;
    }
    BASE_TRY(read_part(from, "reward", TOT_F64, &out->steps, 0, array));
    out->rewards = take(array);
    const bool told =
        tot_npz_has(from->npz, name_of(name, "info_success", from->index, from->count));
    return told ? read_info(from, array, out) : TOT_OK;
}

static tot_status read_draw(const reader *from, tot_array *array, tot_trajectory *out) {
    int64_t rows = -1;
    BASE_TRY(read_part(from, "rand_vec", TOT_F64, &rows, 0, array));
    BASE_FAIL_IF(rows > TOT_MAX_DRAW || array->data == NULL, TOT_E_SHAPE,
                 "%s: rand_vec of trajectory %zu has %lld numbers; %d at most", from->path,
                 from->index, (long long)rows, TOT_MAX_DRAW);
    memcpy(out->rand_vec, array->data, (size_t)rows * sizeof *out->rand_vec);
    out->draw_length = (int)rows;
    return TOT_OK;
}

static tot_status read_frames(const reader *from, tot_trajectory *out) {
    char name[NAME_SIZE];
    char shape[256];
    tot_array *frames = &out->frames;
    if (!tot_npz_has(from->npz, name_of(name, "frames", from->index, from->count))) {
        return TOT_OK;
    }
    BASE_TRY(tot_npz_read(from->npz, name, frames));
    BASE_FAIL_IF(frames->type != TOT_U8, TOT_E_FORMAT, "%s: %s is %s, not uint8", from->path, name,
                 tot_type_text(frames->type));
    BASE_FAIL_IF(frames->dimensions != 4 || frames->shape[1] < 1 || frames->shape[2] < 1 ||
                     frames->shape[3] != 3 ||
                     (frames->shape[0] != out->steps && frames->shape[0] != out->steps + 1),
                 TOT_E_SHAPE, "%s: %s is %s, not %lld x height x width x 3", from->path, name,
                 demo_shape_text(frames, shape, sizeof shape), (long long)out->steps);
    return TOT_OK;
}

static tot_status read_meta(const reader *from, tot_array *array, tot_recording *out) {
    BASE_FAIL_IF(!tot_npz_has(from->npz, "meta"), TOT_E_FORMAT,
                 "%s: has no array meta: not a recording of trajectories", from->path);
    BASE_TRY(tot_npz_read(from->npz, "meta", array));
    BASE_FAIL_IF(array->type != TOT_U8 || array->dimensions != 1, TOT_E_FORMAT,
                 "%s: meta is not text: it is not uint8 in one dimension", from->path);
    return demo_meta_read(out, array->data, (size_t)array->shape[0], from->path);
}

static tot_status read_all(reader *from, tot_array *array, tot_recording *out) {
    BASE_TRY(read_meta(from, array, out));
    from->count = out->count;
    for (from->index = 0; from->index < from->count; from->index++) {
        tot_trajectory *one = &out->trajectories[from->index];
        BASE_TRY(read_numbers(from, array, one));
        BASE_TRY(read_rewards(from, array, one));
        BASE_TRY(read_draw(from, array, one));
        BASE_TRY(read_frames(from, one));
    }
    return TOT_OK;
}

static tot_status read_recording(tot_recording *recording, tot_npz *npz, const char *path) {
    reader from = {.npz = npz, .path = path};
    tot_array array = {0};
    const tot_status status = read_all(&from, &array, recording);
    tot_array_free(&array);
    tot_npz_close(npz);
    if (status != TOT_OK) {
        tot_recording_free(recording);
    }
    return status;
}

tot_status tot_recording_load(tot_recording *recording, const char *path) {
    BASE_NEED(recording, path);
    tot_npz *npz = NULL;
    tot_recording_free(recording);
    BASE_TRY(tot_npz_open(&npz, path));
    return read_recording(recording, npz, path);
}

tot_status tot_recording_parse(tot_recording *recording, const void *bytes, size_t size,
                               const char *name) {
    BASE_NEED(recording, bytes, name);
    tot_npz *npz = NULL;
    tot_recording_free(recording);
    BASE_TRY(tot_npz_open_memory(&npz, bytes, size, name));
    return read_recording(recording, npz, name);
}
