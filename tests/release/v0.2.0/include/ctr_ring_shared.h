/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * A ring of entries that any number of threads fill and drain.
 *
 * Each end has a head, up to which entries are taken, and a tail, up to which those who took them
 * are done. Who fills looks at the tail of who drains, and the other way round. Three ways differ
 * in how the tail follows the head, as in DPDK's rte_ring:
 *
 * - CTR_RING_MPMC: in the order in which entries were taken. Who is done waits for those before.
 * - CTR_RING_HTS: only one thread is between head and tail. The next one waits to begin.
 * - CTR_RING_RTS: the last one who is done moves it, over all of them. Nobody waits; but when too
 *   much lies between head and tail, the ring counts as full, or as empty.
 *
 * Entries are all of one size; positions count them, modulo 2^32. An entry begins with a word that
 * is 0 while nothing is in it, and which is stored last: in a child of fork(), entries that a
 * thread which is not there had taken are passed over. Zeroed memory is an empty ring.
 */
#ifndef CTR_RING_SHARED_H
#define CTR_RING_SHARED_H

#include "ctr_port.h"
#include "ctr_word.h"

/** How the tail of an end follows its head. */
enum ctr_ring_mode {
	CTR_RING_MPMC, /**< In order. */
	CTR_RING_RTS,  /**< When all are done. */
	CTR_RING_HTS,  /**< One at a time. */
};

/**
 * One end of a ring. In `head` the low half is the position; of CTR_RING_HTS the high half is the
 * tail, of CTR_RING_RTS the number of times that entries were taken. In `tail` the low half is the
 * position, the high half of CTR_RING_RTS the number of those who are done.
 */
struct ctr_ring_end {
	uint64_t head; /**< What is taken. */
	uint64_t tail; /**< What is done; not of CTR_RING_HTS. */
} CTR_CACHE_ALIGNED;

/** A ring; its entries lie behind it. */
struct ctr_shared_ring {
	struct ctr_ring_end in;  /**< Who fills. */
	struct ctr_ring_end out; /**< Who drains. */
};

/** What a ring is like; constants in generated code. */
struct ctr_ring_shape {
	enum ctr_ring_mode mode; /**< How tails follow heads. */
	uint32_t entries;        /**< A power of two. */
	uint32_t bytes;          /**< Of an entry. */
};

/** Entries that a thread has taken. */
struct ctr_ring_taken {
	uint32_t at; /**< Position of the first. */
	uint32_t n;  /**< How many; 0 if there were none. */
};

#ifdef __cplusplus
extern "C" {
#endif

/** Apply what is in the ring, and wait until everything that was taken before is applied, whoever
 * is about to: of who fills as well. Any thread. */
void ctr_shared_ring_drain(const struct ctr_ring_shape *shape, struct ctr_shared_ring *ring,
			   void (*apply)(const void *entry));

/** Apply what is in the ring, and wait for nobody. Any thread. */
void ctr_shared_ring_try_drain(const struct ctr_ring_shape *shape, struct ctr_shared_ring *ring,
			       void (*apply)(const void *entry));

/** In a child of fork() only the caller is left: nobody is between heads and tails. */
void ctr_shared_ring_mend(const struct ctr_ring_shape *shape, struct ctr_shared_ring *ring);

#ifdef __cplusplus
}
#endif

/** The tail of an end. What those who are done did is visible. */
static inline uint32_t
ctr_ring_tail(const struct ctr_ring_end *end, enum ctr_ring_mode mode)
{
	if (mode == CTR_RING_HTS)
		return (uint32_t)(ctr_load_acquire(&end->head) >> 32);
	return (uint32_t)ctr_load_acquire(&end->tail);
}

/** What CTR_RING_RTS permits between head and tail: an eighth of the ring, if it is not small. */
static inline int32_t
ctr_ring_ahead(const struct ctr_ring_shape *shape)
{
	return shape->entries < 16 ? 2 : (int32_t)(shape->entries / 8);
}

/**
 * Take entries at one end.
 *
 * @param shape what the ring is like
 * @param mine the end
 * @param other the other end
 * @param room how many entries may lie between its tail and the head here: all of who fills, 0 of
 *   who drains
 * @param most how many are wanted
 */
static inline struct ctr_ring_taken
ctr_ring_take(const struct ctr_ring_shape *shape, struct ctr_ring_end *mine,
	      const struct ctr_ring_end *other, uint32_t room, uint32_t most)
{
	struct ctr_ring_taken taken = { 0, 0 };
	unsigned int spins = 0;
	uint64_t head, next;

	/* The head first: a tail that is older than it could be passed. */
	head = ctr_load_acquire(&mine->head);
	for (;;) {
		uint32_t n;

		if (shape->mode == CTR_RING_HTS && (uint32_t)head != (uint32_t)(head >> 32)) {
			/* Who drains has something to do else. */
			if (room == 0)
				return taken;
			ctr_spin_wait(&spins);
			head = ctr_load_acquire(&mine->head);
			continue;
		}
		taken.at = (uint32_t)head;
		if (shape->mode == CTR_RING_RTS &&
		    (int32_t)(taken.at - ctr_ring_tail(mine, shape->mode)) >= ctr_ring_ahead(shape))
			return taken;
		n = room + ctr_ring_tail(other, shape->mode) - taken.at;
		n = n < most ? n : most;
		if (n == 0)
			return taken;
		next = (uint32_t)(taken.at + n);
		if (shape->mode == CTR_RING_HTS)
			next |= head & ~(uint64_t)UINT32_MAX;
		else if (shape->mode == CTR_RING_RTS)
			next |= (uint64_t)(uint32_t)((head >> 32) + 1) << 32;
		if (__atomic_compare_exchange_n(&mine->head, &head, next, false, __ATOMIC_ACQ_REL,
						__ATOMIC_ACQUIRE)) {
			taken.n = n;
			return taken;
		}
	}
}

/** The caller is done with what ctr_ring_take() gave; all that it did with it is visible to who
 * sees the tail. */
static inline void
ctr_ring_taken_done(const struct ctr_ring_shape *shape, struct ctr_ring_end *mine,
		    struct ctr_ring_taken taken)
{
	const uint32_t end = taken.at + taken.n;
	unsigned int spins = 0;
	uint64_t tail, next;

	switch (shape->mode) {
	case CTR_RING_MPMC:
		/* What those before did is visible as well. */
		while ((uint32_t)ctr_load_acquire(&mine->tail) != taken.at)
			ctr_spin_wait(&spins);
		ctr_store_release(&mine->tail, (uint64_t)end);
		break;
	case CTR_RING_HTS:
		ctr_store_release(&mine->head, (uint64_t)end << 32 | end);
		break;
	case CTR_RING_RTS:
		tail = ctr_load_acquire(&mine->tail);
		do {
			const uint64_t head = ctr_load64(&mine->head);
			const uint32_t times = (uint32_t)(tail >> 32) + 1;

			next = (uint64_t)times << 32;
			next |= times == (uint32_t)(head >> 32) ? (uint32_t)head : (uint32_t)tail;
		} while (!__atomic_compare_exchange_n(&mine->tail, &tail, next, false,
						      __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
		break;
	}
}

/** The entry at a position. */
static inline void *
ctr_shared_ring_at(const struct ctr_ring_shape *shape, struct ctr_shared_ring *ring, uint32_t at)
{
	return (char *)(ring + 1) + (size_t)(at & (shape->entries - 1)) * shape->bytes;
}

/** Take an entry to fill; @p taken has one, or none if the ring is full. Any thread. */
static inline void *
ctr_shared_ring_next(const struct ctr_ring_shape *shape, struct ctr_shared_ring *ring,
		     struct ctr_ring_taken *taken)
{
	*taken = ctr_ring_take(shape, &ring->in, &ring->out, shape->entries, 1);
	return ctr_shared_ring_at(shape, ring, taken->at);
}

/** Send that entry, whose other words are filled; @p what is its first word. */
static inline void
ctr_shared_ring_send(const struct ctr_ring_shape *shape, struct ctr_shared_ring *ring,
		     struct ctr_ring_taken taken, uint64_t what)
{
	ctr_store_release((uint64_t *)ctr_shared_ring_at(shape, ring, taken.at), what);
	ctr_ring_taken_done(shape, &ring->in, taken);
}

#endif /* CTR_RING_SHARED_H */
