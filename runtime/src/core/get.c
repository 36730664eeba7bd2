/* SPDX-License-Identifier: BSD-3-Clause */
#include "core.h"

/* The sum of a word over all copies. */
static uint64_t
sum_of(const struct ctr_table *table, uint32_t at, const struct ctr_run *counter)
{
	const struct ctr_slots *slots = table->domain->slots;
	const uint32_t n = ctr_load_acquire(&slots->num);
	const size_t offset = table->data.at + (size_t)at * table->data.size + counter->data;
	uint64_t sum = 0;

	for (uint32_t copy = 0; !table->dynamic && copy < n; copy++)
		sum += ctr_core_word((const char *)slots->copy[copy] + offset, counter->bits);
	for (uint32_t copy = 0; table->dynamic && copy < n; copy++)
		sum += ctr_core_word_of(table, &table->data, slots->copy[copy], at, counter->data,
					counter->bits);
	return sum;
}

/* One counter over all copies, since the last reset. */
static inline uint64_t
total(const struct ctr_table *table, uint32_t at, const struct ctr_run *counter)
{
	const struct ctr_domain *domain = table->domain;
	uint64_t sum;

	if (domain->strategy->get != NULL)
		sum = domain->strategy->get(table, at, counter);
	else if (domain->slots == NULL)
		sum = ctr_core_word_of(table, &table->data, domain->shared, at, counter->data,
				       counter->bits);
	else
		sum = sum_of(table, at, counter);
	if (table->base_size != 0)
		sum -= ctr_core_word(ctr_core_base(table, at, table->view) + counter->base,
				     counter->bits);
	return counter->bits == 64 ? sum : (uint32_t)sum;
}

/* The same of one generation and one epoch. */
static __attribute__((noinline)) uint64_t
get_at(const struct ctr_table *table, uint32_t at, size_t value)
{
	const struct ctr_run counter = ctr_core_counter(table, value);
	struct ctr_read_ctx reading;
	uint64_t sum;
	uint32_t phase;

	phase = ctr_core_enter(table, &reading);
	ctr_read_begin(&reading, ctr_core_epoch(table, at));
	do {
		sum = ctr_core_exists(table, at) ? total(table, at, &counter) : 0;
	} while (ctr_read_retry(&reading));
	ctr_core_leave(table, phase);
	return sum;
}

uint64_t
ctr_get_any(const struct ctr_table *table, uint32_t at, size_t value)
{
	const struct ctr_run *run;

	if (table->dynamic || table->domain->slots != NULL || table->base_size != 0 ||
	    table->domain->strategy->get != NULL)
		return get_at(table, at, value);
	/* A word of the only copy of a static scope without baselines: one load needs no retry. */
	run = ctr_core_run(table, value);
	return ctr_core_word((const char *)table->domain->shared + table->data.at +
				     (size_t)at * table->data.size + run->data +
				     (value - run->value),
			     run->bits);
}
