/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Words of the thread, and beside them what they were at the last reset, which readers subtract.
 * Who resets asks; the owner, before its next burst, copies the words. A thread that does not
 * count now has no need to be asked.
 */
#include "peers.h"

struct counters {
	struct pair n, zero;
};

static struct request {
	bool clear;
	uint32_t instance;
} CTR_CACHE_ALIGNED requests[THREADS];

PEER_OF_THREADS(struct counters)

static inline void
add(uint64_t *word, uint64_t n)
{
	__atomic_store_n(word, __atomic_load_n(word, __ATOMIC_RELAXED) + n, __ATOMIC_RELAXED);
}

static inline void
update(unsigned int thread, uint32_t instance, uint16_t bytes)
{
	struct counters *mine = &of_thread[thread][instance];

	add(&mine->n.packets, 1);
	add(&mine->n.bytes, bytes);
}

static void
clear(unsigned int thread)
{
	struct counters *mine = &of_thread[thread][requests[thread].instance];

	__atomic_store_n(&mine->zero.packets, mine->n.packets, __ATOMIC_RELAXED);
	__atomic_store_n(&mine->zero.bytes, mine->n.bytes, __ATOMIC_RELAXED);
	__atomic_store_n(&requests[thread].clear, false, __ATOMIC_RELEASE);
}

static inline void
check_clear(unsigned int thread)
{
	if (ctr_unlikely(__atomic_load_n(&requests[thread].clear, __ATOMIC_ACQUIRE)))
		clear(thread);
}

PEER_BURST(update, check_clear(thread))

static void
read_sum(uint32_t instance, struct pair *now)
{
	struct pair zero = { 0 };

	*now = zero;
	for (unsigned int t = 0; t < THREADS; t++) {
		peer_sum(now, &of_thread[t][instance].n);
		peer_sum(&zero, &of_thread[t][instance].zero);
	}
	now->packets = now->packets > zero.packets ? now->packets - zero.packets : 0;
	now->bytes = now->bytes > zero.bytes ? now->bytes - zero.bytes : 0;
}

static void
reset(uint32_t instance, struct pair *taken)
{
	*taken = (struct pair){ 0 };
	for (unsigned int t = 0; t < THREADS; t++) {
		const struct pair before = of_thread[t][instance].zero;

		requests[t].instance = instance;
		__atomic_store_n(&requests[t].clear, true, __ATOMIC_RELEASE);
		if (t >= peers_counting)
			clear(t);
		while (__atomic_load_n(&requests[t].clear, __ATOMIC_ACQUIRE))
			ctr_pause();
		peer_sum(taken, &of_thread[t][instance].zero);
		taken->packets -= before.packets;
		taken->bytes -= before.bytes;
	}
}

PEER(ovs, .name = "ovs", .init = init, .burst = burst, .read = read_sum, .reset = reset,
     .more = sizeof(struct counters));
