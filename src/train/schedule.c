// Evaluation, and the discount schedule of ADS.
#include "base/base.h"
#include "reward/label.h"
#include "train/folder.h"
#include "train/run.h"

// The costs that ADS compares: evaluation episodes against all demonstrations, and demonstrations
// against each other, computed once per run. All must have the same shape, so they are cut to the
// shortest.
struct train_costs {
    train_run *run;
    tot_labeler **labelers;  // [count], each with a single demonstration
    tot_demos **demos;
    int64_t count;
    int64_t rows;
    int64_t cols;
    double *agent;    // [episodes * count][rows][cols]
    double *expert;   // [pairs][rows][cols]
    int64_t written;  // matrices of this evaluation so far
    float *embedded;  // [horizon][width]
};

static tot_status open_one(train_costs *all, int64_t index, const float *embeddings,
                           int64_t steps) {
    train_run *run = all->run;
    tot_reward_config config;
    // a method whose cost matrix is complete; no rewards are computed
    BASE_TRY(tot_reward_config_for(&config, "min-distance"));
    config.cost = run->config.reward.cost;
    config.zero_frame = run->config.reward.zero_frame;
    BASE_TRY(tot_demos_create(&all->demos[index]));
    BASE_TRY(tot_demos_add(all->demos[index],
                           tot_embeddings_f32(embeddings, steps, run->embedder.width),
                           "demonstration"));
    return tot_labeler_create(&all->labelers[index], all->demos[index], &config, run->pool);
}

// The cost of an episode against one demonstration, cut to rows x cols.
static tot_status measure(train_costs *all, int64_t demo, const float *embeddings, int64_t steps,
                          double *out) {
    const tot_embeddings view = tot_embeddings_f32(embeddings, steps, all->run->embedder.width);
    const int64_t stride = tot_demos_steps(all->demos[demo], 0);
    const double *costs = NULL;
    BASE_TRY(reward_costs(all->labelers[demo], view, "episode", &costs));
    for (int64_t i = 0; i < all->rows; i++) {
        memcpy(out + i * all->cols, costs + i * stride, (size_t)all->cols * sizeof *out);
    }
    return TOT_OK;
}

static int64_t pair_count(const train_costs *all) {
    return all->count > 1 ? all->count * (all->count - 1) : 1;
}

// Every demonstration against every other one; a single one against itself.
static tot_status measure_pairs(train_costs *all) {
    const train_demonstrations *demonstrations = &all->run->demonstrations;
    double *out = all->expert;
    const float *place = demonstrations->embeddings;
    for (int64_t a = 0; a < all->count; a++) {
        const int64_t steps = demonstrations->recording.trajectories[a].steps;
        for (int64_t b = 0; b < all->count; b++) {
            if (a != b || all->count == 1) {
                BASE_TRY(measure(all, b, place, steps, out));
                out += all->rows * all->cols;
            }
        }
        place += steps * all->run->embedder.width;
    }
    return TOT_OK;
}

static tot_status open_costs(train_costs *all, train_run *run) {
    const tot_recording *recording = &run->demonstrations.recording;
    *all = (train_costs){.run = run, .count = (int64_t)recording->count, .rows = run->horizon};
    for (size_t k = 0; k < recording->count; k++) {
        const int64_t steps = recording->trajectories[k].steps;
        all->rows = steps < all->rows ? steps : all->rows;
    }
    all->cols = all->rows;
    const size_t size = (size_t)(all->rows * all->cols) * sizeof(double);
    const size_t count = (size_t)all->count;
    all->labelers = base_alloc_zero(count, sizeof *all->labelers, "costs");
    all->demos = base_alloc_zero(count, sizeof *all->demos, "costs");
    all->agent = base_alloc((size_t)run->config.eval_episodes * count, size, "costs");
    all->expert = base_alloc((size_t)pair_count(all), size, "costs");
    all->embedded =
        base_alloc((size_t)(run->horizon * run->embedder.width), sizeof *all->embedded, "costs");
    BASE_HAVE(all->labelers, all->demos, all->agent, all->expert, all->embedded);
    const float *place = run->demonstrations.embeddings;
    for (size_t k = 0; k < recording->count; k++) {
        const int64_t steps = recording->trajectories[k].steps;
        BASE_TRY(open_one(all, (int64_t)k, place, steps));
        place += steps * run->embedder.width;
    }
    return measure_pairs(all);
}

void train_costs_free(train_costs *all) {
    BASE_UNLESS_NULL(all);
    for (int64_t k = 0; k < all->count && all->labelers != NULL && all->demos != NULL; k++) {
        tot_labeler_free(all->labelers[k]);
        tot_demos_free(all->demos[k]);
    }
    BASE_RELEASE(all->labelers, all->demos, all->agent, all->expert, all->embedded, all);
}

// Creates run->costs at the first evaluation.
static tot_status need_costs(train_run *run) {
    if (run->costs != NULL) {
        return TOT_OK;
    }
    BASE_NEW(train_costs, all, "costs");
    BASE_GIVE(open_costs(all, run), &run->costs, all, train_costs_free);
}

static tot_status on_episode(void *context, int64_t episode, int64_t steps,
                             const float *observations, const uint8_t *frames) {
    (void)episode;
    train_costs *all = context;
    BASE_TRY(train_embedder_embed(&all->run->embedder, observations + TOT_OBSERVATION, frames,
                                  steps, all->embedded));
    for (int64_t k = 0; k < all->count; k++) {
        BASE_TRY(measure(all, k, all->embedded, steps,
                         all->agent + all->written * all->rows * all->cols));
        all->written++;
    }
    return TOT_OK;
}

// --- evaluation --------------------------------------------------------------------------------

static bool on_progress(void *context, int64_t done) {
    train_run *run = context;
    train_run_progress(run, "evaluation", done, run->config.eval_episodes);
    return train_run_ask(run) != TOT_TRAIN_STOP;
}

static tot_status play(train_run *run, train_costs *all, tot_evaluation *result) {
    const tot_train_config *config = &run->config;
    char name[64];
    char video[TRAIN_PATH];
    snprintf(name, sizeof name, "videos/step-%09lld.mp4", (long long)run->state.step);
    BASE_TRY(train_path(video, run->folder, name));
    // each evaluation has its own episodes
    const train_evaluation_request request = {
        .seed = run->evaluation_seed,
        .first = (uint64_t)(run->state.evaluations * config->eval_episodes),
        .episodes = config->eval_episodes,
        .video = config->video > 0 ? video : NULL,
        .filmed = config->video,
        .on_episode = all != NULL ? on_episode : NULL,
        .on_episode_context = all,
        .progress = on_progress,
        .progress_context = run,
    };
    return train_evaluator_run(run->evaluator, run->agent, &request, result);
}

static tot_status play_and_advance(train_run *run, tot_evaluation *result) {
    BASE_TRY(need_costs(run));
    train_costs *all = run->costs;
    all->written = 0;
    BASE_TRY(play(run, all, result));
    const tot_ads_costs agent = {all->agent, all->written, all->rows, all->cols};
    const tot_ads_costs expert = {all->expert, pair_count(all), all->rows, all->cols};
    return tot_ads_update(&run->ads, agent, expert, NULL);
}

tot_status train_run_evaluate(train_run *run, tot_evaluation *result) {
    BASE_TRY(run->method.schedules ? play_and_advance(run, result) : play(run, NULL, result));
    run->state.ads_progress = run->ads.progress;
    run->state.evaluations++;
    run->state.success_rate = result->success_rate;
    return TOT_OK;
}
