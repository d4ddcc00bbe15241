#include "study/misalign.h"

#include "base/base.h"
#include "demo/trajectory.h"
#include "file/array.h"

enum { SECTIONS = 5, RATES = 5, SLOWEST = 6 };

// How a section is changed: every `skip`-th step is kept and repeated `repeat` times.
typedef struct pace {
    int64_t skip, repeat;
} pace;

static void draw_paces(pace paces[SECTIONS], tot_random *random) {
    int order[SECTIONS];
    for (int k = 0; k < SECTIONS; k++) {
        order[k] = k;
        paces[k] = (pace){1, 1};
    }
    const int count = 1 + (int)tot_random_below(random, SECTIONS);
    for (int k = 0; k < count; k++) {
        // choose the k-th section among those not chosen yet
        const int other = k + (int)tot_random_below(random, (uint64_t)(SECTIONS - k));
        const int chosen = order[other];
        order[other] = order[k];
        order[k] = chosen;
        const bool fast = tot_random_below(random, 2) == 0;
        const int64_t rate = 1 + (int64_t)tot_random_below(random, RATES);
        paces[chosen] = fast ? (pace){2 * rate, 1} : (pace){1, 1 + rate};
    }
}

// Number of steps until success has held for a tenth of them; all steps if it never does.
static int64_t cut_length(const tot_trajectory *whole) {
    const int64_t tenth = whole->steps / 10 > 0 ? whole->steps / 10 : 1;
    int64_t held = 0;
    for (int64_t k = 0; k < whole->steps; k++) {
        held = whole->success[k] != 0 ? held + 1 : 0;
        if (held >= tenth) {
            return k + 1;
        }
    }
    return whole->steps;
}

// Lists the original step for each new step; returns their number.
static int64_t list_steps(int64_t *list, int64_t length, const pace paces[SECTIONS]) {
    int64_t count = 0;
    for (int section = 0; section < SECTIONS; section++) {
        const int64_t first = length * section / SECTIONS;
        const int64_t behind = length * (section + 1) / SECTIONS;
        for (int64_t k = first; k < behind; k += paces[section].skip) {
            for (int64_t again = 0; again < paces[section].repeat; again++) {
                list[count++] = k;
            }
        }
    }
    return count;
}

// Bytes per step; 0: there are no pictures.
static size_t picture_bytes(const tot_array *frames) {
    return frames->data != NULL ? (size_t)(frames->shape[1] * frames->shape[2] * frames->shape[3])
                                : 0;
}

static void copy_steps(tot_trajectory *out, const tot_trajectory *whole, const int64_t *list,
                       int64_t last) {
    const size_t picture = picture_bytes(&whole->frames);
    for (int64_t k = 0; k <= out->steps; k++) {
        const int64_t from = k < out->steps ? list[k] : last;
        memcpy(out->observations + k * TOT_OBSERVATION,
               whole->observations + from * TOT_OBSERVATION, TOT_OBSERVATION * sizeof(double));
        // success k belongs to observation k + 1
        if (k > 0) {
            out->success[k - 1] = from > 0 ? whole->success[from - 1] : 0;
        }
        if (k < out->steps) {
            memcpy(out->actions + k * TOT_ACTION, whole->actions + from * TOT_ACTION,
                   TOT_ACTION * sizeof(float));
        }
        if (k < out->steps && picture > 0) {
            memcpy((uint8_t *)out->frames.data + (size_t)k * picture,
                   (const uint8_t *)whole->frames.data + (size_t)from * picture, picture);
        }
    }
}

static tot_status make(tot_trajectory *out, const tot_trajectory *whole, int64_t steps) {
    BASE_TRY(demo_trajectory_allocate(out, steps));
    memcpy(out->rand_vec, whole->rand_vec, sizeof out->rand_vec);
    out->draw_length = whole->draw_length;
    out->seed = whole->seed;
    out->episode = whole->episode;
    out->attempts = whole->attempts;
    if (whole->frames.data == NULL) {
        return TOT_OK;
    }
    out->frames = whole->frames;
    out->frames.shape[0] = steps;
    out->frames.data = NULL;
    out->frames.capacity = 0;
    return file_array_reserve(&out->frames, (size_t)steps * picture_bytes(&whole->frames));
}

tot_status study_trajectory_misalign(tot_trajectory *out, const tot_trajectory *whole,
                                     tot_random *random) {
    pace paces[SECTIONS];
    tot_trajectory_free(out);
    const int64_t length = cut_length(whole);
    BASE_FAIL_IF(length < SECTIONS, TOT_E_ARGUMENT,
                 "a demonstration of %lld steps is too short for five sections", (long long)length);
    draw_paces(paces, random);
    int64_t *list = base_alloc((size_t)length * SLOWEST, sizeof *list, "steps");
    BASE_HAVE(list);
    const int64_t steps = list_steps(list, length, paces);
    const tot_status status = make(out, whole, steps);
    if (status == TOT_OK) {
        copy_steps(out, whole, list, length);
    } else {
        tot_trajectory_free(out);
    }
    base_free(list);
    return status;
}
