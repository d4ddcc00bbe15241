// Tables that are sorted, whose cells lead to files and to rows of other tables.
#ifndef TOT_PAGE_TABLE_H
#define TOT_PAGE_TABLE_H

#include <temporalot/page.h>

#include "page/buffer.h"

// Says what is wrong with the table, if anything is.
tot_status tot_table_check(const tot_table *table);

// The table has been checked.
void tot_table_add(tot_text *out, const tot_table *table);

#endif
