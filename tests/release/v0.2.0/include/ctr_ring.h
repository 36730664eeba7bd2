/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * A ring of records from one lcore to whoever applies them.
 *
 * The lcore appends one record for each update; any other thread, and the lcore itself, drains the
 * ring: applies what is in it, one thread at a time. Positions are bytes from the beginning of the
 * memory. A record takes whole units of 16 bytes and is never split: it begins so far from the end
 * that the largest one fits, and where the next one would not, it begins at 0 again.
 *
 * The lcore looks at how far the ring is drained only when it comes to where it knew of room last,
 * or to the end of the memory; so an append loads no line that others write. Zeroed memory is an
 * empty ring.
 */
#ifndef CTR_RING_H
#define CTR_RING_H

#include "ctr_port.h"
#include "ctr_slots.h"
#include "ctr_wb.h"
#include "ctr_word.h"

/** Bytes of records for whose lines who drains asks before it comes to them. */
#define CTR_RING_AHEAD CTR_WB_BYTES(32)

/** Who drains a ring. */
enum ctr_ring_who {
	CTR_RING_NOBODY, /**< The ring may be taken. */
	CTR_RING_OTHER,  /**< A thread that is not the ring's lcore. */
	CTR_RING_OWNER,  /**< The ring's lcore. */
};

/** The ring of an lcore; its records follow it in memory. */
struct ctr_ring {
	uint32_t sent;  /**< Where the next record begins; written by the lcore. */
	uint32_t limit; /**< There is room for a record up to here; of the lcore. */
	uint64_t lost;  /**< Updates that were dropped; written by the lcore. */
	uint32_t done CTR_CACHE_ALIGNED; /**< What is before is drained; written by who drains. */
	uint32_t who;                    /**< An enum ctr_ring_who. */
	uint32_t left;                   /**< 1 while no thread is the ring's lcore. */
};

/** Parameters of all rings of a module. */
struct ctr_ring_kind {
	uint32_t last;    /**< Where a record begins at most: bytes of memory less the largest. */
	uint32_t largest; /**< Bytes of the largest record. */
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

/** Wait until there is room: for who drains the ring, or drain it. Of the ring's lcore. */
void ctr_ring_wait(const struct ctr_ring_kind *kind, struct ctr_ring *ring) CTR_COLD;

/** Apply all that was sent before; waits for who does so already. Any thread. */
void ctr_ring_drain(const struct ctr_ring_kind *kind, struct ctr_ring *ring, bool mine);

/** The same, unless somebody does so already. */
void ctr_ring_try_drain(const struct ctr_ring_kind *kind, struct ctr_ring *ring, bool mine);

/** The owner of the ring leaves: what it has sent is applied at once, or by who drains the ring at
 * the moment, before they go on. Waits for nobody. */
void ctr_ring_leave(const struct ctr_ring_kind *kind, struct ctr_ring *ring);

/** In a child of fork() only the caller is left, who drains nothing. */
void ctr_ring_mend(const struct ctr_slots *slots);

/** The ring gets a new owner; the former one may have ended while it drained the ring. */
void ctr_ring_adopt(struct ctr_ring *ring);

#ifdef __cplusplus
}
#endif

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

/** Apply an add to one word, which other threads write too. */
static inline void
ctr_ring_apply_add(const struct ctr_wb_add *add)
{
	if (ctr_likely((add->what & 1) == 0))
		ctr_atomic_add64((uint64_t *)(uintptr_t)add->what, add->n);
	else
		ctr_atomic_add32((uint32_t *)(uintptr_t)(add->what - 1), (uint32_t)add->n);
}

#endif /* CTR_RING_H */
