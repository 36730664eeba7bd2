/* SPDX-License-Identifier: BSD-3-Clause */
/* An application that counts in every way for which there is a patch. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "dpdk.h"

#define MAX_TUNNELS 8

/* Of a port. */
struct port_statistics {
	uint64_t tx;
	uint64_t rx;
	uint64_t dropped;
};

static struct port_statistics port_statistics[RTE_MAX_ETHPORTS];

/* Of an lcore. */
struct lcore_stats {
	uint64_t bursts;
	uint64_t polls;
	uint64_t class;
};

static struct lcore_stats lcore_stats[RTE_MAX_LCORE];

static struct shared_stats {
	rte_atomic64_t alarms;
	uint64_t resets;
	uint64_t lookups;
	_Atomic uint64_t queries;
} shared_stats;

static volatile struct app_stats {
	struct {
		uint64_t frames;
	} in, out;
} app_stats;

static struct tunnel_counts {
	uint64_t pkts[MAX_TUNNELS];
	uint64_t octets[MAX_TUNNELS];
} tunnel_counts;

/* Of a flow. */
struct flow_counts {
	uint64_t pkts;
	uint64_t bytes;
};

/* A flow. */
struct flow {
	uint32_t key;
	struct flow_counts counts;
};

static struct flow flow;

static void
array(unsigned int port, uint64_t n)
{
	struct port_statistics *other = &port_statistics[port];
	struct port_statistics *later;

	port_statistics[port].rx += n;
	port_statistics[port + 1].rx = port_statistics[port + 1].rx + n;
	if (n > 2)
		port_statistics[port].tx++;
	else
		++port_statistics[port].tx;
	other->dropped += 2 * n;
	later = &port_statistics[port];
	later->dropped++;
	__atomic_fetch_add(&port_statistics[port].tx, n, __ATOMIC_RELAXED);
}

static void
of_lcore(unsigned int n)
{
	const unsigned int self = rte_lcore_id();
	unsigned int lcore_id;
	struct lcore_stats *mine;

	lcore_stats[rte_lcore_id()].bursts++;
	lcore_id = rte_lcore_id();
	mine = &lcore_stats[lcore_id];
	while (n--) {
		lcore_stats[self].polls += 2;
		lcore_stats[lcore_id].polls++;
		mine->polls++;
	}
	lcore_stats[self].class++;
}

static void
alone(uint64_t n)
{
	rte_atomic64_inc(&shared_stats.alarms);
	rte_atomic64_add(&shared_stats.alarms, n);
	__atomic_add_fetch(&shared_stats.lookups, n, __ATOMIC_RELAXED);
	__sync_fetch_and_add(&shared_stats.lookups, 1);
	atomic_fetch_add_explicit(&shared_stats.queries, n, memory_order_relaxed);
	atomic_fetch_add(&shared_stats.queries, 1);
	rte_atomic_fetch_add_explicit(&shared_stats.queries, 1, rte_memory_order_relaxed);
	app_stats.in.frames += n;
	app_stats.out.frames++;
	tunnel_counts.pkts[3]++;
	tunnel_counts.octets[3] += n;
}

static void
of_flow(struct flow *of, struct flow_counts *counts, uint64_t n)
{
	of->counts.pkts++;
	flow.counts.bytes += n;
	counts->bytes += 1;
}

static void
start(void)
{
	rte_atomic64_init(&shared_stats.alarms);
	memset(port_statistics, 0, sizeof(port_statistics));
	memset(&tunnel_counts, 0, sizeof(tunnel_counts));
	memset(&flow.counts, 0, sizeof(flow.counts));
}

static void
clear(unsigned int port)
{
	memset(&port_statistics[port], 0, sizeof(port_statistics[port]));
	shared_stats.resets++;
}

static void
show(const char *when)
{
	printf("%s: %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", when, port_statistics[1].rx,
	    port_statistics[1].tx, port_statistics[1].dropped, port_statistics[2].rx);
	printf("%" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
	    (uint64_t)rte_atomic64_read(&shared_stats.alarms),
	    __atomic_load_n(&shared_stats.lookups, __ATOMIC_RELAXED),
	    (uint64_t)atomic_load_explicit(&shared_stats.queries, memory_order_relaxed));
	printf("%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", app_stats.in.frames,
	    app_stats.out.frames, tunnel_counts.pkts[3], tunnel_counts.octets[3]);
	printf("%" PRIu64 " %" PRIu64 "\n", flow.counts.pkts, flow.counts.bytes);
	printf("%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", OF_LCORES(bursts, bursts),
	    OF_LCORES(polls, polls), OF_LCORES(class, of_class));
}

int
main(void)
{
	if (START() != 0)
		return 1;
	start();
	for (unsigned int i = 0; i < 1000; i++) {
		array(1, i % 5);
		of_lcore(3);
		alone(7);
		of_flow(&flow, &flow.counts, 64);
	}
	show("counted");
	clear(1);
	show("cleared");
	return 0;
}
