// JSON without cJSON: output is printed as it is produced, so that it cannot run out of memory
// halfway.
#include "cli/cli.h"

void cli_json_text(FILE *out, const char *text) {
    fputc('"', out);
    for (const unsigned char *letter = (const unsigned char *)text; *letter != 0; letter++) {
        if (*letter == '"' || *letter == '\\') {
            fprintf(out, "\\%c", *letter);
        } else if (*letter < 0x20) {
            fprintf(out, "\\u%04x", *letter);
        } else {
            fputc(*letter, out);
        }
    }
    fputc('"', out);
}

void cli_json_put(const char *before, const char *text) {
    fputs(before, stdout);
    cli_json_text(stdout, text);
}

void cli_json_number(const char *before, double value) {
    printf(isfinite(value) ? "%s%.6g" : "%snull", before, value);
}

void cli_json_run(const char *folder, const tot_train_config *config) {
    cli_json_put("{\"run\": ", folder);
    cli_json_put(", \"task\": ", config->task);
    cli_json_put(", \"method\": ", config->method);
}
