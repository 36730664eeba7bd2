/* SPDX-License-Identifier: BSD-3-Clause */
/* What was counted elsewhere, in a former process. */
#include "core.h"

static void
adopt_counters(const struct ctr_table *table, uint32_t at, const char *values)
{
	const struct ctr_run *run;
	uint32_t i;

	for (run = table->runs; run != table->runs + table->num_runs; run++)
		for (i = 0; i < run->num; i++)
			ctr_core_add(table, at, run->data + (size_t)i * (run->stored / 8u),
				     run->common + (size_t)i * (run->bits / 8u), run->bits,
				     ctr_core_word(values + run->value + (size_t)i * (run->bits / 8u),
						   run->bits));
}

int
ctr_index_adopt(const struct ctr_table *table, const uint32_t *index, const void *values)
{
	const uint32_t at = ctr_core_position(table, index);

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
