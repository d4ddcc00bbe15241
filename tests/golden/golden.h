// Shared by the golden tests: fingerprints of arrays, and the checked-in list of them.
#pragma once

#include "asserts.h"

// Adds bytes to a fingerprint (64-bit FNV-1a; a separate implementation, so that the library's may
// change). Start with GOLDEN_EMPTY.
#define GOLDEN_EMPTY 14695981039346656037u
uint64_t golden_add(uint64_t hash, const void *bytes, size_t size);

// Compares with the list, or prints the line for it (--write). `name` must not contain a space.
void golden_check(const char *name, uint64_t hash);

// The groups: each computes a fixed set of results with one thread.
void golden_rewards(void **state);
void golden_embeddings(void **state);
void golden_worlds(void **state);
void golden_updates(void **state);
void golden_label(void **state);
void golden_run(void **state);
