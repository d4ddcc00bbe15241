// temporalot encode: pictures to embeddings.
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/encoding.h"
#include "cli/output.h"
#include "encoder/onnx.h"
#include "file/npy_stream.h"
#include "label/embed.h"

typedef struct request {
    // what the command line asks for
    cli_texts words;
    const char *out;
    bool calibrate;
    cli_encoding encoding;
    cli_common common;

    // the work
    tot_source_list inputs;
    tot_source_list outputs;  // one for all inputs, or one per input in a folder
    tot_pool *pool;
    tot_embedder *embedder;
    tot_weights *weights;  // for --calibrate
    file_npy_stream *stream;
    cli_watching watching;
    bool replaces;  // the current output existed before
} request;

// --- printing ----------------------------------------------------------------------------------

// Closes the JSON object.
static void print_replaced(const request *work, const char *out) {
    if (work->replaces) {
        cli_json_put(", \"replaced\": [", out);
        printf("]");
    }
    printf("}\n");
}

static const char *done(const request *work) {
    return work->replaces ? "replaced" : "wrote";
}

static void print_written(const request *work, const char *out, int64_t frames, long long width,
                          double seconds) {
    const double ms = frames > 0 ? 1e3 * seconds / (double)frames : 0;
    const tot_encoder *encoder = tot_embedder_encoder(work->embedder);
    if (work->common.json) {
        cli_json_put("{\"out\": ", out);
        printf(", \"frames\": %lld, \"width\": %lld, \"ms\": %.6g", (long long)frames, width, ms);
        cli_json_put(", \"encoder\": ", tot_encoder_text(encoder));
        print_replaced(work, out);
    } else if (!work->common.quiet) {
        printf("%lld picture%s to %lld numbers each, %.3g ms per picture (%s)\n%s %s\n",
               (long long)frames, frames == 1 ? "" : "s", width, ms, tot_encoder_text(encoder),
               done(work), out);
    }
}

static void print_calibrated(const request *work, const char *out, int64_t pictures) {
    const char *network = tot_weights_network(work->weights)->name;
    if (work->common.json) {
        cli_json_put("{\"out\": ", out);
        printf(", \"pictures\": %lld", (long long)pictures);
        cli_json_put(", \"network\": ", network);
        print_replaced(work, out);
    } else if (!work->common.quiet) {
        printf("%s, calibrated on %lld pictures\n%s %s\n", network, (long long)pictures, done(work),
               out);
    }
}

// --- encoding ----------------------------------------------------------------------------------

static tot_status add_rows(void *context, const float *rows, int64_t count) {
    return file_npy_stream_add(((request *)context)->stream, rows, count);
}

static bool watch(void *context, const tot_label_progress *progress) {
    return cli_watching_show(&((request *)context)->watching, progress);
}

// Encodes inputs, one after the other, into one array.
static tot_status encode_into(request *work, const char *out, size_t first, size_t count) {
    const double started = cli_seconds();
    int64_t frames = 0;
    int64_t views = 1;
    work->replaces = access(out, F_OK) == 0;
    BASE_TRY(tot_label_views(work->inputs.items + first, count, &views));
    const int64_t width = views * tot_encoder_width(tot_embedder_encoder(work->embedder));
    BASE_TRY(file_npy_stream_create(&work->stream, out, TOT_F32, width));
    for (size_t k = first; k < first + count; k++) {
        int64_t more = 0;
        const tot_status status = tot_embed_pictures(work->embedder, &work->inputs.items[k],
                                                     add_rows, watch, work, &more);
        cli_watching_clear(&work->watching);
        BASE_TRY(status);
        frames += more;
    }
    file_npy_stream *stream = work->stream;
    work->stream = NULL;
    BASE_TRY(file_npy_stream_commit(stream));
    print_written(work, out, frames, width, cli_seconds() - started);
    return TOT_OK;
}

// Encodes each input into its own file in a folder.
static tot_status encode_apart(request *work) {
    BASE_FAIL_IF(mkdir(work->out, 0777) != 0 && errno != EEXIST, TOT_E_FILE,
                 "%s: cannot create this folder: %s", work->out, strerror(errno));
    for (size_t k = 0; k < work->inputs.count; k++) {
        BASE_TRY(encode_into(work, work->outputs.items[k].path, k, 1));
    }
    return TOT_OK;
}

// --- names of outputs --------------------------------------------------------------------------

static bool is_folder(const char *path) {
    struct stat found;
    return base_ends_in(path, "/") || (stat(path, &found) == 0 && S_ISDIR(found.st_mode));
}

// "runs/a.mp4" becomes "OUT/a.npy", "runs/a.npz:frames_1" becomes "OUT/a_frames_1.npy".
static tot_status name_output(request *work, const char *input) {
    const char *folder = work->out;
    size_t end = strlen(input);
    while (end > 1 && input[end - 1] == '/') {
        end--;
    }
    size_t start = end;
    while (start > 0 && input[start - 1] != '/') {
        start--;
    }
    const char *array = strstr(input + start, ".npz:");
    const char *dot = array != NULL ? array : memrchr(input + start, '.', end - start);
    const size_t stem = dot != NULL && dot > input + start ? (size_t)(dot - input) : end;
    const size_t capacity = strlen(folder) + (end - start) + sizeof "/_.npy";
    char *path = NULL;
    BASE_ALLOC(path, capacity, "file name");
    snprintf(path, capacity, "%s%s%.*s%s%s.npy", folder,
             folder[strlen(folder) - 1] == '/' ? "" : "/", (int)(stem - start), input + start,
             array != NULL ? "_" : "", array != NULL ? array + strlen(".npz:") : "");
    BASE_FINALLY(tot_source_list_append(&work->outputs, path), base_free(path));
}

static tot_status name_outputs(request *work) {
    if (!is_folder(work->out)) {
        return tot_source_list_append(&work->outputs, work->out);
    }
    for (size_t k = 0; k < work->inputs.count; k++) {
        BASE_TRY(name_output(work, work->inputs.items[k].path));
    }
    return TOT_OK;
}

// Two inputs with the same name would overwrite each other's output.
static tot_status compare_names(const request *work) {
    const tot_label_source *inputs = work->inputs.items, *outputs = work->outputs.items;
    for (size_t k = 0; k < work->outputs.count; k++) {
        for (size_t j = 0; j < k; j++) {
            BASE_FAIL_IF(strcmp(outputs[j].path, outputs[k].path) == 0, TOT_E_ARGUMENT,
                         "%s and %s would both be written to %s", inputs[j].path, inputs[k].path,
                         outputs[k].path);
        }
    }
    return TOT_OK;
}

// --- calibration -------------------------------------------------------------------------------

static tot_status calibrate_into(request *work, const char *out) {
    int64_t pictures = 0;
    work->replaces = access(out, F_OK) == 0;
    BASE_TRY(cli_calibrate(work->weights, work->encoding.settings.encoder.size, &work->inputs, out,
                           work->common.quiet, work->pool, &pictures));
    print_calibrated(work, out, pictures);
    return TOT_OK;
}

static tot_status calibrate(request *work) {
    const tot_embedder_settings *settings = &work->encoding.settings;
    char *path = NULL;
    BASE_FAIL_IF(encoder_onnx_path(settings->weights, &settings->body) != NULL, TOT_E_UNSUPPORTED,
                 ENCODER_ONNX_NO_INT8);
    BASE_TRY(tot_weights_load(&work->weights, settings->weights, &settings->body));
    BASE_TRY(label_calibration_path(settings, &path));
    BASE_FINALLY(calibrate_into(work, path), base_free(path));
}

// --- the command -------------------------------------------------------------------------------

static int check_args(const request *args) {
    if (args->calibrate) {
        CLI_USAGE_IF(args->words.count == 0 && args->encoding.crop != NULL,
                     "--crop: only with --in; without it, --calibrate draws pictures of tasks");
        return args->out == NULL ? EXIT_DONE
                                 : cli_usage(
                                       "--calibrate encodes nothing: omit --out, and name the "
                                       "calibration file with --calibration");
    }
    CLI_NEED(args->words.count > 0, "encode", "--in FILE");
    CLI_NEED(args->out != NULL, "encode", "--out FILE.npy");
    CLI_USAGE_IF(
        !base_ends_in(args->out, ".npy") && !is_folder(args->out),
        "--out: '%s' neither ends in .npy nor is a folder; end the name of a new folder with /",
        args->out);
    return EXIT_DONE;
}

// Checks every output file against the inputs and existing files.
static int check_outputs(request *work) {
    int code = work->calibrate ? EXIT_DONE : cli_result(name_outputs(work));
    for (size_t k = 0; k < work->outputs.count; k++) {
        cli_output output = {"out", work->outputs.items[k].path, false};
        CLI_THEN(code, cli_outputs_check(&output, 1, &work->inputs, work->common.overwrite));
    }
    return CLI_THEN(code, cli_result(compare_names(work)));
}

static tot_status run(request *work) {
    BASE_TRY(tot_pool_create(&work->pool, (int)work->common.threads));
    if (work->calibrate) {
        return calibrate(work);
    }
    BASE_TRY(tot_embedder_create(&work->embedder, &work->encoding.settings, work->pool));
    return is_folder(work->out) ? encode_apart(work)
                                : encode_into(work, work->out, 0, work->inputs.count);
}

static int encode(request *work) {
    work->watching.quiet = work->common.quiet;
    int code = check_args(work);
    CLI_THEN(code, cli_encoding_read(&work->encoding));
    CLI_THEN(code, cli_sources_find(&work->inputs, &work->words, &work->encoding,
                                    work->calibrate ? NULL : "pictures"));
    CLI_THEN(code, check_outputs(work));
    CLI_THEN(code, cli_sources_crop(&work->inputs, work->inputs.count, &work->encoding,
                                    work->common.quiet));
    if (code == EXIT_DONE) {
        cli_catch_signals();
        code = cli_encoding_result(&work->encoding, run(work));
    }
    file_npy_stream_discard(work->stream);
    tot_embedder_free(work->embedder);
    tot_weights_free(work->weights);
    tot_pool_free(work->pool);
    tot_source_list_free(&work->inputs);
    tot_source_list_free(&work->outputs);
    return code;
}

static const char usage[] =
    "encode --in FILE [--in FILE ...] --out FILE.npy [options]\n"
    "       temporalot encode --calibrate [--in FILE ...] [options]";
static const char about[] =
    "Encodes pictures with a pretrained network: the rows of FILE.npy are what `label` compares.\n"
    "Pictures are an array (.npy: steps x height x width x 3, uint8; `frames` of an .npz), a "
    "video,\n"
    "a folder of PNG or JPEG files, or a single picture; or folders, patterns and lists (@FILE) "
    "of\n"
    "these. FRONT,SIDE names the views of several cameras: their embeddings are concatenated, for\n"
    "`label --views 2`.\n"
    "\n"
    "  temporalot encode --in demo.mp4 --out demo.npy\n"
    "  temporalot encode --weights resnet50-0676ba61.pth --in runs/*.mp4 --out embeddings/";

int cli_encode(int argc, char **argv) {
    request args = {.encoding = CLI_ENCODING_INITIAL};
    const cli_option options[] = {
        {"in", CLI_TEXTS, &args.words, "FILE", "pictures to encode; may be repeated"},
        {"out", CLI_TEXT, &args.out, "FILE.npy",
         "output file for all embeddings; if it is a folder, one file per input"},
        {"calibrate", CLI_FLAG, &args.calibrate, NULL,
         "create the calibration that int8 needs, from the given pictures or, without any, from "
         "expert episodes of the paper's ten tasks"},
        CLI_ENCODING_OPTIONS(args.encoding),
    };
    int code =
        cli_parse(argc, argv, usage, about, options, BASE_LENGTH(options), &args.common, NULL);
    code = code == CLI_GO ? encode(&args) : code;
    cli_texts_free(&args.words);
    return code;
}
