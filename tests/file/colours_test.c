// Pictures resized while they are read, compared with swscale followed by tot_resize.
#include "file/test_folder.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/opt.h>
#include <libswscale/swscale.h>
#include <stdlib.h>

#include <temporalot/image.h>

#include "file/colours.h"

enum { CHANNELS = 3, PICTURES = 5 };

static void fill_noise(AVFrame *frame, uint64_t seed) {
    tot_random random;
    tot_random_init(&random, seed, "colours");
    for (int plane = 0; plane < 3; plane++) {
        const int rows = plane == 0 ? frame->height : (frame->height + 1) / 2;
        for (int k = 0; k < rows * frame->linesize[plane]; k++) {
            frame->data[plane][k] = (uint8_t)tot_random_word(&random);
        }
    }
}

static AVFrame *make_noise(enum AVPixelFormat format, int width, int height, uint64_t seed) {
    AVFrame *frame = av_frame_alloc();
    assert_non_null(frame);
    frame->format = format;
    frame->width = width;
    frame->height = height;
    assert_true(av_frame_get_buffer(frame, 0) >= 0);
    fill_noise(frame, seed);
    return frame;
}

static uint8_t *make_room(int width, int height) {
    uint8_t *picture = calloc((size_t)width * (size_t)height, CHANNELS);
    assert_non_null(picture);
    return picture;
}

// --- the arithmetic ----------------------------------------------------------------------------

// Converts a whole picture with swscale, configured like the reader.
static void scale_all(const AVFrame *frame, int colorspace, bool full_range, uint8_t *rgb) {
    const int row = CHANNELS * frame->width;
    uint8_t *const planes[4] = {rgb, NULL, NULL, NULL};
    const int strides[4] = {row, 0, 0, 0};
    struct SwsContext *scaler = sws_getContext(
        frame->width, frame->height, AV_PIX_FMT_YUV420P, frame->width, frame->height,
        AV_PIX_FMT_RGB24,
        SWS_BILINEAR | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP | SWS_BITEXACT,
        NULL, NULL, NULL);
    assert_non_null(scaler);
    assert_true(sws_setColorspaceDetails(scaler, sws_getCoefficients(colorspace), full_range,
                                         sws_getCoefficients(SWS_CS_DEFAULT), 1, 0, 1 << 16,
                                         1 << 16) >= 0);
    sws_scale(scaler, (const uint8_t *const *)frame->data, frame->linesize, 0, frame->height,
              planes, strides);
    sws_freeContext(scaler);
}

// Whether both ways give the same bytes.
static bool is_same(const file_colours_kind *kind, const AVFrame *frame, const uint8_t *expected) {
    const size_t bytes = (size_t)kind->to_width * (size_t)kind->to_height * CHANNELS;
    const uint8_t *const planes[3] = {frame->data[0], frame->data[1], frame->data[2]};
    uint8_t *rgb = make_room(kind->width, kind->height);
    uint8_t *small = make_room(kind->to_width, kind->to_height);
    file_colours *colours = NULL;
    assert_ok(file_colours_create(&colours, kind));
    file_colours_convert(colours, planes, frame->linesize, rgb);
    tot_resize(rgb, kind->width, kind->height, small, kind->to_width, kind->to_height);
    const bool same = memcmp(small, expected, bytes) == 0;
    file_colours_free(colours);
    free(rgb);
    free(small);
    return same;
}

static void check_scaler(int width, int height, int to_width, int to_height, int colorspace,
                         bool full_range) {
    AVFrame *frame = make_noise(AV_PIX_FMT_YUV420P, width, height, (uint64_t)(width + to_width));
    uint8_t *rgb = make_room(width, height);
    uint8_t *small = make_room(to_width, to_height);
    file_colours_kind kind = {width, height, to_width, to_height, {0}, full_range, false};
    memcpy(kind.matrix, sws_getCoefficients(colorspace), sizeof kind.matrix);
    scale_all(frame, colorspace, full_range, rgb);
    tot_resize(rgb, width, height, small, to_width, to_height);
    bool same = is_same(&kind, frame, small);
    kind.nearest = true;
    same = same || is_same(&kind, frame, small);
    if (!same) {
        print_error("%d x %d to %d x %d, colours %d%s: not what swscale makes\n", width, height,
                    to_width, to_height, colorspace, full_range ? ", full range" : "");
    }
    assert_true(same);
    free(rgb);
    free(small);
    av_frame_free(&frame);
}

TEST(test_swscale) {
    static const int sizes[][4] = {{640, 480, 128, 128}, {640, 480, 224, 224}, {64, 48, 100, 90},
                                   {66, 50, 32, 32},     {10, 10, 3, 3},       {1280, 720, 84, 84}};
    static const int colorspaces[] = {SWS_CS_ITU709, SWS_CS_FCC, SWS_CS_ITU601, SWS_CS_SMPTE240M,
                                      SWS_CS_BT2020};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        for (size_t c = 0; c < sizeof colorspaces / sizeof *colorspaces; c++) {
            for (int full_range = 0; full_range < 2; full_range++) {
                check_scaler(sizes[k][0], sizes[k][1], sizes[k][2], sizes[k][3], colorspaces[c],
                             full_range == 1);
            }
        }
    }
}

// --- the reader --------------------------------------------------------------------------------

typedef struct video_kind {
    const char *encoder;
    enum AVPixelFormat format;
    int width, height;
    enum AVColorSpace colorspace;
    enum AVColorRange range;
    bool still;  // the same picture repeated
} video_kind;

static void send(AVFormatContext *format, AVCodecContext *codec, const AVFrame *frame) {
    AVPacket *packet = av_packet_alloc();
    assert_true(avcodec_send_frame(codec, frame) >= 0);
    while (avcodec_receive_packet(codec, packet) >= 0) {
        packet->duration = 1;
        av_packet_rescale_ts(packet, codec->time_base, format->streams[0]->time_base);
        assert_true(av_interleaved_write_frame(format, packet) >= 0);
    }
    av_packet_free(&packet);
}

// Writes lossless noise. False: this FFmpeg does not have the encoder.
static bool write_noise(const char *path, const video_kind *kind) {
    const AVCodec *encoder = avcodec_find_encoder_by_name(kind->encoder);
    AVFormatContext *format = NULL;
    if (encoder == NULL) {
        return false;
    }
    assert_true(avformat_alloc_output_context2(&format, NULL, NULL, path) >= 0);
    AVCodecContext *codec = avcodec_alloc_context3(encoder);
    codec->width = kind->width;
    codec->height = kind->height;
    codec->pix_fmt = kind->format;
    codec->colorspace = kind->colorspace;
    codec->color_range = kind->range;
    codec->time_base = (AVRational){1, 30};
    codec->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    av_opt_set(codec->priv_data, "qp", "0", 0);
    assert_true(avcodec_open2(codec, encoder, NULL) >= 0);
    AVStream *stream = avformat_new_stream(format, NULL);
    stream->time_base = codec->time_base;
    assert_true(avcodec_parameters_from_context(stream->codecpar, codec) >= 0);
    assert_true(avio_open(&format->pb, path, AVIO_FLAG_WRITE) >= 0);
    assert_true(avformat_write_header(format, NULL) >= 0);
    for (int k = 0; k < PICTURES; k++) {
        AVFrame *frame =
            make_noise(kind->format, kind->width, kind->height, (uint64_t)(kind->still ? 0 : k));
        frame->pts = k;
        send(format, codec, frame);
        av_frame_free(&frame);
    }
    send(format, codec, NULL);
    assert_true(av_write_trailer(format) >= 0);
    avio_closep(&format->pb);
    avcodec_free_context(&codec);
    avformat_free_context(format);
    return true;
}

static void check_reader(const char *path, const video_kind *kind) {
    static const int sizes[PICTURES] = {24, 24, 24, 40, 40};
    uint8_t *rgb = make_room(kind->width, kind->height);
    uint8_t *small[2] = {make_room(40, 40), make_room(40, 40)};
    tot_frames *whole = NULL;
    tot_frames *resized = NULL;
    bool end = false;
    assert_ok(tot_frames_open(&whole, path));
    assert_ok(tot_frames_open(&resized, path));
    for (int k = 0; k < PICTURES; k++) {
        const size_t bytes = (size_t)(sizes[k] * sizes[k] * CHANNELS);
        assert_ok(tot_frames_read(whole, rgb, &end));
        assert_false(end);
        tot_resize(rgb, kind->width, kind->height, small[0], sizes[k], sizes[k]);
        assert_ok(tot_frames_resize(resized, sizes[k], sizes[k]));
        assert_ok(tot_frames_read(resized, small[1], &end));
        assert_false(end);
        if (memcmp(small[0], small[1], bytes) != 0) {
            print_error("%s, %d x %d, colours %d, range %d: picture %d is another\n", kind->encoder,
                        kind->width, kind->height, kind->colorspace, kind->range, k);
        }
        assert_memory_equal(small[0], small[1], bytes);
        assert_true(tot_frames_time(whole) == tot_frames_time(resized));
    }
    assert_ok(tot_frames_read(resized, small[1], &end));
    assert_true(end);
    tot_frames_close(whole);
    tot_frames_close(resized);
    free(rgb);
    free(small[0]);
    free(small[1]);
}

TEST_EACH(NULL, empty_test_folder)

TEST(test_reader) {
    static const video_kind kinds[] = {
        {"ffv1", AV_PIX_FMT_YUV420P, 64, 48, AVCOL_SPC_UNSPECIFIED, AVCOL_RANGE_UNSPECIFIED, false},
        {"ffv1", AV_PIX_FMT_YUV420P, 64, 48, AVCOL_SPC_BT709, AVCOL_RANGE_MPEG, false},
        {"ffv1", AV_PIX_FMT_YUV420P, 130, 98, AVCOL_SPC_BT709, AVCOL_RANGE_JPEG, false},
        {"ffv1", AV_PIX_FMT_YUV420P, 64, 48, AVCOL_SPC_BT2020_NCL, AVCOL_RANGE_MPEG, false},
        {"ffv1", AV_PIX_FMT_YUV420P, 65, 47, AVCOL_SPC_BT709, AVCOL_RANGE_MPEG, false},
        {"ffv1", AV_PIX_FMT_YUV420P, 8, 6, AVCOL_SPC_BT709, AVCOL_RANGE_MPEG, false},
        {"ffv1", AV_PIX_FMT_YUV422P, 64, 48, AVCOL_SPC_BT709, AVCOL_RANGE_MPEG, false},
        {"mjpeg", AV_PIX_FMT_YUVJ420P, 64, 48, AVCOL_SPC_UNSPECIFIED, AVCOL_RANGE_JPEG, false},
        {"libx264", AV_PIX_FMT_YUVJ420P, 64, 48, AVCOL_SPC_BT709, AVCOL_RANGE_JPEG, false},
    };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        if (write_noise(in_folder("noise.mkv"), &kinds[k])) {
            check_reader(in_folder("noise.mkv"), &kinds[k]);
        }
    }
}

// The video's colour space applies to every picture, not only to the first one.
TEST(test_full_range) {
    static const video_kind kind = {"libx264",       AV_PIX_FMT_YUVJ420P, 64,  48,
                                    AVCOL_SPC_BT709, AVCOL_RANGE_JPEG,    true};
    static uint8_t rgb[PICTURES][64 * 48 * CHANNELS];
    tot_frames *frames = NULL;
    bool end = false;
    if (!write_noise(in_folder("still.mkv"), &kind)) {
        skip();
    }
    assert_ok(tot_frames_open(&frames, in_folder("still.mkv")));
    for (int k = 0; k < PICTURES; k++) {
        assert_ok(tot_frames_read(frames, rgb[k], &end));
        assert_memory_equal(rgb[0], rgb[k], sizeof *rgb);
    }
    tot_frames_close(frames);
}

TEST_MAIN(make_test_folder, remove_test_folder)
