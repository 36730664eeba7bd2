/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * A ring of entries that any number of threads fill, and one consumer at a time drains.
 *
 * A producer takes an entry with a compare-and-swap of its first word, which names the thread, and
 * stores what it sends there last. The consumer applies what is sent behind an entry that is only
 * taken, and leaves that one to a later drain; one whose thread has ended is skipped and counted as
 * lost, which rte_ring cannot do.
 *
 * Entries are all of one size; positions count them and never wrap. The first word of an entry is
 *
 * - the first position of a turn of the ring: free for that turn
 * - CTR_RING_TAKEN and the id of a thread (ctr_pi_me()): taken by a producer, or being applied by a
 *   consumer
 * - CTR_RING_TAKEN and 0: drained, but not yet free
 * - CTR_RING_SENT and what it is
 *
 * Zeroed memory is an empty ring.
 */
#ifndef CTR_RING_SHARED_H
#define CTR_RING_SHARED_H

#include "ctr_pi.h"
#include "ctr_port.h"
#include "ctr_word.h"

/** The entry is sent: the other bits say what it is. */
#define CTR_RING_SENT (UINT64_C(1) << 63)
/** The entry is taken: the low half is the id of the thread. */
#define CTR_RING_TAKEN (UINT64_C(1) << 62)

/** No position: the ring is full. */
#define CTR_RING_FULL UINT64_MAX

/** A ring; its entries follow it in memory. */
struct ctr_shared_ring {
	uint64_t in;                    /**< The next position to take. */
	uint64_t out CTR_CACHE_ALIGNED; /**< Before it all is drained; written by the consumer. */
	uint64_t lost;                  /**< Entries that were skipped; written by the consumer. */
	uint32_t consumer;              /**< For ctr_ring_consume(). */
};

/** What a ring is like; constants in generated code. */
struct ctr_ring_shape {
	uint32_t entries; /**< A power of two, at least 2. */
	uint32_t bytes;   /**< Of an entry. */
};

/** What an lcore knows of the ring; on a line of its own. Zeroed memory is a new one. */
struct ctr_ring_share {
	uint64_t lost;  /**< Updates of the lcore that were dropped; written by it. */
	uint64_t mark;  /**< `in` at its previous look. */
	uint32_t calls; /**< Ends of bursts since then. */
} CTR_CACHE_ALIGNED;

/** Apply what an entry holds: CTR_WB_RECORD(), or an address as in struct ctr_wb_add. */
typedef void (*ctr_shared_ring_apply)(uint64_t what, const void *entry);

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Apply what has been sent until now; waits for another consumer. What is taken only is left to the
 * next drain. Any thread; a signal handler that interrupts the consumer does nothing here.
 *
 * @return whether the ring had any entry
 */
bool ctr_shared_ring_drain(const struct ctr_ring_shape *shape, struct ctr_shared_ring *ring,
			   ctr_shared_ring_apply apply);

/** The same, unless there is a consumer: never waits. */
void ctr_shared_ring_try_drain(const struct ctr_ring_shape *shape, struct ctr_shared_ring *ring,
			       ctr_shared_ring_apply apply);

/**
 * Whether a full ring has no room before the caller goes on where it was cut: in a drain, or in an
 * update whose entry is the first. It runs a signal handler, or what is left to do of a thread that
 * ends.
 */
bool ctr_shared_ring_waits_for_caller(const struct ctr_ring_shape *shape,
				      struct ctr_shared_ring *ring);

/**
 * End a burst of an lcore. Never waits. After 2 * @p hints calls all that it sent before them is
 * applied, or another thread is applying it.
 */
void ctr_shared_ring_burst_end(const struct ctr_ring_shape *shape, struct ctr_shared_ring *ring,
			       struct ctr_ring_share *share, uint32_t hints,
			       ctr_shared_ring_apply apply);

/** The same, by a thread that leaves: what it has taken and not sent is lost. Never waits. */
void ctr_shared_ring_leave(const struct ctr_ring_shape *shape, struct ctr_shared_ring *ring,
			   ctr_shared_ring_apply apply);

/**
 * Where to try next after the entry at @p at was not free. Any thread; never waits.
 *
 * @return a position, or CTR_RING_FULL
 */
uint64_t ctr_shared_ring_retry(struct ctr_ring_shape shape, struct ctr_shared_ring *ring,
			       uint64_t at) CTR_COLD;

#ifdef __cplusplus
}
#endif

/** The entry at a position. */
static inline void *
ctr_shared_ring_at(const struct ctr_ring_shape *shape, struct ctr_shared_ring *ring, uint64_t at)
{
	return (char *)(ring + 1) + (at & (shape->entries - 1)) * shape->bytes;
}

/** The first word of an entry that is free for the turn of a position. */
static inline uint64_t
ctr_shared_ring_free(const struct ctr_ring_shape *shape, uint64_t at)
{
	return at & ~(uint64_t)(shape->entries - 1);
}

/** The entry at a position is taken: go to the next one, unless another thread has. */
static inline void
ctr_shared_ring_pass(struct ctr_shared_ring *ring, uint64_t at)
{
	/* Release: who sees that sees the entry at least taken. */
	(void)__atomic_compare_exchange_n(&ring->in, &at, at + 1, false, __ATOMIC_RELEASE,
					  __ATOMIC_RELAXED);
}

/** Take an entry to fill; NULL if the ring is full. Any thread. */
static inline void *
ctr_shared_ring_next(const struct ctr_ring_shape *shape, struct ctr_shared_ring *ring)
{
	const uint64_t mine = CTR_RING_TAKEN | ctr_pi_me();
	uint64_t at = ctr_load64(&ring->in);

	do {
		uint64_t *entry = (uint64_t *)ctr_shared_ring_at(shape, ring, at);
		uint64_t word = ctr_shared_ring_free(shape, at);

		if (ctr_likely(__atomic_compare_exchange_n(entry, &word, mine, false,
							   __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))) {
			ctr_shared_ring_pass(ring, at);
			return entry;
		}
		at = ctr_shared_ring_retry(*shape, ring, at);
	} while (at != CTR_RING_FULL);
	return NULL;
}

/** Send that entry, whose other words are filled; @p what is its first word. */
static inline void
ctr_shared_ring_send(void *entry, uint64_t what)
{
	ctr_store_release((uint64_t *)entry, CTR_RING_SENT | what);
}

#endif /* CTR_RING_SHARED_H */
