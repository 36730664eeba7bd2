/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cells of two lines each, as neighbours are fetched together; a thread adds atomically to that of
 * the CPU on which it runs, or did a few calls ago.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>

#include "peers.h"

#define SHARDS CPUS
#define CALLS 32u /* for which a thread takes the CPU to be the same */

struct cell {
	struct pair sum;
} __attribute__((aligned(2 * CTR_CACHE_LINE)));

static struct cell (*cells)[SHARDS];
static uint8_t shard_of[CPU_SETSIZE]; /* by CPU */
static _Thread_local struct {
	uint32_t cpu, calls;
} here;

static int
init(uint32_t instances)
{
	for (unsigned int i = 0; i < CPUS; i++)
		shard_of[peers_cpu[i]] = (uint8_t)(i % SHARDS);
	cells = (struct cell(*)[SHARDS])PEER_ARRAY(struct cell, (size_t)SHARDS * instances);
	return cells != NULL ? 0 : -ENOMEM;
}

static inline uint32_t
shard(void)
{
	if (ctr_unlikely(here.calls-- == 0)) {
		here.cpu = (uint32_t)sched_getcpu() % CPU_SETSIZE;
		here.calls = CALLS - 1;
	}
	return shard_of[here.cpu];
}

static inline void
update(unsigned int thread, uint32_t instance, uint16_t bytes)
{
	struct cell *cell = &cells[instance][shard()];

	(void)thread;
	__atomic_fetch_add(&cell->sum.packets, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&cell->sum.bytes, bytes, __ATOMIC_RELAXED);
}

PEER_BURST(update, (void)0)

static void
read_sum(uint32_t instance, struct pair *now)
{
	*now = (struct pair){ 0 };
	for (unsigned int i = 0; i < SHARDS; i++)
		peer_sum(now, &cells[instance][i].sum);
}

static void
reset(uint32_t instance, struct pair *taken)
{
	*taken = (struct pair){ 0 };
	for (unsigned int i = 0; i < SHARDS; i++) {
		struct pair *sum = &cells[instance][i].sum;

		taken->packets += __atomic_exchange_n(&sum->packets, 0, __ATOMIC_RELAXED);
		taken->bytes += __atomic_exchange_n(&sum->bytes, 0, __ATOMIC_RELAXED);
	}
}

PEER(sharded, .name = "sharded", .init = init, .burst = burst, .read = read_sum, .reset = reset,
     .bytes = SHARDS * sizeof(struct cell));
