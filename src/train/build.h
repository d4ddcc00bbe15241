// What a run's results depend on besides its settings.
#pragma once

#include <stddef.h>

// The program's build: the linker's build id, or the compiler if there is none. Never NULL.
const char *train_build_text(void);

// The CPU: the instruction set used by the vector code, and the model name.
void train_cpu_kind(char *text, size_t size);
