/* SPDX-License-Identifier: BSD-3-Clause */
/* Each run counts a packet of a flow that all CPUs have at the same time, for 16 microseconds; now
 * and then one ends it. A packet of 7 has the flow that its first word says. */
#include "flows_stats.bpf.h"

SEC("xdp")
int
count(struct xdp_md *ctx)
{
	const uint32_t *word = (const uint32_t *)(long)ctx->data;
	struct flows_stats_flow_key key = { .source = 1 };
	uint32_t flow;

	if ((const char *)(word + 2) > (const char *)(long)ctx->data_end)
		return XDP_ABORTED;
	key.port = word[0] != 0 ? (uint16_t)word[0] : (uint16_t)(bpf_ktime_get_ns() >> 14 & 63);
	flows_stats_update_packet(FLOWS_STATS_PROTOCOL_UDP, 60);
	if (flows_stats_flow_key_create(&key, &flow) == 0)
		flows_stats_update_known(flow, 60);
	else
		flows_stats_update_unknown();
	if (word[0] != 0 ? word[1] != 0 : (bpf_get_prandom_u32() & 0x3fff) == 0)
		flows_stats_flow_key_end(&key);
	return XDP_PASS;
}

char _license[] SEC("license") = "GPL";
