/* SPDX-License-Identifier: BSD-3-Clause */
/* By indexes, what readers of any module call (ctr_module.h). */
#include <string.h>

#include "core.h"
#include "position.h"

int
ctr_index_read(const struct ctr_table *table, unsigned int view, const uint32_t *index,
	       void *values)
{
	return ctr_table_read(table, view, position_of(table, index), values);
}

int
ctr_index_lcore_read(const struct ctr_table *table, unsigned int lcore, const uint32_t *index,
		     void *values)
{
	return ctr_table_lcore_read(table, lcore, position_of(table, index), values);
}

int
ctr_index_reset(const struct ctr_table *table, unsigned int view, const uint32_t *index, void *last)
{
	return ctr_table_reset(table, view, position_of(table, index), last);
}
