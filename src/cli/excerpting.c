#include "cli/excerpting.h"

int cli_excerpting_read(const cli_excerpting *typed, tot_excerpt *excerpt) {
    *excerpt = (tot_excerpt){.every = typed->every, .from = typed->from};
    CLI_RANGE("every", typed->every, 1, INFINITY);
    CLI_RANGE("fps", isnan(typed->fps) ? 1 : typed->fps, 0.001, 1000);
    CLI_RANGE("from", typed->from, 0, INFINITY);
    CLI_USAGE_IF(!isnan(typed->to) && !(typed->to > typed->from), "--to: %g is not after --from %g",
                 typed->to, typed->from);
    excerpt->fps = isnan(typed->fps) ? 0 : typed->fps;
    excerpt->to = isnan(typed->to) ? 0 : typed->to;
    CLI_USAGE_IF(typed->crop != NULL && tot_excerpt_set_crop(excerpt, typed->crop) != TOT_OK,
                 "--%s", tot_error());
    return EXIT_DONE;
}

tot_status cli_sources_find(tot_source_list *sources, const cli_texts *words,
                            const tot_excerpt *excerpt, const char *what) {
    for (size_t k = 0; k < words->count; k++) {
        BASE_TRY(tot_source_list_add(sources, words->items[k]));
    }
    BASE_FAIL_IF(what != NULL && sources->count == 0, TOT_E_FILE, "%s: no %s found",
                 words->items[0], what);
    for (size_t k = 0; k < sources->count && !tot_excerpt_is_all(excerpt); k++) {
        sources->items[k].excerpt = excerpt;
    }
    return TOT_OK;
}
