#include "cli/film.h"

#include "base/error.h"

bool cli_film_wanted(const cli_film_wish *wish) {
    return wish->frames || wish->video != NULL || wish->sheet != NULL;
}

int cli_film_read(const cli_film_wish *wish, tot_picture_settings *settings) {
    if (!(wish->rate >= 0.1 && wish->rate <= 1000)) {
        return cli_usage("--fps: %g is not in 0.1 .. 1000", wish->rate);
    }
    return cli_drawing_read(&wish->drawing, settings);
}

tot_status cli_film_check(const cli_film_wish *wish, const tot_picture_settings *settings) {
    if (wish->sheet != NULL) {
        BASE_TRY(cli_out_check(wish->sheet));
    }
    if (wish->video != NULL) {
        // it also knows whether there is such a kind of video
        tot_video *video = NULL;
        BASE_TRY(
            tot_video_create(&video, wish->video, settings->width, settings->height, wish->rate));
        tot_video_discard(video);
    }
    return TOT_OK;
}

tot_status cli_film_open(cli_film *film, const cli_film_wish *wish,
                         const tot_picture_settings *settings, int64_t total, int episodes) {
    *film = (cli_film){.wish = wish, .total = total};
    if (wish->sheet != NULL) {
        BASE_TRY(cli_sheet_create(&film->sheet, cli_sheet_columns(total), episodes, settings->width,
                                  settings->height));
    }
    if (wish->video != NULL) {
        BASE_TRY(tot_video_create(&film->video, wish->video, settings->width, settings->height,
                                  wish->rate));
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
        BASE_TRY(cli_sheet_write(&film->sheet, film->wish->sheet));
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
