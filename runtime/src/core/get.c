/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "core.h"

/* The run of the counter at an offset in the struct of values; runs are in the order of these. */
static inline const struct ctr_run *
run_of(const struct ctr_table *table, size_t value)
{
	const struct ctr_run *run = table->runs;
	uint32_t n = table->num_runs;

	while (n > 1) {
		if (run[n / 2].value <= value) {
			run += n / 2;
			n -= n / 2;
		} else {
			n /= 2;
		}
	}
	return run;
}

/* That counter. */
static struct ctr_counter
find_counter(const struct ctr_table *table, size_t value)
{
	const struct ctr_run *run = run_of(table, value);
	const uint32_t offset = (uint32_t)value - run->value;
	struct ctr_counter counter;

	counter.data = run->data + offset;
	if (run->stored < run->bits)
		counter.data = run->data + offset / (run->bits / 8u) * (run->stored / 8u);
	counter.base = run->base + offset;
	counter.common = run->common + offset;
	counter.bits = run->bits;
	counter.stored = run->stored;
	return counter;
}

/* A word of the only copy of a static scope without baselines: one load, so of one period. */
static inline uint64_t
only_word(const struct ctr_table *table, uint32_t at, size_t value)
{
	const struct ctr_run *run = run_of(table, value);

	return ctr_core_word((const char *)table->domain->shared + table->data.at +
				     (size_t)at * table->data.size + run->data +
				     (value - run->value),
			     run->bits);
}

/* A word at an offset of the elements of one copy. */
static uint64_t
word_of(const struct ctr_table *table, const struct ctr_place *place, const void *copy, uint32_t at,
	uint32_t offset, uint32_t bits)
{
	const char *element = ctr_element(table, place, copy, at);

	return element != NULL ? ctr_core_word(element + offset, bits) : 0;
}

/* The sum of a word over all copies in a set. */
static uint64_t
sum_of(const struct ctr_table *table, const struct ctr_slots *slots, uint32_t at,
       struct ctr_counter counter)
{
	const uint32_t n = ctr_load_acquire(&slots->num);
	const size_t offset = table->data.at + (size_t)at * table->data.size + counter.data;
	uint64_t sum = 0;
	uint32_t copy;

	if (table->dynamic) {
		for (copy = 0; copy < n; copy++)
			sum += word_of(table, &table->data, slots->copy[copy], at, counter.data,
				       counter.bits);
	} else if (counter.bits == 64) {
		for (copy = 0; copy < n; copy++)
			sum += ctr_core_word((const char *)slots->copy[copy] + offset, 64);
	} else {
		for (copy = 0; copy < n; copy++)
			sum += ctr_core_word((const char *)slots->copy[copy] + offset, 32);
	}
	return sum;
}

/* One counter over all copies, since the last reset. */
static inline uint64_t
total(const struct ctr_table *table, uint32_t at, struct ctr_counter counter)
{
	const struct ctr_domain *domain = table->domain;
	uint64_t sum;

	if (domain->strategy->get != NULL)
		sum = domain->strategy->get(table, at, counter);
	else if (domain->slots == NULL)
		sum = word_of(table, &table->data, domain->shared, at, counter.data, counter.bits);
	else
		sum = sum_of(table, domain->slots, at, counter);
	if (domain->cpus != NULL && domain->strategy->get == NULL)
		sum += sum_of(table, domain->cpus, at, counter);
	if (table->base_size != 0)
		sum -= ctr_core_word(ctr_core_base(table, at, table->view) + counter.base,
				     counter.bits);
	return counter.bits == 64 ? sum : (uint32_t)sum;
}

/* The same in one life and one period. */
static __attribute__((noinline)) uint64_t
total_of_period(const struct ctr_table *table, uint32_t at, struct ctr_counter counter)
{
	struct ctr_reading reading;
	uint64_t sum;
	uint32_t phase;

	phase = ctr_core_enter(table, &reading);
	ctr_reading_at(&reading, ctr_core_period(table, at));
	do {
		sum = 0;
		if (!table->dynamic || ctr_core_lives(ctr_core_record(table, at)))
			sum = total(table, at, counter);
	} while (ctr_reading_again(&reading));
	ctr_core_leave(table, phase);
	return sum;
}

/* The same, at once if it can be. */
static __attribute__((noinline)) uint64_t
get_at(const struct ctr_table *table, uint32_t at, struct ctr_counter counter)
{
	const uint32_t *period;
	uint32_t begin;
	uint64_t sum;

	if (table->dynamic)
		return total_of_period(table, at, counter);
	if (!table->periodic)
		return total(table, at, counter);
	period = ctr_core_period(table, at);
	begin = ctr_seq_read_begin(period);
	sum = total(table, at, counter);
	ctr_fence(__ATOMIC_SEQ_CST);
	if (ctr_likely((begin & 1) == 0 && ctr_load32(period) == begin))
		return sum;
	return total_of_period(table, at, counter);
}

uint64_t
ctr_table_get(const struct ctr_table *table, uint32_t at, size_t value)
{
	if (at >= table->max)
		return 0;
	if (!table->dynamic && table->domain->slots == NULL && table->base_size == 0 &&
	    table->domain->strategy->get == NULL)
		return only_word(table, at, value);
	return get_at(table, at, find_counter(table, value));
}

/* What one copy has in a counter, since the last reset. */
static uint64_t
part_of(const struct ctr_table *table, const void *copy, uint32_t at, struct ctr_counter counter)
{
	uint64_t part = word_of(table, &table->data, copy, at, counter.data, counter.bits);

	if (table->offset.size != 0)
		part -= word_of(table, &table->offset, copy, at, counter.base, counter.bits);
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

	if (!table->parts || at >= table->max)
		return 0;
	counter = find_counter(table, value);
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
