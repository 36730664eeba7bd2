/* SPDX-License-Identifier: BSD-3-Clause */
/* Records that lcores send are applied to the only copy by the thread that drains their ring. */
#include <string.h>

#include "ctr_ring.h"
#include "ctr_strategy.h"

static const struct ctr_delta_ring *
delta_own_of(const struct ctr_domain *domain)
{
	return (const struct ctr_delta_ring *)domain->own;
}

/* Apply what all lcores have sent; whether there was any. Waits for another consumer. */
static bool
delta_drain(const struct ctr_domain *domain)
{
	const struct ctr_delta_ring *own = delta_own_of(domain);
	uint32_t n, num;
	bool any = false;

	if (own->ring != NULL)
		return ctr_shared_ring_drain(&own->shape, own->ring, own->apply);
	num = ctr_load_acquire(&domain->held->num);
	for (n = 0; n < num; n++)
		any |= ctr_ring_drain(&own->kind, (struct ctr_ring *)domain->held->copy[n]);
	return any;
}

static void
delta_settle(const struct ctr_domain *domain)
{
	(void)delta_drain(domain);
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
delta_flush(const struct ctr_domain *domain, enum ctr_flush how)
{
	const struct ctr_delta_ring *own = delta_own_of(domain);
	void *held = ctr_slots_own(domain->held);

	if (held == NULL)
		return;
	if (own->ring == NULL)
		flush_own(&own->kind, (struct ctr_ring *)held, how);
	else
		flush_shared(own, (struct ctr_ring_share *)held, how);
}

static void
delta_section(const struct ctr_domain *domain, bool begin)
{
	if (begin)
		delta_flush(domain, CTR_FLUSH);
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

bool
ctr_delta_ring_renew(const struct ctr_delta_ring *own, struct ctr_ring *ring)
{
	if (own->full == CTR_DELTA_WAIT)
		return ctr_ring_wait(&own->kind, ring);
	return ctr_ring_renew(&own->kind, ring);
}

void
ctr_delta_ring_drop(const struct ctr_delta_ring *own, void *held, uint64_t n)
{
	if (own->ring == NULL)
		ctr_add64(&((struct ctr_ring *)held)->lost, n);
	else
		ctr_add64(&((struct ctr_ring_share *)held)->lost, n);
}

/* Send an add through the ring of all lcores; whether there was room. */
static bool
send_shared(const struct ctr_delta_ring *own, uintptr_t what, uint64_t n)
{
	struct ctr_ring_taken taken;
	struct ctr_wb_add *record = (struct ctr_wb_add *)(
		own->full == CTR_DELTA_WAIT ? ctr_delta_ring_room(own, &taken) :
					      ctr_shared_ring_next(&own->shape, own->ring, &taken));

	if (taken.n == 0)
		return false;
	record->n = n;
	ctr_shared_ring_send(&own->shape, own->ring, taken, what);
	return true;
}

void
ctr_delta_ring_add(const struct ctr_delta_ring *own, void *held, uintptr_t what, uint64_t n)
{
	if (own->ring != NULL) {
		if (send_shared(own, what, n))
			return;
	} else if (ctr_delta_ring_renew(own, (struct ctr_ring *)held)) {
		ctr_ring_send_add((struct ctr_ring *)held, what, n);
		return;
	}
	if (own->full == CTR_DELTA_DROP)
		ctr_delta_ring_drop(own, held, 1);
	else
		ctr_ring_apply_add(what, n);
}

/* ---- of the module ---- */

uint64_t
ctr_delta_ring_lost(const struct ctr_domain *domain)
{
	const struct ctr_delta_ring *own = delta_own_of(domain);
	const uint32_t num = ctr_load_acquire(&domain->held->num);
	uint64_t lost = own->ring != NULL ? ctr_load64(&own->ring->lost) : 0;
	uint32_t n;

	for (n = 0; n < num; n++) {
		const void *held = domain->held->copy[n];

		lost += own->ring == NULL ? ctr_load64(&((const struct ctr_ring *)held)->lost) :
					    ctr_load64(&((const struct ctr_ring_share *)held)->lost);
	}
	return lost;
}

static void
delta_anew(const struct ctr_domain *domain)
{
	const struct ctr_delta_ring *own = delta_own_of(domain);

	if (own->ring != NULL)
		memset(own->ring, 0, own->size);
}

/* The lcore id has a thread again. */
static void
delta_adopt(const struct ctr_domain *domain, void *ring, unsigned int lcore)
{
	(void)lcore;
	if (delta_own_of(domain)->ring == NULL)
		ctr_store32(&((struct ctr_ring *)ring)->left, 0);
}

/* A thread leaves. Under locks of the port: never waits. */
static void
delta_leave(const struct ctr_domain *domain, void *ring, unsigned int lcore)
{
	const struct ctr_delta_ring *own = delta_own_of(domain);

	(void)lcore;
	if (own->ring == NULL)
		ctr_ring_leave(&own->kind, (struct ctr_ring *)ring);
	else
		ctr_shared_ring_leave(&own->shape, own->ring, own->apply);
}

const struct ctr_strategy ctr_strategy_delta_ring = {
	.section = delta_section,
	.poll = delta_drain,
	.settle = delta_settle,
	.flush = delta_flush,
	.anew = delta_anew,
	.adopt = delta_adopt,
	.leave = delta_leave,
};
