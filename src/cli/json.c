// JSON without cJSON: output is printed as it is produced, so that it cannot run out of memory
// halfway.
#include "cli/cli.h"

void cli_json_put(const char *before, const char *text) {
    printf("%s\"", before);
    for (const unsigned char *letter = (const unsigned char *)text; *letter != 0; letter++) {
        if (*letter == '"' || *letter == '\\') {
            printf("\\%c", *letter);
        } else if (*letter < 0x20) {
            printf("\\u%04x", *letter);
        } else {
            putchar(*letter);
        }
    }
    putchar('"');
}

void cli_json_number(const char *before, double value) {
    printf(isfinite(value) ? "%s%.6g" : "%snull", before, value);
}

void cli_json_run(const char *folder, const tot_train_config *config) {
    cli_json_put("{\"run\": ", folder);
    cli_json_put(", \"task\": ", config->task);
    cli_json_put(", \"method\": ", config->method);
}
