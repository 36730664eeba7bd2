/* SPDX-License-Identifier: BSD-3-Clause */
/* By indexes, what readers of any module call (ctr_module.h). */
#include <string.h>

#include "core.h"
#include "ctr_scope.h"
#include "ctr_source.h"

/* The position of an instance, outermost index first; UINT32_MAX for an index out of range. */
static uint32_t
position_of(const struct ctr_table *table, const uint32_t *index)
{
	uint32_t at = 0;
	unsigned int i;

	for (i = 0; i < table->num_indexes; i++) {
		if (index[i] >= table->index_maxima[i])
			return UINT32_MAX;
		at = at * table->index_maxima[i] + index[i];
	}
	return at;
}

int
ctr_index_read(const struct ctr_table *table, unsigned int view, const uint32_t *index,
	       void *values)
{
	return ctr_table_read(table, view,
			      ctr_likely(table->num_indexes == 1) ? *index :
								    position_of(table, index),
			      values);
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

int
ctr_index_create(const struct ctr_table *table, const uint32_t *index)
{
	return ctr_life_create(table, position_of(table, index));
}

void
ctr_index_tear(const struct ctr_table *table, const uint32_t *index)
{
	const uint32_t at = position_of(table, index);
	unsigned int view;

	if (table->torn == NULL || at >= table->max)
		return;
	ctr_control_lock(table->domain->module->control);
	for (view = table->bases > 1; view < table->bases; view++)
		ctr_bit_set(ctr_core_torn(table, view), at);
	ctr_control_unlock(table->domain->module->control);
}

/* ---- what was counted elsewhere ---- */

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
	if (table->sources != NULL && table->sources->sourced != NULL)
		ctr_sourced_forget(table->sources->sourced, at, 1);
	ctr_core_adopt(table, at, values);
	return 0;
}
