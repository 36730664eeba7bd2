/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that counts what the first words of a packet say: a session, and a size. */
#include "ep_stats.bpf.h"

struct packet {
	uint32_t session, size;
};

SEC("xdp")
int
count(struct xdp_md *ctx)
{
	const struct packet *packet = (const struct packet *)(long)ctx->data;

	if ((const char *)(packet + 1) > (const char *)(long)ctx->data_end)
		return XDP_ABORTED;
	ep_stats_update_packet(packet->session, (uint16_t)packet->size);
	ep_stats_add_sessions(2);
	ep_stats_sub_sessions(1);
	ep_stats_set_link_up(true);
	return XDP_PASS;
}

char _license[] SEC("license") = "GPL";
