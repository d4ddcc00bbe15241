// The settings of a run by name: one table with those of the run, the agent and the reward.
#include "train/settings.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include <temporalot/encoder.h>
#include <temporalot/image.h>

#include "agent/settings.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/name.h"
#include "file/yaml.h"
#include "reward/settings.h"

// --- the table ---------------------------------------------------------------------------------

static const base_setting own[] = {
#define TOT_PARAMETER(type, name, initial, low, high, role, help) \
    BASE_SETTING(tot_train_config, type, name, low, high, role, help),
#include <temporalot/train_parameters.def>
#undef TOT_PARAMETER
};

enum { OWN_COUNT = sizeof own / sizeof *own, MOST_SETTINGS = OWN_COUNT + 64 };

static base_setting table[MOST_SETTINGS];
static size_t table_count;

static void add_rows(const base_setting *rows, size_t count, size_t offset) {
    for (size_t k = 0; k < count && table_count < MOST_SETTINGS; k++) {
        table[table_count] = rows[k];
        table[table_count++].offset += offset;
    }
}

// Adds the reward settings that a run has. Its scale is a setting of the run, the mask's width is
// part of the mask, its views follow from the cameras, and tau is renamed because the agent has a
// tau, too.
static void add_reward_rows(void) {
    size_t count = 0;
    const base_setting *rows = reward_settings(&count);
    for (size_t k = 0; k < count; k++) {
        base_setting row = rows[k];
        if (strcmp(row.name, "scale") != 0 && strcmp(row.name, "mask_width") != 0 &&
            strcmp(row.name, "views") != 0) {
            row.name = strcmp(row.name, "tau") == 0 ? "reward_tau" : row.name;
            add_rows(&row, 1, offsetof(tot_train_config, reward));
        }
    }
}

static void make_table(void) {
    size_t count = 0;
    add_rows(own, OWN_COUNT, 0);
    const base_setting *rows = agent_settings(&count);
    add_rows(rows, count, offsetof(tot_train_config, agent));
    add_reward_rows();
}

const base_setting *train_settings(size_t *count) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_table);
    *count = table_count;
    return table;
}

static tot_status find(const char *name, const base_setting **setting) {
    size_t count = 0;
    const base_setting *rows = train_settings(&count);
    *setting = base_settings_find(rows, count, name);
    return *setting != NULL ? TOT_OK : base_settings_unknown(rows, count, name);
}

static bool is_reward(const base_setting *setting) {
    return setting->offset >= offsetof(tot_train_config, reward);
}

// --- one setting -------------------------------------------------------------------------------

// Context, mask and cost default to the method's; views follow from the cameras.
static tot_status adapt(tot_train_config *config) {
    tot_train_method method;
    tot_reward_config usual;
    const bool on_state = config->cost_on == TOT_COST_ON_STATE;
    BASE_TRY(tot_train_method_find(&method, config->method));
    BASE_TRY(tot_reward_config_for(&usual, method.reward != NULL ? method.reward : "temporalot"));
    config->reward.method = usual.method;
    int views = 1;
    BASE_TRY(tot_views_count(config->camera, (tot_view)config->view, &views));
    config->reward.views = on_state ? 1 : views;
    if (!config->context_given) {
        config->reward.context = usual.context > 1 ? config->usual.context : usual.context;
    }
    if (!config->mask_given) {
        config->reward.mask = usual.mask == TOT_MASK_BAND ? config->usual.mask : usual.mask;
        config->reward.mask_width = config->usual.mask_width;
    }
    if (!config->cost_given) {
        config->reward.cost = on_state ? TOT_COST_EUCLIDEAN : config->usual.cost;
    }
    return TOT_OK;
}

static tot_status set_reward(tot_train_config *config, const base_setting *setting,
                             const char *text) {
    const char *name = strcmp(setting->name, "reward_tau") == 0 ? "tau" : setting->name;
    BASE_TRY(tot_reward_set(&config->reward, name, text));
    config->context_given = config->context_given || strcmp(name, "context") == 0;
    config->mask_given = config->mask_given || strcmp(name, "mask") == 0;
    config->cost_given = config->cost_given || strcmp(name, "cost") == 0;
    return TOT_OK;
}

// Quotes a text for YAML. out: [2 * TOT_TRAIN_TEXT + 3].
static void quote(const char *value, char *out) {
    *out++ = '"';
    for (; *value != '\0'; value++) {
        if (*value == '"' || *value == '\\') {
            *out++ = '\\';
        }
        *out++ = *value;
    }
    *out++ = '"';
    *out = '\0';
}

// Rejects texts that do not survive a round trip through config.yaml: control characters, line
// breaks, invalid UTF-8.
static tot_status check_text(const char *name, const char *text) {
    char line[2 * TOT_TRAIN_TEXT + 6] = "v: ";
    file_yaml yaml = {0};
    quote(text, line + 3);
    const tot_status status = file_yaml_parse(&yaml, line, strlen(line), name);
    const bool same =
        status == TOT_OK && yaml.count == 1 && strcmp(yaml.entries[0].value, text) == 0;
    file_yaml_free(&yaml);
    if (same || status == TOT_E_MEMORY) {
        return status;
    }
    return base_fail(TOT_E_ARGUMENT, "%s: '%s' contains a character that config.yaml cannot hold",
                     name, text);
}

// Checks texts that must name something or be a number.
static tot_status check_meaning(const base_setting *setting, const char *text) {
    tot_train_method method;
    const tot_task_info *task = NULL;
    double number = 0;
    BASE_TRY(check_text(setting->name, text));
    if (strcmp(setting->name, "method") == 0) {
        return tot_train_method_find(&method, text);
    }
    if (strcmp(setting->name, "task") == 0) {
        return tot_task_find(&task, text);
    }
    if (strcmp(setting->name, "camera") == 0) {
        int count = 0;
        return tot_views_count(text, TOT_VIEW_CAMERA, &count);
    }
    if (strcmp(setting->name, "demo_crop") == 0) {
        tot_excerpt excerpt;
        const tot_status status = tot_excerpt_set_crop(&excerpt, text);
        return status == TOT_OK ? status : base_fail_in(status, "demo_crop");
    }
    return strcmp(setting->name, "scale") == 0 && strcmp(text, "auto") != 0
               ? base_parse_real("scale", text, &number)
               : TOT_OK;
}

static tot_status set_own(tot_train_config *config, const base_setting *setting, const char *text) {
    if (setting->kind == BASE_TEXT && strlen(text) < setting->size) {
        BASE_TRY(check_meaning(setting, text));
    }
    return base_setting_set(setting, config, text);
}

tot_status tot_train_set(tot_train_config *config, const char *name, const char *text) {
    BASE_NEED(config, name, text);
    const base_setting *setting = NULL;
    BASE_TRY(find(name, &setting));
    BASE_TRY(is_reward(setting) ? set_reward(config, setting, text)
                                : set_own(config, setting, text));
    return adapt(config);
}

static void get(const tot_train_config *config, const base_setting *setting, char *text,
                size_t size) {
    if (is_reward(setting)) {
        base_setting row = *setting;
        row.offset -= offsetof(tot_train_config, reward);
        reward_setting_get(&row, &config->reward, text, size);
    } else {
        base_setting_get(setting, config, text, size);
    }
}

tot_status tot_train_get(const tot_train_config *config, const char *name, char *text,
                         size_t size) {
    BASE_NEED(config, name, text);
    const base_setting *setting = NULL;
    BASE_TRY(find(name, &setting));
    get(config, setting, text, size);
    return TOT_OK;
}

// --- all settings ------------------------------------------------------------------------------

void tot_train_defaults(tot_train_config *config) {
    BASE_NEED_OR(, config);
    memset(config, 0, sizeof *config);
    tot_agent_defaults(&config->agent);
    tot_reward_defaults(&config->reward);
    config->usual = config->reward;
#define FILL_count(name, initial)                                 config->name = initial
#define FILL_real(name, initial)                                  config->name = initial
#define FILL_choice(name, initial)                                config->name = initial
#define FILL_text(name, initial)                                  snprintf(config->name, sizeof config->name, "%s", initial)
#define TOT_PARAMETER(type, name, initial, low, high, role, help) FILL_##type(name, initial);
#include <temporalot/train_parameters.def>
#undef TOT_PARAMETER
}

size_t tot_train_parameter_count(void) {
    size_t count = 0;
    train_settings(&count);
    return count;
}

const tot_parameter *tot_train_parameter_at(size_t index) {
    static _Thread_local tot_parameter shown;
    static _Thread_local char initial[TOT_TRAIN_TEXT];
    static _Thread_local tot_train_config config;
    size_t count = 0;
    const base_setting *setting = train_settings(&count) + index;
    if (index >= count) {
        return NULL;
    }
    tot_train_defaults(&config);
    get(&config, setting, initial, sizeof initial);
    shown = (tot_parameter){
        setting->name, initial, setting->help,
        is_reward(setting) ? reward_setting_takes(setting) : base_setting_takes(setting)};
    return &shown;
}

// --- reading and writing files -----------------------------------------------------------------

char *train_config_text(const tot_train_config *config) {
    char *text = NULL;
    size_t capacity = 0;
    size_t used = 0;
    size_t count = 0;
    const base_setting *rows = train_settings(&count);
    for (size_t k = 0; k < count; k++) {
        char value[TOT_TRAIN_TEXT];
        char quoted[2 * TOT_TRAIN_TEXT + 3];
        get(config, &rows[k], value, sizeof value);
        quote(value, quoted);
        const char *shown = rows[k].kind == BASE_TEXT ? quoted : value;
        void *buffer = text;
        if (base_grow(&buffer, &capacity, used, used + strlen(shown) + 80, 1, "settings") !=
            TOT_OK) {
            base_free(text);
            return NULL;
        }
        text = buffer;
        used += (size_t)snprintf(text + used, capacity - used, "%s: %s\n", rows[k].name, shown);
    }
    return text;
}

const char *train_config_difference(const tot_train_config *a, const tot_train_config *b) {
    size_t count = 0;
    const base_setting *rows = train_settings(&count);
    for (size_t k = 0; k < count; k++) {
        char left[TOT_TRAIN_TEXT];
        char right[TOT_TRAIN_TEXT];
        get(a, &rows[k], left, sizeof left);
        get(b, &rows[k], right, sizeof right);
        if (rows[k].role != BASE_FREE && strcmp(left, right) != 0) {
            return rows[k].name;
        }
    }
    return NULL;
}
