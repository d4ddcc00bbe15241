#include "cli/encoding.h"

#include "cli/terminal.h"
#include "encoder/networks.h"
#include "encoder/onnx.h"

// --- options -----------------------------------------------------------------------------------

const char *cli_encoder_help(void) {
    static char text[1024];
    return cli_list_choices(text, sizeof text, "network of the weight file: ", "ENCODER",
                            " (default: detected from the tensors); or an ONNX file, FILE.onnx");
}

static bool is_onnx(const tot_embedder_settings *settings) {
    return encoder_onnx_path(settings->weights, &settings->body) != NULL;
}

static int check_network(const tot_embedder_settings *settings) {
    const tot_network_info *info = NULL;
    if (settings->body.network == NULL || is_onnx(settings)) {
        return EXIT_DONE;
    }
    CLI_USAGE_IF(tot_network_find(&info, settings->body.network) != TOT_OK, "--%s", tot_error());
    CLI_USAGE_IF(settings->weights == NULL && strcmp(info->name, "mobilenetv2") != 0,
                 "--encoder %s needs --weights FILE: only mobilenetv2's are installed during "
                 "set-up; docs/encoders.md says where to get others",
                 info->name);
    return EXIT_DONE;
}

static const char moving[] = "moving";

static int read_excerpt(tot_excerpt *excerpt, const char *crop) {
    CLI_RANGE("every", excerpt->every, 1, INFINITY);
    CLI_RANGE("fps", isnan(excerpt->fps) ? 1 : excerpt->fps, 0.001, 1000);
    CLI_RANGE("from", excerpt->from, 0, INFINITY);
    CLI_USAGE_IF(!isnan(excerpt->to) && !(excerpt->to > excerpt->from),
                 "--to: %g is not after --from %g", excerpt->to, excerpt->from);
    excerpt->fps = isnan(excerpt->fps) ? 0 : excerpt->fps;
    excerpt->to = isnan(excerpt->to) ? 0 : excerpt->to;
    CLI_USAGE_IF(
        crop != NULL && strcmp(crop, moving) != 0 && tot_excerpt_set_crop(excerpt, crop) != TOT_OK,
        "--%s, or moving", tot_error());
    return EXIT_DONE;
}

static int read_encoder(cli_encoding *typed) {
    tot_embedder_settings *settings = &typed->settings;
    tot_encoder_settings *encoder = &settings->encoder;
    tot_encoder_defaults(encoder);
    CLI_RANGE("batch", typed->batch, 1, TOT_MAX_ENCODER_BATCH);
    CLI_USAGE_IF(!encoder_is_stride(typed->stride), "--stride: %lld is not 4, 8, 16 or 32",
                 (long long)typed->stride);
    if (typed->size != CLI_NOT_GIVEN) {
        CLI_RANGE("size", typed->size, TOT_MIN_ENCODER_SIZE, TOT_MAX_ENCODER_SIZE);
        encoder->size = (int)typed->size;
    } else if (is_onnx(settings)) {
        encoder->size = 0;
    }
    encoder->batch = (int)typed->batch;
    encoder->pool = typed->pooled;
    encoder->precision = typed->precision;
    settings->body.stride = (int)typed->stride;
    return check_network(settings);
}

int cli_encoding_read(cli_encoding *encoding) {
    int code = read_excerpt(&encoding->excerpt, encoding->crop);
    return CLI_THEN(code, read_encoder(encoding));
}

static tot_status find_sources(tot_source_list *sources, const cli_texts *words, const char *what) {
    const size_t before = sources->count;
    for (size_t k = 0; k < words->count; k++) {
        BASE_TRY(tot_source_list_add(sources, words->items[k]));
    }
    BASE_FAIL_IF(what != NULL && sources->count == before, TOT_E_FILE, "%s: no %s found",
                 words->items[0], what);
    return TOT_OK;
}

int cli_sources_find(tot_source_list *sources, const cli_texts *words, const cli_encoding *encoding,
                     const char *what) {
    const tot_status status = find_sources(sources, words, what);
    for (size_t k = 0; k < sources->count && !tot_excerpt_is_all(&encoding->excerpt); k++) {
        sources->items[k].excerpt = &encoding->excerpt;
    }
    return cli_result(status);
}

// The region of one view.
static tot_status crop_view(const tot_source_list *sources, size_t demos, size_t view,
                            tot_excerpt *excerpt) {
    const char **paths = base_alloc(demos, sizeof *paths, "file names");
    BASE_HAVE(paths);
    for (size_t k = 0; k < demos; k++) {
        const tot_label_source *demo = &sources->items[k];
        paths[k] = view == 0 ? demo->path : demo->others[view - 1].path;
    }
    BASE_FINALLY(tot_frames_moving(excerpt->region, paths, demos, excerpt),
                 base_free((void *)paths));
}

static tot_status crop_views(tot_source_list *sources, size_t demos, cli_encoding *encoding,
                             bool quiet) {
    int64_t views = 1;
    BASE_TRY(tot_label_views(sources->items, sources->count, &views));
    for (size_t view = 0; view < (size_t)views; view++) {
        tot_excerpt *excerpt = &encoding->moving[view];
        const double *region = excerpt->region;
        *excerpt = encoding->excerpt;
        BASE_TRY(crop_view(sources, demos, view, excerpt));
        for (size_t k = 0; k < sources->count; k++) {
            tot_label_source *source = &sources->items[k];
            *(view == 0 ? &source->excerpt : &source->others[view - 1].excerpt) = excerpt;
        }
        if (!quiet) {
            cli_say(stderr,
                    "temporalot: %s: pictures are cropped to the part that moves: from %.0f to "
                    "%.0f %% of the width, from %.0f to %.0f %% of the height",
                    view == 0 ? sources->items[0].path : sources->items[0].others[view - 1].path,
                    100 * region[0], 100 * region[2], 100 * region[1], 100 * region[3]);
        }
    }
    return TOT_OK;
}

int cli_sources_crop(tot_source_list *sources, size_t demos, cli_encoding *encoding, bool quiet) {
    return encoding->crop != NULL && strcmp(encoding->crop, moving) == 0
               ? cli_result(crop_views(sources, demos, encoding, quiet))
               : EXIT_DONE;
}

int cli_encoding_result(const cli_encoding *encoding, tot_status status) {
    const tot_embedder_settings *settings = &encoding->settings;
    const char *path = NULL;
    // int8 without weights or without a calibration
    if (status != TOT_E_MISSING || settings->encoder.precision != TOT_PRECISION_INT8 ||
        (settings->weights == NULL && tot_weights_default(&path) != TOT_OK)) {
        return cli_result(status);
    }
    const char *weights = settings->weights, *prefix = settings->body.prefix;
    fprintf(stderr,
            "temporalot: %s: create it with 'temporalot encode --calibrate%s%s%s%s', or name one "
            "with --calibration\n",
            tot_error(), weights != NULL ? " --weights " : "", weights != NULL ? weights : "",
            prefix != NULL ? " --prefix " : "", prefix != NULL ? prefix : "");
    return EXIT_FAILED;
}

// --- progress ----------------------------------------------------------------------------------

bool cli_watching_show(cli_watching *watching, const tot_label_progress *progress) {
    const cli_encoding *encoding = watching->encoding;
    if (progress->source != NULL && encoding != NULL) {
        const tot_embedder_settings *settings = &encoding->settings;
        watching->encoding = NULL;
        if (settings->weights == NULL && settings->body.network == NULL && !watching->quiet) {
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
