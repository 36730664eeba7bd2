/* SPDX-License-Identifier: BSD-3-Clause */
#include "ctr_ring.h"

/* Two positions that are the same are an empty ring, so that a full one has a unit left. */
#define APART 16u

bool
ctr_ring_update_limit(const struct ctr_ring_kind *kind, struct ctr_ring *ring)
{
	const uint32_t done = ctr_load_acquire(&ring->done);
	uint32_t at = ring->sent, limit;

	if (done <= at && at <= kind->last) {
		ring->limit = kind->last;
		return true;
	}
	if (done <= at)
		at = 0;
	/* The last position from which the largest record ends before `done`, if there is one. */
	limit = done - kind->largest - APART;
	if (done < kind->largest + APART || at > limit)
		return false;
	/* Who drains goes to the beginning, too, when it comes to the end. */
	if (at != ring->sent) {
		ring->turn++;
		ctr_store_release(&ring->sent, at);
	}
	ring->limit = limit;
	return true;
}

bool
ctr_ring_consume(uint32_t *consumer, unsigned int spins)
{
	uint32_t former = ctr_load32(consumer);

	if (former != 0 && ((spins & 127u) != 0 || !ctr_pi_ended(former)))
		return false;
	return __atomic_compare_exchange_n(consumer, &former, ctr_pi_me(), false, __ATOMIC_ACQUIRE,
					   __ATOMIC_RELAXED);
}

bool
ctr_ring_consume_now(uint32_t *consumer, bool waits)
{
	unsigned int spins = 0;

	while (!ctr_ring_consume(consumer, spins)) {
		if (!waits || ctr_load32(consumer) == ctr_pi_me())
			return false;
		ctr_spin_wait(&spins);
	}
	return true;
}

/* Whether there was anything. */
static bool
drain(const struct ctr_ring_kind *kind, struct ctr_ring *ring)
{
	const uint32_t sent = ctr_load_acquire(&ring->sent), done = ctr_load32(&ring->done);
	uint64_t turn = ring->drained >> 32;

	if (sent < done) {
		kind->apply(ring, kind->last + 1);
		ctr_store_release(&ring->done, 0);
		turn++;
	}
	kind->apply(ring, sent);
	/* Should the caller end before, a turn is missing here: then each look drains. */
	ctr_store64(&ring->drained, turn << 32 | sent);
	return sent != done;
}

/* An lcore that leaves sets `left` and then tries to become the consumer; a consumer ends and then
 * loads `left`. With the fences in between one of the two sees the other. */
static bool
drain_and_end(const struct ctr_ring_kind *kind, struct ctr_ring *ring)
{
	bool any = false;

	do {
		any |= drain(kind, ring);
		ctr_ring_consumed(&ring->consumer);
		ctr_fence(__ATOMIC_SEQ_CST);
	} while (ctr_unlikely(ctr_load32(&ring->left) != 0) &&
		 ctr_load32(&ring->sent) != ctr_load32(&ring->done) &&
		 ctr_ring_consume(&ring->consumer, 1));
	return any;
}

bool
ctr_ring_drain(const struct ctr_ring_kind *kind, struct ctr_ring *ring, bool waits)
{
	return ctr_ring_consume_now(&ring->consumer, waits) && drain_and_end(kind, ring);
}

void
ctr_ring_look(const struct ctr_ring_kind *kind, struct ctr_ring *ring)
{
	/* Behind a look that found another consumer all is drained: some of it may be as old. */
	if (ring->calls > kind->hints || (int64_t)(ctr_load64(&ring->drained) - ring->mark) < 0) {
		if (!ctr_ring_consume(&ring->consumer, ring->calls))
			return;
		(void)drain_and_end(kind, ring);
	}
	ring->calls = 0;
	ring->mark = (uint64_t)ring->turn << 32 | ring->sent;
}
