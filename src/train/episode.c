#include "train/episode.h"

#include <temporalot/file.h>

#include "base/base.h"
#include "file/npy.h"
#include "file/npz.h"
#include "page/strip.h"
#include "page/buffer.h"

void train_episode_free(train_labelled_episode *labelled) {
    BASE_RELEASE(labelled->rewards, labelled->cost, labelled->mask, labelled->plan,
                 labelled->frames.rgb, labelled->demo_frames.rgb);
    *labelled = (train_labelled_episode){0};
}

tot_status train_episode_choose_pictures(train_episode_pictures *pictures,
                                         const tot_frame_row *row) {
    page_strip_choice choice;
    page_strip_choose_within(&choice, row, TRAIN_EPISODE_PICTURES, TRAIN_EPISODE_SIDE);
    const size_t size = choice.width * choice.height * 3;
    pictures->rgb = base_alloc(choice.count, size, "pictures");
    BASE_HAVE(pictures->rgb);
    pictures->count = choice.count;
    pictures->width = (int)choice.width;
    pictures->height = (int)choice.height;
    for (size_t k = 0; k < choice.count; k++) {
        pictures->steps[k] = choice.steps[k];
        page_strip_shrink(row, &choice, k, pictures->rgb + k * size, 3 * choice.width);
    }
    return TOT_OK;
}

// --- display on a page --------------------------------------------------------------------------

static tot_frame_row row_of(const train_episode_pictures *pictures) {
    return (tot_frame_row){.frames = pictures->rgb,
                           .count = pictures->count,
                           .width = pictures->width,
                           .height = pictures->height,
                           .steps = pictures->steps};
}

page_alignment train_episode_alignment(const train_labelled_episode *labelled) {
    return (page_alignment){.title = "The demonstration, and the episode",
                            .demonstration = row_of(&labelled->demo_frames),
                            .episode = row_of(&labelled->frames),
                            .steps = labelled->steps,
                            .demonstration_steps = labelled->demo_steps,
                            .rewards = labelled->rewards,
                            .cost = labelled->cost,
                            .mask = labelled->mask,
                            .plan = labelled->plan};
}

void train_episode_describe(const train_labelled_episode *labelled, char *text, size_t size) {
    page_number number = {"unknown"};
    const char *sign = "";
    double sum = 0;
    for (size_t k = 0; k < labelled->steps; k++) {
        sum += labelled->rewards[k];
    }
    if (fabs(sum) < 1e15) {
        number = page_fixed(fabs(sum), 3);
        sign = sum <= -0.0005 ? "\xe2\x88\x92" : "";
    }
    snprintf(text, size,
             "Episode %lld, %s at its end, return %s%s: nearest to demonstration %lld (of %lld, "
             "from 0).",
             (long long)labelled->episode, labelled->solved ? "solved" : "not solved", sign,
             number.text, (long long)labelled->demo, (long long)labelled->demos);
}

// --- writing -----------------------------------------------------------------------------------

static tot_status add_count(tot_npz_writer *npz, const char *name, int64_t value) {
    const tot_array array = {.type = TOT_I64, .data = &value};
    return tot_npz_add(npz, name, &array);
}

// A rows x columns matrix, or a vector if columns is 0, as float32 or uint8.
static tot_status add_values(tot_npz_writer *npz, const char *name, tot_type type,
                             const double *values, size_t rows, size_t columns) {
    const size_t count = rows * (columns > 0 ? columns : 1);
    if (values == NULL) {
        return TOT_OK;
    }
    void *data = base_alloc(count, tot_type_size(type), "episode");
    BASE_HAVE(data);
    for (size_t k = 0; k < count; k++) {
        if (type == TOT_U8) {
            ((uint8_t *)data)[k] = values[k] != 0 ? 1 : 0;
        } else {
            ((float *)data)[k] = (float)values[k];
        }
    }
    const tot_array array = {.type = type,
                             .dimensions = columns > 0 ? 2 : 1,
                             .shape = {(int64_t)rows, (int64_t)columns},
                             .data = data};
    BASE_FINALLY(tot_npz_add(npz, name, &array), base_free(data));
}

static tot_status add_pictures(tot_npz_writer *npz, const char *name, const char *steps_name,
                               const train_episode_pictures *pictures) {
    int64_t steps[TRAIN_EPISODE_PICTURES];
    if (pictures->count == 0) {
        return TOT_OK;
    }
    for (size_t k = 0; k < pictures->count; k++) {
        steps[k] = (int64_t)pictures->steps[k];
    }
    const tot_array frames = {
        .type = TOT_U8,
        .dimensions = 4,
        .shape = {(int64_t)pictures->count, pictures->height, pictures->width, 3},
        .data = pictures->rgb};
    const tot_array numbers = {
        .type = TOT_I64, .dimensions = 1, .shape = {(int64_t)pictures->count}, .data = steps};
    BASE_TRY(tot_npz_add(npz, name, &frames));
    return tot_npz_add(npz, steps_name, &numbers);
}

static tot_status add_all(tot_npz_writer *npz, const train_labelled_episode *labelled) {
    const size_t rows = labelled->steps;
    const size_t columns = labelled->demo_steps;
    BASE_TRY(add_count(npz, "episode", labelled->episode));
    BASE_TRY(add_count(npz, "success", labelled->solved ? 1 : 0));
    BASE_TRY(add_count(npz, "demo", labelled->demo));
    BASE_TRY(add_count(npz, "demos", labelled->demos));
    BASE_TRY(add_count(npz, "demo_steps", (int64_t)columns));
    BASE_TRY(add_values(npz, "rewards", TOT_F32, labelled->rewards, rows, 0));
    BASE_TRY(add_values(npz, "cost", TOT_F32, labelled->cost, rows, columns));
    BASE_TRY(add_values(npz, "mask", TOT_U8, labelled->mask, rows, columns));
    BASE_TRY(add_values(npz, "plan", TOT_F32, labelled->plan, rows, columns));
    BASE_TRY(add_pictures(npz, "frames", "frame_steps", &labelled->frames));
    return add_pictures(npz, "demo_frames", "demo_frame_steps", &labelled->demo_frames);
}

tot_status train_episode_write(const train_labelled_episode *labelled, const char *path) {
    tot_npz_writer *npz = NULL;
    BASE_TRY(tot_npz_create(&npz, path, true));
    return file_npz_end(npz, add_all(npz, labelled));
}

// --- reading -----------------------------------------------------------------------------------

typedef struct reader {
    tot_npz *npz;
    const char *path;
    tot_array array;  // the last one read
} reader;

// The constraints on an array: type, dimensions, and the range of each dimension. Checked before
// memory is allocated.
typedef struct wanted {
    const char *name;
    tot_type type;
    int dimensions;
    int64_t least[4], most[4];
} wanted;

static tot_status check_header(const reader *from, const wanted *want,
                               const file_npy_header *header) {
    bool fits = header->type == want->type && header->dimensions == want->dimensions;
    for (int k = 0; fits && k < want->dimensions; k++) {
        fits = header->shape[k] >= want->least[k] && header->shape[k] <= want->most[k];
    }
    return fits ? TOT_OK
                : base_fail(TOT_E_FORMAT, "%s: '%s' has not the type or size that an episode's has",
                            from->path, want->name);
}

static tot_status read_array(reader *from, const wanted *want) {
    file_npy_header header;
    BASE_FAIL_IF(!tot_npz_has(from->npz, want->name), TOT_E_FORMAT, "%s: has no '%s'", from->path,
                 want->name);
    BASE_TRY(file_npz_header(from->npz, want->name, &header));
    BASE_TRY(check_header(from, want, &header));
    return tot_npz_read(from->npz, want->name, &from->array);
}

static tot_status read_count(reader *from, const char *name, int64_t least, int64_t most,
                             int64_t *value) {
    const wanted want = {.name = name, .type = TOT_I64};
    BASE_TRY(read_array(from, &want));
    *value = *(const int64_t *)from->array.data;
    return *value >= least && *value <= most
               ? TOT_OK
               : base_fail(TOT_E_FORMAT, "%s: %s %lld is not in %lld .. %lld", from->path, name,
                           (long long)*value, (long long)least, (long long)most);
}

// Copies the last array read as doubles; to be freed with base_free.
static tot_status take_values(const reader *from, double **values) {
    const int64_t count = tot_array_count(&from->array);
    *values = base_alloc((size_t)count, sizeof **values, "episode");
    for (int64_t k = 0; *values != NULL && k < count; k++) {
        (*values)[k] = from->array.type == TOT_U8
                           ? (((const uint8_t *)from->array.data)[k] != 0 ? 1 : 0)
                           : (double)((const float *)from->array.data)[k];
    }
    return *values != NULL ? TOT_OK : TOT_E_MEMORY;
}

static tot_status read_rewards(reader *from, train_labelled_episode *labelled) {
    const wanted want = {.name = "rewards",
                         .type = TOT_F32,
                         .dimensions = 1,
                         .least = {1},
                         .most = {TRAIN_EPISODE_STEPS}};
    BASE_TRY(read_array(from, &want));
    labelled->steps = (size_t)from->array.shape[0];
    return take_values(from, &labelled->rewards);
}

static tot_status read_matrix(reader *from, const train_labelled_episode *labelled,
                              const char *name, tot_type type, double **values) {
    const int64_t rows = (int64_t)labelled->steps;
    const int64_t columns = (int64_t)labelled->demo_steps;
    const wanted want = {.name = name,
                         .type = type,
                         .dimensions = 2,
                         .least = {rows, columns},
                         .most = {rows, columns}};
    if (!tot_npz_has(from->npz, name)) {
        return TOT_OK;
    }
    BASE_FAIL_IF(rows > TOT_HEAT_MAP_LIMIT || columns > TOT_HEAT_MAP_LIMIT, TOT_E_FORMAT,
                 "%s: '%s' of %lld x %lld is too large", from->path, name, (long long)rows,
                 (long long)columns);
    BASE_TRY(read_array(from, &want));
    return take_values(from, values);
}

static tot_status read_steps(reader *from, const char *name, size_t steps,
                             train_episode_pictures *pictures) {
    const int64_t count = (int64_t)pictures->count;
    const wanted want = {
        .name = name, .type = TOT_I64, .dimensions = 1, .least = {count}, .most = {count}};
    BASE_TRY(read_array(from, &want));
    const int64_t *numbers = from->array.data;
    for (int64_t k = 0; k < count; k++) {
        BASE_FAIL_IF(numbers[k] < (k > 0 ? numbers[k - 1] + 1 : 0) || numbers[k] >= (int64_t)steps,
                     TOT_E_FORMAT, "%s: '%s': picture %lld shows step %lld of %zu", from->path,
                     name, (long long)k, (long long)numbers[k], steps);
        pictures->steps[k] = (size_t)numbers[k];
    }
    return TOT_OK;
}

static tot_status read_pictures(reader *from, const char *name, const char *steps_name,
                                size_t steps, train_episode_pictures *pictures) {
    const wanted want = {
        .name = name,
        .type = TOT_U8,
        .dimensions = 4,
        .least = {1, 1, 1, 3},
        .most = {TRAIN_EPISODE_PICTURES, TRAIN_EPISODE_SIDE, TRAIN_EPISODE_SIDE, 3}};
    if (!tot_npz_has(from->npz, name)) {
        return TOT_OK;
    }
    BASE_TRY(read_array(from, &want));
    const size_t size = (size_t)tot_array_count(&from->array);
    BASE_ALLOC(pictures->rgb, size, "pictures");
    memcpy(pictures->rgb, from->array.data, size);
    pictures->count = (size_t)from->array.shape[0];
    pictures->height = (int)from->array.shape[1];
    pictures->width = (int)from->array.shape[2];
    return read_steps(from, steps_name, steps, pictures);
}

static tot_status read_all(reader *from, train_labelled_episode *labelled) {
    int64_t success = 0;
    int64_t demo_steps = 0;
    BASE_TRY(read_count(from, "episode", 0, INT64_C(1) << 40, &labelled->episode));
    BASE_TRY(read_count(from, "success", 0, 1, &success));
    BASE_TRY(read_count(from, "demos", 1, INT64_C(1) << 40, &labelled->demos));
    BASE_TRY(read_count(from, "demo", 0, labelled->demos - 1, &labelled->demo));
    BASE_TRY(read_count(from, "demo_steps", 1, TRAIN_EPISODE_STEPS, &demo_steps));
    labelled->solved = success == 1;
    labelled->demo_steps = (size_t)demo_steps;
    BASE_TRY(read_rewards(from, labelled));
    BASE_TRY(read_matrix(from, labelled, "cost", TOT_F32, &labelled->cost));
    BASE_TRY(read_matrix(from, labelled, "mask", TOT_U8, &labelled->mask));
    BASE_TRY(read_matrix(from, labelled, "plan", TOT_F32, &labelled->plan));
    BASE_TRY(read_pictures(from, "frames", "frame_steps", labelled->steps, &labelled->frames));
    return read_pictures(from, "demo_frames", "demo_frame_steps", labelled->demo_steps,
                         &labelled->demo_frames);
}

tot_status train_episode_read(train_labelled_episode *labelled, const char *path) {
    reader from = {.path = path};
    BASE_TRY(tot_npz_open(&from.npz, path));
    const tot_status status = read_all(&from, labelled);
    tot_array_free(&from.array);
    tot_npz_close(from.npz);
    return status;
}
