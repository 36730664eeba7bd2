/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * A ring of records with one producer, an lcore.
 *
 * The lcore appends one record for each update. The consumer is any thread, the lcore included,
 * that drains the ring: applies what is in it, one thread at a time. If it ends while it drains,
 * the next consumer replaces it and applies its last batch again, which may count twice.
 *
 * Positions are bytes from the beginning of the memory. A record takes whole units of 16 bytes and
 * is never split: where the largest one would not fit, the next begins at 0 again. The lcore loads
 * how far the ring is drained only when it comes to where it knew of room last. Zeroed memory is an
 * empty ring.
 */
#ifndef CTR_RING_H
#define CTR_RING_H

#include "ctr_pi.h"
#include "ctr_port.h"
#include "ctr_slots.h"
#include "ctr_wb.h"
#include "ctr_word.h"

/** Bytes of records for whose lines who drains asks before it comes to them. */
#define CTR_RING_AHEAD CTR_WB_BYTES(32)

/** The ring of an lcore; its records follow it in memory. */
struct ctr_ring {
	uint32_t sent;  /**< Where the next record begins; written by the lcore. */
	uint32_t limit; /**< There is room for a record up to here; of the lcore. */
	uint64_t lost;  /**< Updates that were dropped; written by the lcore. */
	uint64_t mark;  /**< `turn` and `sent` at the lcore's previous look; of the lcore. */
	uint32_t turn;  /**< How often `sent` began at 0 again; of the lcore. */
	uint32_t calls; /**< Ends of bursts since the lcore looked; of the lcore. */
	uint64_t drained CTR_CACHE_ALIGNED; /**< All before is applied: a mark; the consumer's. */
	uint32_t done;                   /**< What is before is drained; of the consumer. */
	uint32_t consumer;               /**< For ctr_ring_consume(). */
	uint32_t left;                   /**< 1 while no thread is the ring's lcore. */
};

/** Parameters of all rings of a module. */
struct ctr_ring_kind {
	uint32_t last;    /**< Where a record begins at most: bytes of memory less the largest. */
	uint32_t largest; /**< Bytes of the largest record. */
	uint32_t hints;   /**< Ends of bursts between two looks of an lcore. */
	/** Apply the records of @p ring from `done` on to @p end, and set `done` behind what is
	 * applied, in batches. */
	void (*apply)(struct ctr_ring *ring, uint32_t end);
};

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Look again whether there is room for a record. Of the ring's lcore.
 *
 * @return false if the ring is full
 */
bool ctr_ring_renew(const struct ctr_ring_kind *kind, struct ctr_ring *ring) CTR_COLD;

/**
 * Become the consumer of a ring, unless another thread is, or the caller already. One that has
 * ended is replaced, whose id stays there. Any thread; never waits.
 *
 * @param consumer the id of the consumer, 0 if there is none
 * @param spins how often the caller has waited for it: every 128th time it costs a system call
 */
bool ctr_ring_consume(uint32_t *consumer, unsigned int spins);

/** Undo that; what the caller has done before is visible to the next. */
static inline void
ctr_ring_consumed(uint32_t *consumer)
{
	ctr_store_release(consumer, 0u);
}

/**
 * Wait until there is room: for the consumer, or drain the ring. Of the ring's lcore.
 *
 * @return false if the caller is the consumer, in a drain that it does not end meanwhile: it runs a
 *   signal handler, or what is left to do of a thread that ends
 */
bool ctr_ring_wait(const struct ctr_ring_kind *kind, struct ctr_ring *ring) CTR_COLD;

/** Apply all that was sent before, and return whether anything was. Waits for another consumer. Any
 * thread; a signal handler that interrupts the consumer does nothing here. */
bool ctr_ring_drain(const struct ctr_ring_kind *kind, struct ctr_ring *ring);

/** The same, unless there is a consumer. */
void ctr_ring_try_drain(const struct ctr_ring_kind *kind, struct ctr_ring *ring);

/**
 * Apply what was sent before the previous call of this function, if it is still in the ring. Of the
 * ring's lcore; never waits. While another thread drains the ring, its next ctr_ring_burst_end()
 * calls this again.
 */
void ctr_ring_look(const struct ctr_ring_kind *kind, struct ctr_ring *ring) CTR_COLD;

/** The owner of the ring leaves: what it has sent is applied by it, or by the consumer of the
 * moment. Never waits. */
void ctr_ring_leave(const struct ctr_ring_kind *kind, struct ctr_ring *ring);

#ifdef __cplusplus
}
#endif

/**
 * End a burst of the ring's lcore. Never waits. After 2 * `hints` calls all that was sent before
 * them is applied, or another thread is applying it.
 */
static inline void
ctr_ring_burst_end(const struct ctr_ring_kind *kind, struct ctr_ring *ring)
{
	if (ctr_unlikely(++ring->calls >= kind->hints))
		ctr_ring_look(kind, ring);
}

/** The record at a position. */
static inline void *
ctr_ring_at(struct ctr_ring *ring, uint32_t at)
{
	return (char *)(ring + 1) + at;
}

/** Where the next record is written, if ctr_ring_has_room(); ctr_ring_send() follows. */
static inline void *
ctr_ring_next(struct ctr_ring *ring)
{
	return ctr_ring_at(ring, ring->sent);
}

/** Whether there is room for a record, as far as the lcore knows; else ctr_ring_renew(). */
static inline bool
ctr_ring_has_room(const struct ctr_ring *ring)
{
	return ctr_likely(ring->sent <= ring->limit);
}

/** Send the record at ctr_ring_next(), of so many bytes: of CTR_WB_SIZE(). */
static inline void
ctr_ring_send(struct ctr_ring *ring, uint32_t size)
{
	ctr_store_release(&ring->sent, ring->sent + size);
}

/** Send an add to one word, where there is room; @p what as in struct ctr_wb_add. */
static inline void
ctr_ring_send_add(struct ctr_ring *ring, uintptr_t what, uint64_t n)
{
	struct ctr_wb_add *record = (struct ctr_wb_add *)ctr_ring_next(ring);

	record->what = what;
	record->n = n;
	ctr_ring_send(ring, CTR_WB_SIZE(*record));
}

/** Apply an add to one word, which other threads write too; @p what as in struct ctr_wb_add. */
static inline void
ctr_ring_apply_add(uint64_t what, uint64_t n)
{
	if (ctr_likely((what & 1) == 0))
		ctr_atomic_add64((uint64_t *)what, n);
	else
		ctr_atomic_add32((uint32_t *)(what - 1), (uint32_t)n);
}

#endif /* CTR_RING_H */
