// The virtual machine that runs a pickle: stack, memo and opcodes.
#include "file/pickle.h"

#include "base/base.h"
#include "file/pickle_machine.h"

// Far more than any dictionary of tensors needs; bounds the memory a pickle can allocate.
static const int64_t largest_pickle = (int64_t)32 << 20;

static const uint32_t unset = UINT32_MAX;

// Values that every pickle has, so that their opcodes create none.
enum { CONSTANT_NONE, CONSTANT_TRUE, CONSTANT_FALSE, CONSTANT_TUPLE, CONSTANT_COUNT };

tot_status file_pickle_fail_here(const file_machine *machine, tot_status status) {
    return base_fail_in(status, "%s: byte %lld", machine->source->name,
                        (long long)(machine->start + machine->opcode_at));
}

#define FAIL(...)               FILE_PICKLE_FAIL(machine, __VA_ARGS__)
#define FAIL_IF(condition, ...) FILE_PICKLE_FAIL_IF(machine, condition, __VA_ARGS__)

// --- bytes -------------------------------------------------------------------------------------

static tot_status refill(file_machine *machine) {
    const int64_t left = machine->source->size - machine->source->position;
    const size_t size =
        left < (int64_t)sizeof machine->buffer ? (size_t)left : sizeof machine->buffer;
    BASE_TRY(file_source_read(machine->source, machine->buffer, size, "pickle"));
    machine->buffer_at = 0;
    machine->buffer_end = size;
    return TOT_OK;
}

tot_status file_machine_take(file_machine *machine, void *bytes, size_t size) {
    const int64_t left = machine->source->size - machine->start - machine->position;
    FAIL_IF(size > (uint64_t)left, TOT_E_FORMAT, "cut short: %zu bytes should follow, %lld do",
            size, (long long)left);
    FAIL_IF(size > (uint64_t)(largest_pickle - machine->position), TOT_E_UNSUPPORTED,
            "a pickle of more than %lld bytes is not read", (long long)largest_pickle);
    char *to = bytes;
    machine->position += (int64_t)size;
    while (size > 0) {
        if (machine->buffer_at == machine->buffer_end) {
            BASE_TRY(refill(machine));
        }
        const size_t there = machine->buffer_end - machine->buffer_at;
        const size_t piece = size < there ? size : there;
        memcpy(to, machine->buffer + machine->buffer_at, piece);
        machine->buffer_at += piece;
        to += piece;
        size -= piece;
    }
    return TOT_OK;
}

// An integer of up to 8 bytes, little-endian.
static tot_status take_number(file_machine *machine, size_t size, uint64_t *number) {
    *number = 0;
    BASE_TRY(file_machine_take(machine, number, size));
    *number = le64toh(*number);
    return TOT_OK;
}

// --- values ------------------------------------------------------------------------------------

static tot_status add_number(file_numbers *numbers, uint32_t number) {
    BASE_GROW(numbers->at, numbers->capacity, numbers->count, numbers->count + 1, "pickle");
    numbers->at[numbers->count++] = number;
    return TOT_OK;
}

tot_status file_machine_push(file_machine *machine, uint32_t value) {
    return add_number(&machine->stack, value);
}

static tot_status add_value(file_pickle *pickle, file_pickle_value value) {
    BASE_GROW(pickle->values, pickle->value_capacity, pickle->value_count, pickle->value_count + 1,
              "pickle");
    pickle->values[pickle->value_count++] = value;
    return TOT_OK;
}

tot_status file_machine_push_new(file_machine *machine, file_pickle_value value) {
    BASE_TRY(add_value(machine->pickle, value));
    return file_machine_push(machine, (uint32_t)(machine->pickle->value_count - 1));
}

// Height of the stack at the last mark, below which nothing may be popped.
static size_t floor_of(const file_machine *machine) {
    return machine->marks.count > 0 ? machine->marks.at[machine->marks.count - 1] : 0;
}

static tot_status peek(file_machine *machine, uint32_t *value) {
    FAIL_IF(machine->stack.count <= floor_of(machine), TOT_E_FORMAT,
            "the stack is empty where a value is needed");
    *value = machine->stack.at[machine->stack.count - 1];
    return TOT_OK;
}

tot_status file_machine_pop(file_machine *machine, uint32_t *value) {
    BASE_TRY(peek(machine, value));
    machine->stack.count--;
    return TOT_OK;
}

// Pops the last mark; *start is its position on the stack.
static tot_status pop_mark(file_machine *machine, size_t *start) {
    FAIL_IF(machine->marks.count == 0, TOT_E_FORMAT, "no mark was set");
    *start = machine->marks.at[--machine->marks.count];
    return TOT_OK;
}

tot_status file_machine_append(file_machine *machine, uint32_t container, uint32_t key,
                               uint32_t value) {
    file_pickle *pickle = machine->pickle;
    BASE_GROW(pickle->items, pickle->item_capacity, pickle->item_count, pickle->item_count + 1,
              "pickle");
    const uint32_t item = (uint32_t)pickle->item_count++;
    pickle->items[item] = (file_item_link){key, value, FILE_NO_ITEM};
    file_pickle_value *to = &pickle->values[container];
    if (to->count++ == 0) {
        to->first = item;
    } else {
        pickle->items[to->last].next = item;
    }
    to->last = item;
    return TOT_OK;
}

// --- opcodes: numbers, strings -----------------------------------------------------------------

static tot_status op_constant(file_machine *machine) {
    return file_machine_push(machine, machine->opcode == 'N'    ? CONSTANT_NONE
                                      : machine->opcode == ')'  ? CONSTANT_TUPLE
                                      : machine->opcode == 0x88 ? CONSTANT_TRUE
                                                                : CONSTANT_FALSE);
}

static tot_status op_number(file_machine *machine) {
    const size_t size = machine->opcode == 'K' ? 1 : machine->opcode == 'M' ? 2 : 4;
    uint64_t number;
    BASE_TRY(take_number(machine, size, &number));
    // the four-byte integer is signed
    const int64_t value = size == 4 ? (int32_t)(uint32_t)number : (int64_t)number;
    return file_machine_push_new(machine,
                                 (file_pickle_value){.kind = FILE_VALUE_NUMBER, .number = value});
}

static tot_status op_float(file_machine *machine) {
    uint64_t bits;
    BASE_TRY(take_number(machine, 8, &bits));
    return file_machine_push_new(machine, (file_pickle_value){.kind = FILE_VALUE_FLOAT});
}

static tot_status push_text(file_machine *machine, file_value_kind kind, uint64_t size) {
    file_pickle *pickle = machine->pickle;
    const int64_t left = machine->source->size - machine->start - machine->position;
    const size_t used = pickle->text_size;
    FAIL_IF(size > (uint64_t)left || size > (uint64_t)largest_pickle, TOT_E_FORMAT,
            "a text of %llu bytes, %lld follow", (unsigned long long)size, (long long)left);
    BASE_GROW(pickle->texts, pickle->text_capacity, used, used + size, "pickle");
    BASE_TRY(file_machine_take(machine, pickle->texts + used, size));
    pickle->text_size += size;
    return file_machine_push_new(
        machine,
        (file_pickle_value){.kind = kind, .first = (uint32_t)used, .count = (uint32_t)size});
}

// Strings of Python 3, and those of Python 2, whose keys were bytes.
static tot_status op_text(file_machine *machine) {
    const uint8_t opcode = machine->opcode;
    const size_t size = opcode == 'U' || opcode == 0x8c ? 1 : opcode == 0x8d ? 8 : 4;
    uint64_t length;
    BASE_TRY(take_number(machine, size, &length));
    return push_text(machine, FILE_VALUE_TEXT, length);
}

static tot_status op_long(file_machine *machine) {
    uint64_t size, number;
    BASE_TRY(take_number(machine, 1, &size));
    if (size > 8) {
        return push_text(machine, FILE_VALUE_LARGE, size);
    }
    BASE_TRY(take_number(machine, size, &number));
    if (size > 0 && size < 8 && (number >> (8 * size - 1) & 1) != 0) {
        number |= UINT64_MAX << (8 * size);
    }
    return file_machine_push_new(
        machine, (file_pickle_value){.kind = FILE_VALUE_NUMBER, .number = (int64_t)number});
}

// --- opcodes: containers -----------------------------------------------------------------------

static tot_status op_empty(file_machine *machine) {
    return file_machine_push_new(
        machine,
        (file_pickle_value){.kind = machine->opcode == '}' ? FILE_VALUE_DICT : FILE_VALUE_LIST});
}

static tot_status op_mark(file_machine *machine) {
    return add_number(&machine->marks, (uint32_t)machine->stack.count);
}

// Moves the stack from `start` on into a container, in pairs for a dictionary.
static tot_status gather(file_machine *machine, uint32_t container, size_t start, bool pairs) {
    const uint32_t *stack = machine->stack.at;
    const size_t step = pairs ? 2 : 1;
    FAIL_IF(pairs && (machine->stack.count - start) % 2 != 0, TOT_E_FORMAT,
            "a key without a value");
    for (size_t k = start; k < machine->stack.count; k += step) {
        BASE_TRY(file_machine_append(machine, container, pairs ? stack[k] : CONSTANT_NONE,
                                     stack[k + step - 1]));
    }
    machine->stack.count = start;
    return TOT_OK;
}

static tot_status op_tuple(file_machine *machine) {
    const size_t size = machine->opcode == 't' ? 0 : (size_t)machine->opcode - 0x84;
    size_t start = machine->stack.count - size;
    if (machine->opcode == 't') {
        BASE_TRY(pop_mark(machine, &start));
    } else if (machine->stack.count < floor_of(machine) + size) {
        return FAIL(TOT_E_FORMAT, "the stack has too few values for a tuple");
    }
    BASE_TRY(add_value(machine->pickle, (file_pickle_value){.kind = FILE_VALUE_TUPLE}));
    const uint32_t tuple = (uint32_t)(machine->pickle->value_count - 1);
    BASE_TRY(gather(machine, tuple, start, false));
    return file_machine_push(machine, tuple);
}

// Adds one item, or all since the mark, to a list or dictionary.
static tot_status op_fill(file_machine *machine) {
    const uint8_t opcode = machine->opcode;
    const bool pairs = opcode == 's' || opcode == 'u';
    const size_t size = opcode == 's' ? 2 : 1;
    size_t start = machine->stack.count - size;
    if (opcode == 'e' || opcode == 'u') {
        BASE_TRY(pop_mark(machine, &start));
    }
    FAIL_IF(machine->stack.count < size || start < floor_of(machine) + 1, TOT_E_FORMAT,
            "the stack has too few values to fill a container");
    const uint32_t container = machine->stack.at[start - 1];
    const file_value_kind kind = pairs ? FILE_VALUE_DICT : FILE_VALUE_LIST;
    FAIL_IF(machine->pickle->values[container].kind != kind, TOT_E_FORMAT,
            "what is filled is not a %s", pairs ? "dictionary" : "list");
    return gather(machine, container, start, pairs);
}

// --- opcodes: memo, start and end --------------------------------------------------------------

static tot_status op_put(file_machine *machine) {
    uint64_t number = machine->memo.count;
    uint32_t value = 0;
    if (machine->opcode != 0x94) {
        BASE_TRY(take_number(machine, machine->opcode == 'q' ? 1 : 4, &number));
    }
    BASE_TRY(peek(machine, &value));
    // indices count from 0 or 1, so there are never more than preceding bytes
    FAIL_IF(number > (uint64_t)machine->position, TOT_E_FORMAT, "memo %llu is too large",
            (unsigned long long)number);
    while (machine->memo.count <= number) {
        BASE_TRY(add_number(&machine->memo, unset));
    }
    machine->memo.at[number] = value;
    return TOT_OK;
}

static tot_status op_get(file_machine *machine) {
    uint64_t number;
    BASE_TRY(take_number(machine, machine->opcode == 'h' ? 1 : 4, &number));
    FAIL_IF(number >= machine->memo.count || machine->memo.at[number] == unset, TOT_E_FORMAT,
            "memo %llu was never set", (unsigned long long)number);
    return file_machine_push(machine, machine->memo.at[number]);
}

static tot_status op_protocol(file_machine *machine) {
    uint64_t version;
    BASE_TRY(take_number(machine, 1, &version));
    FAIL_IF(version > 5, TOT_E_UNSUPPORTED, "pickle protocol %d, at most 5 is read", (int)version);
    return TOT_OK;
}

// A frame only declares how many bytes can be read at once.
static tot_status op_frame(file_machine *machine) {
    uint64_t size;
    return take_number(machine, 8, &size);
}

static tot_status op_stop(file_machine *machine) {
    BASE_TRY(file_machine_pop(machine, &machine->pickle->root));
    FAIL_IF(machine->stack.count > 0 || machine->marks.count > 0, TOT_E_FORMAT,
            "the pickle stops with values left on its stack");
    machine->stopped = true;
    return TOT_OK;
}

// --- running -----------------------------------------------------------------------------------

typedef tot_status (*handler)(file_machine *machine);

static const handler handlers[256] = {
    [0x80] = op_protocol,
    [0x95] = op_frame,
    ['.'] = op_stop,
    ['N'] = op_constant,
    [0x88] = op_constant,
    [0x89] = op_constant,
    [')'] = op_constant,
    ['K'] = op_number,
    ['M'] = op_number,
    ['J'] = op_number,
    [0x8a] = op_long,
    ['G'] = op_float,
    ['X'] = op_text,
    [0x8c] = op_text,
    [0x8d] = op_text,
    ['U'] = op_text,
    ['T'] = op_text,
    ['}'] = op_empty,
    [']'] = op_empty,
    ['('] = op_mark,
    ['t'] = op_tuple,
    [0x85] = op_tuple,
    [0x86] = op_tuple,
    [0x87] = op_tuple,
    ['a'] = op_fill,
    ['e'] = op_fill,
    ['s'] = op_fill,
    ['u'] = op_fill,
    ['q'] = op_put,
    ['r'] = op_put,
    [0x94] = op_put,
    ['h'] = op_get,
    ['j'] = op_get,
    ['c'] = file_op_global,
    [0x93] = file_op_stack_global,
    ['R'] = file_op_reduce,
    ['b'] = file_op_build,
    ['Q'] = file_op_persistent,
};

// Opcodes of Python that PyTorch does not use; any other byte is not an opcode.
static bool is_opcode(uint8_t opcode) {
    static const char others[] =
        "012BCFILPSVdgilop"
        "\x81\x82\x83\x84\x8b\x8e\x8f\x90\x91\x92\x96\x97\x98";
    return opcode != 0 && strchr(others, (char)opcode) != NULL;
}

static tot_status run(file_machine *machine) {
    file_pickle *pickle = machine->pickle;
    BASE_TRY(add_value(pickle, (file_pickle_value){.kind = FILE_VALUE_NONE}));
    BASE_TRY(add_value(pickle, (file_pickle_value){.kind = FILE_VALUE_BOOL, .number = 1}));
    BASE_TRY(add_value(pickle, (file_pickle_value){.kind = FILE_VALUE_BOOL, .number = 0}));
    BASE_TRY(add_value(pickle, (file_pickle_value){.kind = FILE_VALUE_TUPLE}));
    while (!machine->stopped) {
        machine->opcode_at = machine->position;
        BASE_TRY(file_machine_take(machine, &machine->opcode, 1));
        const handler handle = handlers[machine->opcode];
        FAIL_IF(handle == NULL && is_opcode(machine->opcode), TOT_E_UNSUPPORTED,
                "pickle opcode 0x%02x is not read here", machine->opcode);
        FAIL_IF(handle == NULL, TOT_E_FORMAT, "0x%02x is not an opcode of a pickle",
                machine->opcode);
        BASE_TRY(handle(machine));
    }
    pickle->size = machine->position;
    return file_machine_unite_storages(machine);
}

tot_status file_pickle_read(file_pickle *pickle, file_source *source) {
    *pickle = (file_pickle){0};
    file_machine machine = {.pickle = pickle, .source = source, .start = source->position};
    const tot_status status = run(&machine);
    // bytes that were read ahead belong to the caller
    source->position = machine.start + machine.position;
    BASE_RELEASE(machine.stack.at, machine.marks.at, machine.memo.at);
    if (status != TOT_OK) {
        file_pickle_free(pickle);
    }
    return status;
}

void file_pickle_free(file_pickle *pickle) {
    BASE_RELEASE(pickle->values, pickle->items, pickle->texts, pickle->storages);
    *pickle = (file_pickle){0};
}
