// Pictures from videos, created with FFmpeg; and files that only look like videos.
#include "file/reading.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <math.h>

#include "failing_memory.h"

enum { WIDTH = 64, HEIGHT = 48, FRAMES = 40 };

static void write_video(const char *path, int width, int height, int frames) {
    static uint8_t rgb[3 * 320 * 240];
    tot_video *video = NULL;
    assert_ok(tot_video_create(&video, path, width, height, 30));
    for (int k = 0; k < frames; k++) {
        paint(rgb, width, height, k);
        assert_ok(tot_video_add(video, rgb));
    }
    assert_ok(tot_video_commit(video));
}

// --- a lossless writer -------------------------------------------------------------------------

typedef struct lossless {
    AVFormatContext *format;
    AVCodecContext *codec;
    AVStream *stream;
    AVPacket *packet;
} lossless;

static void write_packets(lossless *video) {
    while (avcodec_receive_packet(video->codec, video->packet) >= 0) {
        video->packet->stream_index = 0;
        video->packet->duration = 1;
        av_packet_rescale_ts(video->packet, video->codec->time_base, video->stream->time_base);
        assert_true(av_interleaved_write_frame(video->format, video->packet) >= 0);
    }
}

// turned: rotation metadata in degrees; 0: none.
static void open_lossless(lossless *video, const char *path, enum AVCodecID id,
                          enum AVPixelFormat format, double turned) {
    const AVCodec *kind = avcodec_find_encoder(id);
    assert_non_null(kind);
    assert_true(avformat_alloc_output_context2(&video->format, NULL, NULL, path) >= 0);
    video->codec = avcodec_alloc_context3(kind);
    video->codec->width = WIDTH;
    video->codec->height = HEIGHT;
    video->codec->pix_fmt = format;
    video->codec->time_base = (AVRational){1, 30};
    video->codec->thread_count = 1;
    if ((video->format->oformat->flags & AVFMT_GLOBALHEADER) != 0) {
        video->codec->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    }
    assert_true(avcodec_open2(video->codec, kind, NULL) >= 0);
    video->stream = avformat_new_stream(video->format, NULL);
    video->stream->time_base = video->codec->time_base;
    assert_true(avcodec_parameters_from_context(video->stream->codecpar, video->codec) >= 0);
    if (turned != 0) {
#if LIBAVCODEC_VERSION_MAJOR >= 61
        AVPacketSideData *data = av_packet_side_data_new(
            &video->stream->codecpar->coded_side_data, &video->stream->codecpar->nb_coded_side_data,
            AV_PKT_DATA_DISPLAYMATRIX, 9 * sizeof(int32_t), 0);
        int32_t *matrix = (int32_t *)(void *)data->data;
#else
        int32_t *matrix = (int32_t *)(void *)av_stream_new_side_data(
            video->stream, AV_PKT_DATA_DISPLAYMATRIX, 9 * sizeof(int32_t));
#endif
        av_display_rotation_set(matrix, turned);
    }
    assert_true(avio_open(&video->format->pb, path, AVIO_FLAG_WRITE) >= 0);
    assert_true(avformat_write_header(video->format, NULL) >= 0);
    video->packet = av_packet_alloc();
}

// Converts an unpadded RGB picture to the codec's format: bgr0 or rgb24.
static void fill_frame(AVFrame *frame, int number) {
    static uint8_t rgb[WIDTH * HEIGHT * 3];
    const bool wide = frame->format == AV_PIX_FMT_BGR0;
    paint(rgb, WIDTH, HEIGHT, number);
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            const uint8_t *from = rgb + 3 * (y * WIDTH + x);
            uint8_t *to = frame->data[0] + y * frame->linesize[0] + x * (wide ? 4 : 3);
            to[0] = from[wide ? 2 : 0];
            to[1] = from[1];
            to[2] = from[wide ? 0 : 2];
            if (wide) {
                to[3] = 0;
            }
        }
    }
}

// times: of every frame in 1/30 s; NULL: 0, 1, 2, ...
static void write_timed(const char *path, enum AVCodecID id, enum AVPixelFormat format,
                        double turned, const int *times) {
    lossless video = {0};
    AVFrame *frame = av_frame_alloc();
    open_lossless(&video, path, id, format, turned);
    frame->format = format;
    frame->width = WIDTH;
    frame->height = HEIGHT;
    assert_true(av_frame_get_buffer(frame, 0) >= 0);
    for (int k = 0; k < FRAMES; k++) {
        assert_true(av_frame_make_writable(frame) >= 0);
        fill_frame(frame, k);
        frame->pts = times != NULL ? times[k] : k;
        assert_true(avcodec_send_frame(video.codec, frame) >= 0);
        write_packets(&video);
    }
    assert_true(avcodec_send_frame(video.codec, NULL) >= 0);
    write_packets(&video);
    assert_true(av_write_trailer(video.format) >= 0);
    avio_closep(&video.format->pb);
    av_frame_free(&frame);
    av_packet_free(&video.packet);
    avcodec_free_context(&video.codec);
    avformat_free_context(video.format);
}

static void write_lossless(const char *path, enum AVCodecID id, enum AVPixelFormat format,
                           double turned) {
    write_timed(path, id, format, turned, NULL);
}

// --- reading -----------------------------------------------------------------------------------

TEST_EACH(NULL, empty_test_folder)

TEST(test_own_videos) {
    static const struct {
        const char *name;
        int width, height;
        bool counted;
    } cases[] = {{"a.mp4", 64, 48, true},  {"b.mp4", 224, 224, true}, {"c.mov", 66, 50, true},
                 {"d.mkv", 64, 48, false}, {"e.avi", 100, 76, true},  {"f.ts", 130, 98, false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *path = in_folder(cases[k].name);
        write_video(path, cases[k].width, cases[k].height, FRAMES);
        const reading found = read_frames(path);
        if (found.status != TOT_OK || found.count != FRAMES || found.worst > 4) {
            print_error("%s: %lld pictures, off by %g: %s\n", path, (long long)found.count,
                        found.worst, tot_error());
        }
        assert_int_equal(found.status, TOT_OK);
        assert_int_equal(found.count, FRAMES);
        assert_true(found.promised == FRAMES || (!cases[k].counted && found.promised == -1));
        assert_int_equal(found.width, cases[k].width);
        assert_int_equal(found.height, cases[k].height);
        // chroma subsampling loses half of the colour resolution
        assert_true(found.worst < 4);
    }
}

// The times at which a player would show the pictures.
TEST(test_times) {
    static uint8_t rgb[3 * WIDTH * HEIGHT];
    const char *path = in_folder("times.mp4");
    tot_frames *frames = NULL;
    bool end = false;
    write_video(path, WIDTH, HEIGHT, FRAMES);
    assert_ok(tot_frames_open(&frames, path));
    assert_true(isnan(tot_frames_time(frames)));
    for (int k = 0; k < FRAMES; k++) {
        assert_ok(tot_frames_read(frames, rgb, &end));
        assert_true(fabs(tot_frames_time(frames) - k / 30.0) < 1e-6);
    }
    tot_frames_close(frames);
}

TEST(test_lossless) {
    static const struct {
        const char *name;
        enum AVCodecID id;
        enum AVPixelFormat format;
    } cases[] = {{"a.mkv", AV_CODEC_ID_FFV1, AV_PIX_FMT_BGR0},
                 {"b.avi", AV_CODEC_ID_HUFFYUV, AV_PIX_FMT_RGB24},
                 {"c.mov", AV_CODEC_ID_PNG, AV_PIX_FMT_RGB24},
                 {"d.mov", AV_CODEC_ID_RAWVIDEO, AV_PIX_FMT_RGB24}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        write_lossless(in_folder(cases[k].name), cases[k].id, cases[k].format, 0);
        const reading found = read_frames(in_folder(cases[k].name));
        assert_int_equal(found.status, TOT_OK);
        assert_int_equal(found.count, FRAMES);
        assert_true(found.worst == 0);
    }
}

// Reading again, with any number of threads, gives the same bytes.
TEST(test_deterministic) {
    static uint8_t one[3 * WIDTH * HEIGHT];
    static uint8_t other[3 * WIDTH * HEIGHT];
    write_video(in_folder("a.mp4"), WIDTH, HEIGHT, FRAMES);
    for (int threads = 1; threads <= 3; threads += 2) {
        tot_frames *alone = NULL;
        tot_frames *shared = NULL;
        bool end = false;
        bool ended = false;
        assert_ok(tot_frames_open(&alone, in_folder("a.mp4")));
        assert_ok(tot_frames_open_threads(&shared, in_folder("a.mp4"), threads));
        for (int k = 0; !end; k++) {
            assert_true(k <= FRAMES);
            assert_ok(tot_frames_read(alone, one, &end));
            assert_ok(tot_frames_read(shared, other, &ended));
            assert_int_equal(end, ended);
            assert_memory_equal(one, other, sizeof one);
        }
        tot_frames_close(alone);
        tot_frames_close(shared);
    }
    tot_frames *refused = NULL;
    assert_fails(tot_frames_open_threads(&refused, in_folder("a.mp4"), 0), TOT_E_ARGUMENT,
                 "1 .. 64");
    assert_null(refused);
}

// The caller's FFmpeg log level is not changed.
TEST(test_log_level) {
    const int before = av_log_get_level();
    write_video(in_folder("a.mp4"), WIDTH, HEIGHT, 3);
    av_log_set_level(AV_LOG_DEBUG);
    assert_int_equal(read_frames(in_folder("none.mp4")).status, TOT_E_FILE);
    assert_int_equal(av_log_get_level(), AV_LOG_DEBUG);
    av_log_set_level(before);
}

// --- invalid files -----------------------------------------------------------------------------

// A video truncated anywhere is rejected: a part is never taken for the whole.
TEST(test_truncated) {
    static const char *const names[] = {"a.mp4", "b.mkv", "c.avi", "d.mov"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        size_t size = 0;
        write_video(in_folder(names[k]), WIDTH, HEIGHT, FRAMES);
        uint8_t *bytes = read_bytes(in_folder(names[k]), &size);
        for (size_t cut = 1; cut < size; cut += 1 + size / 23) {
            write_bytes(in_folder("cut"), bytes, cut);
            const reading found = read_frames(in_folder("cut"));
            if (found.status != TOT_E_FORMAT) {
                print_error("%s cut to %zu of %zu: status %d, %lld pictures\n", names[k], cut, size,
                            (int)found.status, (long long)found.count);
            }
            assert_int_equal(found.status, TOT_E_FORMAT);
            assert_null(strchr(tot_error(), '\n'));
        }
        free(bytes);
    }
    size_t size = 0;
    uint8_t *bytes = read_bytes(in_folder("a.mp4"), &size);
    write_bytes(in_folder("half.mp4"), bytes, size / 2);
    assert_refused(in_folder("half.mp4"), TOT_E_FORMAT, "cut short");
    free(bytes);
}

// Flipped bytes: an error or the same number of pictures, but no crash.
TEST(test_damaged) {
    size_t size = 0;
    tot_random random;
    write_video(in_folder("a.mp4"), WIDTH, HEIGHT, FRAMES);
    uint8_t *bytes = read_bytes(in_folder("a.mp4"), &size);
    tot_random_init(&random, 1, "damage");
    int refused = 0;
    for (int k = 0; k < 60; k++) {
        const size_t place = (size_t)tot_random_below(&random, size);
        const uint8_t before = bytes[place];
        bytes[place] ^= (uint8_t)(1 + tot_random_below(&random, 255));
        write_bytes(in_folder("x.mp4"), bytes, size);
        const reading found = read_frames(in_folder("x.mp4"));
        refused += found.status != TOT_OK ? 1 : 0;
        assert_null(strchr(tot_error(), '\n'));
        bytes[place] = before;
    }
    assert_true(refused > 5);
    free(bytes);
}

TEST(test_not_videos) {
    static const uint8_t wav[] =
        "RIFF\x2c\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x40\x1f\0\0"
        "\1\0\x08\0data\x08\0\0\0\x80\x80\x80\x80\x80\x80\x80";
    uint8_t noise[5000];
    tot_random random;
    tot_random_init(&random, 2, "noise");
    for (size_t k = 0; k < sizeof noise; k++) {
        noise[k] = (uint8_t)tot_random_word(&random);
    }
    write_bytes(in_folder("text.mp4"), "this is no video\n", 17);
    write_bytes(in_folder("noise.mp4"), noise, sizeof noise);
    write_bytes(in_folder("empty.mp4"), "", 0);
    write_bytes(in_folder("sound.mp4"), wav, sizeof wav);
    write_bytes(in_folder("none.y4m"), "YUV4MPEG2 W16 H16 F30:1 C420\n", 29);
    assert_refused(in_folder("text.mp4"), TOT_E_FORMAT, "nor a video");
    assert_refused(in_folder("noise.mp4"), TOT_E_FORMAT, "video");
    assert_refused(in_folder("empty.mp4"), TOT_E_FORMAT, "empty");
    assert_refused(in_folder("sound.mp4"), TOT_E_FORMAT, "no video");
    assert_refused(in_folder("none.y4m"), TOT_E_FORMAT, "without pictures");
}

// Playlists that refer to other files are not followed.
TEST(test_playlists) {
    char text[2 * TEST_PATH_SIZE];
    write_video(in_folder("a.mp4"), WIDTH, HEIGHT, 3);
    int length =
        snprintf(text, sizeof text, "ffconcat version 1.0\nfile '%s'\n", in_folder("a.mp4"));
    write_bytes(in_folder("list.mp4"), text, (size_t)length);
    assert_refused(in_folder("list.mp4"), TOT_E_UNSUPPORTED, "playlist");
    length = snprintf(text, sizeof text,
                      "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n%s\n#EXT-X-ENDLIST\n",
                      in_folder("a.mp4"));
    write_bytes(in_folder("list.m3u8"), text, (size_t)length);
    assert_refused(in_folder("list.m3u8"), TOT_E_UNSUPPORTED, "playlist");
}

// Portrait phone videos: pictures are rotated clockwise, as a player would.
TEST(test_rotation) {
    static uint8_t rgb[WIDTH * HEIGHT * 3];
    static uint8_t stored[WIDTH * HEIGHT * 3];
    for (int angle = 90; angle < 360; angle += 90) {
        const bool across = angle != 180;
        tot_frames *frames = NULL;
        bool end = false;
        write_lossless(in_folder("turned.mov"), AV_CODEC_ID_PNG, AV_PIX_FMT_RGB24, angle);
        assert_ok(tot_frames_open(&frames, in_folder("turned.mov")));
        assert_int_equal(tot_frames_width(frames), across ? HEIGHT : WIDTH);
        assert_int_equal(tot_frames_height(frames), across ? WIDTH : HEIGHT);
        for (int k = 0; k < FRAMES; k++) {
            assert_ok(tot_frames_read(frames, rgb, &end));
            assert_false(end);
            paint(stored, WIDTH, HEIGHT, k);
            for (int y = 0; y < HEIGHT; y++) {
                for (int x = 0; x < WIDTH; x++) {
                    const int to_x = angle == 90    ? HEIGHT - 1 - y
                                     : angle == 180 ? WIDTH - 1 - x
                                                    : y;
                    const int to_y = angle == 90    ? x
                                     : angle == 180 ? HEIGHT - 1 - y
                                                    : WIDTH - 1 - x;
                    const int width = across ? HEIGHT : WIDTH;
                    assert_memory_equal(rgb + 3 * (to_y * width + to_x),
                                        stored + 3 * (y * WIDTH + x), 3);
                }
            }
        }
        tot_frames_close(frames);
    }
    write_lossless(in_folder("turned.mov"), AV_CODEC_ID_PNG, AV_PIX_FMT_RGB24, 30);
    assert_refused(in_folder("turned.mov"), TOT_E_UNSUPPORTED, "rotation");
}

// --- excerpts ----------------------------------------------------------------------------------

// The pictures an excerpt selects: expected holds their numbers, terminated by -1.
static void assert_excerpt(const char *path, const tot_excerpt *excerpt, const int *expected) {
    static uint8_t rgb[WIDTH * HEIGHT * 3];
    static uint8_t whole[WIDTH * HEIGHT * 3];
    const int *crop = excerpt->crop;
    tot_frames *frames = NULL;
    bool end = false;
    assert_ok(tot_frames_open(&frames, path));
    assert_ok(tot_frames_pick(frames, excerpt));
    const int width = tot_frames_width(frames);
    const int height = tot_frames_height(frames);
    assert_int_equal(width, crop[2] > 0 ? crop[2] : WIDTH);
    assert_int_equal(height, crop[2] > 0 ? crop[3] : HEIGHT);
    for (; *expected >= 0; expected++) {
        assert_ok(tot_frames_read(frames, rgb, &end));
        assert_false(end);
        paint(whole, WIDTH, HEIGHT, *expected);
        for (int y = 0; y < height; y++) {
            assert_memory_equal(rgb + 3 * y * width, whole + 3 * ((crop[1] + y) * WIDTH + crop[0]),
                                (size_t)(3 * width));
        }
    }
    for (int k = 0; k < 2; k++) {
        assert_ok(tot_frames_read(frames, rgb, &end));
        assert_true(end);
    }
    tot_frames_close(frames);
}

static void count_up(int *out, int from, int until, int by) {
    for (; from < until; from += by) {
        *out++ = from;
    }
    *out = -1;
}

TEST(test_excerpts) {
    int expected[FRAMES + 1];
    char path[TEST_PATH_SIZE];
    snprintf(path, sizeof path, "%s", in_folder("a.mkv"));
    write_lossless(path, AV_CODEC_ID_FFV1, AV_PIX_FMT_BGR0, 0);
    count_up(expected, 0, FRAMES, 3);
    assert_excerpt(path, &(tot_excerpt){.every = 3}, expected);
    // 40 pictures of 1/30 s: at 0, 0.1, ..., 1.3
    assert_excerpt(path, &(tot_excerpt){.fps = 10}, expected);
    count_up(expected, 15, 30, 1);
    assert_excerpt(path, &(tot_excerpt){.from = 0.5, .to = 1}, expected);
    count_up(expected, 15, 30, 6);
    assert_excerpt(path, &(tot_excerpt){.from = 0.5, .to = 1, .fps = 10, .every = 2}, expected);
    count_up(expected, 0, FRAMES, 1);
    assert_excerpt(path, &(tot_excerpt){.crop = {8, 4, 20, 10}}, expected);
    assert_excerpt(path, &(tot_excerpt){0}, expected);
}

// Variable frame rate: sampled evenly, each picture counts for as long as it is shown.
TEST(test_variable_rate) {
    static const int even[] = {0, 1, 2, 2, 2, 3, 4, 5, 6, 7, 8, 9};
    int times[FRAMES];
    char path[TEST_PATH_SIZE];
    snprintf(path, sizeof path, "%s", in_folder("a.mkv"));
    for (int k = 0; k < FRAMES; k++) {
        times[k] = k < 3 ? k : k + 2;
    }
    write_timed(path, AV_CODEC_ID_FFV1, AV_PIX_FMT_BGR0, 0, times);
    int expected[FRAMES + 1];
    count_up(expected, 0, FRAMES, 1);
    assert_excerpt(path, &(tot_excerpt){0}, expected);
    memcpy(expected, even, sizeof even);
    expected[sizeof even / sizeof *even] = -1;
    assert_excerpt(path, &(tot_excerpt){.fps = 30, .to = 12.0 / 30}, expected);
}

static void assert_not_picked(const char *path, const tot_excerpt *excerpt, const char *words) {
    static uint8_t rgb[WIDTH * HEIGHT * 3];
    tot_frames *frames = NULL;
    bool end = false;
    assert_ok(tot_frames_open(&frames, path));
    tot_status status = tot_frames_pick(frames, excerpt);
    status = status != TOT_OK ? status : tot_frames_read(frames, rgb, &end);
    assert_int_equal(status, TOT_E_ARGUMENT);
    assert_non_null(strstr(tot_error(), words));
    tot_frames_close(frames);
}

TEST(test_bad_excerpts) {
    char path[TEST_PATH_SIZE];
    tot_excerpt read = {0};
    uint8_t pixels[2 * HEIGHT * WIDTH * 3] = {0};
    const tot_array array = {
        .type = TOT_U8, .dimensions = 4, .shape = {2, HEIGHT, WIDTH, 3}, .data = pixels};
    snprintf(path, sizeof path, "%s", in_folder("a.mkv"));
    write_lossless(path, AV_CODEC_ID_FFV1, AV_PIX_FMT_BGR0, 0);
    assert_not_picked(path, &(tot_excerpt){.every = -1}, "every");
    assert_not_picked(path, &(tot_excerpt){.fps = -1}, "fps");
    assert_not_picked(path, &(tot_excerpt){.from = NAN}, "from");
    assert_not_picked(path, &(tot_excerpt){.from = 2, .to = 1}, "to");
    assert_not_picked(path, &(tot_excerpt){.from = 60}, "ends after 1.33 seconds");
    assert_not_picked(path, &(tot_excerpt){.crop = {60, 0, 10, 10}}, "64 x 48");
    tot_frames *frames = NULL;
    assert_ok(tot_frames_open_array(&frames, &array, "a"));
    assert_int_equal(tot_frames_pick(frames, &(tot_excerpt){.fps = 2}), TOT_E_ARGUMENT);
    assert_ok(tot_frames_pick(frames, &(tot_excerpt){.every = 2}));
    assert_int_equal(tot_frames_count(frames), 1);
    tot_frames_close(frames);
    assert_ok(tot_excerpt_set_crop(&read, "1,2,3,4"));
    assert_true(read.crop[0] == 1 && read.crop[1] == 2 && read.crop[2] == 3 && read.crop[3] == 4);
    assert_int_equal(tot_excerpt_set_crop(&read, "1,2,3"), TOT_E_ARGUMENT);
    assert_int_equal(tot_excerpt_set_crop(&read, "1,2,0,4"), TOT_E_ARGUMENT);
    assert_ok(tot_excerpt_set_crop(&read, ""));
    assert_true(tot_excerpt_is_all(&read));
}

// Two concatenated raw streams: the picture size changes within the video.
TEST(test_changing_size) {
    size_t size[2];
    write_video(in_folder("a.h264"), WIDTH, HEIGHT, FRAMES);
    write_video(in_folder("b.h264"), 2 * WIDTH, HEIGHT, FRAMES);
    uint8_t *a = read_bytes(in_folder("a.h264"), &size[0]);
    uint8_t *b = read_bytes(in_folder("b.h264"), &size[1]);
    uint8_t *both = malloc(size[0] + size[1]);
    assert_non_null(both);
    memcpy(both, a, size[0]);
    memcpy(both + size[0], b, size[1]);
    write_bytes(in_folder("both.h264"), both, size[0] + size[1]);
    assert_refused(in_folder("both.h264"), TOT_E_SHAPE, "has 128 x 48 pixels, the first 64 x 48");
    free(a);
    free(b);
    free(both);
}

TEST(test_failing_memory) {
    static uint8_t rgb[WIDTH * HEIGHT * 3];
    failing_memory memory;
    write_video(in_folder("a.mp4"), WIDTH, HEIGHT, 3);
    for (uint64_t k = 1; failing_memory_next(&memory, k); k++) {
        tot_frames *frames = NULL;
        bool end = false;
        tot_status status = tot_frames_open(&frames, in_folder("a.mp4"));
        status = status != TOT_OK ? status : tot_frames_read(frames, rgb, &end);
        // from the second picture on, resizing converts colours itself
        status = status != TOT_OK ? status : tot_frames_resize(frames, WIDTH / 2, HEIGHT / 2);
        for (int picture = 0; picture < 2; picture++) {
            status = status != TOT_OK ? status : tot_frames_read(frames, rgb, &end);
        }
        tot_frames_close(frames);
        failing_memory_check(&memory, status);
    }
}

TEST_MAIN(make_test_folder, remove_test_folder)
