// A selection of the pictures of a source: every N-th, at a frame rate, between two times, a region
// of each.
#include "base/base.h"
#include "file/frames.h"

// A stored picture and its presentation time.
typedef struct timed_picture {
    uint8_t *rgb;
    double from;
    double duration;
    double time;  // as tot_frames_time
} timed_picture;

struct file_frames_excerpt {
    tot_excerpt wanted;
    timed_picture now;
    timed_picture next;  // with fps: the picture after `now`
    bool started;
    bool has_next;
    bool ended;
    int64_t given;   // pictures returned
    int64_t passed;  // pictures between from and to so far, including those skipped by `every`
};

// Times closer than this are equal: many containers round to milliseconds.
static const double EQUAL = 1e-3;

static bool has_region(const tot_excerpt *excerpt) {
    const double *region = excerpt->region;
    return region[0] != 0 || region[1] != 0 || region[2] != 0 || region[3] != 0;
}

BASE_GETTER(bool, tot_excerpt_is_all, tot_excerpt, excerpt, false,
            excerpt->every <= 1 && excerpt->fps == 0 && excerpt->from == 0 && excerpt->to == 0 &&
                excerpt->crop[2] == 0 && !has_region(excerpt))

tot_status tot_excerpt_set_crop(tot_excerpt *excerpt, const char *text) {
    BASE_NEED(excerpt, text);
    int crop[4] = {0};
    char rest = 0;
    BASE_FAIL_IF(
        text[0] != '\0' &&
            sscanf(text, "%d,%d,%d,%d%c", &crop[0], &crop[1], &crop[2], &crop[3], &rest) != 4,
        TOT_E_ARGUMENT, "crop: '%s' is not X,Y,W,H: left, top, width and height in pixels", text);
    BASE_FAIL_IF(text[0] != '\0' && (crop[0] < 0 || crop[1] < 0 || crop[2] < 1 || crop[3] < 1),
                 TOT_E_ARGUMENT, "crop: '%s' is not a part of a picture", text);
    memcpy(excerpt->crop, crop, sizeof crop);
    return TOT_OK;
}

// --- opening -----------------------------------------------------------------------------------

static tot_status check_numbers(const tot_excerpt *excerpt) {
    BASE_FAIL_IF(excerpt->every < 0, TOT_E_ARGUMENT, "every: %lld is below 1",
                 (long long)excerpt->every);
    BASE_FAIL_IF(!(excerpt->fps == 0 || (excerpt->fps >= 0.001 && excerpt->fps <= 1000)),
                 TOT_E_ARGUMENT, "fps: %g is not in 0.001 .. 1000", excerpt->fps);
    BASE_FAIL_IF(!(excerpt->from >= 0 && isfinite(excerpt->from)), TOT_E_ARGUMENT,
                 "from: %g is below 0", excerpt->from);
    BASE_FAIL_IF(!(excerpt->to == 0 || (excerpt->to > excerpt->from && isfinite(excerpt->to))),
                 TOT_E_ARGUMENT, "to: %g is not after from, which is %g", excerpt->to,
                 excerpt->from);
    return TOT_OK;
}

// The region in pixels; at least one.
static void region_pixels(const double region[4], int width, int height, int crop[4]) {
    const int size[2] = {width, height};
    for (int k = 0; k < 2; k++) {
        const int from = (int)fmin(round(region[k] * size[k]), size[k] - 1);
        const int to = (int)round(region[k + 2] * size[k]);
        crop[k] = from;
        crop[k + 2] = to > from ? to - from : 1;
    }
}

static tot_status check_region(const tot_frames *frames, const tot_excerpt *excerpt) {
    const double *region = excerpt->region;
    bool inside = true;
    for (int k = 0; k < 2; k++) {
        inside = inside && region[k] >= 0 && region[k] < region[k + 2] && region[k + 2] <= 1;
    }
    BASE_FAIL_IF(has_region(excerpt) && !inside, TOT_E_ARGUMENT,
                 "%s: region: %g, %g, %g, %g is not a part of a picture", frames->path, region[0],
                 region[1], region[2], region[3]);
    BASE_FAIL_IF(has_region(excerpt) && excerpt->crop[2] > 0, TOT_E_ARGUMENT,
                 "%s: region: cannot be combined with crop", frames->path);
    return TOT_OK;
}

static tot_status check_fit(const tot_frames *frames, const tot_excerpt *excerpt) {
    const int *crop = excerpt->crop;
    BASE_FAIL_IF((excerpt->fps > 0 || excerpt->from > 0 || excerpt->to > 0) && !frames->timed,
                 TOT_E_ARGUMENT,
                 "%s: %s: its pictures have no time stamps, unlike those of a video; use `every`",
                 frames->path,
                 excerpt->fps > 0    ? "fps"
                 : excerpt->from > 0 ? "from"
                                     : "to");
    BASE_FAIL_IF(crop[2] > 0 && (crop[0] < 0 || crop[1] < 0 || crop[3] < 1 ||
                                 (int64_t)crop[0] + crop[2] > frames->width ||
                                 (int64_t)crop[1] + crop[3] > frames->height),
                 TOT_E_ARGUMENT,
                 "%s: crop: %d,%d,%d,%d is not inside its pictures of %d x %d pixels", frames->path,
                 crop[0], crop[1], crop[2], crop[3], frames->width, frames->height);
    return TOT_OK;
}

tot_status tot_frames_pick(tot_frames *frames, const tot_excerpt *excerpt) {
    BASE_NEED(frames, excerpt);
    BASE_TRY(check_numbers(excerpt));
    BASE_TRY(check_fit(frames, excerpt));
    BASE_TRY(check_region(frames, excerpt));
    if (tot_excerpt_is_all(excerpt) || frames->excerpt != NULL) {
        return TOT_OK;
    }
    const size_t pixels = (size_t)frames->width * (size_t)frames->height;
    BASE_NEW(file_frames_excerpt, made, "excerpt");
    frames->excerpt = made;
    made->wanted = *excerpt;
    made->wanted.every = excerpt->every > 1 ? excerpt->every : 1;
    if (excerpt->region[2] > 0) {
        region_pixels(excerpt->region, frames->width, frames->height, made->wanted.crop);
    }
    BASE_ALLOC(made->now.rgb, FILE_FRAMES_CHANNELS * pixels, "picture");
    if (excerpt->fps > 0) {
        BASE_ALLOC(made->next.rgb, FILE_FRAMES_CHANNELS * pixels, "picture");
    }
    return TOT_OK;
}

int64_t file_frames_excerpt_count(const tot_frames *frames) {
    const tot_excerpt *wanted = &frames->excerpt->wanted;
    const bool by_time = wanted->fps > 0 || wanted->from > 0 || wanted->to > 0;
    return by_time || frames->count < 0 ? -1 : (frames->count + wanted->every - 1) / wanted->every;
}

void file_frames_excerpt_free(file_frames_excerpt *excerpt) {
    BASE_UNLESS_NULL(excerpt);
    BASE_RELEASE(excerpt->now.rgb, excerpt->next.rgb, excerpt);
}

int file_frames_excerpt_width(const tot_frames *frames) {
    const bool part = frames->excerpt != NULL && frames->excerpt->wanted.crop[2] > 0;
    return part ? frames->excerpt->wanted.crop[2] : frames->width;
}

int file_frames_excerpt_height(const tot_frames *frames) {
    const bool part = frames->excerpt != NULL && frames->excerpt->wanted.crop[2] > 0;
    return part ? frames->excerpt->wanted.crop[3] : frames->height;
}

// --- reading -----------------------------------------------------------------------------------

static tot_status read_into(tot_frames *frames, timed_picture *picture, bool *end) {
    BASE_TRY(file_frames_read_stored(frames, picture->rgb, end, false));
    picture->from = frames->seconds;
    picture->duration = frames->duration;
    picture->time = frames->time;
    return TOT_OK;
}

// The next stored picture between from and to.
static tot_status find_stored(tot_frames *frames, bool *end) {
    file_frames_excerpt *excerpt = frames->excerpt;
    const tot_excerpt *wanted = &excerpt->wanted;
    for (;;) {
        BASE_TRY(read_into(frames, &excerpt->now, end));
        if (*end) {
            return TOT_OK;
        }
        if (frames->timed && excerpt->now.from < wanted->from - EQUAL) {
            continue;
        }
        if (frames->timed && wanted->to > 0 && excerpt->now.from > wanted->to - EQUAL) {
            *end = true;
            return TOT_OK;
        }
        if (excerpt->passed++ % wanted->every == 0) {
            return TOT_OK;
        }
    }
}

static tot_status look_ahead(tot_frames *frames) {
    file_frames_excerpt *excerpt = frames->excerpt;
    bool end = false;
    BASE_TRY(read_into(frames, &excerpt->next, &end));
    excerpt->has_next = !end;
    return TOT_OK;
}

// The picture shown at the next of the evenly spaced times.
static tot_status find_timed(tot_frames *frames, bool *end) {
    file_frames_excerpt *excerpt = frames->excerpt;
    const tot_excerpt *wanted = &excerpt->wanted;
    const double time = wanted->from + (double)excerpt->passed / wanted->fps;
    excerpt->passed += wanted->every;
    if (!excerpt->started) {
        excerpt->started = true;
        BASE_TRY(read_into(frames, &excerpt->now, end));
        BASE_TRY(*end ? TOT_OK : look_ahead(frames));
    }
    while (excerpt->has_next && excerpt->next.from <= time + EQUAL) {
        const timed_picture before = excerpt->now;
        excerpt->now = excerpt->next;
        excerpt->next = before;
        BASE_TRY(look_ahead(frames));
    }
    const bool last = !excerpt->has_next &&
                      time > excerpt->now.from + excerpt->now.duration - EQUAL &&
                      time > excerpt->now.from + EQUAL;
    *end = *end || last || (wanted->to > 0 && time > wanted->to - EQUAL);
    return TOT_OK;
}

tot_status file_frames_excerpt_read(tot_frames *frames, uint8_t *rgb, bool *end) {
    file_frames_excerpt *excerpt = frames->excerpt;
    *end = excerpt->ended;
    if (*end) {
        return TOT_OK;
    }
    BASE_TRY(excerpt->wanted.fps > 0 ? find_timed(frames, end) : find_stored(frames, end));
    excerpt->ended = *end;
    if (*end) {
        return excerpt->given > 0
                   ? TOT_OK
                   : base_fail(TOT_E_ARGUMENT, "%s: from: the video ends after %.3g seconds",
                               frames->path, frames->seconds + frames->duration);
    }
    excerpt->given++;
    frames->time = excerpt->now.time;
    const bool part = excerpt->wanted.crop[2] > 0;
    const size_t left = part ? (size_t)excerpt->wanted.crop[0] : 0;
    const size_t top = part ? (size_t)excerpt->wanted.crop[1] : 0;
    const size_t row = (size_t)file_frames_excerpt_width(frames) * FILE_FRAMES_CHANNELS;
    for (int y = 0; y < file_frames_excerpt_height(frames); y++) {
        memcpy(rgb + (size_t)y * row,
               excerpt->now.rgb +
                   ((top + (size_t)y) * (size_t)frames->width + left) * FILE_FRAMES_CHANNELS,
               row);
    }
    return TOT_OK;
}
