/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Memory for every lcore in use, by lcore id, or for every CPU, by its number. It is allocated when
 * the set is opened or the lcore is registered, on its NUMA node, and stays until the set is
 * closed: the next thread with the same id adds to the counts. */
#ifndef CTR_SLOTS_H
#define CTR_SLOTS_H

#include "ctr_port.h"
#include "ctr_word.h"

/** A set of slots. Zero-initialise, fill in `size`, open. */
struct ctr_slots {
	void *none; /**< NULL: in front of the slots, the one of CTR_LCORE_ANY. */
	void *slot[CTR_SLOTS]; /**< By lcore id; the last is CTR_NON_LCORE. NULL when never used. */
	size_t size;            /**< Bytes of a slot. */
	bool non_lcore;         /**< Whether there is a slot for threads without an lcore id. */
	/** How many slots there are by CPU; 0: they are by lcore id, or the set is not open. */
	uint32_t cpus;
	/** Where the slots from 0 to @ref cpus - 1 are, one behind the other, in memory that the
	 * set does not own and may not write to; NULL: they are allocated. */
	char *memory;
	const struct ctr_domain *domain; /**< Its strategy is called for slots; or NULL. */
	struct ctr_slots *next; /**< Next open set. */
	uint32_t num;          /**< How many slots are not NULL. */
	void *copy[CTR_SLOTS]; /**< These, in the order in which they came. */
	/** By lcore id: the pointer that its thread has set, or NULL. */
	void **mine[CTR_MAX_LCORE];
} CTR_CACHE_ALIGNED;

CTR_STATIC_ASSERT((int32_t)CTR_LCORE_ANY == -1, "no lcore id is one in front of the first");
CTR_STATIC_ASSERT(offsetof(struct ctr_slots, slot) == sizeof(void *), "nothing lies between");

/** The slot of the calling lcore; NULL without an lcore id, and while the set is not open. */
static inline void *
ctr_slots_own(const struct ctr_slots *slots)
{
	const ptrdiff_t at = ((int32_t)ctr_lcore_id() + (ptrdiff_t)1) * (ptrdiff_t)sizeof(void *);

	return *(void *const *)(const void *)((const char *)slots + at);
}

/** As ctr_slots_own() by one load; NULL also until ctr_slots_claim() has set the pointer. Debug
 * builds do not use the pointer. */
static inline void *
ctr_slots_mine(const struct ctr_slots *slots, void *const *mine)
{
#ifdef CTR_DEBUG
	(void)mine;
	return ctr_slots_own(slots);
#else
	(void)slots;
	return __atomic_load_n(mine, __ATOMIC_RELAXED);
#endif
}

CTR_C_BEGIN

/** As ctr_slots_own(), and set @p mine, until the thread unregisters or ends, or the set is closed.
 * Takes no lock: safe in a signal handler, and where the thread is cancelled. */
void *ctr_slots_claim(struct ctr_slots *slots, void **mine) CTR_COLD;

CTR_C_END

/** As ctr_slots_own(), with the pointer or the table. */
static inline void *
ctr_slots_find(struct ctr_slots *slots, void **mine)
{
	void *const slot = ctr_slots_mine(slots, mine);

	return ctr_likely(slot != NULL) ? slot : ctr_slots_claim(slots, mine);
}

/** The calling lcore's slot @p own, or @p others if that is NULL. */
static inline void *
ctr_slots_or(void *own, void *others)
{
	return own != NULL ? own : others;
}

/** The slot of one lcore, or NULL; for readers on any thread. */
static inline void *
ctr_slots_get(const struct ctr_slots *slots, unsigned int lcore)
{
	return lcore < CTR_SLOTS ? ctr_load_acquire(&slots->slot[lcore]) : NULL;
}

/** Visit every slot in use; @p lcore is its number. */
#define CTR_SLOTS_FOREACH(lcore, slots)                       \
	for ((lcore) = 0; (lcore) < CTR_SLOTS; (lcore)++)     \
		if (ctr_slots_get(slots, lcore) != NULL)

#endif /* CTR_SLOTS_H */
