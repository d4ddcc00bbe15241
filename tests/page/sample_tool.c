// Writes a page and an SVG picture as shown by `make demo`: two synthetic episodes against two
// demonstrations; and a page of problematic content. For the browser test, and for inspection.
//   page_sample PAGE.html PICTURE.svg ODD.html
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <temporalot/page.h>

enum { STEPS = 63, WIDTH = 24, BAND = 10, EPISODES = 2, DEMOS = 2, CELLS = STEPS * STEPS };

struct result {
    double cost[CELLS];
    double plan[CELLS];
    double rewards[STEPS];
    double sum;
    double path_rows[STEPS], path_columns[STEPS];
    int band_first[STEPS], band_end[STEPS];
};

static const char *const episode_names[EPISODES] = {"Reaches the goal", "Stops half-way"};
static const char *const demo_names[DEMOS] = {"demonstration 0", "demonstration 1"};
static struct result results[EPISODES][DEMOS];

// Maps progress 0 .. 1 to a slowly rotating embedding.
static void embed(double progress, double wobble, double *out) {
    for (int k = 0; k < WIDTH; k++) {
        out[k] = cos(progress * (1 + 0.35 * k) + k) + wobble * sin(7.0 * k + 40 * progress);
    }
}

static double demo_progress(int demo, int step) {
    double t = (double)step / (STEPS - 1);
    return demo == 0 ? t * t * (3 - 2 * t) : t;
}

static double episode_progress(int episode, int step) {
    double t = (double)step / (STEPS - 1);
    double progress = 0.92 * t + 0.04 * sin(9 * t);
    return episode == 1 && progress > 0.45 ? 0.45 + 0.01 * sin(60 * t) : progress;
}

static double cosine_cost(const double *a, const double *b) {
    double ab = 0;
    double aa = 0;
    double bb = 0;
    for (int k = 0; k < WIDTH; k++) {
        ab += a[k] * b[k];
        aa += a[k] * a[k];
        bb += b[k] * b[k];
    }
    return 1 - ab / sqrt(aa * bb);
}

static void fill_cost(struct result *result, int episode, int demo) {
    for (int i = 0; i < STEPS; i++) {
        for (int j = 0; j < STEPS; j++) {
            double agent[WIDTH];
            double expert[WIDTH];
            embed(episode_progress(episode, i), 0.15, agent);
            embed(demo_progress(demo, j), 0.05, expert);
            result->cost[i * STEPS + j] =
                abs(i - j) <= BAND ? cosine_cost(agent, expert) : (double)NAN;
        }
    }
}

// Plain Sinkhorn scaling: sufficient for a picture.
static void fill_plan(struct result *result) {
    double rows[STEPS];
    double columns[STEPS];
    for (int i = 0; i < STEPS; i++) {
        rows[i] = columns[i] = 1;
    }
    for (int iteration = 0; iteration < 200; iteration++) {
        for (int side = 0; side < 2; side++) {
            for (int a = 0; a < STEPS; a++) {
                double sum = 0;
                for (int b = 0; b < STEPS; b++) {
                    double cost = result->cost[side == 0 ? b * STEPS + a : a * STEPS + b];
                    sum += isnan(cost) ? 0 : exp(-cost / 0.03) * (side == 0 ? rows : columns)[b];
                }
                (side == 0 ? columns : rows)[a] = 1.0 / STEPS / sum;
            }
        }
    }
    for (int i = 0; i < STEPS; i++) {
        result->path_rows[i] = i;
        result->path_columns[i] = 0;
        for (int j = 0; j < STEPS; j++) {
            int at = i * STEPS + j;
            double cost = result->cost[at];
            result->plan[at] = isnan(cost) ? cost : rows[i] * exp(-cost / 0.03) * columns[j];
            if (!isnan(cost)) {
                result->rewards[i] -= result->plan[at] * cost;
                result->path_columns[i] += STEPS * result->plan[at] * j;
            }
        }
        result->sum += result->rewards[i];
    }
}

static int best_demo(int episode) {
    return results[episode][1].sum > results[episode][0].sum;
}

static tot_status add_summary(tot_page *page) {
    static const tot_column columns[] = {{"Episode", false},   {"Against", false},
                                         {"Steps", true},      {"Sum of rewards", true},
                                         {"Worst step", true}, {"Wins", false}};
    char numbers[EPISODES * DEMOS][3][32];
    const char *cells[EPISODES * DEMOS * 6];
    for (int k = 0; k < EPISODES * DEMOS; k++) {
        const struct result *result = &results[k / DEMOS][k % DEMOS];
        int worst = 0;
        for (int i = 0; i < STEPS; i++) {
            worst = result->rewards[i] < result->rewards[worst] ? i : worst;
        }
        snprintf(numbers[k][0], 32, "%d", STEPS);
        snprintf(numbers[k][1], 32, "%.4f", result->sum);
        snprintf(numbers[k][2], 32, "%d", worst);
        const char *row[] = {episode_names[k / DEMOS],
                             demo_names[k % DEMOS],
                             numbers[k][0],
                             numbers[k][1],
                             numbers[k][2],
                             best_demo(k / DEMOS) == k % DEMOS ? "yes" : "no"};
        memcpy(cells + 6 * k, row, sizeof row);
    }
    const tot_table table = {.title = "Summary",
                             .columns = columns,
                             .column_count = 6,
                             .cells = cells,
                             .row_count = EPISODES * DEMOS};
    return tot_page_add_table(page, &table);
}

static tot_status add_settings(tot_page *page) {
    static const char *const names[] = {"method",     "context", "mask",  "epsilon",
                                        "iterations", "cost",    "scale", "threads"};
    static const char *const values[] = {"temporalot", "3",      "band 10", "0.01",
                                         "100",        "cosine", "1",       "2"};
    return tot_page_add_settings(page, "Settings", names, values, 8);
}

static tot_curves reward_curves(int episode, tot_series series[DEMOS]) {
    for (int demo = 0; demo < DEMOS; demo++) {
        series[demo] = (tot_series){
            .name = demo_names[demo], .count = STEPS, .y = results[episode][demo].rewards};
    }
    return (tot_curves){.title = "Reward of every step",
                        .x_name = "episode step",
                        .y_name = "reward",
                        .series = series,
                        .series_count = DEMOS};
}

static tot_heat_map heat_map(const struct result *result, bool plan) {
    return (tot_heat_map){.title = plan ? "Plan, with its centre line" : "Cost inside the band",
                          .row_name = "episode step",
                          .column_name = "demonstration step",
                          .rows = STEPS,
                          .columns = STEPS,
                          .values = plan ? result->plan : result->cost,
                          .band_first = result->band_first,
                          .band_end = result->band_end,
                          .path_rows = result->path_rows,
                          .path_columns = result->path_columns,
                          .path_count = plan ? STEPS : 0};
}

// --- frames ------------------------------------------------------------------------------------

enum { FRAME_WIDTH = 160, FRAME_HEIGHT = 120, FRAME_SIZE = FRAME_WIDTH * FRAME_HEIGHT * 3 };

static uint8_t episode_frames[STEPS][FRAME_SIZE];
static uint8_t demo_frames[STEPS][FRAME_SIZE];

// A grey room with a door that opens with progress, and a red ball that opens it.
static void paint_frame(uint8_t *frame, double progress) {
    double edge = 60 + 50 * progress;
    for (int k = 0; k < FRAME_WIDTH * FRAME_HEIGHT; k++) {
        int x = k % FRAME_WIDTH;
        int y = k / FRAME_WIDTH;
        double away = hypot(x - (edge - 12), y - (95 - 30 * progress));
        uint8_t floor_grey = (uint8_t)(y > 80 ? 120 + (x / 20 + y / 10) % 2 * 12 : 190 + y / 4);
        uint8_t colour[3] = {floor_grey, floor_grey, (uint8_t)(floor_grey - 6)};
        if (x > edge && x < 130 && y > 20 && y < 90) {
            memcpy(colour, (const uint8_t[]){112, (uint8_t)(80 + x / 8), 60}, 3);
        }
        if (away < 10) {
            memcpy(colour, (const uint8_t[]){(uint8_t)(200 - 6 * away), 40, 40}, 3);
        }
        memcpy(frame + 3 * k, colour, 3);
    }
}

static tot_status add_frames(tot_page *page, int episode) {
    int demo = best_demo(episode);
    const struct result *result = &results[episode][demo];
    int match[STEPS];
    for (int i = 0; i < STEPS; i++) {
        paint_frame(demo_frames[i], demo_progress(demo, i));
        paint_frame(episode_frames[i], episode_progress(episode, i));
        match[i] = -1;
        for (int j = 0; j < STEPS; j++) {
            double mass = result->plan[i * STEPS + j];
            if (!isnan(mass) && (match[i] < 0 || mass > result->plan[i * STEPS + match[i]])) {
                match[i] = j;
            }
        }
    }
    const tot_frame_row rows[] = {{.name = "demonstration",
                                   .frames = demo_frames[0],
                                   .count = STEPS,
                                   .width = FRAME_WIDTH,
                                   .height = FRAME_HEIGHT},
                                  {.name = "episode",
                                   .frames = episode_frames[0],
                                   .count = STEPS,
                                   .width = FRAME_WIDTH,
                                   .height = FRAME_HEIGHT,
                                   .values = result->rewards,
                                   .value_name = "reward",
                                   .match = match}};
    const tot_frame_strip strip = {
        .title = "Where the plan put most of a step", .rows = rows, .row_count = 2};
    return tot_page_add_frames(page, &strip);
}

// --- the page ----------------------------------------------------------------------------------

// Success of ten runs with a band, as in a training report.
static tot_status add_training(tot_page *page) {
    enum { POINTS = 21, METHODS = 3 };
    static const char *const names[METHODS] = {"temporalot", "ot", "taskreward"};
    double x[POINTS];
    double y[METHODS][3][POINTS];
    tot_series series[METHODS];
    for (int m = 0; m < METHODS; m++) {
        for (int k = 0; k < POINTS; k++) {
            double t = k / (POINTS - 1.0);
            double value = (0.9 - 0.25 * m) / (1 + exp(-9 * (t - 0.35 - 0.12 * m)));
            double half = 0.02 + 0.35 * value * (1 - value);
            x[k] = 25000.0 * k;
            // the last points of one method are missing
            y[m][0][k] = m == 2 && k > 15 ? (double)NAN : value + 0.03 * sin(11 * t + m);
            y[m][1][k] = y[m][0][k] < half ? 0 : y[m][0][k] - half;
            y[m][2][k] = y[m][0][k] > 1 - half ? 1 : y[m][0][k] + half;
        }
        series[m] = (tot_series){names[m], POINTS, x, y[m][0], y[m][1], y[m][2]};
    }
    const tot_curves curves = {.title = "Success over training",
                               .x_name = "agent steps",
                               .y_name = "success rate",
                               .series = series,
                               .series_count = METHODS,
                               .y_low = 0,
                               .y_high = 1};
    return tot_page_add_curves(page, &curves);
}

static tot_status add_episode(tot_page *page, int episode) {
    const struct result *result = &results[episode][best_demo(episode)];
    const tot_heat_map cost = heat_map(result, false);
    const tot_heat_map plan = heat_map(result, true);
    tot_series series[DEMOS];
    const tot_curves curves = reward_curves(episode, series);
    tot_status status = tot_page_add_heading(page, 1, episode_names[episode]);
    status = status != TOT_OK ? status : tot_page_add_curves(page, &curves);
    status = status != TOT_OK ? status : tot_page_begin_row(page);
    status = status != TOT_OK ? status : tot_page_add_heat_map(page, &cost);
    status = status != TOT_OK ? status : tot_page_add_heat_map(page, &plan);
    status = status != TOT_OK ? status : tot_page_end_row(page);
    return status != TOT_OK ? status : add_frames(page, episode);
}

static tot_status write_page(const char *path) {
    tot_page *page = NULL;
    tot_status status = tot_page_create(&page, "Two episodes against two demonstrations");
    if (status == TOT_OK) {
        status = tot_page_add_paragraph(
            page,
            "Every step of an episode is matched with steps of a demonstration; what the "
            "match costs is the step's reward. The demonstration with the larger sum wins.");
    }
    status = status != TOT_OK ? status : add_summary(page);
    status = status != TOT_OK ? status : add_settings(page);
    for (int episode = 0; status == TOT_OK && episode < EPISODES; episode++) {
        status = add_episode(page, episode);
    }
    status = status != TOT_OK ? status : tot_page_add_heading(page, 1, "Training");
    status = status != TOT_OK ? status : add_training(page);
    status = status != TOT_OK ? status : tot_page_write(page, path);
    tot_page_free(page);
    return status;
}

static tot_status write_picture(const char *path) {
    const struct result *result = &results[0][best_demo(0)];
    const tot_heat_map cost = heat_map(result, false);
    const tot_heat_map plan = heat_map(result, true);
    tot_series series[DEMOS];
    const tot_curves curves = reward_curves(0, series);
    tot_svg *svg = NULL;
    tot_status status = tot_svg_create(&svg, "Cost, plan and reward of an episode", 3);
    status = status != TOT_OK ? status : tot_svg_add_heat_map(svg, &cost);
    status = status != TOT_OK ? status : tot_svg_add_heat_map(svg, &plan);
    status = status != TOT_OK ? status : tot_svg_add_curves(svg, &curves);
    status = status != TOT_OK ? status : tot_svg_write(svg, path);
    tot_svg_free(svg);
    return status;
}

// --- problematic content -----------------------------------------------------------------------

static tot_status add_odd_texts(tot_page *page) {
    static const tot_column columns[] = {{"<b>name</b>", false}, {"\"value\" & more", true}};
    static const char *const cells[] = {"<script>document.title='broken'</script>",
                                        "10",
                                        "<img src=x onerror=\"document.title='x'\">",
                                        "9.5",
                                        "caf\xc3\xa9 \xff\xfe",
                                        NULL,
                                        "</table></main>",
                                        "-3 \xc2\xb1 2",
                                        "\x01\x1b[31m",
                                        "not a number"};
    const tot_table table = {.title = "Odd <i>texts</i>",
                             .columns = columns,
                             .column_count = 2,
                             .cells = cells,
                             .row_count = 5};
    tot_status status = tot_page_add_heading(page, 2, "</h3><script>document.title='y'</script>");
    return status != TOT_OK ? status : tot_page_add_table(page, &table);
}

static tot_status add_odd_curves(tot_page *page) {
    enum { MANY = 20, LONG = 100000 };
    static double values[LONG];
    static const double gaps[] = {1, NAN, 2, INFINITY, 3, 4, -INFINITY, 5, 6, 1e308, 4};
    static const double one[] = {7};
    static const double tiny[] = {1e-20, 3e-20, 2e-20};
    static const double large[] = {1e12, 3e12, -2e12};
    const tot_series few[] = {{"gaps", 11, NULL, gaps, NULL, NULL},
                              {"one", 1, NULL, one, NULL, NULL}};
    const tot_series small[] = {{"tiny", 3, NULL, tiny, NULL, NULL}};
    const tot_series huge[] = {{"large", 3, NULL, large, NULL, NULL}};
    tot_series many[MANY];
    for (int k = 0; k < LONG; k++) {
        values[k] = sin(k * 1e-3) + (k == 54321 ? 3 : 0);
    }
    for (int k = 0; k < MANY; k++) {
        static const char *const names[] = {"a", "a longer name", "the longest name of them all"};
        many[k] = (tot_series){names[k % 3], 200, NULL, values + 300 * k, NULL, NULL};
    }
    const tot_series length = {"100,000 points", LONG, NULL, values, NULL, NULL};
    const tot_curves curves[] = {
        {.title = "Nothing"},
        {.title = "Gaps", .x_name = "x", .y_name = "y", .series = few, .series_count = 2},
        {.title = "Tiny", .series = small, .series_count = 1},
        {.title = "Large", .series = huge, .series_count = 1},
        {.title = "Many", .x_name = "x", .series = many, .series_count = MANY},
        {.title = "Long",
         .x_name = "x",
         .series = &length,
         .series_count = 1,
         .y_low = -1,
         .y_high = 1},
    };
    tot_status status = tot_page_begin_row(page);
    for (int k = 0; status == TOT_OK && k < 6; k++) {
        status = tot_page_add_curves(page, &curves[k]);
    }
    return status != TOT_OK ? status : tot_page_end_row(page);
}

static tot_status add_odd_maps(tot_page *page) {
    enum { SIDE = 500 };
    static double values[SIDE * SIDE];
    static double none[12];
    static const double constant[] = {5, 5, 5, 5};
    for (int k = 0; k < SIDE * SIDE; k++) {
        double right = k % SIDE;
        double down = (double)(k / SIDE);
        values[k] = sin(right * 0.02) * cos(down * 0.013) + 0.01 * sin(3.1 * right + 5.7 * down);
    }
    for (int k = 0; k < 12; k++) {
        none[k] = (double)NAN;
    }
    static const int first[] = {0, 2, 3, 0};
    static const int end[] = {2, 3, 3, 3};
    const tot_heat_map maps[] = {
        {.title = "500 x 500", .rows = SIDE, .columns = SIDE, .values = values},
        {.title = "All outside",
         .rows = 4,
         .columns = 3,
         .values = none,
         .band_first = first,
         .band_end = end},
        {.title = "Constant", .rows = 2, .columns = 2, .values = constant},
        {.title = "One row", .rows = 1, .columns = 500, .values = values, .low = -2, .high = 2},
        {.title = "One column", .rows = 500, .columns = 1, .values = values},
        {.title = "One cell", .rows = 1, .columns = 1, .values = constant},
    };
    tot_status status = tot_page_begin_row(page);
    for (int k = 0; status == TOT_OK && k < 6; k++) {
        status = tot_page_add_heat_map(page, &maps[k]);
    }
    return status != TOT_OK ? status : tot_page_end_row(page);
}

static tot_status add_odd_frames(tot_page *page) {
    enum { LONG = 500 };
    static uint8_t noise[LONG][30 * 20 * 3];
    static double values[LONG];
    static int match[LONG];
    static const size_t steps[] = {3, 4, 40, 480};
    static const double none[] = {NAN, INFINITY};
    static const int unmatched[] = {-1, 1};
    uint32_t word = 1;
    for (int k = 0; k < LONG; k++) {
        for (int at = 0; at < 30 * 20 * 3; at++) {
            word = word * 1664525 + 1013904223;
            noise[k][at] = (uint8_t)(word >> 24);
        }
        values[k] = k % 7 == 0 ? (double)NAN : 1e-3 * k * (k % 2 == 0 ? 1 : -1);
        match[k] = k % 3 == 0 ? -1 : (LONG - 1 - k) / 250;
    }
    const tot_frame_row two = {NULL, noise[0], 2, 30, 20, NULL, 0, none, "</p><i>", NULL};
    const tot_frame_row rows[] = {
        two,
        {"<b>long</b>", noise[0], LONG, 30, 20, NULL, 0, values, NULL, match},
        {"\"few\" of many", noise[0], 4, 30, 20, steps, LONG, values, "v", match},
        {"tall", noise[0], 2, 1, 600, NULL, 0, NULL, NULL, unmatched}};
    const tot_frame_row one = {NULL, noise[0], 1, 30, 20, NULL, 1, values + 1, NULL, NULL};
    const tot_frame_strip strips[] = {{"Odd <i>frames</i>", rows, 4, 48}, {NULL, &one, 1, 0}};
    tot_status status = tot_page_add_frames(page, &strips[0]);
    return status != TOT_OK ? status : tot_page_add_frames(page, &strips[1]);
}

static tot_status write_odd_page(const char *path) {
    tot_page *page = NULL;
    tot_status status = tot_page_create(&page, "Odd </title><script>1/</script> things");
    status = status != TOT_OK ? status : add_odd_texts(page);
    status = status != TOT_OK ? status : add_odd_curves(page);
    status = status != TOT_OK ? status : add_odd_maps(page);
    status = status != TOT_OK ? status : add_odd_frames(page);
    status = status != TOT_OK ? status : tot_page_write(page, path);
    tot_page_free(page);
    return status;
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "page_sample PAGE.html PICTURE.svg ODD.html\n");
        return 2;
    }
    for (int k = 0; k < EPISODES * DEMOS; k++) {
        struct result *result = &results[k / DEMOS][k % DEMOS];
        fill_cost(result, k / DEMOS, k % DEMOS);
        tot_heat_map_band(result->cost, STEPS, STEPS, result->band_first, result->band_end);
        fill_plan(result);
    }
    if (write_page(argv[1]) != TOT_OK || write_picture(argv[2]) != TOT_OK ||
        write_odd_page(argv[3]) != TOT_OK) {
        fprintf(stderr, "%s\n", tot_error());
        return 1;
    }
    return 0;
}
