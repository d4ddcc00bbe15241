#include "cli/drawing.h"

enum { GAP = 4 };  // pixels between the pictures of a sheet

// --- options -----------------------------------------------------------------------------------

// "224" or "640x480".
static int read_size(const char *text, tot_picture_settings *settings) {
    char first[32];
    int64_t width = 0;
    int64_t height = 0;
    const size_t length = strcspn(text, "x");
    const bool square = text[length] == '\0';
    snprintf(first, sizeof first, "%.*s", (int)(length < 31 ? length : 31), text);
    CLI_USAGE_IF(
        base_parse_count("--size", first, &width) != TOT_OK ||
            base_parse_count("--size", square ? first : text + length + 1, &height) != TOT_OK,
        "--size: '%s' is neither N nor WxH, such as 224 or 640x480", text);
    CLI_USAGE_IF(width < 1 || width > TOT_MAX_PICTURE || height < 1 || height > TOT_MAX_PICTURE,
                 "--size: '%s' is not in 1 .. %d pixels", text, TOT_MAX_PICTURE);
    settings->width = (int)width;
    settings->height = (int)height;
    if (!square) {
        settings->aspect = 0;
    }
    return EXIT_DONE;
}

static int read_crop(const char *text, double crop[4]) {
    char rest = 0;
    CLI_USAGE_IF(
        sscanf(text, "%lf,%lf,%lf,%lf%c", &crop[0], &crop[1], &crop[2], &crop[3], &rest) != 4,
        "--crop: '%s' is not left,top,right,bottom, such as 0.25,0.25,0.75,0.75", text);
    return EXIT_DONE;
}

void cli_drawing_start(cli_drawing *drawing, tot_quality quality) {
    tot_picture_defaults(&drawing->settings);
    drawing->settings.quality = quality;
}

int cli_drawing_read(cli_drawing *drawing) {
    tot_picture_settings *settings = &drawing->settings;
    settings->upright = !drawing->no_upright;
    int code = drawing->size != NULL ? read_size(drawing->size, settings) : EXIT_DONE;
    return CLI_THEN(code,
                    drawing->crop != NULL ? read_crop(drawing->crop, settings->crop) : EXIT_DONE);
}

tot_status cli_out_check(const char *path) {
    tot_file *file = NULL;
    BASE_TRY(tot_file_create(&file, path));
    tot_file_discard(file);
    return TOT_OK;
}

// --- sheets ------------------------------------------------------------------------------------

int cli_sheet_columns(int64_t pictures) {
    return pictures < CLI_SHEET_COLUMNS ? (int)pictures : CLI_SHEET_COLUMNS;
}

int64_t cli_sheet_picture(int column, int64_t pictures) {
    const int columns = cli_sheet_columns(pictures);
    return columns < 2 ? 0 : (column * (pictures - 1) + (columns - 1) / 2) / (columns - 1);
}

tot_status cli_sheet_create(cli_sheet *sheet, int columns, int rows, int cell_width,
                            int cell_height) {
    const int64_t width = (int64_t)columns * (cell_width + GAP) - GAP;
    const int64_t height = (int64_t)rows * (cell_height + GAP) - GAP;
    *sheet = (cli_sheet){.cell_width = cell_width, .cell_height = cell_height};
    BASE_FAIL_IF(width > TOT_MAX_IMAGE || height > TOT_MAX_IMAGE, TOT_E_ARGUMENT,
                 "a sheet of %d x %d pictures is larger than %d pixels", columns, rows,
                 TOT_MAX_IMAGE);
    sheet->width = (int)width;
    sheet->height = (int)height;
    const size_t bytes = (size_t)width * (size_t)height * 3;
    BASE_ALLOC(sheet->rgb, bytes, "sheet");
    memset(sheet->rgb, 255, bytes);
    return TOT_OK;
}

void cli_sheet_put(cli_sheet *sheet, int column, int row, const uint8_t *rgb) {
    const size_t bytes = (size_t)sheet->cell_width * 3;
    const size_t left = (size_t)column * (size_t)(sheet->cell_width + GAP) * 3;
    for (int y = 0; y < sheet->cell_height; y++) {
        const size_t line = (size_t)row * (size_t)(sheet->cell_height + GAP) + (size_t)y;
        memcpy(sheet->rgb + line * (size_t)sheet->width * 3 + left, rgb + (size_t)y * bytes, bytes);
    }
}

tot_status cli_sheet_write(const cli_sheet *sheet, const char *path) {
    return tot_png_write(path, sheet->rgb, sheet->width, sheet->height);
}

void cli_sheet_free(cli_sheet *sheet) {
    base_free(sheet->rgb);
    *sheet = (cli_sheet){0};
}
