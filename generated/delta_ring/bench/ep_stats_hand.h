/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generated from ep.yaml by ctrgen 0.2.0. Do not edit; change the schema and run
 *   ctrgen build ep.yaml --sync delta_ring
 */
/** @file
 * The same counters under delta_ring, as one would write them by hand in
 * their simplest form, for comparison with the generated code.
 */
#ifndef EP_STATS_HAND_H
#define EP_STATS_HAND_H

#include "ep_stats.h"

struct hand_scope_global {
	uint64_t total_pkts;
	uint64_t total_bytes;
} CTR_ALIGNED(32);

struct hand_scope_session {
	uint64_t pkts;
	uint64_t bytes;
} CTR_ALIGNED(16);

/* The same layout as the generated instances, as the layout affects addressing. */
struct hand_stats {
	uint32_t hand_lock;
	struct hand_scope_global global;
	struct hand_scope_session session[1000];
} CTR_CACHE_ALIGNED;

static inline void
hand_lock(uint32_t *lock)
{
	while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE) != 0)
		while (__atomic_load_n(lock, __ATOMIC_RELAXED) != 0)
			ctr_pause();
}

static inline void
hand_unlock(uint32_t *lock)
{
	__atomic_store_n(lock, 0, __ATOMIC_RELEASE);
}

static inline void
hand_add64(uint64_t *word, uint64_t n)
{
	__atomic_store_n(word, *word + n, __ATOMIC_RELAXED);
}

static inline void
hand_sub64(uint64_t *word, uint64_t n)
{
	__atomic_store_n(word, *word - n, __ATOMIC_RELAXED);
}

static inline void
hand_set64(uint64_t *word, uint64_t n)
{
	__atomic_store_n(word, n, __ATOMIC_RELAXED);
}

static inline void
hand_atomic_add64(uint64_t *word, uint64_t n)
{
	__atomic_fetch_add(word, n, __ATOMIC_RELAXED);
}

static inline void
hand_atomic_sub64(uint64_t *word, uint64_t n)
{
	__atomic_fetch_sub(word, n, __ATOMIC_RELAXED);
}

static inline void
hand_atomic_set64(uint64_t *word, uint64_t n)
{
	__atomic_store_n(word, n, __ATOMIC_RELAXED);
}

static struct hand_stats hand_stats;

#define HAND_RING 1024u

struct hand_delta {
	uint64_t *word;
	uint64_t n;
};

/* Whoever drains it would be another thread; here it is drained when it is full. */
struct hand_ring {
	uint32_t sent;
	uint32_t done CTR_CACHE_ALIGNED;
	struct hand_delta delta[HAND_RING] CTR_CACHE_ALIGNED;
};

static struct hand_ring hand_ring[CTR_MAX_LCORE];

static __attribute__((noinline)) void
hand_drain(struct hand_ring *ring)
{
	uint32_t sent = __atomic_load_n(&ring->sent, __ATOMIC_ACQUIRE), at;

	for (at = ring->done; at != sent; at++) {
		struct hand_delta *delta = &ring->delta[at % HAND_RING];

		hand_atomic_add64(delta->word, delta->n);
	}
	__atomic_store_n(&ring->done, at, __ATOMIC_RELEASE);
}

static inline void
hand_send(struct hand_ring *ring, uint64_t *word, uint64_t n)
{
	struct hand_delta *delta = &ring->delta[ring->sent % HAND_RING];

	delta->word = word;
	delta->n = n;
	__atomic_store_n(&ring->sent, ring->sent + 1, __ATOMIC_RELEASE);
}

static inline void
hand_update_packet(uint32_t session, uint16_t size)
{
	struct hand_stats *self = &hand_stats;
	struct hand_ring *ring = &hand_ring[ctr_lcore_id()];

	(void)self;
	if (HAND_RING - (ring->sent - __atomic_load_n(&ring->done, __ATOMIC_ACQUIRE)) < 4)
		hand_drain(ring);
	hand_send(ring, &self->global.total_pkts, 1);
	hand_send(ring, &self->global.total_bytes, size);
	hand_send(ring, &self->session[session].pkts, 1);
	hand_send(ring, &self->session[session].bytes, size);
}

/* Initialise the data of one lcore. */
static inline int
hand_init(unsigned int lcore)
{
	(void)lcore;
	return 0;
}

/* Make the lcore's buffered updates visible. */
static inline void
hand_flush(void)
{
	if (ctr_lcore_id() < CTR_MAX_LCORE)
		hand_drain(&hand_ring[ctr_lcore_id()]);
}

#endif /* EP_STATS_HAND_H */
