/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * What the patches of l3fwd_flows call, by hand: plain adds to an array of flows for each lcore.
 */
#ifndef L3FWD_FLOWS_STATS_H
#define L3FWD_FLOWS_STATS_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <rte_lcore.h>
#include <rte_prefetch.h>

#define L3FWD_FLOWS_STATS_FLOW_MAX 1048576u

struct l3fwd_flows_hand {
	uint64_t pkts, bytes;
};

/* Of each lcore; one for all files of the program. */
struct l3fwd_flows_hand *l3fwd_flows_hand[RTE_MAX_LCORE] __attribute__((weak));

static inline int
l3fwd_flows_stats_init(void)
{
	const size_t size = L3FWD_FLOWS_STATS_FLOW_MAX * sizeof(struct l3fwd_flows_hand);
	unsigned int lcore;

	RTE_LCORE_FOREACH(lcore) {
		l3fwd_flows_hand[lcore] = malloc(size);
		if (l3fwd_flows_hand[lcore] == NULL)
			return -1;
		/* Page faults come here, as with ctrgen. */
		memset(l3fwd_flows_hand[lcore], 0, size);
	}
	return 0;
}

#define l3fwd_flows_stats_flow_create(flow) 0
#define l3fwd_flows_stats_burst_end()
#define l3fwd_flows_stats_flush()
#define l3fwd_flows_stats_fini()

static inline void
l3fwd_flows_stats_update_bill_bulk(const uint32_t *flows, const uint32_t *lens, unsigned int n)
{
	struct l3fwd_flows_hand *mine = l3fwd_flows_hand[rte_lcore_id()];
	unsigned int i;

	for (i = 0; i < n; i++)
		rte_prefetch0(&mine[flows[i]]);
	for (i = 0; i < n; i++) {
		mine[flows[i]].pkts++;
		mine[flows[i]].bytes += lens[i];
	}
}

#endif /* L3FWD_FLOWS_STATS_H */
