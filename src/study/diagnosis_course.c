// Motion of hand, fingers and objects in the episodes of a policy, compared with the demonstration.
// Taken from the simulator's state, for the user only: no reward depends on it.
#include "base/base.h"
#include "study/diagnosis.h"

static const double reached = 0.03;    // metres from the meeting place: the hand has arrived
static const double near_by = 0.05;    // metres: close enough for the fingers to matter
static const double nudged = 0.01;     // metres: the object was moved
static const double elsewhere = 0.03;  // metres: the object of a demonstration is in another place
static const double along = 0.5;       // a hand that follows the object more goes to no fixed place
static const int64_t early = 5;        // frames before contact from which the fingers may close

static const double *at(const study_track *track, int64_t frame, int place) {
    return track->observations + frame * TOT_OBSERVATION + place;
}

static const double *demo_at(const study_bent_demo *demo, int64_t frame, int place) {
    return demo->observations + frame * TOT_OBSERVATION + place;
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double distance(const double a[3], const double b[3]) {
    const double way[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrt(dot(way, way));
}

// --- rows --------------------------------------------------------------------------------------

static const char *const row_help[STUDY_DIAGNOSIS_ROWS] = {
    "the policy of this run", "demonstration bent to the goal",
    "demonstration replayed", "bent, fingers never close",
    "bent, stops 5 cm short", "scripted expert",
    "random actions",
};

double study_diagnosis_best(const tot_diagnosis *all, tot_reference policy, int64_t goal) {
    double best = NAN;
    for (size_t k = 0; k < all->references->count; k++) {
        const tot_reference_episode *info = &all->references->episodes[k].info;
        if (info->policy == policy && info->goal == goal) {
            best = fmax(best, all->others[k].sum);
        }
    }
    return best;
}

static void fill_rows(tot_diagnosis *all) {
    const int64_t goals = all->settings.goals;
    for (int k = 0; k < STUDY_DIAGNOSIS_ROWS; k++) {
        all->rows[k] = (tot_diagnosis_row){
            .name = k == 0 ? "policy" : tot_reference_name((tot_reference)(k - 1)),
            .help = row_help[k]};
    }
    for (int64_t k = 0; k < goals; k++) {
        all->rows[0].episodes++;
        all->rows[0].success += all->policy[k].success;
        all->rows[0].sum += all->policy[k].sum;
        all->rows[0].best += all->policy[k].sum;
        for (int i = 1; i < STUDY_DIAGNOSIS_ROWS; i++) {
            all->rows[i].best += study_diagnosis_best(all, (tot_reference)(i - 1), k);
        }
    }
    for (size_t k = 0; k < all->references->count; k++) {
        tot_diagnosis_row *row = &all->rows[1 + all->references->episodes[k].info.policy];
        row->episodes++;
        row->success += all->others[k].success;
        row->sum += all->others[k].sum;
    }
    for (int k = 0; k < STUDY_DIAGNOSIS_ROWS; k++) {
        all->rows[k].success /= (double)all->rows[k].episodes;
        all->rows[k].sum /= (double)all->rows[k].episodes;
        all->rows[k].best /= (double)goals;
    }
}

const study_track *study_diagnosis_bent(const tot_diagnosis *all, int64_t goal) {
    const study_track *best = NULL;
    for (size_t k = 0; k < all->references->count; k++) {
        const tot_reference_episode *info = &all->references->episodes[k].info;
        const study_track *one = &all->others[k];
        if (info->policy == TOT_REFERENCE_BENT && info->goal == goal && one->success &&
            (best == NULL || one->sum > best->sum)) {
            best = one;
        }
    }
    return best;
}

// Whether the task requires a grip: bent demonstrations solve goals that open fingers do not.
static bool needs_grip(const tot_diagnosis *all) {
    return all->rows[1 + TOT_REFERENCE_OPEN].success <
           all->rows[1 + TOT_REFERENCE_BENT].success / 2;
}

// --- the hand ----------------------------------------------------------------------------------

// Offset of the hand at a frame from the place where it should meet the object, in camera
// coordinates. Returns the distance.
static double off_at(const tot_diagnosis *all, const study_track *track,
                     const study_bent_demo *demo, int64_t frame, double off[3]) {
    const double *hand = at(track, frame, STUDY_HAND);
    const double *object = at(track, 0, STUDY_OBJECT);
    const double *demo_hand = demo_at(demo, demo->contact, STUDY_HAND);
    const double *demo_object = demo_at(demo, 0, STUDY_OBJECT);
    double way[3];
    for (int i = 0; i < 3; i++) {
        way[i] = hand[i] - object[i] - (demo_hand[i] - demo_object[i]);
    }
    for (int i = 0; i < 3; i++) {
        off[i] = dot(way, all->references->axes[i]);
    }
    return sqrt(dot(way, way));
}

static void follow_hand(const tot_diagnosis *all, const study_track *track,
                        const study_bent_demo *demo, tot_diagnosis_episode *out) {
    double off[3];
    int64_t nearest = 0;
    out->distance = INFINITY;
    out->opening = NAN;
    for (int64_t k = 0; k <= all->frames; k++) {
        const double far = off_at(all, track, demo, k, off);
        if (far < out->distance) {
            out->distance = far;
            nearest = k;
            memcpy(out->offset, off, sizeof off);
        }
        if (far < near_by) {
            out->opening = fmin(out->opening, *at(track, k, STUDY_FINGERS));
        }
    }
    out->nearest = nearest / all->repeat;
    out->contact = demo->contact / all->repeat;
    out->at_contact = off_at(all, track, demo, demo->contact, off);
}

// How far the hand follows the object: the fraction of the displacement from the demonstration's
// object to this one.
static double follow_object(const study_track *track, const study_bent_demo *demo) {
    double way[3], hand[3];
    for (int i = 0; i < 3; i++) {
        way[i] = at(track, 0, STUDY_OBJECT)[i] - demo_at(demo, 0, STUDY_OBJECT)[i];
        hand[i] =
            at(track, demo->contact, STUDY_HAND)[i] - demo_at(demo, demo->contact, STUDY_HAND)[i];
    }
    return sqrt(dot(way, way)) > elsewhere ? dot(hand, way) / dot(way, way) : NAN;
}

// The demonstration whose meeting place the hand approaches much more closely than its own; -1:
// none.
static int64_t find_elsewhere(const tot_diagnosis *all, const study_track *track,
                              double own_distance) {
    int64_t found = -1;
    double least = own_distance / 2;
    for (size_t d = 0; d < all->references->demo_count; d++) {
        const study_bent_demo *demo = &all->references->demos[d];
        const double *place = demo_at(demo, demo->contact, STUDY_HAND);
        const double gap = distance(at(track, 0, STUDY_OBJECT), demo_at(demo, 0, STUDY_OBJECT));
        for (int64_t k = 0; gap > elsewhere && k <= all->frames; k++) {
            const double far = distance(at(track, k, STUDY_HAND), place);
            if (far < least) {
                least = far;
                found = (int64_t)d;
            }
        }
    }
    return found;
}

// --- fingers and objects -----------------------------------------------------------------------

// The smallest finger opening of a demonstration around contact, and the largest before it.
static void read_grip(const study_bent_demo *demo, double *closed, double *open) {
    const int64_t first = demo->contact > early ? demo->contact - early : 0;
    *closed = INFINITY;
    *open = 0;
    for (int64_t k = 0; k <= demo->frames; k++) {
        const double opening = *demo_at(demo, k, STUDY_FINGERS);
        if (k >= first && k <= demo->success) {
            *closed = fmin(*closed, opening);
        }
        if (k <= demo->contact) {
            *open = fmax(*open, opening);
        }
    }
}

static double farthest(const double *observations, int64_t frames, int place) {
    double most = 0;
    for (int64_t k = 1; k <= frames; k++) {
        most =
            fmax(most, distance(observations + k * TOT_OBSERVATION + place, observations + place));
    }
    return most;
}

// How far the object is moved towards its final position, as a fraction. With two objects, the
// second one if that is the one to be moved.
static double carry(const study_track *track, const double *wanted, int64_t frames) {
    const double *last = wanted + frames * TOT_OBSERVATION;
    const bool second = distance(last + STUDY_SECOND, wanted + STUDY_SECOND) > nudged;
    const int place = second ? STUDY_SECOND : STUDY_OBJECT;
    double way[3], made[3];
    for (int i = 0; i < 3; i++) {
        way[i] = last[place + i] - wanted[place + i];
        made[i] = at(track, frames, place)[i] - at(track, 0, place)[i];
    }
    return dot(way, way) > 0 ? dot(made, way) / dot(way, way) : NAN;
}

// --- one episode -------------------------------------------------------------------------------

static tot_failure find_failure(const tot_diagnosis *all, const study_track *track,
                                const study_bent_demo *demo, const tot_diagnosis_episode *found) {
    double closed, open;
    read_grip(demo, &closed, &open);
    // if the fingers never came near, the object was knocked away
    const bool stays_open = needs_grip(all) && found->opening > (closed + open) / 2;
    if (found->success) {
        return TOT_FAILURE_NONE;
    }
    if (track->solved >= 0) {
        return TOT_FAILURE_END;
    }
    if (found->moved > fmin(nudged, found->wanted / 5)) {
        return stays_open ? TOT_FAILURE_GRIP : TOT_FAILURE_CARRY;
    }
    if (found->distance > reached) {
        return found->elsewhere >= 0 ? TOT_FAILURE_ELSEWHERE : TOT_FAILURE_SHORT;
    }
    return stays_open ? TOT_FAILURE_GRIP : TOT_FAILURE_TOUCH;
}

// If no reward has selected a demonstration: the one whose object is nearest.
static int64_t nearest_demo(const tot_diagnosis *all, const study_track *track) {
    int64_t found = 0;
    double least = INFINITY;
    for (size_t d = 0; d < all->references->demo_count; d++) {
        const double gap = distance(at(track, 0, STUDY_OBJECT),
                                    demo_at(&all->references->demos[d], 0, STUDY_OBJECT));
        if (gap < least) {
            least = gap;
            found = (int64_t)d;
        }
    }
    return found;
}

static void measure(tot_diagnosis *all, int64_t goal) {
    const study_track *track = &all->policy[goal];
    const study_track *bent = study_diagnosis_bent(all, goal);
    tot_diagnosis_episode *out = &all->episodes[goal];
    double open;
    const study_bent_demo *demo = &all->references->demos[track->demo];
    const double *wanted = bent != NULL ? bent->observations : demo->observations;
    *out = (tot_diagnosis_episode){.goal = goal,
                                   .success = track->success,
                                   .sum = track->sum,
                                   .bent = bent != NULL ? bent->sum : NAN,
                                   .demo = track->demo};
    follow_hand(all, track, demo, out);
    read_grip(demo, &out->demo_opening, &open);
    out->moved = farthest(track->observations, all->frames, STUDY_OBJECT);
    out->wanted = farthest(wanted, all->frames, STUDY_OBJECT);
    out->carried = carry(track, wanted, all->frames);
    out->follows = follow_object(track, demo);
    const bool roams = out->distance > reached && !(all->follows > along);
    out->elsewhere = roams ? find_elsewhere(all, track, out->distance) : -1;
    out->failure = find_failure(all, track, demo, out);
}

// --- over all goals ----------------------------------------------------------------------------

// Slope of the hand's position against the object's: least squares in three dimensions.
static double find_slope(const tot_diagnosis *all) {
    const int64_t goals = all->settings.goals;
    double hand[3] = {0}, object[3] = {0}, product = 0, square = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t k = 0; k < goals; k++) {
            const study_track *track = &all->policy[k];
            const int64_t contact = all->references->demos[track->demo].contact;
            for (int i = 0; i < 3; i++) {
                const double h = at(track, contact, STUDY_HAND)[i];
                const double o = at(track, 0, STUDY_OBJECT)[i];
                if (pass == 0) {
                    hand[i] += h / (double)goals;
                    object[i] += o / (double)goals;
                } else {
                    product += (h - hand[i]) * (o - object[i]);
                    square += (o - object[i]) * (o - object[i]);
                }
            }
        }
    }
    return goals >= 3 && sqrt(square / (double)goals) > 0.01 ? product / square : NAN;
}

void study_diagnosis_measure(tot_diagnosis *all) {
    fill_rows(all);
    for (int64_t k = 0; k < all->settings.goals; k++) {
        study_track *track = &all->policy[k];
        track->demo = isnan(track->sum) ? nearest_demo(all, track) : track->demo;
    }
    all->follows = find_slope(all);
    for (int64_t k = 0; k < all->settings.goals; k++) {
        measure(all, k);
    }
}

const double *tot_diagnosis_course(const tot_diagnosis *diagnosis, size_t index, tot_course_of of,
                                   int64_t *steps, int64_t *stride) {
    BASE_NEED_OR(NULL, diagnosis, steps, stride);
    if (index >= (size_t)diagnosis->settings.goals) {
        return NULL;
    }
    const int64_t demo = diagnosis->policy[index].demo;
    *steps = diagnosis->frames / diagnosis->repeat;
    *stride = diagnosis->repeat * TOT_OBSERVATION;
    if (of == TOT_COURSE_POLICY) {
        return diagnosis->policy[index].observations;
    }
    if (of == TOT_COURSE_DEMO) {
        return diagnosis->references->demos[demo].observations;
    }
    const study_track *bent = study_diagnosis_bent(diagnosis, (int64_t)index);
    for (size_t k = 0; bent == NULL && k < diagnosis->references->count; k++) {
        const tot_reference_episode *info = &diagnosis->references->episodes[k].info;
        const bool is_own = info->policy == TOT_REFERENCE_BENT && info->goal == (int64_t)index &&
                            info->demo == demo;
        bent = is_own ? &diagnosis->others[k] : NULL;
    }
    return bent != NULL && of == TOT_COURSE_BENT ? bent->observations : NULL;
}
