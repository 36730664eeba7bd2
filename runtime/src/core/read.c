/* SPDX-License-Identifier: BSD-3-Clause */
#include "core.h"

uint64_t
ctr_table_get(const struct ctr_table *table, uint32_t at, size_t value)
{
	return at < table->max ? table->get(table, at, value) : 0;
}

/* With padding, which is 0. */
static __attribute__((noinline)) int
read_padded(const struct ctr_table *table, unsigned int view, uint32_t at, void *values)
{
	memset(values, 0, table->value_size);
	return table->read(table, view, at, values);
}

int
ctr_table_read(const struct ctr_table *table, unsigned int view, uint32_t at, void *values)
{
	if (values == NULL || (view >= table->bases && view != table->view))
		return -EINVAL;
	if (at >= table->max)
		return -ERANGE;
	if (ctr_unlikely(table->padded))
		return read_padded(table, view, at, values);
	return table->read(table, view, at, values);
}
