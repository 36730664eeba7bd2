/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * The flow of a packet of IPv4: the low bits of its source.
 */
#ifndef L3FWD_FLOWS_BILL_H
#define L3FWD_FLOWS_BILL_H

#include <rte_byteorder.h>
#include <rte_ether.h>
#include <rte_ip.h>
#include <rte_mbuf.h>

#include "l3fwd.h"
#include "l3fwd_flows_stats.h"

/** Count a burst of @p n packets, at most MAX_PKT_BURST, for their flows. */
static inline void
bill(struct rte_mbuf **packets, uint16_t n)
{
	uint32_t flows[MAX_PKT_BURST], lens[MAX_PKT_BURST];
	const struct rte_ipv4_hdr *ip;
	uint16_t i;

	for (i = 0; i < n; i++) {
		ip = rte_pktmbuf_mtod_offset(packets[i], const struct rte_ipv4_hdr *,
					     sizeof(struct rte_ether_hdr));
		flows[i] = rte_be_to_cpu_32(ip->src_addr) & (L3FWD_FLOWS_STATS_FLOW_MAX - 1);
		lens[i] = packets[i]->pkt_len;
	}
	l3fwd_flows_stats_update_bill_bulk(flows, lens, n);
}

#endif /* L3FWD_FLOWS_BILL_H */
