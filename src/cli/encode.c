// temporalot encode: pictures to embeddings.
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/excerpting.h"
#include "cli/encoding.h"
#include "cli/output.h"
#include "encoder/onnx.h"
#include "file/npy_stream.h"
#include "label/embed.h"

// What the command line asks for.
typedef struct request {
    cli_texts words;
    const char *out;
    bool calibrate;
    cli_excerpting excerpting;
    cli_encoding encoding;
    cli_common common;
} request;

typedef struct encoding {
    const request *args;
    tot_embedder_settings settings;
    tot_source_list inputs;
    tot_excerpt excerpt;
    tot_pool *pool;
    tot_embedder *embedder;
    tot_weights *weights;  // for --calibrate
    file_npy_stream *stream;
    cli_watching watching;
    char *out;      // generated path: of an output in a folder, or of a calibration
    bool replaces;  // the output existed before
} encoding;

// --- printing ----------------------------------------------------------------------------------

// Closes the JSON object.
static void print_replaced(const encoding *work, const char *out) {
    if (work->replaces) {
        cli_json_put(", \"replaced\": [", out);
        printf("]");
    }
    printf("}\n");
}

static const char *done(const encoding *work) {
    return work->replaces ? "replaced" : "wrote";
}

static void print_written(const encoding *work, const char *out, int64_t frames, double seconds) {
    const double ms = frames > 0 ? 1e3 * seconds / (double)frames : 0;
    const tot_encoder *encoder = tot_embedder_encoder(work->embedder);
    const long long width = (long long)tot_encoder_width(encoder);
    if (work->args->common.json) {
        cli_json_put("{\"out\": ", out);
        printf(", \"frames\": %lld, \"width\": %lld, \"ms\": %.6g, \"encoder\": ",
               (long long)frames, width, ms);
        cli_json_text(stdout, tot_encoder_text(encoder));
        print_replaced(work, out);
    } else if (!work->args->common.quiet) {
        printf("%lld picture%s to %lld numbers each, %.3g ms per picture (%s)\n%s %s\n",
               (long long)frames, frames == 1 ? "" : "s", width, ms, tot_encoder_text(encoder),
               done(work), out);
    }
}

static void print_calibrated(const encoding *work, const char *out, int64_t pictures) {
    const char *network = tot_weights_network(work->weights)->name;
    if (work->args->common.json) {
        cli_json_put("{\"out\": ", out);
        printf(", \"pictures\": %lld, \"network\": ", (long long)pictures);
        cli_json_text(stdout, network);
        print_replaced(work, out);
    } else if (!work->args->common.quiet) {
        printf("%s, calibrated on %lld pictures\n%s %s\n", network, (long long)pictures, done(work),
               out);
    }
}

// --- encoding ----------------------------------------------------------------------------------

static tot_status add_rows(void *context, const float *rows, int64_t count) {
    return file_npy_stream_add(((encoding *)context)->stream, rows, count);
}

static bool watch(void *context, const tot_label_progress *progress) {
    return cli_watching_show(&((encoding *)context)->watching, progress);
}

static tot_status start_output(encoding *work, const char *path) {
    work->replaces = access(path, F_OK) == 0;
    return file_npy_stream_create(&work->stream, path, TOT_F32,
                                  tot_encoder_width(tot_embedder_encoder(work->embedder)));
}

static tot_status finish_output(encoding *work) {
    file_npy_stream *stream = work->stream;
    work->stream = NULL;
    return file_npy_stream_commit(stream);
}

static tot_status encode_input(encoding *work, size_t index, int64_t *count) {
    BASE_FINALLY(tot_embed_pictures(work->embedder, &work->inputs.items[index], add_rows, watch,
                                    work, count),
                 cli_watching_clear(&work->watching));
}

// Encodes all inputs, one after the other, into one array.
static tot_status encode_together(encoding *work) {
    const double started = cli_seconds();
    int64_t frames = 0;
    BASE_TRY(start_output(work, work->args->out));
    for (size_t k = 0; k < work->inputs.count; k++) {
        int64_t count = 0;
        BASE_TRY(encode_input(work, k, &count));
        frames += count;
    }
    BASE_TRY(finish_output(work));
    print_written(work, work->args->out, frames, cli_seconds() - started);
    return TOT_OK;
}

// "runs/a.mp4" becomes "OUT/a.npy", "runs/a.npz:frames_1" becomes "OUT/a_frames_1.npy".
static tot_status name_output(encoding *work, const char *input) {
    const char *folder = work->args->out;
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
    base_free(work->out);
    BASE_ALLOC(work->out, capacity, "file name");
    snprintf(work->out, capacity, "%s%s%.*s%s%s.npy", folder,
             folder[strlen(folder) - 1] == '/' ? "" : "/", (int)(stem - start), input + start,
             array != NULL ? "_" : "", array != NULL ? array + strlen(".npz:") : "");
    return TOT_OK;
}

static tot_status compare_names(const encoding *work, const tot_source_list *outputs) {
    for (size_t k = 0; k < outputs->count; k++) {
        for (size_t j = 0; j < k; j++) {
            BASE_FAIL_IF(strcmp(outputs->items[j].path, outputs->items[k].path) == 0,
                         TOT_E_ARGUMENT, "%s and %s would both be written to %s",
                         work->inputs.items[j].path, work->inputs.items[k].path,
                         outputs->items[k].path);
        }
    }
    return TOT_OK;
}

// Two inputs with the same name would overwrite each other's output.
static tot_status check_names(encoding *work) {
    tot_source_list outputs = {0};
    tot_status status = TOT_OK;
    for (size_t k = 0; status == TOT_OK && k < work->inputs.count; k++) {
        status = name_output(work, work->inputs.items[k].path);
        BASE_THEN(status, tot_source_list_append(&outputs, work->out));
    }
    BASE_THEN(status, compare_names(work, &outputs));
    tot_source_list_free(&outputs);
    return status;
}

// Encodes each input into its own file in a folder.
static tot_status encode_apart(encoding *work) {
    BASE_TRY(check_names(work));
    BASE_FAIL_IF(mkdir(work->args->out, 0777) != 0 && errno != EEXIST, TOT_E_FILE,
                 "%s: cannot create this folder: %s", work->args->out, strerror(errno));
    for (size_t k = 0; k < work->inputs.count; k++) {
        const double started = cli_seconds();
        int64_t count = 0;
        BASE_TRY(name_output(work, work->inputs.items[k].path));
        BASE_TRY(start_output(work, work->out));
        BASE_TRY(encode_input(work, k, &count));
        BASE_TRY(finish_output(work));
        print_written(work, work->out, count, cli_seconds() - started);
    }
    return TOT_OK;
}

static tot_status calibrate(encoding *work) {
    const tot_embedder_settings *settings = &work->settings;
    int64_t pictures = 0;
    BASE_FAIL_IF(encoder_onnx_path(settings->weights, &settings->body) != NULL, TOT_E_UNSUPPORTED,
                 ENCODER_ONNX_NO_INT8);
    BASE_TRY(tot_weights_load(&work->weights, settings->weights, &settings->body));
    BASE_TRY(label_calibration_path(settings, &work->out));
    work->replaces = access(work->out, F_OK) == 0;
    BASE_TRY(cli_calibrate(work->weights, settings->encoder.size, &work->inputs, work->out,
                           work->args->common.quiet, work->pool, &pictures));
    print_calibrated(work, work->out, pictures);
    return TOT_OK;
}

// --- the command -------------------------------------------------------------------------------

static bool is_folder(const char *path) {
    struct stat found;
    return base_ends_in(path, "/") || (stat(path, &found) == 0 && S_ISDIR(found.st_mode));
}

static int check_args(const request *args) {
    if (args->calibrate) {
        return args->out == NULL ? EXIT_DONE
                                 : cli_usage(
                                       "--calibrate encodes nothing: omit --out, and name the "
                                       "calibration file with --calibration");
    }
    CLI_USAGE_IF(args->words.count == 0 || args->out == NULL,
                 "encode: %s is needed; see temporalot encode --help",
                 args->words.count == 0 ? "--in FILE" : "--out FILE.npy");
    CLI_USAGE_IF(
        !base_ends_in(args->out, ".npy") && !is_folder(args->out),
        "--out: '%s' neither ends in .npy nor is a folder; end the name of a new folder with /",
        args->out);
    return EXIT_DONE;
}

// Checks every output file against the inputs and existing files.
static int check_outputs(encoding *work) {
    const request *args = work->args;
    const bool apart = !args->calibrate && is_folder(args->out);
    int code = EXIT_DONE;
    for (size_t k = 0; !args->calibrate && k < (apart ? work->inputs.count : 1); k++) {
        if (apart && name_output(work, work->inputs.items[k].path) != TOT_OK) {
            return cli_fail();
        }
        cli_output output = {"out", apart ? work->out : args->out, false};
        code = code != EXIT_DONE
                   ? code
                   : cli_outputs_check_sources(&output, 1, &work->inputs, args->common.overwrite);
    }
    return code;
}

static tot_status run(encoding *work) {
    const request *args = work->args;
    BASE_TRY(tot_pool_create(&work->pool, (int)args->common.threads));
    if (args->calibrate) {
        return calibrate(work);
    }
    BASE_TRY(tot_embedder_create(&work->embedder, &work->settings, work->pool));
    return is_folder(args->out) ? encode_apart(work) : encode_together(work);
}

static int encode(const request *args) {
    encoding work = {.args = args, .watching = {.quiet = args->common.quiet}};
    int code = check_args(args);
    CLI_THEN(code, cli_excerpting_read(&args->excerpting, &work.excerpt));
    CLI_THEN(code, cli_encoding_read(&args->encoding, &work.settings));
    if (code == EXIT_DONE && cli_sources_find(&work.inputs, &args->words, &work.excerpt,
                                              args->calibrate ? NULL : "pictures") != TOT_OK) {
        code = cli_fail();
    }
    CLI_THEN(code, check_outputs(&work));
    if (code == EXIT_DONE) {
        cli_catch_signals();
        const tot_status status = run(&work);
        code = status == TOT_OK ? EXIT_DONE : cli_encoding_fail(&args->encoding, status);
    }
    file_npy_stream_discard(work.stream);
    tot_embedder_free(work.embedder);
    tot_weights_free(work.weights);
    tot_pool_free(work.pool);
    tot_source_list_free(&work.inputs);
    base_free(work.out);
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
    "these.\n"
    "\n"
    "  temporalot encode --in demo.mp4 --out demo.npy\n"
    "  temporalot encode --weights resnet50-0676ba61.pth --in runs/*.mp4 --out embeddings/";

int cli_encode(int argc, char **argv) {
    request args = {.excerpting = CLI_EXCERPTING_INITIAL, .encoding = CLI_ENCODING_INITIAL};
    const cli_option options[] = {
        {"in", CLI_TEXTS, &args.words, "FILE", "pictures to encode; may be repeated"},
        {"out", CLI_TEXT, &args.out, "FILE.npy",
         "output file for all embeddings; if it is a folder, one file per input"},
        {"calibrate", CLI_FLAG, &args.calibrate, NULL,
         "create the calibration that int8 needs, from the given pictures or, without any, from "
         "expert episodes of the paper's ten tasks"},
        CLI_EXCERPTING_OPTIONS(args.excerpting),
        CLI_ENCODING_OPTIONS(args.encoding),
    };
    int code =
        cli_parse(argc, argv, usage, about, options, BASE_LENGTH(options), &args.common, NULL);
    code = code == CLI_GO ? encode(&args) : code;
    cli_texts_free(&args.words);
    return code;
}
