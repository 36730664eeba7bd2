/* SPDX-License-Identifier: BSD-3-Clause */
/* A program without counts, one with the generated update of two counters a session and two of the
 * module, and two with the same by hand: in a hash by CPU, and in an array by CPU. */
#include "ep_stats.bpf.h"

struct counts {
	uint64_t pkts, bytes;
};

struct packet {
	uint32_t session, size;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, EP_STATS_SESSION_MAX + 1);
	__type(key, uint32_t);
	__type(value, struct counts);
} by_hash SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, EP_STATS_SESSION_MAX + 1);
	__type(key, uint32_t);
	__type(value, struct counts);
} by_array SEC(".maps");

static __always_inline const struct packet *
packet_of(struct xdp_md *ctx)
{
	const struct packet *packet = (const struct packet *)(long)ctx->data;

	return (const char *)(packet + 1) > (const char *)(long)ctx->data_end ? NULL : packet;
}

static __always_inline void
add(void *map, uint32_t key, uint64_t size)
{
	struct counts *counts = (struct counts *)bpf_map_lookup_elem(map, &key), first = { 1, size };

	if (counts != NULL) {
		counts->pkts++;
		counts->bytes += size;
	} else {
		bpf_map_update_elem(map, &key, &first, BPF_ANY);
	}
}

SEC("xdp")
int
nothing(struct xdp_md *ctx)
{
	const struct packet *packet = packet_of(ctx);

	return packet == NULL || packet->session == 0xffffffff ? XDP_ABORTED : XDP_PASS;
}

SEC("xdp")
int
generated(struct xdp_md *ctx)
{
	const struct packet *packet = packet_of(ctx);

	if (packet == NULL)
		return XDP_ABORTED;
	ep_stats_update_packet(packet->session, (uint16_t)packet->size);
	return XDP_PASS;
}

SEC("xdp")
int
hand_hash(struct xdp_md *ctx)
{
	const struct packet *packet = packet_of(ctx);

	if (packet == NULL)
		return XDP_ABORTED;
	add(&by_hash, packet->session, packet->size);
	add(&by_hash, EP_STATS_SESSION_MAX, packet->size);
	return XDP_PASS;
}

SEC("xdp")
int
hand_array(struct xdp_md *ctx)
{
	const struct packet *packet = packet_of(ctx);

	if (packet == NULL)
		return XDP_ABORTED;
	add(&by_array, packet->session, packet->size);
	add(&by_array, EP_STATS_SESSION_MAX, packet->size);
	return XDP_PASS;
}

char _license[] SEC("license") = "GPL";
