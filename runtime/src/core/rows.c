/* SPDX-License-Identifier: BSD-3-Clause */
#include "core.h"

/* Instances that are read at a time: their values stay in the first-level cache. */
#define READ_BLOCK 64u

void
ctr_table_rows(const struct ctr_table *table, uint32_t at, uint32_t n, void *values, int *rc)
{
	struct ctr_read_ctx reading;
	char *to = values;
	uint32_t some;

	if (table->padded)
		memset(values, 0, (size_t)n * table->value_size);
	ctr_read_ctx_init(&reading, table->domain->module->control);
	for (; n != 0; n -= some, at += some, rc += some, to += (size_t)some * table->value_size) {
		const uint32_t chunk = 1u << table->chunk_bits, left = chunk - (at & (chunk - 1));

		some = n < READ_BLOCK ? n : READ_BLOCK;
		if (table->dynamic && some > left)
			some = left;
		ctr_core_total(table, table->view, at, some, to, rc, &reading);
		ctr_core_values(table, at, some, to, false);
	}
}
