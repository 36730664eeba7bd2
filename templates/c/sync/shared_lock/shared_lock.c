/* SPDX-License-Identifier: BSD-3-Clause */
/* Writers and readers take a lock: that of the domain, or that at the head of an element. */
#include "ctr_pi.h"
#include "ctr_strategy.h"

static __attribute__((noinline)) void
acquire(enum ctr_lock_kind kind, void *lock, struct ctr_mcs_node *node)
{
	if (kind == CTR_LOCK_TICKET)
		ctr_ticket_lock((struct ctr_ticket *)lock);
	else if (kind == CTR_LOCK_MCS)
		ctr_mcs_lock((struct ctr_mcs *)lock, node);
	else if (kind == CTR_LOCK_PI)
		ctr_pi_lock((struct ctr_pi *)lock);
	else
		ctr_spin_lock((struct ctr_spin *)lock);
}

static __attribute__((noinline)) void
locked_release(enum ctr_lock_kind kind, void *lock, struct ctr_mcs_node *node)
{
	if (kind == CTR_LOCK_TICKET)
		ctr_ticket_unlock((struct ctr_ticket *)lock);
	else if (kind == CTR_LOCK_MCS)
		ctr_mcs_unlock((struct ctr_mcs *)lock, node);
	else if (kind == CTR_LOCK_PI)
		ctr_pi_unlock((struct ctr_pi *)lock);
	else
		ctr_spin_unlock((struct ctr_spin *)lock);
}

#define GUARDED(name) locked_##name
#define GUARDED_ONE 1
#define GUARDED_BLOCK(domain) (((const struct ctr_lock_own *)(domain)->own)->lock == NULL ? 1u : UINT32_MAX)

struct locked_guard {
	void *lock; /* NULL in a read section of the calling thread, which has it. */
	enum ctr_lock_kind kind;
	struct ctr_mcs_node node;
};

static inline void
locked_enter(struct locked_guard *guard, const struct ctr_domain *domain, CTR_UNUSED void *copy,
	     void *element)
{
	const struct ctr_lock_own *own = domain->own;

	guard->kind = own->kind;
	guard->lock = own->lock == NULL ? element : own->lock;
	if (own->lock != NULL && ctr_control_reads(domain->module->control))
		guard->lock = NULL;
	else if (guard->kind != CTR_LOCK_SPIN || !ctr_spin_trylock((struct ctr_spin *)guard->lock))
		acquire(guard->kind, guard->lock, &guard->node);
}

static inline bool
locked_leave(struct locked_guard *guard)
{
	if (ctr_likely(guard->kind == CTR_LOCK_SPIN && guard->lock != NULL))
		ctr_spin_unlock((struct ctr_spin *)guard->lock);
	else if (guard->lock != NULL)
		locked_release(guard->kind, guard->lock, &guard->node);
	return true;
}

#include "ctr_guarded.h"

static void
locked_section(const struct ctr_domain *domain, bool begin)
{
	const struct ctr_lock_own *own = domain->own;

	if (own->lock != NULL && begin)
		acquire(own->kind, own->lock, own->reader);
	else if (own->lock != NULL)
		locked_release(own->kind, own->lock, own->reader);
}

/* A zeroed lock of any kind is free; the lock of a read section is taken again. */
static void
locked_fork_child(const struct ctr_domain *domain)
{
	const struct ctr_lock_own *own = domain->own;

	if (own->lock != NULL) {
		ctr_store64((uint64_t *)own->lock, 0);
		ctr_pi_thread = 0; /* The id differs from the parent's. */
		if (ctr_control_reads(domain->module->control))
			acquire(own->kind, own->lock, own->reader);
		return;
	}
	for (uint32_t i = 0; i < domain->num_tables; i++) {
		const struct ctr_table *table = domain->tables[i];

		for (uint32_t at = 0; table->data.size != 0 && at < table->max; at++) {
			void *element = ctr_element(table, &table->data, domain->shared, at);

			if (element != NULL)
				ctr_store64((uint64_t *)element, 0);
		}
	}
}

const struct ctr_strategy ctr_strategy_shared_lock = {
	.load = locked_load,
	.gather = locked_gather,
	.words = locked_words,
	.take = locked_take,
	.clear = locked_clear,
	.section = locked_section,
	.add = locked_add,
	.fork_child = locked_fork_child,
};
