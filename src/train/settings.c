// The settings of a run by name: one table of those of the run, of the agent and of the reward.
#include "train/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/name.h"
#include "base/parse.h"
#include "file/yaml.h"

typedef enum kind { COUNT, REAL, CHOICE, TEXT } kind;

typedef struct setting {
    const char *name;
    kind kind;
    size_t offset;       // in tot_train_config
    const char *words;   // of a choice: "a|b"
    int64_t low, high;   // of a count, or of a choice's place
    double least, most;  // of a real
    const char *help;
} setting;

#define FIELD(name) offsetof(tot_train_config, name)
#define ROW_count(field, name, from, to, text) \
    {#name, COUNT, FIELD(field), NULL, from, to, 0, 0, text},
#define ROW_real(field, name, from, to, text) \
    {#name, REAL, FIELD(field), NULL, 0, 0, from, to, text},
#define ROW_choice(field, name, from, to, text) \
    {#name, CHOICE, FIELD(field), from, 0, to, 0, 0, text},
#define ROW_text(field, name, from, to, text) {#name, TEXT, FIELD(field), NULL, 0, 0, 0, 0, text},

static const setting settings[] = {
#define TOT_PARAMETER(type, name, initial, low, high, help) ROW_##type(name, name, low, high, help)
#include <temporalot/train_parameters.def>
#undef TOT_PARAMETER
#define TOT_PARAMETER(type, name, initial, low, high, help) \
    ROW_##type(agent.name, name, low, high, help)
#include <temporalot/agent_parameters.def>
#undef TOT_PARAMETER
};

enum { OWN_COUNT = sizeof settings / sizeof *settings };

// The reward's tau has another name here: the agent has one too.
static const char *reward_name(const char *name) {
    return strcmp(name, "reward_tau") == 0 ? "tau" : name;
}

// The fewest digits that give the same number back.
static void real_text(double value, char *text, size_t size) {
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, size, "%.*g", digits, value);
        if (strtod(text, NULL) == value) {
            return;
        }
    }
}

// --- the reward's ------------------------------------------------------------------------------

// Which of the reward's settings a run has: its scale is the run's own, and the width of a mask
// stands beside the mask.
static bool is_shown(const tot_parameter *parameter) {
    return strcmp(parameter->name, "scale") != 0 && strcmp(parameter->name, "mask_width") != 0;
}

static bool is_reward(const char *name) {
    if (strcmp(name, "tau") == 0 || strcmp(name, "scale") == 0) {
        return false;
    }
    for (size_t k = 0; k < tot_reward_parameter_count(); k++) {
        if (strcmp(tot_reward_parameter_at(k)->name, reward_name(name)) == 0) {
            return true;
        }
    }
    return false;
}

// Context, mask and cost are the method's until they are set.
static tot_status adapt(tot_train_config *config) {
    tot_train_method method;
    tot_reward_config own;
    TOT_TRY(tot_train_method_find(&method, config->method));
    TOT_TRY(tot_reward_config_for(&own, method.reward != NULL ? method.reward : "temporalot"));
    config->reward.method = own.method;
    if (!config->context_given) {
        config->reward.context = own.context > 1 ? config->usual.context : own.context;
    }
    if (!config->mask_given) {
        config->reward.mask = own.mask == TOT_MASK_BAND ? config->usual.mask : own.mask;
        config->reward.mask_width = config->usual.mask_width;
    }
    if (!config->cost_given) {
        config->reward.cost = config->cost_on == 1 ? TOT_COST_EUCLIDEAN : config->usual.cost;
    }
    return TOT_OK;
}

static tot_status set_reward(tot_train_config *config, const char *name, const char *text) {
    TOT_TRY(tot_reward_set(&config->reward, reward_name(name), text));
    config->context_given = config->context_given || strcmp(name, "context") == 0;
    config->mask_given = config->mask_given || strncmp(name, "mask", 4) == 0;
    config->cost_given = config->cost_given || strcmp(name, "cost") == 0;
    return TOT_OK;
}

static void get_reward(const tot_train_config *config, const char *name, char *text, size_t size) {
    static const char *const masks[] = {"none", "band", "causal", "dynamic"};
    static const char *const costs[] = {"cosine", "euclidean"};
    static const char *const zeros[] = {"refuse", "treat-as-far"};
    const tot_reward_config *reward = &config->reward;
    if (strcmp(name, "mask") == 0) {
        const bool wide = reward->mask == TOT_MASK_BAND || reward->mask == TOT_MASK_DYNAMIC;
        char width[32];
        snprintf(width, sizeof width, ":%lld", (long long)reward->mask_width);
        snprintf(text, size, "%s%s", masks[reward->mask], wide ? width : "");
        return;
    }
    if (strcmp(name, "cost") == 0) {
        snprintf(text, size, "%s", costs[reward->cost]);
        return;
    }
    if (strcmp(name, "center") == 0) {
        snprintf(text, size, "%s", reward->center == TOT_CENTER_DEMOS ? "demos" : "off");
        return;
    }
    if (strcmp(name, "zero_frame") == 0) {
        snprintf(text, size, "%s", zeros[reward->zero_frame]);
        return;
    }
#define SHOW_count(value)  snprintf(text, size, "%lld", (long long)(value))
#define SHOW_choice(value) SHOW_count(value)
#define SHOW_real(value)   real_text(value, text, size)
#define TOT_PARAMETER(type, field, initial, low, high, help) \
    if (strcmp(reward_name(name), #field) == 0) {            \
        SHOW_##type(reward->field);                          \
    }
#include <temporalot/reward_parameters.def>
#undef TOT_PARAMETER
}

// --- one setting -------------------------------------------------------------------------------

static const setting *find(const char *key) {
    for (size_t k = 0; k < OWN_COUNT; k++) {
        if (strcmp(settings[k].name, key) == 0) {
            return &settings[k];
        }
    }
    return NULL;
}

static tot_status unknown(const char *name, const char *key) {
    const char *names[OWN_COUNT + 64] = {0};
    size_t count = 0;
    for (; count < OWN_COUNT; count++) {
        names[count] = settings[count].name;
    }
#define TOT_PARAMETER(type, field, initial, low, high, help) names[count++] = #field;
#include <temporalot/reward_parameters.def>
#undef TOT_PARAMETER
    names[count++] = "reward_tau";
    return tot_fail_unknown(key, names, count, "'%s' is not a setting", name);
}

static tot_status set_count(const setting *one, int64_t *value, const char *text) {
    int64_t parsed = 0;
    TOT_TRY(tot_parse_count(one->name, text, &parsed));
    if (parsed < one->low || parsed > one->high) {
        return tot_fail(TOT_E_ARGUMENT, "%s: %lld is not in %lld .. %lld", one->name,
                        (long long)parsed, (long long)one->low, (long long)one->high);
    }
    *value = parsed;
    return TOT_OK;
}

static tot_status set_real(const setting *one, double *value, const char *text) {
    double parsed = 0;
    TOT_TRY(tot_parse_real(one->name, text, &parsed));
    if (!(parsed >= one->least && parsed <= one->most)) {
        return tot_fail(TOT_E_ARGUMENT, "%s: %g is not in %g .. %g", one->name, parsed, one->least,
                        one->most);
    }
    *value = parsed;
    return TOT_OK;
}

// The place of a word in "a|b|c", or -1.
static int place_of(const char *words, const char *text) {
    for (int place = 0;; place++) {
        const size_t length = strcspn(words, "|");
        if (length == strlen(text) && strncmp(words, text, length) == 0) {
            return place;
        }
        if (words[length] == '\0') {
            return -1;
        }
        words += length + 1;
    }
}

static void word_at(const char *words, int place, char *text, size_t size) {
    for (; place > 0; place--) {
        words += strcspn(words, "|") + 1;
    }
    snprintf(text, size, "%.*s", (int)strcspn(words, "|"), words);
}

static tot_status set_choice(const setting *one, int *value, const char *text) {
    const int place = place_of(one->words, text);
    if (place < 0) {
        return tot_fail(TOT_E_ARGUMENT, "%s: '%s' is not one of %s", one->name, text, one->words);
    }
    *value = place;
    return TOT_OK;
}

// A text in the quotes of YAML. out: [2 * TOT_TRAIN_TEXT + 3].
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

// A text that config.yaml does not give back as it is would be lost with the run: control letters,
// breaks of lines, what is not UTF-8.
static tot_status check_text(const char *name, const char *text) {
    char line[2 * TOT_TRAIN_TEXT + 6] = "v: ";
    tot_yaml yaml = {0};
    quote(text, line + 3);
    const tot_status status = tot_yaml_parse(&yaml, line, strlen(line), name);
    const bool same =
        status == TOT_OK && yaml.count == 1 && strcmp(yaml.entries[0].value, text) == 0;
    tot_yaml_free(&yaml);
    if (same || status == TOT_E_MEMORY) {
        return status;
    }
    return tot_fail(TOT_E_ARGUMENT, "%s: '%s' holds a letter that config.yaml cannot", name, text);
}

static tot_status set_text(const setting *one, char *value, const char *text) {
    if (strlen(text) >= TOT_TRAIN_TEXT) {
        return tot_fail(TOT_E_ARGUMENT, "%s: longer than %d letters", one->name,
                        TOT_TRAIN_TEXT - 1);
    }
    TOT_TRY(check_text(one->name, text));
    tot_train_method method;
    const tot_task_info *task = NULL;
    double number = 0;
    if (strcmp(one->name, "method") == 0) {
        TOT_TRY(tot_train_method_find(&method, text));
    } else if (strcmp(one->name, "task") == 0) {
        TOT_TRY(tot_task_find(&task, text));
    } else if (strcmp(one->name, "scale") == 0 && strcmp(text, "auto") != 0) {
        TOT_TRY(tot_parse_real("scale", text, &number));
    }
    // the text may be the value itself
    memmove(value, text, strlen(text) + 1);
    return TOT_OK;
}

static tot_status set_own(tot_train_config *config, const setting *one, const char *text) {
    void *value = (char *)config + one->offset;
    switch (one->kind) {
        case COUNT:
            return set_count(one, value, text);
        case REAL:
            return set_real(one, value, text);
        case CHOICE:
            return set_choice(one, value, text);
        default:
            return set_text(one, value, text);
    }
}

tot_status tot_train_set(tot_train_config *config, const char *name, const char *text) {
    char key[64];
    tot_setting_key(key, sizeof key, name);
    const setting *one = find(key);
    if (one != NULL) {
        TOT_TRY(set_own(config, one, text));
    } else if (is_reward(key)) {
        TOT_TRY(set_reward(config, key, text));
    } else {
        return unknown(name, key);
    }
    return adapt(config);
}

tot_status tot_train_get(const tot_train_config *config, const char *name, char *text,
                         size_t size) {
    char key[64];
    tot_setting_key(key, sizeof key, name);
    const setting *one = find(key);
    if (one == NULL && !is_reward(key)) {
        return unknown(name, key);
    }
    if (one == NULL) {
        get_reward(config, key, text, size);
        return TOT_OK;
    }
    const void *value = (const char *)config + one->offset;
    switch (one->kind) {
        case COUNT:
            snprintf(text, size, "%lld", (long long)*(const int64_t *)value);
            break;
        case REAL:
            real_text(*(const double *)value, text, size);
            break;
        case CHOICE:
            word_at(one->words, *(const int *)value, text, size);
            break;
        default:
            snprintf(text, size, "%s", (const char *)value);
    }
    return TOT_OK;
}

// --- all of them -------------------------------------------------------------------------------

void tot_train_defaults(tot_train_config *config) {
    memset(config, 0, sizeof *config);
    tot_agent_defaults(&config->agent);
    tot_reward_defaults(&config->reward);
    config->usual = config->reward;
#define FILL_count(name, initial)                           config->name = initial
#define FILL_real(name, initial)                            config->name = initial
#define FILL_choice(name, initial)                          config->name = initial
#define FILL_text(name, initial)                            snprintf(config->name, sizeof config->name, "%s", initial)
#define TOT_PARAMETER(type, name, initial, low, high, help) FILL_##type(name, initial);
#include <temporalot/train_parameters.def>
#undef TOT_PARAMETER
}

// How many of the reward's are shown, and which is the index-th.
static const tot_parameter *shown_reward(size_t index, size_t *count) {
    *count = 0;
    const tot_parameter *found = NULL;
    for (size_t k = 0; k < tot_reward_parameter_count(); k++) {
        if (is_shown(tot_reward_parameter_at(k))) {
            found = *count == index ? tot_reward_parameter_at(k) : found;
            ++*count;
        }
        if (found != NULL && *count == index + 1) {
            return found;
        }
    }
    return found;
}

size_t tot_train_parameter_count(void) {
    size_t count = 0;
    shown_reward(SIZE_MAX, &count);
    return OWN_COUNT + count;
}

const tot_parameter *tot_train_parameter_at(size_t index) {
    static _Thread_local tot_parameter shown;
    static _Thread_local char initial[TOT_TRAIN_TEXT];
    static _Thread_local char help[256];
    static _Thread_local tot_train_config config;
    tot_train_defaults(&config);
    if (index < OWN_COUNT) {
        const setting *one = &settings[index];
        tot_train_get(&config, one->name, initial, sizeof initial);
        snprintf(help, sizeof help, "%s%s%s%s", one->help, one->words != NULL ? " (" : "",
                 one->words != NULL ? one->words : "", one->words != NULL ? ")" : "");
        shown = (tot_parameter){one->name, initial, help};
        return &shown;
    }
    size_t count = 0;
    const tot_parameter *reward = shown_reward(index - OWN_COUNT, &count);
    if (reward == NULL) {
        return NULL;
    }
    shown = *reward;
    if (strcmp(shown.name, "tau") == 0) {
        shown.name = "reward_tau";
    }
    return &shown;
}

// --- to and from a file ------------------------------------------------------------------------

char *tot_train_config_text(const tot_train_config *config) {
    char *text = NULL;
    size_t capacity = 0;
    size_t used = 0;
    for (size_t k = 0; k < tot_train_parameter_count(); k++) {
        char value[TOT_TRAIN_TEXT];
        char quoted[2 * TOT_TRAIN_TEXT + 3];
        const tot_parameter *parameter = tot_train_parameter_at(k);
        const setting *one = find(parameter->name);
        tot_train_get(config, parameter->name, value, sizeof value);
        quote(value, quoted);
        const char *shown = one != NULL && one->kind == TEXT ? quoted : value;
        void *buffer = text;
        if (tot_grow(&buffer, &capacity, used, used + strlen(shown) + 80, 1, "settings") !=
            TOT_OK) {
            tot_free(text);
            return NULL;
        }
        text = buffer;
        used += (size_t)snprintf(text + used, capacity - used, "%s: %s\n", parameter->name, shown);
    }
    return text;
}

const char *tot_train_config_difference(const tot_train_config *a, const tot_train_config *b) {
    static const char *const free_to_change[] = {"checkpoint_every", "checkpoint_minutes", "video"};
    for (size_t k = 0; k < tot_train_parameter_count(); k++) {
        char left[TOT_TRAIN_TEXT];
        char right[TOT_TRAIN_TEXT];
        const char *name = tot_train_parameter_at(k)->name;
        bool is_free = false;
        for (size_t i = 0; i < sizeof free_to_change / sizeof *free_to_change; i++) {
            is_free = is_free || strcmp(free_to_change[i], name) == 0;
        }
        tot_train_get(a, name, left, sizeof left);
        tot_train_get(b, name, right, sizeof right);
        if (!is_free && strcmp(left, right) != 0) {
            return name;
        }
    }
    return NULL;
}
