#include "cli/film.h"

bool cli_film_wanted(const cli_film_args *args) {
    return args->frames || args->video != NULL || args->sheet != NULL;
}

int cli_film_read(cli_film_args *args) {
    CLI_RANGE("fps", args->rate, 0.1, 1000);
    return cli_drawing_read(&args->drawing);
}

tot_status cli_film_check(const cli_film_args *args, const tot_picture_settings *settings) {
    if (args->sheet != NULL) {
        BASE_TRY(cli_out_check(args->sheet));
    }
    if (args->video != NULL) {
        // this also checks that the video format is supported
        tot_video *video = NULL;
        BASE_TRY(
            tot_video_create(&video, args->video, settings->width, settings->height, args->rate));
        tot_video_discard(video);
    }
    return TOT_OK;
}

tot_status cli_film_open(cli_film *film, const cli_film_args *args,
                         const tot_picture_settings *settings, int64_t total, int episodes) {
    *film = (cli_film){.args = args, .total = total};
    if (args->sheet != NULL) {
        BASE_TRY(cli_sheet_create(&film->sheet, cli_sheet_columns(total), episodes, settings->width,
                                  settings->height));
    }
    if (args->video != NULL) {
        BASE_TRY(tot_video_create(&film->video, args->video, settings->width, settings->height,
                                  args->rate));
    }
    return TOT_OK;
}

tot_status cli_film_add(cli_film *film, const uint8_t *rgb) {
    if (film->sheet.rgb != NULL && film->taken == cli_sheet_picture(film->column, film->total)) {
        cli_sheet_put(&film->sheet, film->column++, film->row, rgb);
    }
    film->taken++;
    return film->video != NULL ? tot_video_add(film->video, rgb) : TOT_OK;
}

void cli_film_next(cli_film *film) {
    film->taken = 0;
    film->column = 0;
    film->row++;
}

tot_status cli_film_commit(cli_film *film) {
    if (film->sheet.rgb != NULL) {
        BASE_TRY(cli_sheet_write(&film->sheet, film->args->sheet));
    }
    tot_video *video = film->video;
    film->video = NULL;
    return video != NULL ? tot_video_commit(video) : TOT_OK;
}

void cli_film_discard(cli_film *film) {
    tot_video_discard(film->video);
    cli_sheet_free(&film->sheet);
    *film = (cli_film){0};
}
