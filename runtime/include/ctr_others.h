/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * The locks under which threads without an lcore id write to copies, where the strategy needs one
 * writer at a time for each copy.
 */
#ifndef CTR_OTHERS_H
#define CTR_OTHERS_H

#include "ctr_lock.h"
#include "ctr_table.h"

/** A lock on a cache line of its own; zeroed, it is free. */
struct ctr_other_lock {
	struct ctr_spin lock; /**< Held by a thread without an lcore id while it writes. */
} CTR_CACHE_ALIGNED;

/** The lock of the copy that the calling thread adds to beside its owner. */
static inline struct ctr_spin *
ctr_others_lock(const struct ctr_domain *domain, void *copy)
{
	static struct ctr_spin owners; /* Where only lcores count, each in its own copy. */

	if (domain->cpus == NULL)
		return domain->others.lock != NULL ? domain->others.lock : &owners;
	return (struct ctr_spin *)(void *)((char *)copy + domain->others.at);
}

/** Release these locks in a child of fork(), whose only thread has none of them. */
static inline void
ctr_others_mend(const struct ctr_domain *domain)
{
	const struct ctr_others *others = &domain->others;
	uint32_t n;

	if (others->lock != NULL)
		ctr_spin_mend(others->lock, false);
	for (n = 0; domain->cpus != NULL && n < domain->cpus->num; n++)
		ctr_spin_mend((struct ctr_spin *)(void *)((char *)domain->cpus->copy[n] +
							  others->at),
			      false);
}

#endif /* CTR_OTHERS_H */
