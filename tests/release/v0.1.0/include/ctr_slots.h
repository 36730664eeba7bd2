/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * A slot of memory for every lcore in use, in an array indexed by lcore id.
 *
 * Memory is allocated for the lcores in use when the set is opened and for
 * those that come into use later (rte_thread_register(), ctr_thread_register()),
 * on the lcore's NUMA node. It stays until the set is closed: the counts of a
 * thread outlive the thread, and the next thread with the same id adds to them.
 */
#ifndef CTR_SLOTS_H
#define CTR_SLOTS_H

#include "ctr_port.h"
#include "ctr_word.h"

/** A set of slots. Zero-initialise, fill in the callbacks and `size`, open. */
struct ctr_slots {
	/** By lcore id; the last is CTR_NON_LCORE. NULL when never used. */
	void *slot[CTR_SLOTS];
	size_t size;            /**< Bytes of a slot. */
	bool non_lcore;         /**< Whether there is a slot for threads without an lcore id. */
	/** Initialise a zeroed slot before it is published: 0 or -errno. Runs between
	 * ctr_slots_lock() and ctr_slots_unlock(); may be NULL. */
	int (*up)(void *slot, unsigned int lcore);
	/** The owner of the slot unregisters; runs in its thread; may be NULL. It may wait for a
	 * lock under which ctr_slots_lock() is called. It must not wait for a lock under which sets
	 * are opened or closed, or threads registered or unregistered. */
	void (*down)(void *slot, unsigned int lcore);
	/** Undo @ref up before the slot is freed; may be NULL. */
	void (*drop)(void *slot);
	struct ctr_slots *next; /**< Next open set. */
	uint64_t used[(CTR_SLOTS + 63) / 64]; /**< A bit for each slot that is not NULL. */
};

#ifdef __cplusplus
extern "C" {
#endif

/** As ctr_slots_open(); @p size is that of struct ctr_slots where the caller was compiled. */
int ctr_slots_open_sized(struct ctr_slots *slots, size_t size);

/**
 * Prevent slots from being added to any open set until ctr_slots_unlock(). Use: to
 * change all existing slots in the way in which `up` initialises later ones. In
 * between, do not open or close a set, and do not register or unregister the
 * thread. Does not wait for any `down`.
 */
void ctr_slots_lock(void);

/** Permit again that slots are added. */
void ctr_slots_unlock(void);

/** Free all slots; no thread may use them any more. Idempotent. */
void ctr_slots_close(struct ctr_slots *slots);

#ifdef __cplusplus
}
#endif

/**
 * Allocate the slots of the lcores in use and the shared one.
 *
 * @return 0; -EPROTO if the caller was compiled for another CTR_MAX_LCORE than the
 *   runtime; -ENOMEM, or the error of `up`; on an error no memory stays allocated
 */
static inline int
ctr_slots_open(struct ctr_slots *slots)
{
	return ctr_slots_open_sized(slots, sizeof(*slots));
}

/** The slot of one lcore, or NULL; for readers on any thread. */
static inline void *
ctr_slots_get(const struct ctr_slots *slots, unsigned int lcore)
{
	return lcore < CTR_SLOTS ? ctr_load_acquire(&slots->slot[lcore]) : NULL;
}

/**
 * The first slot in use from @p lcore on, or CTR_SLOTS if there is none: to visit
 * the slots in use without testing every possible lcore id. Any thread.
 */
static inline unsigned int
ctr_slots_next(const struct ctr_slots *slots, unsigned int lcore)
{
	unsigned int word = lcore / 64;
	uint64_t bits;

	if (lcore >= CTR_SLOTS)
		return CTR_SLOTS;
	bits = ctr_load_acquire(&slots->used[word]) & (UINT64_MAX << lcore % 64);
	while (bits == 0) {
		if (++word == (CTR_SLOTS + 63) / 64)
			return CTR_SLOTS;
		bits = ctr_load_acquire(&slots->used[word]);
	}
	return word * 64 + (unsigned int)__builtin_ctzll(bits);
}

/** Visit every slot in use; @p lcore is its number. */
#define CTR_SLOTS_FOREACH(lcore, slots)                               \
	for ((lcore) = ctr_slots_next(slots, 0); (lcore) < CTR_SLOTS; \
	     (lcore) = ctr_slots_next(slots, (lcore) + 1))

#endif /* CTR_SLOTS_H */
