/* SPDX-License-Identifier: BSD-3-Clause */
#include "core.h"

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
