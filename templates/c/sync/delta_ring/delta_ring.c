/* SPDX-License-Identifier: BSD-3-Clause */
/* Lcores send records; the thread that drains their ring applies them to the only copy. */
#include "ctr_ring.h"
#include "ctr_strategy.h"

/* Apply all sent records; whether there were any. Waits for another consumer. */
static bool
delta_drain(const struct ctr_domain *domain)
{
	const struct ctr_delta_ring *own = domain->own;
	uint32_t num;
	bool any = false;

	if (own->ring != NULL)
		return ctr_shared_ring_drain(own, 0, true);
	num = ctr_load_acquire(&domain->held->num);
	for (uint32_t n = 0; n < num; n++)
		any |= ctr_ring_drain(&own->kind, (struct ctr_ring *)domain->held->copy[n], true);
	return any;
}

/* ---- of the calling lcore ---- */

static void
delta_flush(const struct ctr_domain *domain, enum ctr_flush how)
{
	const struct ctr_delta_ring *own = domain->own;
	void *held = ctr_slots_own(domain->held);

	if (held == NULL)
		return;
	if (own->ring == NULL && how == CTR_BURST_END)
		ctr_ring_burst_end(&own->kind, (struct ctr_ring *)held);
	else if (own->ring == NULL)
		(void)ctr_ring_drain(&own->kind, (struct ctr_ring *)held, how == CTR_FLUSH);
	else if (how == CTR_BURST_END)
		ctr_shared_ring_burst_end(own, (struct ctr_ring_share *)held);
	else
		(void)ctr_shared_ring_drain(own, 0, how == CTR_FLUSH);
}

void *
ctr_delta_ring_room(const struct ctr_delta_ring *own, void *held)
{
	struct ctr_ring *ring = (struct ctr_ring *)held;

	if (own->ring != NULL)
		return ctr_shared_ring_next(own);
	if (!ctr_ring_has_room(ring) && !ctr_ring_update_limit(&own->kind, ring))
		return NULL;
	return ctr_ring_next(ring);
}

void
ctr_delta_ring_add(const struct ctr_delta_ring *own, void *held, uintptr_t what, uint64_t n)
{
	struct ctr_wb_add *record = (struct ctr_wb_add *)ctr_delta_ring_room(own, held);

	if (record == NULL) {
		ctr_ring_apply_add(what, n);
	} else if (own->ring != NULL) {
		record->n = n;
		ctr_shared_ring_send(record, what);
	} else {
		ctr_ring_send_add((struct ctr_ring *)held, what, n);
	}
}

/* ---- of the module ---- */

static void
delta_reinit(const struct ctr_domain *domain)
{
	const struct ctr_delta_ring *own = domain->own;

	if (own->ring != NULL)
		memset(own->ring, 0, own->size);
}

/* The lcore id has a thread again. */
static void
delta_takeover(const struct ctr_domain *domain, void *ring)
{
	const struct ctr_delta_ring *own = domain->own;

	if (own->ring == NULL)
		ctr_store32(&((struct ctr_ring *)ring)->left, 0);
}

/* A thread leaves: it applies its records, or the consumer does. Under locks of the port: never
 * waits. */
static void
delta_leave(const struct ctr_domain *domain, void *ring)
{
	const struct ctr_delta_ring *own = domain->own;

	if (own->ring != NULL) {
		(void)ctr_shared_ring_drain(own, ctr_pi_me(), false);
		return;
	}
	ctr_store32(&((struct ctr_ring *)ring)->left, 1);
	ctr_fence(__ATOMIC_SEQ_CST);
	(void)ctr_ring_drain(&own->kind, (struct ctr_ring *)ring, false);
}

const struct ctr_strategy ctr_strategy_delta_ring = {
	.poll = delta_drain,
	.flush = delta_flush,
	.reinit = delta_reinit,
	.takeover = delta_takeover,
	.leave = delta_leave,
};
