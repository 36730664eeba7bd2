/* SPDX-License-Identifier: BSD-3-Clause */
/* Records that lcores send are applied to the only copy by the thread that drains their ring. */
#include <string.h>

#include "ctr_delta_ring.h"
#include "ctr_strategy.h"

static const struct ctr_delta_ring *
own_of(const struct ctr_domain *domain)
{
	return (const struct ctr_delta_ring *)domain->own;
}

/* Apply what all lcores have sent; whether there was any. Waits for another consumer. */
static bool
drain(const struct ctr_domain *domain)
{
	const struct ctr_delta_ring *own = own_of(domain);
	uint32_t n, num;
	bool any = false;

	if (own->kind == NULL)
		return ctr_shared_ring_drain(&own->shape, own->ring, own->apply);
	num = ctr_load_acquire(&domain->held->num);
	for (n = 0; n < num; n++)
		any |= ctr_ring_drain(own->kind, (struct ctr_ring *)domain->held->copy[n]);
	return any;
}

static void
settle(const struct ctr_domain *domain)
{
	(void)drain(domain);
}

/* ---- of the calling lcore ---- */

static void
flush_own(const struct ctr_ring_kind *kind, struct ctr_ring *ring, enum ctr_flush how)
{
	switch (how) {
	case CTR_BURST_END:
		ctr_ring_burst_end(kind, ring);
		break;
	case CTR_TRY_FLUSH:
		ctr_ring_try_drain(kind, ring);
		break;
	case CTR_FLUSH:
	default:
		(void)ctr_ring_drain(kind, ring);
		break;
	}
}

static void
flush_shared(const struct ctr_delta_ring *own, struct ctr_ring_share *share, enum ctr_flush how)
{
	switch (how) {
	case CTR_BURST_END:
		ctr_shared_ring_burst_end(&own->shape, own->ring, share, own->hints, own->apply);
		break;
	case CTR_TRY_FLUSH:
		ctr_shared_ring_try_drain(&own->shape, own->ring, own->apply);
		break;
	case CTR_FLUSH:
	default:
		(void)ctr_shared_ring_drain(&own->shape, own->ring, own->apply);
		break;
	}
}

static void
flush(const struct ctr_domain *domain, enum ctr_flush how)
{
	const struct ctr_delta_ring *own = own_of(domain);
	void *held = ctr_slots_own(domain->held);

	if (held == NULL)
		return;
	if (own->kind != NULL)
		flush_own(own->kind, (struct ctr_ring *)held, how);
	else
		flush_shared(own, (struct ctr_ring_share *)held, how);
}

static void
section(const struct ctr_domain *domain, bool begin)
{
	if (begin)
		flush(domain, CTR_FLUSH);
}

void *
ctr_delta_ring_room(const struct ctr_delta_ring *own, struct ctr_ring_taken *taken)
{
	unsigned int spins = 0;
	void *entry;

	while (entry = ctr_shared_ring_next(&own->shape, own->ring, taken), taken->n == 0) {
		if (ctr_shared_ring_waits_for_caller(&own->shape, own->ring))
			return NULL;
		ctr_shared_ring_try_drain(&own->shape, own->ring, own->apply);
		ctr_spin_wait(&spins);
	}
	return entry;
}

/* ---- of the module ---- */

uint64_t
ctr_delta_ring_lost(const struct ctr_domain *domain)
{
	const struct ctr_delta_ring *own = own_of(domain);
	const uint32_t num = ctr_load_acquire(&domain->held->num);
	uint64_t lost = own->kind == NULL ? ctr_load64(&own->ring->lost) : 0;
	uint32_t n;

	for (n = 0; n < num; n++) {
		const void *held = domain->held->copy[n];

		lost += own->kind != NULL ? ctr_load64(&((const struct ctr_ring *)held)->lost) :
					    ctr_load64(&((const struct ctr_ring_share *)held)->lost);
	}
	return lost;
}

static void
anew(const struct ctr_domain *domain)
{
	const struct ctr_delta_ring *own = own_of(domain);

	if (own->kind == NULL)
		memset(own->ring, 0, own->size);
}

/* The lcore id has a thread again. */
static void
adopt(const struct ctr_domain *domain, void *ring, unsigned int lcore)
{
	(void)lcore;
	if (own_of(domain)->kind != NULL)
		ctr_store32(&((struct ctr_ring *)ring)->left, 0);
}

/* A thread leaves. Under locks of the port: never waits. */
static void
leave(const struct ctr_domain *domain, void *ring, unsigned int lcore)
{
	const struct ctr_delta_ring *own = own_of(domain);

	(void)lcore;
	if (own->kind != NULL)
		ctr_ring_leave(own->kind, (struct ctr_ring *)ring);
	else
		ctr_shared_ring_leave(&own->shape, own->ring, own->apply);
}

const struct ctr_strategy ctr_strategy_delta_ring = {
	.section = section,
	.poll = drain,
	.settle = settle,
	.flush = flush,
	.anew = anew,
	.adopt = adopt,
	.leave = leave,
};
