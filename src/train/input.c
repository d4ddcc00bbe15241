#include "train/input.h"

#include <math.h>
#include <string.h>

#include "demo/trajectory.h"

// layout of an observation
enum { HAND = 0, GRIP = 3, FIRST = 4, SECOND = 11, BEFORE = 18, GOAL = 36, QUATERNION = 3 };

static const float table[3] = {0.0F, 0.6F, 0.2F};  // centre of the workspace, metres
static const float position_unit = 0.1F;
static const float near_unit = 0.05F;      // for objects relative to the hand
static const float velocity_unit = 0.01F;  // how far an action of 1 moves the hand per frame
static const float grip_middle = 0.5F;
static const float grip_unit = 0.2F;

#define PI 3.14159265358979

train_input train_input_of(const tot_train_config *config, int64_t horizon) {
    enum { WAVES = 4 };
    train_input input = {
        .numbers = config->obs == TOT_OBS_STATE,
        .shaped = config->observation != TOT_OBSERVATION_RAW,
        .relative = config->observation == TOT_OBSERVATION_RELATIVE,
        .clock = config->clock != TOT_CLOCK_OFF,
        .waves = config->clock == TOT_CLOCK_WAVES ? WAVES : 0,
        .horizon = horizon,
    };
    const int64_t width = input.shaped ? TRAIN_SHAPED : TOT_OBSERVATION;
    input.width = (input.numbers ? width : 0) + (input.clock ? 1 : 0) + 2 * input.waves;
    return input;
}

// Which of the objects and the goal of an observation are present.
typedef struct things {
    bool first, second, goal;
} things;

static bool is_present(const float *position) {
    return demo_is_present((double)position[0], (double)position[1], (double)position[2]);
}

static things things_of(const float *now) {
    return (things){is_present(now + FIRST), is_present(now + SECOND), is_present(now + GOAL)};
}

// Writes the scaled difference of two positions; 0 if absent. Returns the next output position.
static float *put_difference(float *to, const float *a, const float *b, float unit, bool there) {
    for (int k = 0; k < 3; k++) {
        *to++ = there ? (a[k] - b[k]) / unit : 0.0F;
    }
    return to;
}

// Writes a position on the table; only its height if relative.
static float *put_place(float *to, const float *place, bool relative, bool there) {
    put_difference(to, place, table, position_unit, there);
    if (relative) {
        to[0] = to[1] = 0;
    }
    return to + 3;
}

static float *put_object(float *to, const float *object, const float *hand, bool relative,
                         bool there) {
    to = put_place(to, object, relative, there);
    to = put_difference(to, object, hand, near_unit, there);
    memcpy(to, object + QUATERNION, 4 * sizeof *to);
    return to + 4;
}

static float *put_shaped(float *to, const float *now, bool relative, things there) {
    const float *hand = now + HAND;
    const float *goal = now + GOAL;
    to = put_place(to, hand, relative, true);
    to = put_difference(to, hand, now + BEFORE + HAND, velocity_unit, true);
    *to++ = (now[GRIP] - grip_middle) / grip_unit;
    *to++ = (now[GRIP] - now[BEFORE + GRIP]) / grip_unit;
    to = put_object(to, now + FIRST, hand, relative, there.first);
    to = put_object(to, now + SECOND, hand, relative, there.second);
    to = put_place(to, goal, relative, there.goal);
    return put_difference(to, goal, now + FIRST, position_unit, there.goal);
}

void train_input_affine(const train_input *input, const float *observation, float *weight,
                        float *bias) {
    const things there = things_of(observation);
    float unit[TOT_OBSERVATION] = {0};
    float moved[TRAIN_SHAPED];
    put_shaped(bias, unit, input->relative, there);
    for (int column = 0; column < TOT_OBSERVATION; column++) {
        unit[column] = 1;
        put_shaped(moved, unit, input->relative, there);
        unit[column] = 0;
        for (int row = 0; row < TRAIN_SHAPED; row++) {
            weight[row * TOT_OBSERVATION + column] = moved[row] - bias[row];
        }
    }
}

void train_input_time(const train_input *input, float *weight, float *bias) {
    weight[0] = 2;
    bias[0] = -1;
    for (int k = 0; k < 2 * input->waves; k++) {
        // the clock's angle, and a quarter turn more for the cosine: sin(x + pi / 2) = cos(x)
        const double half_turns = (double)(1 << (k / 2));
        weight[1 + k] = (float)(PI * half_turns);
        bias[1 + k] = (float)(PI / 2 * (k % 2 - half_turns));
    }
}

void train_input_write(const train_input *input, const float *observation, int64_t step,
                       float *to) {
    if (input->numbers && input->shaped) {
        to = put_shaped(to, observation, input->relative, things_of(observation));
    } else if (input->numbers) {
        memcpy(to, observation, TOT_OBSERVATION * sizeof *to);
        to += TOT_OBSERVATION;
    }
    if (input->clock) {
        // from -1 to 1 over the episode
        const float time = 2 * (float)step / (float)input->horizon - 1;
        *to++ = time;
        for (int k = 0; k < input->waves; k++) {
            const double angle = PI * (1 << k) * (double)time / 2;
            *to++ = (float)sin(angle);
            *to++ = (float)cos(angle);
        }
    }
}
