/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Rings of records in front of the only copy (`delta_ring`), of an lcore or shared by all.
 *
 * The lcore appends a record for each update. The consumer is any thread, one at a time, that
 * drains the ring. If it exits during a drain, the next one applies its last batch again, which may
 * count twice. Records take whole units of 16 bytes and are never split: a record begins where the
 * largest fits, else at 0 again. The lcore checks how far the ring is drained only at its cached
 * limit, so an append loads no line that others write. At every `hints` ends of a burst it drains
 * records from before its previous check that are still there. Zeroed memory is an empty ring. */
#ifndef CTR_RING_H
#define CTR_RING_H

#include "ctr_pi.h"
#include "ctr_port.h"
#include "ctr_slots.h"
#include "ctr_wb.h"
#include "ctr_word.h"

/** Bytes of records whose lines the consumer prefetches. */
#define CTR_RING_AHEAD CTR_WB_BYTES(32)

/** The ring of an lcore; its records follow it in memory. */
struct ctr_ring {
	uint32_t sent;  /**< Where the next record begins; written by the lcore. */
	uint32_t limit; /**< There is room for a record up to here; of the lcore. */
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
	/** Apply the records of @p ring from `done` on to @p end, and move `done`, in batches. */
	void (*apply)(struct ctr_ring *ring, uint32_t end);
};

/* ---- a ring that all lcores share ---- */

/** The entry is sent: the other bits are its kind. */
#define CTR_RING_SENT (UINT64_C(1) << 63)
/** The entry is taken: the low half is the id of the thread. */
#define CTR_RING_TAKEN (UINT64_C(1) << 62)

/** A ring; its entries follow it in memory. */
struct ctr_shared_ring {
	uint64_t in;                    /**< The next position to take. */
	uint64_t out CTR_CACHE_ALIGNED; /**< Before it all is drained; written by the consumer. */
	uint64_t lost;                  /**< Entries that were skipped; written by the consumer. */
	uint32_t consumer;              /**< For ctr_ring_consume(). */
};

/** An lcore's state of the ring, on its own cache line. Zero-initialise. */
struct ctr_ring_share {
	uint64_t mark;  /**< `in` at its previous look. */
	uint32_t calls; /**< Ends of bursts since then. */
} CTR_CACHE_ALIGNED;

/** Apply an entry: CTR_WB_RECORD(), or an address as in struct ctr_wb_add. */
typedef void (*ctr_shared_ring_apply)(uint64_t what, const void *entry);

/* ---- the strategy `delta_ring` ---- */

/** `own` of such a domain. */
struct ctr_delta_ring {
	struct ctr_ring_kind kind;        /**< Of rings of lcores; `largest`, `hints` of either. */
	struct ctr_shared_ring *ring;     /**< The one that they share instead; else NULL. */
	size_t size;                      /**< Bytes of it with them. */
	uint32_t entries;                 /**< How many it has: a power of two, at least 2. */
	ctr_shared_ring_apply apply;      /**< Applies an entry. */
};

CTR_C_BEGIN

/** Update the cached limit; false: the ring is full. Called by the ring's lcore. */
bool ctr_ring_update_limit(const struct ctr_ring_kind *kind, struct ctr_ring *ring) CTR_COLD;

/** Become the consumer of a ring, whose id is in *@p consumer, unless a running thread is the
 * consumer, the caller included; one that has exited is replaced. Never waits; every 128th of
 * @p spins costs a system call. */
bool ctr_ring_consume(uint32_t *consumer, unsigned int spins);

/** The same, and with @p waits wait for another consumer. */
bool ctr_ring_consume_now(uint32_t *consumer, bool waits);

/** Undo that; earlier stores of the caller are visible to the next consumer. */
#define ctr_ring_consumed(consumer) ctr_store_release(consumer, 0u)

/** Apply all records sent before; returns whether there were any. Waits for another consumer, or
 * does nothing. Any thread; no effect in a signal handler of the consumer. */
bool ctr_ring_drain(const struct ctr_ring_kind *kind, struct ctr_ring *ring, bool waits);

/** Apply records sent before the previous call of this function. Called by the ring's lcore; never
 * waits: while another thread drains, the next ctr_ring_burst_end() calls this again. */
void ctr_ring_look(const struct ctr_ring_kind *kind, struct ctr_ring *ring) CTR_COLD;

/** ctr_ring_drain() of the shared ring: entries that are taken but not sent stay, but those of
 * thread @p gone, which leaves, are lost; 0: none. Whether the ring had any entry. */
bool ctr_shared_ring_drain(const struct ctr_delta_ring *own, uint32_t gone, bool waits);

/** End a burst of an lcore. Never waits. After 2 * `hints` calls all its earlier records are
 * applied or being applied. */
void ctr_shared_ring_burst_end(const struct ctr_delta_ring *own, struct ctr_ring_share *share);

/** Take an entry to fill; NULL if the ring is full. Any thread; never waits. */
void *ctr_shared_ring_next(const struct ctr_delta_ring *own);

/** Send an add of @p n to a word, @p what as in struct ctr_wb_add, where the ring of the lcore is
 * full or shared. Without room now, add atomically. */
void ctr_delta_ring_add(const struct ctr_delta_ring *own, void *held, uintptr_t what,
			uint64_t n) CTR_COLD;

/** Location of the calling lcore's next record, in its ring or the shared ring. Never waits. NULL
 * if there is no room. */
void *ctr_delta_ring_room(const struct ctr_delta_ring *own, void *held) CTR_COLD;

CTR_C_END

/** End a burst of the ring's lcore. Never waits. After 2 * `hints` calls all earlier records are
 * applied or being applied. */
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

/** Location of the next record, if ctr_ring_has_room(); ctr_ring_send() follows. */
static inline void *
ctr_ring_next(struct ctr_ring *ring)
{
	return ctr_ring_at(ring, ring->sent);
}

/** Whether there is room for a record, as far as the lcore knows; else ctr_ring_update_limit(). */
static inline bool
ctr_ring_has_room(const struct ctr_ring *ring)
{
	return ctr_likely(ring->sent <= ring->limit);
}

/** Send the record at ctr_ring_next(); its @p size is CTR_WB_SIZE() of it. */
static inline void
ctr_ring_send(struct ctr_ring *ring, uint32_t size)
{
	ctr_store_release(&ring->sent, ring->sent + size);
}

/** Send an add to one word, if there is room; @p what as in struct ctr_wb_add. */
static inline void
ctr_ring_send_add(struct ctr_ring *ring, uintptr_t what, uint64_t n)
{
	struct ctr_wb_add *record = (struct ctr_wb_add *)ctr_ring_next(ring);

	record->what = what;
	record->n = n;
	ctr_ring_send(ring, CTR_WB_SIZE(*record));
}

/** Apply an add to one word, which other threads also write; @p what as in struct ctr_wb_add. */
static inline void
ctr_ring_apply_add(uint64_t what, uint64_t n)
{
	if (ctr_likely((what & 1) == 0))
		ctr_atomic_add64((uint64_t *)what, n);
	else
		ctr_atomic_add32((uint32_t *)(what - 1), (uint32_t)n);
}

/** Send that entry, whose other words are filled; @p what is its first word. */
static inline void
ctr_shared_ring_send(void *entry, uint64_t what)
{
	ctr_store_release((uint64_t *)entry, CTR_RING_SENT | what);
}

#endif /* CTR_RING_H */
