// The virtual machine that runs a pickle, shared by its two halves: pickle.c has the opcodes,
// pickle_torch.c what is constructed by calls.
#pragma once

#include "base/error.h"
#include "file/pickle.h"

typedef struct file_numbers {
    uint32_t *at;
    size_t count, capacity;
} file_numbers;

typedef struct file_machine {
    file_pickle *pickle;
    file_source *source;
    int64_t start;      // offset of the pickle in the source
    int64_t position;   // current offset, relative to start
    int64_t opcode_at;  // offset of the current opcode
    uint8_t opcode;
    bool stopped;
    file_numbers stack, marks, memo;
    size_t buffer_at, buffer_end;
    uint8_t buffer[8192];
} file_machine;

// Fails at the current opcode, and adds its offset to the message.
#define FILE_PICKLE_FAIL(machine, status, ...) \
    (base_fail((status), __VA_ARGS__), file_pickle_fail_here((machine), (status)))
#define FILE_PICKLE_FAIL_IF(machine, condition, ...)         \
    do {                                                     \
        if (condition) {                                     \
            return FILE_PICKLE_FAIL((machine), __VA_ARGS__); \
        }                                                    \
    } while (0)
tot_status file_pickle_fail_here(const file_machine *machine, tot_status status);

tot_status file_machine_push(file_machine *machine, uint32_t value);
tot_status file_machine_push_new(file_machine *machine, file_pickle_value value);
tot_status file_machine_pop(file_machine *machine, uint32_t *value);

// Handlers of opcodes that name or construct objects.
tot_status file_op_global(file_machine *machine);
tot_status file_op_stack_global(file_machine *machine);
tot_status file_op_reduce(file_machine *machine);
tot_status file_op_build(file_machine *machine);
tot_status file_op_persistent(file_machine *machine);

// Reads size bytes of the pickle.
tot_status file_machine_take(file_machine *machine, void *bytes, size_t size);

// Appends to a tuple, list or dictionary.
tot_status file_machine_append(file_machine *machine, uint32_t container, uint32_t key,
                               uint32_t value);

// Deduplicates the storages and sorts them by key; updates the indices in the values.
tot_status file_machine_unite_storages(file_machine *machine);
