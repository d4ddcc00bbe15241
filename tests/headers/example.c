// Writes the small files that the usage snippets of the headers are run with: an array and a file
// of weights.
#include <stdio.h>
#include <temporalot/file.h>

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
        // what failed before makes this fail
        status = tot_file_commit(file);
    }
    return status;
}

int main(int argc, char **argv) {
    if (argc != 3 || write_array(argv[1]) != TOT_OK || write_weights(argv[2]) != TOT_OK) {
        fprintf(stderr, "example: %s\n", tot_error());
        return 1;
    }
    return 0;
}
