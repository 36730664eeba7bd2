/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * What the patches of ip_fragmentation call, by hand: plain adds to an array that all lcores share.
 */
#ifndef IP_FRAGMENTATION_STATS_H
#define IP_FRAGMENTATION_STATS_H

#include <stdint.h>

#include <rte_common.h>

enum {
	IP_FRAGMENTATION_STATS_DROP_MUST_NOT,
	IP_FRAGMENTATION_STATS_DROP_NO_MEMORY,
	IP_FRAGMENTATION_STATS_DROP_MALFORMED,
	IP_FRAGMENTATION_STATS_DROP_TX_FULL,
	IP_FRAGMENTATION_STATS_DROP_MAX
};

static struct {
	uint64_t rx, tx, cut, made, drop[IP_FRAGMENTATION_STATS_DROP_MAX];
} __rte_cache_aligned counts[RTE_MAX_ETHPORTS];

#define ip_fragmentation_stats_init() 0
#define ip_fragmentation_stats_burst_end()
#define ip_fragmentation_stats_fini()

static inline void
ip_fragmentation_stats_port_add_rx(uint32_t port, uint64_t n)
{
	counts[port].rx += n;
}

static inline void
ip_fragmentation_stats_port_add_tx(uint32_t port, uint64_t n)
{
	counts[port].tx += n;
}

static inline void
ip_fragmentation_stats_update_cut(uint32_t port, uint16_t made)
{
	counts[port].cut++;
	counts[port].made += made;
}

static inline void
ip_fragmentation_stats_drop_add_pkts(uint32_t port, uint32_t drop, uint64_t n)
{
	counts[port].drop[drop] += n;
}

#endif /* IP_FRAGMENTATION_STATS_H */
