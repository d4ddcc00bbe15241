// The machine that runs a pickle, as its two halves see it: pickle.c has the opcodes, and
// pickle_torch.c what is made by calling something.
#ifndef TOT_FILE_PICKLE_MACHINE_H
#define TOT_FILE_PICKLE_MACHINE_H

#include "base/error.h"
#include "file/pickle.h"

typedef struct tot_numbers {
    uint32_t *at;
    size_t count, capacity;
} tot_numbers;

typedef struct tot_machine {
    tot_pickle *pickle;
    tot_source *source;
    int64_t start;      // where in the source the pickle begins
    int64_t position;   // where it is read, from the start
    int64_t opcode_at;  // where the present opcode stands
    uint8_t opcode;
    bool stopped;
    tot_numbers stack, marks, memo;
    size_t buffer_at, buffer_end;
    uint8_t buffer[8192];
} tot_machine;

// Fails at the present opcode, and says where that is.
#define TOT_PICKLE_FAIL(machine, status, ...) \
    (tot_fail((status), __VA_ARGS__), tot_pickle_fail_here((machine), (status)))
tot_status tot_pickle_fail_here(const tot_machine *machine, tot_status status);

tot_status tot_machine_push(tot_machine *machine, uint32_t value);
tot_status tot_machine_push_new(tot_machine *machine, tot_value value);
tot_status tot_machine_pop(tot_machine *machine, uint32_t *value);

// The handlers of opcodes that name or make objects.
tot_status tot_op_global(tot_machine *machine);
tot_status tot_op_stack_global(tot_machine *machine);
tot_status tot_op_reduce(tot_machine *machine);
tot_status tot_op_build(tot_machine *machine);
tot_status tot_op_persistent(tot_machine *machine);

// Reads size bytes of the pickle.
tot_status tot_machine_take(tot_machine *machine, void *bytes, size_t size);

// Adds to the end of a tuple, list or dictionary.
tot_status tot_machine_append(tot_machine *machine, uint32_t container, uint32_t key,
                              uint32_t value);

// Each storage once, sorted by key; values then have their numbers.
tot_status tot_machine_unite_storages(tot_machine *machine);

#endif
