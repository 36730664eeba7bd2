/* SPDX-License-Identifier: BSD-3-Clause */
/* What one lcore has of a counter. */
#include "counter.h"

/* What one copy has in a counter, since the last reset. */
static uint64_t
part_of(const struct ctr_table *table, const void *copy, uint32_t at, struct ctr_counter counter)
{
	uint64_t part = ctr_core_word_of(table, &table->data, copy, at, counter.data, counter.bits);

	if (table->offset.size != 0)
		part -= ctr_core_word_of(table, &table->offset, copy, at, counter.base,
					 counter.bits);
	return part;
}

/* What an lcore has in a counter; CTR_NON_LCORE has the copies of CPUs, if there are any. */
static uint64_t
parts_of(const struct ctr_table *table, unsigned int lcore, uint32_t at, struct ctr_counter counter)
{
	const struct ctr_domain *domain = table->domain;
	const void *copy = ctr_slots_get(domain->slots, lcore);
	uint64_t sum = copy != NULL ? part_of(table, copy, at, counter) : 0;
	unsigned int cpu;

	if (domain->cpus == NULL || lcore != CTR_NON_LCORE)
		return sum;
	CTR_SLOTS_FOREACH(cpu, domain->cpus)
		sum += part_of(table, ctr_slots_get(domain->cpus, cpu), at, counter);
	return sum;
}

uint64_t
ctr_table_lcore_get(const struct ctr_table *table, unsigned int lcore, uint32_t at,
		    size_t value)
{
	struct ctr_counter counter;
	struct ctr_reading reading;
	uint64_t sum;
	uint32_t phase;

	if (table->part == NULL || at >= table->max)
		return 0;
	counter = ctr_core_counter(table, value);
	phase = ctr_core_enter(table, &reading);
	if (table->periodic)
		ctr_reading_at(&reading, ctr_core_period(table, at));
	do {
		sum = 0;
		if (!table->dynamic || ctr_core_lives(ctr_core_record(table, at)))
			sum = parts_of(table, lcore, at, counter);
	} while (table->periodic && ctr_reading_again(&reading));
	ctr_core_leave(table, phase);
	return counter.bits == 64 ? sum : (uint32_t)sum;
}
