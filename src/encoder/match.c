#include "encoder/match.h"

#include "base/base.h"

enum { MOST_PREFIX = 200, MOST_LISTED = 4 };

// suffix of a layer's tensor name, by part
static const char *const endings[ENCODER_PARTS] = {".weight", ".weight", ".bias", ".running_mean",
                                                   ".running_var"};

// --- names --------------------------------------------------------------------------------------

static bool begins_with(const char *text, const char *beginning) {
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

// Whether a tensor is ignored: batch counters and the classification head are not part of the body.
static bool passed_over(const char *name) {
    return base_ends_in(name, "num_batches_tracked") || begins_with(name, "fc.") ||
           begins_with(name, "classifier.");
}

// Whether a tensor is the first one of a network; sets the length of the prefix before its name.
static bool first_tensor(const char *name, const tot_array *tensor, size_t *prefix) {
    for (size_t k = 0; k < tot_network_count(); k++) {
        const char *first = encoder_network_first_tensor(k);
        if (base_ends_in(name, first) && tensor->dimensions == 4 &&
            tensor->shape[1] <= ENCODER_PICTURE_CHANNELS) {
            *prefix = strlen(name) - strlen(first);
            return *prefix == 0 || name[*prefix - 1] == '.';
        }
    }
    return false;
}

static tot_status find_prefix(char *prefix, const tot_tensors *tensors) {
    bool found = false;
    char families[256];
    prefix[0] = '\0';
    for (size_t k = 0; k < tot_tensors_count(tensors); k++) {
        const char *name = tot_tensors_name(tensors, k);
        size_t length;
        if (!first_tensor(name, tot_tensors_at(tensors, k), &length)) {
            continue;
        }
        BASE_FAIL_IF(length >= MOST_PREFIX, TOT_E_UNSUPPORTED,
                     "%s: a prefix of %zu characters before %s", tot_tensors_source(tensors),
                     length, name + length);
        BASE_FAIL_IF(
            found, TOT_E_ARGUMENT,
            "%s: holds two networks, with the prefixes '%s' and '%.*s': choose one with prefix",
            tot_tensors_source(tensors), prefix, (int)length, name);
        memcpy(prefix, name, length);
        prefix[length] = '\0';
        found = true;
    }
    encoder_describe_families(families, sizeof families);
    BASE_FAIL_IF(!found, TOT_E_SHAPE, "%s: not a known network: no tensor name ends in %s",
                 tot_tensors_source(tensors), families);
    return TOT_OK;
}

static tot_status given_prefix(char *prefix, const tot_tensors *tensors, const char *given) {
    BASE_FAIL_IF(strlen(given) >= MOST_PREFIX, TOT_E_ARGUMENT, "prefix: more than %d characters",
                 MOST_PREFIX - 1);
    snprintf(prefix, MOST_PREFIX, "%s", given);
    for (size_t k = 0; k < tot_tensors_count(tensors); k++) {
        if (begins_with(tot_tensors_name(tensors, k), prefix)) {
            return TOT_OK;
        }
    }
    const char *first = tot_tensors_name(tensors, 0);
    return base_fail(TOT_E_ARGUMENT, "prefix: no tensor of %s begins with '%s'; the first is '%s'",
                     tot_tensors_source(tensors), prefix, first != NULL ? first : "");
}

// --- comparing a file with a network ------------------------------------------------------------

typedef struct comparison {
    const tot_tensors *tensors;
    const char *prefix;
    bool *used;  // [tensors] has a place in the network, or is ignored
} comparison;

// The name after the prefix, or NULL if the tensor does not belong to the body.
static const char *body_name(const comparison *this, size_t index) {
    const char *name = tot_tensors_name(this->tensors, index);
    if (!begins_with(name, this->prefix)) {
        return NULL;
    }
    name += strlen(this->prefix);
    return passed_over(name) ? NULL : name;
}

static bool right_shape(const encoder_layer *layer, int part, const tot_array *tensor) {
    if (tensor->type != TOT_F32 && tensor->type != TOT_F64) {
        return false;
    }
    if (part != ENCODER_PART_KERNEL) {
        return tensor->dimensions == 1 && tensor->shape[0] == layer->out;
    }
    return tensor->dimensions == 4 && tensor->shape[0] == layer->out &&
           tensor->shape[1] == layer->in / layer->groups && tensor->shape[2] == layer->kernel &&
           tensor->shape[3] == layer->kernel;
}

// Whether `name` is the layer's name with the suffix of this part.
static bool is_part(const encoder_layer *layer, int part, const char *name) {
    const char *base = part == ENCODER_PART_KERNEL ? layer->convolution : layer->norm;
    const size_t length = strlen(base);
    return length > 0 && strncmp(name, base, length) == 0 &&
           strcmp(name + length, endings[part]) == 0;
}

static bool place_by_name(encoder_match *match, const char *name, size_t index) {
    for (int k = 0; k < match->network.count; k++) {
        for (int part = 0; part < ENCODER_PARTS; part++) {
            if (is_part(&match->network.layers[k], part, name)) {
                match->at[k][part] = (int)index;
                return true;
            }
        }
    }
    return false;
}

static void clear(encoder_match *match) {
    for (int k = 0; k < ENCODER_MOST_LAYERS; k++) {
        for (int part = 0; part < ENCODER_PARTS; part++) {
            match->at[k][part] = ENCODER_ABSENT;
        }
    }
}

// Returns the number of missing, surplus and wrongly shaped tensors.
static int match_by_name(comparison *this, encoder_match *match) {
    int wrong = 0;
    clear(match);
    for (size_t k = 0; k < tot_tensors_count(this->tensors); k++) {
        const char *name = body_name(this, k);
        this->used[k] = name == NULL || place_by_name(match, name, k);
        wrong += !this->used[k];
    }
    for (int k = 0; k < match->network.count; k++) {
        const encoder_layer *layer = &match->network.layers[k];
        for (int part = 0; part < ENCODER_PARTS && !encoder_layer_is_pool(layer); part++) {
            const int at = match->at[k][part];
            wrong += at == ENCODER_ABSENT ||
                     !right_shape(layer, part, tot_tensors_at(this->tensors, (size_t)at));
        }
    }
    return wrong;
}

// For files with other names in the same order. Returns whether every tensor fits.
static bool match_by_order(comparison *this, encoder_match *match) {
    clear(match);
    int layer = 0;
    int part = 0;
    for (size_t k = 0; k < tot_tensors_count(this->tensors); k++) {
        const char *name = body_name(this, k);
        if (name == NULL) {
            continue;
        }
        if (layer == match->network.count || !base_ends_in(name, endings[part]) ||
            !right_shape(&match->network.layers[layer], part, tot_tensors_at(this->tensors, k))) {
            return false;
        }
        match->at[layer][part] = (int)k;
        part = (part + 1) % ENCODER_PARTS;
        layer += part == 0;
    }
    return layer == match->network.count;
}

static int compare(comparison *this, encoder_match *match, size_t network) {
    encoder_network_build(&match->network, network);
    const int wrong = match_by_name(this, match);
    if (wrong == 0 || !match->network.ordered) {
        return wrong;
    }
    if (match_by_order(this, match)) {
        return 0;
    }
    return match_by_name(this, match);
}

// --- error messages -----------------------------------------------------------------------------

typedef struct listing {
    char text[800];
    int count;  // entries of the current kind
} listing;

#define PUT(...) base_append(list->text, sizeof list->text, __VA_ARGS__)

// Starts an entry; false if enough of its kind have been listed.
static bool next_entry(listing *list, const char *kind) {
    const int number = list->count++;
    if (number < MOST_LISTED) {
        PUT("%s%s", number > 0 ? ", " : list->text[0] != '\0' ? "; " : "", number == 0 ? kind : "");
    }
    return number < MOST_LISTED;
}

static void end_kind(listing *list) {
    if (list->count > MOST_LISTED) {
        PUT(" and %d more", list->count - MOST_LISTED);
    }
    list->count = 0;
}

static void put_shape(listing *list, const tot_array *tensor) {
    for (int k = 0; k < tensor->dimensions; k++) {
        PUT("%s%lld", k > 0 ? "x" : "", (long long)tensor->shape[k]);
    }
    PUT("%s%s", tensor->dimensions > 0 ? " " : "a single ", tot_type_text(tensor->type));
}

static void list_missing(const comparison *this, const encoder_match *match, listing *list) {
    for (int k = 0; k < match->network.count; k++) {
        const encoder_layer *layer = &match->network.layers[k];
        for (int part = 0; part < ENCODER_PARTS && !encoder_layer_is_pool(layer); part++) {
            if (match->at[k][part] == ENCODER_ABSENT && next_entry(list, "missing ")) {
                PUT("%s%s%s", this->prefix,
                    part == ENCODER_PART_KERNEL ? layer->convolution : layer->norm, endings[part]);
            }
        }
    }
    end_kind(list);
}

static void list_surplus(const comparison *this, listing *list) {
    for (size_t k = 0; k < tot_tensors_count(this->tensors); k++) {
        if (!this->used[k] && next_entry(list, "surplus ")) {
            PUT("%.100s", tot_tensors_name(this->tensors, k));
        }
    }
    end_kind(list);
}

static void list_shapes(const comparison *this, const encoder_match *match, listing *list) {
    for (int k = 0; k < match->network.count; k++) {
        const encoder_layer *layer = &match->network.layers[k];
        for (int part = 0; part < ENCODER_PARTS; part++) {
            const int at = match->at[k][part];
            const tot_array *tensor =
                at != ENCODER_ABSENT ? tot_tensors_at(this->tensors, (size_t)at) : NULL;
            if (tensor == NULL || right_shape(layer, part, tensor) ||
                !next_entry(list, "wrong shape: ")) {
                continue;
            }
            PUT("%s is ", tot_tensors_name(this->tensors, (size_t)at));
            put_shape(list, tensor);
            if (part == ENCODER_PART_KERNEL) {
                PUT(", not %dx%dx%dx%d", layer->out, layer->in / layer->groups, layer->kernel,
                    layer->kernel);
            } else {
                PUT(", not %d", layer->out);
            }
        }
    }
    end_kind(list);
}

static tot_status describe(const comparison *this, const encoder_match *match) {
    listing list = {0};
    list_missing(this, match, &list);
    list_surplus(this, &list);
    list_shapes(this, match, &list);
    return base_fail(TOT_E_SHAPE, "%.200s: as %s: %s", tot_tensors_source(this->tensors),
                     match->network.info->name, list.text);
}

// --- recognising ----------------------------------------------------------------------------

// Picks the network with the fewest mismatches, or the requested one. It is an error if a network
// other than the requested one matches exactly.
static tot_status recognise(comparison *this, encoder_match *match, const char *asked) {
    size_t best = 0;
    int least = -1;
    for (size_t k = 0; k < tot_network_count(); k++) {
        const int wrong = compare(this, match, k);
        const bool wanted = asked != NULL && strcmp(asked, match->network.info->name) == 0;
        BASE_FAIL_IF(wrong == 0 && asked != NULL && !wanted, TOT_E_ARGUMENT, "%s: holds %s, not %s",
                     tot_tensors_source(this->tensors), match->network.info->name, asked);
        if (asked != NULL ? wanted : (least < 0 || wrong < least)) {
            best = k;
            least = wrong;
        }
    }
    compare(this, match, best);
    return least == 0 ? TOT_OK : describe(this, match);
}

tot_status encoder_match_tensors(encoder_match *match, const tot_tensors *tensors,
                                 const tot_weights_settings *settings) {
    char prefix[MOST_PREFIX];
    const char *asked = settings != NULL ? settings->network : NULL;
    if (asked != NULL) {
        const tot_network_info *info;
        BASE_TRY(tot_network_find(&info, asked));
    }
    if (settings != NULL && settings->prefix != NULL) {
        BASE_TRY(given_prefix(prefix, tensors, settings->prefix));
    } else {
        BASE_TRY(find_prefix(prefix, tensors));
    }
    bool *used = base_alloc_zero(tot_tensors_count(tensors), sizeof *used, "weights");
    BASE_HAVE(used);
    comparison this = {.tensors = tensors, .prefix = prefix, .used = used};
    BASE_FINALLY(recognise(&this, match, asked), base_free(used));
}
