// What the rows and columns of a report's table are, and which run stands in which.
#pragma once

#include "study/report_data.h"

// Needs the values of all runs; fills tells, rows, columns, and where every run stands.
tot_status study_report_label(study_report *report);
