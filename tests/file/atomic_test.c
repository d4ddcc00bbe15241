// Atomic files: complete or absent, whatever fails.
#include "file/test_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <temporalot/file.h>

#include "failing_memory.h"
#include "file/atomic.h"
#include "file/appender.h"

// --- failing system calls: tests.cmake wraps them -----------------------------------------------

ssize_t __real_pwrite(int file, const void *bytes, size_t size, off_t offset);
ssize_t __wrap_pwrite(int file, const void *bytes, size_t size, off_t offset);
int __real_fsync(int file);
int __wrap_fsync(int file);
int __real_close(int file);
int __wrap_close(int file);
int __real_renameat(int from, const char *old, int to, const char *new);
int __wrap_renameat(int from, const char *old, int to, const char *new);
int __real_openat(int folder, const char *path, int flags, mode_t mode);
int __wrap_openat(int folder, const char *path, int flags, mode_t mode);

// Injected faults. A count makes that call, counted from 1, fail with the error.
static struct {
    bool in_pieces;  // short writes, and every second one is interrupted
    int write, sync, close, rename, create;
    int error;
    int writes, syncs, closes, renames, creates;
} faults;

static bool is_fault(int *calls, int wanted) {
    if (++*calls != wanted) {
        return false;
    }
    errno = faults.error;
    return true;
}

ssize_t __wrap_pwrite(int file, const void *bytes, size_t size, off_t offset) {
    if (is_fault(&faults.writes, faults.write)) {
        return -1;
    }
    if (faults.in_pieces) {
        if (faults.writes % 2 == 0) {
            errno = EINTR;
            return -1;
        }
        size = size > 7 ? size / 2 : size;
    }
    return __real_pwrite(file, bytes, size, offset);
}

int __wrap_fsync(int file) {
    return is_fault(&faults.syncs, faults.sync) ? -1 : __real_fsync(file);
}

int __wrap_close(int file) {
    // a failing close closes the file nevertheless
    bool fails = is_fault(&faults.closes, faults.close);
    int result = __real_close(file);
    if (fails) {
        errno = faults.error;
        return -1;
    }
    return result;
}

int __wrap_renameat(int from, const char *old, int to, const char *new) {
    return is_fault(&faults.renames, faults.rename) ? -1 : __real_renameat(from, old, to, new);
}

int __wrap_openat(int folder, const char *path, int flags, mode_t mode) {
    return is_fault(&faults.creates, faults.create) ? -1 : __real_openat(folder, path, flags, mode);
}

static int clean_up(void **state) {
    memset(&faults, 0, sizeof faults);
    return empty_test_folder(state);
}

// --- helpers -----------------------------------------------------------------------------------

static void expect_content(const char *path, const char *text) {
    size_t size;
    uint8_t *bytes = read_bytes(path, &size);
    assert_int_equal(size, strlen(text));
    assert_memory_equal(bytes, text, size);
    free(bytes);
}

// 300,000 bytes in pieces of many sizes, with and without the buffer.
enum { LARGE = 300000 };

static uint8_t large_byte(size_t place) {
    return (uint8_t)(place * 7 + place / 251);
}

static tot_status write_large(const char *path) {
    uint8_t *bytes = malloc(LARGE);
    assert_non_null(bytes);
    for (size_t k = 0; k < LARGE; k++) {
        bytes[k] = large_byte(k);
    }
    static const size_t pieces[] = {1, 10, 0, 65525, 1, 65536, 3, 65535, 70000, 5};
    tot_file *file = NULL;
    tot_status status = tot_file_create(&file, path);
    size_t used = 0;
    for (size_t k = 0; used < LARGE && status == TOT_OK; k++) {
        size_t piece = k < 10 ? pieces[k] : LARGE - used;
        status = tot_file_write(file, bytes + used, piece);
        used += piece;
    }
    free(bytes);
    return file_end(file, status);
}

static void expect_large(const char *path) {
    size_t size;
    uint8_t *bytes = read_bytes(path, &size);
    assert_int_equal(size, LARGE);
    for (size_t k = 0; k < LARGE; k++) {
        assert_int_equal(bytes[k], large_byte(k));
    }
    free(bytes);
}

// --- success -----------------------------------------------------------------------------------

TEST_EACH(clean_up, clean_up)

TEST(appears_when_committed) {
    const char *path = in_folder("a");
    write_bytes(path, "old", 3);
    tot_file *file = NULL;
    assert_ok(tot_file_create(&file, path));
    assert_ok(tot_file_write(file, "new text", 8));
    assert_ok(tot_file_write(file, NULL, 0));
    expect_content(path, "old");
    assert_int_equal(count_files(false), 2);
    assert_ok(tot_file_commit(file));
    expect_content(path, "new text");
    assert_int_equal(count_files(false), 1);
    // the file and then its folder were synced
    assert_int_equal(faults.syncs, 2);
}

TEST(disappears_when_discarded) {
    const char *path = in_folder("a");
    tot_file *file = NULL;
    assert_ok(tot_file_create(&file, path));
    assert_ok(tot_file_write(file, "text", 4));
    tot_file_discard(file);
    assert_int_equal(count_files(false), 0);
    tot_file_discard(NULL);
}

TEST(writes_any_size) {
    assert_ok(write_large(in_folder("a")));
    expect_large(in_folder("a"));
    faults.in_pieces = true;
    assert_ok(write_large(in_folder("b")));
    expect_large(in_folder("b"));
    assert_true(faults.writes > 20);
}

TEST(patches_what_was_written) {
    tot_file *file = NULL;
    assert_ok(tot_file_create(&file, in_folder("a")));
    assert_ok(tot_file_write(file, "0123456789", 10));
    assert_int_equal(file_position(file), 10);
    // in the buffer
    assert_ok(file_patch(file, 2, "xy", 2));
    char *zeros = calloc(70000, 1);
    assert_non_null(zeros);
    assert_ok(tot_file_write(file, zeros, 70000));
    free(zeros);
    assert_ok(tot_file_write(file, "end", 3));
    // on disk, and then in the buffer or not
    assert_ok(file_patch(file, 5, "z", 1));
    assert_ok(file_patch(file, 70011, "N", 1));
    assert_ok(tot_file_commit(file));
    size_t size;
    uint8_t *bytes = read_bytes(in_folder("a"), &size);
    assert_int_equal(size, 70013);
    assert_memory_equal(bytes, "01xy4z6789", 10);
    assert_memory_equal(bytes + 70010, "eNd", 3);
    free(bytes);
}

TEST(obeys_the_umask) {
    mode_t old = umask(027);
    tot_file *file = NULL;
    assert_ok(tot_file_create(&file, in_folder("a")));
    assert_ok(tot_file_commit(file));
    umask(old);
    struct stat status;
    assert_int_equal(stat(in_folder("a"), &status), 0);
    assert_int_equal(status.st_mode & 0777, 0640);
}

TEST(stays_in_its_folder) {
    int old = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_int_equal(chdir(test_folder), 0);
    tot_file *file = NULL;
    assert_ok(tot_file_create(&file, "a"));
    assert_ok(tot_file_write(file, "x", 1));
    assert_int_equal(chdir("/"), 0);
    tot_status status = tot_file_commit(file);
    assert_int_equal(fchdir(old), 0);
    close(old);
    assert_ok(status);
    expect_content(in_folder("a"), "x");
}

// Files elsewhere must not be changed through a link.
TEST(refuses_links) {
    tot_file *file = NULL;
    file_appender growing;
    write_bytes(in_folder("real"), "old", 3);
    assert_int_equal(symlink("real", in_folder("link")), 0);
    assert_fails(tot_file_create(&file, in_folder("link")), TOT_E_FILE, "symbolic link");
    assert_fails(file_appender_open(&growing, in_folder("link")), TOT_E_FILE, "symbolic link");
    assert_int_equal(symlink("nowhere", in_folder("dangling")), 0);
    assert_fails(tot_file_create(&file, in_folder("dangling")), TOT_E_FILE, "symbolic link");
    assert_fails(file_appender_open(&growing, in_folder("dangling")), TOT_E_FILE, "symbolic link");
    char other[4096];
    snprintf(other, sizeof other, "%s", in_folder("real"));
    assert_int_equal(link(other, in_folder("twin")), 0);
    assert_fails(tot_file_create(&file, in_folder("twin")), TOT_E_FILE, "2 names");
    assert_fails(file_appender_open(&growing, in_folder("twin")), TOT_E_FILE, "2 names");
    expect_content(in_folder("real"), "old");
    assert_int_equal(count_files(false), 4);
}

// Temporary files of dead processes are removed; those of live processes, and files that only look
// similar, are kept.
TEST(leftovers_go) {
    char name[64];
    tot_file *file = NULL;
    const pid_t child = fork();
    if (child == 0) {
        _exit(0);
    }
    assert_int_equal(waitpid(child, NULL, 0), child);
    snprintf(name, sizeof name, ".temporalot-%ld-7.tmp", (long)child);
    write_bytes(in_folder(name), "half", 4);
    snprintf(name, sizeof name, ".temporalot-%ld-7.tmp.txt", (long)child);
    write_bytes(in_folder(name), "mine", 4);
    assert_ok(tot_file_create(&file, in_folder("a")));
    assert_int_equal(count_files(false), 3);
    assert_int_equal(file_remove_leftovers(in_folder("")), 1);
    assert_int_equal(count_files(false), 2);
    assert_ok(tot_file_commit(file));
    assert_int_equal(count_files(false), 2);
    expect_content(in_folder(name), "mine");
}

TEST(writers_do_not_meet) {
    tot_file *first = NULL;
    tot_file *second = NULL;
    assert_ok(tot_file_create(&first, in_folder("a")));
    assert_ok(tot_file_create(&second, in_folder("a")));
    assert_ok(tot_file_write(first, "first", 5));
    assert_ok(tot_file_write(second, "second", 6));
    assert_ok(tot_file_commit(second));
    expect_content(in_folder("a"), "second");
    assert_ok(tot_file_commit(first));
    expect_content(in_folder("a"), "first");
    assert_int_equal(count_files(false), 1);
}

// --- failure -----------------------------------------------------------------------------------

TEST(refuses_what_is_no_file) {
    tot_file *file = NULL;
    assert_fails(tot_file_create(&file, ""), TOT_E_FILE, "names no file");
    assert_fails(tot_file_create(&file, in_folder("a/")), TOT_E_FILE, "names no file");
    assert_fails(tot_file_create(&file, test_folder), TOT_E_FILE, "is a folder");
    assert_fails(tot_file_create(&file, in_folder(".")), TOT_E_FILE, "is a folder");
    assert_fails(tot_file_create(&file, "/dev/null"), TOT_E_FILE, "a device or pipe");
    assert_fails(tot_file_create(&file, in_folder("none/a")), TOT_E_FILE, "No such file");
    char name[600];
    memset(name, 'n', 300);
    name[300] = '\0';
    assert_fails(tot_file_create(&file, in_folder(name)), TOT_E_FILE, "too long");
    assert_null(file);
    assert_int_equal(count_files(false), 0);
}

// Every kind of failing call, at every count until it is no longer reached.
static void check_faults(int *wanted, const int *calls, int error, const char *words, int least) {
    const char *path = in_folder("a");
    for (int k = 1;; k++) {
        memset(&faults, 0, sizeof faults);
        faults.error = error;
        count_files(true);
        write_bytes(path, "old", 3);
        *wanted = k;
        tot_status status = write_large(path);
        *wanted = 0;
        if (*calls < k) {
            assert_ok(status);
            expect_large(path);
            assert_true(k > least);
            return;
        }
        assert_fails(status, TOT_E_FILE, words);
        assert_non_null(strstr(tot_error(), path));
        expect_content(path, "old");
        assert_int_equal(count_files(false), 1);
    }
}

TEST(survives_failing_calls) {
    check_faults(&faults.write, &faults.writes, ENOSPC, "No space left on device", 5);
    check_faults(&faults.write, &faults.writes, EDQUOT, "quota exceeded", 5);
    check_faults(&faults.rename, &faults.renames, EPERM, "cannot move it into place", 1);
    check_faults(&faults.create, &faults.creates, EMFILE, "Too many open files", 1);
}

TEST(survives_a_failing_sync) {
    const char *path = in_folder("a");
    write_bytes(path, "old", 3);
    faults.sync = 1;
    faults.error = EIO;
    assert_fails(write_large(path), TOT_E_FILE, "Input/output error");
    expect_content(path, "old");
    assert_int_equal(count_files(false), 1);
    faults.syncs = 0;
    faults.error = EINTR;
    assert_ok(write_large(path));
    expect_large(path);
    // a file system that cannot sync folders is fine, a failing sync is not
    faults.syncs = 0;
    faults.sync = 2;
    faults.error = EINVAL;
    assert_ok(write_large(path));
    faults.syncs = 0;
    faults.error = EIO;
    assert_fails(write_large(path), TOT_E_FILE, "written whole, but its folder cannot be synced");
    expect_large(path);
    assert_int_equal(count_files(false), 1);
}

TEST(survives_a_failing_close) {
    const char *path = in_folder("a");
    write_bytes(path, "old", 3);
    tot_file *file = NULL;
    assert_ok(tot_file_create(&file, path));
    assert_ok(tot_file_write(file, "new", 3));
    faults.close = faults.closes + 1;
    faults.error = EIO;
    assert_fails(tot_file_commit(file), TOT_E_FILE, "Input/output error");
    expect_content(path, "old");
    assert_int_equal(count_files(false), 1);
    assert_ok(tot_file_create(&file, path));
    assert_ok(tot_file_write(file, "new", 3));
    faults.close = faults.closes + 1;
    faults.error = EINTR;
    assert_ok(tot_file_commit(file));
    expect_content(path, "new");
}

// Every later call reports the first error, and committing creates no file.
TEST(remembers_the_failure) {
    tot_file *file = NULL;
    char *zeros = calloc(70000, 1);
    assert_non_null(zeros);
    assert_ok(tot_file_create(&file, in_folder("a")));
    faults.write = faults.writes + 1;
    faults.error = ENOSPC;
    assert_fails(tot_file_write(file, zeros, 70000), TOT_E_FILE, "No space left");
    assert_int_equal(count_files(false), 0);
    assert_fails(tot_file_write(file, zeros, 1), TOT_E_FILE, "No space left");
    assert_fails(file_patch(file, 0, zeros, 1), TOT_E_FILE, "No space left");
    assert_fails(tot_file_commit(file), TOT_E_FILE, "No space left");
    assert_int_equal(count_files(false), 0);
    free(zeros);
}

TEST(takes_another_temporary_name) {
    faults.create = 1;
    faults.error = EEXIST;
    assert_ok(write_large(in_folder("a")));
    assert_int_equal(faults.creates, 2);
}

// --- real full disks ---------------------------------------------------------------------------

// A file size limit causes short writes and then EFBIG.
TEST(survives_a_size_limit) {
    const char *path = in_folder("a");
    write_bytes(path, "old", 3);
    struct rlimit old;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    struct rlimit limit = {.rlim_cur = 100001, .rlim_max = old.rlim_max};
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    tot_status status = write_large(path);
    tot_npz_writer *writer = NULL;
    tot_status npz_status = tot_npz_create(&writer, in_folder("b.npz"), false);
    assert_int_equal(npz_status, TOT_OK);
    uint8_t *zeros = calloc(200000, 1);
    tot_array array = {.type = TOT_U8, .dimensions = 1, .shape = {200000}, .data = zeros};
    npz_status = tot_npz_add(writer, "zeros", &array);
    tot_status commit_status = tot_npz_commit(writer);
    setrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, handler);
    free(zeros);
    assert_int_equal(status, TOT_E_FILE);
    assert_int_equal(npz_status, TOT_E_FILE);
    assert_fails(commit_status, TOT_E_FILE, "b.npz: cannot write: File too large");
    expect_content(path, "old");
    assert_int_equal(count_files(false), 1);
}

enum { CHILD_FINE = 0, CHILD_SKIPPED = 77, CHILD_WRONG = 1 };

// In a separate mount namespace, so that nothing stays mounted.
static int fill_small_disk(void) {
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("none", test_folder, "tmpfs", 0, "size=128k") != 0) {
        return CHILD_SKIPPED;
    }
    write_bytes(in_folder("a"), "old", 3);
    tot_status status = write_large(in_folder("a"));
    bool clear = strstr(tot_error(), "No space left on device") != NULL;
    if (status != TOT_E_FILE || !clear || count_files(false) != 1) {
        return CHILD_WRONG;
    }
    // the space has been freed
    uint8_t zeros[60000] = {0};
    tot_array array = {.type = TOT_U8, .dimensions = 1, .shape = {60000}, .data = zeros};
    return tot_array_save(&array, in_folder("a")) == TOT_OK ? CHILD_FINE : CHILD_WRONG;
}

static int run_child(int (*job)(void)) {
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        _exit(job());
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

// Runs the job in a process of its own, with this mode of the folder. Skips the test if it cannot
// run.
static void check_child(int (*job)(void), mode_t mode) {
    assert_int_equal(chmod(test_folder, mode), 0);
    int result = run_child(job);
    assert_int_equal(chmod(test_folder, 0700), 0);
    if (result == CHILD_SKIPPED) {
        skip();
    }
    assert_int_equal(result, CHILD_FINE);
}

TEST(survives_a_full_disk) {
    check_child(fill_small_disk, 0700);
    assert_int_equal(count_files(false), 0);
}

// Root can write anywhere, so switch to another user first.
static bool is_user(void) {
    return geteuid() != 0 || (setgid(65534) == 0 && setuid(65534) == 0);
}

static int write_read_only_folder(void) {
    if (!is_user()) {
        return CHILD_SKIPPED;
    }
    tot_file *file = NULL;
    tot_status status = tot_file_create(&file, in_folder("a"));
    return status == TOT_E_FILE && strstr(tot_error(), "Permission denied") != NULL ? CHILD_FINE
                                                                                    : CHILD_WRONG;
}

TEST(refuses_a_read_only_folder) {
    check_child(write_read_only_folder, 0555);
    assert_int_equal(count_files(false), 0);
}

// A folder that is writable but not listable can still be used.
static int write_unlisted_folder(void) {
    if (!is_user()) {
        return CHILD_SKIPPED;
    }
    return write_large(in_folder("a")) == TOT_OK ? CHILD_FINE : CHILD_WRONG;
}

TEST(writes_into_an_unlisted_folder) {
    check_child(write_unlisted_folder, 0333);
    expect_large(in_folder("a"));
}

TEST(survives_failing_allocations) {
    failing_memory memory;
    uint64_t k;
    for (k = 1; failing_memory_next(&memory, k); k++) {
        tot_status status = write_large(in_folder("a"));
        failing_memory_check(&memory, status);
        assert_int_equal(count_files(true), status == TOT_OK ? 1 : 0);
    }
    assert_true(k > 3);
}

TEST_MAIN(make_test_folder, remove_test_folder)
