// The paper's numbers: transcribed correctly, and found by name.
#include "study/paper.h"

#include <math.h>

#include "test.h"

// The paper prints the average of every method over the nine tasks, to one decimal.
TEST(averages_are_those_printed) {
    static const double printed[] = {20.8, 2.5, 5.2, 27.8, 35.5, 35.9, 61.1};
    const study_paper_table *table = study_paper_find("table1");
    assert_non_null(table);
    assert_int_equal(table->row_count, 9);
    assert_int_equal(table->column_count, 7);
    for (size_t method = 0; method < 7; method++) {
        double sum = 0;
        for (size_t task = 0; task < 9; task++) {
            sum += table->cells[task * 7 + method].mean;
        }
        if (fabs(sum / 9 - printed[method]) > 0.0501) {
            fail_msg("%s: %g on average, not %g", table->columns[method], sum / 9, printed[method]);
        }
    }
}

TEST(cells_are_found_by_name) {
    const study_paper_table *table = study_paper_find("table1");
    study_paper_cell cell = study_paper_cell_of(table, "stick-push", "ads");
    assert_true(cell.mean == 20.0 && cell.deviation == 40.0);
    cell = study_paper_cell_of(table, "window-open", "taskreward");
    assert_true(cell.mean == 85.6 && cell.deviation == 12.2);
    cell = study_paper_cell_of(study_paper_find("speed"), "door-open", "4");
    assert_true(cell.mean == 20.4 && cell.deviation == 9.2);
    cell = study_paper_cell_of(study_paper_find("speed"), "basketball", "3");
    assert_true(cell.mean == 77.2 && cell.deviation == 8.4);
    cell = study_paper_cell_of(study_paper_find("pretrain"), "temporalot-p", "1000000");
    assert_true(cell.mean == 82.0 && isnan(cell.deviation));
    cell = study_paper_cell_of(study_paper_find("pretrain"), "temporalot", "0");
    assert_true(cell.mean == 0);
    assert_true(isnan(study_paper_cell_of(study_paper_find("pretrain"), "bc", "20000").mean));
    assert_true(isnan(study_paper_cell_of(table, "stick-push", "nothing").mean));
    assert_true(isnan(study_paper_cell_of(table, "nothing", "ads").mean));
}

// Values that occur in two tables agree.
TEST(tables_agree) {
    const study_paper_table *table = study_paper_find("table1");
    const study_paper_table *speed = study_paper_find("speed");
    study_paper_cell last =
        study_paper_cell_of(study_paper_find("pretrain"), "temporalot", "1000000");
    assert_true(last.mean == study_paper_cell_of(table, "door-open", "temporalot").mean);
    assert_true(study_paper_cell_of(speed, "basketball", "1").mean ==
                study_paper_cell_of(table, "basketball", "temporalot").mean);
    assert_true(study_paper_cell_of(speed, "door-open", "1").mean == last.mean);
}

TEST(tables_are_found) {
    static const char *const names[] = {"table1", "pretrain", "speed"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        assert_string_equal(study_paper_find(names[k])->name, names[k]);
    }
    assert_null(study_paper_find("table2"));
}

TEST_MAIN(NULL, NULL)
