/* SPDX-License-Identifier: BSD-3-Clause */
/* Contribution of one lcore to an instance, as any strategy reads it, and to a counter. */
#include "core.h"

int
ctr_part_any(const struct ctr_table *table, unsigned int lcore, uint32_t at, void *values)
{
	void *const copy = ctr_slots_get(table->domain->slots, lcore);
	struct ctr_read_ctx reading;
	const char *base;
	uint32_t phase;
	int rc;

	phase = ctr_core_enter(table, &reading);
	ctr_read_begin(&reading, ctr_core_epoch(table, at));
	do {
		memset(values, 0, table->value_size);
		rc = -ENOENT;
		if (!ctr_core_exists(table, at))
			continue;
		rc = 0;
		base = NULL;
		if (copy != NULL && table->offset.size != 0)
			base = ctr_element(table, &table->offset, copy, at);
		if (copy != NULL)
			ctr_core_load(table, copy, at, 1, values, &rc, &reading);
		if (base != NULL)
			ctr_core_subtract(table, base, 1, values);
		if (table->offset.size != 0 && table->torn != NULL &&
		    ctr_bit(ctr_core_torn(table, table->view), at))
			rc = -EAGAIN;
	} while (ctr_read_retry(&reading));
	ctr_core_leave(table, phase);
	ctr_core_derive(table, at, values, 0, rc);
	return rc;
}

/* ---- one counter ---- */

/* Contribution of an lcore to a counter, since the last reset. */
static uint64_t
part_of(const struct ctr_table *table, unsigned int lcore, uint32_t at,
	const struct ctr_run *counter)
{
	const void *copy = ctr_slots_get(table->domain->slots, lcore);
	uint64_t part;

	if (copy == NULL)
		return 0;
	part = ctr_core_word_of(table, &table->data, copy, at, counter->data, counter->bits);
	if (table->offset.size != 0)
		part -= ctr_core_word_of(table, &table->offset, copy, at, counter->base,
					 counter->bits);
	return part;
}

uint64_t
ctr_table_lcore_get(const struct ctr_table *table, unsigned int lcore, uint32_t at,
		    size_t value)
{
	struct ctr_run counter;
	struct ctr_read_ctx reading;
	uint64_t sum;
	uint32_t phase;

	if (table->part == NULL || at >= table->max)
		return 0;
	counter = ctr_core_counter(table, value);
	phase = ctr_core_enter(table, &reading);
	if (table->periodic)
		ctr_read_begin(&reading, ctr_core_epoch(table, at));
	do {
		sum = 0;
		if (!table->dynamic || ctr_core_lives(ctr_core_record(table, at)))
			sum = part_of(table, lcore, at, &counter);
	} while (table->periodic && ctr_read_retry(&reading));
	ctr_core_leave(table, phase);
	return counter.bits == 64 ? sum : (uint32_t)sum;
}

/* ---- resets where each copy has a baseline, so that the part of an lcore can be read ---- */

/* Add the words of an instance in one copy to *out, and make them the baseline of that copy. */
static int
rebase_copy(const struct ctr_table *table, void *copy, uint32_t at, void *out,
	    struct ctr_read_ctx *reading)
{
	char *own = __builtin_alloca(table->value_size);
	char *base = ctr_element(table, &table->offset, copy, at);
	const struct ctr_run *run;
	int rc = 0;

	if (base == NULL)
		return 0;
	memset(own, 0, table->value_size);
	ctr_core_load(table, copy, at, 1, own, &rc, reading);
	for (run = table->runs; run != table->runs + table->num_runs; run++) {
		for (uint32_t i = 0; i < run->num; i++) {
			const uint32_t step = i * (run->bits / 8u);
			const uint64_t part = ctr_core_word(own + run->value + step, run->bits);
			char *value = (char *)out + run->value + step;

			ctr_core_store(base + run->base + step, run->bits, part);
			ctr_core_store(value, run->bits, ctr_core_word(value, run->bits) + part);
		}
	}
	return rc;
}

int
ctr_collect_parts(const struct ctr_table *table, uint32_t at, void *out, bool parts,
		  struct ctr_read_ctx *reading)
{
	void *copy;
	int rc = 0;

	if (!parts)
		return ctr_collect_sum(table, at, out, false, reading);
	memset(out, 0, table->value_size);
	for (uint32_t number = 0; (copy = ctr_copy_at(table->domain, number)) != NULL; number++)
		if (rebase_copy(table, copy, at, out, reading) != 0)
			rc = -EAGAIN;
	return rc;
}
