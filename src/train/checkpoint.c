#include "train/checkpoint.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

#include "base/base.h"
#include "base/settings.h"
#include "file/npz.h"
#include "train/folder.h"

// --- names -------------------------------------------------------------------------------------

size_t train_checkpoints_of(const char *folder, int64_t found[TRAIN_MOST_CHECKPOINTS]) {
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
        size_t place = count < TRAIN_MOST_CHECKPOINTS ? count++ : TRAIN_MOST_CHECKPOINTS - 1;
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

tot_status train_checkpoint_name(char *path, const char *folder, int64_t made) {
    char name[64];
    snprintf(name, sizeof name, "checkpoint/at-%010lld.npz", (long long)made);
    return train_path(path, folder, name);
}

bool train_checkpoint_exists(const char *folder) {
    int64_t found[TRAIN_MOST_CHECKPOINTS];
    return train_checkpoints_of(folder, found) > 0;
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
#define TRAIN_STATE(type, name, initial, least, most) \
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

// The world and the current episode so far.
static tot_status add_episode(tot_npz_writer *npz, train_run *run) {
    train_run_episode *episode = &run->episode;
    const int64_t pixels = run->config.pixels;
    if (!episode->under_way) {
        return TOT_OK;
    }
    const size_t bytes = tot_world_state_size(run->world);
    void *world = base_alloc(bytes, 1, "world");
    BASE_HAVE(world);
    tot_status status = tot_world_save(run->world, world, bytes);
    BASE_THEN(status, add(npz, "world", TOT_U8, world, 1, (int64_t)bytes, 0));
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

static bool add_seen(cJSON *meta, const tot_train_config *config) {
    char name[64];
    char value[TOT_TRAIN_TEXT];
    cJSON *seen = cJSON_AddObjectToObject(meta, "seen");
    bool whole = seen != NULL;
    for (int k = 0; whole && *base_word_at(TRAIN_CHECKPOINT_SEEN, k, name, sizeof name) != 0; k++) {
        whole = tot_train_get(config, name, value, sizeof value) == TOT_OK &&
                cJSON_AddStringToObject(seen, name, value) != NULL;
    }
    return whole;
}

static tot_status add_meta(tot_npz_writer *npz, const train_run *run, const char *replay) {
    char cpu[TRAIN_CPU_TEXT];
    char demos[32];
    train_cpu_kind(cpu, sizeof cpu);
    snprintf(demos, sizeof demos, "%016llx", (unsigned long long)run->demonstrations.hash);
    cJSON *meta = cJSON_CreateObject();
    const bool whole =
        meta != NULL && cJSON_AddNumberToObject(meta, "format", TRAIN_CHECKPOINT_FORMAT) != NULL &&
        cJSON_AddStringToObject(meta, "version", tot_version()) != NULL &&
        cJSON_AddStringToObject(meta, "commit", tot_commit()) != NULL &&
        cJSON_AddStringToObject(meta, "build", train_build_text()) != NULL &&
        cJSON_AddStringToObject(meta, "cpu", cpu) != NULL &&
        cJSON_AddNumberToObject(meta, "threads", tot_pool_threads(run->pool)) != NULL &&
        cJSON_AddStringToObject(meta, "demonstrations", demos) != NULL &&
        cJSON_AddStringToObject(meta, "replay", replay) != NULL && add_seen(meta, &run->config);
    char *text = whole ? cJSON_PrintUnformatted(meta) : NULL;
    cJSON_Delete(meta);
    BASE_FAIL_IF(text == NULL, TOT_E_MEMORY, "checkpoint: no memory for its description");
    BASE_FINALLY(tot_npz_add_text(npz, "meta", text), cJSON_free(text));
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

// An old file that cannot be removed only takes up space: warn once.
static void tell_left(train_run *run) {
    if (!run->left_told) {
        base_log(TOT_LOG_WARNING, "%s; it is left there, and the run continues", tot_error());
        run->left_told = true;
    }
}

// Removes all but the two newest.
static void remove_older(train_run *run) {
    int64_t found[TRAIN_MOST_CHECKPOINTS];
    const size_t count = train_checkpoints_of(run->folder, found);
    for (size_t k = 2; k < count; k++) {
        char path[TRAIN_PATH];
        if (train_checkpoint_name(path, run->folder, found[k]) == TOT_OK && unlink(path) != 0 &&
            errno != ENOENT) {
            base_fail(TOT_E_FILE, "%s: cannot remove it: %s", path, strerror(errno));
            tell_left(run);
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
    BASE_TRY(train_checkpoint_name(path, run->folder, made));
    BASE_TRY(tot_replay_save(run->replay, folder, replay, sizeof replay));
    BASE_TRY(train_record_sync(run->record));
    BASE_TRY(train_run_save_episode(run));
    BASE_TRY(write_npz(run, path, replay));
    remove_older(run);
    if (made != run->saved_at || run->newest_replay[0] == '\0') {
        strcpy(run->previous_replay, run->newest_replay);
    }
    strcpy(run->newest_replay, replay);
    run->saved_at = made;
    run->saved = train_seconds();
    run->save_requested = false;
    BASE_TRY(train_tell_status(run, TRAIN_RUNNING, ""));
    if (tot_replay_trim(folder, run->newest_replay,
                        run->previous_replay[0] != '\0' ? run->previous_replay : NULL) != TOT_OK) {
        tell_left(run);
    }
    return TOT_OK;
}
