// FFmpeg's log is silent while we call it. Its containers and scalers have no log level of their
// own, and the library prints nothing: the first of several threads keeps the level that was set,
// the last one puts it back.
#pragma once

void file_silence_begin(void);
void file_silence_end(void);
