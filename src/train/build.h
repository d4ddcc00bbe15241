// What the bytes of a run depend on beside its settings.
#ifndef TOT_TRAIN_BUILD_H
#define TOT_TRAIN_BUILD_H

#include <stddef.h>

// The program's build: the linker's build id where there is one, else the compiler. Never NULL.
const char *tot_build_text(void);

// The CPU's kind: what the vector code runs with, and the model's name.
void tot_cpu_kind(char *text, size_t size);

#endif
