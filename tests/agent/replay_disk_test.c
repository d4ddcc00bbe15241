// The replay on disk: saving, restoring, trimming; truncated and damaged files, a full disk.
#include "file/test_folder.h"

#include <temporalot/replay.h>

#include "agent/episodes.h"
#include "failing_memory.h"
#include "file/full_disk.h"

enum { LINE_SIZE = 256 };

// Syncs are counted, not performed: a test syncs some thousand times.
int __wrap_fdatasync(int file);
int __wrap_fsync(int file);
static int file_syncs, folder_syncs;
static int sync_error;  // errno of the next sync; 0: success

int __wrap_fdatasync(int file) {
    (void)file;
    file_syncs++;
    errno = sync_error;
    return sync_error != 0 ? -1 : 0;
}

int __wrap_fsync(int file) {
    (void)file;
    folder_syncs++;
    return 0;
}

static const tot_replay_shape shape = {.width = 2, .pixels = 2};
static made_episode made;

static tot_replay *new_replay(int64_t capacity) {
    tot_replay *replay = NULL;
    assert_ok(tot_replay_create(&replay, &shape, capacity, 0));
    return replay;
}

static int64_t steps_of(int64_t number) {
    return 5 + number % 3;
}

static void add(tot_replay *replay, int count) {
    for (int k = 0; k < count; k++) {
        int64_t number = tot_replay_added(replay);
        assert_ok(tot_replay_add(replay, make_episode(&made, &shape, number, steps_of(number))));
    }
}

static void assert_holds(const tot_replay *replay, int64_t first, int64_t added) {
    assert_int_equal(tot_replay_added(replay), added);
    assert_int_equal(tot_replay_episodes(replay), added - first);
    int64_t transitions = 0;
    for (int64_t number = first; number < added; number++) {
        assert_true(is_episode(replay, &shape, number, steps_of(number)));
        transitions += steps_of(number);
    }
    assert_int_equal(tot_replay_transitions(replay), transitions);
}

// A new replay, restored from the line.
static tot_replay *restored(const char *line, int64_t capacity) {
    tot_replay *replay = new_replay(capacity);
    assert_ok(tot_replay_restore(replay, test_folder, line));
    return replay;
}

static const char *only_file(void) {
    return in_folder("replay-0000000001.episodes");
}

// Unlinks the file before writing: some file systems sync a file that was truncated and rewritten.
static void put_file(const void *bytes, size_t size) {
    unlink(only_file());
    write_bytes(only_file(), bytes, size);
}

static int64_t size_of(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 ? (int64_t)status.st_size : -1;
}

// --- save and restore --------------------------------------------------------------------------

TEST_EACH(NULL, empty_test_folder)

TEST(test_saved_and_restored) {
    char lines[3][LINE_SIZE];
    OWNED_PTR(tot_replay) replay = new_replay(60);
    assert_ok(tot_replay_save(replay, test_folder, lines[0], LINE_SIZE));
    assert_int_equal(count_files(false), 0);
    add(replay, 4);
    file_syncs = folder_syncs = 0;
    assert_ok(tot_replay_save(replay, test_folder, lines[1], LINE_SIZE));
    assert_int_equal(file_syncs, 1);
    assert_int_equal(folder_syncs, 1);
    int64_t size = size_of(only_file());
    // no new episodes: nothing is written
    assert_ok(tot_replay_save(replay, test_folder, lines[2], LINE_SIZE));
    assert_string_equal(lines[1], lines[2]);
    assert_int_equal(size_of(only_file()), size);
    assert_int_equal(file_syncs, 1);
    add(replay, 16);  // evicts some episodes
    assert_ok(tot_replay_save(replay, test_folder, lines[2], LINE_SIZE));
    assert_int_equal(file_syncs, 2);
    assert_int_equal(folder_syncs, 1);
    assert_int_equal(count_files(false), 1);
    int64_t first = 20 - tot_replay_episodes(replay);
    assert_true(first > 4);
    OWNED_PTR(tot_replay) again = restored(lines[2], 60);
    assert_holds(again, first, 20);

    // the same batches from the same random stream, with a preference for the best episodes: their
    // returns are restored, too
    tot_batch batches[2];
    const tot_replay_sampling sampling = {.best_share = 0.5, .best_of = 3};
    assert_ok(tot_replay_set_sampling(replay, &sampling));
    assert_ok(tot_replay_set_sampling(again, &sampling));
    for (int k = 0; k < 2; k++) {
        tot_random random;
        tot_random_init(&random, 1, "replay");
        assert_ok(tot_batch_create(&batches[k], &shape, 64));
        assert_ok(tot_replay_sample(k == 0 ? replay : again, &random, 3, 0.9, 2, &batches[k]));
    }
    assert_memory_equal(batches[0].observations, batches[1].observations, 64 * 8);
    assert_memory_equal(batches[0].pictures, batches[1].pictures, 64 * 9 * 4);
    tot_batch_free(&batches[0]);
    tot_batch_free(&batches[1]);

    // both continue identically
    add(replay, 3);
    add(again, 3);
    assert_ok(tot_replay_save(again, test_folder, lines[0], LINE_SIZE));
    OWNED_PTR(tot_replay) third = restored(lines[0], 60);
    assert_holds(third, 23 - tot_replay_episodes(replay), 23);
}

TEST(test_older_checkpoint) {
    char older[LINE_SIZE], newer[LINE_SIZE];
    tot_replay *replay = new_replay(1000);
    add(replay, 3);
    assert_ok(tot_replay_save(replay, test_folder, older, LINE_SIZE));
    int64_t size = size_of(only_file());
    add(replay, 3);
    assert_ok(tot_replay_save(replay, test_folder, newer, LINE_SIZE));
    tot_replay_free(replay);
    // the newer episodes are cut off
    replay = restored(older, 1000);
    assert_holds(replay, 0, 3);
    assert_int_equal(size_of(only_file()), size);
    add(replay, 1);
    assert_ok(tot_replay_save(replay, test_folder, older, LINE_SIZE));
    tot_replay_free(replay);
    replay = new_replay(1000);
    assert_fails(tot_replay_restore(replay, test_folder, newer), TOT_E_FORMAT, "byte");
    assert_int_equal(tot_replay_added(replay), 0);
    // after a failed restore, another one works
    assert_ok(tot_replay_restore(replay, test_folder, older));
    assert_holds(replay, 0, 4);
    assert_fails(tot_replay_restore(replay, test_folder, older), TOT_E_ARGUMENT, "4 episodes");
    tot_replay_free(replay);
}

// Episodes so large that each one starts a new file.
TEST(test_several_files_and_trim) {
    enum { SIDE = 512, STEPS = 22 };
    const tot_replay_shape large = {.pixels = SIDE};
    const size_t picture = (size_t)SIDE * SIDE * 3;
    uint8_t *pictures = calloc(STEPS + 1, picture);
    static float actions[STEPS * 4], rewards[STEPS];
    char lines[6][LINE_SIZE];
    tot_replay *replay = NULL;
    assert_non_null(pictures);
    assert_ok(tot_replay_create(&replay, &large, 3 * STEPS, 0));
    for (int k = 0; k < 6; k++) {
        memset(pictures, k, picture);
        tot_episode episode = {
            .steps = STEPS, .pictures = pictures, .actions = actions, .rewards = rewards};
        assert_ok(tot_replay_add(replay, &episode));
        assert_ok(tot_replay_save(replay, test_folder, lines[k], LINE_SIZE));
        assert_int_equal(count_files(false), k + 1);
    }
    tot_replay_free(replay);
    assert_fails(tot_replay_trim(test_folder, "nonsense", NULL), TOT_E_FORMAT, "nonsense");
    assert_int_equal(count_files(false), 6);
    assert_ok(tot_replay_trim(test_folder, lines[5], lines[4]));
    assert_int_equal(count_files(false), 4);
    for (int k = 4; k <= 5; k++) {
        // newest first, which cuts nothing off; the oldest line last
        OWNED_PTR(tot_replay) again = NULL;
        assert_ok(tot_replay_create(&again, &large, 3 * STEPS, 0));
        assert_ok(tot_replay_restore(again, test_folder, lines[9 - k]));
        assert_int_equal(tot_replay_added(again), 10 - k);
        assert_int_equal(tot_replay_episodes(again), 3);
        tot_episode episode;
        assert_ok(tot_replay_episode(again, 3, &episode));
        assert_int_equal(episode.pictures[5], 3);
    }
    assert_int_equal(count_files(false), 3);
    assert_ok(tot_replay_trim(test_folder, lines[4], NULL));
    assert_int_equal(count_files(false), 3);
    assert_ok(tot_replay_trim(test_folder, NULL, NULL));
    assert_int_equal(count_files(false), 0);
    free(pictures);
}

TEST(test_files_of_another_run) {
    char lines[2][LINE_SIZE];
    write_bytes(in_folder("replay-1.episodes"), "hello", 5);
    write_bytes(in_folder("other"), "hello", 5);
    tot_replay *replay = new_replay(1000);
    add(replay, 2);
    assert_ok(tot_replay_save(replay, test_folder, lines[0], LINE_SIZE));
    tot_replay_free(replay);
    // restarted in the same folder
    replay = new_replay(1000);
    add(replay, 3);
    assert_ok(tot_replay_save(replay, test_folder, lines[1], LINE_SIZE));
    tot_replay_free(replay);
    assert_int_equal(count_files(false), 4);
    assert_ok(tot_replay_trim(test_folder, lines[1], NULL));
    assert_int_equal(count_files(false), 3);
    replay = restored(lines[1], 1000);
    assert_holds(replay, 0, 3);
    tot_replay_free(replay);
}

// --- truncated and damaged files ---------------------------------------------------------------

TEST(test_torn_tails) {
    char line[LINE_SIZE], later[LINE_SIZE];
    tot_replay *replay = new_replay(1000);
    add(replay, 2);
    assert_ok(tot_replay_save(replay, test_folder, line, LINE_SIZE));
    int64_t saved = size_of(only_file());
    add(replay, 1);
    assert_ok(tot_replay_save(replay, test_folder, later, LINE_SIZE));
    tot_replay_free(replay);
    size_t size;
    uint8_t *bytes = read_bytes(only_file(), &size);
    for (int64_t length = saved; length <= (int64_t)size; length++) {
        put_file(bytes, (size_t)length);
        // the later checkpoint needs all of the file
        if (length < (int64_t)size) {
            replay = new_replay(1000);
            assert_fails(tot_replay_restore(replay, test_folder, later), TOT_E_FORMAT,
                         "replay-0000000001.episodes: byte");
            tot_replay_free(replay);
        }
        replay = restored(line, 1000);
        assert_holds(replay, 0, 2);
        assert_int_equal(size_of(only_file()), saved);
        tot_replay_free(replay);
    }
    for (int64_t length = 0; length < saved; length++) {
        put_file(bytes, (size_t)length);
        replay = new_replay(1000);
        assert_fails(tot_replay_restore(replay, test_folder, line), TOT_E_FORMAT, "byte");
        assert_int_equal(tot_replay_episodes(replay), 0);
        tot_replay_free(replay);
    }
    unlink(only_file());
    replay = new_replay(1000);
    assert_fails(tot_replay_restore(replay, test_folder, line), TOT_E_FORMAT, "No such file");
    assert_int_equal(count_files(false), 0);
    tot_replay_free(replay);
    free(bytes);
}

TEST(test_damaged_bytes) {
    char line[LINE_SIZE];
    tot_replay *replay = new_replay(1000);
    add(replay, 2);
    assert_ok(tot_replay_save(replay, test_folder, line, LINE_SIZE));
    tot_replay_free(replay);
    size_t size;
    uint8_t *bytes = read_bytes(only_file(), &size);
    for (size_t k = 0; k < size; k++) {
        bytes[k] ^= (uint8_t)(1u << (k % 8));
        put_file(bytes, size);
        replay = new_replay(1000);
        tot_status status = tot_replay_restore(replay, test_folder, line);
        if (status != TOT_E_FORMAT || strstr(tot_error(), ".episodes: byte ") == NULL) {
            print_error("byte %zu: %d, %s\n", k, (int)status, tot_error());
        }
        assert_int_equal(status, TOT_E_FORMAT);
        assert_int_equal(tot_replay_episodes(replay), 0);
        assert_int_equal(size_of(only_file()), size);
        tot_replay_free(replay);
        bytes[k] ^= (uint8_t)(1u << (k % 8));
    }
    free(bytes);
}

TEST(test_bad_lines) {
    char line[LINE_SIZE], small[8];
    tot_replay *replay = new_replay(1000);
    add(replay, 2);
    assert_fails(tot_replay_save(replay, test_folder, small, sizeof small), TOT_E_ARGUMENT, "room");
    assert_ok(tot_replay_save(replay, test_folder, line, LINE_SIZE));
    tot_replay_free(replay);
    const char *const bad[] = {
        "",
        "replay",
        "replay 2 first 0 added 2 from 1 last 1 bytes 40",
        "replay 1 first 0 added 2 from 1 last 1 bytes",
        "replay 1 first 0 added 2 from 1 last 1 bytes 40 more",
        "replay 1 first 3 added 2 from 1 last 1 bytes 40",
        "replay 1 first -1 added 2 from 1 last 1 bytes 40",
        "replay 1 first 0 added 2 from 3 last 1 bytes 40",
        "replay 1 first 0 added 2 from 2 last 1 bytes 40",
        "replay 1 first 0 added 3 from 1 last 1 bytes 40",
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        replay = new_replay(1000);
        assert_fails(tot_replay_restore(replay, test_folder, bad[k]), TOT_E_FORMAT, "");
        tot_replay_free(replay);
    }
    const tot_replay_shape other = {.width = 4, .pixels = 2};
    assert_ok(tot_replay_create(&replay, &other, 1000, 0));
    assert_fails(tot_replay_restore(replay, test_folder, line), TOT_E_SHAPE, "width 2");
    tot_replay_free(replay);
    replay = new_replay(1000);
    assert_fails(tot_replay_restore(replay, "/nowhere/at/all", line), TOT_E_FORMAT, "/nowhere");
    assert_fails(tot_replay_save(replay, "/nowhere/at/all", line, LINE_SIZE), TOT_E_FILE,
                 "/nowhere");
    tot_replay_free(replay);
}

// --- full disk and out of memory ---------------------------------------------------------------

TEST(test_full_disk) {
    for (int allowed = 0; allowed < 20; allowed++) {
        char older[LINE_SIZE], newer[LINE_SIZE];
        tot_replay *replay = new_replay(1000);
        fill_disk_after(-1);
        add(replay, 2);
        assert_ok(tot_replay_save(replay, test_folder, older, LINE_SIZE));
        add(replay, 3);
        fill_disk_after(allowed);
        tot_status status = tot_replay_save(replay, test_folder, newer, LINE_SIZE);
        bool full = disk_was_full();
        fill_disk_after(-1);
        assert_int_equal(status, full ? TOT_E_FILE : TOT_OK);
        if (!full) {
            tot_replay_free(replay);
            return;
        }
        assert_non_null(strstr(tot_error(), "No space left"));
        // earlier saves are intact
        tot_replay *again = new_replay(1000);
        assert_ok(tot_replay_restore(again, test_folder, older));
        assert_holds(again, 0, 2);
        tot_replay_free(again);
        // once there is space again, everything is saved
        assert_ok(tot_replay_save(replay, test_folder, newer, LINE_SIZE));
        tot_replay_free(replay);
        again = restored(newer, 1000);
        assert_holds(again, 0, 5);
        tot_replay_free(again);
        count_files(true);
    }
    fail_msg("the disk was always full");
}

// Data that could not be synced may be lost: it is written again.
TEST(test_failing_sync) {
    char line[LINE_SIZE];
    tot_replay *replay = new_replay(1000);
    add(replay, 2);
    sync_error = EIO;
    assert_fails(tot_replay_save(replay, test_folder, line, LINE_SIZE), TOT_E_FILE, "sync");
    sync_error = 0;
    write_bytes(only_file(), "lost", 4);
    add(replay, 1);
    assert_ok(tot_replay_save(replay, test_folder, line, LINE_SIZE));
    tot_replay_free(replay);
    replay = restored(line, 1000);
    assert_holds(replay, 0, 3);
    tot_replay_free(replay);
}

static tot_status save_and_restore(void) {
    char line[LINE_SIZE];
    tot_replay *replays[2] = {NULL, NULL};
    tot_status status = tot_replay_create(&replays[0], &shape, 1000, 0);
    for (int64_t k = 0; status == TOT_OK && k < 3; k++) {
        status = tot_replay_add(replays[0], make_episode(&made, &shape, k, steps_of(k)));
    }
    if (status == TOT_OK) {
        status = tot_replay_save(replays[0], test_folder, line, LINE_SIZE);
    }
    if (status == TOT_OK) {
        status = tot_replay_create(&replays[1], &shape, 1000, 0);
    }
    if (status == TOT_OK) {
        status = tot_replay_restore(replays[1], test_folder, line);
    }
    tot_replay_free(replays[0]);
    tot_replay_free(replays[1]);
    return status;
}

TEST(test_failing_memory) {
    failing_memory memory;
    for (uint64_t k = 1; failing_memory_next(&memory, k); k++) {
        failing_memory_check(&memory, save_and_restore());
        count_files(true);
    }
}

int main(void) {
    fill_disk_after(-1);
    return RUN_TESTS(make_test_folder, remove_test_folder);
}
