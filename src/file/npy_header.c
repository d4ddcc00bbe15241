// Parsing (strictly) and writing the header of a .npy: a Python dictionary with three keys.
//
//     {'descr': '<f4', 'fortran_order': False, 'shape': (63, 2048), }
//
// Only this literal is accepted, with its keys in any order; nothing is ever evaluated.
#include "base/base.h"
#include "file/array.h"
#include "file/npy.h"
#include "file/storage.h"

// --- reading -----------------------------------------------------------------------------------

typedef struct header_parser {
    const char *at;
    const char *end;
    const char *name;
    file_npy_header *header;
} header_parser;

// A part of the text, not terminated.
typedef struct slice {
    const char *text;
    int size;
} slice;

// Maximum length of a value quoted in an error message.
enum { QUOTE_MAX = 60 };

static slice rest(const header_parser *parser) {
    ptrdiff_t left = parser->end - parser->at;
    return (slice){parser->at, left < QUOTE_MAX ? (int)left : QUOTE_MAX};
}

// Fails with what stands there instead, unless the expected part was found.
static tot_status expect(const header_parser *parser, bool found, const char *expected) {
    const slice instead = rest(parser);
    BASE_FAIL_IF(!found && instead.size == 0, TOT_E_FORMAT, "%s: header: ends where %s should be",
                 parser->name, expected);
    BASE_FAIL_IF(!found, TOT_E_FORMAT, "%s: header: '%.*s' where %s should be", parser->name,
                 instead.size, instead.text, expected);
    return TOT_OK;
}

static void skip_space(header_parser *parser) {
    while (parser->at < parser->end && strchr(" \t\r\n", *parser->at) != NULL &&
           *parser->at != '\0') {
        parser->at++;
    }
}

static bool next_is(header_parser *parser, char wanted) {
    skip_space(parser);
    return parser->at < parser->end && *parser->at == wanted;
}

// Skips whitespace and consumes one character, if it is the expected one. Returns whether it was.
static bool take(header_parser *parser, char wanted) {
    const bool found = next_is(parser, wanted);
    parser->at += found ? 1 : 0;
    return found;
}

static bool take_word(header_parser *parser, const char *word) {
    skip_space(parser);
    size_t size = strlen(word);
    if ((size_t)(parser->end - parser->at) < size || memcmp(parser->at, word, size) != 0) {
        return false;
    }
    parser->at += size;
    return true;
}

// A string in either kind of quotes. numpy never writes a backslash.
static tot_status parse_string(header_parser *parser, slice *string, const char *expected) {
    char quote = take(parser, '\'') ? '\'' : take(parser, '"') ? '"' : '\0';
    BASE_TRY(expect(parser, quote != '\0', expected));
    const char *start = parser->at;
    while (parser->at < parser->end && *parser->at != quote) {
        BASE_TRY(expect(parser, *parser->at != '\\' && *parser->at != '\n',
                        "the rest of a plain string"));
        parser->at++;
    }
    BASE_TRY(expect(parser, parser->at != parser->end, "the closing quote"));
    *string = (slice){start, (int)(parser->at - start)};
    parser->at++;
    return TOT_OK;
}

static bool is_same(slice string, const char *text) {
    return (size_t)string.size == strlen(text) && memcmp(string.text, text, strlen(text)) == 0;
}

static const struct {
    const char *code;
    tot_type type;
    bool is_bool;
} codes[] = {
    {"f4", TOT_F32, false}, {"f8", TOT_F64, false}, {"f2", TOT_F16, false}, {"u1", TOT_U8, false},
    {"b1", TOT_U8, true},   {"i4", TOT_I32, false}, {"i8", TOT_I64, false},
};

static tot_status refuse_type(const header_parser *parser, slice descr, slice code) {
    int quoted = descr.size < QUOTE_MAX ? descr.size : QUOTE_MAX;
    BASE_FAIL_IF(code.size > 0 && code.text[0] == 'O', TOT_E_UNSUPPORTED,
                 "%s: descr: an array of Python objects ('%.*s') is never unpickled", parser->name,
                 quoted, descr.text);
    return base_fail(TOT_E_UNSUPPORTED,
                     "%s: descr: type '%.*s' is not supported; f2, f4, f8, u1, b1, i4 and i8 are",
                     parser->name, quoted, descr.text);
}

static const char orders[] = {'<', '>', '=', '|'};

// '<f4': byte order, type, bytes.
static tot_status parse_descr(header_parser *parser) {
    if (next_is(parser, '[') || next_is(parser, '(')) {
        slice found = rest(parser);
        return base_fail(TOT_E_UNSUPPORTED, "%s: descr: structured types are not supported: %.*s",
                         parser->name, found.size, found.text);
    }
    slice descr = {"", 0};
    BASE_TRY(parse_string(parser, &descr, "the type, as in '<f4',"));
    slice code = descr;
    char order = '=';
    if (descr.size > 0 && memchr(orders, descr.text[0], sizeof orders) != NULL) {
        order = descr.text[0];
        code = (slice){descr.text + 1, descr.size - 1};
    }
    for (size_t k = 0; k < sizeof codes / sizeof codes[0]; k++) {
        if (!is_same(code, codes[k].code)) {
            continue;
        }
        BASE_FAIL_IF(order == '|' && tot_type_size(codes[k].type) > 1, TOT_E_FORMAT,
                     "%s: descr: '%.*s' has no byte order", parser->name, descr.size, descr.text);
        parser->header->type = codes[k].type;
        parser->header->is_bool = codes[k].is_bool;
        parser->header->is_big = order == '>' || (order != '<' && FILE_MACHINE_IS_BIG);
        return TOT_OK;
    }
    return refuse_type(parser, descr, code);
}

static tot_status parse_order(header_parser *parser) {
    parser->header->fortran = take_word(parser, "True");
    return expect(parser, parser->header->fortran || take_word(parser, "False"),
                  "fortran_order's True or False");
}

static tot_status parse_size(header_parser *parser, int64_t *size) {
    skip_space(parser);
    const char *start = parser->at;
    if (take(parser, '-')) {
        parser->at = start;
        slice found = rest(parser);
        return base_fail(TOT_E_FORMAT, "%s: shape: negative: %.*s", parser->name, found.size,
                         found.text);
    }
    *size = 0;
    while (parser->at < parser->end && *parser->at >= '0' && *parser->at <= '9') {
        if (__builtin_mul_overflow(*size, (int64_t)10, size) ||
            __builtin_add_overflow(*size, (int64_t)(*parser->at - '0'), size)) {
            parser->at = start;
            slice found = rest(parser);
            return base_fail(TOT_E_FORMAT, "%s: shape: a number past 64 bits: %.*s", parser->name,
                             found.size, found.text);
        }
        parser->at++;
    }
    BASE_TRY(expect(parser, parser->at != start, "a size of the shape"));
    // Python 2 wrote long integers as 12L
    if (parser->at < parser->end && *parser->at == 'L') {
        parser->at++;
    }
    return TOT_OK;
}

// (), (3,), (3, 4), (3, 4,); but (3) is a number in Python, not a shape.
static tot_status parse_shape(header_parser *parser) {
    BASE_TRY(expect(parser, take(parser, '('), "the shape's '('"));
    file_npy_header *header = parser->header;
    header->dimensions = 0;
    bool comma = true;
    while (!take(parser, ')')) {
        BASE_TRY(expect(parser, comma, "',' or ')' of the shape"));
        BASE_FAIL_IF(header->dimensions == TOT_MAX_DIMENSIONS, TOT_E_UNSUPPORTED,
                     "%s: shape: more than %d dimensions", parser->name, TOT_MAX_DIMENSIONS);
        BASE_TRY(parse_size(parser, &header->shape[header->dimensions]));
        header->dimensions++;
        comma = take(parser, ',');
    }
    BASE_TRY(expect(parser, header->dimensions != 1 || comma,
                    "a shape of one dimension, which ends in ',)',"));
    return TOT_OK;
}

static const struct {
    const char *key;
    tot_status (*parse)(header_parser *parser);
} keys[] = {
    {"descr", parse_descr},
    {"fortran_order", parse_order},
    {"shape", parse_shape},
};
enum { KEY_COUNT = sizeof keys / sizeof keys[0] };

// One "'key': value". seen has a bit for each key already parsed.
static tot_status parse_item(header_parser *parser, unsigned *seen) {
    slice key = {"", 0};
    BASE_TRY(parse_string(parser, &key, "a key"));
    size_t k = 0;
    while (k < KEY_COUNT && !is_same(key, keys[k].key)) {
        k++;
    }
    BASE_FAIL_IF(k == KEY_COUNT, TOT_E_FORMAT, "%s: header: unknown key '%.*s'", parser->name,
                 key.size < QUOTE_MAX ? key.size : QUOTE_MAX, key.text);
    BASE_FAIL_IF((*seen & 1u << k) != 0, TOT_E_FORMAT, "%s: header: key '%s' twice", parser->name,
                 keys[k].key);
    *seen |= 1u << k;
    BASE_TRY(expect(parser, take(parser, ':'), "':'"));
    return keys[k].parse(parser);
}

static tot_status parse_items(header_parser *parser) {
    unsigned seen = 0;
    bool comma = true;
    while (!take(parser, '}')) {
        BASE_TRY(expect(parser, comma, "',' or '}'"));
        BASE_TRY(parse_item(parser, &seen));
        comma = take(parser, ',');
    }
    for (size_t k = 0; k < KEY_COUNT; k++) {
        BASE_FAIL_IF((seen & 1u << k) == 0, TOT_E_FORMAT, "%s: header: no key '%s'", parser->name,
                     keys[k].key);
    }
    return TOT_OK;
}

tot_status file_npy_parse_header(file_npy_header *header, const char *text, size_t size,
                                 const char *name) {
    *header = (file_npy_header){0};
    header_parser parser = {.at = text, .end = text + size, .name = name, .header = header};
    BASE_TRY(expect(&parser, take(&parser, '{'), "'{'"));
    BASE_TRY(parse_items(&parser));
    skip_space(&parser);
    BASE_TRY(expect(&parser, parser.at == parser.end, "nothing but space"));
    return file_shape_measure(header->shape, header->dimensions, tot_type_size(header->type),
                              &header->count, &header->bytes, name);
}

// --- writing -----------------------------------------------------------------------------------

static const char *code_of(tot_type type) {
    for (size_t k = 0; k < sizeof codes / sizeof codes[0]; k++) {
        if (codes[k].type == type) {
            return codes[k].code;
        }
    }
    return "";
}

static char order_of(tot_type type) {
    return tot_type_size(type) == 1 ? '|' : FILE_MACHINE_IS_BIG ? '>' : '<';
}

size_t file_npy_format_header(char out[FILE_NPY_HEADER_MAX], const tot_array *array) {
    // the longest shape leaves more than a hundred bytes unused, so nothing below is truncated
    enum { PREFIX = 10, ALIGNMENT = 64 };
    char *text = out + PREFIX;
    size_t capacity = FILE_NPY_HEADER_MAX - PREFIX;
    size_t used =
        (size_t)snprintf(text, capacity, "{'descr': '%c%s', 'fortran_order': False, 'shape': (",
                         order_of(array->type), code_of(array->type));
    for (int k = 0; k < array->dimensions; k++) {
        const char *after = array->dimensions == 1 ? "," : k + 1 < array->dimensions ? ", " : "";
        used += (size_t)snprintf(text + used, capacity - used, "%lld%s", (long long)array->shape[k],
                                 after);
    }
    used += (size_t)snprintf(text + used, capacity - used, "), }");
    // pad with spaces so that the elements start at a multiple of 64
    size_t total = (PREFIX + used + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    memset(text + used, ' ', total - PREFIX - used);
    out[total - 1] = '\n';
    static const char magic_and_version[] = {'\x93', 'N', 'U', 'M', 'P', 'Y', 1, 0};
    memcpy(out, magic_and_version, sizeof magic_and_version);
    out[8] = (char)((total - PREFIX) & 0xff);
    out[9] = (char)((total - PREFIX) >> 8);
    return total;
}
