// The replay buffer on disk. Episodes are appended to files that are never rewritten. A file that
// exceeds a size limit is closed and a new one started, so that files with only evicted episodes
// can be removed.
//
// A file is a header (file_head) followed by records: a header (record_head) and the episode's
// arrays as they are in memory. Headers and payloads have separate checksums. The valid length of
// the newest file is part of the line returned by tot_replay_save: a truncated record, or one
// written later, lies beyond it and is cut off on restore.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "agent/replay.h"
#include "base/base.h"
#include "file/appender.h"

enum { PATH_SIZE = 4096, VERSION = 1 };

static const int64_t segment_bytes = 16 << 20;
static const int64_t most_number = INT64_C(1) << 40;  // limit for episodes, files and bytes
static const char file_magic[8] = "TOTREPL";
static const char record_magic[4] = "EPIS";

// In host byte order, little-endian; a big-endian machine would read an unknown version.
typedef struct file_head {
    char magic[8];
    uint32_t version;
    int32_t pixels;
    int64_t width;
    int64_t serial;
    uint32_t actions;
    uint32_t check;  // checksum of the preceding bytes
} file_head;

typedef struct record_head {
    char magic[4];
    uint32_t payload_check;
    int64_t number;
    int64_t steps;
    float unused;    // 0; older files have the cost of the first frame here
    uint32_t check;  // checksum of the preceding bytes
} record_head;

static uint32_t checksum(const void *bytes, size_t size) {
    return (uint32_t)crc32_z(0, bytes, size);
}

// --- the line of a checkpoint ------------------------------------------------------------------

typedef struct replay_line {
    int64_t first;  // number of the oldest episode kept
    int64_t added;
    int64_t from;  // files from .. last contain them
    int64_t last;
    int64_t bytes;  // valid length of the last file
} replay_line;

static const char line_format[] =
    "replay 1 first %" PRId64 " added %" PRId64 " from %" PRId64 " last %" PRId64 " bytes %" PRId64;

// Reads `word` followed by a number; false if they are not there.
static bool read_number(const char **text, const char *word, int64_t *value) {
    size_t length = strlen(word);
    char *end;
    if (strncmp(*text, word, length) != 0) {
        return false;
    }
    errno = 0;
    *value = strtoll(*text + length, &end, 10);
    bool good = errno == 0 && end != *text + length && *value >= 0 && *value <= most_number;
    *text = end;
    return good;
}

static tot_status read_line(const char *text, replay_line *line) {
    const char *at = text;
    bool good = read_number(&at, "replay 1 first ", &line->first) &&
                read_number(&at, " added ", &line->added) &&
                read_number(&at, " from ", &line->from) &&
                read_number(&at, " last ", &line->last) &&
                read_number(&at, " bytes ", &line->bytes) && at[strspn(at, " \r\n")] == '\0';
    bool empty = good && line->last < line->from;
    BASE_FAIL_IF(!good || line->added < line->first || line->last < line->from - 1 ||
                     (empty && line->added > line->first),
                 TOT_E_FORMAT, "replay: '%.100s' is not a line of a saved replay", text);
    return TOT_OK;
}

// --- files of a folder -------------------------------------------------------------------------

static void file_path(const char *folder, int64_t serial, char path[PATH_SIZE]) {
    snprintf(path, PATH_SIZE, "%s/replay-%010" PRId64 ".episodes", folder, serial);
}

// Calls visit with the serial number of every replay file in the folder.
static tot_status each_file(const char *folder, tot_status (*visit)(void *, const char *, int64_t),
                            void *context) {
    DIR *items = opendir(folder);
    BASE_FAIL_IF(items == NULL, TOT_E_FILE, "%s: cannot list it: %s", folder, strerror(errno));
    tot_status status = TOT_OK;
    struct dirent *item;
    while (status == TOT_OK && (item = readdir(items)) != NULL) {
        int64_t serial;
        char path[PATH_SIZE];
        const char *name = item->d_name;
        if (!read_number(&name, "replay-", &serial)) {
            continue;
        }
        file_path(folder, serial, path);
        if (strcmp(strrchr(path, '/') + 1, item->d_name) == 0) {
            status = visit(context, path, serial);
        }
    }
    closedir(items);
    return status;
}

static tot_status find_highest(void *context, const char *path, int64_t serial) {
    (void)path;
    int64_t *highest = context;
    *highest = serial > *highest ? serial : *highest;
    return TOT_OK;
}

// The files to keep.
typedef struct needed_files {
    replay_line lines[2];
    int count;
} needed_files;

static tot_status remove_unneeded(void *context, const char *path, int64_t serial) {
    const needed_files *needed = context;
    for (int k = 0; k < needed->count; k++) {
        if (serial >= needed->lines[k].from && serial <= needed->lines[k].last) {
            return TOT_OK;
        }
    }
    // later files belong to a save that has no checkpoint yet
    if (needed->count > 0 && serial > needed->lines[0].last) {
        return TOT_OK;
    }
    BASE_FAIL_IF(unlink(path) != 0 && errno != ENOENT, TOT_E_FILE, "%s: cannot remove it: %s", path,
                 strerror(errno));
    return TOT_OK;
}

static tot_status remove_newer(void *context, const char *path, int64_t serial) {
    const int64_t *last = context;
    BASE_FAIL_IF(serial > *last && unlink(path) != 0, TOT_E_FILE, "%s: cannot remove it: %s", path,
                 strerror(errno));
    return TOT_OK;
}

static tot_status sync_folder(const char *folder) {
    int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    BASE_FAIL_IF(descriptor < 0, TOT_E_FILE, "%s: cannot open: %s", folder, strerror(errno));
    int failed = fsync(descriptor) != 0 && errno != EINVAL && errno != ENOTSUP ? errno : 0;
    close(descriptor);
    return failed == 0 ? TOT_OK
                       : base_fail(TOT_E_FILE, "%s: cannot sync: %s", folder, strerror(failed));
}

// --- saving ------------------------------------------------------------------------------------

// Switches to a folder. Files already there belong to another replay and are left alone.
static tot_status enter_folder(tot_replay *replay, const char *folder) {
    if (replay->folder != NULL && strcmp(replay->folder, folder) == 0) {
        return TOT_OK;
    }
    BASE_FAIL_IF(strlen(folder) > PATH_SIZE - 64, TOT_E_ARGUMENT,
                 "replay: the folder name is too long: %zu characters", strlen(folder));
    BASE_FAIL_IF(mkdir(folder, 0777) != 0 && errno != EEXIST, TOT_E_FILE,
                 "%s: cannot create the folder: %s", folder, strerror(errno));
    int64_t highest = 0;
    BASE_TRY(each_file(folder, find_highest, &highest));
    char *copy = base_copy_text(folder);
    BASE_HAVE(copy);
    base_free(replay->folder);
    replay->folder = copy;
    replay->segment_count = 0;
    replay->last_serial = highest;
    replay->last_bytes = 0;
    replay->last_open = false;
    replay->saved = agent_replay_oldest(replay);
    return TOT_OK;
}

static tot_status note_segment(tot_replay *replay, int64_t serial, int64_t first) {
    BASE_GROW(replay->segments, replay->segment_capacity, replay->segment_count,
              replay->segment_count + 1, "replay's files");
    replay->segments[replay->segment_count++] = (agent_replay_segment){serial, first};
    return TOT_OK;
}

// Starts the next file. growing must be closed.
static tot_status begin_segment(tot_replay *replay, file_appender *growing, char path[PATH_SIZE],
                                int64_t first) {
    file_head head = {
        .version = VERSION,
        .pixels = replay->shape.pixels,
        .width = replay->shape.width,
        .serial = replay->last_serial + 1,
        .actions = AGENT_ACTIONS,
    };
    memcpy(head.magic, file_magic, sizeof head.magic);
    head.check = checksum(&head, offsetof(file_head, check));
    BASE_TRY(note_segment(replay, head.serial, first));
    file_path(replay->folder, head.serial, path);
    BASE_TRY(file_appender_open(growing, path));
    // a failed save may have left data
    BASE_TRY(file_appender_truncate(growing, 0));
    BASE_TRY(file_appender_add(growing, &head, sizeof head));
    replay->last_serial = head.serial;
    replay->last_bytes = growing->size;
    replay->last_open = true;
    return TOT_OK;
}

// Opens the file for the next record, positioned after its valid data.
static tot_status ready_segment(tot_replay *replay, file_appender *growing, char path[PATH_SIZE],
                                int64_t number) {
    if (growing->file >= 0 && growing->size < segment_bytes) {
        return TOT_OK;
    }
    if (growing->file >= 0) {
        BASE_TRY(file_appender_sync(growing));
        file_appender_close(growing);
        return begin_segment(replay, growing, path, number);
    }
    if (!replay->last_open || replay->last_bytes >= segment_bytes) {
        return begin_segment(replay, growing, path, number);
    }
    file_path(replay->folder, replay->last_serial, path);
    BASE_TRY(file_appender_open(growing, path));
    return file_appender_truncate(growing, replay->last_bytes);
}

static tot_status write_episodes(tot_replay *replay, file_appender *growing, char path[PATH_SIZE]) {
    int64_t oldest = agent_replay_oldest(replay);
    int64_t from = replay->saved > oldest ? replay->saved : oldest;
    for (int64_t number = from; number < replay->added; number++) {
        const agent_stored_episode *episode =
            replay->episodes[replay->first + (size_t)(number - oldest)];
        BASE_TRY(ready_segment(replay, growing, path, number));
        record_head head = {
            .payload_check = checksum(episode + 1, episode->payload),
            .number = number,
            .steps = episode->steps,
        };
        memcpy(head.magic, record_magic, sizeof head.magic);
        head.check = checksum(&head, offsetof(record_head, check));
        BASE_TRY(file_appender_add(growing, &head, sizeof head));
        BASE_TRY(file_appender_add(growing, episode + 1, episode->payload));
        replay->last_bytes = growing->size;
        replay->saved = number + 1;
    }
    return growing->file >= 0 ? file_appender_sync(growing) : TOT_OK;
}

// Drops files that contain only evicted episodes from the list.
static void forget_segments(tot_replay *replay) {
    size_t unneeded = 0;
    while (unneeded + 1 < replay->segment_count &&
           replay->segments[unneeded + 1].first <= agent_replay_oldest(replay)) {
        unneeded++;
    }
    replay->segment_count -= unneeded;
    memmove(replay->segments, replay->segments + unneeded,
            replay->segment_count * sizeof *replay->segments);
}

static tot_status write_line(const tot_replay *replay, char *text, size_t size) {
    int64_t from = replay->segment_count > 0 ? replay->segments[0].serial : replay->last_serial + 1;
    int length = snprintf(text, size, line_format, agent_replay_oldest(replay), replay->added, from,
                          replay->last_serial, replay->last_bytes);
    BASE_FAIL_IF(length < 0 || (size_t)length >= size, TOT_E_ARGUMENT,
                 "replay: its line has %d letters, and there is room for %zu", length, size);
    return TOT_OK;
}

tot_status tot_replay_save(tot_replay *replay, const char *folder, char *text, size_t size) {
    BASE_NEED(replay, folder, text);
    BASE_TRY(enter_folder(replay, folder));
    char path[PATH_SIZE];
    file_appender growing = {.file = -1};
    // after a failure the next save overwrites what this one wrote
    tot_replay before = *replay;
    tot_status status = write_episodes(replay, &growing, path);
    file_appender_close(&growing);
    if (status == TOT_OK && replay->last_serial != before.last_serial) {
        status = sync_folder(folder);
    }
    if (status != TOT_OK) {
        replay->segment_count = before.segment_count;
        replay->last_serial = before.last_serial;
        replay->last_bytes = before.last_bytes;
        replay->last_open = before.last_open;
        replay->saved = before.saved;
        return status;
    }
    if (replay->segment_count > 0) {
        forget_segments(replay);
    }
    return write_line(replay, text, size);
}

// --- restoring ---------------------------------------------------------------------------------

typedef struct reading {
    file_appender file;
    int64_t end;  // valid length of the file
    int64_t at;   // read position
    int64_t serial;
} reading;

static tot_status damaged(const reading *in, int64_t byte, const char *what) {
    return base_fail(TOT_E_FORMAT, "%s: byte %lld: %s", in->file.path, (long long)byte, what);
}

static tot_status open_segment(const tot_replay *replay, reading *in, const char *path,
                               const replay_line *line) {
    // opening would create a missing file
    BASE_FAIL_IF(access(path, F_OK) != 0, TOT_E_FORMAT, "%s: byte 0: %s", path, strerror(errno));
    BASE_TRY(file_appender_open(&in->file, path));
    in->end = in->serial == line->last ? line->bytes : in->file.size;
    in->at = sizeof(file_head);
    BASE_FAIL_IF(in->file.size < in->end || in->end < in->at, TOT_E_FORMAT,
                 "%s: byte %lld: it ends here, and %lld bytes were saved", path,
                 (long long)in->file.size, (long long)in->end);
    file_head head;
    BASE_TRY(file_appender_read(&in->file, 0, &head, sizeof head));
    if (memcmp(head.magic, file_magic, sizeof head.magic) != 0 ||
        head.check != checksum(&head, offsetof(file_head, check)) || head.serial != in->serial) {
        return damaged(in, 0, "this is not the head of a file of a replay");
    }
    BASE_FAIL_IF(head.version != VERSION, TOT_E_UNSUPPORTED,
                 "%s: version %u; this program reads %d", path, head.version, VERSION);
    BASE_FAIL_IF(head.pixels != replay->shape.pixels || head.width != replay->shape.width ||
                     head.actions != AGENT_ACTIONS,
                 TOT_E_SHAPE,
                 "%s: observations of width %lld and %d pixels, where %lld and %d are kept", path,
                 (long long)head.width, head.pixels, (long long)replay->shape.width,
                 replay->shape.pixels);
    return TOT_OK;
}

// Reads the header of the next record and checks that its payload is complete.
static tot_status read_head(const tot_replay *replay, const reading *in, record_head *head,
                            size_t *payload) {
    if (in->end - in->at < (int64_t)sizeof *head) {
        return damaged(in, in->at, "the head of an episode is cut off");
    }
    BASE_TRY(file_appender_read(&in->file, in->at, head, sizeof *head));
    if (memcmp(head->magic, record_magic, sizeof head->magic) != 0 ||
        head->check != checksum(head, offsetof(record_head, check))) {
        return damaged(in, in->at, "the head of an episode is damaged");
    }
    int64_t left = in->end - in->at - (int64_t)sizeof *head;
    if (!agent_replay_payload(&replay->shape, head->steps, payload) || *payload > (size_t)left) {
        return damaged(in, in->at, "an episode is cut off");
    }
    return TOT_OK;
}

static tot_status read_record(tot_replay *replay, reading *in, const replay_line *line) {
    record_head head = {0};
    size_t payload = 0;
    BASE_TRY(read_head(replay, in, &head, &payload));
    int64_t behind = in->at + (int64_t)(sizeof head + payload);
    if (head.number < line->first) {
        // evicted before the save
        in->at = behind;
        return TOT_OK;
    }
    if (head.number != replay->added) {
        return damaged(in, in->at, "an episode is missing or stands twice");
    }
    agent_stored_episode *episode = agent_replay_take(&replay->shape, head.steps);
    BASE_HAVE(episode);
    tot_status status =
        file_appender_read(&in->file, in->at + (int64_t)sizeof head, episode + 1, payload);
    if (status == TOT_OK && checksum(episode + 1, payload) != head.payload_check) {
        status =
            damaged(in, in->at + (int64_t)sizeof head, "the numbers of an episode are damaged");
    }
    const tot_episode view = {.steps = episode->steps,
                              .observations = episode->observations,
                              .actions = episode->actions,
                              .rewards = episode->rewards};
    BASE_THEN(status, agent_replay_check(replay, &view, in->file.path));
    BASE_THEN(status, agent_replay_keep(replay, episode));
    if (status != TOT_OK) {
        base_free(episode);
        return status;
    }
    in->at = behind;
    return TOT_OK;
}

static tot_status read_segment(tot_replay *replay, const char *folder, int64_t serial,
                               const replay_line *line) {
    char path[PATH_SIZE];
    reading in = {.file = {.file = -1}, .serial = serial};
    file_path(folder, serial, path);
    tot_status status = open_segment(replay, &in, path, line);
    BASE_THEN(status, note_segment(replay, serial, replay->added));
    while (status == TOT_OK && in.at < in.end) {
        status = read_record(replay, &in, line);
    }
    file_appender_close(&in.file);
    return status;
}

static tot_status read_segments(tot_replay *replay, const char *folder, const replay_line *line) {
    replay->added = line->first;
    for (int64_t serial = line->from; serial <= line->last; serial++) {
        BASE_TRY(read_segment(replay, folder, serial, line));
    }
    BASE_FAIL_IF(replay->added != line->added, TOT_E_FORMAT,
                 "%s: byte 0: files %lld to %lld end before episode %lld of %lld", folder,
                 (long long)line->from, (long long)line->last, (long long)replay->added,
                 (long long)line->added);
    return TOT_OK;
}

// Removes data written after the save. Called only after everything needed has been verified.
static tot_status cut_off(const char *folder, const replay_line *line) {
    char path[PATH_SIZE];
    int64_t last = line->last;
    if (line->last >= line->from) {
        file_appender growing;
        file_path(folder, line->last, path);
        BASE_TRY(file_appender_open(&growing, path));
        tot_status status = file_appender_truncate(&growing, line->bytes);
        BASE_THEN(status, file_appender_sync(&growing));
        file_appender_close(&growing);
        BASE_TRY(status);
    }
    BASE_TRY(each_file(folder, remove_newer, &last));
    return sync_folder(folder);
}

static tot_status restore(tot_replay *replay, const char *folder, const replay_line *line) {
    replay->segment_count = 0;
    BASE_TRY(read_segments(replay, folder, line));
    char *copy = base_copy_text(folder);
    BASE_HAVE(copy);
    base_free(replay->folder);
    replay->folder = copy;
    replay->last_serial = line->last;
    replay->last_bytes = line->bytes;
    replay->last_open = line->last >= line->from;
    replay->saved = line->added;
    return cut_off(folder, line);
}

tot_status tot_replay_restore(tot_replay *replay, const char *folder, const char *text) {
    BASE_NEED(replay, folder, text);
    replay_line line = {0};
    BASE_FAIL_IF(replay->added > 0, TOT_E_ARGUMENT,
                 "replay: restored into one that has %lld episodes", (long long)replay->added);
    BASE_FAIL_IF(strlen(folder) > PATH_SIZE - 64, TOT_E_ARGUMENT,
                 "replay: the folder name is too long: %zu characters", strlen(folder));
    BASE_TRY(read_line(text, &line));
    tot_status status = restore(replay, folder, &line);
    if (status != TOT_OK) {
        // empty again, and without a folder
        agent_replay_clear(replay);
        base_free(replay->folder);
        replay->folder = NULL;
        replay->segment_count = 0;
    }
    return status;
}

// --- trimming ----------------------------------------------------------------------------------

tot_status tot_replay_trim(const char *folder, const char *newest, const char *previous) {
    BASE_NEED(folder);
    needed_files needed = {.count = 0};
    if (newest != NULL) {
        BASE_TRY(read_line(newest, &needed.lines[needed.count++]));
    }
    if (previous != NULL) {
        BASE_TRY(read_line(previous, &needed.lines[needed.count++]));
    }
    BASE_FAIL_IF(strlen(folder) > PATH_SIZE - 64, TOT_E_ARGUMENT,
                 "replay: the folder name is too long: %zu characters", strlen(folder));
    return each_file(folder, remove_unneeded, &needed);
}
