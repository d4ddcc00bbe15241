// Writes the seed corpus for fuzzing: make_corpus FOLDER fills FOLDER/npy, FOLDER/npz, FOLDER/png,
// FOLDER/recording, FOLDER/pth, FOLDER/safetensors, FOLDER/frames, FOLDER/length, FOLDER/settings,
// FOLDER/onnx, and, from a real run, FOLDER/checkpoint and FOLDER/episode.
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <temporalot/demo.h>
#include <temporalot/file.h>
#include <temporalot/image.h>

#include "../file/made_pth.h"
#include "file/protobuf.h"
#include "real_run.h"
#include "train/settings.h"

static const char *folder;
static char path[4096];

static const char *path_of(const char *target, const char *name) {
    snprintf(path, sizeof path, "%s/%s", folder, target);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/%s/%s", folder, target, name);
    return path;
}

static bool write_file(const char *target, const char *name, const void *bytes, size_t size) {
    FILE *file = fopen(path_of(target, name), "wb");
    if (file == NULL) {
        perror(path);
        return false;
    }
    bool written = fwrite(bytes, 1, size, file) == size;
    return fclose(file) == 0 && written;
}

// Files of every version, type and order, with 24 bytes of elements.
static bool make_npy(void) {
    static const char *const literals[] = {
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
        "{'descr': '>f4', 'fortran_order': True, 'shape': (2, 3), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }",
        "{'descr': '>f8', 'fortran_order': True, 'shape': (3, 1), }",
        "{'descr': '<f2', 'fortran_order': True, 'shape': (2, 3, 2), }",
        "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3, 2, 2), }",
        "{'descr': '|b1', 'fortran_order': False, 'shape': (24,), }",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (), }",
        "{'descr': '>i8', 'fortran_order': True, 'shape': (1, 3), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (0, 5), }",
        "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }",
        "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-1, 99999999999999999999), }",
    };
    bool fine = true;
    for (size_t k = 0; k < sizeof literals / sizeof literals[0]; k++) {
        char bytes[256] = "\x93NUMPY";
        size_t version = 1 + k % 3;
        size_t prefix = version == 1 ? 10 : 12;
        size_t length = strlen(literals[k]);
        bytes[6] = (char)version;
        bytes[8] = (char)length;
        memcpy(bytes + prefix, literals[k], length);
        memcpy(bytes + prefix + length, "\0\0\x80\x3f some more elements", 24);
        char name[32];
        snprintf(name, sizeof name, "%02zu.npy", k);
        fine = write_file("npy", name, bytes, prefix + length + 24) && fine;
    }
    return fine;
}

static tot_status write_npz(const char *name, int arrays, bool deflate) {
    static float values[64] = {1.0f, 2.0f, 3.0f};
    tot_npz_writer *writer = NULL;
    tot_status status = tot_npz_create(&writer, path_of("npz", name), deflate);
    for (int k = 0; k < arrays && status == TOT_OK; k++) {
        static const char *const names[] = {"a", "embeddings", "longer name"};
        tot_array array = {.type = k == 1 ? TOT_U8 : TOT_F32, .dimensions = k, .data = values};
        array.shape[0] = 4;
        array.shape[1] = 8;
        status = tot_npz_add(writer, names[k], &array);
    }
    if (status != TOT_OK) {
        tot_npz_discard(writer);
        return status;
    }
    return tot_npz_commit(writer);
}

static bool make_npz(void) {
    for (int arrays = 0; arrays <= 3; arrays++) {
        for (int deflate = 0; deflate <= 1; deflate++) {
            char name[32];
            snprintf(name, sizeof name, "%d-%s.npz", arrays, deflate != 0 ? "deflated" : "stored");
            if (write_npz(name, arrays, deflate != 0) != TOT_OK) {
                fprintf(stderr, "%s\n", tot_error());
                return false;
            }
        }
    }
    return true;
}

static bool make_png(void) {
    static uint8_t rgb[16 * 16 * 3];
    for (size_t k = 0; k < sizeof rgb; k++) {
        rgb[k] = (uint8_t)(k * k / 7);
    }
    for (int side = 1; side <= 16; side *= 4) {
        char name[32];
        snprintf(name, sizeof name, "%d.png", side);
        if (tot_png_write(path_of("png", name), rgb, side, side) != TOT_OK) {
            fprintf(stderr, "%s\n", tot_error());
            return false;
        }
    }
    return true;
}

// One trajectory of two steps, and its metadata alone.
static bool make_recording(void) {
    static double observations[3 * TOT_OBSERVATION];
    static float actions[2 * TOT_ACTION];
    static uint8_t success[2] = {0, 1};
    tot_trajectory one = {.steps = 2,
                          .observations = observations,
                          .actions = actions,
                          .success = success,
                          .draw_length = 3,
                          .attempts = 1};
    const tot_recording recording = {.meta = {.task = "push",
                                              .policy = "zero",
                                              .camera = "corner",
                                              .action_repeat = 2,
                                              .horizon = 4,
                                              .speed = 1,
                                              .mujoco = "3.3.0",
                                              .program = "0.1.0"},
                                     .trajectories = &one,
                                     .count = 1};
    char whole[4096];
    tot_array meta = {0};
    if (tot_recording_save(&recording, path_of("recording", "one.npz")) != TOT_OK) {
        fprintf(stderr, "%s\n", tot_error());
        return false;
    }
    snprintf(whole, sizeof whole, "%.4000s:meta", path);
    bool fine = tot_array_load(&meta, whole) == TOT_OK &&
                write_file("recording", "meta.json", meta.data, (size_t)meta.shape[0]);
    tot_array_free(&meta);
    return fine;
}

// The same tensors in both formats of a .pth, and a pickle alone, which pth_fuzz reads, too.
static bool make_pth(void) {
    static made pickle, file;
    make_checkpoint(&pickle, false);
    make_pth_zip(&file, &pickle, made_storages, MADE_STORAGES, "little");
    bool fine = write_file("pth", "zip.pth", file.bytes, file.size) &&
                write_file("pth", "data.pkl", pickle.bytes, pickle.size);
    make_checkpoint(&pickle, true);
    make_pth_old(&file, &pickle, made_storages, MADE_STORAGES);
    return write_file("pth", "old.pth", file.bytes, file.size) && fine;
}

static bool make_weights(void) {
    static made file;
    make_example_safetensors(&file);
    bool fine = write_file("safetensors", "all.safetensors", file.bytes, file.size);
    make_safetensors(&file, "{}", NULL, 0);
    return write_file("safetensors", "none.safetensors", file.bytes, file.size) && fine;
}

// Two pictures as an array and in an archive, and the start of video containers.
static bool make_frames(void) {
    static uint8_t rgb[2 * 2 * 2 * 3] = {1, 2, 3};
    const tot_array array = {.type = TOT_U8, .dimensions = 4, .shape = {2, 2, 2, 3}, .data = rgb};
    static const struct {
        const char *name, *bytes;
        size_t size;
    } heads[] = {
        {"a.mp4", "\0\0\0\20ftypisom\0\0\0\0\0\0\0\1mdat\0\0\0\0\0\0\0\30........", 40},
        {"a.avi", "RIFF\10\0\0\0AVI LIST", 16},
        {"a.mkv", "\x1a\x45\xdf\xa3\x81\0\x18\x53\x80\x67\x01\0\0\0\0\0\0\2..", 20},
    };
    tot_npz_writer *writer = NULL;
    bool fine = tot_array_save(&array, path_of("frames", "two.npy")) == TOT_OK &&
                tot_npz_create(&writer, path_of("frames", "two.npz"), true) == TOT_OK &&
                tot_npz_add(writer, "frames", &array) == TOT_OK && tot_npz_commit(writer) == TOT_OK;
    for (size_t k = 0; k < sizeof heads / sizeof *heads; k++) {
        fine = write_file("frames", heads[k].name, heads[k].bytes, heads[k].size) && fine;
        fine = write_file("length", heads[k].name, heads[k].bytes, heads[k].size) && fine;
    }
    return fine;
}

// The presets, and syntax they do not use: lists, quotes, escapes, limits of numbers.
static bool make_settings(void) {
    static const char odd[] =
        "# odd\npreset: quick\n\"demo\": [a.npz, 'b c.npz', \"\\u00e9\\\"\"]\n"
        "learning-rate: 1.5e-07\nseed: 9007199254740991\nmask: dynamic:3\ncost_on: state\n"
        "camera: >-\n  corner3\nobs: !!str pixels\nscale: 0.25\nmethod: soft-dtw\n";
    return write_file("settings", "paper.yaml", train_preset_paper, train_preset_paper_size) &&
           write_file("settings", "quick.yaml", train_preset_quick, train_preset_quick_size) &&
           write_file("settings", "odd.yaml", odd, sizeof odd - 1);
}

// A graph with external weights, and one without any.
static bool make_onnx(void) {
    file_protobuf entry = {0}, weights = {0}, graph = {0}, model = {0};
    file_protobuf_text(&entry, 1, "location");
    file_protobuf_text(&entry, 2, "weights.bin");
    file_protobuf_count(&weights, 1, 3);
    file_protobuf_text(&weights, 8, "kernel");
    file_protobuf_message(&weights, 13, &entry);
    file_protobuf_count(&model, 1, 8);
    file_protobuf_message(&model, 7, &graph);
    bool fine = write_file("onnx", "empty.onnx", model.bytes, model.size);
    file_protobuf_text(&graph, 2, "graph");
    file_protobuf_message(&graph, 5, &weights);
    file_protobuf_message(&model, 7, &graph);
    fine = fine && write_file("onnx", "external.onnx", model.bytes, model.size);
    file_protobuf_free(&entry);
    file_protobuf_free(&weights);
    file_protobuf_free(&graph);
    file_protobuf_free(&model);
    return fine;
}

// A real checkpoint: every small part by itself, and several at once.
enum { MOST_PART = 12288 };  // bytes; the fuzzer would only truncate larger ones

static bool write_parts(const char *name, const fuzz_parts *parts, size_t first, size_t count) {
    FILE *file = fopen(path_of("checkpoint", name), "wb");
    bool fine = file != NULL;
    for (size_t k = first; fine && k < first + count && k < parts->count; k++) {
        fine = parts->items[k].size > MOST_PART || fuzz_part_write(file, &parts->items[k]);
    }
    return file != NULL && fclose(file) == 0 && fine;
}

static bool make_checkpoints(const char *run) {
    static fuzz_parts parts;
    bool fine = real_parts(&parts, run) && write_parts("all", &parts, 0, 40);
    for (size_t k = 0; fine && k < parts.count; k++) {
        char name[FUZZ_NAME + 8];
        snprintf(name, sizeof name, "part-%s", parts.items[k].name);
        fine = write_parts(name, &parts, k, 1);
    }
    return fine;
}

// The episode saved by a run, and the same without its matrices.
static bool make_episodes(const char *run) {
    static fuzz_parts parts;
    char kept[TRAIN_PATH];
    FILE *all = fopen(path_of("episode", "all"), "wb");
    FILE *few = fopen(path_of("episode", "few"), "wb");
    bool fine = all != NULL && few != NULL && train_path(kept, run, "episode.npz") == TOT_OK &&
                fuzz_archive_read(&parts, kept);
    for (size_t k = 0; fine && k < parts.count; k++) {
        fine = fuzz_part_write(all, &parts.items[k]) &&
               (parts.items[k].size > 400 || fuzz_part_write(few, &parts.items[k]));
    }
    return all != NULL && fclose(all) == 0 && few != NULL && fclose(few) == 0 && fine;
}

static bool make_runs(void) {
    static tot_train_config config;
    char run[64];
    if (!real_run(run, &config)) {
        fprintf(stderr, "%s\n", tot_error());
        return false;
    }
    const bool fine = make_checkpoints(run) && make_episodes(run);
    char command[96];
    snprintf(command, sizeof command, "rm -r '%s'", run);
    return system(command) == 0 && fine;
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "make_corpus FOLDER\n");
        return 2;
    }
    folder = argv[1];
    return make_npy() && make_npz() && make_png() && make_recording() && make_pth() &&
                   make_weights() && make_frames() && make_settings() && make_onnx() && make_runs()
               ? 0
               : 1;
}
