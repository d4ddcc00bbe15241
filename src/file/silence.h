// Silences FFmpeg's log during calls. Its containers and scalers have no log level of their own,
// and the library must not print: the first of several threads saves the current level, the last
// one restores it.
#pragma once

void file_silence_begin(void);
void file_silence_end(void);
