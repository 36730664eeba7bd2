/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generated from ep.yaml by ctrgen 0.2.0. Do not edit; change the schema and run
 *   ctrgen build ep.yaml --sync shared_coalesced
 */
/** @file
 * The same counters under shared_coalesced, as one would write them by hand in
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

#define HAND_PLACES 256u

struct hand_held_session {
	struct hand_scope_session *of;
	struct hand_scope_session delta;
};

struct hand_cache {
	struct hand_scope_global global;
	struct hand_held_session session[HAND_PLACES];
} CTR_CACHE_ALIGNED;

static struct hand_cache hand_cache[CTR_MAX_LCORE];

static void
hand_evict_global(struct hand_scope_global *of, struct hand_scope_global *delta)
{
	hand_atomic_add64(&of->total_pkts, delta->total_pkts);
	hand_atomic_add64(&of->total_bytes, delta->total_bytes);
	memset(delta, 0, sizeof(*delta));
}

static void
hand_evict_session(struct hand_scope_session *of, struct hand_scope_session *delta)
{
	hand_atomic_add64(&of->pkts, delta->pkts);
	hand_atomic_add64(&of->bytes, delta->bytes);
	memset(delta, 0, sizeof(*delta));
}

static inline struct hand_held_session *
hand_hold_session(struct hand_cache *cache, size_t at, struct hand_scope_session *of)
{
	struct hand_held_session *held = &cache->session[at % HAND_PLACES];

	if (ctr_unlikely(held->of != of)) {
		if (held->of != NULL)
			hand_evict_session(held->of, &held->delta);
		held->of = of;
	}
	return held;
}

static inline void
hand_flush_cache(struct hand_cache *cache)
{
	size_t i;

	for (i = 0; i < HAND_PLACES; i++) {
		if (cache->session[i].of != NULL)
			hand_evict_session(cache->session[i].of, &cache->session[i].delta);
	}
	hand_evict_global(&hand_stats.global, &cache->global);
}

static inline void
hand_update_packet(uint32_t session, uint16_t size)
{
	struct hand_stats *self = &hand_stats;
	struct hand_cache *cache = &hand_cache[ctr_lcore_id()];
	struct hand_held_session *hand_held_session =
		hand_hold_session(cache, session, &self->session[session]);

	(void)self;
	(void)cache;
	hand_add64(&cache->global.total_pkts, 1);
	hand_add64(&cache->global.total_bytes, size);
	hand_add64(&hand_held_session->delta.pkts, 1);
	hand_add64(&hand_held_session->delta.bytes, size);
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
		hand_flush_cache(&hand_cache[ctr_lcore_id()]);
}

#endif /* EP_STATS_HAND_H */
