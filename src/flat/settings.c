// Settings as text, and threads that survive a fork.
#include <unistd.h>

#include "base/base.h"
#include "flat/flat.h"

const char *tot_flat_status_name(int status) {
    static const char *const names[] = {
        [TOT_OK] = "ok",
        [TOT_E_MEMORY] = "memory",
        [TOT_E_ARGUMENT] = "argument",
        [TOT_E_SHAPE] = "shape",
        [TOT_E_VALUE] = "value",
        [TOT_E_FILE] = "file",
        [TOT_E_FORMAT] = "format",
        [TOT_E_UNSUPPORTED] = "unsupported",
        [TOT_E_INFEASIBLE] = "infeasible",
        [TOT_E_MISSING] = "missing",
        [TOT_E_PHYSICS] = "physics",
        [TOT_E_INTERRUPTED] = "interrupted",
        [TOT_E_ATTEMPTS] = "attempts",
    };
    _Static_assert(BASE_LENGTH(names) == TOT_STATUS_COUNT, "every status has a name");
    return status >= 0 && status < TOT_STATUS_COUNT ? names[status] : NULL;
}

// --- settings ------------------------------------------------------------------------------------

static tot_status take_line(const char *line, size_t length, flat_taker take, void *context) {
    char typed[FLAT_NAME], name[FLAT_NAME], value[FLAT_VALUE];
    const char *equals = memchr(line, '=', length);
    BASE_FAIL_IF(equals == NULL || equals == line, TOT_E_ARGUMENT,
                 "settings: '%.*s' is not name=value", (int)length, line);
    const size_t name_length = (size_t)(equals - line);
    const size_t value_length = length - name_length - 1;
    BASE_FAIL_IF(name_length >= sizeof typed || value_length >= sizeof value, TOT_E_ARGUMENT,
                 "settings: '%.40s...' is too long", line);
    snprintf(typed, sizeof typed, "%.*s", (int)name_length, line);
    snprintf(value, sizeof value, "%.*s", (int)value_length, equals + 1);
    base_setting_key(name, sizeof name, typed);
    return take(context, name, value);
}

tot_status flat_settings(const char *settings, flat_taker take, void *context) {
    for (const char *line = settings; line != NULL && *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        if (length > 0) {
            BASE_TRY(take_line(line, length, take, context));
        }
        line += length + (line[length] == '\n');
    }
    return TOT_OK;
}

// crop: four comma-separated fractions of the picture.
static tot_status take_crop(const char *value, double crop[4]) {
    char rest = 0;
    BASE_FAIL_IF(
        sscanf(value, "%lf,%lf,%lf,%lf%c", &crop[0], &crop[1], &crop[2], &crop[3], &rest) != 4 ||
            !(crop[0] >= 0 && crop[0] < crop[2] && crop[2] <= 1) ||
            !(crop[1] >= 0 && crop[1] < crop[3] && crop[3] <= 1),
        TOT_E_ARGUMENT,
        "crop: '%s' is not LEFT,TOP,RIGHT,BOTTOM as fractions of the picture, each in 0 .. 1, left "
        "before right and top before bottom",
        value);
    return TOT_OK;
}

static const base_setting of_pictures[] = {
    FLAT_TEXT(flat_picture, "camera", camera),
    FLAT_INT(flat_picture, "width", settings.width),
    FLAT_INT(flat_picture, "height", settings.height),
    FLAT_WORD(flat_picture, "renderer", settings.renderer, TOT_RENDERER_WORDS),
    FLAT_WORD(flat_picture, "quality", settings.quality, TOT_QUALITY_WORDS),
    FLAT_WORD(flat_picture, "arm", settings.arm, TOT_ARM_WORDS),
    FLAT_WORD(flat_picture, "upright", settings.upright, TOT_SWITCH_WORDS),
    FLAT_REAL(flat_picture, "aspect", settings.aspect),
    FLAT_REAL(flat_picture, "zoom", settings.zoom),
    FLAT_REAL(flat_picture, "around_hand", settings.around_hand),
};
enum { OF_PICTURES = BASE_LENGTH(of_pictures) };

static tot_status fail_unknown(const flat_table *table, const char *name) {
    enum { MOST = 64 };
    const char *names[MOST];
    size_t count = 0;
    for (size_t k = 0; k < table->count; k++) {
        names[count++] = table->rows[k].name;
    }
    for (const char *const *other = table->others; *other != NULL; other++) {
        names[count++] = *other;
    }
    return base_fail_unknown(name, names, count, "%s: '%s' is not a setting", table->what, name);
}

tot_status flat_set(const flat_table *table, void *config, flat_picture *picture, const char *name,
                    const char *value) {
    const base_setting *row = base_settings_find(table->rows, table->count, name);
    if (row != NULL) {
        return base_setting_set(row, config, value);
    }
    if (picture != NULL && strcmp(name, "crop") == 0) {
        return take_crop(value, picture->settings.crop);
    }
    row = picture != NULL ? base_settings_find(of_pictures, OF_PICTURES, name) : NULL;
    if (row == NULL) {
        return fail_unknown(table, name);
    }
    BASE_TRY(base_setting_set(row, picture, value));
    picture->settings.camera = picture->camera[0] != '\0' ? picture->camera : NULL;
    return TOT_OK;
}

// --- threads -------------------------------------------------------------------------------------

tot_status flat_threads_init(flat_threads *threads, int count) {
    enum { MOST = 1024 };
    BASE_FAIL_IF(count < 0 || count > MOST, TOT_E_ARGUMENT, "threads: %d is not in 0 .. %d", count,
                 MOST);
    *threads = (flat_threads){.count = count > 0 ? count : tot_cpu_count()};
    return TOT_OK;
}

bool flat_threads_stale(flat_threads *threads) {
    if (threads->process == getpid()) {
        return false;
    }
    threads->pool = NULL;
    return true;
}

tot_status flat_threads_start(flat_threads *threads) {
    if (flat_threads_stale(threads)) {
        if (threads->count > 1) {
            BASE_TRY(tot_pool_create(&threads->pool, threads->count));
        }
        threads->process = getpid();
    }
    return TOT_OK;
}

void flat_threads_free(flat_threads *threads) {
    if (!flat_threads_stale(threads)) {
        tot_pool_free(threads->pool);
    }
    threads->pool = NULL;
}
