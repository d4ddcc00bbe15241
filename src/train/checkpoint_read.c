// A checkpoint may contain anything: every number is checked before it is used as a size, an index
// or a length, and every array header before memory is allocated for it.
#include <float.h>

#include "base/base.h"
#include "base/settings.h"
#include "file/npz.h"
#include "train/checkpoint.h"
#include "train/folder.h"

enum { MOST_META = 1 << 16 };  // bytes of the metadata

// --- arrays and numbers ------------------------------------------------------------------------

static tot_status fail_entry(const char *path, const char *name) {
    return base_fail(TOT_E_FORMAT, "%s: %s: not what a checkpoint of this run holds", path, name);
}

static tot_status read_header(tot_npz *npz, const char *path, const char *name,
                              file_npy_header *header) {
    return tot_npz_has(npz, name) ? file_npz_header(npz, name, header) : fail_entry(path, name);
}

// Reads an array of `count` elements. TOT_E_FORMAT, without allocating, if its header differs.
static tot_status read_array(tot_npz *npz, const char *path, const char *name, tot_type type,
                             int64_t count, tot_array *array) {
    file_npy_header header = {0};
    BASE_TRY(read_header(npz, path, name, &header));
    return header.type == type && header.count == count ? tot_npz_read(npz, name, array)
                                                        : fail_entry(path, name);
}

// Same, into existing memory.
static tot_status read_into(tot_npz *npz, const char *path, const char *name, tot_type type,
                            void *data, int64_t count) {
    tot_array array = {0};
    const tot_status status = read_array(npz, path, name, type, count, &array);
    if (status == TOT_OK && count > 0) {
        memcpy(data, array.data, (size_t)count * tot_type_size(type));
    }
    tot_array_free(&array);
    return status;
}

// NaN passes only if there is no least value.
static tot_status check_number(const char *path, const char *name, double value, double least,
                               double most) {
    const bool inside = value >= least && value <= most;
    BASE_FAIL_IF(!inside && !(isnan(value) && isinf(least)), TOT_E_FORMAT,
                 "%s: %s: %.17g is not in %g .. %g", path, name, value, least, most);
    return TOT_OK;
}

// Checks floats that are used for learning or acting.
static tot_status check_finite(const char *path, const char *name, const float *values,
                               int64_t count) {
    for (int64_t k = 0; k < count; k++) {
        BASE_FAIL_IF(!isfinite(values[k]), TOT_E_FORMAT, "%s: %s: number %lld is %g", path, name,
                     (long long)k, (double)values[k]);
    }
    return TOT_OK;
}

static tot_status read_floats(tot_npz *npz, const char *path, const char *name, float *values,
                              int64_t count) {
    BASE_TRY(read_into(npz, path, name, TOT_F32, values, count));
    return check_finite(path, name, values, count);
}

// Values added to the format later keep their initial value if an older checkpoint lacks them.
static tot_status read_state(tot_npz *npz, const char *path, train_run_state *state) {
#define MISSING_count(name) false
#define MISSING_real(name)  false
#define MISSING_added(name) !tot_npz_has(npz, "state." name)
#define TYPE_count          TOT_I64
#define TYPE_real           TOT_F64
#define TYPE_added          TOT_F64
#define TRAIN_STATE(type, name, initial, least, most)                                   \
    BASE_TRY(MISSING_##type(#name)                                                      \
                 ? TOT_OK                                                               \
                 : read_into(npz, path, "state." #name, TYPE_##type, &state->name, 1)); \
    BASE_TRY(check_number(path, "state." #name, (double)state->name, least, most));
#include "train/state.def"
#undef TRAIN_STATE
    return TOT_OK;
}

// --- the parts ---------------------------------------------------------------------------------

static tot_status read_random(tot_npz *npz, const char *path, const char *name,
                              tot_random *random) {
    int64_t words[3];
    BASE_TRY(read_into(npz, path, name, TOT_I64, words, 3));
    *random = (tot_random){(uint64_t)words[0], (uint64_t)words[1], (uint64_t)words[2]};
    return TOT_OK;
}

static tot_status read_agent(tot_npz *npz, const char *path, tot_agent *agent) {
    for (size_t k = 0; k < tot_agent_tensor_count(agent); k++) {
        const tot_array tensor = tot_agent_tensor(agent, k);
        const char *name = tot_agent_tensor_name(agent, k);
        if (tensor.type == TOT_F32) {
            BASE_TRY(read_floats(npz, path, name, tensor.data, tot_array_count(&tensor)));
        } else {
            // the only other type: Adam's step counter
            int64_t *steps = tensor.data;
            BASE_TRY(read_into(npz, path, name, TOT_I64, steps, 1));
            BASE_TRY(check_number(path, name, (double)*steps, 0, TRAIN_MOST_COUNT));
        }
    }
    return TOT_OK;
}

static tot_status read_world(tot_npz *npz, const char *path, tot_world *world) {
    tot_array state = {0};
    const size_t size = tot_world_state_size(world);
    tot_status status = read_array(npz, path, "world", TOT_U8, (int64_t)size, &state);
    BASE_THEN(status, tot_world_restore(world, state.data, size));
    tot_array_free(&state);
    return status;
}

// The steps of the current episode: must agree with the number of actions and the world's frames.
static tot_status read_taken(tot_npz *npz, const char *path, train_run *run) {
    file_npy_header header = {0};
    BASE_TRY(read_header(npz, path, "episode.actions", &header));
    const int64_t taken = header.count / TOT_ACTION;
    if (taken >= run->horizon ||
        taken * run->config.action_repeat != tot_world_frames(run->world)) {
        return fail_entry(path, "episode.actions");
    }
    run->episode.taken = taken;
    return TOT_OK;
}

static tot_status read_pictures(tot_npz *npz, const char *path, train_run *run) {
    const train_run_episode *episode = &run->episode;
    const int64_t agent_frame = run->config.pixels * run->config.pixels * 3;
    BASE_TRY(read_into(npz, path, "episode.pictures", TOT_U8, episode->pictures,
                       (episode->taken + 1) * agent_frame));
    for (int64_t k = 0; k <= episode->taken; k++) {
        train_stack_push(run->stack, episode->pictures + (size_t)(k * agent_frame),
                         run->sees.pixels, k == 0);
    }
    return TOT_OK;
}

static tot_status read_episode(tot_npz *npz, const char *path, train_run *run) {
    train_run_episode *episode = &run->episode;
    episode->under_way = tot_npz_has(npz, "world");
    episode->taken = 0;
    if (!episode->under_way) {
        return TOT_OK;
    }
    BASE_TRY(read_world(npz, path, run->world));
    BASE_TRY(read_taken(npz, path, run));
    const int64_t taken = episode->taken;
    BASE_TRY(read_floats(npz, path, "episode.actions", episode->actions, taken * TOT_ACTION));
    BASE_TRY(read_floats(npz, path, "episode.observations", episode->observations,
                         (taken + 1) * TOT_OBSERVATION));
    for (int64_t k = 0; k <= taken; k++) {
        train_input_write(&run->input, episode->observations + k * TOT_OBSERVATION, k,
                          episode->inputs + k * run->input.width);
    }
    BASE_TRY(read_into(npz, path, "episode.success", TOT_U8, episode->success, taken));
    if (train_is_dense(run)) {
        BASE_TRY(read_floats(npz, path, "episode.rewards", episode->rewards, taken));
    }
    if (episode->frames != NULL) {
        BASE_TRY(read_into(npz, path, "episode.frames", TOT_U8, episode->frames,
                           taken * (int64_t)run->embedder.picture));
    }
    return episode->pictures != NULL ? read_pictures(npz, path, run) : TOT_OK;
}

static tot_status read_meta(tot_npz *npz, const char *path, cJSON **meta) {
    tot_array text = {0};
    file_npy_header header = {0};
    BASE_TRY(read_header(npz, path, "meta", &header));
    const int64_t count = header.count <= MOST_META ? header.count : MOST_META;
    const tot_status status = read_array(npz, path, "meta", TOT_U8, count, &text);
    if (status == TOT_OK) {
        *meta = cJSON_ParseWithLength(text.data, (size_t)count);
    }
    tot_array_free(&text);
    return *meta != NULL || status != TOT_OK ? status : fail_entry(path, "meta");
}

const char *train_checkpoint_text(const cJSON *meta, const char *name) {
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(meta, name));
    return text != NULL ? text : "";
}

tot_status train_checkpoint_meta(cJSON **meta, const char *folder) {
    char path[TRAIN_PATH];
    int64_t newest_first[TRAIN_MOST_CHECKPOINTS];
    tot_npz *npz = NULL;
    *meta = NULL;
    if (train_checkpoints_of(folder, newest_first) == 0 ||
        train_checkpoint_name(path, folder, newest_first[0]) != TOT_OK) {
        return TOT_OK;
    }
    tot_status status = tot_npz_open(&npz, path);
    BASE_THEN(status, read_meta(npz, path, meta));
    tot_npz_close(npz);
    return status == TOT_E_MEMORY ? status : TOT_OK;
}

// A newer format is neither guessed at nor treated as damage: the version that wrote it can read
// it.
static tot_status check_format(const char *path, const cJSON *meta) {
    const double format = cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(meta, "format"));
    BASE_FAIL_IF(
        format > TRAIN_CHECKPOINT_FORMAT, TOT_E_ARGUMENT,
        "%s: has format %.0f, written by a later version (%s); this one, %s, reads format %d", path,
        format, train_checkpoint_text(meta, "version"), tot_version(), TRAIN_CHECKPOINT_FORMAT);
    return format == TRAIN_CHECKPOINT_FORMAT ? TOT_OK : fail_entry(path, "meta");
}

// What the agent and its reward see, as the run's configuration says and as it was trained. Older
// checkpoints do not say.
static tot_status check_seen(const char *path, const tot_train_config *config, const cJSON *meta) {
    char name[64];
    char value[TOT_TRAIN_TEXT];
    const cJSON *seen = cJSON_GetObjectItemCaseSensitive(meta, "seen");
    for (int k = 0; *base_word_at(TRAIN_CHECKPOINT_SEEN, k, name, sizeof name) != 0; k++) {
        const char *trained = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(seen, name));
        BASE_TRY(tot_train_get(config, name, value, sizeof value));
        BASE_FAIL_IF(trained != NULL && strcmp(trained, value) != 0, TOT_E_ARGUMENT,
                     "%s: was trained with %s '%s', but its config.yaml says '%s'", path, name,
                     trained, value);
    }
    return TOT_OK;
}

static tot_status differ(const char *path, const char *what, const char *found,
                         const char *wanted) {
    return base_fail(TOT_E_ARGUMENT,
                     "%s: cannot be continued bit for bit: its %s is %s, not %s; "
                     "resume=approximate continues anyway",
                     path, what, found, wanted);
}

// What must match for bit-identical results.
static tot_status check_kind(const train_run *run, const char *path, const cJSON *meta) {
    char cpu[TRAIN_CPU_TEXT];
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
        {"version", train_checkpoint_text(meta, "version"), tot_version()},
        {"build", train_checkpoint_text(meta, "build"), train_build_text()},
        {"CPU", train_checkpoint_text(meta, "cpu"), cpu},
        {"number of threads", found, threads},
        {"fingerprint of the demonstrations", train_checkpoint_text(meta, "demonstrations"), demos},
    };
    for (size_t k = 0; k < BASE_LENGTH(kinds); k++) {
        if (strcmp(kinds[k].found, kinds[k].wanted) != 0) {
            return differ(path, kinds[k].what, kinds[k].found, kinds[k].wanted);
        }
    }
    return TOT_OK;
}

// Restores the replay into a new one.
static tot_status read_replay(train_run *run, const char *line) {
    char folder[TRAIN_PATH];
    BASE_TRY(train_path(folder, run->folder, "checkpoint/replay"));
    tot_replay_free(run->replay);
    run->replay = NULL;
    BASE_FAIL_IF(strlen(line) >= sizeof run->newest_replay, TOT_E_FORMAT,
                 "%s: the place in it is told in %zu letters", folder, strlen(line));
    BASE_TRY(train_run_open_replay(run));
    BASE_TRY(tot_replay_restore(run->replay, folder, line));
    snprintf(run->newest_replay, sizeof run->newest_replay, "%s", line);
    return TOT_OK;
}

static tot_status read_parts(tot_npz *npz, const char *path, train_run *run, bool approximate) {
    cJSON *meta = NULL;
    BASE_TRY(read_meta(npz, path, &meta));
    tot_status status = check_format(path, meta);
    status = status != TOT_OK || approximate ? status : check_kind(run, path, meta);
    status = status != TOT_OK || approximate ? status : check_seen(path, &run->config, meta);
    BASE_THEN(status, read_state(npz, path, &run->state));
    BASE_THEN(status, read_random(npz, path, "random.exploration", &run->exploration));
    BASE_THEN(status, read_random(npz, path, "random.sampling", &run->sampling));
    BASE_THEN(status, read_agent(npz, path, run->agent));
    BASE_THEN(status, read_episode(npz, path, run));
    BASE_THEN(status, read_replay(run, train_checkpoint_text(meta, "replay")));
    cJSON_Delete(meta);
    return status;
}

static tot_status load_one(train_run *run, int64_t made, bool approximate) {
    char path[TRAIN_PATH];
    tot_npz *npz = NULL;
    BASE_TRY(train_checkpoint_name(path, run->folder, made));
    BASE_TRY(tot_npz_open(&npz, path));
    const tot_status status = read_parts(npz, path, run, approximate);
    tot_npz_close(npz);
    run->saved_at = made;
    return status;
}

// Whether the file itself is at fault, so that another checkpoint may work.
static bool is_damage(tot_status status) {
    return status == TOT_E_FORMAT || status == TOT_E_FILE || status == TOT_E_UNSUPPORTED ||
           status == TOT_E_SHAPE || status == TOT_E_VALUE;
}

// Renames damaged checkpoints, so that they do not count as newer than the next ones.
static void put_aside(const char *folder, const int64_t *found, size_t count) {
    for (size_t k = 0; k < count; k++) {
        char path[TRAIN_PATH];
        char aside[TRAIN_PATH + 16];
        if (train_checkpoint_name(path, folder, found[k]) == TOT_OK) {
            snprintf(aside, sizeof aside, "%s.damaged", path);
            rename(path, aside);
        }
    }
}

tot_status train_checkpoint_load(train_run *run, bool approximate) {
    int64_t found[TRAIN_MOST_CHECKPOINTS];
    const size_t count = train_checkpoints_of(run->folder, found);
    tot_status status = base_fail(TOT_E_FILE, "%s: has no checkpoint", run->folder);
    for (size_t k = 0; k < count; k++) {
        status = load_one(run, found[k], approximate);
        bool damaged = is_damage(status);
        if (status == TOT_OK) {
            // missing rows mean a bad checkpoint; an unwritable file does not
            status = train_open_record(run);
            damaged = status == TOT_E_FORMAT;
        }
        if (status == TOT_OK) {
            put_aside(run->folder, found, k);
        }
        if (!damaged) {
            return status;
        }
        base_log(TOT_LOG_WARNING, "%s%s", tot_error(),
                 k + 1 < count ? "; the previous checkpoint is used" : "");
    }
    return status;
}

static tot_status check_meta(tot_npz *npz, const char *path, const tot_train_config *config) {
    cJSON *meta = NULL;
    BASE_TRY(read_meta(npz, path, &meta));
    tot_status status = check_format(path, meta);
    BASE_THEN(status, check_seen(path, config, meta));
    cJSON_Delete(meta);
    return status;
}

tot_status train_checkpoint_load_agent(tot_agent *agent, const tot_train_config *config,
                                       const char *folder, train_run_state *state) {
    int64_t found[TRAIN_MOST_CHECKPOINTS];
    const size_t count = train_checkpoints_of(folder, found);
    tot_status status = base_fail(TOT_E_FILE, "%s: has no checkpoint", folder);
    for (size_t k = 0; k < count; k++) {
        char path[TRAIN_PATH];
        tot_npz *npz = NULL;
        BASE_TRY(train_checkpoint_name(path, folder, found[k]));
        status = tot_npz_open(&npz, path);
        BASE_THEN(status, check_meta(npz, path, config));
        BASE_THEN(status, read_agent(npz, path, agent));
        BASE_THEN(status, read_state(npz, path, state));
        tot_npz_close(npz);
        if (!is_damage(status)) {
            return status;
        }
        base_log(TOT_LOG_WARNING, "%s%s", tot_error(),
                 k + 1 < count ? "; the previous checkpoint is used" : "");
    }
    return status;
}
