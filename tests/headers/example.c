// Writes the small file that the usage snippets of the headers are run with.
#include <stdio.h>
#include <temporalot/file.h>

int main(int argc, char **argv) {
    float numbers[3 * 2] = {1, 0, 1, 1, 0, 1};
    tot_array array = {.type = TOT_F32, .dimensions = 2, .shape = {3, 2}, .data = numbers};
    if (argc != 2 || tot_array_save(&array, argv[1]) != TOT_OK) {
        fprintf(stderr, "example: %s\n", tot_error());
        return 1;
    }
    return 0;
}
