/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * A ring of deltas from one thread to another.
 */
#ifndef RING_H
#define RING_H

#include "ctr_lock.h"
#include "ctr_word.h"

/** What to add to a word. */
struct ring_delta {
	uint64_t what; /**< Address of the word; bit 0 is set for a word of 32 bits. */
	uint64_t n;    /**< The amount. */
};

/** The ring of an lcore. Positions count from the beginning. */
struct ring {
	uint64_t sent;                      /**< Written by the lcore. */
	uint64_t drained CTR_CACHE_ALIGNED; /**< Written by who drains. */
	struct ctr_spin draining;           /**< Who drains has it, and waits for nothing. */
	struct ring_delta delta[] CTR_CACHE_ALIGNED; /**< `size` of them. */
};

/** Send a delta; false if the ring is full. Of the ring's lcore. */
static inline bool
ring_send(struct ring *ring, uint32_t size, uintptr_t what, uint64_t n)
{
	uint64_t sent = ring->sent;

	if (ctr_unlikely(sent - ctr_load_acquire(&ring->drained) >= size))
		return false;
	ring->delta[sent % size].what = what;
	ring->delta[sent % size].n = n;
	ctr_store_release(&ring->sent, sent + 1);
	return true;
}

/** Apply all deltas. Any thread. */
static inline void
ring_drain(struct ring *ring, uint32_t size)
{
	uint64_t at, end;

	ctr_spin_lock(&ring->draining);
	end = ctr_load_acquire(&ring->sent);
	for (at = ring->drained; at < end; at++) {
		struct ring_delta *delta = &ring->delta[at % size];

		if ((delta->what & 1) == 0)
			ctr_atomic_add64((uint64_t *)(uintptr_t)delta->what, delta->n);
		else
			ctr_atomic_add32((uint32_t *)(uintptr_t)(delta->what - 1), (uint32_t)delta->n);
	}
	ctr_store_release(&ring->drained, at);
	ctr_spin_unlock(&ring->draining);
}

#endif /* RING_H */
