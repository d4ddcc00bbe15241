#include "train/checkpoint.h"

#include <cjson/cJSON.h>
#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "file/npz.h"
#include "train/build.h"
#include "train/folder.h"

enum { FORMAT = 1, KIND_TEXT = 256, MOST_FOUND = 16 };

// --- names -------------------------------------------------------------------------------------

// The checkpoints of a folder, the newest first: how far each one is. Returns how many.
static size_t find_all(const char *folder, int64_t found[MOST_FOUND]) {
    char path[TRAIN_PATH];
    size_t count = 0;
    DIR *entries = train_path(path, folder, "checkpoint") == TOT_OK ? opendir(path) : NULL;
    for (struct dirent *entry; entries != NULL && (entry = readdir(entries)) != NULL;) {
        int64_t made = 0;
        int end = 0;
        if (sscanf(entry->d_name, "at-%" SCNd64 ".npz%n", &made, &end) != 1 ||
            end != (int)strlen(entry->d_name)) {
            continue;
        }
        size_t place = count < MOST_FOUND ? count++ : MOST_FOUND - 1;
        for (; place > 0 && found[place - 1] < made; place--) {
            found[place] = found[place - 1];
        }
        found[place] = made;
    }
    if (entries != NULL) {
        closedir(entries);
    }
    return count;
}

static tot_status name_of(char path[TRAIN_PATH], const char *folder, int64_t made) {
    char name[64];
    snprintf(name, sizeof name, "checkpoint/at-%010lld.npz", (long long)made);
    return train_path(path, folder, name);
}

bool train_checkpoint_exists(const char *folder) {
    int64_t found[MOST_FOUND];
    return find_all(folder, found) > 0;
}

// --- writing -----------------------------------------------------------------------------------

static tot_status add(tot_npz_writer *npz, const char *name, tot_type type, void *data,
                      int dimensions, int64_t rows, int64_t columns) {
    const tot_array array = {
        .type = type, .dimensions = dimensions, .shape = {rows, columns}, .data = data};
    return tot_npz_add(npz, name, &array);
}

static tot_status add_state(tot_npz_writer *npz, train_run_state *state) {
#define TYPE_count TOT_I64
#define TYPE_real  TOT_F64
#define TYPE_added TOT_F64
#define TRAIN_STATE(type, name, initial) \
    BASE_TRY(add(npz, "state." #name, TYPE_##type, &state->name, 0, 0, 0));
#include "train/state.def"
#undef TRAIN_STATE
    return TOT_OK;
}

static tot_status add_random(tot_npz_writer *npz, const char *name, const tot_random *random) {
    int64_t words[3] = {(int64_t)random->seed, (int64_t)random->stream, (int64_t)random->counter};
    return add(npz, name, TOT_I64, words, 1, 3, 0);
}

static tot_status add_agent(tot_npz_writer *npz, tot_agent *agent) {
    for (size_t k = 0; k < tot_agent_tensor_count(agent); k++) {
        const tot_array tensor = tot_agent_tensor(agent, k);
        BASE_TRY(tot_npz_add(npz, tot_agent_tensor_name(agent, k), &tensor));
    }
    return TOT_OK;
}

// The world and what was seen of the episode so far.
static tot_status add_episode(tot_npz_writer *npz, train_run *run) {
    train_run_episode *episode = &run->episode;
    const int64_t pixels = run->config.pixels;
    if (!episode->under_way) {
        return TOT_OK;
    }
    const size_t bytes = tot_world_state_size(run->world);
    void *world = base_alloc(bytes, 1, "world");
    if (world == NULL) {
        return TOT_E_MEMORY;
    }
    tot_status status = tot_world_save(run->world, world, bytes);
    status = status != TOT_OK ? status : add(npz, "world", TOT_U8, world, 1, (int64_t)bytes, 0);
    base_free(world);
    BASE_TRY(status);
    BASE_TRY(add(npz, "episode.observations", TOT_F32, episode->observations, 2, episode->taken + 1,
                 TOT_OBSERVATION));
    BASE_TRY(add(npz, "episode.actions", TOT_F32, episode->actions, 2, episode->taken, TOT_ACTION));
    BASE_TRY(add(npz, "episode.success", TOT_U8, episode->success, 1, episode->taken, 0));
    if (train_is_dense(run)) {
        BASE_TRY(add(npz, "episode.rewards", TOT_F32, episode->rewards, 1, episode->taken, 0));
    }
    if (episode->frames != NULL) {
        BASE_TRY(add(npz, "episode.frames", TOT_U8, episode->frames, 2, episode->taken,
                     (int64_t)run->embedder.picture));
    }
    return episode->pictures != NULL ? add(npz, "episode.pictures", TOT_U8, episode->pictures, 2,
                                           episode->taken + 1, pixels * pixels * 3)
                                     : TOT_OK;
}

static tot_status add_meta(tot_npz_writer *npz, const train_run *run, const char *replay) {
    char cpu[KIND_TEXT];
    char demos[32];
    train_cpu_kind(cpu, sizeof cpu);
    snprintf(demos, sizeof demos, "%016llx", (unsigned long long)run->demonstrations.hash);
    cJSON *meta = cJSON_CreateObject();
    const bool whole =
        meta != NULL && cJSON_AddNumberToObject(meta, "format", FORMAT) != NULL &&
        cJSON_AddStringToObject(meta, "version", tot_version()) != NULL &&
        cJSON_AddStringToObject(meta, "commit", tot_commit()) != NULL &&
        cJSON_AddStringToObject(meta, "build", train_build_text()) != NULL &&
        cJSON_AddStringToObject(meta, "cpu", cpu) != NULL &&
        cJSON_AddNumberToObject(meta, "threads", tot_pool_threads(run->pool)) != NULL &&
        cJSON_AddStringToObject(meta, "demonstrations", demos) != NULL &&
        cJSON_AddStringToObject(meta, "replay", replay) != NULL;
    char *text = whole ? cJSON_PrintUnformatted(meta) : NULL;
    cJSON_Delete(meta);
    if (text == NULL) {
        return base_fail(TOT_E_MEMORY, "checkpoint: no memory for its description");
    }
    const tot_status status = tot_npz_add_text(npz, "meta", text);
    cJSON_free(text);
    return status;
}

static tot_status add_all(tot_npz_writer *npz, train_run *run, const char *replay) {
    BASE_TRY(add_meta(npz, run, replay));
    BASE_TRY(add_state(npz, &run->state));
    BASE_TRY(add_random(npz, "random.exploration", &run->exploration));
    BASE_TRY(add_random(npz, "random.sampling", &run->sampling));
    BASE_TRY(add_episode(npz, run));
    return add_agent(npz, run->agent);
}

static tot_status write_npz(train_run *run, const char *path, const char *replay) {
    tot_npz_writer *npz = NULL;
    BASE_TRY(tot_npz_create(&npz, path, false));
    return file_npz_end(npz, add_all(npz, run, replay));
}

// All but the newest and the one before it.
static void remove_older(const char *folder) {
    int64_t found[MOST_FOUND];
    const size_t count = find_all(folder, found);
    for (size_t k = 2; k < count; k++) {
        char path[TRAIN_PATH];
        if (name_of(path, folder, found[k]) == TOT_OK) {
            unlink(path);
        }
    }
}

tot_status train_checkpoint_save(train_run *run) {
    char path[TRAIN_PATH];
    char folder[TRAIN_PATH];
    char replay[sizeof run->newest_replay];
    const int64_t made = run->state.cloned + run->state.step;
    BASE_TRY(train_path(folder, run->folder, "checkpoint/replay"));
    BASE_TRY(train_make_folder(folder));
    BASE_TRY(name_of(path, run->folder, made));
    BASE_TRY(tot_replay_save(run->replay, folder, replay, sizeof replay));
    BASE_TRY(train_record_sync(run->record));
    BASE_TRY(train_run_save_episode(run));
    BASE_TRY(write_npz(run, path, replay));
    remove_older(run->folder);
    if (made != run->saved_at || run->newest_replay[0] == '\0') {
        strcpy(run->previous_replay, run->newest_replay);
    }
    strcpy(run->newest_replay, replay);
    run->saved_at = made;
    run->saved = train_seconds();
    run->save_requested = false;
    BASE_TRY(train_tell_status(run, TRAIN_RUNNING, ""));
    return tot_replay_trim(folder, run->newest_replay,
                           run->previous_replay[0] != '\0' ? run->previous_replay : NULL);
}

// --- reading -----------------------------------------------------------------------------------

static tot_status fail_entry(const char *path, const char *name) {
    return base_fail(TOT_E_FORMAT, "%s: %s: not as a checkpoint of this run has it", path, name);
}

// Reads an array into memory that is there already, of rows x columns elements.
static tot_status read_into(tot_npz *npz, const char *path, const char *name, tot_type type,
                            void *data, int64_t count) {
    tot_array array = {0};
    tot_status status = tot_npz_read(npz, name, &array);
    if (status == TOT_E_ARGUMENT ||
        (status == TOT_OK && (array.type != type || tot_array_count(&array) != count))) {
        status = fail_entry(path, name);
    }
    if (status == TOT_OK && count > 0) {
        memcpy(data, array.data, (size_t)count * tot_type_size(type));
    }
    tot_array_free(&array);
    return status;
}

// What was added after the format was settled keeps its initial value where an older checkpoint
// lacks it.
static tot_status read_state(tot_npz *npz, const char *path, train_run_state *state) {
#define MISSING_count(name) false
#define MISSING_real(name)  false
#define MISSING_added(name) !tot_npz_has(npz, "state." name)
#define TRAIN_STATE(type, name, initial) \
    BASE_TRY(MISSING_##type(#name)       \
                 ? TOT_OK                \
                 : read_into(npz, path, "state." #name, TYPE_##type, &state->name, 1));
#include "train/state.def"
#undef TRAIN_STATE
    return TOT_OK;
}

static tot_status read_random(tot_npz *npz, const char *path, const char *name,
                              tot_random *random) {
    int64_t words[3];
    BASE_TRY(read_into(npz, path, name, TOT_I64, words, 3));
    *random = (tot_random){(uint64_t)words[0], (uint64_t)words[1], (uint64_t)words[2]};
    return TOT_OK;
}

static tot_status read_agent(tot_npz *npz, const char *path, tot_agent *agent) {
    for (size_t k = 0; k < tot_agent_tensor_count(agent); k++) {
        tot_array tensor = tot_agent_tensor(agent, k);
        BASE_TRY(read_into(npz, path, tot_agent_tensor_name(agent, k), tensor.type, tensor.data,
                           tot_array_count(&tensor)));
    }
    return TOT_OK;
}

static tot_status read_world(tot_npz *npz, const char *path, tot_world *world) {
    tot_array state = {0};
    tot_status status = tot_npz_read(npz, "world", &state);
    if (status == TOT_OK && state.type != TOT_U8) {
        status = fail_entry(path, "world");
    }
    if (status == TOT_OK) {
        status = tot_world_restore(world, state.data, (size_t)tot_array_count(&state));
    }
    tot_array_free(&state);
    return status;
}

static tot_status read_episode(tot_npz *npz, const char *path, train_run *run) {
    train_run_episode *episode = &run->episode;
    const int64_t agent_frame = run->config.pixels * run->config.pixels * 3;
    tot_array actions = {0};
    episode->under_way = tot_npz_has(npz, "world");
    episode->taken = 0;
    if (!episode->under_way) {
        return TOT_OK;
    }
    BASE_TRY(read_world(npz, path, run->world));
    const tot_status status = tot_npz_read(npz, "episode.actions", &actions);
    const int64_t taken = status == TOT_OK ? tot_array_count(&actions) / TOT_ACTION : 0;
    tot_array_free(&actions);
    BASE_TRY(status);
    if (taken >= run->horizon) {
        return fail_entry(path, "episode.actions");
    }
    episode->taken = taken;
    BASE_TRY(
        read_into(npz, path, "episode.actions", TOT_F32, episode->actions, taken * TOT_ACTION));
    BASE_TRY(read_into(npz, path, "episode.observations", TOT_F32, episode->observations,
                       (taken + 1) * TOT_OBSERVATION));
    for (int64_t k = 0; k <= taken; k++) {
        train_input_write(&run->input, episode->observations + k * TOT_OBSERVATION, k,
                          episode->inputs + k * run->input.width);
    }
    BASE_TRY(read_into(npz, path, "episode.success", TOT_U8, episode->success, taken));
    if (train_is_dense(run)) {
        BASE_TRY(read_into(npz, path, "episode.rewards", TOT_F32, episode->rewards, taken));
    }
    if (episode->frames != NULL) {
        BASE_TRY(read_into(npz, path, "episode.frames", TOT_U8, episode->frames,
                           taken * (int64_t)run->embedder.picture));
    }
    if (episode->pictures != NULL) {
        BASE_TRY(read_into(npz, path, "episode.pictures", TOT_U8, episode->pictures,
                           (taken + 1) * agent_frame));
        for (int64_t k = 0; k <= taken; k++) {
            train_stack_push(run->stack, episode->pictures + (size_t)(k * agent_frame),
                             run->sees.pixels, k == 0);
        }
    }
    return TOT_OK;
}

static tot_status read_meta(tot_npz *npz, const char *path, cJSON **meta) {
    tot_array text = {0};
    tot_status status = tot_npz_read(npz, "meta", &text);
    if (status == TOT_OK && text.type == TOT_U8) {
        *meta = cJSON_ParseWithLength(text.data, (size_t)tot_array_count(&text));
    }
    tot_array_free(&text);
    return *meta != NULL || (status != TOT_OK && status != TOT_E_ARGUMENT)
               ? status
               : fail_entry(path, "meta");
}

static const char *text_of(const cJSON *meta, const char *name) {
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(meta, name));
    return text != NULL ? text : "";
}

// Neither guessed at nor taken for damage: a later version wrote it, and reads it.
static tot_status check_format(const char *path, const cJSON *meta) {
    const double format = cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(meta, "format"));
    if (format > FORMAT) {
        return base_fail(TOT_E_ARGUMENT,
                         "%s: is of format %.0f, which a later version (%s) wrote; this one, %s, "
                         "reads format %d",
                         path, format, text_of(meta, "version"), tot_version(), FORMAT);
    }
    return format == FORMAT ? TOT_OK : fail_entry(path, "meta");
}

static tot_status differ(const char *path, const char *what, const char *found,
                         const char *wanted) {
    return base_fail(TOT_E_ARGUMENT,
                     "%s: cannot be continued bit for bit: its %s is %s, not %s; "
                     "--resume=approximate continues all the same",
                     path, what, found, wanted);
}

// What must be the same for the bytes to be the same.
static tot_status check_kind(const train_run *run, const char *path, const cJSON *meta) {
    char cpu[KIND_TEXT];
    char threads[32];
    char found[32];
    char demos[32];
    train_cpu_kind(cpu, sizeof cpu);
    snprintf(threads, sizeof threads, "%d", tot_pool_threads(run->pool));
    snprintf(found, sizeof found, "%.0f",
             cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(meta, "threads")));
    snprintf(demos, sizeof demos, "%016llx", (unsigned long long)run->demonstrations.hash);
    const struct {
        const char *what, *found, *wanted;
    } kinds[] = {
        {"version", text_of(meta, "version"), tot_version()},
        {"build", text_of(meta, "build"), train_build_text()},
        {"CPU", text_of(meta, "cpu"), cpu},
        {"number of threads", found, threads},
        {"fingerprint of the demonstrations", text_of(meta, "demonstrations"), demos},
    };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        if (strcmp(kinds[k].found, kinds[k].wanted) != 0) {
            return differ(path, kinds[k].what, kinds[k].found, kinds[k].wanted);
        }
    }
    return TOT_OK;
}

// The replay as it was: a fresh one is filled.
static tot_status read_replay(train_run *run, const char *line) {
    char folder[TRAIN_PATH];
    BASE_TRY(train_path(folder, run->folder, "checkpoint/replay"));
    tot_replay_free(run->replay);
    run->replay = NULL;
    BASE_TRY(tot_replay_create(&run->replay, &run->sees, run->config.capacity,
                               (size_t)run->config.replay_megabytes << 20));
    tot_replay_prefer(run->replay, run->config.best_share, run->config.best_of);
    BASE_TRY(tot_replay_restore(run->replay, folder, line));
    snprintf(run->newest_replay, sizeof run->newest_replay, "%s", line);
    return TOT_OK;
}

static tot_status read_parts(tot_npz *npz, const char *path, train_run *run, bool approximate) {
    cJSON *meta = NULL;
    BASE_TRY(read_meta(npz, path, &meta));
    tot_status status = check_format(path, meta);
    status = status != TOT_OK || approximate ? status : check_kind(run, path, meta);
    status = status != TOT_OK ? status : read_state(npz, path, &run->state);
    status =
        status != TOT_OK ? status : read_random(npz, path, "random.exploration", &run->exploration);
    status = status != TOT_OK ? status : read_random(npz, path, "random.sampling", &run->sampling);
    status = status != TOT_OK ? status : read_agent(npz, path, run->agent);
    status = status != TOT_OK ? status : read_episode(npz, path, run);
    status = status != TOT_OK ? status : read_replay(run, text_of(meta, "replay"));
    cJSON_Delete(meta);
    return status;
}

static tot_status load_one(train_run *run, int64_t made, bool approximate) {
    char path[TRAIN_PATH];
    tot_npz *npz = NULL;
    BASE_TRY(name_of(path, run->folder, made));
    BASE_TRY(tot_npz_open(&npz, path));
    const tot_status status = read_parts(npz, path, run, approximate);
    tot_npz_close(npz);
    run->saved_at = made;
    return status;
}

// Whether what failed is the file, and another one may be better.
static bool is_damage(tot_status status) {
    return status == TOT_E_FORMAT || status == TOT_E_FILE || status == TOT_E_UNSUPPORTED ||
           status == TOT_E_SHAPE || status == TOT_E_VALUE;
}

// Damaged ones must not pass for newer than what comes now.
static void put_aside(const char *folder, const int64_t *found, size_t count) {
    for (size_t k = 0; k < count; k++) {
        char path[TRAIN_PATH];
        char aside[TRAIN_PATH + 16];
        if (name_of(path, folder, found[k]) == TOT_OK) {
            snprintf(aside, sizeof aside, "%s.damaged", path);
            rename(path, aside);
        }
    }
}

tot_status train_checkpoint_load(train_run *run, bool approximate) {
    int64_t found[MOST_FOUND];
    const size_t count = find_all(run->folder, found);
    tot_status status = base_fail(TOT_E_FILE, "%s: there is no checkpoint in it", run->folder);
    for (size_t k = 0; k < count; k++) {
        status = load_one(run, found[k], approximate);
        if (status == TOT_OK) {
            put_aside(run->folder, found, k);
        }
        if (!is_damage(status)) {
            return status;
        }
        base_log(TOT_LOG_WARNING, "%s%s", tot_error(),
                 k + 1 < count ? "; the checkpoint before it is taken" : "");
    }
    return status;
}

static tot_status read_format(tot_npz *npz, const char *path) {
    cJSON *meta = NULL;
    BASE_TRY(read_meta(npz, path, &meta));
    const tot_status status = check_format(path, meta);
    cJSON_Delete(meta);
    return status;
}

tot_status train_checkpoint_load_agent(tot_agent *agent, const char *folder,
                                       train_run_state *state) {
    int64_t found[MOST_FOUND];
    const size_t count = find_all(folder, found);
    tot_status status = base_fail(TOT_E_FILE, "%s: there is no checkpoint in it", folder);
    for (size_t k = 0; k < count; k++) {
        char path[TRAIN_PATH];
        tot_npz *npz = NULL;
        BASE_TRY(name_of(path, folder, found[k]));
        status = tot_npz_open(&npz, path);
        status = status != TOT_OK ? status : read_format(npz, path);
        status = status != TOT_OK ? status : read_agent(npz, path, agent);
        status = status != TOT_OK ? status : read_state(npz, path, state);
        tot_npz_close(npz);
        if (!is_damage(status)) {
            return status;
        }
        base_log(TOT_LOG_WARNING, "%s%s", tot_error(),
                 k + 1 < count ? "; the checkpoint before it is taken" : "");
    }
    return status;
}
