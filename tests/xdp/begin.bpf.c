/* SPDX-License-Identifier: BSD-3-Clause */
/* Each run counts a packet of a flow that all CPUs have at the same time, for 16 microseconds; now
 * and then one ends it. A packet may say in three words which flow it is of, that it ends it, and that
 * another CPU begins the flow at the same time: this one has looked for it just before. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

static __u32 late;

static __always_inline void *
lookup(void *map, const void *key)
{
	if (late != 0) {
		late = 0;
		return 0;
	}
	return bpf_map_lookup_elem(map, key);
}

#define bpf_map_lookup_elem lookup
#include "flows_stats.bpf.h"

SEC("xdp")
int
count(struct xdp_md *ctx)
{
	const uint32_t *word = (const uint32_t *)(long)ctx->data;
	struct flows_stats_flow_key key = { .source = 1 };
	uint32_t flow;

	if ((const char *)(word + 3) > (const char *)(long)ctx->data_end)
		return XDP_ABORTED;
	key.port = word[0] != 0 ? (uint16_t)word[0] : (uint16_t)(bpf_ktime_get_ns() >> 14 & 63);
	flows_stats_update_packet(FLOWS_STATS_PROTOCOL_UDP, 60);
	if (word[2] != 0)
		late = 1;
	if (flows_stats_flow_key_create(&key, &flow) == 0)
		flows_stats_update_known(flow, 60);
	else
		flows_stats_update_unknown();
	if (word[0] != 0 ? word[1] != 0 : (bpf_get_prandom_u32() & 0x3fff) == 0)
		flows_stats_flow_key_end(&key);
	return XDP_PASS;
}

char _license[] SEC("license") = "GPL";
