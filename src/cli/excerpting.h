// Shared by the commands that read videos: which files, and which of their frames to use.
#pragma once

#include "cli/cli.h"

// The options as typed. Start with CLI_EXCERPTING_INITIAL.
typedef struct cli_excerpting {
    int64_t every;
    double fps, from, to;
    const char *crop;
} cli_excerpting;

#define CLI_EXCERPTING_INITIAL \
    { .every = 1, .fps = NAN, .to = NAN }

// Rows for a cli_option table.
#define CLI_EXCERPTING_OPTIONS(it)                                                                \
    {.name = "pictures and videos:", .kind = CLI_SECTION},                                        \
        {"every", CLI_COUNT, &(it).every, "N", "take every N-th picture (default 1)"},            \
        {"fps", CLI_REAL, &(it).fps, "X",                                                         \
         "take X pictures per second, whatever the video's frame rate (default: all)"},           \
        {"from", CLI_REAL, &(it).from, "SECONDS", "start at this time in the video (default 0)"}, \
        {"to", CLI_REAL, &(it).to, "SECONDS", "stop at this time (default: its end)"}, {          \
        "crop", CLI_TEXT, &(it).crop, "X,Y,W,H",                                                  \
            "use this part of every picture: left, top, width, height in pixels"                  \
    }

// Checks the options. Returns the exit code: EXIT_USAGE with an error printed.
int cli_excerpting_read(const cli_excerpting *typed, tot_excerpt *excerpt);

// Expands the words into sources. Each refers to the excerpt, which must outlive them. Fails if
// there are none, naming `what` ("episode") as missing, unless what is NULL.
tot_status cli_sources_find(tot_source_list *sources, const cli_texts *words,
                            const tot_excerpt *excerpt, const char *what);
