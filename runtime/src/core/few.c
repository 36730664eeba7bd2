/* SPDX-License-Identifier: BSD-3-Clause */
/* Static scopes with a few 64-bit counters, whose copies are simply summed up; or which have one
 * copy, and no baselines. */
#include "core.h"

const struct ctr_strategy ctr_strategy_plain = { 0 };

/* Once, not in each of its callers. */
static CTR_COLD void
add_up(const struct ctr_table *table, uint32_t at, const char *base, void *values)
{
	ctr_core_sum_copies(table, at, 1, base, values);
}

static CTR_COLD int
read_again(const struct ctr_table *table, unsigned int view, uint32_t at, void *values)
{
	const bool based = table->base_size != 0;
	struct ctr_read_ctx reading;

	ctr_read_ctx_init(&reading, table->domain->module->control);
	ctr_read_begin(&reading, ctr_core_epoch(table, at));
	do {
		add_up(table, at, based ? ctr_core_static_base(table, at, view) : NULL, values);
	} while (ctr_read_retry(&reading));
	return 0;
}

uint64_t
ctr_get_few(const struct ctr_table *table, uint32_t at, size_t value)
{
	const struct ctr_domain *domain = table->domain;
	const size_t word = value - table->runs->value;
	const size_t offset = ctr_gather_offset(table, at) + word;
	const char *base = ctr_core_static_base(table, at, table->view) + word;
	const struct ctr_slots *const slots = domain->slots;
	struct ctr_read_ctx reading;
	uint32_t num;
	uint64_t sum;

	ctr_read_ctx_init(&reading, domain->module->control);
	ctr_read_begin(&reading, ctr_core_epoch(table, at));
	do {
		sum = -ctr_core_word(base, 64);
		num = ctr_load_acquire(&slots->num);
		for (uint32_t copy = 0; copy < num; copy++)
			sum += ctr_core_word((char *)slots->copy[copy] + offset, 64);
	} while (ctr_read_retry(&reading));
	return sum;
}

int
ctr_collect_few(const struct ctr_table *table, uint32_t at, void *out, CTR_UNUSED bool parts,
		CTR_UNUSED struct ctr_read_ctx *reading)
{
	add_up(table, at, NULL, out);
	return 0;
}

/* Resets do not change the words of lcores: each is one load. */
CTR_COLD int
ctr_part_few(const struct ctr_table *table, unsigned int lcore, uint32_t at, void *values)
{
	void *const copy = ctr_slots_get(table->domain->slots, lcore);
	struct ctr_sum sum = { &copy, copy != NULL, at, 1, false, NULL, (char *)values };

	table->sum(table, &sum);
	return 0;
}

/* ---- there is a function for each number of words, a constant ---- */

static CTR_UNROLLED int
read_words(const struct ctr_table *table, unsigned int view, uint32_t at, void *values,
	   unsigned int words)
{
	const uint32_t *epoch = ctr_core_epoch(table, at);
	const uint32_t begin = ctr_seq_read_begin(epoch);

	if (table->domain->slots != NULL)
		ctr_core_gather(table, at, ctr_core_static_base(table, at, view), values, words);
	else
		ctr_core_load_words(table, at, values, words);
	ctr_fence(__ATOMIC_SEQ_CST);
	if (ctr_likely((begin & 1) == 0 && ctr_load32(epoch) == begin))
		return 0;
	return read_again(table, view, at, values);
}

/* The functions for a number of words. */
#define CTR_FEW(words)                                                                       \
	int                                                                                  \
	ctr_read_##words(const struct ctr_table *table, unsigned int view, uint32_t at,      \
			 void *values)                                                       \
	{                                                                                    \
		return read_words(table, view, at, values, words);                           \
	}                                                                                    \
                                                                                             \
	void                                                                                 \
	ctr_sum_##words(const struct ctr_table *table, const struct ctr_sum *sum)            \
	{                                                                                    \
		ctr_core_sum_words(table, sum, ctr_gather_offset(table, sum->at),            \
				   sum->values + table->runs->value, sum->base, words);      \
	}

CTR_FEW(1)
CTR_FEW(2)
CTR_FEW(3)
CTR_FEW(4)
