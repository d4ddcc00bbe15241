// The words of a diagnosis: a line for every episode, and a verdict.
#include "base/base.h"
#include "study/diagnosis.h"

enum { PART = 320 };

const char *tot_failure_name(tot_failure failure) {
    static const char *const names[TOT_FAILURES] = {
        [TOT_FAILURE_NONE] = "solved", [TOT_FAILURE_ELSEWHERE] = "elsewhere",
        [TOT_FAILURE_SHORT] = "short", [TOT_FAILURE_GRIP] = "grip",
        [TOT_FAILURE_TOUCH] = "touch", [TOT_FAILURE_CARRY] = "carry",
        [TOT_FAILURE_END] = "end"};
    return (size_t)failure < TOT_FAILURES ? names[failure] : "unknown";
}

// Percent as an integer, which avoids "-0".
static long percent(double share) {
    return lround(100 * share);
}

// --- distances ---------------------------------------------------------------------------------

// "5.8 cm too far from the camera along its ray, and across it 0.6 cm too far left and 1.2 cm too
// high"
static const char *offset_text(const double offset[3], char text[PART]) {
    snprintf(text, PART,
             "%.1f cm too %s the camera along its ray, and across it %.1f cm too far %s and %.1f "
             "cm too %s",
             100 * fabs(offset[2]), offset[2] < 0 ? "far from" : "close to", 100 * fabs(offset[0]),
             offset[0] < 0 ? "left" : "right", 100 * fabs(offset[1]),
             offset[1] < 0 ? "low" : "high");
    return text;
}

// Whether the offset is mostly along the camera ray.
static bool is_depth(const double offset[3]) {
    return fabs(offset[2]) > hypot(offset[0], offset[1]);
}

// --- one episode -------------------------------------------------------------------------------

const char *tot_diagnosis_describe(const tot_diagnosis *diagnosis, size_t index, char *text,
                                   size_t size) {
    BASE_NEED_OR(NULL, diagnosis, text);
    if (index >= (size_t)diagnosis->settings.goals) {
        snprintf(text, size, "there is no episode %zu", index);
        return text;
    }
    const tot_diagnosis_episode *one = &diagnosis->episodes[index];
    const long long nearest = (long long)one->nearest;
    const long long contact = (long long)one->contact;
    char offset[PART];
    switch (one->failure) {
        case TOT_FAILURE_NONE:
            snprintf(text, size, "solved");
            break;
        case TOT_FAILURE_ELSEWHERE:
            snprintf(text, size,
                     "goes to where demonstration %lld met its object, and comes no closer than "
                     "%.1f cm to this one",
                     (long long)one->elsewhere, 100 * one->distance);
            break;
        case TOT_FAILURE_SHORT:
            snprintf(text, size,
                     "does not reach the object: closest at step %lld (the demonstration meets it "
                     "at step %lld), %.1f cm away: %s",
                     nearest, contact, 100 * one->distance, offset_text(one->offset, offset));
            break;
        case TOT_FAILURE_GRIP:
            snprintf(text, size,
                     "reaches the object, but the fingers stay open: %.2f, the demonstration's "
                     "%.2f; the object moves %.1f cm",
                     one->opening, one->demo_opening, 100 * one->moved);
            break;
        case TOT_FAILURE_TOUCH:
            snprintf(text, size,
                     "comes within %.1f cm of where the demonstration meets the object (at step "
                     "%lld, the demonstration at step %lld), but the object does not move",
                     100 * one->distance, nearest, contact);
            break;
        case TOT_FAILURE_CARRY:
            snprintf(text, size,
                     "moves the object by up to %.1f cm (the bent demonstration: %.1f cm), and "
                     "leaves it %ld %% of the way to its place; the hand comes within %.1f cm of "
                     "where the demonstration meets it",
                     100 * one->moved, 100 * one->wanted, percent(one->carried),
                     100 * one->distance);
            break;
        default:
            snprintf(text, size, "solved at step %lld, but no longer at the end",
                     (long long)(diagnosis->policy[index].solved / diagnosis->repeat));
            break;
    }
    return text;
}

// --- verdict on the reward ---------------------------------------------------------------------

// Returns on the goals that the policy fails and a bent demonstration solves.
typedef struct earnings {
    int64_t goals;
    double policy, bent, random;  // means
} earnings;

static earnings earn(const tot_diagnosis *all) {
    earnings found = {0};
    for (int64_t k = 0; k < all->settings.goals; k++) {
        const tot_diagnosis_episode *one = &all->episodes[k];
        if (!one->success && isfinite(one->bent) && isfinite(one->sum)) {
            found.goals++;
            found.policy += one->sum;
            found.bent += one->bent;
            found.random += study_diagnosis_best(all, TOT_REFERENCE_RANDOM, k);
        }
    }
    found.policy /= (double)found.goals;
    found.bent /= (double)found.goals;
    found.random /= (double)found.goals;
    return found;
}

// Whether a simple failure earns more than the policy: then the agent has not even learned what the
// reward clearly shows.
static void say_simple(const tot_diagnosis *all, char text[PART]) {
    static const struct {
        tot_reference policy;
        const char *words;
    } simple[] = {{TOT_REFERENCE_SHORT, "stopping 5 cm short of the object"},
                  {TOT_REFERENCE_OPEN, "the bent path with open fingers"}};
    text[0] = '\0';
    for (size_t k = 0; k < BASE_LENGTH(simple); k++) {
        const tot_diagnosis_row *row = &all->rows[1 + simple[k].policy];
        const bool fails = row->success < all->rows[1 + TOT_REFERENCE_BENT].success / 2;
        if (fails && row->sum > all->rows[0].sum) {
            snprintf(text, PART, " Even %s earns more (%.2f).", simple[k].words, row->sum);
            return;
        }
    }
}

static void say_reward(const tot_diagnosis *all, char text[2 * PART]) {
    static const double hardly = 0.75;  // of the range: little is left to gain
    const earnings found = earn(all);
    const double share = (found.policy - found.random) / (found.bent - found.random);
    text[0] = '\0';
    if (found.goals == 0) {
        return;
    }
    if (!(found.bent > found.random)) {
        snprintf(text, 2 * PART,
                 " A bent demonstration that solves these goals earns no more than random actions "
                 "(%.2f and %.2f): the reward does not detect the task.",
                 found.bent, found.random);
    } else if (share >= hardly) {
        snprintf(text, 2 * PART,
                 " When it fails, it earns %s than a bent demonstration that solves the same goals "
                 "(%.2f and %.2f; random actions %.2f): the reward %s. Change what the reward sees "
                 "before you change the agent; temporalot probe helps.",
                 share >= 1 ? "more" : "hardly less", found.policy, found.bent, found.random,
                 share >= 1 ? "does not favour solving the task"
                            : "hardly distinguishes this failure from success");
    } else {
        char simple[PART];
        say_simple(all, simple);
        snprintf(text, 2 * PART,
                 " When it fails, it earns %.2f, a bent demonstration that solves the same goals "
                 "%.2f, and random actions %.2f: the reward favours solving the task, but the "
                 "agent has not learned it yet.%s",
                 found.policy, found.bent, found.random, simple);
    }
}

// --- verdict on the policy ---------------------------------------------------------------------

// Means over the episodes with one kind of failure.
typedef struct failing {
    int64_t count;
    double offset[3], distance, opening, demo_opening, moved, wanted, carried;
    int64_t place, times;  // the demonstration whose place is visited most, and how often
} failing;

// Number of episodes that go to the place of this demonstration.
static int64_t count_places(const tot_diagnosis *all, int64_t demo) {
    int64_t count = 0;
    for (int64_t k = 0; k < all->settings.goals; k++) {
        count +=
            all->episodes[k].failure == TOT_FAILURE_ELSEWHERE && all->episodes[k].elsewhere == demo;
    }
    return count;
}

static failing gather(const tot_diagnosis *all, tot_failure failure) {
    failing found = {0};
    for (int64_t k = 0; k < all->settings.goals; k++) {
        found.count += all->episodes[k].failure == failure;
    }
    const double share = 1 / (double)found.count;
    for (int64_t k = 0; k < all->settings.goals; k++) {
        const tot_diagnosis_episode *one = &all->episodes[k];
        if (one->failure == failure) {
            for (int i = 0; i < 3; i++) {
                found.offset[i] += share * one->offset[i];
            }
            found.distance += share * one->distance;
            found.opening += share * one->opening;
            found.demo_opening += share * one->demo_opening;
            found.moved += share * one->moved;
            found.wanted += share * one->wanted;
            found.carried += share * one->carried;
            const int64_t times = count_places(all, one->elsewhere);
            found.place = times > found.times ? one->elsewhere : found.place;
            found.times = times > found.times ? times : found.times;
        }
    }
    return found;
}

static void say_failure(tot_failure failure, const failing *found, char text[2 * PART]) {
    char offset[PART];
    switch (failure) {
        case TOT_FAILURE_ELSEWHERE:
            snprintf(text, 2 * PART,
                     "the hand goes to where a demonstration met its object (%lld times to that of "
                     "demonstration %lld), and misses the actual one by %.0f cm",
                     (long long)found->times, (long long)found->place, 100 * found->distance);
            break;
        case TOT_FAILURE_SHORT:
            snprintf(text, 2 * PART, "the hand stays %.1f cm away from the object, on average %s%s",
                     100 * found->distance, offset_text(found->offset, offset),
                     is_depth(found->offset) ? ": mostly depth, which cameras see worst" : "");
            break;
        case TOT_FAILURE_GRIP:
            snprintf(text, PART,
                     "the fingers never close at the object (smallest opening %.2f, the "
                     "demonstration's %.2f)",
                     found->opening, found->demo_opening);
            break;
        case TOT_FAILURE_TOUCH:
            snprintf(text, PART,
                     "the hand reaches the object (within %.1f cm), but the object does not move",
                     100 * found->distance);
            break;
        case TOT_FAILURE_CARRY:
            snprintf(
                text, PART,
                "the object is moved by %.1f of %.1f cm, and ends %ld %% of the way to its place",
                100 * found->moved, 100 * found->wanted, percent(found->carried));
            break;
        default:
            snprintf(text, PART, "the task is solved at some step, but no longer at the end");
            break;
    }
}

// Describes the two most frequent kinds of failure.
static void say_failures(const tot_diagnosis *all, int64_t failed, char *text, size_t size) {
    bool told[TOT_FAILURES] = {false};
    size_t used = 0;
    text[0] = '\0';
    for (int turn = 0; turn < 2; turn++) {
        int most = TOT_FAILURE_NONE;
        failing found = {0};
        for (int k = TOT_FAILURE_NONE + 1; k < TOT_FAILURES; k++) {
            const failing one = gather(all, (tot_failure)k);
            if (!told[k] && one.count > found.count) {
                found = one;
                most = k;
            }
        }
        if (found.count == 0) {
            break;
        }
        char part[2 * PART];
        told[most] = true;
        say_failure((tot_failure)most, &found, part);
        const int written =
            snprintf(text + used, size - used, "%s in %lld of %lld failures %s",
                     used > 0 ? ";" : "", (long long)found.count, (long long)failed, part);
        used += written > 0 && (size_t)written < size - used ? (size_t)written : 0;
    }
}

const char *tot_diagnosis_verdict(const tot_diagnosis *diagnosis, char *text, size_t size) {
    BASE_NEED_OR(NULL, diagnosis, text);
    const int64_t goals = diagnosis->settings.goals;
    int64_t failed = 0;
    for (int64_t k = 0; k < goals; k++) {
        failed += !diagnosis->episodes[k].success;
    }
    char reward[2 * PART], failures[5 * PART], follows[PART] = "";
    say_reward(diagnosis, reward);
    say_failures(diagnosis, failed, failures, sizeof failures);
    if (failed > 0 && isfinite(diagnosis->follows)) {
        snprintf(follows, sizeof follows,
                 " By the time the demonstration meets its object, the hand has followed the "
                 "object's position by %ld %% (100 %%: it goes to the object; 0 %%: to the same "
                 "place wherever the object is).",
                 percent(diagnosis->follows));
    }
    snprintf(text, size, "Solves %lld of %lld goals.%s%s%s%s%s", (long long)(goals - failed),
             (long long)goals, reward, failed > 0 ? " What happens:" : "", failures,
             failed > 0 ? "." : "", follows);
    return text;
}

// --- the rest ----------------------------------------------------------------------------------

BASE_GETTER(size_t, tot_diagnosis_row_count, tot_diagnosis, diagnosis, 0, STUDY_DIAGNOSIS_ROWS)

BASE_ITEM(const tot_diagnosis_row *, tot_diagnosis_row_at, tot_diagnosis, diagnosis,
          STUDY_DIAGNOSIS_ROWS, &diagnosis->rows[index])

BASE_GETTER(size_t, tot_diagnosis_episode_count, tot_diagnosis, diagnosis, 0,
            (size_t)diagnosis->settings.goals)

BASE_ITEM(const tot_diagnosis_episode *, tot_diagnosis_episode_at, tot_diagnosis, diagnosis,
          (size_t)diagnosis->settings.goals, &diagnosis->episodes[index])

BASE_GETTER(double, tot_diagnosis_follows, tot_diagnosis, diagnosis, NAN, diagnosis->follows)
BASE_GETTER(const tot_train_config *, tot_diagnosis_config, tot_diagnosis, diagnosis, NULL,
            tot_player_config(diagnosis->player))
BASE_GETTER(int64_t, tot_diagnosis_step, tot_diagnosis, diagnosis, 0,
            tot_player_step(diagnosis->player))
BASE_GETTER(double, tot_diagnosis_evaluated, tot_diagnosis, diagnosis, NAN, diagnosis->evaluated)
