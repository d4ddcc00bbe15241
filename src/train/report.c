// report.html of a run: learning curves and the last labelled episode as seen by the reward; and
// episode.npz, that episode for reports on many runs.
#include <dirent.h>
#include <fnmatch.h>
#include <sys/stat.h>
#include <unistd.h>

#include <temporalot/page.h>

#include "base/base.h"
#include "page/parts.h"
#include "train/folder.h"
#include "train/episode.h"
#include "train/player.h"
#include "train/run.h"

// --- curves ------------------------------------------------------------------------------------

typedef struct points {
    double *x;
    double *y;
    size_t count;
} points;

// One metric over the steps, without empty cells.
static tot_status read_points(const train_run *run, train_metric metric, points *out) {
    const size_t rows = (size_t)run->record->rows;
    out->count = 0;
    BASE_ALLOC(out->x, 2 * rows, "curve");
    out->y = out->x + rows;
    for (size_t k = 0; k < rows; k++) {
        const double *row = run->record->values + k * TRAIN_METRIC_COUNT;
        if (!isnan(row[metric])) {
            out->x[out->count] = row[TRAIN_METRIC_step];
            out->y[out->count++] = row[metric];
        }
    }
    return TOT_OK;
}

typedef struct drawn {
    const char *title;
    const char *y_name;
    struct {
        const char *name;
        train_metric metric;
    } lines[2];
    double low, high;
    size_t marked;
} drawn;

static tot_status add_curves(const train_run *run, tot_page *page, const drawn *request) {
    points data[2] = {0};
    tot_series series[2] = {0};
    size_t count = 0;
    size_t total = 0;
    tot_status status = TOT_OK;
    for (; status == TOT_OK && count < 2 && request->lines[count].name != NULL; count++) {
        status = read_points(run, request->lines[count].metric, &data[count]);
        series[count] = (tot_series){.name = request->lines[count].name,
                                     .count = data[count].count,
                                     .x = data[count].x,
                                     .y = data[count].y};
        total += data[count].count;
    }
    if (status == TOT_OK && total > 0) {
        const tot_curves curves = {.title = request->title,
                                   .x_name = "agent step",
                                   .y_name = request->y_name,
                                   .series = series,
                                   .series_count = count,
                                   .y_low = request->low,
                                   .y_high = request->high,
                                   .marked = request->marked};
        status = tot_page_add_curves(page, &curves);
    }
    BASE_RELEASE(data[0].x, data[1].x);
    return status;
}

static tot_status add_learning(const train_run *run, tot_page *page) {
    const drawn curves[] = {
        {.title = "Success rate",
         .y_name = "share of episodes",
         .lines = {{"evaluation", TRAIN_METRIC_success_rate},
                   {"training", TRAIN_METRIC_train_success_rate}},
         .high = 1,
         .marked = 1},
        {.title = "Return of a training episode",
         .y_name = "sum of rewards",
         .lines = {{"return", TRAIN_METRIC_return}}},
        {.title = "Losses",
         .y_name = "loss",
         .lines = {{"critic", TRAIN_METRIC_critic_loss}, {"actor", TRAIN_METRIC_actor_loss}}},
        {.title = "Behaviour cloning",
         .y_name = "negative log-likelihood",
         .lines = {{"actions", TRAIN_METRIC_clone_loss}}},
        {.title = "Discriminator",
         .y_name = "loss",
         .lines = {{"discriminator", TRAIN_METRIC_discriminator_loss}}},
    };
    BASE_TRY(add_curves(run, page, &curves[0]));
    BASE_TRY(tot_page_begin_row(page));
    for (size_t k = 1; k < BASE_LENGTH(curves); k++) {
        BASE_TRY(add_curves(run, page, &curves[k]));
    }
    return tot_page_end_row(page);
}

// --- the last labelled episode -----------------------------------------------------------------

static tot_frame_row row_of(const train_run *run, const uint8_t *frames, int64_t steps) {
    return (tot_frame_row){.frames = frames,
                           .count = (size_t)steps,
                           .width = (int)run->config.size,
                           .height = (int)run->config.size * run->embedder.views.encoder.count};
}

static tot_frame_row demo_row(const train_run *run) {
    const tot_trajectory *demo = &run->demonstrations.recording.trajectories[run->labelled.demo];
    return row_of(run, demo->frames.data, demo->steps);
}

static tot_frame_row episode_row(const train_run *run) {
    return row_of(run, run->last_episode.frames, run->last_episode.steps);
}

// Copies a matrix of the labeler; *values is owned by the caller, even after a failure.
static tot_status take_matrix(const train_run *run,
                              tot_status (*look)(const tot_labeler *labeler, tot_array *out),
                              double **values) {
    tot_array matrix = {0};
    const tot_status status = look(run->labeler, &matrix);
    *values = matrix.data;
    return status;
}

// Skips matrices that are too large to display.
static tot_status gather_matrices(const train_run *run, train_labelled_episode *labelled) {
    const tot_reward_config *reward = &run->config.reward;
    if (labelled->steps > TOT_HEAT_MAP_LIMIT || labelled->demo_steps > TOT_HEAT_MAP_LIMIT) {
        return TOT_OK;
    }
    BASE_TRY(take_matrix(run, tot_labeler_cost, &labelled->cost));
    if (reward->mask != TOT_MASK_NONE) {
        BASE_TRY(take_matrix(run, tot_labeler_mask, &labelled->mask));
    }
    return tot_method_has_plan(reward->method) ? take_matrix(run, tot_labeler_plan, &labelled->plan)
                                               : TOT_OK;
}

static tot_status gather(const train_run *run, train_labelled_episode *labelled) {
    const train_last_episode *last = &run->last_episode;
    const tot_recording *demos = &run->demonstrations.recording;
    const size_t steps = (size_t)last->steps;
    *labelled = (train_labelled_episode){
        .episode = last->number,
        .solved = last->solved,
        .demo = run->labelled.demo,
        .demos = (int64_t)demos->count,
        .steps = steps,
        .demo_steps = (size_t)demos->trajectories[run->labelled.demo].steps};
    BASE_ALLOC(labelled->rewards, steps, "rewards");
    memcpy(labelled->rewards, last->rewards, steps * sizeof *labelled->rewards);
    BASE_TRY(gather_matrices(run, labelled));
    if (last->frames == NULL) {
        return TOT_OK;
    }
    const tot_frame_row rows[] = {episode_row(run), demo_row(run)};
    BASE_TRY(train_episode_choose_pictures(&labelled->frames, &rows[0]));
    return train_episode_choose_pictures(&labelled->demo_frames, &rows[1]);
}

static tot_status gather_and_write(const train_run *run, train_labelled_episode *labelled,
                                   const char *path) {
    BASE_TRY(gather(run, labelled));
    return labelled->steps <= TRAIN_EPISODE_STEPS && labelled->demo_steps <= TRAIN_EPISODE_STEPS
               ? train_episode_write(labelled, path)
               : TOT_OK;
}

static tot_status draw_episode(const train_run *run, tot_page *page,
                               const train_labelled_episode *labelled) {
    char text[256];
    page_alignment alignment = train_episode_alignment(labelled);
    // this page has room for more and larger pictures than episode.npz keeps
    if (run->last_episode.steps > 0 && run->last_episode.frames != NULL) {
        alignment.episode = episode_row(run);
        alignment.demonstration = demo_row(run);
    }
    train_episode_describe(labelled, text, sizeof text);
    BASE_TRY(tot_page_add_heading(page, 1, "The last labelled episode"));
    BASE_TRY(tot_page_add_paragraph(page, text));
    return page_add_alignment(page, &alignment);
}

// Reads the episode saved by an earlier process; empty if it cannot be read.
static tot_status read_episode(train_labelled_episode *labelled, const char *path) {
    const tot_status status = access(path, F_OK) == 0 ? train_episode_read(labelled, path) : TOT_OK;
    if (status != TOT_OK) {
        train_episode_free(labelled);
    }
    return status == TOT_E_MEMORY ? status : TOT_OK;
}

static tot_status add_episode(const train_run *run, tot_page *page) {
    char path[TRAIN_PATH];
    train_labelled_episode labelled = {0};
    if (!run->method.compares) {
        return TOT_OK;
    }
    BASE_TRY(train_path(path, run->folder, "episode.npz"));
    tot_status status = run->last_episode.steps == 0 ? read_episode(&labelled, path)
                                                     : gather_and_write(run, &labelled, path);
    if (status == TOT_OK && labelled.steps > 0) {
        status = draw_episode(run, page, &labelled);
    }
    train_episode_free(&labelled);
    return status;
}

tot_status train_run_save_episode(train_run *run) {
    char path[TRAIN_PATH];
    train_labelled_episode labelled = {0};
    if (run->last_episode.steps == 0 || run->last_episode.written) {
        return TOT_OK;
    }
    BASE_TRY(train_path(path, run->folder, "episode.npz"));
    const tot_status status = gather_and_write(run, &labelled, path);
    run->last_episode.written = status == TOT_OK;
    train_episode_free(&labelled);
    return status;
}

// --- videos --------------------------------------------------------------------------------------

static int is_video(const struct dirent *entry) {
    return fnmatch("step-*.mp4", entry->d_name, 0) == 0 ? 1 : 0;
}

// "step-000010000.mp4" becomes "step 10000".
static void name_video(char words[64], const char *file) {
    snprintf(words, 64, "step %lld", strtoll(file + strlen("step-"), NULL, 10));
}

// Links to the evaluation videos, ordered by step.
static tot_status add_videos(const train_run *run, tot_page *page) {
    enum { MOST_VIDEOS = 200, NAME = 64 };
    struct dirent **found = NULL;
    char path[TRAIN_PATH];
    char(*texts)[2][NAME] = NULL;
    page_link links[MOST_VIDEOS];
    BASE_TRY(train_path(path, run->folder, "videos"));
    const int count = scandir(path, &found, is_video, alphasort);
    const int shown = count < MOST_VIDEOS ? count : MOST_VIDEOS;
    tot_status status = TOT_OK;
    if (shown > 0) {
        texts = base_alloc((size_t)shown, sizeof *texts, "videos");
        status = texts != NULL ? TOT_OK : TOT_E_MEMORY;
    }
    for (int k = 0; texts != NULL && k < shown; k++) {
        name_video(texts[k][0], found[k]->d_name);
        snprintf(texts[k][1], NAME, "videos/%.48s", found[k]->d_name);
        links[k] = (page_link){texts[k][0], texts[k][1]};
    }
    if (status == TOT_OK && shown > 0) {
        status = tot_page_add_heading(page, 1, "Videos of the evaluations");
        BASE_THEN(status, page_add_links(page, links, (size_t)shown));
    }
    for (int k = 0; k < count; k++) {
        free(found[k]);
    }
    free(found);
    base_free(texts);
    return status;
}

// --- the page ----------------------------------------------------------------------------------

static tot_status add_settings(const train_run *run, tot_page *page) {
    enum { LONGEST = 96 };
    const size_t count = tot_train_parameter_count();
    const char **names = base_alloc(count, sizeof *names, "settings");
    const char **values = base_alloc(count, sizeof *values, "settings");
    char(*texts)[LONGEST] = base_alloc(count, LONGEST, "settings");
    for (size_t k = 0; texts != NULL && names != NULL && values != NULL && k < count; k++) {
        names[k] = tot_train_parameter_at(k)->name;
        values[k] = texts[k];
        tot_train_get(&run->config, names[k], texts[k], LONGEST);
    }
    const tot_status status = texts == NULL || names == NULL || values == NULL
                                  ? TOT_E_MEMORY
                                  : tot_page_add_settings(page, "Settings", names, values, count);
    BASE_RELEASE(names, values, texts);
    return status;
}

// Additional content of a page.
typedef struct addition {
    tot_status (*add)(void *context, tot_page *page);  // NULL: none
    void *context;
    bool elsewhere;  // not in the run's folder: relative links to videos would be broken
} addition;

static tot_status fill(const train_run *run, const addition *more, tot_page *page) {
    char text[512];
    snprintf(text, sizeof text,
             "%s with %s, seed %lld: %lld of %lld agent steps, %lld updates, %lld episodes. "
             "Success in %.0f %% of %lld evaluation episodes, counted at the last step.",
             run->config.task, run->config.method, (long long)run->config.seed,
             (long long)run->state.step, (long long)run->steps, (long long)run->state.updates,
             (long long)run->state.episodes, 100 * run->state.success_rate,
             (long long)run->config.eval_episodes);
    BASE_TRY(tot_page_add_paragraph(page, text));
    BASE_TRY(more->add != NULL ? more->add(more->context, page) : TOT_OK);
    BASE_TRY(add_learning(run, page));
    BASE_TRY(add_episode(run, page));
    BASE_TRY(more->elsewhere ? TOT_OK : add_videos(run, page));
    return add_settings(run, page);
}

static tot_status write_page(const train_run *run, const addition *more, const char *path) {
    char title[256];
    tot_page *page = NULL;
    snprintf(title, sizeof title, "%s, %s", run->config.task, run->config.method);
    BASE_TRY(tot_page_create(&page, title));
    tot_status status = fill(run, more, page);
    BASE_THEN(status, tot_page_write(page, path));
    tot_page_free(page);
    return status;
}

tot_status train_run_report(train_run *run) {
    char path[TRAIN_PATH];
    BASE_TRY(train_path(path, run->folder, "report.html"));
    BASE_TRY(write_page(run, &(addition){0}, path));
    run->last_episode.written = true;  // by the page's section on it
    return TOT_OK;
}

// --- the report of a run that is not in progress -----------------------------------------------

// Whether a path is directly inside a folder.
static bool is_inside(const char *path, const char *folder) {
    char parent[TRAIN_PATH] = ".";
    struct stat one, other;
    const char *slash = strrchr(path, '/');
    if (slash != NULL) {
        snprintf(parent, sizeof parent, "%.*s", (int)(slash - path + 1), path);
    }
    return stat(parent, &one) == 0 && stat(folder, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

tot_status train_report_again(const char *folder, const train_run_state *state, const char *path,
                              tot_status (*add)(void *context, tot_page *page), void *context) {
    const addition more = {.add = add, .context = context, .elsewhere = !is_inside(path, folder)};
    BASE_NEW(train_run, run, "run");
    run->folder = folder;
    run->state = *state;
    tot_status status = tot_train_config_of(&run->config, folder);
    BASE_THEN(status, tot_train_method_find(&run->method, run->config.method));
    BASE_THEN(status, train_record_read(&run->record, folder));
    if (status == TOT_OK) {
        run->steps = run->method.acts ? run->config.steps : run->config.clone_updates;
        status = write_page(run, &more, path);
    }
    train_record_close(run->record);
    base_free(run);
    return status;
}
