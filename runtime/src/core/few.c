/* SPDX-License-Identifier: BSD-3-Clause */
/* Static scopes with a few counters of 64 bits, of which copies are plainly summed up. */
#include "core.h"

const struct ctr_strategy ctr_strategy_plain = { 0 };

static __attribute__((noinline)) void
gather(const struct ctr_table *table, uint32_t at, const char *base, void *values)
{
	ctr_core_gather(table, at, base, values);
}

static __attribute__((noinline)) int
read_again(const struct ctr_table *table, unsigned int view, uint32_t at, void *values)
{
	struct ctr_reading reading;

	ctr_reading_begin(&reading, table->domain->module->control);
	ctr_reading_at(&reading, ctr_core_period(table, at));
	do {
		gather(table, at, ctr_core_static_base(table, at, view), values);
	} while (ctr_reading_again(&reading));
	return 0;
}

int
ctr_read_few(const struct ctr_table *table, unsigned int view, uint32_t at, void *values)
{
	const uint32_t *period = ctr_core_period(table, at);
	const uint32_t begin = ctr_seq_read_begin(period);

	ctr_core_gather(table, at, ctr_core_static_base(table, at, view), values);
	ctr_fence(__ATOMIC_SEQ_CST);
	if (ctr_likely((begin & 1) == 0 && ctr_load32(period) == begin))
		return 0;
	return read_again(table, view, at, values);
}

int
ctr_collect_few(const struct ctr_table *table, uint32_t at, void *out, bool parts,
		struct ctr_reading *reading)
{
	(void)parts;
	(void)reading;
	gather(table, at, NULL, out);
	return 0;
}

/* Resets leave the words of lcores: each is one load. CPUs have those of CTR_NON_LCORE. */
int
ctr_part_few(const struct ctr_table *table, unsigned int lcore, uint32_t at, void *values)
{
	const struct ctr_slots *const cpus = table->domain->cpus;
	const bool by_cpu = cpus != NULL && lcore == CTR_NON_LCORE;
	void *const copy = ctr_slots_get(table->domain->slots, lcore);
	struct ctr_sum sum = { &copy, copy != NULL, at, 1, false, NULL, (char *)values };

	if (by_cpu) {
		sum.copies = cpus->copy;
		sum.num = ctr_load_acquire(&cpus->num);
	}
	table->sum(table, &sum);
	return 0;
}

/* ---- some instances: there is a function for each number of words, a constant ---- */

static CTR_UNROLLED void
sum_words(const struct ctr_table *table, const struct ctr_sum *sum, unsigned int words)
{
	ctr_core_sum_words(table, sum, ctr_gather_offset(table, sum->at),
			   sum->values + table->runs->value, sum->base, words);
}

void
ctr_sum_1(const struct ctr_table *table, const struct ctr_sum *sum)
{
	sum_words(table, sum, 1);
}

void
ctr_sum_2(const struct ctr_table *table, const struct ctr_sum *sum)
{
	sum_words(table, sum, 2);
}

void
ctr_sum_3(const struct ctr_table *table, const struct ctr_sum *sum)
{
	sum_words(table, sum, 3);
}

void
ctr_sum_4(const struct ctr_table *table, const struct ctr_sum *sum)
{
	sum_words(table, sum, 4);
}
