/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * What the patches of l3fwd-graph call, by hand: plain adds to an array of the lcore. Arrays come
 * from DPDK's heap, one more than there are lcores, as those of the port do: what the program
 * allocates later has the same addresses.
 */
#ifndef L3FWD_GRAPH_STATS_H
#define L3FWD_GRAPH_STATS_H

#include <stdint.h>

#include <rte_common.h>
#include <rte_lcore.h>
#include <rte_malloc.h>

#define L3FWD_GRAPH_STATS_NODE_MAX 256

struct l3fwd_graph_stats_node_key {
	char name[64];
};

struct l3fwd_graph_stats_node {
	uint64_t calls, objs, cycles, unused;
};

/* One for all files of the program. */
struct l3fwd_graph_stats_node *l3fwd_graph_hand[RTE_MAX_LCORE + 1] __attribute__((weak));
struct l3fwd_graph_stats_node_key l3fwd_graph_keys[L3FWD_GRAPH_STATS_NODE_MAX]
	__attribute__((weak));

#define l3fwd_graph_stats_burst_end()
#define l3fwd_graph_stats_flush()
#define l3fwd_graph_stats_fini()

static inline int
l3fwd_graph_stats_init(void)
{
	for (unsigned int lcore = 0; lcore <= RTE_MAX_LCORE; lcore++) {
		if (lcore != RTE_MAX_LCORE && !rte_lcore_is_enabled(lcore))
			continue;
		l3fwd_graph_hand[lcore] =
			rte_zmalloc(NULL, sizeof(struct l3fwd_graph_stats_node[L3FWD_GRAPH_STATS_NODE_MAX]),
				    RTE_CACHE_LINE_SIZE);
		if (l3fwd_graph_hand[lcore] == NULL)
			return -1;
	}
	return 0;
}

static inline void
l3fwd_graph_stats_update_visit(uint32_t node, uint64_t cycles, uint16_t objs)
{
	struct l3fwd_graph_stats_node *to = &l3fwd_graph_hand[rte_lcore_id()][node];

	to->calls++;
	to->objs += objs;
	to->cycles += cycles;
}

static inline void
l3fwd_graph_stats_node_key_set(uint32_t node, const struct l3fwd_graph_stats_node_key *key)
{
	l3fwd_graph_keys[node] = *key;
}

static inline int
l3fwd_graph_stats_node_key_get(uint32_t node, struct l3fwd_graph_stats_node_key *key)
{
	*key = l3fwd_graph_keys[node];
	return 0;
}

static inline int
l3fwd_graph_stats_node_read(uint32_t node, struct l3fwd_graph_stats_node *values)
{
	*values = l3fwd_graph_hand[RTE_MAX_LCORE][node];
	for (unsigned int lcore = 0; lcore < RTE_MAX_LCORE; lcore++) {
		if (l3fwd_graph_hand[lcore] == NULL)
			continue;
		values->calls += l3fwd_graph_hand[lcore][node].calls;
		values->objs += l3fwd_graph_hand[lcore][node].objs;
		values->cycles += l3fwd_graph_hand[lcore][node].cycles;
	}
	return 0;
}

#endif /* L3FWD_GRAPH_STATS_H */
