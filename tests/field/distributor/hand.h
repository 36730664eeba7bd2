/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * What the patches of distributor call, by hand: plain adds, with a cache line for each kind of
 * lcore, as the example has them itself.
 */
#ifndef DISTRIBUTOR_STATS_H
#define DISTRIBUTOR_STATS_H

#include <stdint.h>

#include <rte_common.h>

struct distributor_stats_global {
	uint64_t rx_pkts, rx_returned_pkts, rx_enqueued_pkts, rx_enqdrop_pkts;
	uint64_t dist_in_pkts __rte_cache_aligned;
	uint64_t dist_ret_pkts, dist_sent_pkts, dist_enqdrop_pkts;
	uint64_t tx_dequeue_pkts __rte_cache_aligned;
	uint64_t tx_pkts, tx_enqdrop_pkts;
} __rte_cache_aligned;

struct distributor_stats_burst {
	uint64_t bursts;
};

static volatile struct distributor_stats_global all;
static volatile uint64_t worker_pkts[64] __rte_cache_aligned;
static volatile uint64_t worker_bursts[64][8] __rte_cache_aligned;

#define distributor_stats_init() 0
#define distributor_stats_burst_end()
#define distributor_stats_flush()
#define distributor_stats_fini()
#define distributor_stats_global_read(out) (*(out) = all)
#define distributor_stats_worker_get_pkts(i) (worker_pkts[i])
#define distributor_stats_update_worked(i, at, n) (worker_pkts[i] += (n), worker_bursts[i][at]++)
#define distributor_stats_add_rx_pkts(n) (all.rx_pkts += (n))
#define distributor_stats_add_rx_returned_pkts(n) (all.rx_returned_pkts += (n))
#define distributor_stats_add_rx_enqueued_pkts(n) (all.rx_enqueued_pkts += (n))
#define distributor_stats_add_rx_enqdrop_pkts(n) (all.rx_enqdrop_pkts += (n))
#define distributor_stats_add_dist_in_pkts(n) (all.dist_in_pkts += (n))
#define distributor_stats_add_dist_ret_pkts(n) (all.dist_ret_pkts += (n))
#define distributor_stats_add_dist_sent_pkts(n) (all.dist_sent_pkts += (n))
#define distributor_stats_add_dist_enqdrop_pkts(n) (all.dist_enqdrop_pkts += (n))
#define distributor_stats_add_tx_dequeue_pkts(n) (all.tx_dequeue_pkts += (n))
#define distributor_stats_add_tx_pkts(n) (all.tx_pkts += (n))
#define distributor_stats_add_tx_enqdrop_pkts(n) (all.tx_enqdrop_pkts += (n))

static inline void
distributor_stats_burst_reset(uint32_t worker, uint32_t at, struct distributor_stats_burst *out)
{
	out->bursts = worker_bursts[worker][at];
	worker_bursts[worker][at] = 0;
}

#endif /* DISTRIBUTOR_STATS_H */
