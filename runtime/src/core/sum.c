/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of counters over all copies. */
#include <errno.h>
#include <string.h>

#include "core.h"
#include "kernels.h"

/* Words of an instance that are summed up in registers. */
#define GATHER 4u

const struct ctr_strategy ctr_strategy_plain = { 0 };

/* Add a run of words to their values, or subtract it. */
static void
add_run(const struct block *block, const struct ctr_run *run)
{
	if (run->bits == 64)
		block64_run(block, run->num, ADD);
	else
		block32(block, run->num, ADD);
}

static void
subtract_run(const struct block *block, const struct ctr_run *run)
{
	if (run->bits == 64)
		block64_run(block, run->num, SUBTRACT);
	else
		block32(block, run->num, SUBTRACT);
}

/* ---- one copy, all copies ---- */

void
ctr_load_plain(const struct ctr_table *table, const void *copy, uint32_t at, uint32_t n,
	       void *values)
{
	const char *element = ctr_element(table, &table->data, copy, at);

	if (element != NULL)
		ctr_load_element(table, element, n, values);
}

void
ctr_load_element(const struct ctr_table *table, const void *element, uint32_t n, void *values)
{
	const struct ctr_run *run;
	struct block block;
	uint32_t i;

	block.step = table->data.size;
	block.size = table->value_size;
	block.n = n;
	for (run = table->runs; run != table->runs + table->num_runs; run++) {
		block.from = (const char *)element + run->data;
		block.to = (char *)values + run->value;
		add_run(&block, run);
	}
	for (i = 0; table->num_beside != 0 && i < n; i++)
		ctr_core_beside(table, (const char *)element + (size_t)i * table->data.size,
				(char *)values + (size_t)i * table->value_size);
}

void
ctr_core_load(const struct ctr_table *table, void *copy, uint32_t at, uint32_t n, void *values,
	      int *rc, struct ctr_reading *reading)
{
	const struct ctr_strategy *strategy = table->domain->strategy;

	if (strategy->load != NULL)
		strategy->load(table, copy, at, n, values, rc, reading);
	else
		ctr_load_plain(table, copy, at, n, values);
}

void
ctr_core_sum(const struct ctr_table *table, uint32_t at, uint32_t n, void *values, int *rc,
	     struct ctr_reading *reading)
{
	const struct ctr_domain *domain = table->domain;
	uint32_t copy, num;

	ctr_core_zero(values, (size_t)n * table->value_size);
	if (n == 1)
		*rc = 0;
	else
		memset(rc, 0, n * sizeof(*rc));
	if (table->data.size == 0)
		return;
	if (domain->strategy->sum != NULL) {
		domain->strategy->sum(table, at, n, values, rc, reading);
		return;
	}
	if (domain->slots == NULL) {
		ctr_core_load(table, domain->shared, at, n, values, rc, reading);
		return;
	}
	num = ctr_load_acquire(&domain->slots->num);
	for (copy = 0; copy < num; copy++)
		ctr_core_load(table, domain->slots->copy[copy], at, n, values, rc, reading);
	if (domain->cpus == NULL)
		return;
	CTR_SLOTS_FOREACH(copy, domain->cpus)
		ctr_core_load(table, ctr_slots_get(domain->cpus, copy), at, n, values, rc, reading);
}

/* ---- baselines ---- */

void
ctr_core_subtract(const struct ctr_table *table, const char *base, size_t step, uint32_t n,
		  void *values)
{
	const struct ctr_run *run;
	struct block block;

	block.step = step;
	block.size = table->value_size;
	block.n = n;
	for (run = table->runs; run != table->runs + table->num_runs; run++) {
		block.from = base + run->base;
		block.to = (char *)values + run->value;
		subtract_run(&block, run);
	}
}

void
ctr_core_rebase(const struct ctr_table *table, unsigned int view, uint32_t at, uint32_t n,
		void *values, int *rc)
{
	const uint64_t *torn;
	uint32_t i;

	if (table->base_size == 0)
		return;
	ctr_core_subtract(table, ctr_core_base(table, at, view), table->record_size, n, values);
	if (table->torn == NULL)
		return;
	torn = ctr_core_torn(table, view);
	for (i = 0; i < n; i++)
		if (ctr_bit(torn, at + i))
			rc[i] = -EAGAIN;
}

/* ---- one instance of plain words ---- */

/* The words of an instance in some copies, to `values`; num: how many words. */
static CTR_ALWAYS_INLINE void
gather64(void *const *copies, uint32_t n, size_t offset, const uint64_t *base, uint64_t *values,
	 unsigned int num)
{
	uint64_t sum[GATHER] = { 0 };
	uint32_t copy;
	unsigned int i;

	for (copy = 0; copy < n; copy++) {
		const char *element = (const char *)copies[copy] + offset;
		const uint64_t *word = (const uint64_t *)(const void *)element;

		for (i = 0; i < num; i++)
			sum[i] += ctr_load64(&word[i]);
	}
	for (i = 0; i < num; i++)
		values[i] = sum[i] - (base != NULL ? ctr_load64(&base[i]) : 0);
}

/* Read the counters of an instance of a static scope with a single run of few words of 64 bits. */
void
ctr_core_gather(const struct ctr_table *table, void *const *copies, uint32_t n, uint32_t at,
		const uint64_t *base, void *out)
{
	const struct ctr_run *run = table->runs;
	const size_t offset = table->data.at + (size_t)at * table->data.size + run->data;
	uint64_t *values = (uint64_t *)(void *)((char *)out + run->value);

	switch (run->num) {
	case 1:
		gather64(copies, n, offset, base, values, 1);
		break;
	case 2:
		gather64(copies, n, offset, base, values, 2);
		break;
	case 3:
		gather64(copies, n, offset, base, values, 3);
		break;
	default:
		gather64(copies, n, offset, base, values, 4);
		break;
	}
}

bool
ctr_core_gather_all(const struct ctr_table *table, uint32_t at, const uint64_t *base, void *out)
{
	const struct ctr_domain *domain = table->domain;
	const struct ctr_strategy *strategy = domain->strategy;
	const struct ctr_slots *slots = domain->slots;

	if (strategy->gather != NULL)
		return strategy->gather(table, at, base,
					(uint64_t *)(void *)((char *)out + table->runs->value)) == 0;
	if (strategy->load != NULL || strategy->sum != NULL)
		return false;
	if (slots == NULL)
		ctr_core_gather(table, &domain->shared, 1, at, base, out);
	else if (domain->cpus == NULL)
		ctr_core_gather(table, slots->copy, ctr_load_acquire(&slots->num), at, base, out);
	else
		return false;
	return true;
}
