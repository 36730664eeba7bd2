/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Operations of strategies that read and write elements under a guard: a lock, or a sequence count.
 *
 * For the C file of a strategy, which declares before it includes this:
 *
 * - `GUARDED(name)`, the names of its own: `owned_##name`
 * - `GUARDED_ONE`, 1 where all lcores share the only copy, 0 where each has one; a constant
 * - `struct owned_guard`, what owned_enter() leaves for owned_leave()
 * - `owned_enter(guard, domain, copy, element)`, which begins an access to an element
 * - `owned_leave(guard)`, which ends it; whether the words that were read are mutually consistent
 * - `GUARDED_BLOCK(domain)`, how many instances owned_load() reads under one guard at most; only
 *   where the strategy uses that
 *
 * These macros are undefined then. */
#include <errno.h>

#include "ctr_strategy.h"

/** A copy by its number, from 0 on, or NULL behind the last. */
static inline char *
GUARDED(copy)(const struct ctr_domain *domain, uint32_t number)
{
	if (GUARDED_ONE)
		return number == 0 ? (char *)domain->shared : NULL;
	return (char *)ctr_copy_at(domain, number);
}

/** `gather` of struct ctr_strategy. */
static int
GUARDED(gather)(const struct ctr_table *table, uint32_t at, const uint64_t *base, uint64_t *values)
{
	const size_t offset = ctr_gather_offset(table, at);
	const unsigned int num = table->runs->num;
	uint64_t sums[CTR_GATHER] = { 0 };
	struct GUARDED(guard) guard;
	char *copy;

	for (uint32_t n = 0; (copy = GUARDED(copy)(table->domain, n)) != NULL; n++) {
		GUARDED(enter)(&guard, table->domain, copy, copy + offset - table->runs->data);
		ctr_gather_words((const uint64_t *)(const void *)(copy + offset), num, sums);
		if (ctr_unlikely(!GUARDED(leave)(&guard)))
			return -EAGAIN;
	}
	ctr_gather_values(sums, num, base, values);
	return 0;
}

/** `words` of struct ctr_strategy. */
static int
GUARDED(words)(const struct ctr_table *table, uint32_t at, void *values)
{
	struct GUARDED(guard) guard;
	bool any = false;
	char *copy;

	for (uint32_t n = 0; (copy = GUARDED(copy)(table->domain, n)) != NULL; n++) {
		void *element = ctr_element(table, &table->data, copy, at);

		if (element == NULL)
			continue;
		GUARDED(enter)(&guard, table->domain, copy, element);
		if (any)
			ctr_words_add(table, element, values);
		else
			ctr_words_set(table, element, values);
		if (ctr_unlikely(!GUARDED(leave)(&guard)))
			return -EAGAIN;
		any = true;
	}
	return any ? 0 : -EAGAIN;
}

#ifdef GUARDED_BLOCK
/** `load` of struct ctr_strategy, where a guard is a lock. */
static void
GUARDED(load)(const struct ctr_table *table, void *copy, uint32_t at, uint32_t n, void *values,
	      CTR_UNUSED int *rc, CTR_UNUSED struct ctr_read_ctx *reading)
{
	char *element = (char *)ctr_element(table, &table->data, copy, at);
	const uint32_t most = GUARDED_BLOCK(table->domain);
	char *to = (char *)values;
	struct GUARDED(guard) guard;

	while (element != NULL && n != 0) {
		const uint32_t some = n < most ? n : most;

		GUARDED(enter)(&guard, table->domain, copy, element);
		if (GUARDED_ONE)
			ctr_load_only(table, element, some, to);
		else
			ctr_load_element(table, element, some, to);
		(void)GUARDED(leave)(&guard);
		n -= some;
		element += (size_t)some * table->data.size;
		to += (size_t)some * table->value_size;
	}
}
#endif

/** `take` of struct ctr_strategy, of the only copy. */
static CTR_UNUSED void
GUARDED(take)(const struct ctr_table *table, void *element, void *values)
{
	struct GUARDED(guard) guard;

	GUARDED(enter)(&guard, table->domain, table->domain->shared, element);
	ctr_take_plain(table, element, values);
	(void)GUARDED(leave)(&guard);
}

/** `clear` of struct ctr_strategy, likewise. */
static CTR_UNUSED void
GUARDED(clear)(const struct ctr_table *table, void *element)
{
	struct GUARDED(guard) guard;

	GUARDED(enter)(&guard, table->domain, table->domain->shared, element);
	ctr_clear_plain(table, element);
	(void)GUARDED(leave)(&guard);
}

/** `add` of struct ctr_strategy, where a guard excludes writers. */
static CTR_UNUSED void
GUARDED(add)(const struct ctr_domain *domain, const struct ctr_target *target, uint64_t n)
{
	struct GUARDED(guard) guard;

	GUARDED(enter)(&guard, domain, target->copy, target->element);
	ctr_add_plain(target, n);
	(void)GUARDED(leave)(&guard);
}

#undef GUARDED
#undef GUARDED_ONE
#undef GUARDED_BLOCK
