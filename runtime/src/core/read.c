/* SPDX-License-Identifier: BSD-3-Clause */
#include "core.h"

int
ctr_table_read(const struct ctr_table *table, unsigned int view, uint32_t at, void *values)
{
	if (values == NULL || (view >= table->bases && view != table->view))
		return -EINVAL;
	if (at >= table->max)
		return -ERANGE;
	if (ctr_unlikely(table->padded))
		memset(values, 0, table->value_size); /* With padding, which is 0. */
	return table->read(table, view, at, values);
}
