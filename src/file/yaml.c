#include "file/yaml.h"

#include <yaml.h>

#include "base/base.h"
#include "file/source.h"

enum { LARGEST_FILE = 1 << 20 };

typedef struct reading {
    yaml_parser_t parser;
    yaml_event_t event;
    bool has_event;
    const char *name;
    file_yaml *yaml;
} reading;

// Fails at the current event, unless it is as it should be.
static tot_status expect(const reading *read, bool good, const char *text) {
    BASE_FAIL_IF(!good, TOT_E_FORMAT, "%s: line %zu: %s", read->name,
                 read->event.start_mark.line + 1, text);
    return TOT_OK;
}

static tot_status next(reading *read) {
    if (read->has_event) {
        yaml_event_delete(&read->event);
        read->has_event = false;
    }
    if (yaml_parser_parse(&read->parser, &read->event) == 0) {
        const yaml_parser_t *parser = &read->parser;
        BASE_FAIL_IF(parser->error == YAML_MEMORY_ERROR, TOT_E_MEMORY, "%s: no memory to read it",
                     read->name);
        return base_fail(TOT_E_FORMAT, "%s: line %zu: %s", read->name,
                         parser->problem_mark.line + 1,
                         parser->problem != NULL ? parser->problem : "not YAML");
    }
    read->has_event = true;
    return TOT_OK;
}

// Appends a scalar to a growing string: the values of a list, separated by commas.
static tot_status append(const reading *read, char **text) {
    const char *more = (const char *)read->event.data.scalar.value;
    BASE_TRY(
        expect(read, strlen(more) == read->event.data.scalar.length, "a value holds a 0 byte"));
    const size_t old = *text != NULL ? strlen(*text) : 0;
    char *joined = base_alloc(old + strlen(more) + 2, 1, "settings");
    BASE_HAVE(joined);
    if (*text != NULL) {
        memcpy(joined, *text, old);
        joined[old] = ',';
        strcpy(joined + old + 1, more);
    } else {
        strcpy(joined, more);
    }
    base_free(*text);
    *text = joined;
    return TOT_OK;
}

static tot_status read_value(reading *read, file_yaml_entry *entry) {
    BASE_TRY(next(read));
    if (read->event.type == YAML_SCALAR_EVENT) {
        return append(read, &entry->value);
    }
    BASE_TRY(expect(read, read->event.type == YAML_SEQUENCE_START_EVENT,
                    "a single value or a list of them is expected"));
    entry->is_list = true;
    BASE_TRY(next(read));
    while (read->event.type == YAML_SCALAR_EVENT) {
        BASE_TRY(append(read, &entry->value));
        entry->length++;
        BASE_TRY(next(read));
    }
    BASE_TRY(expect(read, read->event.type == YAML_SEQUENCE_END_EVENT,
                    "a list holds single values only"));
    entry->value = entry->value != NULL ? entry->value : base_copy_text("");
    return entry->value != NULL ? TOT_OK : TOT_E_MEMORY;
}

// The current event is a key.
static tot_status read_entry(reading *read) {
    file_yaml *yaml = read->yaml;
    BASE_TRY(expect(read, read->event.type == YAML_SCALAR_EVENT,
                    "a name is expected, as in `steps: 1000`"));
    BASE_GROW(yaml->entries, yaml->capacity, yaml->count, yaml->count + 1, "settings");
    file_yaml_entry *entry = &yaml->entries[yaml->count++];
    *entry = (file_yaml_entry){.line = (int64_t)read->event.start_mark.line + 1};
    BASE_TRY(append(read, &entry->key));
    for (size_t k = 0; k + 1 < yaml->count; k++) {
        BASE_FAIL_IF(strcmp(yaml->entries[k].key, entry->key) == 0, TOT_E_FORMAT,
                     "%s: line %lld: '%s' is already in line %lld", read->name,
                     (long long)entry->line, entry->key, (long long)yaml->entries[k].line);
    }
    return read_value(read, entry);
}

static tot_status read_document(reading *read) {
    do {
        BASE_TRY(next(read));
        if (read->event.type == YAML_STREAM_END_EVENT) {
            return TOT_OK;  // an empty file has no settings
        }
    } while (read->event.type == YAML_STREAM_START_EVENT ||
             read->event.type == YAML_DOCUMENT_START_EVENT);
    if (read->event.type == YAML_SCALAR_EVENT && read->event.data.scalar.length == 0) {
        return TOT_OK;
    }
    BASE_TRY(expect(read, read->event.type == YAML_MAPPING_START_EVENT,
                    "names and values are expected, as in `steps: 1000`"));
    BASE_TRY(next(read));
    while (read->event.type != YAML_MAPPING_END_EVENT) {
        BASE_TRY(read_entry(read));
        BASE_TRY(next(read));
    }
    BASE_TRY(next(read));
    BASE_TRY(next(read));
    return expect(read, read->event.type == YAML_STREAM_END_EVENT,
                  "a second document is one too many");
}

tot_status file_yaml_parse(file_yaml *yaml, const void *bytes, size_t size, const char *name) {
    file_yaml_free(yaml);
    reading read = {.name = name, .yaml = yaml};
    BASE_FAIL_IF(yaml_parser_initialize(&read.parser) == 0, TOT_E_MEMORY,
                 "%s: no memory to read it", name);
    yaml_parser_set_input_string(&read.parser, bytes, size);
    const tot_status status = read_document(&read);
    if (read.has_event) {
        yaml_event_delete(&read.event);
    }
    yaml_parser_delete(&read.parser);
    if (status != TOT_OK) {
        file_yaml_free(yaml);
    }
    return status;
}

tot_status file_yaml_load(file_yaml *yaml, const char *path) {
    char *bytes = NULL;
    size_t size = 0;
    file_yaml_free(yaml);
    BASE_TRY(file_source_read_file(&bytes, &size, path, LARGEST_FILE, "settings"));
    BASE_FINALLY(file_yaml_parse(yaml, bytes, size, path), base_free(bytes));
}

void file_yaml_free(file_yaml *yaml) {
    for (size_t k = 0; k < yaml->count; k++) {
        BASE_RELEASE(yaml->entries[k].key, yaml->entries[k].value);
    }
    base_free(yaml->entries);
    *yaml = (file_yaml){0};
}
