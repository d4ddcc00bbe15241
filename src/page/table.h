// Tables that are sorted, whose cells lead to files and to rows of other tables.
#pragma once

#include <temporalot/page.h>

#include "page/buffer.h"

// Says what is wrong with the table, if anything is.
tot_status page_table_check(const tot_table *table);

// The table has been checked.
void page_table_add(page_buffer *out, const tot_table *table);
