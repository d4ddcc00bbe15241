// Sortable tables, whose cells can link to files and to rows of other tables.
#pragma once

#include <temporalot/page.h>

#include "page/buffer.h"

// Validates the table.
tot_status page_table_check(const tot_table *table);

// The table must have been checked.
void page_table_add(page_buffer *out, const tot_table *table);
