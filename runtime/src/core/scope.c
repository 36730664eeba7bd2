/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of descriptors, by indexes (ctr_module.h). */
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

/* ---- counts of a former process ---- */

int
ctr_index_restore(const struct ctr_table *table, const uint32_t *index, const void *values)
{
	const uint32_t at = ctr_core_position(table, index);
	const struct ctr_run *run;

	if (at >= table->max)
		return -ERANGE;
	if (table->dynamic && !ctr_bit(table->live, at))
		return -ENOENT;
	for (run = table->runs; run != table->runs + table->num_runs; run++)
		for (uint32_t i = 0; i < run->num; i++)
			ctr_core_add(table, at, run->data + i * (run->stored / 8u),
				     run->common + i * (run->bits / 8u), run->bits,
				     ctr_core_word((const char *)values + run->value +
							   (size_t)i * (run->bits / 8u),
						   run->bits));
	/* The former process took its baselines of what was reported to that process. */
	ctr_core_restart_sources(table, at, false);
	if (table->value_ops != NULL)
		table->value_ops->restore(table, at, values);
	return 0;
}
