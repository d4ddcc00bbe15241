// Writes the pictures of episodes to a video and to a contact sheet.
#pragma once

#include "cli/cli.h"
#include "cli/drawing.h"

// What the command line asks for.
typedef struct cli_film_args {
    bool frames;        // keep them in the recording
    const char *video;  // output files; NULL: none
    const char *sheet;
    double rate;  // frames per second of the video
    cli_drawing drawing;
} cli_film_args;

enum { CLI_FILM_RATE = 30 };

// Rows for a cli_option table.
#define CLI_FILM_OPTIONS(it)                                                                    \
    {"frames", CLI_FLAG, &(it).frames, NULL, "also store the frames"},                          \
        {"video", CLI_TEXT, &(it).video, "FILE.mp4", "write a video of the frames"},            \
        {"fps", CLI_REAL, &(it).rate, "N", "frames per second of the video (default 30)"},      \
        {"sheet", CLI_TEXT, &(it).sheet, "FILE.png", "write a sheet of 8 frames side by side"}, \
        CLI_DRAWING_OPTIONS((it).drawing)

// Whether any pictures are needed.
bool cli_film_wanted(const cli_film_args *args);

// Checks the frame rate and the options of a picture. Returns the exit code.
int cli_film_read(cli_film_args *args);

// Checks that the files can be written, before anything is rendered.
tot_status cli_film_check(const cli_film_args *args, const tot_picture_settings *settings);

typedef struct cli_film {
    const cli_film_args *args;
    tot_video *video;
    cli_sheet sheet;
    int64_t total;  // pictures in the current episode
    int64_t taken;  // pictures added so far
    int row;        // index of the episode
    int column;     // next column of the sheet
} cli_film;

// Prepares for that many episodes of `total` pictures. Does nothing without a video or a sheet.
tot_status cli_film_open(cli_film *film, const cli_film_args *args,
                         const tot_picture_settings *settings, int64_t total, int episodes);

// Adds a picture; starts the next episode.
tot_status cli_film_add(cli_film *film, const uint8_t *rgb);
void cli_film_next(cli_film *film);

// Writes both files; a file that cannot be written stays as it was.
tot_status cli_film_commit(cli_film *film);

// Discards what is not committed and frees the film, which may be {0} or committed.
void cli_film_discard(cli_film *film);
