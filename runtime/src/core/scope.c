/* SPDX-License-Identifier: BSD-3-Clause */
/* By indexes, what readers of any module call (ctr_module.h). */
#include "core.h"

int
ctr_index_read(const struct ctr_table *table, unsigned int view, const uint32_t *index,
	       void *values)
{
	return ctr_table_read(table, view, ctr_core_position(table, index), values);
}

int
ctr_table_lcore_read(const struct ctr_table *table, unsigned int lcore, uint32_t at,
		     void *values)
{
	if (table->part == NULL)
		return -ENOTSUP;
	if (values == NULL)
		return -EINVAL;
	if (lcore >= CTR_SLOTS || at >= table->max)
		return -ERANGE;
	return table->part(table, lcore, at, values);
}

int
ctr_index_lcore_read(const struct ctr_table *table, unsigned int lcore, const uint32_t *index,
		     void *values)
{
	return ctr_table_lcore_read(table, lcore, ctr_core_position(table, index), values);
}

int
ctr_index_reset(const struct ctr_table *table, unsigned int view, const uint32_t *index, void *last)
{
	return ctr_table_reset(table, view, ctr_core_position(table, index), last);
}
