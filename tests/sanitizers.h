// Which sanitizers a test is built with. They make everything several times slower, the thread
// sanitizer twenty times, and a few cases of each kind are enough for them: tests may run fewer
// cases then. The release build runs everything.
#pragma once

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TEST_TSAN 1
#elif __has_feature(address_sanitizer)
#define TEST_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_THREAD__) && !defined(TEST_TSAN)
#define TEST_TSAN 1
#endif
#ifndef TEST_TSAN
#define TEST_TSAN 0
#endif
#if (TEST_TSAN || defined(__SANITIZE_ADDRESS__)) && !defined(TEST_SANITIZED)
#define TEST_SANITIZED 1
#endif
#ifndef TEST_SANITIZED
#define TEST_SANITIZED 0
#endif
