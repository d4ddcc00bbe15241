#include "train/status.h"

#include <cjson/cJSON.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/base.h"
#include "file/atomic.h"
#include "train/folder.h"

static const char *const names[] = {"waiting", "running", "stopped", "finished", "failed"};

enum { STATE_COUNT = BASE_LENGTH(names), MOST_BYTES = 4096 };

static char *print(const train_status *status) {
    cJSON *object = cJSON_CreateObject();
    const bool has_error = status->error[0] != '\0';
    const bool whole = object != NULL &&
                       cJSON_AddStringToObject(object, "state", names[status->state]) != NULL &&
                       cJSON_AddNumberToObject(object, "step", (double)status->step) != NULL &&
                       cJSON_AddNumberToObject(object, "steps", (double)status->steps) != NULL &&
                       (has_error ? cJSON_AddStringToObject(object, "error", status->error) != NULL
                                  : cJSON_AddNullToObject(object, "error") != NULL) &&
                       cJSON_AddBoolToObject(object, "resume", status->resume) != NULL;
    char *text = whole ? cJSON_PrintUnformatted(object) : NULL;
    cJSON_Delete(object);
    return text;
}

tot_status train_status_write(const char *folder, const train_status *status) {
    char path[TRAIN_PATH];
    char line[MOST_BYTES];
    BASE_TRY(train_path(path, folder, "status.json"));
    char *text = print(status);
    BASE_FAIL_IF(text == NULL, TOT_E_MEMORY, "%s: no memory", path);
    snprintf(line, sizeof line, "%s\n", text);
    cJSON_free(text);
    return file_save_text(path, line);
}

static int64_t count_of(const cJSON *object, const char *name) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    const bool fits =
        cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble < 9007199254740992.0;
    return fits ? (int64_t)item->valuedouble : 0;
}

static void take(const cJSON *object, train_status *status) {
    const char *state = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, "state"));
    const char *error = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, "error"));
    for (int k = 0; state != NULL && k < STATE_COUNT; k++) {
        if (strcmp(names[k], state) == 0) {
            status->state = (train_state)k;
        }
    }
    status->step = count_of(object, "step");
    status->steps = count_of(object, "steps");
    status->resume = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, "resume")) != 0;
    snprintf(status->error, sizeof status->error, "%s", error != NULL ? error : "");
}

void train_status_read(const char *folder, train_status *status) {
    char path[TRAIN_PATH];
    char text[MOST_BYTES];
    *status = (train_status){0};
    if (train_path(path, folder, "status.json") != TOT_OK) {
        return;
    }
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    const ssize_t length = file >= 0 ? read(file, text, sizeof text) : -1;
    if (file >= 0) {
        close(file);
    }
    cJSON *object = length > 0 ? cJSON_ParseWithLength(text, (size_t)length) : NULL;
    if (cJSON_IsObject(object)) {
        take(object, status);
    }
    cJSON_Delete(object);
}
