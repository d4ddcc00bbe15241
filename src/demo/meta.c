// The metadata of a recording as a struct and as JSON. Each field is one row of the table, which
// drives writing, reading and comparison.
#include "demo/meta.h"

#include <cjson/cJSON.h>

#include "base/base.h"

enum { MOST_BYTES = 1 << 20 };

typedef enum field_kind { TEXT, FLAG, COUNT, CROP } field_kind;

typedef struct field {
    const char *name;
    field_kind kind;
    size_t offset;
    bool may_be_null;  // a text may be empty; a missing flag is false
    bool must_agree;   // between recordings that are used together
} field;

#define PLACE(name) offsetof(tot_recording_meta, name)

static const field fields[] = {
    {"task", TEXT, PLACE(task), false, true},
    {"policy", TEXT, PLACE(policy), false, false},
    {"camera", TEXT, PLACE(camera), false, true},
    {"upright", FLAG, PLACE(upright), false, true},
    {"frames_after", FLAG, PLACE(frames_after), true, false},
    {"action_repeat", COUNT, PLACE(action_repeat), false, true},
    {"horizon", COUNT, PLACE(horizon), false, true},
    {"hold", FLAG, PLACE(hold), false, false},
    {"speed", COUNT, PLACE(speed), false, false},
    {"metaworld_box", FLAG, PLACE(metaworld_box), false, false},
    {"mujoco", TEXT, PLACE(mujoco), false, true},
    {"metaworld", TEXT, PLACE(metaworld), true, true},
    {"renderer", TEXT, PLACE(renderer), true, true},
    {"crop", CROP, PLACE(crop), true, false},  // also part of the renderer's text
    {"program", TEXT, PLACE(program), false, false},
};

enum { FIELD_COUNT = sizeof fields / sizeof fields[0] };

static const void *place(const tot_recording_meta *meta, const field *which) {
    return (const char *)meta + which->offset;
}

// --- writing -----------------------------------------------------------------------------------

// Adds an integer, or null if negative. cJSON itself would print only 15 digits.
static bool add_number(cJSON *object, const char *name, int64_t value) {
    char digits[32];
    snprintf(digits, sizeof digits, "%lld", (long long)value);
    return cJSON_AddRawToObject(object, name, value < 0 ? "null" : digits) != NULL;
}

static bool add_field(cJSON *object, const field *which, const tot_recording_meta *meta) {
    const void *value = place(meta, which);
    if (which->kind == CROP) {
        const double *crop = value;
        int count = 4 * TOT_MAX_VIEWS;
        while (count > 0 && crop[count - 1] == 0) {
            count -= 4;
        }
        cJSON *list = count > 0 ? cJSON_CreateDoubleArray(crop, count) : cJSON_CreateNull();
        return list != NULL && cJSON_AddItemToObject(object, which->name, list);
    }
    if (which->kind == FLAG) {
        return cJSON_AddBoolToObject(object, which->name, *(const bool *)value) != NULL;
    }
    if (which->kind == COUNT) {
        return add_number(object, which->name, *(const int64_t *)value);
    }
    const char *text = value;
    return text[0] == '\0' ? cJSON_AddNullToObject(object, which->name) != NULL
                           : cJSON_AddStringToObject(object, which->name, text) != NULL;
}

static bool add_origin(cJSON *object, const tot_trajectory *trajectory) {
    return add_number(object, "seed", trajectory->seed) &&
           add_number(object, "episode", trajectory->episode) &&
           add_number(object, "attempts", trajectory->attempts) &&
           add_number(object, "first_success", tot_trajectory_first_success(trajectory));
}

static bool add_trajectories(cJSON *object, const tot_recording *recording) {
    cJSON *list = cJSON_AddArrayToObject(object, "trajectories");
    for (size_t k = 0; list != NULL && k < recording->count; k++) {
        cJSON *item = cJSON_CreateObject();
        if (item == NULL || !cJSON_AddItemToArray(list, item)) {
            cJSON_Delete(item);
            return false;
        }
        if (!add_origin(item, &recording->trajectories[k])) {
            return false;
        }
    }
    return list != NULL;
}

// Added next to the list for users who open the file in Python: the seed (the first one's) and the
// total number of attempts; for a single trajectory, all of its fields.
static bool add_summary(cJSON *object, const tot_recording *recording) {
    if (recording->count == 1) {
        return add_origin(object, &recording->trajectories[0]);
    }
    int64_t attempts = 0;
    for (size_t k = 0; k < recording->count; k++) {
        attempts += recording->trajectories[k].attempts;
    }
    return add_number(object, "seed", recording->trajectories[0].seed) &&
           add_number(object, "attempts", attempts);
}

static bool fill(cJSON *object, const tot_recording *recording) {
    for (size_t k = 0; k < FIELD_COUNT; k++) {
        if (!add_field(object, &fields[k], &recording->meta)) {
            return false;
        }
    }
    return add_summary(object, recording) && add_trajectories(object, recording);
}

tot_status demo_meta_write(const tot_recording *recording, tot_npz_writer *writer) {
    cJSON *object = cJSON_CreateObject();
    char *text = NULL;
    if (object != NULL && fill(object, recording)) {
        text = cJSON_PrintUnformatted(object);
    }
    cJSON_Delete(object);
    BASE_FINALLY(text != NULL ? tot_npz_add_text(writer, "meta", text)
                              : base_fail(TOT_E_MEMORY, "meta: no memory"),
                 cJSON_free(text));
}

// --- reading -----------------------------------------------------------------------------------

static tot_status wrong_kind(const char *name, const char *where, const char *expected) {
    return base_fail(TOT_E_FORMAT, "%s: meta: %s is not %s", name, where, expected);
}

static tot_status read_text(const cJSON *item, const field *which, char *out, const char *name) {
    if (which->may_be_null && cJSON_IsNull(item)) {
        out[0] = '\0';
        return TOT_OK;
    }
    const char *text = cJSON_GetStringValue(item);
    if (text == NULL) {
        return wrong_kind(name, which->name, "a text");
    }
    BASE_FAIL_IF(text[0] == '\0' || strlen(text) >= TOT_META_TEXT, TOT_E_FORMAT,
                 "%s: meta: %s has %zu characters; 1 to %d are allowed", name, which->name,
                 strlen(text), TOT_META_TEXT - 1);
    for (const char *letter = text; *letter != '\0'; letter++) {
        // it will be printed
        if ((unsigned char)*letter < ' ' || *letter == 0x7f) {
            return wrong_kind(name, which->name, "of letters alone");
        }
    }
    snprintf(out, TOT_META_TEXT, "%s", text);
    return TOT_OK;
}

static tot_status read_count(const cJSON *item, const char *where, double low, int64_t *out,
                             const char *name) {
    const double value = cJSON_IsNumber(item) ? item->valuedouble : NAN;
    if (!(value >= low && value <= (double)DEMO_META_MOST) || value != floor(value)) {
        char expected[64];
        snprintf(expected, sizeof expected, "a whole number of %.0f or more", low);
        return wrong_kind(name, where, expected);
    }
    *out = (int64_t)value;
    return TOT_OK;
}

// Four numbers per view, or null: the whole picture.
static tot_status read_crop(const cJSON *item, double *crop, const char *name) {
    const int count = cJSON_IsArray(item) ? cJSON_GetArraySize(item) : 0;
    memset(crop, 0, 4 * TOT_MAX_VIEWS * sizeof *crop);
    if (item == NULL || cJSON_IsNull(item)) {
        return TOT_OK;
    }
    for (int k = 0; k < count && k < 4 * TOT_MAX_VIEWS; k++) {
        const cJSON *number = cJSON_GetArrayItem(item, k);
        crop[k] = cJSON_IsNumber(number) ? number->valuedouble : NAN;
        if (!(crop[k] >= 0 && crop[k] <= 1)) {
            return wrong_kind(name, "crop", "of numbers in 0 .. 1");
        }
    }
    if (count < 4 || count % 4 != 0 || count > 4 * TOT_MAX_VIEWS) {
        return wrong_kind(name, "crop", "a list of four numbers per view");
    }
    return TOT_OK;
}

static tot_status read_field(const cJSON *object, const field *which, tot_recording_meta *meta,
                             const char *name) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, which->name);
    char *out = (char *)meta + which->offset;
    if (which->kind == CROP) {
        return read_crop(item, (double *)(void *)out, name);
    }
    if (item == NULL && which->kind == FLAG && which->may_be_null) {
        *(bool *)out = false;
        return TOT_OK;
    }
    BASE_FAIL_IF(item == NULL, TOT_E_FORMAT, "%s: meta: %s is missing", name, which->name);
    if (which->kind == COUNT) {
        return read_count(item, which->name, 1, (int64_t *)out, name);
    }
    if (which->kind == TEXT) {
        return read_text(item, which, out, name);
    }
    if (!cJSON_IsBool(item)) {
        return wrong_kind(name, which->name, "true or false");
    }
    *(bool *)out = cJSON_IsTrue(item) != 0;
    return TOT_OK;
}

// seed and episode may both be null: the initial state was given, not drawn.
static tot_status read_origin(const cJSON *item, size_t index, tot_trajectory *trajectory,
                              const char *name) {
    static const char *const names[] = {"seed", "episode", "attempts"};
    int64_t *const out[] = {&trajectory->seed, &trajectory->episode, &trajectory->attempts};
    for (int k = 0; k < 3; k++) {
        char where[64];
        snprintf(where, sizeof where, "trajectories[%zu].%s", index, names[k]);
        const cJSON *value = cJSON_GetObjectItemCaseSensitive(item, names[k]);
        if (k < 2 && cJSON_IsNull(value)) {
            *out[k] = -1;
        } else {
            BASE_TRY(read_count(value, where, k < 2 ? 0 : 1, out[k], name));
        }
    }
    return TOT_OK;
}

static tot_status read_trajectories(const cJSON *object, tot_recording *recording,
                                    const char *name) {
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, "trajectories");
    const int count = cJSON_IsArray(list) ? cJSON_GetArraySize(list) : 0;
    if (count < 1) {
        return wrong_kind(name, "trajectories", "a list of one or more");
    }
    BASE_TRY(demo_recording_reserve(recording, (size_t)count));
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, list) {
        tot_trajectory trajectory = {0};
        BASE_TRY(read_origin(item, recording->count, &trajectory, name));
        recording->trajectories[recording->count++] = trajectory;
    }
    return TOT_OK;
}

static tot_status read_object(const cJSON *object, tot_recording *recording, const char *name) {
    BASE_FAIL_IF(!cJSON_IsObject(object), TOT_E_FORMAT, "%s: meta: is not a JSON object", name);
    for (size_t k = 0; k < FIELD_COUNT; k++) {
        BASE_TRY(read_field(object, &fields[k], &recording->meta, name));
    }
    return read_trajectories(object, recording, name);
}

tot_status demo_meta_read(tot_recording *recording, const char *text, size_t length,
                          const char *name) {
    BASE_FAIL_IF(length > MOST_BYTES, TOT_E_UNSUPPORTED,
                 "%s: meta: has %zu bytes; up to %d are read", name, length, MOST_BYTES);
    BASE_FAIL_IF(memchr(text, '\0', length) != NULL, TOT_E_FORMAT,
                 "%s: meta: is not text: it contains a 0 byte", name);
    char *copy = base_alloc(length + 1, 1, "meta");
    BASE_HAVE(copy);
    memcpy(copy, text, length);
    copy[length] = '\0';
    const char *end = copy;
    cJSON *object = cJSON_ParseWithOpts(copy, &end, true);
    const tot_status status =
        object != NULL ? read_object(object, recording, name)
                       : base_fail(TOT_E_FORMAT, "%s: meta: is not JSON, from byte %lld on", name,
                                   (long long)(end - copy));
    cJSON_Delete(object);
    base_free(copy);
    return status;
}

// --- comparing ---------------------------------------------------------------------------------

static void print_value(char *text, size_t size, const field *which,
                        const tot_recording_meta *meta) {
    const void *value = place(meta, which);
    if (which->kind == COUNT) {
        snprintf(text, size, "%lld", (long long)*(const int64_t *)value);
    } else if (which->kind == FLAG) {
        snprintf(text, size, "%s", *(const bool *)value ? "true" : "false");
    } else {
        snprintf(text, size, "%s", (const char *)value);
    }
}

int tot_recording_differences(const tot_recording_meta *found, const tot_recording_meta *wanted,
                              char *text, size_t size) {
    BASE_NEED_OR(0, found, wanted);
    int count = 0;
    size_t used = 0;
    if (text != NULL && size > 0) {
        text[0] = '\0';
    }
    for (size_t k = 0; k < FIELD_COUNT; k++) {
        const field *which = &fields[k];
        char here[TOT_META_TEXT];
        char there[TOT_META_TEXT];
        print_value(here, sizeof here, which, found);
        print_value(there, sizeof there, which, wanted);
        // unknown values never differ
        const bool known = here[0] != '\0' && there[0] != '\0';
        if (!which->must_agree || !known || strcmp(here, there) == 0) {
            continue;
        }
        if (text != NULL && used < size) {
            const int length = snprintf(text + used, size - used, "%s%s (%s, not %s)",
                                        count > 0 ? ", " : "", which->name, here, there);
            used += length > 0 ? (size_t)length : 0;
        }
        count++;
    }
    return count;
}
