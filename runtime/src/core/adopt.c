/* SPDX-License-Identifier: BSD-3-Clause */
/* What was counted elsewhere, in a former process. */
#include <string.h>

#include "core.h"
#include "position.h"

static void
add_wide(const struct ctr_table *table, uint32_t at, const struct ctr_run *run, uint32_t nth,
	 uint64_t n)
{
	const size_t data = run->data + (size_t)nth * (run->stored / 8u);
	const size_t common = run->common + (size_t)nth * (run->bits / 8u);

	if (run->bits == 64)
		ctr_table_add64(at, n, table, data, common);
	else
		ctr_table_add32(at, (uint32_t)n, table, data, common);
}

static void
adopt_counters(const struct ctr_table *table, uint32_t at, const char *values)
{
	const struct ctr_run *run;
	uint64_t wide;
	uint32_t narrow, nth;

	for (run = table->runs; run != table->runs + table->num_runs; run++) {
		for (nth = 0; nth < run->num; nth++) {
			const char *value = values + run->value + (size_t)nth * (run->bits / 8u);

			memcpy(&narrow, value, sizeof(narrow));
			wide = narrow;
			if (run->bits == 64)
				memcpy(&wide, value, sizeof(wide));
			add_wide(table, at, run, nth, wide);
		}
	}
}

int
ctr_index_adopt(const struct ctr_table *table, const uint32_t *index, const void *values)
{
	const uint32_t at = position_of(table, index);

	if (at >= table->max)
		return -ERANGE;
	if (table->dynamic && !ctr_bit(table->live, at))
		return -ENOENT;
	adopt_counters(table, at, values);
	/* Resets of the former process were of what devices and the application told that. */
	ctr_core_restart_sources(table, at, false);
	if (table->value_ops != NULL)
		table->value_ops->adopt(table, at, values);
	return 0;
}
