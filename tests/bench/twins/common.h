/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * What the hand-written patterns share: the counters of the Example Protocol,
 * in the simplest C that keeps each pattern's promise.
 */
#ifndef TWINS_COMMON_H
#define TWINS_COMMON_H

#include "ctr_port.h"

struct hand_session {
	uint64_t pkts;
	uint64_t bytes;
};

/* Laid out as the generated instances are: compilers address by layout. */
struct hand_stats {
	uint32_t lock;
	CTR_ALIGNED(16) uint64_t total_pkts;
	uint64_t total_bytes;
	struct hand_session session[SESSIONS];
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
hand_add(uint64_t *word, uint64_t n)
{
	__atomic_store_n(word, *word + n, __ATOMIC_RELAXED);
}

#endif /* TWINS_COMMON_H */
