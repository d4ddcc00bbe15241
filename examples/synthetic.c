// Makes trajectories to try `temporalot label` on: two demonstrations of a motion with three
// stages, one episode that follows it a little late and unsteadily, and one that skips the second
// stage and then stops. Frames are 256 numbers, smooth in the point that moves.
//
//     synthetic FOLDER    writes FOLDER/{demo_0,demo_1,good,stuck}.npy
#include <math.h>
#include <stdio.h>

#include <temporalot/temporalot.h>

enum { STEPS = 88, WIDTH = 256 };

typedef struct motion {
    double pace;      // of the demonstration's speed
    double wobble;    // how far it strays
    double stops_at;  // share of the motion after which nothing moves
    bool skips;       // leaves out the second stage
} motion;

// Where the point is after a share of the motion: down, across, up.
static void place(double share, bool skips, double point[2]) {
    double down = fmin(share * 3, 1);
    double across = fmin(fmax(share * 3 - 1, 0), 1);
    double up = fmax(share * 3 - 2, 0);
    point[0] = skips ? 0 : across;
    point[1] = 1 - down + up;
}

static void fill(float *frames, const motion *shape, tot_random *random) {
    // the same 256 directions for every trajectory: they stand for the encoder
    for (int step = 0; step < STEPS; step++) {
        double share = fmin(shape->pace * step / (STEPS - 1), shape->stops_at);
        double point[2];
        place(share, shape->skips, point);
        point[0] += shape->wobble * tot_random_normal(random);
        point[1] += shape->wobble * tot_random_normal(random);
        tot_random encoder;
        tot_random_init(&encoder, 1, "encoder");
        for (int k = 0; k < WIDTH; k++) {
            double x = 2 * tot_random_normal(&encoder) * point[0];
            double y = 2 * tot_random_normal(&encoder) * point[1];
            frames[step * WIDTH + k] = (float)fmax(0.3 + cos(x + y + k), 0);
        }
    }
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        motion shape;
    } made[] = {
        {"demo_0", {1, 0.01, 1, false}},
        {"demo_1", {1, 0.02, 1, false}},
        {"good", {0.93, 0.03, 1, false}},
        {"stuck", {1, 0.03, 0.6, true}},
    };
    static float frames[STEPS * WIDTH];
    if (argc != 2) {
        fprintf(stderr, "usage: synthetic FOLDER\n");
        return 2;
    }
    for (size_t k = 0; k < sizeof made / sizeof *made; k++) {
        char path[4096];
        tot_random random;
        tot_random_init_numbered(&random, 0, "synthetic", k);
        fill(frames, &made[k].shape, &random);
        tot_array array = {
            .type = TOT_F32, .dimensions = 2, .shape = {STEPS, WIDTH}, .data = frames};
        snprintf(path, sizeof path, "%s/%s.npy", argv[1], made[k].name);
        if (tot_array_save(&array, path) != TOT_OK) {
            fprintf(stderr, "synthetic: %s\n", tot_error());
            return 1;
        }
    }
    return 0;
}
