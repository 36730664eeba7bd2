/* SPDX-License-Identifier: BSD-3-Clause */
/* An application as there are many: what it counts is in each place where people put it. */
#include <stdint.h>

#include <rte_atomic.h>

#define MAX_TUNNELS 0x400u
#define NAME "x"

struct plain {
	uint64_t mask;
	char name[16];
};

/* Of a port. */
struct port_statistics {
	uint64_t tx; /* Packets sent */
	uint64_t rx;
	/** Packets nobody took. */
	uint32_t dropped;
	uint64_t pad;
	void *owner;
} __rte_cache_aligned;

static struct port_statistics port_statistics[RTE_MAX_ETHPORTS];
static struct port_statistics before[RTE_MAX_ETHPORTS];

static struct lcore_stats {
	uint64_t rx_bytes, rx_pkts;
	uint64_t class; /* Not a name in C++. */
	rte_atomic64_t busy_cycles;
} lcore_stats[RTE_MAX_LCORE] __rte_cache_aligned;

static volatile struct app_stats {
	struct {
		uint64_t rx_pkts;
		uint64_t in_use;
	} rx __rte_cache_aligned;
	uint64_t tunnel[MAX_TUNNELS];
	uint64_t of_site[SOME_SITES];
	uint64_t bursts[4][8];
	int pad1 __rte_cache_aligned;
	int level;
} app_stats;

/* Counters of a flow. */
struct flow_counts {
	uint64_t pkts;
	uint64_t bytes;
};

/* A flow. */
struct flow {
	uint32_t key;
	struct flow_counts counts;
};

typedef struct {
	uint64_t lonely;
} orphan_stats_t;

int
main(void)
{
	struct { uint64_t stats; } local;

	app_stats.rx.rx_pkts++;
	return 0;
}
