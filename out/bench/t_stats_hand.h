/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generated from t.yaml by ctrgen 0.2.0. Do not edit; change the schema and run
 *   ctrgen build t.yaml
 */
/** @file
 * The same counters under shared_unsync, as one would write them by hand in
 * their simplest form, for comparison with the generated code.
 */
#ifndef T_STATS_HAND_H
#define T_STATS_HAND_H

#include "t_stats.h"

struct hand_scope_global {
	uint64_t a;
} CTR_ALIGNED(16);

/* The same layout as the generated instances, as the layout affects addressing. */
struct hand_stats {
	uint32_t hand_lock;
	struct hand_scope_global global;
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

static struct hand_stats hand_stats;

static inline void
hand_update_u(uint16_t n_arg)
{
	struct hand_stats *self = &hand_stats;

	self->global.a += n_arg;
}

/* Initialise the data of one lcore. */
static inline int
hand_init(unsigned int lcore)
{
	(void)lcore;
	return 0;
}

#endif /* T_STATS_HAND_H */
