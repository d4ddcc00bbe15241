// Functions of a library that is loaded on first use. Each user lists the functions in a macro,
// which gives both the table of pointers and the list of their names.
#pragma once

#include <stddef.h>

typedef struct base_symbol {
    const char *name;
    size_t offset;  // of the pointer in the table
} base_symbol;

// Fills the table. Returns the name of the first function that the library lacks; NULL: none.
const char *base_take_symbols(void *library, const base_symbol *symbols, size_t count, void *table);
