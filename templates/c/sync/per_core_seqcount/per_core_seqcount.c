/* SPDX-License-Identifier: BSD-3-Clause */
/* Each copy begins with the sequence count of its owner. A read loads the words of an instance
 * between two loads of the count, and retries, up to a limit, if an update was in progress. */
#include "ctr_strategy.h"

#define GUARDED(name) seqcount_##name
#define GUARDED_ONE 0

struct seqcount_guard {
	const uint32_t *seq;
	uint32_t begin;
};

static inline void
seqcount_enter(struct seqcount_guard *guard, CTR_UNUSED const struct ctr_domain *domain, void *copy,
	       CTR_UNUSED void *element)
{
	guard->seq = (const uint32_t *)copy;
	guard->begin = ctr_seq_read_begin(guard->seq);
}

static inline bool
seqcount_leave(struct seqcount_guard *guard)
{
	return !ctr_seq_read_retry(guard->seq, guard->begin);
}

#include "ctr_guarded.h"

/* Add one shard of some instances to their values: `num` words of each, a constant, or with 0 all
 * words of the table. -EAGAIN in *rc: the retry limit was reached; each word is exact, but they may
 * not be mutually consistent. */
static CTR_UNROLLED void
load(const struct ctr_table *table, void *copy, const char *from, uint32_t n, char *to, int *rc,
     struct ctr_read_ctx *reading, unsigned int num)
{
	char *before = (char *)__builtin_alloca(num == 0 ? table->value_size : 1);
	struct seqcount_guard guard;

	for (; n != 0; n--, rc++, from += table->data.size, to += table->value_size) {
		uint64_t word[CTR_GATHER], *values = (uint64_t *)(void *)to;
		unsigned int tries = 0, i;

		if (num == 0)
			memcpy(before, to, table->value_size);
		for (;;) {
			seqcount_enter(&guard, table->domain, copy, NULL);
			if (num == 0)
				ctr_load_element(table, from, 1, to);
			for (i = 0; i < num; i++)
				word[i] = ctr_load64((const uint64_t *)(const void *)from + i);
			if (ctr_likely(seqcount_leave(&guard)))
				break;
			if (!ctr_read_wait(reading, &tries, table->domain->retries)) {
				*rc = -EAGAIN;
				break;
			}
			if (num == 0)
				memcpy(to, before, table->value_size);
		}
		for (i = 0; i < num; i++)
			values[i] += word[i];
	}
}

static void
seqcount_load(const struct ctr_table *table, void *copy, uint32_t at, uint32_t n, void *values,
	      int *rc, struct ctr_read_ctx *reading)
{
	const char *element = (const char *)ctr_element(table, &table->data, copy, at);
	const struct ctr_run *run = table->runs;
	char *to = (char *)values;

	if (element == NULL)
		return;
	if (table->num_runs != 1 || run->bits != 64 || run->num > CTR_GATHER) {
		load(table, copy, element, n, to, rc, reading, 0);
		return;
	}
	element += run->data;
	to += run->value;
	if (run->num == 1)
		load(table, copy, element, n, to, rc, reading, 1);
	else if (run->num == 2)
		load(table, copy, element, n, to, rc, reading, 2);
	else if (run->num == 3)
		load(table, copy, element, n, to, rc, reading, 3);
	else
		load(table, copy, element, n, to, rc, reading, 4);
}

/* Make the count even if its thread exited during an update. */
static void
seqcount_repair(CTR_UNUSED const struct ctr_domain *domain, void *copy)
{
	ctr_seq_repair((uint32_t *)copy);
}

static void
seqcount_fork_child(const struct ctr_domain *domain)
{
	void *copy;

	for (uint32_t n = 0; (copy = ctr_copy_at(domain, n)) != NULL; n++)
		ctr_seq_repair((uint32_t *)copy);
}

/* ---- threads without an lcore id ---- */

void
ctr_seq_other_enter(struct ctr_spin *lock, void *copy)
{
	if (lock != NULL)
		ctr_spin_lock(lock);
	ctr_seq_update_begin((uint32_t *)copy);
}

void
ctr_seq_other_leave(struct ctr_spin *lock, void *copy)
{
	ctr_seq_update_end((uint32_t *)copy);
	if (lock != NULL)
		ctr_spin_unlock(lock);
}

static void
seqcount_other_add(const struct ctr_domain *domain, const struct ctr_target *target, uint64_t n)
{
	struct ctr_spin *lock = ctr_others_lock(domain, target->copy);

	ctr_seq_other_enter(lock, target->copy);
	ctr_add_plain(target, n);
	ctr_seq_other_leave(lock, target->copy);
}

const struct ctr_strategy ctr_strategy_per_core_seqcount = {
	.load = seqcount_load,
	.gather = seqcount_gather,
	.add = seqcount_other_add,
	.words = seqcount_words,
	.fork_child = seqcount_fork_child,
	.takeover = seqcount_repair,
	.leave = seqcount_repair,
};
