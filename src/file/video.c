// Videos, with FFmpeg. The muxer writes through a tot_file, so a video is written atomically like
// every other file.
#include "file/video.h"

#include <libavutil/opt.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "file/atomic.h"
#include "file/ffmpeg.h"
#include "file/silence.h"

enum {
    CHANNELS = 3,
    MOST_PIXELS = 16384,    // per side
    MOST_FRACTION = 65535,  // of a frame rate's numerator and denominator: MPEG-4 has 16 bits
    IO_SIZE = 1 << 16,
    SILENCE = 100  // added to the level of an encoder's log messages, so that nothing is printed
};

struct tot_video {
    char *path;
    int width, height;  // of the pictures
    int coded[2];       // size of the video: even
    AVRational rate;    // frames per second
    const char *encoder;
    int64_t frames;
    bool broken;  // can only be discarded

    tot_file *file;
    uint64_t position;  // where the muxer writes next; it seeks back to fill in sizes
    AVIOContext *io;
    AVFormatContext *format;
    AVStream *stream;
    AVCodecContext *codec;
    struct SwsContext *scaler;
    AVFrame *rgb;
    AVFrame *yuv;
    AVPacket *packet;
};

// --- errors ------------------------------------------------------------------------------------

static tot_status need(const tot_video *video, bool allocated) {
    BASE_FAIL_IF(!allocated, TOT_E_MEMORY, "%s: no memory for a video", video->path);
    return TOT_OK;
}

// The result of a call of FFmpeg. For a write error, the message of the file is appended.
static tot_status check(tot_video *video, const char *what, int result) {
    char text[AV_ERROR_MAX_STRING_SIZE] = "";
    if (result >= 0) {
        return TOT_OK;
    }
    BASE_TRY(tot_file_write(video->file, "", 0));
    BASE_TRY(need(video, result != AVERROR(ENOMEM)));
    av_strerror(result, text, sizeof text);
    return base_fail(TOT_E_UNSUPPORTED, "%s: %s: %s", video->path, what, text);
}

// --- the file ----------------------------------------------------------------------------------

#if LIBAVFORMAT_VERSION_MAJOR >= 61
typedef const uint8_t *written_bytes;
#else
typedef uint8_t *written_bytes;
#endif

static tot_status write_there(tot_video *video, const uint8_t *bytes, size_t size) {
    const uint64_t end = file_position(video->file);
    const uint64_t over = video->position < end ? end - video->position : 0;
    const size_t patched = over < size ? (size_t)over : size;
    if (patched > 0) {
        BASE_TRY(file_patch(video->file, video->position, bytes, patched));
    }
    BASE_TRY(tot_file_write(video->file, bytes + patched, size - patched));
    video->position += size;
    return TOT_OK;
}

static int write_bytes(void *context, written_bytes bytes, int size) {
    return write_there(context, bytes, (size_t)size) == TOT_OK ? size : AVERROR(EIO);
}

static int64_t seek_to(void *context, int64_t offset, int whence) {
    tot_video *video = context;
    const uint64_t end = file_position(video->file);
    if ((whence & AVSEEK_SIZE) != 0) {
        return (int64_t)end;
    }
    const int64_t from = whence == SEEK_CUR   ? (int64_t)video->position
                         : whence == SEEK_END ? (int64_t)end
                                              : 0;
    if (from + offset < 0 || (uint64_t)(from + offset) > end) {
        return AVERROR(EINVAL);
    }
    video->position = (uint64_t)(from + offset);
    return from + offset;
}

static tot_status open_file(tot_video *video) {
    BASE_TRY(tot_file_create(&video->file, video->path));
    uint8_t *buffer = av_malloc(IO_SIZE);
    if (buffer != NULL) {
        video->io =
            file_ffmpeg.avio_alloc_context(buffer, IO_SIZE, 1, video, NULL, write_bytes, seek_to);
    }
    if (video->io == NULL) {
        av_free(buffer);
        return need(video, false);
    }
    const AVOutputFormat *container = file_ffmpeg.av_guess_format(NULL, video->path, NULL);
    BASE_FAIL_IF(container == NULL || container->video_codec == AV_CODEC_ID_NONE, TOT_E_UNSUPPORTED,
                 "%s: not a supported kind of video, such as .mp4", video->path);
    BASE_TRY(need(video, file_ffmpeg.avformat_alloc_output_context2(&video->format, container, NULL,
                                                                    NULL) >= 0));
    video->format->pb = video->io;
    video->format->flags |= AVFMT_FLAG_CUSTOM_IO | AVFMT_FLAG_BITEXACT;
    return need(video, av_dict_set(&video->format->metadata, "comment", "temporalot", 0) >= 0);
}

// --- the encoder -------------------------------------------------------------------------------

static void set_codec(tot_video *video) {
    AVCodecContext *codec = video->codec;
    codec->log_level_offset = SILENCE;
    codec->width = video->coded[0];
    codec->height = video->coded[1];
    codec->pix_fmt = AV_PIX_FMT_YUV420P;
    codec->time_base = av_inv_q(video->rate);
    codec->framerate = video->rate;
    codec->sample_aspect_ratio = (AVRational){1, 1};
    // matches the scaler's output
    codec->color_range = AVCOL_RANGE_MPEG;
    codec->colorspace = AVCOL_SPC_SMPTE170M;
    codec->color_primaries = AVCOL_PRI_SMPTE170M;
    codec->color_trc = AVCOL_TRC_SMPTE170M;
    // the number of threads would change the bytes
    codec->thread_count = 1;
    codec->flags |= AV_CODEC_FLAG_BITEXACT;
    if ((video->format->oformat->flags & AVFMT_GLOBALHEADER) != 0) {
        codec->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    }
    if (codec->codec_id == AV_CODEC_ID_H264) {
        av_opt_set(codec->priv_data, "crf", "18", 0);
        // otherwise some CPUs use an algorithm whose output depends on uninitialised memory
        av_opt_set(codec->priv_data, "x264-params", "cpu-independent=1", 0);
    } else {
        codec->flags |= AV_CODEC_FLAG_QSCALE;
        codec->global_quality = 2 * FF_QP2LAMBDA;
    }
}

// Opens the first encoder that is available and supports this size.
static tot_status open_encoder(tot_video *video, const char *const *encoders) {
    int error = AVERROR_ENCODER_NOT_FOUND;
    for (; *encoders != NULL; encoders++) {
        const AVCodec *kind = file_ffmpeg.avcodec_find_encoder_by_name(*encoders);
        if (kind == NULL || file_ffmpeg.avformat_query_codec(video->format->oformat, kind->id,
                                                             FF_COMPLIANCE_NORMAL) == 0) {
            continue;
        }
        file_ffmpeg.avcodec_free_context(&video->codec);
        video->codec = file_ffmpeg.avcodec_alloc_context3(kind);
        BASE_TRY(need(video, video->codec != NULL));
        set_codec(video);
        error = file_ffmpeg.avcodec_open2(video->codec, kind, NULL);
        if (error >= 0) {
            video->encoder = *encoders;
            return TOT_OK;
        }
    }
    return check(video, "no encoder of FFmpeg takes it", error);
}

static tot_status open_stream(tot_video *video) {
    video->stream = file_ffmpeg.avformat_new_stream(video->format, NULL);
    BASE_TRY(need(video, video->stream != NULL));
    video->stream->time_base = video->codec->time_base;
    video->stream->avg_frame_rate = video->rate;
    BASE_TRY(
        check(video, "cannot start the video",
              file_ffmpeg.avcodec_parameters_from_context(video->stream->codecpar, video->codec)));
    return check(video, "cannot start the video",
                 file_ffmpeg.avformat_write_header(video->format, NULL));
}

// --- pictures ----------------------------------------------------------------------------------

static tot_status make_frame(tot_video *video, AVFrame **frame, enum AVPixelFormat format) {
    *frame = av_frame_alloc();
    BASE_TRY(need(video, *frame != NULL));
    (*frame)->format = format;
    (*frame)->width = video->coded[0];
    (*frame)->height = video->coded[1];
    BASE_TRY(need(video, av_frame_get_buffer(*frame, 0) >= 0));
    // the scaler reads past the edges of a small picture, which must be deterministic
    for (int k = 0; k < AV_NUM_DATA_POINTERS && (*frame)->buf[k] != NULL; k++) {
        memset((*frame)->buf[k]->data, 0, (*frame)->buf[k]->size);
    }
    return TOT_OK;
}

static tot_status make_frames(tot_video *video) {
    BASE_TRY(make_frame(video, &video->rgb, AV_PIX_FMT_RGB24));
    BASE_TRY(make_frame(video, &video->yuv, AV_PIX_FMT_YUV420P));
    video->packet = file_ffmpeg.av_packet_alloc();
    video->scaler = file_ffmpeg.sws_getContext(
        video->coded[0], video->coded[1], AV_PIX_FMT_RGB24, video->coded[0], video->coded[1],
        AV_PIX_FMT_YUV420P, SWS_BILINEAR | SWS_ACCURATE_RND | SWS_BITEXACT, NULL, NULL, NULL);
    return need(video, video->packet != NULL && video->scaler != NULL);
}

// Copies a picture into the frame with aligned rows, and repeats its last column and row if the
// frame is larger.
static void fill_rgb(tot_video *video, const uint8_t *rgb) {
    const size_t row = (size_t)video->width * CHANNELS;
    const size_t aligned = (size_t)video->rgb->linesize[0] / CHANNELS * CHANNELS;
    for (int y = 0; y < video->coded[1]; y++) {
        const int from = y < video->height ? y : video->height - 1;
        uint8_t *to = video->rgb->data[0] + (ptrdiff_t)y * video->rgb->linesize[0];
        memcpy(to, rgb + (size_t)from * row, row);
        for (size_t k = row; k < aligned; k++) {
            to[k] = to[k - CHANNELS];
        }
    }
}

// Writes the packets that the encoder has ready.
static tot_status drain(tot_video *video) {
    while (true) {
        const int error = file_ffmpeg.avcodec_receive_packet(video->codec, video->packet);
        if (error == AVERROR(EAGAIN) || error == AVERROR_EOF) {
            return TOT_OK;
        }
        BASE_TRY(check(video, "cannot encode", error));
        video->packet->duration = 1;
        file_ffmpeg.av_packet_rescale_ts(video->packet, video->codec->time_base,
                                         video->stream->time_base);
        video->packet->stream_index = video->stream->index;
        BASE_TRY(check(video, "cannot write",
                       file_ffmpeg.av_interleaved_write_frame(video->format, video->packet)));
    }
}

static tot_status encode(tot_video *video, const uint8_t *rgb) {
    BASE_TRY(need(video, av_frame_make_writable(video->yuv) >= 0));
    fill_rgb(video, rgb);
    file_ffmpeg.sws_scale(video->scaler, (const uint8_t *const *)video->rgb->data,
                          video->rgb->linesize, 0, video->coded[1], video->yuv->data,
                          video->yuv->linesize);
    video->yuv->pts = video->frames++;
    BASE_TRY(
        check(video, "cannot encode", file_ffmpeg.avcodec_send_frame(video->codec, video->yuv)));
    return drain(video);
}

// --- the public functions ----------------------------------------------------------------------

static tot_status prepare(tot_video *video, const char *const *encoders) {
    BASE_TRY(open_file(video));
    BASE_TRY(open_encoder(video, encoders));
    BASE_TRY(make_frames(video));
    return open_stream(video);
}

// Frees everything except the file.
static void release(tot_video *video) {
    file_ffmpeg.sws_freeContext(video->scaler);
    av_frame_free(&video->rgb);
    av_frame_free(&video->yuv);
    file_ffmpeg.av_packet_free(&video->packet);
    file_ffmpeg.avcodec_free_context(&video->codec);
    file_ffmpeg.avformat_free_context(video->format);
    if (video->io != NULL) {
        av_freep(&video->io->buffer);
        file_ffmpeg.avio_context_free(&video->io);
    }
    BASE_RELEASE(video->path, video);
}

static tot_status check_arguments(const char *path, int width, int height, double rate) {
    BASE_FAIL_IF(width < 1 || height < 1 || width > MOST_PIXELS || height > MOST_PIXELS,
                 TOT_E_ARGUMENT, "%s: %d x %d pixels; 1 .. %d per side are possible", path, width,
                 height, MOST_PIXELS);
    BASE_FAIL_IF(!(rate >= 0.1 && rate <= 1000), TOT_E_ARGUMENT,
                 "%s: %g frames per second are not in 0.1 .. 1000", path, rate);
    return TOT_OK;
}

tot_status file_video_create_with(tot_video **out, const char *path, int width, int height,
                                  double frames_per_second, const char *const *encoders) {
    *out = NULL;
    BASE_TRY(check_arguments(path, width, height, frames_per_second));
    BASE_TRY(file_ffmpeg_load());
    BASE_NEW(tot_video, video, "video");
    video->width = width;
    video->height = height;
    video->coded[0] = width + width % 2;
    video->coded[1] = height + height % 2;
    video->rate = av_d2q(frames_per_second, MOST_FRACTION);
    video->path = base_copy_text(path);
    file_silence_begin();
    const tot_status status = video->path != NULL ? prepare(video, encoders) : TOT_E_MEMORY;
    file_silence_end();
    BASE_GIVE(status, out, video, tot_video_discard);
}

tot_status tot_video_create(tot_video **video, const char *path, int width, int height,
                            double frames_per_second) {
    BASE_NEED(video, path);
    static const char *const encoders[] = {"libx264", "mpeg4", NULL};
    return file_video_create_with(video, path, width, height, frames_per_second, encoders);
}

tot_status tot_video_add(tot_video *video, const uint8_t *rgb) {
    BASE_NEED(video, rgb);
    BASE_FAIL_IF(video->broken, TOT_E_ARGUMENT, "%s: a picture could not be added before",
                 video->path);
    file_silence_begin();
    const tot_status status = encode(video, rgb);
    file_silence_end();
    video->broken = status != TOT_OK;
    return status;
}

static tot_status finish(tot_video *video) {
    BASE_FAIL_IF(
        video->broken || video->frames == 0, TOT_E_ARGUMENT, "%s: %s", video->path,
        video->broken ? "a picture could not be added before" : "a video without pictures");
    BASE_TRY(check(video, "cannot encode", file_ffmpeg.avcodec_send_frame(video->codec, NULL)));
    BASE_TRY(drain(video));
    BASE_TRY(check(video, "cannot finish the video", file_ffmpeg.av_write_trailer(video->format)));
    file_ffmpeg.avio_flush(video->io);
    return check(video, "cannot write", video->io->error);
}

tot_status tot_video_commit(tot_video *video) {
    BASE_NEED(video);
    file_silence_begin();
    const tot_status status = finish(video);
    file_silence_end();
    tot_file *file = video->file;
    release(video);
    return file_end(file, status);
}

void tot_video_discard(tot_video *video) {
    BASE_UNLESS_NULL(video);
    tot_file *file = video->file;
    release(video);
    tot_file_discard(file);
}

BASE_GETTER(const char *, tot_video_encoder, tot_video, video, NULL, video->encoder)
