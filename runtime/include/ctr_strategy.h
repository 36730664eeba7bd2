/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Helpers for the C files of strategies. A strategy is a `const struct ctr_strategy
 * ctr_strategy_NAME` (ctr_table.h); its private data of a domain is `domain->own`. */
#ifndef CTR_STRATEGY_H
#define CTR_STRATEGY_H

#include "ctr_lock.h"
#include "ctr_quiescent.h"
#include "ctr_table.h"

/** Maximum number of words in an instance of a table that `gathers`. */
#define CTR_GATHER 4u

/** For loops whose length is a constant where they are used. */
#define CTR_UNROLLED inline __attribute__((always_inline))

CTR_C_BEGIN

/** Load the counters of an element into *values, with relaxed loads; the rest does not change. */
void ctr_words_set(const struct ctr_table *table, const void *element, void *values);

/** Add them to *values. */
void ctr_words_add(const struct ctr_table *table, const void *element, void *values);

/** Move the words of an element to *values; copy gauges and states. No concurrent writer. */
void ctr_take_plain(const struct ctr_table *table, void *element, void *values);

/** The same with atomic exchanges, concurrently with writers that add atomically. */
void ctr_take_atomic(const struct ctr_table *table, void *element, void *values);

/** Add with a load, an add and a store; the caller excludes other writers. */
void ctr_add_plain(const struct ctr_target *target, uint64_t n);

/** Set the gauges and states in an element to 0, with relaxed stores. */
void ctr_clear_plain(const struct ctr_table *table, void *element);

CTR_C_END

/** A copy of a domain by number; NULL past the last. New copies are appended. Any thread. */
static inline void *
ctr_copy_at(const struct ctr_domain *domain, uint32_t number)
{
	if (domain->slots == NULL)
		return number == 0 ? domain->shared : NULL;
	if (number < ctr_load_acquire(&domain->slots->num))
		return domain->slots->copy[number];
	return NULL;
}

/** The common part of an instance; NULL if it has none. */
static inline char *
ctr_common_of(const struct ctr_table *table, uint32_t at)
{
	const struct ctr_place place = { 0, 0, table->common_size };

	return (char *)ctr_element(table, &place, table->common, at);
}

/** The calling lcore ends a burst of a strategy that defers updates. Whether an instance is ending:
 * then it applies all that it has deferred, and passes @p now to ctr_drain_report(). */
static inline bool
ctr_instance_ends(const struct ctr_domain *domain, uint64_t *now)
{
	if (domain->drain_tokens != NULL)
		ctr_drain_join(domain->drain_tokens);
	if (domain->ending == NULL || ctr_likely(ctr_load32(&domain->ending->word) == 0))
		return false;
	*now = ctr_quiescent_now();
	return true;
}

/** Where the counters of an instance of a table that `gathers` are, from the start of a copy. */
static inline size_t
ctr_gather_offset(const struct ctr_table *table, uint32_t at)
{
	return table->data.at + (size_t)at * table->data.size + table->runs->data;
}

/** Add words of an instance to their sums. */
static CTR_UNROLLED void
ctr_gather_words(const uint64_t *words, unsigned int num, uint64_t *sums)
{
	sums[0] += ctr_load64(&words[0]);
	if (num > 1) {
		sums[1] += ctr_load64(&words[1]);
		if (num > 2) {
			sums[2] += ctr_load64(&words[2]);
			if (num > 3)
				sums[3] += ctr_load64(&words[3]);
		}
	}
}

/** Values from sums, less a baseline unless that is NULL. */
static CTR_UNROLLED void
ctr_gather_values(const uint64_t *sums, unsigned int num, const uint64_t *base, uint64_t *values)
{
	static const uint64_t none[CTR_GATHER];

	if (base == NULL)
		base = none;
	values[0] = sums[0] - ctr_load64(&base[0]);
	if (num > 1) {
		values[1] = sums[1] - ctr_load64(&base[1]);
		if (num > 2) {
			values[2] = sums[2] - ctr_load64(&base[2]);
			if (num > 3)
				values[3] = sums[3] - ctr_load64(&base[3]);
		}
	}
}

/* ---- threads without an lcore id, where copies have one writer at a time ---- */

/** The lock of the copy that the calling thread shares with others; NULL: it is its own. */
static inline struct ctr_spin *
ctr_others_lock(const struct ctr_domain *domain, void *copy)
{
	return copy == ctr_slots_own(domain->slots) ? NULL : domain->others;
}

#endif /* CTR_STRATEGY_H */
