#include "cli/encoding.h"

#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/memory.h"

enum { CHANNELS = 3, SMALLEST = 32, LARGEST = 1024, MOST_BATCH = 256 };

// --- options -----------------------------------------------------------------------------------

static int check_network(const cli_encoding *typed) {
    const tot_network_info *info = NULL;
    if (typed->network == NULL) {
        return EXIT_DONE;
    }
    if (tot_network_find(&info, typed->network) != TOT_OK) {
        return cli_usage("--%s", tot_error());
    }
    if (typed->weights == NULL && strcmp(info->name, "mobilenetv2") != 0) {
        return cli_usage(
            "--encoder %s needs --weights FILE: only mobilenetv2's come with set-up; "
            "docs/encoders.md says where to get others",
            info->name);
    }
    return EXIT_DONE;
}

int cli_encoding_read(const cli_encoding *typed, tot_encoder_settings *settings) {
    tot_encoder_defaults(settings);
    if (typed->size < SMALLEST || typed->size > LARGEST) {
        return cli_usage("--size: %lld is not in %d .. %d", (long long)typed->size, SMALLEST,
                         LARGEST);
    }
    if (typed->batch < 1 || typed->batch > MOST_BATCH) {
        return cli_usage("--batch: %lld is not in 1 .. %d", (long long)typed->batch, MOST_BATCH);
    }
    if (tot_precision_find(&settings->precision, typed->precision) != TOT_OK) {
        return cli_usage("--%s", tot_error());
    }
    if (typed->cell != 4 && typed->cell != 8 && typed->cell != 16 && typed->cell != 32) {
        return cli_usage("--cell: %lld is not 4, 8, 16 or 32", (long long)typed->cell);
    }
    settings->size = (int)typed->size;
    settings->batch = (int)typed->batch;
    settings->pool = typed->pooled;
    return check_network(typed);
}

// --- the encoder -------------------------------------------------------------------------------

char *cli_calibration_path(const cli_encoding *typed, const char *weights_path) {
    static const char ending[] = ".int8.json";
    if (typed->calibration != NULL) {
        return tot_copy_text(typed->calibration);
    }
    const size_t room = strlen(weights_path) + sizeof ending;
    char *path = tot_alloc(room, 1, "file name");
    if (path != NULL) {
        snprintf(path, room, "%s%s", weights_path, ending);
    }
    return path;
}

static tot_status load_calibration(cli_encoder *encoder, const cli_encoding *typed) {
    struct stat found;
    char *path = cli_calibration_path(typed, encoder->weights_path);
    if (path == NULL) {
        return TOT_E_MEMORY;
    }
    tot_status status = TOT_OK;
    if (typed->calibration == NULL && stat(path, &found) != 0) {
        status = tot_fail(TOT_E_MISSING,
                          "%s: int8 needs a calibration, and there is none: make it with "
                          "'temporalot encode --calibrate%s%s%s%s', or name one with --calibration",
                          path, typed->weights != NULL ? " --weights " : "",
                          typed->weights != NULL ? typed->weights : "",
                          typed->prefix != NULL ? " --prefix " : "",
                          typed->prefix != NULL ? typed->prefix : "");
    } else {
        status = tot_calibration_load(&encoder->calibration, encoder->weights, path);
    }
    tot_free(path);
    encoder->settings.calibration = encoder->calibration;
    return status;
}

tot_status cli_encoder_open_weights(cli_encoder *encoder, const cli_encoding *typed) {
    const tot_weights_settings wanted = {
        .network = typed->network, .prefix = typed->prefix, .cell = (int)typed->cell};
    encoder->weights_path = typed->weights;
    if (encoder->weights_path == NULL) {
        TOT_TRY(tot_weights_default(&encoder->weights_path));
    }
    return tot_weights_load(&encoder->weights, encoder->weights_path, &wanted);
}

tot_status cli_encoder_open(cli_encoder *encoder, const cli_encoding *typed,
                            const tot_encoder_settings *settings, tot_pool *pool) {
    *encoder = (cli_encoder){.settings = *settings};
    TOT_TRY(cli_encoder_open_weights(encoder, typed));
    if (settings->precision == TOT_PRECISION_INT8) {
        TOT_TRY(load_calibration(encoder, typed));
    }
    TOT_TRY(tot_encoder_create(&encoder->encoder, encoder->weights, &encoder->settings, pool));
    const size_t batch = (size_t)settings->batch;
    const size_t pixels = (size_t)settings->size * (size_t)settings->size;
    const size_t width = (size_t)tot_encoder_width(encoder->encoder);
    encoder->rgb = tot_alloc(batch, pixels * CHANNELS, "pictures");
    encoder->rows = tot_alloc(batch, width * sizeof *encoder->rows, "embeddings");
    return encoder->rgb != NULL && encoder->rows != NULL ? TOT_OK : TOT_E_MEMORY;
}

void cli_encoder_close(cli_encoder *encoder) {
    tot_encoder_free(encoder->encoder);
    tot_calibration_free(encoder->calibration);
    tot_weights_free(encoder->weights);
    tot_free(encoder->picture);
    tot_free(encoder->rgb);
    tot_free(encoder->rows);
    *encoder = (cli_encoder){0};
}

// --- pictures ----------------------------------------------------------------------------------

static tot_status read_resized(cli_encoder *encoder, tot_frames *frames, uint8_t *rgb, bool *end) {
    const int width = tot_frames_width(frames);
    const int height = tot_frames_height(frames);
    const int size = encoder->settings.size;
    void *picture = encoder->picture;
    if (width == size && height == size) {
        return tot_frames_read(frames, rgb, end);
    }
    TOT_TRY(tot_reserve(&picture, &encoder->picture_capacity,
                        (size_t)width * (size_t)height * CHANNELS, 1, "picture"));
    encoder->picture = picture;
    TOT_TRY(tot_frames_read(frames, encoder->picture, end));
    if (!*end) {
        tot_resize(encoder->picture, width, height, rgb, size, size);
    }
    return TOT_OK;
}

tot_status cli_pictures_read(cli_encoder *encoder, tot_frames *frames, uint8_t *rgb, int64_t most,
                             int64_t *count) {
    const size_t bytes = (size_t)encoder->settings.size * (size_t)encoder->settings.size * CHANNELS;
    bool end = false;
    *count = 0;
    while (*count < most) {
        TOT_TRY(read_resized(encoder, frames, rgb + (size_t)*count * bytes, &end));
        if (end) {
            break;
        }
        ++*count;
    }
    return TOT_OK;
}

static tot_status encode_frames(cli_encoder *encoder, tot_frames *frames, const char *path,
                                cli_progress *progress, cli_take_rows take, void *context,
                                int64_t *done) {
    const int64_t batch = encoder->settings.batch;
    int64_t count = batch;
    while (count == batch) {
        if (cli_stopped()) {
            return tot_fail(TOT_E_INTERRUPTED, "%s: stopped", path);
        }
        TOT_TRY(cli_pictures_read(encoder, frames, encoder->rgb, batch, &count));
        if (count == 0) {
            break;
        }
        const tot_status status = tot_encode(encoder->encoder, encoder->rgb, count, encoder->rows);
        if (status != TOT_OK) {
            return tot_fail_in(status, "%s", path);
        }
        TOT_TRY(take(context, encoder->rows, count));
        *done += count;
        cli_progress_show(progress, *done);
    }
    return TOT_OK;
}

tot_status cli_encode_pictures(cli_encoder *encoder, const char *path, bool quiet,
                               cli_take_rows take, void *context, int64_t *count) {
    tot_frames *frames = NULL;
    cli_progress progress;
    int64_t done = 0;
    TOT_TRY(tot_frames_open(&frames, path));
    cli_progress_start(&progress, "encode", tot_frames_count(frames), quiet);
    const tot_status status = encode_frames(encoder, frames, path, &progress, take, context, &done);
    cli_progress_end(&progress);
    tot_frames_close(frames);
    if (count != NULL) {
        *count = done;
    }
    return status;
}

// --- into an array -----------------------------------------------------------------------------

static tot_status append(void *context, const float *rows, int64_t count) {
    tot_array *out = context;
    const size_t row = (size_t)out->shape[1] * sizeof *rows;
    const size_t used = (size_t)out->shape[0] * row;
    void *data = out->data;
    TOT_TRY(tot_grow(&data, &out->capacity, used, used + (size_t)count * row, 1, "embeddings"));
    out->data = data;
    memcpy((char *)out->data + used, rows, (size_t)count * row);
    out->shape[0] += count;
    return TOT_OK;
}

tot_status cli_encode_array(cli_encoder *encoder, const char *path, bool quiet, tot_array *out) {
    out->type = TOT_F32;
    out->dimensions = 2;
    out->shape[0] = 0;
    out->shape[1] = tot_encoder_width(encoder->encoder);
    return cli_encode_pictures(encoder, path, quiet, append, out, NULL);
}
