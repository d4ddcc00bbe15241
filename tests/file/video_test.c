// Videos: files we write can be read by FFmpeg, and are written atomically.
#include "file/test_folder.h"

#include <fcntl.h>
#include <math.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libswscale/swscale.h>

#include "failing_memory.h"
#include "file/full_disk.h"
#include "file/video.h"

enum { WIDTH = 64, HEIGHT = 48, FRAMES = 40, MOST_BYTES = 320 * 240 * 3 };

static const char *const mpeg4_only[] = {"mpeg4", NULL};
static const char *const nothing_known[] = {"no_such_encoder", NULL};

// A red square that moves over a smooth background.
static void paint(uint8_t *rgb, int width, int height, int frame) {
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            uint8_t *pixel = rgb + 3 * (y * width + x);
            const bool inside = x >= frame && x < frame + width / 4 && y > height / 3;
            pixel[0] = (uint8_t)(inside ? 220 : 60 + 100 * y / height);
            pixel[1] = (uint8_t)(inside ? 30 : 40 + 150 * x / width);
            pixel[2] = (uint8_t)(inside ? 30 : 90);
        }
    }
}

static tot_status write_video(const char *path, int width, int height, int frames, double rate,
                              const char *const *encoders) {
    static uint8_t rgb[MOST_BYTES];
    tot_video *video = NULL;
    tot_status status = encoders == NULL
                            ? tot_video_create(&video, path, width, height, rate)
                            : file_video_create_with(&video, path, width, height, rate, encoders);
    for (int k = 0; status == TOT_OK && k < frames; k++) {
        paint(rgb, width, height, k);
        status = tot_video_add(video, rgb);
    }
    if (status != TOT_OK) {
        tot_video_discard(video);
        return status;
    }
    return tot_video_commit(video);
}

// --- reading back ------------------------------------------------------------------------------

typedef struct seen {
    int width, height, frames;
    double rate;
    double seconds;
    double worst;  // mean difference of the worst frame
    enum AVCodecID codec;
    enum AVPixelFormat format;
} seen;

static double difference(const AVFrame *frame, int width, int height, int number) {
    static uint8_t expected[MOST_BYTES];
    static uint8_t found[MOST_BYTES];
    uint8_t *planes[4] = {found};
    const int strides[4] = {3 * frame->width};
    struct SwsContext *scaler =
        sws_getContext(frame->width, frame->height, frame->format, frame->width, frame->height,
                       AV_PIX_FMT_RGB24, SWS_BILINEAR | SWS_ACCURATE_RND, NULL, NULL, NULL);
    assert_non_null(scaler);
    sws_scale(scaler, (const uint8_t *const *)frame->data, frame->linesize, 0, frame->height,
              planes, strides);
    sws_freeContext(scaler);
    paint(expected, width, height, number);
    double sum = 0;
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < 3 * width; x++) {
            sum += abs(expected[y * 3 * width + x] - found[y * strides[0] + x]);
        }
    }
    return sum / (3 * width * height);
}

static void take_frames(AVCodecContext *codec, const AVPacket *packet, seen *out, int width,
                        int height) {
    AVFrame *frame = av_frame_alloc();
    assert_true(avcodec_send_packet(codec, packet) >= 0);
    while (avcodec_receive_frame(codec, frame) >= 0) {
        const double apart = difference(frame, width, height, out->frames);
        out->worst = apart > out->worst ? apart : out->worst;
        out->frames++;
    }
    av_frame_free(&frame);
}

static seen read_video(const char *path, int width, int height) {
    seen out = {0};
    AVFormatContext *format = NULL;
    assert_int_equal(avformat_open_input(&format, path, NULL, NULL), 0);
    assert_true(avformat_find_stream_info(format, NULL) >= 0);
    assert_int_equal(format->nb_streams, 1);
    const AVStream *stream = format->streams[0];
    const AVCodecParameters *parameters = stream->codecpar;
    AVCodecContext *codec = avcodec_alloc_context3(avcodec_find_decoder(parameters->codec_id));
    assert_true(avcodec_parameters_to_context(codec, parameters) >= 0);
    assert_int_equal(avcodec_open2(codec, NULL, NULL), 0);
    AVPacket *packet = av_packet_alloc();
    while (av_read_frame(format, packet) >= 0) {
        take_frames(codec, packet, &out, width, height);
        av_packet_unref(packet);
    }
    take_frames(codec, NULL, &out, width, height);
    out.width = parameters->width;
    out.height = parameters->height;
    out.codec = parameters->codec_id;
    out.format = (enum AVPixelFormat)parameters->format;
    out.rate = av_q2d(stream->avg_frame_rate);
    out.seconds = (double)format->duration / AV_TIME_BASE;
    av_packet_free(&packet);
    avcodec_free_context(&codec);
    avformat_close_input(&format);
    return out;
}

static void check_video(const char *path, int width, int height, int frames, double rate) {
    const seen found = read_video(path, width, height);
    if (found.worst > 6) {
        print_error("%s: %d x %d: a frame is %g off\n", path, width, height, found.worst);
    }
    assert_int_equal(found.frames, frames);
    assert_int_equal(found.width, width + width % 2);
    assert_int_equal(found.height, height + height % 2);
    assert_int_equal(found.format, AV_PIX_FMT_YUV420P);
    assert_true(found.rate > rate * 0.999 && found.rate < rate * 1.001);
    // containers count in milliseconds
    if (fabs(found.seconds - frames / rate) > 0.002) {
        print_error("%s: %g s, not %g\n", path, found.seconds, frames / rate);
    }
    assert_true(fabs(found.seconds - frames / rate) <= 0.002);
    assert_true(found.worst <= 6);
}

// --- tests -------------------------------------------------------------------------------------

TEST_EACH(NULL, empty_test_folder)

TEST(test_round_trip) {
    assert_ok(write_video(in_folder("a.mp4"), WIDTH, HEIGHT, FRAMES, 30, NULL));
    check_video(in_folder("a.mp4"), WIDTH, HEIGHT, FRAMES, 30);
    assert_ok(write_video(in_folder("b.mp4"), 224, 224, 10, 12.5, NULL));
    check_video(in_folder("b.mp4"), 224, 224, 10, 12.5);
    assert_ok(write_video(in_folder("one.mp4"), WIDTH, HEIGHT, 1, 80, NULL));
    check_video(in_folder("one.mp4"), WIDTH, HEIGHT, 1, 80);
    assert_ok(write_video(in_folder("c.mkv"), WIDTH, HEIGHT, FRAMES, 30, NULL));
    check_video(in_folder("c.mkv"), WIDTH, HEIGHT, FRAMES, 30);
    assert_int_equal(count_files(false), 4);
}

TEST(test_encoders) {
    tot_video *video = NULL;
    assert_ok(tot_video_create(&video, in_folder("h.mp4"), WIDTH, HEIGHT, 30));
    const bool h264 = avcodec_find_encoder_by_name("libx264") != NULL;
    assert_string_equal(tot_video_encoder(video), h264 ? "libx264" : "mpeg4");
    tot_video_discard(video);
    // without H.264
    assert_ok(write_video(in_folder("m.mp4"), WIDTH, HEIGHT, FRAMES, 30, mpeg4_only));
    check_video(in_folder("m.mp4"), WIDTH, HEIGHT, FRAMES, 30);
    assert_int_equal(read_video(in_folder("m.mp4"), WIDTH, HEIGHT).codec, AV_CODEC_ID_MPEG4);
    // without any encoder
    assert_fails(write_video(in_folder("n.mp4"), WIDTH, HEIGHT, 1, 30, nothing_known),
                 TOT_E_UNSUPPORTED, "Encoder not found");
    assert_int_equal(count_files(false), 1);
}

TEST(test_sizes) {
    static const int sizes[][2] = {{33, 17}, {85, 84}, {84, 85}, {2, 2},
                                   {1, 1},   {3, 100}, {100, 3}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        for (int which = 0; which < 2; which++) {
            const char *path = in_folder("s.mp4");
            assert_ok(
                write_video(path, sizes[k][0], sizes[k][1], 3, 30, which == 0 ? NULL : mpeg4_only));
            const seen found = read_video(path, sizes[k][0], sizes[k][1]);
            assert_int_equal(found.frames, 3);
            assert_int_equal(found.width, sizes[k][0] + sizes[k][0] % 2);
            assert_int_equal(found.height, sizes[k][1] + sizes[k][1] % 2);
        }
    }
}

// Fills freed memory, so that uninitialised bytes cannot be equal by chance.
static void soil_memory(int value) {
    enum { BLOCKS = 64 };
    void *blocks[BLOCKS];
    for (int k = 0; k < BLOCKS; k++) {
        const size_t size = (size_t)64 << (k % 12);
        blocks[k] = malloc(size);
        assert_non_null(blocks[k]);
        memset(blocks[k], value, size);
    }
    for (int k = 0; k < BLOCKS; k++) {
        free(blocks[k]);
    }
}

TEST(test_same_bytes) {
    static const char *const *const encoders[] = {NULL, mpeg4_only};
    static const int sizes[][2] = {{WIDTH, HEIGHT}, {1, 1}, {33, 17}, {3, 100}, {100, 3}};
    for (size_t k = 0; k < 10; k++) {
        const int width = sizes[k / 2][0];
        const int height = sizes[k / 2][1];
        size_t size[2];
        soil_memory(0x00);
        assert_ok(write_video(in_folder("a.mp4"), width, height, 12, 30, encoders[k % 2]));
        soil_memory(0xff);
        assert_ok(write_video(in_folder("b.mp4"), width, height, 12, 30, encoders[k % 2]));
        uint8_t *a = read_bytes(in_folder("a.mp4"), &size[0]);
        uint8_t *b = read_bytes(in_folder("b.mp4"), &size[1]);
        assert_int_equal(size[0], size[1]);
        assert_memory_equal(a, b, size[0]);
        free(a);
        free(b);
    }
}

TEST(test_bad_arguments) {
    tot_video *video = NULL;
    assert_fails(tot_video_create(&video, in_folder("a.mp4"), 0, 5, 30), TOT_E_ARGUMENT, "0 x 5");
    assert_fails(tot_video_create(&video, in_folder("a.mp4"), 16385, 5, 30), TOT_E_ARGUMENT,
                 "16384");
    assert_fails(tot_video_create(&video, in_folder("a.mp4"), 5, 5, 0), TOT_E_ARGUMENT,
                 "0 frames per second");
    assert_fails(tot_video_create(&video, in_folder("a.mp4"), 5, 5, (double)NAN), TOT_E_ARGUMENT,
                 "frames per second");
    assert_fails(tot_video_create(&video, in_folder("a.txt"), 64, 64, 30), TOT_E_UNSUPPORTED,
                 "a.txt: not a supported kind of video");
    assert_fails(tot_video_create(&video, in_folder("a"), 64, 64, 30), TOT_E_UNSUPPORTED,
                 "not a supported kind of video");
    assert_fails(tot_video_create(&video, in_folder("a.wav"), 64, 64, 30), TOT_E_UNSUPPORTED,
                 "not a supported kind of video");
    assert_fails(tot_video_create(&video, in_folder("no/a.mp4"), 64, 64, 30), TOT_E_FILE, "no");
    assert_fails(tot_video_create(&video, test_folder, 64, 64, 30), TOT_E_FILE, "a folder");
    assert_fails(write_video(in_folder("a.mp4"), WIDTH, HEIGHT, 0, 30, NULL), TOT_E_ARGUMENT,
                 "without pictures");
    assert_null(video);
    tot_video_discard(NULL);
    assert_int_equal(count_files(false), 0);
}

TEST(test_discard) {
    static uint8_t rgb[WIDTH * HEIGHT * 3];
    tot_video *video = NULL;
    write_bytes(in_folder("a.mp4"), "old", 3);
    assert_ok(tot_video_create(&video, in_folder("a.mp4"), WIDTH, HEIGHT, 30));
    assert_ok(tot_video_add(video, rgb));
    tot_video_discard(video);
    assert_int_equal(count_files(false), 1);
    size_t size;
    uint8_t *kept = read_bytes(in_folder("a.mp4"), &size);
    assert_memory_equal(kept, "old", 4);
    free(kept);
}

// Writes noise, so that the file is large and written in many pieces.
static tot_status write_noise(const char *path, const char *const *encoders) {
    static uint8_t rgb[320 * 240 * 3];
    tot_random random;
    tot_video *video = NULL;
    tot_random_init(&random, 2, "noise");
    tot_status status = file_video_create_with(&video, path, 320, 240, 30, encoders);
    for (int k = 0; status == TOT_OK && k < 4; k++) {
        for (size_t i = 0; i < sizeof rgb; i++) {
            rgb[i] = (uint8_t)tot_random_word(&random);
        }
        status = tot_video_add(video, rgb);
    }
    if (status != TOT_OK) {
        tot_video_discard(video);
        return status;
    }
    return tot_video_commit(video);
}

TEST(test_full_disk) {
    static const char *const both[] = {"libx264", "mpeg4", NULL};
    static const char *const *const encoders[] = {both, mpeg4_only};
    for (size_t k = 0; k < 2; k++) {
        write_bytes(in_folder("a.mp4"), "old", 3);
        int rounds = 0;
        for (fill_disk_after(0);; fill_disk_after(++rounds)) {
            const tot_status status = write_noise(in_folder("a.mp4"), encoders[k]);
            if (!disk_was_full()) {
                assert_int_equal(status, TOT_OK);
                break;
            }
            assert_int_equal(status, TOT_E_FILE);
            if (strstr(tot_error(), "No space") == NULL) {
                print_error("round %d: %s\n", rounds, tot_error());
            }
            assert_non_null(strstr(tot_error(), "No space"));
            assert_int_equal(count_files(false), 1);
            size_t size;
            uint8_t *kept = read_bytes(in_folder("a.mp4"), &size);
            assert_int_equal(size, 3);
            assert_memory_equal(kept, "old", 3);
            free(kept);
        }
        fill_disk_after(-1);
        assert_true(rounds > 2);
    }
}

// After a failure the video can only be discarded.
TEST(test_after_failure) {
    static uint8_t rgb[320 * 240 * 3];
    tot_video *video = NULL;
    tot_status status = TOT_OK;
    tot_random random;
    tot_random_init(&random, 3, "noise");
    assert_ok(file_video_create_with(&video, in_folder("a.mp4"), 320, 240, 30, mpeg4_only));
    fill_disk_after(0);
    for (int k = 0; k < 20 && status == TOT_OK; k++) {
        for (size_t i = 0; i < sizeof rgb; i++) {
            rgb[i] = (uint8_t)tot_random_word(&random);
        }
        status = tot_video_add(video, rgb);
    }
    fill_disk_after(-1);
    assert_int_equal(status, TOT_E_FILE);
    assert_fails(tot_video_add(video, rgb), TOT_E_ARGUMENT, "before");
    assert_fails(tot_video_commit(video), TOT_E_ARGUMENT, "before");
    assert_int_equal(count_files(false), 0);
}

TEST(test_memory) {
    failing_memory memory;
    uint64_t k = 1;
    for (; failing_memory_next(&memory, k); k++) {
        failing_memory_check(&memory, write_video(in_folder("m.mp4"), WIDTH, HEIGHT, 2, 30, NULL));
        assert_int_equal(count_files(false), atomic_load(&memory.failed) > 0 ? 0 : 1);
    }
    assert_true(k > 3);
}

// Neither the library nor its dependencies print anything.
TEST(test_silent) {
    const int kept = dup(2);
    const int file = open(in_folder("said"), O_RDWR | O_CREAT, 0600);
    assert_true(kept >= 0 && file >= 0);
    fflush(stderr);
    dup2(file, 2);
    const tot_status good = write_video(in_folder("a.mp4"), 33, 21, FRAMES, 30, NULL);
    const tot_status plain = write_video(in_folder("b.mp4"), 33, 21, FRAMES, 30, mpeg4_only);
    fill_disk_after(0);
    const tot_status bad = write_video(in_folder("c.mp4"), WIDTH, HEIGHT, FRAMES, 30, NULL);
    fill_disk_after(-1);
    fflush(stderr);
    dup2(kept, 2);
    close(kept);
    close(file);
    assert_ok(good);
    assert_ok(plain);
    assert_int_equal(bad, TOT_E_FILE);
    size_t size;
    uint8_t *said = read_bytes(in_folder("said"), &size);
    if (size > 0) {
        print_error("printed: %s\n", (const char *)said);
    }
    assert_int_equal(size, 0);
    free(said);
}

int main(void) {
    fill_disk_after(-1);
    return RUN_TESTS(make_test_folder, remove_test_folder);
}
