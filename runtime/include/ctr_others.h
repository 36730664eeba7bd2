/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * The locks under which threads without an lcore id write to copies, where the strategy needs one
 * writer at a time for each copy.
 */
#ifndef CTR_OTHERS_H
#define CTR_OTHERS_H

#include "ctr_lock.h"
#include "ctr_table.h"

/** Where these locks are. */
struct ctr_others {
	struct ctr_spin *lock; /**< All such threads share a copy; NULL: each CPU has one. */
	size_t at;             /**< Bytes from the start of a CPU's copy to its lock. */
};

/** A lock on a cache line of its own; zeroed, it is free. */
struct ctr_other_lock {
	struct ctr_spin lock; /**< Held by a thread without an lcore id while it writes. */
} CTR_CACHE_ALIGNED;

/** The lock of the copy that the calling thread adds to beside its owner. */
static inline struct ctr_spin *
ctr_others_lock(const struct ctr_others *others, const struct ctr_domain *domain, void *copy)
{
	static struct ctr_spin owners; /* Where only lcores count, each in its own copy. */

	if (domain->cpus == NULL)
		return others->lock != NULL ? others->lock : &owners;
	return (struct ctr_spin *)(void *)((char *)copy + others->at);
}

/** Release these locks in a child of fork(), whose only thread has none of them. */
static inline void
ctr_others_mend(const struct ctr_others *others, const struct ctr_domain *domain)
{
	uint32_t n;

	if (others->lock != NULL)
		ctr_spin_mend(others->lock, false);
	for (n = 0; domain->cpus != NULL && n < domain->cpus->num; n++)
		ctr_spin_mend((struct ctr_spin *)(void *)((char *)domain->cpus->copy[n] +
							  others->at),
			      false);
}

#endif /* CTR_OTHERS_H */
