/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each thread has a sum of its own for each counter, which it adds to the shared one after so many
 * updates. Who resets takes the shared one, and marks the sums of threads as taken: a thread that
 * sees the mark begins again.
 */
#include <errno.h>
#include <pthread.h>

#include "peers.h"

#define UPDATES 1000u

struct cache {
	void *parent;
	uint64_t sum;
	uint32_t updates;
	bool taken;
};

static struct cache (*caches[THREADS])[2];
static uint64_t (*shared)[2];
static pthread_mutex_t all_threads = PTHREAD_MUTEX_INITIALIZER;

static int
init(uint32_t instances)
{
	const size_t counters = (size_t)2 * instances;

	shared = (uint64_t (*)[2])PEER_ARRAY(uint64_t, counters);
	for (unsigned int t = 0; t < THREADS; t++) {
		caches[t] = (struct cache(*)[2])PEER_ARRAY(struct cache, counters);
		if (caches[t] == NULL)
			return -ENOMEM;
	}
	return shared != NULL ? 0 : -ENOMEM;
}

static inline void
add(struct cache *cache, uint64_t *total, uint64_t n)
{
	if (ctr_likely(!__atomic_load_n(&cache->taken, __ATOMIC_ACQUIRE))) {
		__atomic_store_n(&cache->sum, cache->sum + n, __ATOMIC_RELEASE);
	} else {
		__atomic_store_n(&cache->sum, n, __ATOMIC_RELAXED);
		__atomic_store_n(&cache->taken, false, __ATOMIC_RELEASE);
	}
	if (ctr_likely(++cache->updates <= UPDATES))
		return;
	__atomic_fetch_add(total, cache->sum, __ATOMIC_RELEASE);
	__atomic_store_n(&cache->sum, 0, __ATOMIC_RELEASE);
	cache->updates = 0;
}

static inline void
update(unsigned int thread, uint32_t instance, uint16_t bytes)
{
	struct cache *mine = caches[thread][instance];

	add(&mine[0], &shared[instance][0], 1);
	add(&mine[1], &shared[instance][1], bytes);
}

PEER_BURST(update, (void)0)

static uint64_t
sum(uint32_t instance, unsigned int counter, bool take)
{
	uint64_t *word = &shared[instance][counter], all;

	(void)pthread_mutex_lock(&all_threads);
	all = take ? __atomic_exchange_n(word, 0, __ATOMIC_RELEASE) : peer_load(word);
	for (unsigned int t = 0; t < THREADS; t++) {
		struct cache *cache = &caches[t][instance][counter];

		if (__atomic_load_n(&cache->taken, __ATOMIC_ACQUIRE))
			continue;
		all += peer_load(&cache->sum);
		if (take)
			__atomic_store_n(&cache->taken, true, __ATOMIC_RELEASE);
	}
	(void)pthread_mutex_unlock(&all_threads);
	return all;
}

static void
read_full(uint32_t instance, struct pair *now)
{
	*now = (struct pair){ sum(instance, 0, false), sum(instance, 1, false) };
}

static void
reset(uint32_t instance, struct pair *taken)
{
	*taken = (struct pair){ sum(instance, 0, true), sum(instance, 1, true) };
}

PEER(thread_cached, .name = "thread_cached", .init = init, .burst = burst, .read = read_full, .reset = reset,
     .bytes = 2 * sizeof(uint64_t), .more = 2 * sizeof(struct cache));
