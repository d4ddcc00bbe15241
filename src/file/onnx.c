#include "file/onnx.h"

#include <limits.h>

#include "base/base.h"

// field numbers on the path to the names of external files
enum { MODEL_VERSION = 1, MODEL_GRAPH = 7, GRAPH_WEIGHTS = 5, WEIGHTS_EXTERNAL = 13 };
enum { ENTRY_KEY = 1, ENTRY_VALUE = 2 };

enum { PIECE = 1 << 16, MOST_NAME = 1024 };

typedef enum wire { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_BYTES = 2, WIRE_32 = 5 } wire;

typedef struct reader {
    file_source *source;
    file_sha256 *sum;
    int64_t position;     // of the next byte
    bool version, graph;  // whether the model has them
    size_t at, filled;
    uint8_t bytes[PIECE];
} reader;

// --- bytes -------------------------------------------------------------------------------------

static tot_status fill(reader *this) {
    const int64_t left = this->source->size - this->source->position;
    this->filled = left < PIECE ? (size_t)left : PIECE;
    this->at = 0;
    BASE_TRY(file_source_read(this->source, this->bytes, this->filled, "model"));
    file_sha256_add(this->sum, this->bytes, this->filled);
    return TOT_OK;
}

// to NULL: the bytes are skipped.
static tot_status take(reader *this, uint8_t *to, int64_t count) {
    while (count > 0) {
        if (this->at == this->filled) {
            BASE_TRY(fill(this));
        }
        const size_t ready = this->filled - this->at;
        const size_t some = (int64_t)ready < count ? ready : (size_t)count;
        if (to != NULL) {
            memcpy(to, this->bytes + this->at, some);
            to += some;
        }
        this->at += some;
        this->position += (int64_t)some;
        count -= (int64_t)some;
    }
    return TOT_OK;
}

static tot_status cut_short(const reader *this, int64_t missing) {
    return base_fail(TOT_E_FORMAT,
                     "%s: is cut short or no ONNX model: at byte %lld %lld are missing",
                     this->source->name, (long long)this->position, (long long)missing);
}

static tot_status not_onnx(const reader *this) {
    return base_fail(TOT_E_FORMAT, "%s: is no ONNX model: byte %lld begins no field",
                     this->source->name, (long long)this->position);
}

static tot_status take_varint(reader *this, int64_t end, uint64_t *value) {
    *value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        uint8_t byte = 0;
        if (this->position == end) {
            return cut_short(this, 1);
        }
        BASE_TRY(take(this, &byte, 1));
        *value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            return TOT_OK;
        }
    }
    return not_onnx(this);
}

// --- fields ------------------------------------------------------------------------------------

typedef struct field {
    uint64_t number;
    wire kind;
    int64_t end;  // of its bytes, which follow if there are any
} field;

// Reads the head of the next field of a message that ends at `end`. Fields that are not WIRE_BYTES
// are skipped.
static tot_status next_field(reader *this, int64_t end, field *out) {
    uint64_t key = 0;
    uint64_t length = 0;
    BASE_TRY(take_varint(this, end, &key));
    *out = (field){.number = key >> 3, .kind = (wire)(key & 7)};
    switch (out->kind) {
        case WIRE_VARINT:
            BASE_TRY(take_varint(this, end, &length));
            length = 0;
            break;
        case WIRE_64:
            length = 8;
            break;
        case WIRE_32:
            length = 4;
            break;
        case WIRE_BYTES:
            BASE_TRY(take_varint(this, end, &length));
            break;
        default:
            return not_onnx(this);
    }
    if (out->number == 0) {
        return not_onnx(this);
    }
    if (length > (uint64_t)(end - this->position)) {
        return cut_short(this,
                         length < INT64_MAX ? (int64_t)length - (end - this->position) : INT64_MAX);
    }
    out->end = this->position + (int64_t)length;
    return out->kind == WIRE_BYTES ? TOT_OK : take(this, NULL, (int64_t)length);
}

static tot_status pass_over(reader *this, const field *at) {
    return at->kind == WIRE_BYTES ? take(this, NULL, at->end - this->position) : TOT_OK;
}

// --- external weights --------------------------------------------------------------------------

static bool leads_out(const char *name) {
    return name[0] == '\0' || name[0] == '/' || strcmp(name, "..") == 0 ||
           strncmp(name, "../", 3) == 0 || strstr(name, "/../") != NULL;
}

static bool known(const file_onnx *onnx, const char *name) {
    for (size_t at = 0; at < onnx->external_bytes; at += strlen(onnx->external + at) + 1) {
        if (strcmp(onnx->external + at, name) == 0) {
            return true;
        }
    }
    return false;
}

static tot_status add_external(file_onnx *onnx, const reader *this, const char *name) {
    const size_t size = strlen(name) + 1;
    BASE_FAIL_IF(leads_out(name), TOT_E_FORMAT,
                 "%s: external weights: '%.200s' is not below its folder", this->source->name,
                 name);
    if (known(onnx, name)) {
        return TOT_OK;
    }
    BASE_GROW(onnx->external, onnx->external_capacity, onnx->external_bytes,
              onnx->external_bytes + size, "names");
    memcpy(onnx->external + onnx->external_bytes, name, size);
    onnx->external_bytes += size;
    onnx->external_count++;
    return TOT_OK;
}

static tot_status take_text(reader *this, const field *at, char text[MOST_NAME]) {
    const int64_t length = at->end - this->position;
    BASE_FAIL_IF(length >= MOST_NAME, TOT_E_FORMAT, "%s: external weights: a name of %lld bytes",
                 this->source->name, (long long)length);
    BASE_TRY(take(this, (uint8_t *)text, length));
    text[length] = '\0';
    return TOT_OK;
}

// One key-value pair of the description of external weights.
static tot_status read_entry(reader *this, file_onnx *onnx, int64_t end) {
    char key[MOST_NAME] = "";
    char value[MOST_NAME] = "";
    while (this->position < end) {
        field at;
        BASE_TRY(next_field(this, end, &at));
        const bool text = at.kind == WIRE_BYTES;
        if (text && (at.number == ENTRY_KEY || at.number == ENTRY_VALUE)) {
            BASE_TRY(take_text(this, &at, at.number == ENTRY_KEY ? key : value));
        } else {
            BASE_TRY(pass_over(this, &at));
        }
    }
    return strcmp(key, "location") == 0 ? add_external(onnx, this, value) : TOT_OK;
}

// --- enclosing messages ------------------------------------------------------------------------

// A message at this depth on the path from the model to the external weights.
static tot_status read_message(reader *this, file_onnx *onnx, size_t depth, int64_t end) {
    static const uint64_t path[] = {MODEL_GRAPH, GRAPH_WEIGHTS, WEIGHTS_EXTERNAL};
    if (depth == BASE_LENGTH(path)) {
        return read_entry(this, onnx, end);
    }
    while (this->position < end) {
        field at;
        BASE_TRY(next_field(this, end, &at));
        const bool inside = at.number == path[depth] && at.kind == WIRE_BYTES;
        if (depth == 0) {
            this->version |= at.number == MODEL_VERSION && at.kind == WIRE_VARINT;
            this->graph |= inside;
        }
        BASE_TRY(inside ? read_message(this, onnx, depth + 1, at.end) : pass_over(this, &at));
    }
    return TOT_OK;
}

static tot_status read_model(reader *this, file_onnx *onnx) {
    BASE_TRY(read_message(this, onnx, 0, this->source->size));
    BASE_FAIL_IF(!this->version || !this->graph, TOT_E_FORMAT, "%s: is no ONNX model: it has no %s",
                 this->source->name, this->graph ? "version" : "graph");
    return TOT_OK;
}

tot_status file_onnx_skim(file_onnx *onnx, file_source *source, file_sha256 *sum) {
    *onnx = (file_onnx){0};
    BASE_FAIL_IF(source->size > INT32_MAX, TOT_E_UNSUPPORTED,
                 "%s: %.1f GB, and an ONNX file ends at 2: export it with its weights in "
                 "files of their own (external data)",
                 source->name, (double)source->size / 1e9);
    BASE_NEW(reader, this, "model");
    this->source = source;
    this->sum = sum;
    const tot_status status = read_model(this, onnx);
    base_free(this);
    if (status != TOT_OK) {
        file_onnx_free(onnx);
    }
    return status;
}

// --- files -------------------------------------------------------------------------------------

static tot_status add_file(file_sha256 *sum, const char *path) {
    file_source source;
    BASE_TRY(file_source_open(&source, path, NULL));
    BASE_FINALLY(file_sha256_add_source(sum, &source), file_source_close(&source));
}

static tot_status add_externals(const file_onnx *onnx, const char *path, file_sha256 *sum) {
    const char *slash = strrchr(path, '/');
    const int folder = slash != NULL ? (int)(slash + 1 - path) : 0;
    for (size_t at = 0; at < onnx->external_bytes; at += strlen(onnx->external + at) + 1) {
        char name[PATH_MAX];
        BASE_FAIL_IF(snprintf(name, sizeof name, "%.*s%s", folder, path, onnx->external + at) >=
                         (int)sizeof name,
                     TOT_E_FILE, "%s: external weights: the name is too long", path);
        const tot_status status = add_file(sum, name);
        if (status != TOT_OK) {
            return base_fail_in(status, "%s: external weights", path);
        }
    }
    return TOT_OK;
}

tot_status file_onnx_hash(file_onnx *onnx, const char *path, file_sha256 *sum) {
    file_source source;
    *onnx = (file_onnx){0};
    BASE_TRY(file_source_open(&source, path, NULL));
    tot_status status = file_onnx_skim(onnx, &source, sum);
    file_source_close(&source);
    BASE_THEN(status, add_externals(onnx, path, sum));
    if (status != TOT_OK) {
        file_onnx_free(onnx);
    }
    return status;
}

void file_onnx_free(file_onnx *onnx) {
    base_free(onnx->external);
    *onnx = (file_onnx){0};
}
