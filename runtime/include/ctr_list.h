/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Lists of instances that one update changes. An index may occur several times, and its instance is
 * changed as often. All functions are reentrant; steps are at most the length of the list
 * squared. */
#ifndef CTR_LIST_H
#define CTR_LIST_H

#include "ctr_bits.h"

/** The greatest of @p num indexes, 0 if there is none; UINT32_MAX, which no index is, if there are
 * more than @p most. */
static inline uint32_t
ctr_list_greatest(const uint32_t *list, uint32_t num, uint32_t most)
{
	uint32_t greatest = 0;

	if (ctr_unlikely(num > most))
		return UINT32_MAX;
	for (uint32_t i = 0; i < num; i++)
		if (list[i] > greatest)
			greatest = list[i];
	return greatest;
}

/** ctr_update_unborn() of an instance at @p base plus one of @p num indexes. */
static inline bool
ctr_list_unborn(const uint64_t *live, uint32_t base, const uint32_t *list, uint32_t num,
		void (*note)(uint64_t n), uint64_t n)
{
	for (uint32_t i = 0; i < num; i++)
		if (ctr_update_unborn(live, base + list[i], note, n))
			return true;
	return false;
}

/** Copy @p num indexes to @p order in ascending order, each once; returns their number. Locks are
 * taken in this order, so that updates do not deadlock. */
static inline uint32_t
ctr_list_order(uint32_t *order, const uint32_t *list, uint32_t num)
{
	uint32_t distinct = 0;

	for (uint32_t i = 0; i < num; i++) {
		uint32_t at = distinct;

		while (at > 0 && order[at - 1] > list[i])
			at--;
		if (at > 0 && order[at - 1] == list[i])
			continue;
		for (uint32_t last = distinct++; last > at; last--)
			order[last] = order[last - 1];
		order[at] = list[i];
	}
	return distinct;
}

/** Copy @p num indexes. */
static inline void
ctr_list_copy(uint32_t *to, const uint32_t *list, uint32_t num)
{
	for (uint32_t i = 0; i < num; i++)
		to[i] = list[i];
}

#if defined(CTR_INDEX_CHECKS)
/** CTR_CHECK_INDEX() of each of @p num indexes behind @p base. */
#define CTR_CHECK_LIST(table, base, list, num)                                                \
	do {                                                                                  \
		for (uint32_t checked_at = 0; checked_at < (num); checked_at++)               \
			CTR_CHECK_INDEX(table, (base) + (list)[checked_at]);                  \
	} while (0)
#else
/** With CTR_DEBUG, CTR_CHECK_INDEX() of each of @p num indexes behind @p base. */
#define CTR_CHECK_LIST(table, base, list, num) ((void)0)
#endif

#endif /* CTR_LIST_H */
