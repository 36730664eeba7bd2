/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * What the patches of l3fwd call, by hand: plain adds to an array that all lcores share.
 */
#ifndef L3FWD_STATS_H
#define L3FWD_STATS_H

#include <stdint.h>

#include <rte_common.h>

enum { L3FWD_STATS_DROP_NO_ROUTE, L3FWD_STATS_DROP_TX_FULL, L3FWD_STATS_DROP_MAX };

struct l3fwd_hand {
	uint64_t rx, tx, drop[L3FWD_STATS_DROP_MAX];
} __rte_cache_aligned;

/* One for all files of the program. */
struct l3fwd_hand l3fwd_hand[RTE_MAX_ETHPORTS] __attribute__((weak));

#define l3fwd_stats_init() 0
#define l3fwd_stats_burst_end()
#define l3fwd_stats_flush()
#define l3fwd_stats_fini()

static inline void
l3fwd_stats_port_add_rx(uint32_t port, uint64_t n)
{
	l3fwd_hand[port].rx += n;
}

static inline void
l3fwd_stats_port_add_tx(uint32_t port, uint64_t n)
{
	l3fwd_hand[port].tx += n;
}

static inline void
l3fwd_stats_drop_add_pkts(uint32_t port, uint32_t drop, uint64_t n)
{
	l3fwd_hand[port].drop[drop] += n;
}

#endif /* L3FWD_STATS_H */
