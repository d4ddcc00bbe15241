#include "cli/terminal.h"

#include <stdarg.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/base.h"

enum { USUAL_WIDTH = 80, NARROWEST = 20, WIDEST = 1000 };

int cli_width(FILE *stream) {
    struct winsize size = {0};
    const int file = fileno(stream);
    if (isatty(file) != 1) {
        return USUAL_WIDTH;
    }
    int columns = ioctl(file, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
    const char *said = getenv("COLUMNS");
    if (columns == 0 && said != NULL) {
        columns = atoi(said);
    }
    return columns <= 0          ? USUAL_WIDTH
           : columns < NARROWEST ? NARROWEST
           : columns > WIDEST    ? WIDEST
                                 : columns;
}

// --- UTF-8 -------------------------------------------------------------------------------------

typedef struct range {
    uint32_t first, last;
} range;

static bool among(uint32_t letter, const range *ranges, size_t count) {
    for (size_t k = 0; k < count; k++) {
        if (letter >= ranges[k].first && letter <= ranges[k].last) {
            return true;
        }
    }
    return false;
}

static int letter_columns(uint32_t letter) {
    static const range joining[] = {
        {0x300, 0x36f}, {0x200b, 0x200f}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}};
    static const range wide[] = {{0x1100, 0x115f},   {0x2e80, 0xa4cf},   {0xac00, 0xd7a3},
                                 {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},
                                 {0xffe0, 0xffe6},   {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff},
                                 {0x1f900, 0x1faff}, {0x20000, 0x3fffd}};
    return among(letter, joining, BASE_LENGTH(joining)) ? 0
           : among(letter, wide, BASE_LENGTH(wide))     ? 2
                                                        : 1;
}

// Decodes the next character of a text and returns its number of bytes. A byte that is not UTF-8 is
// returned as it is.
static size_t next_letter(const char *text, uint32_t *letter) {
    const unsigned char *byte = (const unsigned char *)text;
    const size_t length = byte[0] >= 0xf0 ? 4 : byte[0] >= 0xe0 ? 3 : byte[0] >= 0xc0 ? 2 : 1;
    *letter = length == 1 ? byte[0] : byte[0] & (0x7fU >> length);
    for (size_t k = 1; k < length; k++) {
        if ((byte[k] & 0xc0) != 0x80) {
            *letter = byte[0];
            return 1;
        }
        *letter = *letter << 6 | (byte[k] & 0x3f);
    }
    return length;
}

// Columns of the first `bytes` bytes.
static int columns_within(const char *text, size_t bytes) {
    int columns = 0;
    uint32_t letter = 0;
    for (size_t k = 0; k < bytes;) {
        k += next_letter(text + k, &letter);
        columns += letter_columns(letter);
    }
    return columns;
}

int cli_columns(const char *text) {
    return columns_within(text, strlen(text));
}

// Number of bytes of a text that fit the columns.
static size_t fitting(const char *text, int columns) {
    size_t used = 0;
    uint32_t letter = 0;
    while (text[used] != '\0') {
        const size_t length = next_letter(text + used, &letter);
        columns -= letter_columns(letter);
        if (columns < 0) {
            break;
        }
        used += length;
    }
    return used;
}

void cli_fit(char *out, size_t size, const char *text, int columns, int tail) {
    const int length = cli_columns(text);
    if (length <= columns) {
        snprintf(out, size, "%s", text);
        return;
    }
    if (tail > columns - 2) {
        tail = columns > 2 ? columns - 2 : 0;
    }
    // skip the shortest prefix that leaves at most `tail` columns
    const char *end = text;
    uint32_t letter = 0;
    while (*end != '\0' && cli_columns(end) > tail) {
        end += next_letter(end, &letter);
    }
    snprintf(out, size, "%.*s..%s", (int)fitting(text, columns - tail - 2), text, end);
}

void cli_put(FILE *out, const char *text, int columns) {
    fputs(text, out);
    for (int k = cli_columns(text); k < columns; k++) {
        fputc(' ', out);
    }
}

// --- lines -------------------------------------------------------------------------------------

void cli_bar(char *out, int columns, double share) {
    const int capacity = columns - 2;
    const int full = (int)(share * capacity);
    out[0] = '[';
    memset(out + 1, '.', (size_t)capacity);
    memset(out + 1, '#', (size_t)(full < 0 ? 0 : full < capacity ? full : capacity));
    out[columns - 1] = ']';
    out[columns] = '\0';
}

void cli_wrap(FILE *out, const char *text, int at, int indent, int width) {
    int column = at;
    bool first = true;
    while (*text != '\0') {
        const size_t length = strcspn(text, " \n");
        const int columns = columns_within(text, length);
        if (!first && column + 1 + columns > width) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
        } else if (!first) {
            fputc(' ', out);
            column++;
        }
        fwrite(text, 1, length, out);
        column += columns;
        first = false;
        text += length;
        text += strspn(text, " \n");
    }
    fputc('\n', out);
}

void cli_say(FILE *out, const char *format, ...) {
    va_list arguments;
    char line[4096];
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (isatty(fileno(out)) == 1) {
        cli_wrap(out, line, 0, 0, cli_width(out) - 1);
    } else {
        fprintf(out, "%s\n", line);
    }
}
