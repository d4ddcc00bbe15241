#include "cli/encoding.h"

#include "cli/terminal.h"
#include "encoder/onnx.h"

enum { SMALLEST = 32, LARGEST = 1024, MOST_BATCH = 256 };

// --- options -----------------------------------------------------------------------------------

const char *cli_encoder_help(void) {
    static char text[1024];
    return cli_list_choices(text, sizeof text, "network of the weight file: ", "ENCODER",
                            " (default: detected from the tensors); or an ONNX file, FILE.onnx");
}

static bool is_onnx(const cli_encoding *typed) {
    const tot_weights_settings settings = {.network = typed->network};
    return encoder_onnx_path(typed->weights, &settings) != NULL;
}

static int check_network(const cli_encoding *typed) {
    const tot_network_info *info = NULL;
    if (typed->network == NULL || is_onnx(typed)) {
        return EXIT_DONE;
    }
    CLI_USAGE_IF(tot_network_find(&info, typed->network) != TOT_OK, "--%s", tot_error());
    CLI_USAGE_IF(typed->weights == NULL && strcmp(info->name, "mobilenetv2") != 0,
                 "--encoder %s needs --weights FILE: only mobilenetv2's are installed during "
                 "set-up; docs/encoders.md says where to get others",
                 info->name);
    return EXIT_DONE;
}

int cli_encoding_read(const cli_encoding *typed, tot_embedder_settings *settings) {
    tot_embedder_defaults(settings);
    CLI_RANGE("batch", typed->batch, 1, MOST_BATCH);
    CLI_USAGE_IF(tot_precision_find(&settings->encoder.precision, typed->precision) != TOT_OK,
                 "--%s", tot_error());
    CLI_USAGE_IF(
        typed->stride != 4 && typed->stride != 8 && typed->stride != 16 && typed->stride != 32,
        "--stride: %lld is not 4, 8, 16 or 32", (long long)typed->stride);
    if (typed->size != CLI_SIZE_OWN) {
        CLI_RANGE("size", typed->size, SMALLEST, LARGEST);
        settings->encoder.size = (int)typed->size;
    } else if (is_onnx(typed)) {
        settings->encoder.size = 0;
    }
    settings->encoder.batch = (int)typed->batch;
    settings->encoder.pool = typed->pooled;
    settings->weights = typed->weights;
    settings->calibration = typed->calibration;
    settings->body = (tot_weights_settings){.network = typed->network,
                                            .prefix = typed->prefix,
                                            .stride = (int)typed->stride,
                                            .output = typed->output,
                                            .preprocess = typed->preprocess,
                                            .mean = typed->mean,
                                            .std = typed->std};
    return check_network(typed);
}

int cli_encoding_fail(const cli_encoding *typed, tot_status status) {
    const char *path = NULL;
    // int8 without weights or without a calibration
    if (status != TOT_E_MISSING || strcmp(typed->precision, "int8") != 0 ||
        (typed->weights == NULL && tot_weights_default(&path) != TOT_OK)) {
        return cli_fail();
    }
    fprintf(stderr,
            "temporalot: %s: create it with 'temporalot encode --calibrate%s%s%s%s', or name one "
            "with --calibration\n",
            tot_error(), typed->weights != NULL ? " --weights " : "",
            typed->weights != NULL ? typed->weights : "", typed->prefix != NULL ? " --prefix " : "",
            typed->prefix != NULL ? typed->prefix : "");
    return EXIT_FAILED;
}

// --- progress ----------------------------------------------------------------------------------

bool cli_watching_show(cli_watching *watching, const tot_label_progress *progress) {
    const cli_encoding *typed = watching->encoding;
    if (progress->source != NULL && typed != NULL) {
        watching->encoding = NULL;
        if (typed->weights == NULL && typed->network == NULL && !watching->quiet) {
            cli_say(stderr,
                    "temporalot: %s: pictures, encoded with the default network (%s); --weights "
                    "FILE selects another",
                    progress->source, progress->encoder);
        }
    }
    cli_progress *bar = progress->source != NULL ? &watching->encode : &watching->label;
    if (progress->done == 0) {
        cli_progress_start(bar, progress->doing, progress->total, watching->quiet);
    }
    cli_progress_show(bar, progress->done);
    return !cli_stopped();
}

void cli_watching_clear(cli_watching *watching) {
    cli_progress_end(&watching->encode);
    cli_progress_end(&watching->label);
}
