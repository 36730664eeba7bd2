/* SPDX-License-Identifier: BSD-3-Clause */
/* A vector of pairs for each thread; plain adds; a reset while all workers stand at a barrier. */
#include <errno.h>

#include "peers.h"

static struct pair **counters;
static uint32_t wait_at_barrier CTR_CACHE_ALIGNED;
static uint32_t at_barrier CTR_CACHE_ALIGNED;

static int
init(uint32_t instances)
{
	counters = PEER_ARRAY(struct pair *, THREADS);
	for (unsigned int t = 0; counters != NULL && t < THREADS; t++) {
		counters[t] = PEER_ARRAY(struct pair, instances);
		if (counters[t] == NULL)
			return -ENOMEM;
	}
	return counters != NULL ? 0 : -ENOMEM;
}

static inline void
update(unsigned int thread, uint32_t instance, uint16_t bytes)
{
	struct pair *mine = counters[thread];

	mine[instance].packets += 1;
	mine[instance].bytes += bytes;
}

/* A worker, once in its loop. */
static inline void
check_barrier(void)
{
	if (ctr_likely(__atomic_load_n(&wait_at_barrier, __ATOMIC_ACQUIRE) == 0))
		return;
	__atomic_fetch_add(&at_barrier, 1, __ATOMIC_ACQ_REL);
	while (__atomic_load_n(&wait_at_barrier, __ATOMIC_ACQUIRE) != 0)
		ctr_pause();
	__atomic_fetch_sub(&at_barrier, 1, __ATOMIC_ACQ_REL);
}

PEER_BURST(update, check_barrier())

static void
read_sum(uint32_t instance, struct pair *now)
{
	*now = (struct pair){ 0 };
	for (unsigned int t = 0; t < THREADS; t++)
		peer_sum(now, &counters[t][instance]);
}

static void
await_at_barrier(uint32_t workers)
{
	while (__atomic_load_n(&at_barrier, __ATOMIC_ACQUIRE) != workers)
		ctr_pause();
}

static void
reset(uint32_t instance, struct pair *taken)
{
	__atomic_store_n(&wait_at_barrier, 1, __ATOMIC_SEQ_CST);
	await_at_barrier(peers_counting);
	read_sum(instance, taken);
	for (unsigned int t = 0; t < THREADS; t++)
		counters[t][instance] = (struct pair){ 0 };
	__atomic_store_n(&wait_at_barrier, 0, __ATOMIC_RELEASE);
	await_at_barrier(0);
}

PEER(vpp, .name = "vpp", .init = init, .burst = burst, .read = read_sum, .reset = reset,
     .more = sizeof(struct pair));
