/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generated from ep.yaml by ctrgen 0.2.0. Do not edit; change the schema and run
 *   ctrgen build ep.yaml --sync per_core
 */
/** @file
 * The same counters under per_core, as one would write them by hand in
 * their simplest form, for comparison with the generated code.
 */
#ifndef EP_STATS_HAND_H
#define EP_STATS_HAND_H

#include "ep_stats.h"

struct hand_scope_global {
	uint64_t total_pkts;
	uint64_t total_bytes;
} CTR_ALIGNED(16);

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
hand_atomic_add64(uint64_t *word, uint64_t n)
{
	__atomic_fetch_add(word, n, __ATOMIC_RELAXED);
}

static struct hand_stats *hand_lcore[CTR_MAX_LCORE];

static inline void
hand_update_packet(uint32_t session, uint16_t size)
{
	struct hand_stats *self = hand_lcore[ctr_lcore_id()];

	hand_add64(&self->global.total_pkts, 1);
	hand_add64(&self->global.total_bytes, size);
	hand_add64(&self->session[session].pkts, 1);
	hand_add64(&self->session[session].bytes, size);
}

/* Initialise the data of one lcore. */
static inline int
hand_init(unsigned int lcore)
{
	hand_lcore[lcore] = (struct hand_stats *)ctr_alloc(sizeof(struct hand_stats), lcore);
	return hand_lcore[lcore] != NULL ? 0 : -ENOMEM;
}

#endif /* EP_STATS_HAND_H */
