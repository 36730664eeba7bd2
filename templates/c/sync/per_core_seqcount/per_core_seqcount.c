/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each copy begins with the sequence count of its owner. A read loads the words of an instance
 * between two loads of the count, and again if an update was in progress; a bounded number of times.
 */
#include <errno.h>

#include "ctr_seqcount.h"
#include "ctr_strategy.h"

/* Words of an instance that are loaded to registers. */
#define FEW 4u

/* Wait for the writer of a copy; false, and *rc is -EAGAIN, where the caller gives up. Each word is
 * right then, but they may not belong together.
 */
static bool
again(const struct ctr_table *table, unsigned int *tries, int *rc, struct ctr_reading *reading)
{
	if (ctr_reading_wait(reading, tries, table->domain->retries))
		return true;
	*rc = -EAGAIN;
	return false;
}

/* Add `num` words of some instances to their values: a constant, so that they are in registers. */
static CTR_UNROLLED void
load_few(const struct ctr_table *table, const uint32_t *seq, const char *from, uint32_t n, char *to,
	 int *rc, struct ctr_reading *reading, unsigned int num)
{
	for (; n != 0; n--, rc++, from += table->data.size, to += table->value_size) {
		const uint64_t *words = (const uint64_t *)(const void *)from;
		uint64_t *values = (uint64_t *)(void *)to, word[FEW];
		unsigned int tries = 0, i;
		uint32_t begin;

		do {
			begin = ctr_seq_read_begin(seq);
			for (i = 0; i < num; i++)
				word[i] = ctr_load64(&words[i]);
		} while (ctr_unlikely(ctr_seq_read_retry(seq, begin)) &&
			 again(table, &tries, rc, reading));
		for (i = 0; i < num; i++)
			values[i] += word[i];
	}
}

/* Copy the counters of an element. */
static void
seqcount_copy_words(const struct ctr_table *table, const char *from, char *to)
{
	const struct ctr_run *run;
	unsigned int i;

	for (run = table->runs; run != table->runs + table->num_runs; run++) {
		const uint64_t *from64 = (const uint64_t *)(const void *)(from + run->data);
		const uint32_t *from32 = (const uint32_t *)(const void *)(from + run->data);
		uint64_t *to64 = (uint64_t *)(void *)(to + run->data);
		uint32_t *to32 = (uint32_t *)(void *)(to + run->data);

		for (i = 0; i < run->num; i++) {
			if (run->bits == 64)
				to64[i] = ctr_load64(&from64[i]);
			else
				to32[i] = ctr_load32(&from32[i]);
		}
	}
}

static void
load_many(const struct ctr_table *table, const uint32_t *seq, const char *from, uint32_t n, char *to,
	  int *rc, struct ctr_reading *reading)
{
	char *whole = (char *)__builtin_alloca_with_align(table->data.size, 64);
	uint32_t begin;

	for (; n != 0; n--, rc++, from += table->data.size, to += table->value_size) {
		unsigned int tries = 0;

		do {
			begin = ctr_seq_read_begin(seq);
			seqcount_copy_words(table, from, whole);
		} while (ctr_unlikely(ctr_seq_read_retry(seq, begin)) &&
			 again(table, &tries, rc, reading));
		ctr_load_element(table, whole, 1, to);
	}
}

static void
seqcount_load(const struct ctr_table *table, void *copy, uint32_t at, uint32_t n, void *values, int *rc,
     struct ctr_reading *reading)
{
	const char *element = (const char *)ctr_element(table, &table->data, copy, at);
	const uint32_t *seq = (const uint32_t *)copy;
	const struct ctr_run *run = table->runs;
	char *to = (char *)values + run->value;

	if (element == NULL)
		return;
	if (table->num_runs != 1 || run->bits != 64 || run->num > FEW) {
		load_many(table, seq, element, n, (char *)values, rc, reading);
		return;
	}
	element += run->data;
	switch (run->num) {
	case 1:
		load_few(table, seq, element, n, to, rc, reading, 1);
		break;
	case 2:
		load_few(table, seq, element, n, to, rc, reading, 2);
		break;
	case 3:
		load_few(table, seq, element, n, to, rc, reading, 3);
		break;
	default:
		load_few(table, seq, element, n, to, rc, reading, 4);
		break;
	}
}

static int
seqcount_gather(const struct ctr_table *table, uint32_t at, const uint64_t *base, uint64_t *values)
{
	const size_t offset = ctr_gather_offset(table, at);
	const unsigned int num = table->runs->num;
	uint64_t sums[CTR_GATHER] = { 0 };
	const char *copy;
	uint32_t n;

	for (n = 0; (copy = (const char *)ctr_copy_at(table->domain, n)) != NULL; n++) {
		const uint32_t *seq = (const uint32_t *)(const void *)copy;
		const uint32_t begin = ctr_seq_read_begin(seq);

		ctr_gather_words((const uint64_t *)(const void *)(copy + offset), num, sums);
		if (ctr_unlikely(ctr_seq_read_retry(seq, begin)))
			return -EAGAIN;
	}
	ctr_gather_values(sums, num, base, values);
	return 0;
}

static int
seqcount_words(const struct ctr_table *table, uint32_t at, void *values)
{
	const void *copy, *element;
	bool any = false;
	uint32_t n;

	for (n = 0; (copy = ctr_copy_at(table->domain, n)) != NULL; n++) {
		const uint32_t *seq = (const uint32_t *)copy;
		const uint32_t begin = ctr_seq_read_begin(seq);

		element = ctr_element(table, &table->data, copy, at);
		if (element == NULL)
			continue;
		if (any)
			ctr_words_add(table, element, values);
		else
			ctr_words_set(table, element, values);
		if (ctr_unlikely(ctr_seq_read_retry(seq, begin)))
			return -EAGAIN;
		any = true;
	}
	return any ? 0 : -EAGAIN;
}

/* A thread that ended during an update has left its count odd. */
static void
seqcount_repair(const struct ctr_domain *domain, void *copy, unsigned int lcore)
{
	(void)domain;
	(void)lcore;
	ctr_seq_repair((uint32_t *)copy);
}

static void
seqcount_mend(const struct ctr_domain *domain)
{
	uint32_t n;
	void *copy;

	ctr_others_mend(domain);
	for (n = 0; (copy = ctr_copy_at(domain, n)) != NULL; n++)
		ctr_seq_repair((uint32_t *)copy);
}

/* ---- threads without an lcore id ---- */

void
ctr_seq_other_enter(struct ctr_spin *lock, void *copy)
{
	ctr_spin_lock(lock);
	ctr_seq_update_begin((uint32_t *)copy);
}

void
ctr_seq_other_leave(struct ctr_spin *lock, void *copy)
{
	ctr_seq_update_end((uint32_t *)copy);
	ctr_spin_unlock(lock);
}

void
ctr_seq_other_add64(uint64_t *word, uint64_t n, void *copy, struct ctr_spin *lock)
{
	ctr_seq_other_enter(lock, copy);
	ctr_add64(word, n);
	ctr_seq_other_leave(lock, copy);
}

void
ctr_seq_other_add32(uint32_t *word, uint32_t n, void *copy, struct ctr_spin *lock)
{
	ctr_seq_other_enter(lock, copy);
	ctr_add32(word, n);
	ctr_seq_other_leave(lock, copy);
}

static void
seqcount_add(const struct ctr_domain *domain, const struct ctr_target *target, uint64_t n)
{
	struct ctr_spin *lock = ctr_others_lock(domain, target->copy);

	ctr_seq_other_enter(lock, target->copy);
	ctr_add_plain(target, n);
	ctr_seq_other_leave(lock, target->copy);
}

const struct ctr_strategy ctr_strategy_per_core_seqcount = {
	.load = seqcount_load,
	.gather = seqcount_gather,
	.add = seqcount_add,
	.words = seqcount_words,
	.mend = seqcount_mend,
	.adopt = seqcount_repair,
	.leave = seqcount_repair,
};
