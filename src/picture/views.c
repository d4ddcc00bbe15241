// Several views of the same state, from a list of cameras.
#include "base/base.h"
#include "base/settings.h"
#include "picture/renderer.h"

// One entry of a list: CAMERA, CAMERA:VIEW or CAMERA:VIEW:ARM; what it does not name stays.
typedef struct entry {
    char camera[TOT_CAMERA_NAME];
    int view;
    int arm;
} entry;

// One of `words`, after the colon at *text and before the next one or the end, to which *text is
// advanced.
static tot_status take_word(const char **text, const char *end, const char *words, const char *what,
                            int *place) {
    char word[32], list[64];
    const char *start = *text + 1;
    const char *colon = memchr(start, ':', (size_t)(end - start));
    const char *stop = colon != NULL ? colon : end;
    snprintf(word, sizeof word, "%.*s", (int)(stop - start), start);
    *place = base_word_find(words, word);
    BASE_FAIL_IF(*place < 0, TOT_E_ARGUMENT, "camera: '%s' is not %s: %s", word, what,
                 base_words_list(words, list, sizeof list));
    *text = stop;
    return TOT_OK;
}

// Reads the entry at *list, and advances *list to the next one or to the end of the text.
static tot_status read_entry(const char **list, entry *one) {
    const char *text = *list;
    const char *end = text + strcspn(text, ",");
    const size_t name = strcspn(text, ",:");
    BASE_FAIL_IF(name >= sizeof one->camera, TOT_E_ARGUMENT,
                 "camera: a name longer than %zu characters", sizeof one->camera - 1);
    snprintf(one->camera, sizeof one->camera, "%.*s", (int)name, text);
    text += name;
    *list = end + (*end == ',' ? 1 : 0);
    if (text < end) {
        BASE_TRY(take_word(&text, end, TOT_VIEW_WORDS, "a view", &one->view));
    }
    if (text < end) {
        BASE_TRY(take_word(&text, end, TOT_ARM_WORDS, "a word for the arm", &one->arm));
    }
    BASE_FAIL_IF(text < end, TOT_E_ARGUMENT, "camera: '%.*s' follows CAMERA:VIEW:ARM",
                 (int)(end - text), text);
    return TOT_OK;
}

static tot_status check_view(tot_view view) {
    BASE_FAIL_IF((int)view < 0 || view > TOT_VIEW_BOTH, TOT_E_ARGUMENT, "view: %d is not known",
                 (int)view);
    return TOT_OK;
}

static int pictures_of(int view) {
    return view == TOT_VIEW_BOTH ? 2 : 1;
}

tot_status tot_views_count(const char *cameras, tot_view view, int *count) {
    BASE_NEED(count);
    BASE_TRY(check_view(view));
    const char *list = cameras != NULL ? cameras : "";
    *count = 0;
    do {
        entry one = {.view = (int)view};
        BASE_TRY(read_entry(&list, &one));
        *count += pictures_of(one.view);
    } while (list[0] != '\0');
    return TOT_OK;
}

static void add(tot_views *views, const tot_picture_settings *common, const entry *one, bool fitted,
                double around_hand) {
    char *name = views->camera[views->count];
    tot_picture_settings *picture = &views->view[views->count++];
    snprintf(name, sizeof views->camera[0], "%s", one->camera);
    *picture = *common;
    picture->camera = name[0] != '\0' ? name : NULL;
    picture->arm = (tot_arm)one->arm;
    picture->fitted = fitted;
    picture->around_hand = around_hand;
}

tot_status tot_views_read(tot_views *views, const char *cameras, tot_view view, double hand_margin,
                          const tot_picture_settings *common) {
    BASE_NEED(views, common);
    BASE_TRY(check_view(view));
    const char *list = cameras != NULL ? cameras : "";
    views->count = 0;
    do {
        entry one = {.view = (int)view, .arm = (int)common->arm};
        BASE_TRY(read_entry(&list, &one));
        BASE_FAIL_IF(views->count + pictures_of(one.view) > TOT_MAX_VIEWS, TOT_E_ARGUMENT,
                     "camera: '%s' has more than %d views", cameras != NULL ? cameras : "",
                     TOT_MAX_VIEWS);
        if (one.view != TOT_VIEW_HAND) {
            add(views, common, &one, one.view != TOT_VIEW_CAMERA, 0);
        }
        if (one.view == TOT_VIEW_HAND || one.view == TOT_VIEW_BOTH) {
            // 0 would be the whole view of the camera
            BASE_FAIL_IF(!(hand_margin > 0), TOT_E_ARGUMENT, "hand_margin: %g is not above 0",
                         hand_margin);
            add(views, common, &one, false, hand_margin);
        }
    } while (list[0] != '\0');
    return TOT_OK;
}
