/* SPDX-License-Identifier: BSD-3-Clause */
#include "ctr_ring.h"

/* Two positions that are the same are an empty ring, so that a full one has a unit left. */
#define APART 16u

/* The last position from which the largest record ends before `done`; UINT32_MAX: none. */
static uint32_t
before(const struct ctr_ring_kind *kind, uint32_t done)
{
	return done < kind->largest + APART ? UINT32_MAX : done - kind->largest - APART;
}

bool
ctr_ring_renew(const struct ctr_ring_kind *kind, struct ctr_ring *ring)
{
	const uint32_t done = ctr_load_acquire(&ring->done);
	uint32_t at = ring->sent, limit;

	if (done <= at && at <= kind->last) {
		ring->limit = kind->last;
		return true;
	}
	if (done <= at)
		at = 0;
	limit = before(kind, done);
	if (limit == UINT32_MAX || at > limit)
		return false;
	/* Who drains goes to the beginning, too, when it comes to the end. */
	if (at != ring->sent)
		ctr_store_release(&ring->sent, at);
	ring->limit = limit;
	return true;
}

static bool
try_take(struct ctr_ring *ring, enum ctr_ring_who who)
{
	uint32_t nobody = CTR_RING_NOBODY;

	return ctr_load32(&ring->who) == CTR_RING_NOBODY &&
		__atomic_compare_exchange_n(&ring->who, &nobody, (uint32_t)who, false,
					    __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static void
drain(const struct ctr_ring_kind *kind, struct ctr_ring *ring)
{
	const uint32_t sent = ctr_load_acquire(&ring->sent);

	if (sent < ring->done) {
		kind->apply(ring, kind->last + 1);
		ctr_store_release(&ring->done, 0);
	}
	kind->apply(ring, sent);
}

static void
give_back(struct ctr_ring *ring)
{
	ctr_store_release(&ring->who, (uint32_t)CTR_RING_NOBODY);
}

/* The caller has taken the ring. An lcore that leaves while somebody drains says so and then tries
 * to take the ring; who gives it back does so and then looks whether it has left. The fences
 * between have one of the two see the other.
 */
static void
drain_and_give_back(const struct ctr_ring_kind *kind, struct ctr_ring *ring, enum ctr_ring_who who)
{
	do {
		drain(kind, ring);
		give_back(ring);
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
	} while (ctr_unlikely(ctr_load32(&ring->left) != 0) &&
		 ctr_load32(&ring->sent) != ctr_load32(&ring->done) && try_take(ring, who));
}

void
ctr_ring_wait(const struct ctr_ring_kind *kind, struct ctr_ring *ring)
{
	unsigned int spins = 0;

	while (!ctr_ring_renew(kind, ring)) {
		if (try_take(ring, CTR_RING_OWNER))
			drain_and_give_back(kind, ring, CTR_RING_OWNER);
		else
			ctr_spin_wait(&spins);
	}
}

void
ctr_ring_drain(const struct ctr_ring_kind *kind, struct ctr_ring *ring, bool mine)
{
	const enum ctr_ring_who who = mine ? CTR_RING_OWNER : CTR_RING_OTHER;
	unsigned int spins = 0;

	while (!try_take(ring, who))
		ctr_spin_wait(&spins);
	drain_and_give_back(kind, ring, who);
}

void
ctr_ring_try_drain(const struct ctr_ring_kind *kind, struct ctr_ring *ring, bool mine)
{
	const enum ctr_ring_who who = mine ? CTR_RING_OWNER : CTR_RING_OTHER;

	if (try_take(ring, who))
		drain_and_give_back(kind, ring, who);
}

void
ctr_ring_leave(const struct ctr_ring_kind *kind, struct ctr_ring *ring)
{
	ctr_store32(&ring->left, 1);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	ctr_ring_try_drain(kind, ring, true);
}

void
ctr_ring_adopt(struct ctr_ring *ring)
{
	ctr_store32(&ring->left, 0);
	if (ctr_load32(&ring->who) == CTR_RING_OWNER)
		give_back(ring);
}

void
ctr_ring_mend(const struct ctr_slots *slots)
{
	unsigned int lcore;

	CTR_SLOTS_FOREACH(lcore, slots)
		give_back((struct ctr_ring *)ctr_slots_get(slots, lcore));
}
