// Determines the rows and columns of a report's table, and the cell of each run.
#pragma once

#include "study/report_data.h"

// Needs the values of all runs; fills tells, rows, columns, and the row and column of every run.
tot_status study_report_label(study_report *report);
