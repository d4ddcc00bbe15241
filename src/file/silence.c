#include "file/silence.h"

#include <libavutil/log.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int silent_calls;
static int level_before;

void file_silence_begin(void) {
    pthread_mutex_lock(&lock);
    if (silent_calls++ == 0) {
        level_before = av_log_get_level();
        av_log_set_level(AV_LOG_QUIET);
    }
    pthread_mutex_unlock(&lock);
}

void file_silence_end(void) {
    pthread_mutex_lock(&lock);
    if (--silent_calls == 0) {
        av_log_set_level(level_before);
    }
    pthread_mutex_unlock(&lock);
}
