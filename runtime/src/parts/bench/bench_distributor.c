/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets through rte_distributor: no two workers have packets of one flow at the same time. */
#include <stdio.h>

#include <rte_distributor.h>
#include <rte_errno.h>
#include <rte_mbuf.h>

#include "bench.h"

#define DISTRIBUTOR_PACKETS 4095u
#define TAKEN 8 /* packets that a worker is given at once */

static struct rte_mempool *distributor_pool;
/* Distributors are never freed by DPDK: one for each number of workers. */
static struct rte_distributor *distributors[BENCH_MAX_WORKERS + 1];
static struct rte_distributor *distributor;
static uint32_t distributor_next;

static int
distributor_setup(struct bench_run *run)
{
	unsigned int workers = run->o->workers;
	char name[32];

	if (distributor_pool == NULL)
		distributor_pool = rte_pktmbuf_pool_create("bench", DISTRIBUTOR_PACKETS, 0, 0, 0, SOCKET_ID_ANY);
	if (distributor_pool == NULL)
		return -rte_errno;
	if (distributors[workers] == NULL) {
		(void)snprintf(name, sizeof(name), "bench%u", workers);
		distributors[workers] = rte_distributor_create(name, rte_socket_id(), workers,
				RTE_DIST_ALG_BURST);
	}
	distributor = distributors[workers];
	distributor_next = 0;
	return distributor != NULL ? 0 : -rte_errno;
}

/* Packets that workers have handled go back to the pool. */
static void
take_back(void)
{
	struct rte_mbuf *done[CTR_BENCH_BURST];
	int n;

	while ((n = rte_distributor_returned_pkts(distributor, done, CTR_BENCH_BURST)) > 0)
		rte_pktmbuf_free_bulk(done, (unsigned int)n);
}

static void
distributor_drain(struct bench_run *run)
{
	(void)run;
	(void)rte_distributor_process(distributor, NULL, 0);
	take_back();
}

static void
distributor_produce(struct bench_run *run)
{
	const struct ctr_bench_traffic *t = run->traffic;
	struct rte_mbuf *packets[CTR_BENCH_BURST];
	unsigned int i;

	take_back();
	if (rte_pktmbuf_alloc_bulk(distributor_pool, packets, CTR_BENCH_BURST) != 0) {
		distributor_drain(run);
		ctr_yield();
		return;
	}
	for (i = 0; i < CTR_BENCH_BURST; i++) {
		uint32_t place = (distributor_next + i) & (t->count - 1);

		packets[i]->hash.usr = t->flow[place] + 1;
		packets[i]->pkt_len = place;
	}
	/* It takes all packets, or none before the first request of a worker. */
	if (rte_distributor_process(distributor, packets, CTR_BENCH_BURST) == 0) {
		rte_pktmbuf_free_bulk(packets, CTR_BENCH_BURST);
		ctr_yield();
		return;
	}
	__atomic_fetch_add(&run->produced, CTR_BENCH_BURST, __ATOMIC_RELAXED);
	distributor_next += CTR_BENCH_BURST;
}

static void
distributor_work(struct bench_run *run, unsigned int number)
{
	struct bench_worker *worker = &run->worker[number];
	struct rte_mbuf *packets[TAKEN];
	uint32_t place[TAKEN];
	unsigned int idle = 0, old = 0;

	while (bench_phase(run) != BENCH_STOP) {
		int n = -1, i;

		rte_distributor_request_pkt(distributor, number, packets, old);
		old = 0;
		while (n < 0 && bench_phase(run) != BENCH_STOP) {
			n = rte_distributor_poll_pkt(distributor, number, packets);
			if (n < 0)
				ctr_spin_wait(&idle);
		}
		if (n <= 0)
			continue;
		for (i = 0; i < n; i++)
			place[i] = packets[i]->pkt_len;
		bench_scattered(run, worker, place, (uint32_t)n);
		old = (unsigned int)n;
	}
	(void)rte_distributor_return_pkt(distributor, number, packets, (int)old);
}

static void
distributor_teardown(struct bench_run *run)
{
	unsigned int i;

	for (i = 0; i < 100; i++)
		distributor_drain(run);
	rte_distributor_clear_returns(distributor);
}

const struct bench_via bench_via_distributor = {
	distributor_setup,
	distributor_produce,
	distributor_drain,
	distributor_work,
	distributor_teardown,
};
