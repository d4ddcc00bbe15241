// FFmpeg's demuxers, codecs and scaler, loaded with the first video: with everything they depend on
// they are a hundred libraries, which a command without a video would only wait for. libavutil is
// linked. To use another function, add a line to the list of its library.
#pragma once

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libswscale/swscale.h>
#include <temporalot/base.h>

// A stream's side data moved from libavformat to libavcodec.
#if LIBAVCODEC_VERSION_MAJOR >= 61
#define FILE_FFMPEG_SIDE_DATA av_packet_side_data_get
#else
#define FILE_FFMPEG_SIDE_DATA av_stream_get_side_data
#endif

// of libavformat, and of libavcodec, on which it depends
#define FILE_FFMPEG_FORMAT_FUNCTIONS(X) \
    X(avio_alloc_context)               \
    X(avio_context_free)                \
    X(avio_flush)                       \
    X(avformat_alloc_context)           \
    X(avformat_alloc_output_context2)   \
    X(avformat_free_context)            \
    X(avformat_open_input)              \
    X(avformat_close_input)             \
    X(avformat_find_stream_info)        \
    X(avformat_new_stream)              \
    X(avformat_write_header)            \
    X(avformat_query_codec)             \
    X(avformat_index_get_entries_count) \
    X(avformat_index_get_entry)         \
    X(av_probe_input_buffer2)           \
    X(av_guess_format)                  \
    X(av_find_best_stream)              \
    X(av_read_frame)                    \
    X(av_interleaved_write_frame)       \
    X(av_write_trailer)                 \
    X(FILE_FFMPEG_SIDE_DATA)            \
    X(av_packet_alloc)                  \
    X(av_packet_free)                   \
    X(av_packet_unref)                  \
    X(av_packet_rescale_ts)             \
    X(avcodec_find_decoder)             \
    X(avcodec_find_encoder_by_name)     \
    X(avcodec_get_name)                 \
    X(avcodec_alloc_context3)           \
    X(avcodec_free_context)             \
    X(avcodec_parameters_to_context)    \
    X(avcodec_parameters_from_context)  \
    X(avcodec_open2)                    \
    X(avcodec_send_packet)              \
    X(avcodec_send_frame)               \
    X(avcodec_receive_packet)           \
    X(avcodec_receive_frame)

#define FILE_FFMPEG_SCALE_FUNCTIONS(X) \
    X(sws_getContext)                  \
    X(sws_getCachedContext)            \
    X(sws_freeContext)                 \
    X(sws_getCoefficients)             \
    X(sws_getColorspaceDetails)        \
    X(sws_setColorspaceDetails)        \
    X(sws_scale)

typedef struct file_ffmpeg_table {
#define FILE_FFMPEG_MEMBER(name) __typeof__(&name) name;
    FILE_FFMPEG_FORMAT_FUNCTIONS(FILE_FFMPEG_MEMBER)
    FILE_FFMPEG_SCALE_FUNCTIONS(FILE_FFMPEG_MEMBER)
#undef FILE_FFMPEG_MEMBER
} file_ffmpeg_table;

// The functions. Filled by the first successful file_ffmpeg_load, constant from then on.
extern file_ffmpeg_table file_ffmpeg;

// Loads the libraries; does nothing if already loaded. TOT_E_MISSING if they are not installed. Can
// be called from any thread, and again after a failure.
tot_status file_ffmpeg_load(void);
