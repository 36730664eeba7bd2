/* SPDX-License-Identifier: BSD-3-Clause */
/* Pipelines: the first of two workers enqueues its packets to an rte_ring, the other dequeues. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include <rte_errno.h>
#include <rte_mbuf.h>
#include <rte_ring.h>

#include "bench.h"

#define RING 256u /* packets between two stages */
#define CACHE 256u /* packets that an lcore keeps of the pool, and half as many again */
#define PIPELINE_PACKETS (RING + 3 * CACHE + 4 * CTR_BENCH_BURST)

struct stage {
	struct rte_ring *ring; /* For both stages; made once, and kept for later runs. */
	uint64_t packets;      /* That it has handed on, or has taken. */
	unsigned int idle;
} CTR_CACHE_ALIGNED;

static struct rte_mempool *pipeline_pool;
static struct stage stages[BENCH_MAX_WORKERS];

static struct stage *
stage_of(const struct bench_run *run, const struct bench_worker *worker)
{
	return &stages[worker - run->worker];
}

/* A second stage counts the bursts that come out of the ring, whichever these are. */
static int
set_up_pair(struct bench_run *run, unsigned int first)
{
	struct stage *from = &stages[first], *to = &stages[first + 1];
	struct bench_worker *worker = &run->worker[first + 1];
	uint32_t bursts = run->worker[first].traffic->count / CTR_BENCH_BURST;
	char name[RTE_RING_NAMESIZE];

	(void)snprintf(name, sizeof(name), "bench-pipeline%u", first);
	if (from->ring == NULL)
		from->ring = rte_ring_create(name, RING, SOCKET_ID_ANY,
				RING_F_SP_ENQ | RING_F_SC_DEQ | RING_F_EXACT_SZ);
	if (from->ring == NULL)
		return -rte_errno;
	to->ring = from->ring;
	worker->traffic = run->worker[first].traffic;
	worker->times = (uint32_t *)calloc(bursts, sizeof(*worker->times));
	if (worker->times == NULL)
		return -ENOMEM;
	bench_touch(worker->times, bursts * sizeof(*worker->times));
	from->packets = to->packets = 0;
	return 0;
}

int
bench_pipeline_setup(struct bench_run *run)
{
	unsigned int pairs = (rte_lcore_count() - 1) / 2, first;
	int rc = run->o->workers % 2 == 0 ? 0 : -EINVAL;

	if (rc == 0 && pipeline_pool == NULL)
		pipeline_pool = rte_pktmbuf_pool_create("bench-pipeline", pairs * PIPELINE_PACKETS, CACHE, 0, 0,
				SOCKET_ID_ANY);
	if (rc == 0 && pipeline_pool == NULL)
		rc = -rte_errno;
	for (first = 0; first < run->o->workers && rc == 0; first += 2)
		rc = set_up_pair(run, first);
	return rc;
}

static uint32_t
hand_on(struct bench_run *run, struct bench_worker *worker, bool counts)
{
	struct stage *stage = stage_of(run, worker);
	const struct ctr_bench_traffic *t = worker->traffic;
	struct rte_mbuf *packets[CTR_BENCH_BURST];
	uint32_t at = worker->at[counts], i;

	if (rte_ring_free_count(stage->ring) < CTR_BENCH_BURST ||
	    rte_pktmbuf_alloc_bulk(pipeline_pool, packets, CTR_BENCH_BURST) != 0) {
		ctr_spin_wait(&stage->idle);
		return 0;
	}
	stage->idle = 0;
	for (i = 0; i < CTR_BENCH_BURST; i++) {
		packets[i]->hash.usr = t->flow[at + i];
		packets[i]->pkt_len = at + i;
	}
	(void)bench_step(run, worker, counts);
	stage->packets += rte_ring_sp_enqueue_bulk(stage->ring, (void **)packets,
			CTR_BENCH_BURST, NULL);
	return CTR_BENCH_BURST;
}

static uint32_t
pipeline_take(struct bench_run *run, struct bench_worker *worker, bool counts)
{
	struct stage *stage = stage_of(run, worker);
	struct rte_mbuf *packets[CTR_BENCH_BURST];
	uint32_t place[CTR_BENCH_BURST], i;

	if (rte_ring_sc_dequeue_bulk(stage->ring, (void **)packets, CTR_BENCH_BURST, NULL) == 0) {
		ctr_spin_wait(&stage->idle);
		return 0;
	}
	stage->idle = 0;
	stage->packets += CTR_BENCH_BURST;
	for (i = 0; i < CTR_BENCH_BURST; i++)
		place[i] = packets[i]->pkt_len;
	bench_gather(worker->traffic, worker, place, CTR_BENCH_BURST);
	if (counts) {
		bench_burst(run, worker, worker->scratch, 0, CTR_BENCH_BURST);
		worker->times[place[0] / CTR_BENCH_BURST]++;
	} else {
		run->bare->run(worker->scratch, 0, CTR_BENCH_BURST, &worker->work);
	}
	rte_pktmbuf_free_bulk(packets, CTR_BENCH_BURST);
	return CTR_BENCH_BURST;
}

void
bench_pipeline_work(struct bench_run *run, unsigned int number)
{
	bench_take_turns(run, &run->worker[number], number % 2 == 0 ? hand_on : pipeline_take);
}

/* What is left in the rings goes back to the pool; with it all have arrived. */
void
bench_pipeline_teardown(struct bench_run *run)
{
	struct rte_mbuf *packets[CTR_BENCH_BURST];
	unsigned int first, n;

	for (first = 0; first < run->o->workers; first += 2) {
		struct stage *from = &stages[first], *to = &stages[first + 1];

		while ((n = rte_ring_sc_dequeue_burst(from->ring, (void **)packets,
				CTR_BENCH_BURST, NULL)) != 0) {
			rte_pktmbuf_free_bulk(packets, n);
			to->packets += n;
		}
		if (from->packets != to->packets)
			run->error = "the pipeline lost packets";
	}
}
