// The region of recordings in which something moves: pictures are averaged over the cells of a
// grid, which removes the noise of cameras and compression, and cells whose colour changes are
// collected.
#include "base/base.h"
#include "file/frames.h"
#include "file/region.h"

enum {
    GRID = 64,
    CELLS = GRID * GRID,
    CHANNELS = FILE_FRAMES_CHANNELS,
    CHANGE = 16,    // of 255; a cell that changes less is at rest
    NEIGHBOURS = 2  // a cell that changes with fewer of its eight neighbours is noise
};

static const double margin = 0.05;            // of the picture, on each side
static const double step = 0.001;             // see file_region_around
static const double same_aspect = 0.01;       // relative difference
static const double least_share = 1.0 / 8.0;  // smaller regions show too few pixels

typedef struct moving {
    uint8_t *picture;
    int width, height;                                     // of the picture
    double mean[CELLS * CHANNELS];                         // of the picture's cells
    double low[CELLS * CHANNELS], high[CELLS * CHANNELS];  // in the current source
    double pixels[CELLS];                                  // of a cell; 0 in small pictures
    bool changed[CELLS];                                   // in the current source
    bool moves[CELLS];                                     // in any source, without noise
    double aspect;                                         // of the first source's pictures
} moving;

// An interval of length share around middle, moved inside 0 .. 1.
static void place(double middle, double share, double *from, double *to) {
    middle = fmin(fmax(middle, share / 2), 1 - share / 2);
    *from = step * round((middle - share / 2) / step);
    *to = fmin(*from + share, 1);
}

void file_region_around(const double low[2], const double high[2], double least, double region[4]) {
    double share = fmax(high[0] - low[0], high[1] - low[1]);
    share = step * ceil(fmin(fmax(share, least), 1) / step);
    for (int k = 0; k < 2; k++) {
        place((low[k] + high[k]) / 2, share, &region[k], &region[k + 2]);
    }
}

// --- one source --------------------------------------------------------------------------------

static tot_status check_aspect(moving *all, const tot_frames *frames, const char *first) {
    const double aspect = (double)tot_frames_width(frames) / (double)tot_frames_height(frames);
    all->aspect = all->aspect == 0 ? aspect : all->aspect;
    BASE_FAIL_IF(fabs(aspect / all->aspect - 1) > same_aspect, TOT_E_SHAPE,
                 "%s: its pictures of %d x %d have another shape than those of %s: no common "
                 "region can be found",
                 frames->path, tot_frames_width(frames), tot_frames_height(frames), first);
    return TOT_OK;
}

// Averages the picture over every cell.
static void average(moving *all) {
    memset(all->mean, 0, sizeof all->mean);
    memset(all->pixels, 0, sizeof all->pixels);
    const uint8_t *pixel = all->picture;
    for (int y = 0; y < all->height; y++) {
        for (int x = 0; x < all->width; x++, pixel += CHANNELS) {
            const int64_t cell =
                (int64_t)y * GRID / all->height * GRID + (int64_t)x * GRID / all->width;
            all->pixels[cell]++;
            for (int k = 0; k < CHANNELS; k++) {
                all->mean[cell * CHANNELS + k] += pixel[k];
            }
        }
    }
    for (int k = 0; k < CELLS * CHANNELS; k++) {
        all->mean[k] /= fmax(all->pixels[k / CHANNELS], 1);
    }
}

static tot_status read_all(moving *all, tot_frames *frames) {
    bool end = false;
    all->width = tot_frames_width(frames);
    all->height = tot_frames_height(frames);
    base_free(all->picture);
    all->picture = base_alloc((size_t)all->width * CHANNELS, (size_t)all->height, "picture");
    BASE_HAVE(all->picture);
    for (int64_t taken = 0;; taken++) {
        BASE_TRY(tot_frames_read(frames, all->picture, &end));
        if (end) {
            return TOT_OK;
        }
        average(all);
        for (int k = 0; k < CELLS * CHANNELS; k++) {
            all->low[k] = taken == 0 ? all->mean[k] : fmin(all->low[k], all->mean[k]);
            all->high[k] = taken == 0 ? all->mean[k] : fmax(all->high[k], all->mean[k]);
        }
    }
}

// Whether enough of the cells around this one change, too. Pictures smaller than the grid leave
// cells empty; those count as if they changed.
static bool has_neighbours(const moving *all, int cell) {
    const int x = cell % GRID;
    const int y = cell / GRID;
    int count = -1;  // not the cell itself
    for (int row = y > 0 ? y - 1 : 0; row <= y + 1 && row < GRID; row++) {
        for (int column = x > 0 ? x - 1 : 0; column <= x + 1 && column < GRID; column++) {
            const int other = row * GRID + column;
            count += all->changed[other] || all->pixels[other] == 0 ? 1 : 0;
        }
    }
    return count >= NEIGHBOURS;
}

// Each source is judged by itself, as sizes may differ.
static void add_changes(moving *all) {
    memset(all->changed, 0, sizeof all->changed);
    for (int k = 0; k < CELLS * CHANNELS; k++) {
        all->changed[k / CHANNELS] |= all->high[k] >= all->low[k] + CHANGE;
    }
    for (int k = 0; k < CELLS; k++) {
        all->moves[k] |= all->changed[k] && has_neighbours(all, k);
    }
}

static tot_status add_source(moving *all, const char *path, const char *first,
                             const tot_excerpt *excerpt) {
    tot_frames *frames = NULL;
    BASE_TRY(tot_frames_open(&frames, path));
    tot_status status = check_aspect(all, frames, first);
    BASE_THEN(status, excerpt != NULL ? tot_frames_pick(frames, excerpt) : TOT_OK);
    BASE_THEN(status, read_all(all, frames));
    tot_frames_close(frames);
    if (status == TOT_OK) {
        add_changes(all);
    }
    return status;
}

// --- the region --------------------------------------------------------------------------------

static tot_status bound(const moving *all, const char *first, double region[4]) {
    double low[2] = {1, 1};
    double high[2] = {0, 0};
    for (int k = 0; k < CELLS; k++) {
        const int cell[2] = {k % GRID, k / GRID};
        for (int a = 0; all->moves[k] && a < 2; a++) {
            low[a] = fmin(low[a], (double)cell[a] / GRID);
            high[a] = fmax(high[a], (cell[a] + 1.0) / GRID);
        }
    }
    BASE_FAIL_IF(!(high[0] > low[0]), TOT_E_VALUE,
                 "%s: nothing moves in these pictures, and no region can be found", first);
    for (int a = 0; a < 2; a++) {
        low[a] = fmax(low[a] - margin, 0);
        high[a] = fmin(high[a] + margin, 1);
    }
    file_region_around(low, high, least_share, region);
    return TOT_OK;
}

tot_status tot_frames_moving(double region[4], const char *const *paths, size_t count,
                             const tot_excerpt *excerpt) {
    BASE_NEED(region, paths);
    BASE_FAIL_IF(count == 0, TOT_E_ARGUMENT, "region: no pictures");
    // it would be a region of that part
    BASE_FAIL_IF(excerpt != NULL && (excerpt->crop[2] != 0 || excerpt->region[2] != 0),
                 TOT_E_ARGUMENT, "region: cannot be found in pictures with a crop or region");
    BASE_NEW(moving, all, "pictures");
    tot_status status = TOT_OK;
    for (size_t k = 0; status == TOT_OK && k < count; k++) {
        status = add_source(all, paths[k], paths[0], excerpt);
    }
    BASE_THEN(status, bound(all, paths[0], region));
    BASE_RELEASE(all->picture, all);
    return status;
}
