// What misuse.py's calls need: memory of zeros, a handle of every kind that can be had cheaply, and
// a process for every function, so that one that crashes is told by name and the others go on.
#pragma once

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <temporalot/temporalot.h>

enum { SCRATCH = 1 << 19, SCRATCHES = 16, MOST_SECONDS = 120 };

// Zeros, not those of the call's other arguments.
static void *scratch(void) {
    static _Alignas(64) unsigned char memory[SCRATCHES][SCRATCH];
    static int next;
    unsigned char *chosen = memory[next++ % SCRATCHES];
    return memset(chosen, 0, SCRATCH);
}

// --- handles -----------------------------------------------------------------------------------

static tot_demos *make_demos(void) {
    static const float numbers[6] = {1, 2, 3, 4, 5, 6};
    tot_demos *demos = NULL;
    tot_demos_create(&demos);
    tot_demos_add(demos, tot_embeddings_f32(numbers, 3, 2), "demonstration");
    return demos;
}

static tot_labeler *make_labeler(void) {
    tot_reward_config config;
    tot_labeler *labeler = NULL;
    tot_demos *demos = make_demos();
    tot_reward_defaults(&config);
    tot_labeler_create(&labeler, demos, &config, NULL);
    tot_demos_free(demos);
    return labeler;
}

static tot_replay *make_replay(void) {
    static float observations[3 * 4], actions[2 * 4], rewards[2];
    const tot_replay_shape shape = {.width = 4};
    const tot_episode episode = {
        .steps = 2, .observations = observations, .actions = actions, .rewards = rewards};
    tot_replay *replay = NULL;
    tot_replay_create(&replay, &shape, 10, 0);
    tot_replay_add(replay, &episode);
    return replay;
}

static tot_agent *make_agent(void) {
    const tot_replay_shape shape = {.width = 4};
    tot_agent_config config;
    tot_agent *agent = NULL;
    tot_agent_defaults(&config);
    config.hidden = 16;
    config.feature = 8;
    config.batch = 4;
    tot_agent_create(&agent, &config, &shape, 0, NULL);
    return agent;
}

static tot_nn *make_nn(void) {
    tot_nn *nn = NULL;
    tot_nn_create(&nn, NULL);
    return nn;
}

static tot_page *make_page(void) {
    tot_page *page = NULL;
    tot_page_create(&page, "page");
    return page;
}

static tot_svg *make_svg(void) {
    tot_svg *svg = NULL;
    tot_svg_create(&svg, "picture", 2);
    return svg;
}

static tot_pool *make_pool(void) {
    tot_pool *pool = NULL;
    tot_pool_create(&pool, 1);
    return pool;
}

static tot_sweep *make_sweep(void) {
    tot_sweep *sweep = NULL;
    tot_sweep_parse(&sweep, "task: window-open\nseed: [0, 1]\n", "sweep");
    return sweep;
}

static tot_npz_writer *make_npz_writer(void) {
    tot_npz_writer *writer = NULL;
    tot_npz_create(&writer, "written.npz", false);
    return writer;
}

static tot_npz *make_npz(void) {
    tot_npz *npz = NULL;
    tot_npz_writer *writer = NULL;
    tot_npz_create(&writer, "read.npz", false);
    tot_npz_add_text(writer, "meta", "{}");
    tot_npz_commit(writer);
    tot_npz_open(&npz, "read.npz");
    return npz;
}

static tot_file *make_file(void) {
    tot_file *file = NULL;
    tot_file_create(&file, "file");
    return file;
}

static tot_frames *make_frames(void) {
    static uint8_t rgb[2 * 2 * 2 * 3];
    const tot_array array = {.type = TOT_U8, .dimensions = 4, .shape = {2, 2, 2, 3}, .data = rgb};
    tot_frames *frames = NULL;
    tot_frames_open_array(&frames, &array, "frames");
    return frames;
}

static tot_flat_labeler *make_flat_labeler(void) {
    static const float numbers[6] = {1, 2, 3, 4, 5, 6};
    tot_flat_labeler *labeler = NULL;
    tot_flat_labeler_create(&labeler, "temporalot", "", 1);
    tot_flat_labeler_add(labeler, numbers, 4, 3, 2, "demonstration");
    return labeler;
}

static tot_runs *make_runs(void) {
    const char *const folders[] = {"."};
    tot_runs *runs = NULL;
    tot_runs_find(&runs, folders, 1);
    return runs;
}

static tot_task *make_task(void) {
    tot_task *task = NULL;
    tot_task_load(&task, "window-open", NULL);
    return task;
}

static tot_world *make_world(void) {
    tot_world *world = NULL;
    tot_world_create(&world, make_task(), NULL);
    return world;
}

static tot_worlds *make_worlds(void) {
    tot_worlds *worlds = NULL;
    tot_worlds_create(&worlds, make_task(), NULL, 1, NULL);
    return worlds;
}

static tot_flat_envs *make_flat_envs(void) {
    tot_flat_envs *envs = NULL;
    tot_flat_envs_create(&envs, "window-open", 1, "", 1);
    return envs;
}

static tot_renderer *make_renderer(void) {
    tot_picture_settings settings;
    tot_renderer *renderer = NULL;
    tot_picture_defaults(&settings);
    settings.renderer = TOT_RENDERER_SOFT;
    settings.width = settings.height = 16;
    tot_renderer_create(&renderer, make_task(), &settings, NULL);
    return renderer;
}

// A handle of the type of this name; NULL: there is none to be had without weights or a run.
static void *handle_of(const char *type) {
    static const struct {
        const char *type;
        void *(*make)(void);
    } makers[] = {
#define MAKER(name) {"tot_" #name, (void *(*)(void))make_##name}
        MAKER(demos), MAKER(labeler), MAKER(replay), MAKER(agent),    MAKER(nn),
        MAKER(page),  MAKER(svg),     MAKER(pool),   MAKER(sweep),    MAKER(npz_writer),
        MAKER(npz),   MAKER(file),    MAKER(frames), MAKER(task),     MAKER(flat_labeler),
        MAKER(runs),  MAKER(world),   MAKER(worlds), MAKER(renderer), MAKER(flat_envs),
#undef MAKER
    };
    for (size_t k = 0; k < sizeof makers / sizeof *makers; k++) {
        if (strcmp(makers[k].type, type) == 0) {
            return makers[k].make();
        }
    }
    return NULL;
}

#define HANDLE(type) handle_of(#type)

// --- calls -------------------------------------------------------------------------------------

typedef struct misuse {
    const char *name;
    void (*call)(int number);
    int count;
} misuse;

// In a process of its own, which says before each call which one it is. Returns 0 when it survived.
static int misuse_one(const misuse *one) {
    int said[2];
    int last = -1;
    int status = 0;
    if (pipe(said) != 0) {
        return 1;
    }
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        alarm(MOST_SECONDS);
        for (int k = 0; k < one->count; k++) {
            if (write(said[1], &k, sizeof k) != sizeof k) {
                _exit(2);
            }
            one->call(k);
        }
        _exit(0);
    }
    close(said[1]);
    while (read(said[0], &last, sizeof last) == sizeof last) {
    }
    close(said[0]);
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        return 0;
    }
    printf("%s: call %d of %d: %s %d\n", one->name, last, one->count,
           WIFSIGNALED(status) ? "signal" : "exit",
           WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    return 1;
}

// argv: names of functions, all without. Runs in a fresh folder.
static int misuse_all(const misuse *all, size_t count, int argc, char **argv) {
    char folder[] = "/tmp/temporalot_misuse_XXXXXX";
    int failed = 0;
    size_t calls = 0;
    if (mkdtemp(folder) == NULL || chdir(folder) != 0) {
        return 1;
    }
    for (size_t k = 0; k < count; k++) {
        bool wanted = argc < 2;
        for (int i = 1; i < argc; i++) {
            wanted = wanted || strcmp(argv[i], all[k].name) == 0;
        }
        if (wanted) {
            failed += misuse_one(&all[k]);
            calls += (size_t)all[k].count;
        }
    }
    printf("%zu calls of %zu functions, %d crashed\n", calls, count, failed);
    char command[sizeof folder + 16];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return failed == 0 && system(command) == 0 ? 0 : 1;
}
