#include "study/paper.h"

#include <math.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define COMMA        ,

// --- Table 1: nine tasks, seven methods --------------------------------------------------------

static const char *const table1_tasks[] = {STUDY_TABLE1_TASKS(COMMA)};
static const char *const table1_methods[] = {
    "taskreward", "bc", "gaifo", "ot0.99", "ot0.9", "ads", "temporalot",
};

// clang-format off
static const study_paper_cell table1_cells[] = {
    {0.0, 0.0}, {0.2, 0.4}, {0.0, 0.0}, {0.0, 0.0}, {76.6, 27.4}, {42.2, 44.5}, {94.4, 4.7},
    {14.0, 18.5}, {1.7, 2.4}, {1.0, 1.1}, {88.8, 2.5}, {85.2, 3.3}, {89.0, 3.8}, {92.4, 3.6},
    {86.2, 12.4}, {4.6, 7.0}, {8.8, 12.2}, {3.0, 5.5}, {2.8, 2.0}, {3.2, 2.7}, {33.4, 2.8},
    {0.0, 0.0}, {10.7, 10.3}, {2.2, 1.7}, {46.2, 33.6}, {30.2, 34.5}, {52.0, 42.7}, {78.4, 12.4},
    {0.8, 1.6}, {2.3, 2.1}, {8.6, 4.4}, {29.0, 9.7}, {11.2, 2.3}, {35.0, 5.3}, {36.8, 6.6},
    {0.0, 0.0}, {0.8, 1.6}, {3.4, 1.9}, {15.4, 15.5}, {35.6, 12.8}, {21.2, 12.0}, {53.6, 7.7},
    {1.0, 0.7}, {0.4, 0.8}, {0.0, 0.0}, {14.2, 7.5}, {7.0, 2.6}, {17.2, 5.6}, {8.4, 1.7},
    {0.0, 0.0}, {0.0, 0.0}, {18.8, 22.9}, {0.0, 0.0}, {48.8, 41.5}, {20.0, 40.0}, {97.6, 2.6},
    {85.6, 12.2}, {1.6, 2.7}, {4.0, 4.7}, {54.0, 28.0}, {22.4, 22.9}, {43.6, 20.5}, {55.2, 2.3},
};
// clang-format on

// --- behaviour cloning first, on door-open -----------------------------------------------------

static const char *const pretrain_methods[] = {"bc", "temporalot", "temporalot-p"};
static const char *const pretrain_steps[] = {"0",     "20000",  "40000",  "60000",
                                             "80000", "100000", "500000", "1000000"};

// The printed BC is 10.8 here and 10.7 in Table 1.
static const study_paper_cell pretrain_cells[] = {
    {10.8, NAN}, {NAN, NAN},  {NAN, NAN},  {NAN, NAN},  {NAN, NAN},  {NAN, NAN},
    {NAN, NAN},  {NAN, NAN},  {0.0, NAN},  {2.0, NAN},  {0.0, NAN},  {0.0, NAN},
    {5.0, NAN},  {16.6, NAN}, {57.8, NAN}, {78.4, NAN}, {10.8, NAN}, {6.8, NAN},
    {25.0, NAN}, {42.8, NAN}, {48.6, NAN}, {55.4, NAN}, {70.8, NAN}, {82.0, NAN},
};

// --- faster demonstrations ---------------------------------------------------------------------

static const char *const speed_tasks[] = {STUDY_SPEED_TASKS(COMMA)};
static const char *const speed_factors[] = {"1", "2", "3", "4"};

// The printed 89.0 (3.8) of the unchanged button-press is the value of ADS in Table 1, where
// TemporalOT has 92.4 (3.6).
static const study_paper_cell speed_cells[] = {
    {94.4, 4.7}, {91.8, 8.9}, {77.2, 8.4},  {43.8, 29.5}, {89.0, 3.8},  {72.4, 3.0},
    {65.6, 5.4}, {57.8, 7.4}, {78.4, 12.4}, {76.2, 10.4}, {49.4, 20.3}, {20.4, 9.2},
};

static const study_paper_table tables[] = {
    {"table1", "Final success", "task", "method", table1_tasks, COUNT(table1_tasks), table1_methods,
     COUNT(table1_methods), table1_cells},
    {"pretrain", "Success on door-open, with and without behaviour cloning first", "method",
     "environment steps", pretrain_methods, COUNT(pretrain_methods), pretrain_steps,
     COUNT(pretrain_steps), pretrain_cells},
    {"speed", "Final success of TemporalOT with faster demonstrations", "task", "speed",
     speed_tasks, COUNT(speed_tasks), speed_factors, COUNT(speed_factors), speed_cells},
};

_Static_assert(COUNT(table1_cells) == COUNT(table1_tasks) * COUNT(table1_methods), "table1");
_Static_assert(COUNT(pretrain_cells) == COUNT(pretrain_methods) * COUNT(pretrain_steps),
               "pretrain");
_Static_assert(COUNT(speed_cells) == COUNT(speed_tasks) * COUNT(speed_factors), "speed");

const study_paper_table *study_paper_find(const char *name) {
    for (size_t k = 0; k < COUNT(tables); k++) {
        if (strcmp(tables[k].name, name) == 0) {
            return &tables[k];
        }
    }
    return NULL;
}

static size_t index_of(const char *const *names, size_t count, const char *name) {
    size_t index = 0;
    while (index < count && strcmp(names[index], name) != 0) {
        index++;
    }
    return index;
}

study_paper_cell study_paper_cell_of(const study_paper_table *table, const char *row,
                                     const char *column) {
    size_t down = index_of(table->rows, table->row_count, row);
    size_t right = index_of(table->columns, table->column_count, column);
    if (down == table->row_count || right == table->column_count) {
        return (study_paper_cell){(double)NAN, (double)NAN};
    }
    return table->cells[down * table->column_count + right];
}
