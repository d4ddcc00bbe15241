#include "train/demonstrations.h"

#include <temporalot/image.h>

#include "base/base.h"
#include "base/hash.h"
#include "demo/trajectory.h"

enum { MOST_FRAMES = 100000 };  // per video

// --- collecting --------------------------------------------------------------------------------

tot_status train_demonstrations_collect(tot_recording *recording,
                                        const train_demonstrations_request *request,
                                        const tot_picture_settings *pictures, int views) {
    const tot_train_config *config = request->config;
    tot_collect_settings settings;
    tot_collect_defaults(&settings);
    settings.count = config->demos;
    settings.seed = (uint64_t)config->demo_seed;
    settings.speed = config->demo_speed;
    settings.choose = config->demo_choose;
    settings.hold = (tot_hold)config->hold;
    settings.attempts = config->demo_attempts;
    settings.pictures = pictures;
    settings.views = views;
    settings.fit_margin = config->view_margin;
    settings.pool = request->pool;
    settings.progress = request->progress;
    settings.progress_context = request->progress_context;
    return tot_collect(recording, request->task, &settings);
}

// --- files -------------------------------------------------------------------------------------

// Resizes the frames of a trajectory to side x side, view by view.
static tot_status resize_frames(tot_array *frames, int side, int views) {
    if (frames->data == NULL || (frames->shape[1] == side * views && frames->shape[2] == side)) {
        return TOT_OK;
    }
    BASE_FAIL_IF(frames->shape[1] % views != 0, TOT_E_SHAPE,
                 "demo: pictures of %lld rows do not hold %d views", (long long)frames->shape[1],
                 views);
    tot_array made;
    const int height = (int)frames->shape[1] / views;
    const int width = (int)frames->shape[2];
    BASE_TRY(demo_frames_allocate(&made, frames->shape[0], (int64_t)side * views, side));
    for (int64_t k = 0; k < frames->shape[0] * views; k++) {
        tot_resize((const uint8_t *)frames->data + (size_t)k * (size_t)width * (size_t)height * 3,
                   width, height,
                   (uint8_t *)made.data + (size_t)k * (size_t)side * (size_t)side * 3, side, side);
    }
    tot_array_free(frames);
    *frames = made;
    return TOT_OK;
}

// Reads the frames selected by the excerpt, resized for the encoder.
static tot_status read_video(tot_trajectory *trajectory, tot_frames *video, int side,
                             const tot_excerpt *excerpt) {
    tot_array *frames = &trajectory->frames;
    const size_t picture = (size_t)side * (size_t)side * 3;
    *frames = (tot_array){.type = TOT_U8, .dimensions = 4, .shape = {0, side, side, 3}};
    BASE_TRY(tot_frames_pick(video, excerpt));
    BASE_TRY(tot_frames_resize(video, side, side));
    for (; trajectory->steps < MOST_FRAMES; trajectory->steps++) {
        const size_t used = (size_t)trajectory->steps * picture;
        bool end = false;
        BASE_TRY(base_grow(&frames->data, &frames->capacity, used, used + picture, 1, "frames"));
        BASE_TRY(tot_frames_read(video, (uint8_t *)frames->data + used, &end));
        if (end) {
            break;
        }
    }
    frames->shape[0] = trajectory->steps;
    return TOT_OK;
}

static tot_excerpt excerpt_of(const tot_train_config *config) {
    return (tot_excerpt){.every = config->demo_speed,
                         .fps = config->demo_fps,
                         .from = config->demo_from,
                         .to = config->demo_to};
}

// The next of the files in `demo`; false after the last.
static bool next_file(const char **list, char path[TOT_TRAIN_TEXT]) {
    *list += strspn(*list, ",");
    const size_t length = strcspn(*list, ",");
    snprintf(path, TOT_TRAIN_TEXT, "%.*s", (int)length, *list);
    *list += length;
    return length > 0;
}

// A view fitted to videos: the region in which they change.
static tot_status fit_videos(train_embedder *embedder, const tot_train_config *config) {
    char(*paths)[TOT_TRAIN_TEXT] = base_alloc((size_t)config->demos, TOT_TRAIN_TEXT, "file names");
    const char **names = base_alloc((size_t)config->demos, sizeof *names, "file names");
    const tot_excerpt excerpt = excerpt_of(config);
    const char *list = config->demo;
    size_t count = 0;
    char path[TOT_TRAIN_TEXT];
    tot_status status = paths != NULL && names != NULL ? TOT_OK : TOT_E_MEMORY;
    while (status == TOT_OK && (int64_t)count < config->demos && next_file(&list, path)) {
        if (!base_ends_in(path, ".npz")) {
            names[count] = strcpy(paths[count], path);
            count++;
        }
    }
    if (status == TOT_OK && config->demo_crop[0] != '\0') {
        status = base_fail(TOT_E_ARGUMENT,
                           "demo_crop: with the fitted view the region is found in the videos: set "
                           "view to camera, or omit it");
    }
    BASE_THEN(status,
              tot_frames_moving(embedder->views.encoder.view[0].crop, names, count, &excerpt));
    BASE_RELEASE(paths, (void *)names);
    return status;
}

static tot_status take_video(tot_recording *recording, train_embedder *embedder,
                             const train_demonstrations_request *request, const char *path) {
    const tot_train_config *config = request->config;
    BASE_FAIL_IF(config->cost_on == TOT_COST_ON_STATE || request->method->clones ||
                     request->method->discriminates,
                 TOT_E_ARGUMENT,
                 "%s: a video has only pictures, but %s needs observations and actions: use an "
                 ".npz of temporalot demo collect",
                 path,
                 config->cost_on == TOT_COST_ON_STATE ? "cost_on state" : request->method->name);
    const tot_picture_settings *view = &embedder->views.encoder.view[0];
    BASE_FAIL_IF(embedder->views.encoder.count > 1 || view->around_hand > 0, TOT_E_ARGUMENT,
                 "%s: a video shows what one stationary camera saw: set view to camera or fitted, "
                 "and camera to a single one",
                 path);
    BASE_FAIL_IF(view->arm != TOT_ARM_DRAWN, TOT_E_ARGUMENT,
                 "%s: arm: a video shows the robot's arm, which cannot be taken out of it: set arm "
                 "to drawn",
                 path);
    if (embedder->sees_pictures && view->fitted && !(view->crop[2] > 0)) {
        BASE_TRY(fit_videos(embedder, config));
    }
    tot_frames *video = NULL;
    tot_trajectory trajectory = {.seed = -1, .episode = -1, .attempts = 1};
    tot_excerpt excerpt = excerpt_of(config);
    BASE_TRY(tot_excerpt_set_crop(&excerpt, config->demo_crop));
    if (view->fitted) {
        memcpy(excerpt.region, view->crop, sizeof excerpt.region);
    }
    BASE_TRY(tot_frames_open(&video, path));
    tot_status status = read_video(&trajectory, video, (int)config->size, &excerpt);
    tot_frames_close(video);
    if (status == TOT_OK && request->folder != NULL) {
        status = train_check_first_frame(embedder, request, path, recording->count,
                                         trajectory.frames.data);
    }
    BASE_THEN(status, tot_recording_add(recording, &trajectory));
    tot_trajectory_free(&trajectory);
    return status;
}

static tot_status describe_views(tot_recording_meta *meta, const tot_task *task,
                                 const train_views *views) {
    tot_renderer *renderers[TOT_MAX_VIEWS] = {0};
    tot_status status = TOT_OK;
    for (int k = 0; status == TOT_OK && k < views->encoder.count; k++) {
        status = tot_renderer_create(&renderers[k], task, &views->encoder.view[k], NULL);
    }
    if (status == TOT_OK) {
        demo_recording_describe_views(meta, views->encoder.view, renderers, views->encoder.count);
    }
    for (int k = 0; k < views->encoder.count; k++) {
        tot_renderer_free(renderers[k]);
    }
    return status;
}

static tot_status check_fit(const tot_recording_meta *found,
                            const train_demonstrations_request *request,
                            const train_embedder *embedder, const char *path) {
    tot_recording_meta wanted;
    char text[512];
    // demonstrations have the task's own horizon, independent of the agent's
    const tot_world_settings world = {.action_repeat = (int)request->config->action_repeat};
    BASE_TRY(tot_recording_describe(&wanted, request->task, &world, "expert"));
    if (embedder->sees_pictures) {
        BASE_TRY(describe_views(&wanted, request->task, &embedder->views));
    }
    if (tot_recording_differences(found, &wanted, text, sizeof text) == 0) {
        return TOT_OK;
    }
    if (request->force) {
        base_log(TOT_LOG_WARNING, "%s: differs from this run: %s", path, text);
        return TOT_OK;
    }
    return base_fail(TOT_E_ARGUMENT, "%s: differs from this run: %s; force accepts it anyway", path,
                     text);
}

// Moves trajectories of a file into the recording, up to the configured number.
static tot_status move(tot_recording *recording, tot_recording *from,
                       const train_embedder *embedder, const train_demonstrations_request *request,
                       const char *path) {
    const tot_train_config *config = request->config;
    for (size_t k = 0; k < from->count && (int64_t)recording->count < config->demos; k++) {
        tot_trajectory *one = &from->trajectories[k];
        BASE_FAIL_IF(embedder->sees_pictures && one->frames.data == NULL, TOT_E_ARGUMENT,
                     "%s: has no pictures; collect it with frames", path);
        BASE_TRY(resize_frames(&one->frames, (int)config->size, embedder->views.encoder.count));
        tot_trajectory thinned = {0};
        if (config->demo_speed > 1 && from->meta.speed == 1) {
            BASE_TRY(tot_trajectory_thin(&thinned, one, config->demo_speed));
        }
        const tot_status status = tot_recording_add(recording, thinned.steps > 0 ? &thinned : one);
        tot_trajectory_free(&thinned);
        BASE_TRY(status);
    }
    recording->meta = from->meta;
    return TOT_OK;
}

// Uses the crops fitted for the first file's pictures as the run's views.
static tot_status take_views(train_embedder *embedder, const tot_recording *loaded,
                             const char *path) {
    for (int k = 0; k < embedder->views.encoder.count && embedder->sees_pictures; k++) {
        tot_picture_settings *view = &embedder->views.encoder.view[k];
        if (!view->fitted || view->crop[2] > 0) {
            continue;
        }
        BASE_FAIL_IF(!(loaded->meta.crop[k][2] > 0), TOT_E_ARGUMENT,
                     "%s: view: its pictures show the whole camera view; collect demonstrations "
                     "with the fitted view, or set view to camera",
                     path);
        memcpy(view->crop, loaded->meta.crop[k], sizeof view->crop);
    }
    return TOT_OK;
}

static tot_status take_recording(tot_recording *recording, train_embedder *embedder,
                                 const train_demonstrations_request *request, const char *path) {
    tot_recording loaded = {0};
    BASE_TRY(tot_recording_load(&loaded, path));
    tot_status status = take_views(embedder, &loaded, path);
    BASE_THEN(status, check_fit(&loaded.meta, request, embedder, path));
    BASE_THEN(status, move(recording, &loaded, embedder, request, path));
    tot_recording_free(&loaded);
    return status;
}

static tot_status take_files(tot_recording *recording, train_embedder *embedder,
                             const train_demonstrations_request *request) {
    const char *list = request->config->demo;
    char path[TOT_TRAIN_TEXT];
    while ((int64_t)recording->count < request->config->demos && next_file(&list, path)) {
        const bool is_npz = base_ends_in(path, ".npz");
        BASE_TRY(is_npz ? take_recording(recording, embedder, request, path)
                        : take_video(recording, embedder, request, path));
    }
    BASE_FAIL_IF(recording->count == 0, TOT_E_ARGUMENT, "demo: '%s' names no file",
                 request->config->demo);
    return TOT_OK;
}

// --- data derived from them --------------------------------------------------------------------

// Total steps of all demonstrations.
static int64_t count_steps(const train_demonstrations *demonstrations) {
    int64_t steps = 0;
    for (size_t k = 0; k < demonstrations->recording.count; k++) {
        steps += demonstrations->recording.trajectories[k].steps;
    }
    return steps;
}

static float *copy_observations(const tot_trajectory *one, int64_t count, bool zero_goal) {
    float *numbers = base_alloc((size_t)count * TOT_OBSERVATION, sizeof *numbers, "observations");
    for (int64_t k = 0; numbers != NULL && k < count; k++) {
        demo_observation_read(one->observations + k * TOT_OBSERVATION, zero_goal,
                              numbers + k * TOT_OBSERVATION);
    }
    return numbers;
}

static tot_status open_encoder(const train_demonstrations *demonstrations, train_embedder *embedder,
                               const train_demonstrations_request *request) {
    if (!embedder->sees_pictures || request->config->precision != TOT_PRECISION_INT8) {
        return train_embedder_open_encoder(embedder, request->config, request->task, NULL, 0,
                                           request->pool);
    }
    // all frames in one block, for calibration
    const int64_t steps = count_steps(demonstrations);
    uint8_t *frames = base_alloc((size_t)steps, embedder->picture, "frames");
    BASE_HAVE(frames);
    uint8_t *next = frames;
    for (size_t k = 0; k < demonstrations->recording.count; k++) {
        const tot_trajectory *one = &demonstrations->recording.trajectories[k];
        memcpy(next, one->frames.data, (size_t)one->steps * embedder->picture);
        next += (size_t)one->steps * embedder->picture;
    }
    BASE_FINALLY(train_embedder_open_encoder(embedder, request->config, request->task, frames,
                                             steps, request->pool),
                 base_free(frames));
}

static tot_status embed_one(train_demonstrations *demonstrations, train_embedder *embedder,
                            const tot_trajectory *one, float *embeddings) {
    float *numbers = NULL;
    if (!embedder->sees_pictures) {
        numbers = copy_observations(one, one->steps, embedder->zero_goal);
        BASE_HAVE(numbers);
    }
    tot_status status =
        train_embedder_embed(embedder, numbers, one->frames.data, one->steps, embeddings);
    base_free(numbers);
    BASE_TRY(status);
    demonstrations->hash = base_hash(demonstrations->hash, embeddings,
                                     (size_t)(one->steps * embedder->width) * sizeof *embeddings);
    return tot_demos_add(demonstrations->demos,
                         tot_embeddings_f32(embeddings, one->steps, embedder->width),
                         "demonstration");
}

static tot_status embed(train_demonstrations *demonstrations, train_embedder *embedder) {
    demonstrations->embeddings =
        base_alloc((size_t)count_steps(demonstrations) * (size_t)embedder->width,
                   sizeof *demonstrations->embeddings, "embeddings");
    BASE_HAVE(demonstrations->embeddings);
    BASE_TRY(tot_demos_create(&demonstrations->demos));
    float *place = demonstrations->embeddings;
    for (size_t k = 0; k < demonstrations->recording.count; k++) {
        const tot_trajectory *one = &demonstrations->recording.trajectories[k];
        BASE_TRY(embed_one(demonstrations, embedder, one, place));
        place += one->steps * embedder->width;
    }
    return TOT_OK;
}

// The frames the agent would have observed: [steps + 1], the last one repeated.
static uint8_t *copy_agent_frames(const tot_array *frames, int64_t steps, int side) {
    const size_t picture = (size_t)side * (size_t)side * 3;
    uint8_t *pictures = base_alloc((size_t)steps + 1, picture, "pictures");
    if (pictures != NULL) {
        memcpy(pictures, frames->data, (size_t)steps * picture);
        memcpy(pictures + (size_t)steps * picture, pictures + (size_t)(steps - 1) * picture,
               picture);
    }
    return pictures;
}

static tot_status add_expert(train_demonstrations *demonstrations, const train_embedder *embedder,
                             const tot_trajectory *one, tot_array *frames,
                             const train_demonstrations_request *request) {
    const bool sees_pixels = request->sees->pixels > 0;
    BASE_FAIL_IF(sees_pixels && frames->data == NULL, TOT_E_ARGUMENT,
                 "demo: an agent that observes pixels needs pictures of the demonstrations; "
                 "collect them with frames");
    BASE_TRY(sees_pixels ? resize_frames(frames, request->sees->pixels, 1) : TOT_OK);
    float *rewards = base_alloc_zero((size_t)one->steps, sizeof *rewards, "rewards");
    // a shaped goal of 0 means no goal: an agent that is given the goal must see it here, too
    float *numbers =
        copy_observations(one, one->steps + 1, embedder->zero_goal && !request->input->shaped);
    float *inputs = base_alloc((size_t)one->steps + 1, TRAIN_MOST_INPUT * sizeof *inputs, "inputs");
    uint8_t *pictures =
        sees_pixels ? copy_agent_frames(frames, one->steps, request->sees->pixels) : NULL;
    tot_status status = TOT_E_MEMORY;
    if (rewards != NULL && numbers != NULL && inputs != NULL &&
        (!sees_pixels || pictures != NULL)) {
        for (int64_t k = 0; k <= one->steps; k++) {
            train_input_write(request->input, numbers + k * TOT_OBSERVATION, k,
                              inputs + k * request->input->width);
        }
        const tot_episode episode = {.steps = one->steps,
                                     .observations = request->sees->width > 0 ? inputs : NULL,
                                     .pictures = pictures,
                                     .actions = one->actions,
                                     .rewards = rewards};
        demonstrations->hash = base_hash(demonstrations->hash, numbers,
                                         (size_t)one->steps * TOT_OBSERVATION * sizeof *numbers);
        status = tot_replay_add(demonstrations->expert, &episode);
    }
    BASE_RELEASE(rewards, numbers, inputs, pictures);
    return status;
}

static tot_status make_expert(train_demonstrations *demonstrations, const train_embedder *embedder,
                              const train_demonstrations_request *request) {
    BASE_TRY(
        tot_replay_create(&demonstrations->expert, request->sees, count_steps(demonstrations), 0));
    const bool collected = demonstrations->agent_recording.count > 0;
    for (size_t k = 0; k < demonstrations->recording.count; k++) {
        const tot_trajectory *one = &demonstrations->recording.trajectories[k];
        BASE_FAIL_IF(one->actions == NULL, TOT_E_ARGUMENT,
                     "demo: %s needs actions, but a video has none", request->method->name);
        tot_array *from = collected ? &demonstrations->agent_recording.trajectories[k].frames
                                    : &demonstrations->recording.trajectories[k].frames;
        tot_array frames = {0};
        if (request->sees->pixels > 0 && !collected && from->data != NULL) {
            BASE_TRY(demo_frames_allocate(&frames, from->shape[0], from->shape[1], from->shape[1]));
            memcpy(frames.data, from->data, frames.capacity);
        }
        const tot_status status = add_expert(demonstrations, embedder, one,
                                             frames.data != NULL ? &frames : from, request);
        tot_array_free(&frames);
        BASE_TRY(status);
    }
    return TOT_OK;
}

// Fits the agent's view like the encoder's, even for methods without demonstrations, so that all
// methods observe the same.
static tot_status fit_agent(train_embedder *embedder, const train_demonstrations_request *request) {
    tot_recording recording = {0};
    double *points = NULL;
    size_t count = 0;
    if (request->config->obs != TOT_OBS_PIXELS || !embedder->views.agent.fitted) {
        return TOT_OK;
    }
    tot_status status = train_demonstrations_collect(&recording, request, NULL, 0);
    BASE_THEN(status, demo_recording_tracks(&recording, &points, &count));
    BASE_THEN(status, tot_view_fit(request->task, &embedder->views.agent, points, count,
                                   request->config->view_margin, embedder->views.agent.crop));
    base_free(points);
    tot_recording_free(&recording);
    return status;
}

tot_status train_demonstrations_open(train_demonstrations *demonstrations, train_embedder *embedder,
                                     const train_demonstrations_request *request) {
    const tot_train_config *config = request->config;
    const bool imitates = request->method->clones || request->method->discriminates;
    *demonstrations = (train_demonstrations){.hash = BASE_HASH_EMPTY};
    BASE_TRY(fit_agent(embedder, request));
    if (!imitates && !request->method->compares) {
        return TOT_OK;
    }
    if (config->demo[0] != '\0') {
        BASE_TRY(take_files(&demonstrations->recording, embedder, request));
    } else {
        BASE_TRY(train_demonstrations_collect(
            &demonstrations->recording, request,
            embedder->sees_pictures ? embedder->views.encoder.view : NULL,
            embedder->views.encoder.count));
        for (int k = 0; k < embedder->views.encoder.count; k++) {
            memcpy(embedder->views.encoder.view[k].crop, demonstrations->recording.meta.crop[k],
                   sizeof embedder->views.encoder.view[k].crop);
        }
        if (imitates && request->sees->pixels > 0) {
            // the same from the agent's view, whose crop is already known
            tot_picture_settings agent = embedder->views.agent;
            agent.fitted = false;
            BASE_TRY(
                train_demonstrations_collect(&demonstrations->agent_recording, request, &agent, 1));
        }
    }
    if (request->method->compares) {
        BASE_TRY(open_encoder(demonstrations, embedder, request));
        BASE_TRY(train_embedder_whiten(embedder, config, request->task));
        BASE_TRY(embed(demonstrations, embedder));
    }
    return imitates ? make_expert(demonstrations, embedder, request) : TOT_OK;
}

void train_demonstrations_close(train_demonstrations *demonstrations) {
    tot_replay_free(demonstrations->expert);
    tot_demos_free(demonstrations->demos);
    base_free(demonstrations->embeddings);
    tot_recording_free(&demonstrations->agent_recording);
    tot_recording_free(&demonstrations->recording);
    *demonstrations = (train_demonstrations){0};
}
