// What the bytes of a run depend on beside its settings.
#pragma once

#include <stddef.h>

// The program's build: the linker's build id where there is one, else the compiler. Never NULL.
const char *train_build_text(void);

// The CPU's kind: what the vector code runs with, and the model's name.
void train_cpu_kind(char *text, size_t size);
