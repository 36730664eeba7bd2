/* SPDX-License-Identifier: BSD-3-Clause */
/* A packet has the length of a list, 4 indexes, and whether they are of static instances. */
#include "ep_stats.bpf.h"

SEC("xdp")
int
count(struct xdp_md *ctx)
{
	const uint32_t *word = (const uint32_t *)(long)ctx->data;

	if ((const char *)(word + 6) > (const char *)(long)ctx->data_end)
		return XDP_ABORTED;
	const uint32_t list[4] = { word[1], word[2], word[3], word[4] };

	if (word[5] != 0)
		ep_stats_update_fixed(list, word[0]);
	else
		ep_stats_update_lives(list, word[0]);
	return XDP_PASS;
}

char _license[] SEC("license") = "GPL";
