// Reads arrays and writes them again, for numpy_roundtrip.py. One job per line on standard input,
// with tab-separated fields; one line of output: "ok", or "error STATUS TEXT".
//
//     npy  IN OUT              an array, as tot_array_load finds it, to a .npy
//     npz  IN OUT stored|deflated   every array of an .npz to another
//     half IN OUT              an .npy of uint8 pairs to one of float16 with the same bytes
//     many COUNT OUT           an .npz of that many int32 scalars: a0 is 0, a1 is 1, ...
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <temporalot/file.h>

static tot_status copy_npy(const char *from, const char *to) {
    static tot_array array;  // reused from job to job, as in a real program
    tot_status status = tot_array_load(&array, from);
    return status == TOT_OK ? tot_array_save(&array, to) : status;
}

static tot_status copy_half(const char *from, const char *to) {
    tot_array array = {0};
    tot_status status = tot_array_load(&array, from);
    if (status == TOT_OK) {
        array.type = TOT_F16;
        array.shape[0] /= 2;
        status = tot_array_save(&array, to);
    }
    tot_array_free(&array);
    return status;
}

static tot_status copy_npz(const char *from, const char *to, const char *how) {
    tot_npz *npz = NULL;
    tot_npz_writer *writer = NULL;
    tot_array array = {0};
    tot_status status = tot_npz_open(&npz, from);
    if (status == TOT_OK) {
        status = tot_npz_create(&writer, to, strcmp(how, "deflated") == 0);
    }
    int64_t count = status == TOT_OK ? tot_npz_count(npz) : 0;
    for (int64_t k = 0; k < count && status == TOT_OK; k++) {
        const char *name = tot_npz_name(npz, k);
        status = tot_npz_read(npz, name, &array);
        if (status == TOT_OK) {
            status = tot_npz_add(writer, name, &array);
        }
    }
    tot_array_free(&array);
    tot_npz_close(npz);
    if (status != TOT_OK) {
        tot_npz_discard(writer);
        return status;
    }
    return tot_npz_commit(writer);
}

static tot_status write_many(const char *count, const char *to) {
    tot_npz_writer *writer = NULL;
    tot_status status = tot_npz_create(&writer, to, false);
    long entries = strtol(count, NULL, 10);
    for (int32_t k = 0; k < entries && status == TOT_OK; k++) {
        char name[20];
        snprintf(name, sizeof name, "a%d", (int)k);
        status = tot_npz_add(writer, name, &(tot_array){.type = TOT_I32, .data = &k});
    }
    if (status != TOT_OK) {
        tot_npz_discard(writer);
        return status;
    }
    return tot_npz_commit(writer);
}

int main(void) {
    char line[8192];
    while (fgets(line, sizeof line, stdin) != NULL) {
        char *fields[4] = {0};
        char *rest = line;
        line[strcspn(line, "\n")] = '\0';
        for (size_t k = 0; k < 4 && rest != NULL; k++) {
            fields[k] = strsep(&rest, "\t");
        }
        tot_status status = TOT_E_ARGUMENT;
        if (fields[2] != NULL && strcmp(fields[0], "npy") == 0) {
            status = copy_npy(fields[1], fields[2]);
        } else if (fields[2] != NULL && strcmp(fields[0], "half") == 0) {
            status = copy_half(fields[1], fields[2]);
        } else if (fields[2] != NULL && strcmp(fields[0], "many") == 0) {
            status = write_many(fields[1], fields[2]);
        } else if (fields[3] != NULL && strcmp(fields[0], "npz") == 0) {
            status = copy_npz(fields[1], fields[2], fields[3]);
        }
        if (status == TOT_OK) {
            printf("ok\n");
        } else {
            printf("error %d %s\n", (int)status, tot_error());
        }
    }
    return 0;
}
