// Pictures from a video, decoded by FFmpeg. The demuxer reads through a file_source and cannot open
// anything else, so a playlist that names other files or addresses has no effect. Decoding is
// bit-exact: a video always gives the same bytes, with any number of threads.
#include <libavutil/display.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "file/array.h"
#include "file/colours.h"
#include "file/ffmpeg.h"
#include "file/frames.h"
#include "file/silence.h"

enum { IO_SIZE = 1 << 16 };

// A rotation by a multiple of 90 degrees, or a reflection: the pixel at (x, y) is shown at (xx x +
// yx y, xy x + yy y).
typedef struct turn {
    int xx, xy, yx, yy;
} turn;

typedef struct video_reader {
    file_source source;
    AVIOContext *io;
    AVFormatContext *format;
    AVStream *stream;
    AVCodecContext *codec;
    struct SwsContext *scaler;
    int scaler_format;      // of the pictures it was created for
    int scaled;             // pictures it has converted
    file_colours *colours;  // replaces the scaler for pictures that are resized; NULL: use the
                            // scaler
    int colours_width, colours_height;  // and their target size
    AVPacket *packet;
    AVFrame *frame;  // as decoded
    AVFrame *rgb;    // rows are padded, as the scaler may write past them
    turn turn;       // applied to every picture
    bool waiting;    // frame holds the next picture
    int64_t first;   // timestamp of the first picture
    bool past_end;   // a read past the end of the file was attempted
    int64_t packets;
    int64_t promised;  // packets declared by the container; -1: unknown
} video_reader;

// --- errors ------------------------------------------------------------------------------------

static tot_status need(const tot_frames *frames, bool allocated) {
    BASE_FAIL_IF(!allocated, TOT_E_MEMORY, "%s: no memory for a video", frames->path);
    return TOT_OK;
}

static tot_status cut_short(const tot_frames *frames) {
    return base_fail(TOT_E_FORMAT, "%s: cut short or damaged: it ends early, at picture %lld",
                     frames->path, (long long)frames->taken);
}

// The result of a call of FFmpeg.
static tot_status check(const tot_frames *frames, const char *what, int result) {
    char text[AV_ERROR_MAX_STRING_SIZE] = "";
    if (result >= 0) {
        return TOT_OK;
    }
    BASE_TRY(need(frames, result != AVERROR(ENOMEM)));
    av_strerror(result, text, sizeof text);
    return base_fail(TOT_E_FORMAT, "%s: %s: %s", frames->path, what, text);
}

// The same for a call at the next picture.
static tot_status check_picture(const tot_frames *frames, int result) {
    char what[64];
    if (result >= 0) {
        return TOT_OK;
    }
    snprintf(what, sizeof what, "damaged at picture %lld", (long long)frames->taken);
    return check(frames, what, result);
}

// --- the file ----------------------------------------------------------------------------------

static int read_bytes(void *context, uint8_t *bytes, int size) {
    video_reader *reader = context;
    const int64_t left = reader->source.size - reader->source.position;
    if (left <= 0) {
        reader->past_end = reader->past_end || left < 0;
        return AVERROR_EOF;
    }
    const int some = left < size ? (int)left : size;
    return file_source_read(&reader->source, bytes, (size_t)some, "video") == TOT_OK ? some
                                                                                     : AVERROR(EIO);
}

static int64_t seek_to(void *context, int64_t offset, int whence) {
    video_reader *reader = context;
    if ((whence & AVSEEK_SIZE) != 0) {
        return reader->source.size;
    }
    const int64_t from = whence == SEEK_CUR   ? reader->source.position
                         : whence == SEEK_END ? reader->source.size
                                              : 0;
    int64_t place = 0;
    if (__builtin_add_overflow(from, offset, &place) || place < 0) {
        return AVERROR(EINVAL);
    }
    reader->source.position = place;
    return place;
}

static int open_nothing(AVFormatContext *format, AVIOContext **io, const char *address, int flags,
                        AVDictionary **options) {
    (void)format;
    (void)address;
    (void)flags;
    (void)options;
    *io = NULL;
    return AVERROR(EACCES);
}

// Detects the container from the first bytes. Playlists are rejected, because they refer to other
// files.
static tot_status find_container(const tot_frames *frames, video_reader *reader,
                                 const AVInputFormat **kind) {
    static const char *const playlists[] = {"hls", "concat", "dash", "imf", "sdp", "image2"};
    BASE_TRY(check(frames, "neither an array nor a PNG, nor a video that can be read",
                   file_ffmpeg.av_probe_input_buffer2(reader->io, kind, "", NULL, 0, 0)));
    for (size_t k = 0; k < sizeof playlists / sizeof *playlists; k++) {
        BASE_FAIL_IF(strcmp((*kind)->name, playlists[k]) == 0, TOT_E_UNSUPPORTED,
                     "%s: is a playlist (%s) of other files; name the video itself", frames->path,
                     (*kind)->name);
    }
    return TOT_OK;
}

static tot_status open_container(tot_frames *frames, video_reader *reader) {
    uint8_t *buffer = av_malloc(IO_SIZE);
    if (buffer != NULL) {
        reader->io =
            file_ffmpeg.avio_alloc_context(buffer, IO_SIZE, 0, reader, read_bytes, NULL, seek_to);
    }
    if (reader->io == NULL) {
        av_free(buffer);
        return need(frames, false);
    }
    reader->format = file_ffmpeg.avformat_alloc_context();
    BASE_TRY(need(frames, reader->format != NULL));
    reader->format->pb = reader->io;
    reader->format->io_open = open_nothing;
    reader->format->flags |= AVFMT_FLAG_CUSTOM_IO | AVFMT_FLAG_BITEXACT;
    reader->format->protocol_whitelist = av_strdup("none");
    BASE_TRY(need(frames, reader->format->protocol_whitelist != NULL));
    const AVInputFormat *kind = NULL;
    BASE_TRY(find_container(frames, reader, &kind));
    // on failure this frees the format and sets it to NULL
    BASE_TRY(check(frames, "damaged or truncated video",
                   file_ffmpeg.avformat_open_input(&reader->format, "", kind, NULL)));
    return check(frames, "damaged or truncated video",
                 file_ffmpeg.avformat_find_stream_info(reader->format, NULL));
}

// --- the stream --------------------------------------------------------------------------------

static const int32_t *display_matrix(const AVStream *stream) {
#if LIBAVCODEC_VERSION_MAJOR >= 61
    const AVPacketSideData *data = file_ffmpeg.av_packet_side_data_get(
        stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data,
        AV_PKT_DATA_DISPLAYMATRIX);
    return data != NULL ? (const int32_t *)(const void *)data->data : NULL;
#else
    return (const int32_t *)(const void *)file_ffmpeg.av_stream_get_side_data(
        stream, AV_PKT_DATA_DISPLAYMATRIX, NULL);
#endif
}

static const int32_t *matrix_of_frame(const AVFrame *frame) {
    const AVFrameSideData *data = av_frame_get_side_data(frame, AV_FRAME_DATA_DISPLAYMATRIX);
    return data != NULL ? (const int32_t *)(const void *)data->data : NULL;
}

static int sign_of(int32_t value) {
    return value > 0 ? 1 : value < 0 ? -1 : 0;
}

// How a player rotates and mirrors the pictures. matrix may be NULL: not at all. Only multiples of
// 90 degrees are supported; ignoring any other rotation would give wrong pictures.
static tot_status find_turn(const tot_frames *frames, video_reader *reader, const int32_t *matrix) {
    turn *found = &reader->turn;
    *found = (turn){1, 0, 0, 1};
    if (matrix == NULL) {
        return TOT_OK;
    }
    *found = (turn){sign_of(matrix[0]), sign_of(matrix[1]), sign_of(matrix[3]), sign_of(matrix[4])};
    const bool straight = found->xx != 0 && found->yy != 0 && found->xy == 0 && found->yx == 0;
    const bool across = found->xx == 0 && found->yy == 0 && found->xy != 0 && found->yx != 0;
    return straight || across ? TOT_OK
                              : base_fail(TOT_E_UNSUPPORTED,
                                          "%s: its rotation metadata of %g degrees is not "
                                          "supported; 'ffmpeg -i IN.mp4 OUT.mp4' applies it",
                                          frames->path, av_display_rotation_get(matrix));
}

static bool is_across(const video_reader *reader) {
    return reader->turn.xx == 0;
}

// Copies a picture of width x height pixels, rotated: x' = xx x + yx y, y' = xy x + yy y.
static void copy_turned(const turn *how, const uint8_t *from, ptrdiff_t row, int width, int height,
                        uint8_t *to) {
    const int to_width = how->xx != 0 ? width : height;
    const int left = (how->xx < 0 ? width - 1 : 0) + (how->yx < 0 ? height - 1 : 0);
    const int top = (how->xy < 0 ? width - 1 : 0) + (how->yy < 0 ? height - 1 : 0);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            const int to_x = left + how->xx * x + how->yx * y;
            const int to_y = top + how->xy * x + how->yy * y;
            memcpy(to + ((size_t)to_y * (size_t)to_width + (size_t)to_x) * FILE_FRAMES_CHANNELS,
                   from + y * row + (ptrdiff_t)x * FILE_FRAMES_CHANNELS, FILE_FRAMES_CHANNELS);
        }
    }
}

// Number of packets, if the container has a complete index.
static int64_t count_packets(AVStream *stream) {
    const int entries = file_ffmpeg.avformat_index_get_entries_count(stream);
    if (stream->nb_frames <= 0 || stream->nb_frames != entries) {
        return -1;
    }
    for (int k = 0; k < entries; k++) {
        const AVIndexEntry *entry = file_ffmpeg.avformat_index_get_entry(stream, k);
        if (entry == NULL || (entry->flags & AVINDEX_DISCARD_FRAME) != 0) {
            return -1;
        }
    }
    return entries;
}

static tot_status find_stream(const tot_frames *frames, video_reader *reader) {
    const int index =
        file_ffmpeg.av_find_best_stream(reader->format, AVMEDIA_TYPE_VIDEO, -1, -1, NULL, 0);
    BASE_FAIL_IF(index < 0 || (reader->format->streams[index]->disposition &
                               AV_DISPOSITION_ATTACHED_PIC) != 0,
                 TOT_E_FORMAT, "%s: holds no video (FFmpeg detects: %s)", frames->path,
                 reader->format->iformat->long_name);
    reader->stream = reader->format->streams[index];
    for (unsigned k = 0; k < reader->format->nb_streams; k++) {
        reader->format->streams[k]->discard = (int)k == index ? AVDISCARD_DEFAULT : AVDISCARD_ALL;
    }
    reader->promised = count_packets(reader->stream);
    return TOT_OK;
}

static tot_status open_decoder(tot_frames *frames, video_reader *reader) {
    const AVCodecParameters *parameters = reader->stream->codecpar;
    const AVCodec *kind = file_ffmpeg.avcodec_find_decoder(parameters->codec_id);
    BASE_FAIL_IF(kind == NULL, TOT_E_UNSUPPORTED, "%s: FFmpeg has no decoder for %s", frames->path,
                 file_ffmpeg.avcodec_get_name(parameters->codec_id));
    reader->codec = file_ffmpeg.avcodec_alloc_context3(kind);
    reader->packet = file_ffmpeg.av_packet_alloc();
    reader->frame = av_frame_alloc();
    reader->rgb = av_frame_alloc();
    BASE_TRY(need(frames, reader->codec != NULL && reader->packet != NULL &&
                              reader->frame != NULL && reader->rgb != NULL));
    BASE_TRY(check(frames, "its decoder does not start",
                   file_ffmpeg.avcodec_parameters_to_context(reader->codec, parameters)));
    reader->codec->pkt_timebase = reader->stream->time_base;
    reader->codec->thread_count = frames->threads;
    reader->codec->flags |= AV_CODEC_FLAG_BITEXACT;
    reader->codec->err_recognition |= AV_EF_EXPLODE;
    reader->codec->max_pixels = FILE_FRAMES_MOST_PIXELS;
    return check(frames, "its decoder does not start",
                 file_ffmpeg.avcodec_open2(reader->codec, kind, NULL));
}

// --- decoding ----------------------------------------------------------------------------------

// At the end of the file: checks that the video is complete.
static tot_status check_whole(const tot_frames *frames, const video_reader *reader) {
    const bool all = reader->promised < 0 || reader->packets >= reader->promised;
    return reader->past_end || !all ? cut_short(frames) : TOT_OK;
}

// Sends the next packet to the decoder, or the end of the stream.
static tot_status feed(const tot_frames *frames, video_reader *reader) {
    AVPacket *packet = reader->packet;
    int error = file_ffmpeg.av_read_frame(reader->format, packet);
    if (reader->io->error == AVERROR(EIO)) {
        file_ffmpeg.av_packet_unref(packet);
        // the source has already set the error message
        return TOT_E_FILE;
    }
    if (error == AVERROR_EOF) {
        BASE_TRY(check_whole(frames, reader));
        return check_picture(frames, file_ffmpeg.avcodec_send_packet(reader->codec, NULL));
    }
    if (error < 0) {
        return reader->past_end ? cut_short(frames) : check_picture(frames, error);
    }
    const bool ours = packet->stream_index == reader->stream->index;
    const bool torn = ours && (packet->flags & AV_PKT_FLAG_CORRUPT) != 0;
    if (ours && !torn) {
        reader->packets++;
        error = file_ffmpeg.avcodec_send_packet(reader->codec, packet);
    }
    file_ffmpeg.av_packet_unref(packet);
    return torn ? cut_short(frames) : check_picture(frames, error);
}

// Decodes the next picture into reader->frame.
static tot_status decode(const tot_frames *frames, video_reader *reader, bool *end) {
    int error;
    while ((error = file_ffmpeg.avcodec_receive_frame(reader->codec, reader->frame)) ==
           AVERROR(EAGAIN)) {
        BASE_TRY(feed(frames, reader));
    }
    *end = error == AVERROR_EOF;
    if (error < 0) {
        return *end ? TOT_OK : check_picture(frames, error);
    }
    const bool broken = (reader->frame->flags & AV_FRAME_FLAG_CORRUPT) != 0 ||
                        reader->frame->decode_error_flags != 0;
    return check_picture(frames, broken ? AVERROR_INVALIDDATA : 0);
}

// Uses the Y'CbCr matrix and range declared by the video, or the defaults of swscale.
static void set_colours(struct SwsContext *scaler, const AVFrame *frame) {
    int *from = NULL;
    int *to = NULL;
    int from_range = 0;
    int to_range = 0;
    int brightness = 0;
    int contrast = 0;
    int saturation = 0;
    if (file_ffmpeg.sws_getColorspaceDetails(scaler, &from, &from_range, &to, &to_range,
                                             &brightness, &contrast, &saturation) < 0) {
        return;
    }
    from_range = from_range != 0 || frame->color_range == AVCOL_RANGE_JPEG;
    file_ffmpeg.sws_setColorspaceDetails(
        scaler, file_ffmpeg.sws_getCoefficients((int)frame->colorspace), from_range, to, to_range,
        brightness, contrast, saturation);
}

static void drop_colours(video_reader *reader) {
    file_colours_free(reader->colours);
    reader->colours = NULL;
    reader->scaled = 0;
}

// The scaler for pictures like the decoded one.
static tot_status find_scaler(const tot_frames *frames, video_reader *reader) {
    const AVFrame *frame = reader->frame;
    if (reader->scaler != NULL && reader->scaler_format == frame->format) {
        return TOT_OK;
    }
    reader->scaler = file_ffmpeg.sws_getCachedContext(
        reader->scaler, frame->width, frame->height, (enum AVPixelFormat)frame->format,
        frame->width, frame->height, AV_PIX_FMT_RGB24,
        SWS_BILINEAR | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP | SWS_BITEXACT,
        NULL, NULL, NULL);
    BASE_FAIL_IF(reader->scaler == NULL, TOT_E_UNSUPPORTED,
                 "%s: its pixel format cannot be converted to RGB", frames->path);
    set_colours(reader->scaler, frame);
    reader->scaler_format = frame->format;
    drop_colours(reader);
    return TOT_OK;
}

static tot_status scale(const tot_frames *frames, video_reader *reader, const AVFrame *frame,
                        uint8_t *rgb) {
    const size_t row = (size_t)frames->width * FILE_FRAMES_CHANNELS;
    BASE_TRY(check_picture(
        frames,
        file_ffmpeg.sws_scale(reader->scaler, (const uint8_t *const *)frame->data, frame->linesize,
                              0, frame->height, reader->rgb->data, reader->rgb->linesize)));
    if (reader->turn.xx != 1 || reader->turn.yy != 1) {
        copy_turned(&reader->turn, reader->rgb->data[0], reader->rgb->linesize[0], frame->width,
                    frame->height, rgb);
        return TOT_OK;
    }
    for (int y = 0; y < frames->height; y++) {
        memcpy(rgb + (size_t)y * row,
               reader->rgb->data[0] + (ptrdiff_t)y * reader->rgb->linesize[0], row);
    }
    return TOT_OK;
}

// --- pictures that are resized -----------------------------------------------------------------

static void resize(const tot_frames *frames, uint8_t *rgb) {
    tot_resize(frames->picture, frames->width, frames->height, rgb, frames->to_width,
               frames->to_height);
}

static void convert_some(const tot_frames *frames, file_colours *colours, const AVFrame *frame) {
    const uint8_t *const planes[3] = {frame->data[0], frame->data[1], frame->data[2]};
    file_colours_convert(colours, planes, frame->linesize, frames->picture);
}

// A test picture with random neighbouring colours.
static tot_status make_noise(const tot_frames *frames, AVFrame *noise, const AVFrame *like) {
    uint32_t state = 1;
    noise->format = like->format;
    noise->width = like->width;
    noise->height = like->height;
    BASE_TRY(need(frames, av_frame_get_buffer(noise, 0) >= 0));
    for (int plane = 0; plane < 3; plane++) {
        const int rows = plane == 0 ? like->height : like->height / 2;
        for (int k = 0; k < rows * noise->linesize[plane]; k++) {
            state = state * 1664525U + 1013904223U;
            noise->data[plane][k] = (uint8_t)(state >> 24);
        }
    }
    return TOT_OK;
}

// Whether both conversions agree on a picture. scratch: for two pictures of the target size.
static tot_status compare(const tot_frames *frames, video_reader *reader, const AVFrame *noise,
                          file_colours *colours, uint8_t *scratch, bool *same) {
    const size_t bytes =
        (size_t)frames->to_width * (size_t)frames->to_height * FILE_FRAMES_CHANNELS;
    BASE_TRY(scale(frames, reader, noise, frames->picture));
    resize(frames, scratch);
    // make sure that no old pixel is mistaken for a converted one
    memset(frames->picture, 0,
           (size_t)frames->width * (size_t)frames->height * FILE_FRAMES_CHANNELS);
    convert_some(frames, colours, noise);
    resize(frames, scratch + bytes);
    *same = memcmp(scratch, scratch + bytes, bytes) == 0;
    return TOT_OK;
}

// Finds the conversion that matches this version of swscale; if there is none, colours stays NULL.
static tot_status find_colours(const tot_frames *frames, video_reader *reader) {
    int *from = NULL;
    int *to = NULL;
    int range = 0;
    int unused = 0;
    if (file_ffmpeg.sws_getColorspaceDetails(reader->scaler, &from, &range, &to, &unused, &unused,
                                             &unused, &unused) < 0) {
        return TOT_OK;
    }
    file_colours_kind kind = {
        frames->width, frames->height, frames->to_width, frames->to_height, {0}, range != 0, false};
    memcpy(kind.matrix, from, sizeof kind.matrix);
    AVFrame *noise = av_frame_alloc();
    uint8_t *scratch = base_alloc((size_t)kind.to_width * (size_t)kind.to_height,
                                  2 * FILE_FRAMES_CHANNELS, "picture");
    tot_status status = need(frames, noise != NULL && scratch != NULL);
    BASE_THEN(status, make_noise(frames, noise, reader->frame));
    for (int way = 0; way < 2 && reader->colours == NULL && status == TOT_OK; way++) {
        bool same = false;
        kind.nearest = way == 1;
        status = file_colours_create(&reader->colours, &kind);
        BASE_THEN(status, compare(frames, reader, noise, reader->colours, scratch, &same));
        if (!same) {
            file_colours_free(reader->colours);
            reader->colours = NULL;
        }
    }
    av_frame_free(&noise);
    base_free(scratch);
    return status;
}

// The first picture goes through the scaler: for a single one the comparison is not worthwhile.
static tot_status convert_resized(const tot_frames *frames, video_reader *reader, uint8_t *rgb) {
    enum { COMPARED = 1 };
    const AVFrame *frame = reader->frame;
    const bool turned = reader->turn.xx != 1 || reader->turn.yy != 1;
    const bool halved = frame->format == AV_PIX_FMT_YUV420P || frame->format == AV_PIX_FMT_YUVJ420P;
    const bool even = frame->width % 2 == 0 && frame->height % 2 == 0 && frame->width >= 10 &&
                      frame->height >= 10;
    if (reader->colours_width != frames->to_width || reader->colours_height != frames->to_height) {
        drop_colours(reader);
        reader->colours_width = frames->to_width;
        reader->colours_height = frames->to_height;
    }
    if (reader->scaled == COMPARED && !turned && halved && even) {
        BASE_TRY(find_colours(frames, reader));
    }
    if (reader->colours != NULL) {
        convert_some(frames, reader->colours, frame);
    } else {
        BASE_TRY(scale(frames, reader, frame, frames->picture));
    }
    reader->scaled += reader->scaled <= COMPARED ? 1 : 0;
    resize(frames, rgb);
    return TOT_OK;
}

// --- reading pictures --------------------------------------------------------------------------

static int64_t duration_of(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
    return frame->duration;
#else
    return frame->pkt_duration;
#endif
}

// Presentation time of the decoded picture, and its time since the first one.
static void take_time(tot_frames *frames, const video_reader *reader) {
    const AVFrame *frame = reader->frame;
    const AVRational rate = reader->stream->avg_frame_rate;
    const double unit = av_q2d(reader->stream->time_base);
    const double usual = rate.num > 0 && rate.den > 0 ? 1 / av_q2d(rate) : 0;
    const bool has_time = frame->best_effort_timestamp != AV_NOPTS_VALUE;
    const bool known = has_time && reader->first != AV_NOPTS_VALUE;
    frames->time = has_time ? (double)frame->best_effort_timestamp * unit : (double)NAN;
    frames->duration = duration_of(frame) > 0 ? (double)duration_of(frame) * unit : usual;
    frames->seconds = known ? (double)(frame->best_effort_timestamp - reader->first) * unit
                            : (double)frames->taken * usual;
}

static tot_status take_picture(tot_frames *frames, uint8_t *rgb, bool *end, bool resized) {
    video_reader *reader = frames->state;
    if (!reader->waiting) {
        BASE_TRY(decode(frames, reader, end));
        if (*end) {
            return TOT_OK;
        }
        BASE_TRY(file_frames_check_size(
            frames, NULL, is_across(reader) ? reader->frame->height : reader->frame->width,
            is_across(reader) ? reader->frame->width : reader->frame->height));
    }
    reader->waiting = false;
    take_time(frames, reader);
    tot_status status = find_scaler(frames, reader);
    BASE_THEN(status, resized ? convert_resized(frames, reader, rgb)
                              : scale(frames, reader, reader->frame, rgb));
    av_frame_unref(reader->frame);
    return status;
}

static tot_status read_picture(tot_frames *frames, uint8_t *rgb, bool *end) {
    file_silence_begin();
    BASE_FINALLY(take_picture(frames, rgb, end, false), file_silence_end());
}

static tot_status read_resized(tot_frames *frames, uint8_t *rgb, bool *end) {
    file_silence_begin();
    BASE_FINALLY(take_picture(frames, rgb, end, true), file_silence_end());
}

// --- opening and closing -----------------------------------------------------------------------

static void close_reader(void *state) {
    video_reader *reader = state;
    BASE_UNLESS_NULL(reader);
    file_silence_begin();
    file_ffmpeg.sws_freeContext(reader->scaler);
    file_colours_free(reader->colours);
    av_frame_free(&reader->rgb);
    av_frame_free(&reader->frame);
    file_ffmpeg.av_packet_free(&reader->packet);
    file_ffmpeg.avcodec_free_context(&reader->codec);
    file_ffmpeg.avformat_close_input(&reader->format);
    if (reader->io != NULL) {
        av_freep(&reader->io->buffer);
        file_ffmpeg.avio_context_free(&reader->io);
    }
    file_silence_end();
    file_source_close(&reader->source);
    base_free(reader);
}

static const file_frames_kind video_kind = {read_picture, read_resized, close_reader};

// The size is taken from the first picture, whatever the container declares.
static tot_status decode_first(tot_frames *frames, video_reader *reader) {
    bool end = false;
    BASE_TRY(decode(frames, reader, &end));
    BASE_FAIL_IF(end, TOT_E_FORMAT, "%s: a video without pictures", frames->path);
    reader->waiting = true;
    const AVFrame *first = reader->frame;
    const int32_t *matrix = display_matrix(reader->stream);
    BASE_TRY(find_turn(frames, reader, matrix != NULL ? matrix : matrix_of_frame(first)));
    BASE_TRY(file_frames_set_size(frames, is_across(reader) ? first->height : first->width,
                                  is_across(reader) ? first->width : first->height));
    frames->count = reader->promised;
    frames->timed = true;
    reader->first = first->best_effort_timestamp;
    reader->rgb->format = AV_PIX_FMT_RGB24;
    reader->rgb->width = first->width;
    reader->rgb->height = first->height;
    return need(frames, av_frame_get_buffer(reader->rgb, 0) >= 0);
}

static tot_status prepare(tot_frames *frames, video_reader *reader) {
    BASE_TRY(open_container(frames, reader));
    BASE_TRY(find_stream(frames, reader));
    BASE_TRY(open_decoder(frames, reader));
    return decode_first(frames, reader);
}

tot_status file_frames_open_video(tot_frames *frames, file_source *source) {
    BASE_FAIL_IF(source->size == 0, TOT_E_FORMAT, "%s: is empty", frames->path);
    BASE_TRY(file_ffmpeg_load());
    BASE_NEW(video_reader, reader, "video");
    frames->state = reader;
    frames->kind = &video_kind;
    BASE_TRY(file_frames_check_length(source));
    reader->source = *source;
    source->file = -1;
    file_silence_begin();
    BASE_FINALLY(prepare(frames, reader), file_silence_end());
}

tot_status file_frames_read_other(tot_array *image, const char *path) {
    tot_frames *frames = NULL;
    bool end = false;
    file_array_clear(image);
    BASE_TRY(tot_frames_open(&frames, path));
    const size_t bytes = (size_t)frames->width * (size_t)frames->height * FILE_FRAMES_CHANNELS;
    tot_status status = file_array_reserve(image, bytes);
    BASE_THEN(status, tot_frames_read(frames, image->data, &end));
    if (status == TOT_OK) {
        file_array_set_image(image, frames->width, frames->height);
    }
    tot_frames_close(frames);
    return status;
}
