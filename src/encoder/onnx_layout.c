// The output layouts of vision networks: a feature map, tokens, or a single vector.
#include "base/base.h"
#include "encoder/onnx.h"

enum { MOST_EXTRA = 16 };  // maximum number of class and register tokens

// The patch tokens form a square and come last.
static void read_tokens(encoder_layout *layout, int64_t tokens) {
    const int64_t side = (int64_t)sqrt((double)tokens);
    const int64_t extra = tokens - side * side;
    layout->extra = extra <= MOST_EXTRA ? extra : 0;
    layout->cells = tokens - layout->extra;
}

tot_status encoder_layout_read(encoder_layout *layout, const int64_t *sides, int64_t rank) {
    for (int64_t k = 0; k < rank; k++) {
        BASE_FAIL_IF(sides[k] < 1, TOT_E_UNSUPPORTED,
                     "the size of the output depends on the picture");
    }
    BASE_FAIL_IF(rank < 1 || rank > 4 || (rank > 1 && sides[0] != 1), TOT_E_UNSUPPORTED,
                 "the output has %lld dimensions, the first %lld: it is neither a map "
                 "(1, channels, height, width), nor tokens (1, tokens, channels), nor a row "
                 "(1, channels)",
                 (long long)rank, rank > 0 ? (long long)sides[0] : 0);
    *layout = (encoder_layout){.cells = 1, .channels = sides[rank - 1], .channel_last = true};
    if (rank == 3) {
        read_tokens(layout, sides[1]);
    } else if (rank == 4 && sides[1] == sides[2] && sides[2] != sides[3]) {
        layout->cells = sides[1] * sides[2];
    } else if (rank == 4) {
        *layout = (encoder_layout){.channels = sides[1], .cells = sides[2] * sides[3]};
    }
    return TOT_OK;
}

static void take_mean(const encoder_layout *layout, const float *numbers, float *out) {
    const int64_t next_cell = layout->channel_last ? layout->channels : 1;
    const int64_t next_channel = layout->channel_last ? 1 : layout->cells;
    for (int64_t channel = 0; channel < layout->channels; channel++) {
        double sum = 0;
        for (int64_t cell = 0; cell < layout->cells; cell++) {
            sum += (double)numbers[cell * next_cell + channel * next_channel];
        }
        out[channel] = (float)(sum / (double)layout->cells);
    }
}

void encoder_layout_take(const encoder_layout *layout, const float *numbers, bool pool,
                         float *out) {
    const int64_t channels = layout->channels;
    const float *patches = numbers + layout->extra * channels;
    if (pool && layout->extra > 0) {
        memcpy(out, numbers, (size_t)channels * sizeof *out);
    } else if (pool) {
        take_mean(layout, patches, out);
    } else if (!layout->channel_last) {
        memcpy(out, numbers, (size_t)(channels * layout->cells) * sizeof *out);
    } else {
        for (int64_t channel = 0; channel < channels; channel++) {
            for (int64_t cell = 0; cell < layout->cells; cell++) {
                out[channel * layout->cells + cell] = patches[cell * channels + channel];
            }
        }
    }
}
