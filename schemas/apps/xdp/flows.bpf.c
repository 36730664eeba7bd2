/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts packets of IPv4 by flow. The first packet of a flow begins its instance, and one of TCP with
 * FIN or RST ends it; where no index is left, packets are in global.unknown.
 *   ctrgen build flows.yaml --only xdp -o out
 *   clang -O2 -g -target bpf -mcpu=v3 -I/usr/include/$(uname -m)-linux-gnu \
 *     $(ctrgen runtime --cflags) -Iout -c flows.bpf.c -o flows.bpf.o */
#include "flows_stats.bpf.h"

#include <bpf/bpf_endian.h>
#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/tcp.h>

static inline uint32_t
protocol_of(uint8_t number)
{
	switch (number) {
	case IPPROTO_UDP:
		return FLOWS_STATS_PROTOCOL_UDP;
	case IPPROTO_TCP:
		return FLOWS_STATS_PROTOCOL_TCP;
	case IPPROTO_ICMP:
		return FLOWS_STATS_PROTOCOL_ICMP;
	default:
		return FLOWS_STATS_PROTOCOL_OTHER;
	}
}

SEC("xdp")
int
count(struct xdp_md *ctx)
{
	const char *data = (const char *)(long)ctx->data, *end = (const char *)(long)ctx->data_end;
	const struct iphdr *ip = (const struct iphdr *)(data + sizeof(struct ethhdr));
	const uint16_t size = (uint16_t)(end - data), *ports;
	struct flows_stats_flow_key key = { 0 };
	const struct tcphdr *tcp;
	uint32_t flow, protocol;

	if ((const char *)(ip + 1) > end ||
	    ((const struct ethhdr *)data)->h_proto != bpf_htons(ETH_P_IP))
		return XDP_PASS;
	protocol = protocol_of(ip->protocol);
	flows_stats_update_packet(protocol, size);
	key.source = ip->saddr;
	key.destination = ip->daddr;
	ports = (const uint16_t *)(ip + 1); /* Without options of IP. */
	if ((const char *)(ports + 2) <= end && ip->ihl == 5 &&
	    protocol <= FLOWS_STATS_PROTOCOL_TCP)
		key.port = bpf_ntohs(ports[1]);
	if (flows_stats_flow_key_create(&key, &flow) == 0)
		flows_stats_update_known(flow, size);
	else
		flows_stats_update_unknown();
	tcp = (const struct tcphdr *)ports;
	if (protocol == FLOWS_STATS_PROTOCOL_TCP && (const char *)(tcp + 1) <= end &&
	    ip->ihl == 5 && (tcp->fin || tcp->rst))
		flows_stats_flow_key_end(&key);
	return XDP_PASS;
}

char _license[] SEC("license") = "GPL";
