/* SPDX-License-Identifier: BSD-3-Clause */
/* Each copy has narrow words, which spill; ctr_narrow.h explains how they are read. */
#include "ctr_narrow_read.h"

static int
narrow_prepare(const struct ctr_domain *domain, void *copy)
{
	const struct ctr_narrow_own *own = narrow_own_of(domain);
	struct ctr_narrow_head *head = (struct ctr_narrow_head *)copy;
	const uint32_t share = own->shape.share;

	if (own->copies->word == own->most)
		return -ENOSPC;
	head->group = (uint16_t)ctr_narrow_group(own->shape.bits, share, own->copies->word++);
	head->share = (uint16_t)share;
	return 0;
}

static void
narrow_takeover(CTR_UNUSED const struct ctr_domain *domain, CTR_UNUSED void *copy)
{
	ctr_narrow_takeover();
}

static void
narrow_reinit(const struct ctr_domain *domain)
{
	narrow_own_of(domain)->copies->word = 0;
}

/* A child of fork() has only the forking thread: carry the units that others spilled. */
static void
narrow_fork_child(const struct ctr_domain *domain)
{
	struct ctr_narrow_head *copy;
	bool spilling = false;
	uint32_t n, at;

	for (n = 0; (copy = (struct ctr_narrow_head *)ctr_copy_at(domain, n)) != NULL; n++) {
		spilling = spilling || copy->spilling != 0;
		copy->spilling = 0;
	}
	for (n = 0; spilling && n < domain->num_tables; n++)
		for (at = 0; domain->tables[n]->data.size != 0 && at < domain->tables[n]->max; at++)
			narrow_land(domain->tables[n], at);
}

/* ---- updates ---- */

/* A child of fork() can see that a word was spilling. */
#define CARRY(bits)                                                                         \
	void ctr_narrow_carry##bits##_64(struct ctr_narrow_head *copy, uint##bits##_t *word,\
					 uint64_t *sum, uint64_t n)                         \
	{                                                                                   \
		ctr_store32(&copy->spilling, 1);                                            \
		ctr_fence(__ATOMIC_RELEASE);                                                \
		ctr_narrow_spill##bits##_64(word, sum, copy->share, copy->group, n);        \
		__atomic_store_n(&copy->spilling, 0, __ATOMIC_RELEASE);                     \
	}

CARRY(32)
CARRY(16)

void
ctr_narrow_other_add(struct ctr_spin *lock, struct ctr_narrow_head *copy, void *word,
		     unsigned int bits, void *sum, unsigned int wide, uint64_t n)
{
	if (bits == wide) {
		ctr_atomic_add32((uint32_t *)word, (uint32_t)n);
		return;
	}
	if (lock != NULL)
		ctr_spin_lock(lock);
	ctr_narrow_takeover();
	if (bits == 32) {
		if (!ctr_narrow_add32((uint32_t *)word, copy->share, n))
			ctr_narrow_carry32_64(copy, (uint32_t *)word, (uint64_t *)sum, n);
	} else if (!ctr_narrow_add16((uint16_t *)word, copy->share, n)) {
		ctr_narrow_carry16_64(copy, (uint16_t *)word, (uint64_t *)sum, n);
	}
	if (lock != NULL)
		ctr_spin_unlock(lock);
}

static void
narrow_add(const struct ctr_domain *domain, const struct ctr_target *target, uint64_t n)
{
	ctr_narrow_other_add(ctr_others_lock(domain, target->copy),
			     (struct ctr_narrow_head *)target->copy, target->word,
			     target->bits == 32 ? 32 : narrow_own_of(domain)->shape.bits, target->sum,
			     target->bits, n);
}

const struct ctr_strategy ctr_strategy_per_core_narrow = {
	.sum = narrow_sum,
	.gather = narrow_gather,
	.get = narrow_get,
	.add = narrow_add,
	.fork_child = narrow_fork_child,
	.reinit = narrow_reinit,
	.prepare = narrow_prepare,
	.takeover = narrow_takeover,
	.leave = narrow_takeover,
};
