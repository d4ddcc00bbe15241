// Pictures of episodes on their way to where they were asked for: a video, a sheet.
#pragma once

#include "cli/cli.h"
#include "cli/drawing.h"

// What the command line asks for.
typedef struct cli_film_args {
    bool frames;        // in the recording
    const char *video;  // files; NULL: none
    const char *sheet;
    double rate;  // of the video, frames per second
    cli_drawing drawing;
} cli_film_args;

enum { CLI_FILM_RATE = 30 };

// Entries of a list of cli_option.
#define CLI_FILM_OPTIONS(it)                                                                    \
    {"frames", CLI_FLAG, &(it).frames, NULL, "also store the frames"},                          \
        {"video", CLI_TEXT, &(it).video, "FILE.mp4", "write a video of the frames"},            \
        {"fps", CLI_REAL, &(it).rate, "N", "frames per second of the video (default 30)"},      \
        {"sheet", CLI_TEXT, &(it).sheet, "FILE.png", "write a sheet of 8 frames side by side"}, \
        CLI_DRAWING_OPTIONS((it).drawing, "fast")

// Whether pictures are needed at all.
bool cli_film_wanted(const cli_film_args *args);

// Checks what was typed: the rate, and the options of a picture. Returns the exit code.
int cli_film_read(const cli_film_args *args, tot_picture_settings *settings);

// Finds out whether the files can be written, before anything is drawn.
tot_status cli_film_check(const cli_film_args *args, const tot_picture_settings *settings);

typedef struct cli_film {
    const cli_film_args *args;
    tot_video *video;
    cli_sheet sheet;
    int64_t total;  // pictures of the episode under way
    int64_t taken;  // of them
    int row;        // which episode it is
    int column;     // of the sheet, the next one
} cli_film;

// For so many episodes of `total` pictures. Without a video and a sheet nothing is done.
tot_status cli_film_open(cli_film *film, const cli_film_args *args,
                         const tot_picture_settings *settings, int64_t total, int episodes);

// The next picture, and the end of an episode.
tot_status cli_film_add(cli_film *film, const uint8_t *rgb);
void cli_film_next(cli_film *film);

// Writes both files; on failure that which could not be written is as it was.
tot_status cli_film_commit(cli_film *film);

// Gives up, or frees what is left. The film may be {0}, or was committed.
void cli_film_discard(cli_film *film);
