// Saving a world, and continuing it in another world and in another process.
#include "rolling.h"

#include <sys/wait.h>
#include <unistd.h>

#include "world/sawyer.h"

enum { STEPS = 30 };

static const char *program;  // path of this program, to be started again

static void load(tot_task **task, tot_world **world, const char *name) {
    assert_ok(tot_task_load(task, name, NULL));
    assert_ok(tot_world_create(world, *task, NULL));
}

static void save(const tot_world *world, void **state, size_t *size) {
    *size = tot_world_state_size(world);
    *state = malloc(*size);
    assert_non_null(*state);
    assert_ok(tot_world_save(world, *state, *size));
}

static void write_file(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static size_t read_file(const char *path, void *bytes, size_t most) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t size = fread(bytes, 1, most, file);
    assert_int_equal(fclose(file), 0);
    return size;
}

// --- in another process ------------------------------------------------------------------------

// Runs in the started process: TASK, step of the save, file of the state, file for the records.
static int continue_elsewhere(char **words) {
    static unsigned char state[1 << 20];
    static frame_record records[STEPS];
    const int saved_at = atoi(words[1]);
    tot_task *task = NULL;
    tot_world *world = NULL;
    load(&task, &world, words[0]);
    // a world with a different history
    assert_ok(tot_world_reset(world, 77, 7));
    roll(world, 7, 0, 9, records);
    assert_ok(tot_world_restore(world, state, read_file(words[2], state, sizeof state)));
    roll(world, 3, saved_at, STEPS - saved_at, records);
    write_file(words[3], records, (size_t)(STEPS - saved_at) * sizeof *records);
    tot_world_free(world);
    tot_task_free(task);
    return 0;
}

static void start_process(const char *task, int saved_at, const char *state, const char *out) {
    char number[16];
    snprintf(number, sizeof number, "%d", saved_at);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        execl(program, program, "continue", task, number, state, out, (char *)NULL);
        _exit(127);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST(test_new_process) {
    char folder[] = "/tmp/temporalot-state-XXXXXX";
    assert_non_null(mkdtemp(folder));
    char saved[256];
    char out[256];
    snprintf(saved, sizeof saved, "%s/state", folder);
    snprintf(out, sizeof out, "%s/records", folder);
    for (size_t which = 0; which < tasks_to_try(); which++) {
        const char *name = tot_task_at(which)->name;
        // at the reset itself, where some tasks leave positions one mj_step behind, and later
        const int saved_at = which % 2 == 0 ? 0 : 11;
        OWNED_PTR(tot_task) task = NULL;
        OWNED_PTR(tot_world) world = NULL;
        load(&task, &world, name);
        static frame_record expected[STEPS];
        static frame_record seen[STEPS];
        assert_ok(tot_world_reset(world, 5, 3));
        roll(world, 3, 0, saved_at, expected);
        void *bytes = NULL;
        size_t size = 0;
        save(world, &bytes, &size);
        write_file(saved, bytes, size);
        roll(world, 3, saved_at, STEPS - saved_at, expected);
        start_process(name, saved_at, saved, out);
        const size_t length = (size_t)(STEPS - saved_at) * sizeof *seen;
        assert_int_equal(read_file(out, seen, sizeof seen), length);
        if (memcmp(seen, expected, length) != 0) {
            print_error("%s saved at step %d goes another way in a new process\n", name, saved_at);
        }
        assert_memory_equal(seen, expected, length);
        free(bytes);
    }
    unlink(saved);
    unlink(out);
    assert_int_equal(rmdir(folder), 0);
}

// --- in this process ---------------------------------------------------------------------------

TEST(test_round_trip) {
    OWNED_PTR(tot_task) task = NULL;
    OWNED_PTR(tot_world) world = NULL;
    OWNED_PTR(tot_world) other = NULL;
    load(&task, &world, "window-open");
    assert_ok(tot_world_create(&other, task, NULL));
    static frame_record records[STEPS];
    for (int saved_at = 0; saved_at <= 4; saved_at += 2) {
        assert_ok(tot_world_reset(world, 1, 2));
        roll(world, 0, 0, saved_at, records);
        void *first = NULL;
        void *second = NULL;
        size_t size = 0;
        save(world, &first, &size);
        // saving changes nothing, and the alignment of the bytes does not matter
        unsigned char *moved = malloc(size + 1);
        memcpy(moved + 1, first, size);
        assert_ok(tot_world_restore(other, moved + 1, size));
        save(other, &second, &size);
        assert_memory_equal(first, second, size);
        assert_int_equal(tot_world_frames(other), saved_at);
        assert_memory_equal(tot_world_observation(other), tot_world_observation(world),
                            TOT_OBSERVATION * sizeof(double));
        assert_memory_equal(tot_world_draw(other), tot_world_draw(world), 3 * sizeof(double));
        // what a camera sees
        assert_memory_equal(other->data->geom_xpos, world->data->geom_xpos,
                            3 * (size_t)world->model.ngeom * sizeof(double));
        assert_memory_equal(other->data->site_xpos, world->data->site_xpos,
                            3 * (size_t)world->model.nsite * sizeof(double));
        static frame_record expected[STEPS];
        static frame_record seen[STEPS];
        roll(world, 0, saved_at, STEPS, expected);
        roll(other, 0, saved_at, STEPS, seen);
        assert_memory_equal(seen, expected, sizeof seen);
        free(moved);
        free(first);
        free(second);
    }
}

// A world that was never reset, and one that diverged, are restored as such.
TEST(test_odd_states) {
    OWNED_PTR(tot_task) task = NULL;
    OWNED_PTR(tot_world) world = NULL;
    OWNED_PTR(tot_world) other = NULL;
    load(&task, &world, "push");
    assert_ok(tot_world_create(&other, task, NULL));
    const float still[TOT_ACTION] = {0};
    void *bytes = NULL;
    size_t size = 0;
    save(world, &bytes, &size);
    assert_ok(tot_world_reset(other, 0, 0));
    assert_ok(tot_world_restore(other, bytes, size));
    assert_fails(tot_world_step(other, still), TOT_E_ARGUMENT, "not reset");
    free(bytes);
    assert_ok(tot_world_reset(world, 0, 0));
    world->data->qvel[3] = 1e30;
    assert_int_equal(tot_world_step(world, still), TOT_E_PHYSICS);
    save(world, &bytes, &size);
    assert_ok(tot_world_restore(other, bytes, size));
    assert_true(tot_world_done(other));
    assert_fails(tot_world_step(other, still), TOT_E_PHYSICS, "diverged");
    // restoring a valid state recovers it
    assert_ok(tot_world_reset(world, 0, 0));
    assert_ok(tot_world_step(world, still));
    assert_ok(tot_world_save(world, bytes, size));
    assert_ok(tot_world_restore(other, bytes, size));
    assert_ok(tot_world_step(other, still));
    free(bytes);
}

TEST(test_refused) {
    OWNED_PTR(tot_task) task = NULL;
    OWNED_PTR(tot_task) other_task = NULL;
    OWNED_PTR(tot_world) world = NULL;
    tot_world *other = NULL;
    load(&task, &world, "push");
    load(&other_task, &other, "door-lock");
    assert_ok(tot_world_reset(world, 0, 0));
    assert_ok(tot_world_reset(other, 0, 0));
    void *before = NULL;
    void *after = NULL;
    unsigned char *bytes = NULL;
    size_t size = 0;
    size_t other_size = 0;
    save(other, &before, &other_size);
    save(world, (void **)&bytes, &size);
    assert_fails(tot_world_save(world, bytes, size - 1), TOT_E_SHAPE, "too few");
    assert_fails(tot_world_restore(other, bytes, size), TOT_E_ARGUMENT, "push");
    assert_fails(tot_world_restore(world, bytes, size - 1), TOT_E_FORMAT, "bytes");
    assert_fails(tot_world_restore(world, bytes, 10), TOT_E_FORMAT, "too few");
    // any changed byte is detected
    for (size_t k = 0; k < size; k += 97) {
        bytes[k] ^= 0x10;
        assert_int_not_equal(tot_world_restore(world, bytes, size), TOT_OK);
        bytes[k] ^= 0x10;
    }
    assert_ok(tot_world_restore(world, bytes, size));
    save(other, &after, &other_size);
    assert_memory_equal(after, before, other_size);
    tot_world_free(other);

    const struct {
        tot_world_settings settings;
        const char *words;
    } others[] = {
        {{.action_repeat = 2}, "action_repeat 1"},
        {{.action_repeat = 1, .horizon = 200}, "horizon 125"},
        {{.action_repeat = 1, .goal_hidden = true}, "goal_hidden 0"},
    };
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        assert_ok(tot_world_create(&other, task, &others[k].settings));
        assert_fails(tot_world_restore(other, bytes, size), TOT_E_ARGUMENT, others[k].words);
        tot_world_free(other);
    }
    free(before);
    free(after);
    free(bytes);
}

int main(int argc, char **argv) {
    program = argv[0];
    if (argc == 6 && strcmp(argv[1], "continue") == 0) {
        return continue_elsewhere(argv + 2);
    }
    return RUN_TESTS(NULL, NULL);
}
