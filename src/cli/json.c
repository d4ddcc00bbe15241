// JSON, without cJSON: a line is printed as it comes, and no memory can run out half-way.
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
