#include "cli/probe_margins.h"

#include "base/settings.h"
#include "cli/terminal.h"
#include "study/references.h"

enum { TEXT = 512, SHORT_TEXT = 32 };

static const tot_reference compared[] = {TOT_REFERENCE_REPLAY, TOT_REFERENCE_OPEN,
                                         TOT_REFERENCE_SHORT, TOT_REFERENCE_EXPERT};
enum { COMPARED = BASE_LENGTH(compared) };

static const char *const described[TOT_REFERENCES] = {
    [TOT_REFERENCE_BENT] = "demonstration bent to the goal",
    [TOT_REFERENCE_REPLAY] = "demonstration replayed",
    [TOT_REFERENCE_OPEN] = "bent, fingers never close",
    [TOT_REFERENCE_SHORT] = "bent, stops 5 cm short",
    [TOT_REFERENCE_EXPERT] = "scripted expert",
    [TOT_REFERENCE_RANDOM] = "random actions",
};

// "+0.12", or "-" if there is nothing to compare.
static const char *share_text(double share, char text[SHORT_TEXT]) {
    snprintf(text, SHORT_TEXT, isfinite(share) ? "%+.2f" : "-", share);
    return text;
}

// --- one view ----------------------------------------------------------------------------------

void cli_margins_print(const tot_margins *margins) {
    char text[TEXT];
    printf("\n%-30s %10s %9s %12s %7s %7s\n", "on fresh goals", "reward", "success", "bent earns",
           "wins", "goals");
    for (int k = 0; k < TOT_REFERENCE_SHIFT; k++) {
        printf("%-30s %10.4f %7.0f %%", described[k], margins->sum[k], 100 * margins->success[k]);
        if (k >= TOT_REFERENCE_REPLAY && k <= TOT_REFERENCE_EXPERT) {
            const tot_margin *over = &margins->over[k];
            printf(" %12s %5.0f %% %7lld", share_text(over->share, text),
                   over->goals > 0 ? 100 * over->wins : 0, (long long)over->goals);
        }
        printf("\n");
    }
    printf("(bent earns: how much more than this where it fails; 1: from random to bent)\n");
    printf("lost by a 3 cm shift    ");
    for (int k = TOT_SHIFT_NEAR; k < TOT_SHIFTS; k++) {
        printf("  %s %s", tot_reference_shift_name((tot_reference_shift)k),
               share_text(margins->shift_loss[k], text));
    }
    printf("\n");
    cli_wrap(stdout, tot_margins_verdict(margins, text, sizeof text), 0, 0, cli_width(stdout));
}

void cli_margins_print_json(const tot_margins *margins) {
    char text[TEXT];
    printf("\"references\": [");
    for (int k = 0; k < TOT_REFERENCE_SHIFT; k++) {
        printf("%s{\"policy\": \"%s\"", k > 0 ? ", " : "", tot_reference_name((tot_reference)k));
        cli_json_number(", \"reward\": ", margins->sum[k]);
        cli_json_number(", \"success\": ", margins->success[k]);
        printf("}");
    }
    printf("], \"margins\": {");
    for (size_t k = 0; k < COMPARED; k++) {
        const tot_margin *over = &margins->over[compared[k]];
        printf("%s\"%s\": ", k > 0 ? ", " : "", tot_reference_name(compared[k]));
        cli_json_number("{\"share\": ", over->share);
        cli_json_number(", \"wins\": ", over->wins);
        printf(", \"goals\": %lld}", (long long)over->goals);
    }
    printf("}, \"shift_loss\": {");
    for (int k = TOT_SHIFT_NEAR; k < TOT_SHIFTS; k++) {
        printf("%s\"%s", k > TOT_SHIFT_NEAR ? ", " : "",
               tot_reference_shift_name((tot_reference_shift)k));
        cli_json_number("\": ", margins->shift_loss[k]);
    }
    cli_json_number("}, \"score\": ", tot_margins_score(margins));
    cli_json_put(", \"verdict\": ", tot_margins_verdict(margins, text, sizeof text));
}

// --- many views -------------------------------------------------------------------------------

static const char *view_text(const tot_search_row *row, char text[SHORT_TEXT]) {
    char name[16];
    base_word_at(TOT_VIEW_WORDS, (int)row->view, name, sizeof name);
    snprintf(text, SHORT_TEXT, row->fit_margin > 0 ? "%s %g" : "%s", name, row->fit_margin);
    return text;
}

static const char *center_text(const tot_search_row *row) {
    return row->reward.center == TOT_CENTER_DEMOS ? "demos" : "off";
}

static const char *match_text(const tot_search_row *row) {
    return row->reward.match == TOT_MATCH_START ? "start" : "best";
}

static void print_scores(const tot_search_row *row) {
    double parts[STUDY_SCORE_PARTS];
    char text[SHORT_TEXT];
    study_score_parts(&row->margins, parts);
    for (size_t k = 0; k < STUDY_SCORE_PARTS; k++) {
        printf(" %6s", share_text(parts[k], text));
    }
    printf(" %6s\n", share_text(row->score, text));
}

static const char scores_head[] = " replay   open  short  depth   side height  score\n";

static bool alike(const tot_search_row *one, const tot_search_row *other) {
    return one->reward.context == other->reward.context &&
           one->reward.epsilon == other->reward.epsilon;
}

// The options of train and probe that choose this row.
static void print_options(const tot_search_row *row) {
    char view[SHORT_TEXT];
    printf("best: --view %s", base_word_at(TOT_VIEW_WORDS, (int)row->view, view, sizeof view));
    if (row->fit_margin > 0) {
        printf(" --view-margin %g", row->fit_margin);
    }
    printf(" --stride %d --center %s --match %s\n      --context %lld --epsilon %g\n", row->stride,
           center_text(row), match_text(row), (long long)row->reward.context, row->reward.epsilon);
}

void cli_search_print(const tot_search *search) {
    const tot_search_row *first = tot_search_at(search, 0);
    const tot_search_row *best = tot_search_at(search, tot_search_best(search));
    const size_t count = tot_search_count(search);
    char text[TEXT];
    size_t k = 0;
    printf("%-11s %6s %-6s %-5s%s", "view", "stride", "center", "match", scores_head);
    for (; k < count && alike(tot_search_at(search, k), first); k++) {
        const tot_search_row *row = tot_search_at(search, k);
        printf("%-11s %6d %-6s %-5s", view_text(row, text), row->stride, center_text(row),
               match_text(row));
        print_scores(row);
    }
    printf("\nthe best of these, %s, stride %d, with another context and epsilon\n",
           view_text(best, text), best->stride);
    printf("%-6s %-5s %7s %7s%s", "center", "match", "context", "epsilon", scores_head);
    for (; k < count; k++) {
        const tot_search_row *row = tot_search_at(search, k);
        printf("%-6s %-5s %7lld %7g", center_text(row), match_text(row),
               (long long)row->reward.context, row->reward.epsilon);
        print_scores(row);
    }
    printf(
        "(replay, open, short: how much more a demonstration bent to the goal earns;\n"
        "depth, side, height: what a path 3 cm off loses; score: the least of them)\n\n");
    print_options(best);
    cli_wrap(stdout, tot_margins_verdict(&best->margins, text, sizeof text), 0, 0,
             cli_width(stdout));
}

static void print_row_json(const tot_search_row *row) {
    char name[16];
    printf("{\"view\": \"%s\"", base_word_at(TOT_VIEW_WORDS, (int)row->view, name, sizeof name));
    cli_json_number(", \"view_margin\": ", row->fit_margin > 0 ? row->fit_margin : NAN);
    printf(
        ", \"stride\": %d, \"center\": \"%s\", \"match\": \"%s\", \"context\": %lld, "
        "\"epsilon\": %g, ",
        row->stride, center_text(row), match_text(row), (long long)row->reward.context,
        row->reward.epsilon);
    cli_margins_print_json(&row->margins);
    printf("}");
}

void cli_search_print_json(const tot_search *search) {
    printf("\"best\": %zu, \"rows\": [", tot_search_best(search));
    for (size_t k = 0; k < tot_search_count(search); k++) {
        printf("%s", k > 0 ? ", " : "");
        print_row_json(tot_search_at(search, k));
    }
    printf("]");
}
