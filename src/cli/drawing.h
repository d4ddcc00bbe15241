// Shared by the commands that draw: the options of a picture, and contact sheets.
#pragma once

#include "cli/cli.h"

// The options of a picture; the settings are complete after cli_drawing_read. Start with {0} and
// cli_drawing_start.
typedef struct cli_drawing {
    tot_picture_settings settings;
    const char *size;
    const char *crop;  // "left,top,right,bottom"; NULL: the whole picture
    bool no_upright;
} cli_drawing;

// Sets the defaults.
void cli_drawing_start(cli_drawing *drawing, tot_quality quality);

// Rows for a cli_option table.
#define CLI_DRAWING_OPTIONS(it)                                                                 \
    {"camera", CLI_TEXT, &(it).settings.camera, "NAME",                                         \
     "camera of the scene (default: the task's)"},                                              \
        {"size", CLI_TEXT, &(it).size, "N|WxH",                                                 \
         "size in pixels: N squeezes the paper's 4:3 view into N x N, WxH keeps pixels square " \
         "(default 224)"},                                                                      \
        {"renderer", CLI_WORD, &(it).settings.renderer, NULL, NULL},                            \
        {"quality", CLI_WORD, &(it).settings.quality, NULL, NULL},                              \
        {"arm", CLI_WORD, &(it).settings.arm, NULL,                                             \
         "draw the whole robot, or only its fingers (default drawn)"},                          \
        {"zoom", CLI_REAL, &(it).settings.zoom, "X",                                            \
         "zoom in on the middle of the table by this factor (default 1)"},                      \
        {"orbit", CLI_REAL, &(it).settings.orbit, "DEGREES",                                    \
         "rotate the camera around the middle of the table, anticlockwise seen from above "     \
         "(default 0)"},                                                                        \
        {"crop", CLI_TEXT, &(it).crop, "L,T,R,B",                                               \
         "draw only this part: left, top, right, bottom as fractions of the picture"},          \
    {                                                                                           \
        "no-upright", CLI_FLAG, &(it).no_upright, NULL,                                         \
            "do not turn pictures upright: Meta-world's corner cameras hang upside down"        \
    }

// Returns the exit code: EXIT_USAGE, with an error printed, if an option is invalid.
int cli_drawing_read(cli_drawing *drawing);

// Checks that a file can be written, before the work that produces it. An existing file is left
// unchanged.
tot_status cli_out_check(const char *path);

// --- sheets ------------------------------------------------------------------------------------

// Pictures of equal size in rows and columns on a white background.
typedef struct cli_sheet {
    uint8_t *rgb;
    int width, height;  // of the sheet
    int cell_width, cell_height;
} cli_sheet;

enum { CLI_SHEET_COLUMNS = 8 };  // per episode

// The number of columns for an episode of that many pictures, and the index of the picture in a
// column: the first, the last, and evenly spaced ones between them.
int cli_sheet_columns(int64_t pictures);
int64_t cli_sheet_picture(int column, int64_t pictures);

tot_status cli_sheet_create(cli_sheet *sheet, int columns, int rows, int cell_width,
                            int cell_height);
void cli_sheet_put(cli_sheet *sheet, int column, int row, const uint8_t *rgb);
tot_status cli_sheet_write(const cli_sheet *sheet, const char *path);
void cli_sheet_free(cli_sheet *sheet);
