// Writes the small files used by the snippets in the headers and the README: an array, a weight
// file, and the README's three videos.
#include <stdio.h>
#include <temporalot/file.h>
#include <temporalot/image.h>

static const float numbers[3 * 2] = {1, 0, 1, 1, 0, 1};

static tot_status write_array(const char *path) {
    tot_array array = {.type = TOT_F32, .dimensions = 2, .shape = {3, 2}};
    array.data = (void *)numbers;
    return tot_array_save(&array, path);
}

static tot_status write_weights(const char *path) {
    static const char header[] =
        "{\"conv1.weight\":{\"dtype\":\"F32\",\"shape\":[3,2],\"data_offsets\":[0,24]}}";
    const unsigned char length[8] = {sizeof header - 1};
    tot_file *file = NULL;
    tot_status status = tot_file_create(&file, path);
    if (status == TOT_OK) {
        tot_file_write(file, length, sizeof length);
        tot_file_write(file, header, sizeof header - 1);
        tot_file_write(file, numbers, sizeof numbers);
        // fails if an earlier call failed
        status = tot_file_commit(file);
    }
    return status;
}

enum { SIDE = 64, PICTURES = 8 };

// A square that moves over a gradient.
static tot_status write_video(const char *folder, const char *name, int start) {
    static uint8_t rgb[SIDE][SIDE][3];
    char path[4096];
    tot_video *video = NULL;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    tot_status status = tot_video_create(&video, path, SIDE, SIDE, 10);
    for (int k = 0; status == TOT_OK && k < PICTURES; k++) {
        for (int pixel = 0; pixel < SIDE * SIDE; pixel++) {
            const int x = pixel % SIDE;
            const int y = pixel / SIDE;
            const bool inside = x >= start + 5 * k && x < start + 5 * k + 12 && y > 20 && y < 40;
            rgb[y][x][0] = (uint8_t)(inside ? 230 : 2 * x);
            rgb[y][x][1] = (uint8_t)(inside ? 40 : 2 * y);
            rgb[y][x][2] = (uint8_t)(inside ? 30 : 90);
        }
        status = tot_video_add(video, rgb[0][0]);
    }
    if (status == TOT_OK) {
        return tot_video_commit(video);
    }
    tot_video_discard(video);
    return status;
}

static tot_status write_videos(const char *folder) {
    tot_status status = write_video(folder, "expert_0.mp4", 0);
    status = status != TOT_OK ? status : write_video(folder, "expert_1.mp4", 4);
    return status != TOT_OK ? status : write_video(folder, "attempt.mp4", 10);
}

int main(int argc, char **argv) {
    if (argc != 4 || write_array(argv[1]) != TOT_OK || write_weights(argv[2]) != TOT_OK ||
        write_videos(argv[3]) != TOT_OK) {
        fprintf(stderr, "example: %s\n", tot_error());
        return 1;
    }
    return 0;
}
