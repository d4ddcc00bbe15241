// What a PyTorch pickle constructs by calls: ordered dictionaries, tensors, parameters; and its
// storages, which refer to data elsewhere in the file.
#include "base/base.h"
#include "file/pickle_machine.h"

#define FAIL(...)               FILE_PICKLE_FAIL(machine, __VA_ARGS__)
#define FAIL_IF(condition, ...) FILE_PICKLE_FAIL_IF(machine, condition, __VA_ARGS__)

// --- known names -------------------------------------------------------------------------------

typedef enum meaning {
    MAKES_DICT,
    MAKES_TUPLE,
    MAKES_TENSOR,
    MAKES_PARAMETER,
    IS_STORAGE,
} meaning;

static const struct {
    const char *module;
    const char *name;
    meaning means;
    uint32_t fewest, most;  // number of arguments
    file_kind kind;         // of a storage
} globals[] = {
    {"collections", "OrderedDict", MAKES_DICT, 0, 1, 0},
    {"torch", "Size", MAKES_TUPLE, 1, 1, 0},
    {"torch._utils", "_rebuild_tensor", MAKES_TENSOR, 4, 4, 0},
    {"torch._utils", "_rebuild_tensor_v2", MAKES_TENSOR, 6, 7, 0},
    {"torch._utils", "_rebuild_parameter", MAKES_PARAMETER, 3, 3, 0},
    {"torch._utils", "_rebuild_parameter_with_state", MAKES_PARAMETER, 4, 4, 0},
    {"torch", "FloatStorage", IS_STORAGE, 0, 0, FILE_KIND_F32},
    {"torch", "DoubleStorage", IS_STORAGE, 0, 0, FILE_KIND_F64},
    {"torch", "HalfStorage", IS_STORAGE, 0, 0, FILE_KIND_F16},
    {"torch", "BFloat16Storage", IS_STORAGE, 0, 0, FILE_KIND_BF16},
    {"torch", "ByteStorage", IS_STORAGE, 0, 0, FILE_KIND_U8},
    {"torch", "BoolStorage", IS_STORAGE, 0, 0, FILE_KIND_BOOL},
    {"torch", "IntStorage", IS_STORAGE, 0, 0, FILE_KIND_I32},
    {"torch", "LongStorage", IS_STORAGE, 0, 0, FILE_KIND_I64},
};

static tot_status push_global(file_machine *machine, const char *module, const char *name) {
    // GPU storages have the same content
    const char *plain = strcmp(module, "torch.cuda") == 0 ? "torch" : module;
    for (size_t k = 0; k < sizeof globals / sizeof globals[0]; k++) {
        if (strcmp(globals[k].module, plain) == 0 && strcmp(globals[k].name, name) == 0) {
            return file_machine_push_new(
                machine, (file_pickle_value){.kind = FILE_VALUE_GLOBAL, .first = (uint32_t)k});
        }
    }
    const size_t length = strlen(name);
    FAIL_IF(strcmp(plain, "torch") == 0 && length > 7 && strcmp(name + length - 7, "Storage") == 0,
            TOT_E_UNSUPPORTED, "numbers of the kind %s.%s are not read here", module, name);
    return FAIL(TOT_E_UNSUPPORTED,
                "names %s.%s: only tensors, dictionaries, lists, texts and numbers are read "
                "(save the model's state_dict)",
                module, name);
}

enum { NAME_SIZE = 200 };

static tot_status take_line(file_machine *machine, char line[NAME_SIZE]) {
    for (size_t k = 0; k < NAME_SIZE; k++) {
        BASE_TRY(file_machine_take(machine, &line[k], 1));
        if (line[k] == '\n') {
            line[k] = '\0';
            return TOT_OK;
        }
    }
    return FAIL(TOT_E_FORMAT, "the name of a function or class is too long");
}

tot_status file_op_global(file_machine *machine) {
    char module[NAME_SIZE], name[NAME_SIZE];
    BASE_TRY(take_line(machine, module));
    BASE_TRY(take_line(machine, name));
    return push_global(machine, module, name);
}

// Pops a string value as a C string.
static tot_status pop_name(file_machine *machine, char name[NAME_SIZE]) {
    uint32_t popped;
    BASE_TRY(file_machine_pop(machine, &popped));
    const file_pickle_value *value = &machine->pickle->values[popped];
    FAIL_IF(value->kind != FILE_VALUE_TEXT || value->count >= NAME_SIZE, TOT_E_FORMAT,
            "the name of a function or class is not a text, or too long");
    memcpy(name, machine->pickle->texts + value->first, value->count);
    name[value->count] = '\0';
    return TOT_OK;
}

tot_status file_op_stack_global(file_machine *machine) {
    char module[NAME_SIZE], name[NAME_SIZE];
    BASE_TRY(pop_name(machine, name));
    BASE_TRY(pop_name(machine, module));
    return push_global(machine, module, name);
}

// --- tensors -----------------------------------------------------------------------------------

// Item `index` of a tuple or list, which must exist.
static uint32_t item_of(const file_pickle *pickle, const file_pickle_value *container,
                        uint32_t index) {
    uint32_t item = container->first;
    while (index-- > 0) {
        item = pickle->items[item].next;
    }
    return pickle->items[item].value;
}

static const file_pickle_value *value_in(const file_pickle *pickle,
                                         const file_pickle_value *container, uint32_t index) {
    return &pickle->values[item_of(pickle, container, index)];
}

static bool is_tuple_of_numbers(const file_pickle *pickle, const file_pickle_value *value) {
    uint32_t item = value->first;
    if (value->kind != FILE_VALUE_TUPLE) {
        return false;
    }
    for (uint32_t k = 0; k < value->count; k++) {
        if (pickle->values[pickle->items[item].value].kind != FILE_VALUE_NUMBER) {
            return false;
        }
        item = pickle->items[item].next;
    }
    return true;
}

// Arguments: storage, offset, shape, strides, then what is only needed for training.
static tot_status check_tensor(file_machine *machine, const file_pickle_value *arguments) {
    const file_pickle *pickle = machine->pickle;
    const file_pickle_value *shape = value_in(pickle, arguments, 2);
    const file_pickle_value *stride = value_in(pickle, arguments, 3);
    FAIL_IF(value_in(pickle, arguments, 0)->kind != FILE_VALUE_STORAGE ||
                value_in(pickle, arguments, 1)->kind != FILE_VALUE_NUMBER ||
                !is_tuple_of_numbers(pickle, shape) || !is_tuple_of_numbers(pickle, stride) ||
                shape->count != stride->count,
            TOT_E_FORMAT, "a tensor is not made of a storage, an offset, a shape and strides");
    FAIL_IF(shape->count > TOT_MAX_DIMENSIONS, TOT_E_UNSUPPORTED,
            "a tensor of %u dimensions, at most %d are read", (unsigned)shape->count,
            TOT_MAX_DIMENSIONS);
    if (arguments->count == 7) {
        // a flag that the values are to be negated or conjugated
        const file_pickle_value *note = value_in(pickle, arguments, 6);
        FAIL_IF(note->kind != FILE_VALUE_NONE && (note->kind != FILE_VALUE_DICT || note->count > 0),
                TOT_E_UNSUPPORTED, "a tensor that says its numbers mean something else");
    }
    return TOT_OK;
}

void file_pickle_view(const file_pickle *pickle, const file_pickle_value *tensor, size_t *storage,
                      file_view *view) {
    const file_pickle_value *arguments = &pickle->values[tensor->first];
    const file_pickle_value *shape = value_in(pickle, arguments, 2);
    const file_pickle_value *stride = value_in(pickle, arguments, 3);
    *storage = value_in(pickle, arguments, 0)->first;
    view->offset = value_in(pickle, arguments, 1)->number;
    view->dimensions = (int)shape->count;
    for (uint32_t k = 0; k < shape->count; k++) {
        view->shape[k] = value_in(pickle, shape, k)->number;
        view->stride[k] = value_in(pickle, stride, k)->number;
    }
}

// --- calling -----------------------------------------------------------------------------------

// Python 2 passes a list of pairs to an ordered dictionary; Python 3 passes nothing and fills it
// later.
static tot_status make_dict(file_machine *machine, uint32_t arguments) {
    file_pickle *pickle = machine->pickle;
    BASE_TRY(file_machine_push_new(machine, (file_pickle_value){.kind = FILE_VALUE_DICT}));
    const uint32_t dict = (uint32_t)(pickle->value_count - 1);
    if (pickle->values[arguments].count == 0) {
        return TOT_OK;
    }
    const file_pickle_value *pairs = value_in(pickle, &pickle->values[arguments], 0);
    FAIL_IF(pairs->kind != FILE_VALUE_LIST, TOT_E_FORMAT,
            "a dictionary is not made of a list of pairs");
    uint32_t item = pairs->first;
    for (uint32_t k = 0; k < pairs->count; k++) {
        const file_pickle_value *pair = &pickle->values[pickle->items[item].value];
        item = pickle->items[item].next;
        FAIL_IF(
            (pair->kind != FILE_VALUE_LIST && pair->kind != FILE_VALUE_TUPLE) || pair->count != 2,
            TOT_E_FORMAT, "a dictionary is not made of a list of pairs");
        BASE_TRY(
            file_machine_append(machine, dict, item_of(pickle, pair, 0), item_of(pickle, pair, 1)));
    }
    return TOT_OK;
}

// A parameter is represented by its tensor.
static tot_status make_parameter(file_machine *machine, const file_pickle_value *arguments) {
    const uint32_t tensor = item_of(machine->pickle, arguments, 0);
    FAIL_IF(machine->pickle->values[tensor].kind != FILE_VALUE_TENSOR, TOT_E_FORMAT,
            "a parameter is not made of a tensor");
    return file_machine_push(machine, tensor);
}

tot_status file_op_reduce(file_machine *machine) {
    uint32_t arguments, called;
    BASE_TRY(file_machine_pop(machine, &arguments));
    BASE_TRY(file_machine_pop(machine, &called));
    const file_pickle_value *values = machine->pickle->values;
    const file_pickle_value *given = &values[arguments];
    FAIL_IF(values[called].kind != FILE_VALUE_GLOBAL || given->kind != FILE_VALUE_TUPLE,
            TOT_E_FORMAT, "calls what is not a function, or with no tuple");
    const uint32_t which = values[called].first;
    FAIL_IF(globals[which].means == IS_STORAGE || given->count < globals[which].fewest ||
                given->count > globals[which].most,
            TOT_E_UNSUPPORTED, "calls %s.%s with %u arguments", globals[which].module,
            globals[which].name, (unsigned)given->count);
    switch (globals[which].means) {
        case MAKES_DICT:
            return make_dict(machine, arguments);
        case MAKES_TUPLE:
            return file_machine_push(machine, item_of(machine->pickle, given, 0));
        case MAKES_PARAMETER:
            return make_parameter(machine, given);
        default:
            BASE_TRY(check_tensor(machine, given));
            return file_machine_push_new(
                machine, (file_pickle_value){.kind = FILE_VALUE_TENSOR, .first = arguments});
    }
}

// Attributes of a dictionary: the layer versions of a state_dict. They are ignored.
tot_status file_op_build(file_machine *machine) {
    uint32_t state, object;
    BASE_TRY(file_machine_pop(machine, &state));
    BASE_TRY(file_machine_pop(machine, &object));
    const file_pickle_value *values = machine->pickle->values;
    FAIL_IF(values[object].kind != FILE_VALUE_DICT || values[state].kind != FILE_VALUE_DICT,
            TOT_E_UNSUPPORTED, "sets the state of what is not a dictionary");
    return file_machine_push(machine, object);
}

// --- storages ----------------------------------------------------------------------------------

// ('storage', class, key, device, elements), and in the legacy format one more: which part of
// another storage it is, long since always None.
tot_status file_op_persistent(file_machine *machine) {
    file_pickle *pickle = machine->pickle;
    uint32_t popped;
    BASE_TRY(file_machine_pop(machine, &popped));
    const file_pickle_value *id = &pickle->values[popped];
    FAIL_IF(id->kind != FILE_VALUE_TUPLE || (id->count != 5 && id->count != 6), TOT_E_FORMAT,
            "a persistent id that is not one of a storage");
    const file_pickle_value *word = value_in(pickle, id, 0), *class = value_in(pickle, id, 1);
    const file_pickle_value *key = value_in(pickle, id, 2), *count = value_in(pickle, id, 4);
    FAIL_IF(word->kind != FILE_VALUE_TEXT || word->count != 7 ||
                memcmp(pickle->texts + word->first, "storage", 7) != 0 ||
                class->kind != FILE_VALUE_GLOBAL || globals[class->first].means != IS_STORAGE ||
                key->kind != FILE_VALUE_TEXT || count->kind != FILE_VALUE_NUMBER ||
                count->number < 0,
            TOT_E_FORMAT, "a persistent id that is not one of a storage");
    FAIL_IF(id->count == 6 && value_in(pickle, id, 5)->kind != FILE_VALUE_NONE, TOT_E_UNSUPPORTED,
            "a storage that is a part of another is not read here");
    const size_t number = pickle->storage_count;
    BASE_GROW(pickle->storages, pickle->storage_capacity, number, number + 1, "pickle");
    pickle->storages[pickle->storage_count++] =
        (file_storage_key){key->first, key->count, (uint32_t)pickle->value_count,
                           globals[class->first].kind, count->number};
    return file_machine_push_new(
        machine, (file_pickle_value){.kind = FILE_VALUE_STORAGE, .first = (uint32_t)number});
}

static int compare_text(const char *a, size_t a_length, const char *b, size_t b_length) {
    const size_t length = a_length < b_length ? a_length : b_length;
    const int order = length > 0 ? memcmp(a, b, length) : 0;
    return order != 0 ? order : (a_length > b_length) - (a_length < b_length);
}

static int compare_keys(const void *a, const void *b, void *context) {
    const char *texts = context;
    const file_storage_key *left = a, *right = b;
    return compare_text(texts + left->text, left->length, texts + right->text, right->length);
}

tot_status file_machine_unite_storages(file_machine *machine) {
    file_pickle *pickle = machine->pickle;
    file_storage_key *storages = pickle->storages;
    size_t kept = 0;
    if (pickle->storage_count == 0) {
        return TOT_OK;
    }
    qsort_r(storages, pickle->storage_count, sizeof *storages, compare_keys, pickle->texts);
    for (size_t k = 0; k < pickle->storage_count; k++) {
        const file_storage_key *one = &storages[k];
        if (k == 0 || compare_keys(&storages[kept - 1], one, pickle->texts) != 0) {
            storages[kept++] = *one;
        } else if (storages[kept - 1].kind != one->kind || storages[kept - 1].count != one->count) {
            return base_fail(TOT_E_FORMAT, "%s: storage '%.*s' is said to be of two kinds or sizes",
                             machine->source->name, (int)one->length, pickle->texts + one->text);
        }
        pickle->values[one->value].first = (uint32_t)(kept - 1);
    }
    pickle->storage_count = kept;
    return TOT_OK;
}

size_t file_pickle_find_storage(const file_pickle *pickle, const char *key, size_t length) {
    size_t low = 0, high = pickle->storage_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const file_storage_key *one = &pickle->storages[middle];
        const int order = compare_text(key, length, pickle->texts + one->text, one->length);
        if (order == 0) {
            return middle;
        }
        if (order < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return pickle->storage_count;
}
