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
    _Static_assert(sizeof names / sizeof *names == TOT_STATUS_COUNT, "every status has a name");
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
    memcpy(typed, line, name_length);
    typed[name_length] = '\0';
    memcpy(value, equals + 1, value_length);
    value[value_length] = '\0';
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

tot_status flat_choice(const char *name, const char *value, const char *const *words, int *choice) {
    char list[256] = "";
    size_t count = 0;
    for (; words[count] != NULL; count++) {
        if (strcmp(words[count], value) == 0) {
            *choice = (int)count;
            return TOT_OK;
        }
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s",
                 count == 0                 ? ""
                 : words[count + 1] == NULL ? " or "
                                            : ", ",
                 words[count]);
    }
    return base_fail_unknown(value, words, count, "%s: '%s' is not %s", name, value, list);
}

tot_status flat_switch(const char *name, const char *value, bool *on) {
    static const char *const words[] = {"off", "on", NULL};
    int choice = 0;
    BASE_TRY(flat_choice(name, value, words, &choice));
    *on = choice == 1;
    return TOT_OK;
}

tot_status flat_int(const char *name, const char *value, int *number) {
    int64_t wide = 0;
    BASE_TRY(base_parse_count(name, value, &wide));
    BASE_FAIL_IF(wide < -INT32_MAX || wide > INT32_MAX, TOT_E_ARGUMENT, "%s: %s is too large", name,
                 value);
    *number = (int)wide;
    return TOT_OK;
}

// crop: four shares of the picture between commas.
static tot_status take_crop(const char *value, double crop[4]) {
    char rest = 0;
    BASE_FAIL_IF(
        sscanf(value, "%lf,%lf,%lf,%lf%c", &crop[0], &crop[1], &crop[2], &crop[3], &rest) != 4 ||
            !(crop[0] >= 0 && crop[0] < crop[2] && crop[2] <= 1) ||
            !(crop[1] >= 0 && crop[1] < crop[3] && crop[3] <= 1),
        TOT_E_ARGUMENT,
        "crop: '%s' is not LEFT,TOP,RIGHT,BOTTOM in shares of the picture, each "
        "in 0 .. 1, left before right and top before bottom",
        value);
    return TOT_OK;
}

tot_status flat_picture_setting(tot_picture_settings *settings, char *camera, const char *name,
                                const char *value, bool *taken) {
    static const char *const renderers[] = {"gl", "soft", NULL};
    static const char *const qualities[] = {"full", "fast", NULL};
    int choice = 0;
    *taken = true;
    if (strcmp(name, "width") == 0) {
        return flat_int(name, value, &settings->width);
    } else if (strcmp(name, "height") == 0) {
        return flat_int(name, value, &settings->height);
    } else if (strcmp(name, "renderer") == 0) {
        BASE_TRY(flat_choice(name, value, renderers, &choice));
        settings->renderer = choice == 0 ? TOT_RENDERER_GL : TOT_RENDERER_SOFT;
    } else if (strcmp(name, "quality") == 0) {
        BASE_TRY(flat_choice(name, value, qualities, &choice));
        settings->quality = choice == 0 ? TOT_QUALITY_FULL : TOT_QUALITY_FAST;
    } else if (strcmp(name, "upright") == 0) {
        return flat_switch(name, value, &settings->upright);
    } else if (strcmp(name, "aspect") == 0) {
        return base_parse_real(name, value, &settings->aspect);
    } else if (strcmp(name, "zoom") == 0) {
        return base_parse_real(name, value, &settings->zoom);
    } else if (strcmp(name, "crop") == 0) {
        return take_crop(value, settings->crop);
    } else if (strcmp(name, "camera") == 0) {
        snprintf(camera, FLAT_NAME, "%s", value);
        settings->camera = camera[0] != '\0' ? camera : NULL;
    } else {
        *taken = false;
    }
    return TOT_OK;
}

// --- threads -------------------------------------------------------------------------------------

tot_status flat_threads_init(flat_threads *threads, int count) {
    enum { MOST = 1024 };
    BASE_FAIL_IF(count < 0 || count > MOST, TOT_E_ARGUMENT, "threads: %d is not in 0 .. %d", count,
                 MOST);
    *threads = (flat_threads){.threads = count > 0 ? count : tot_cpu_count()};
    return TOT_OK;
}

int flat_threads_count(const flat_threads *threads) {
    return threads->threads;
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
        if (threads->threads > 1) {
            BASE_TRY(tot_pool_create(&threads->pool, threads->threads));
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
