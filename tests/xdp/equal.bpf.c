/* SPDX-License-Identifier: BSD-3-Clause */
/* The updates of equal.h in the kernel; a packet begins with its turn. */
#include "eq_stats.bpf.h"

#include "equal.h"

SEC("xdp")
int
count(struct xdp_md *ctx)
{
	const uint32_t *turn = (const uint32_t *)(long)ctx->data;

	if ((const char *)(turn + 1) > (const char *)(long)ctx->data_end)
		return XDP_ABORTED;
	update_all(*turn);
	return XDP_PASS;
}

char _license[] SEC("license") = "GPL";
