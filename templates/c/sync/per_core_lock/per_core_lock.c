/* SPDX-License-Identifier: BSD-3-Clause */
/* Each copy begins with its owner's lock. Readers take one lock at a time. */
#include "ctr_strategy.h"

#define GUARDED(name) owned_##name
#define GUARDED_ONE 0
/* Instances that are read under one lock, while the lcore waits. */
#define GUARDED_BLOCK(domain) 8u

struct owned_guard {
	struct ctr_biased *lock;
};

static inline void
owned_enter(struct owned_guard *guard, CTR_UNUSED const struct ctr_domain *domain, void *copy,
	    CTR_UNUSED void *element)
{
	guard->lock = (struct ctr_biased *)copy;
	ctr_biased_lock_nonowner(guard->lock);
}

static inline bool
owned_leave(struct owned_guard *guard)
{
	ctr_biased_unlock_nonowner(guard->lock);
	return true;
}

#include "ctr_guarded.h"

/* Release the lock of a thread that exited during an update. */
static void
owned_repair(CTR_UNUSED const struct ctr_domain *domain, void *copy)
{
	ctr_biased_recover((struct ctr_biased *)copy);
}

static void
owned_fork_child(const struct ctr_domain *domain)
{
	void *copy;

	for (uint32_t n = 0; (copy = ctr_copy_at(domain, n)) != NULL; n++)
		ctr_biased_reinit((struct ctr_biased *)copy);
}

const struct ctr_strategy ctr_strategy_per_core_lock = {
	.load = owned_load,
	.gather = owned_gather,
	.add = owned_add,
	.words = owned_words,
	.fork_child = owned_fork_child,
	.takeover = owned_repair,
	.leave = owned_repair,
};
