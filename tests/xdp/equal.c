/* SPDX-License-Identifier: BSD-3-Clause */
/* The updates of equal.h, with resets in between: `equal SEGMENT SOCKET OBJECT`, in this process
 * on either port, or in the kernel with -DXDP. Publishes a segment, serves SNMP, prints all values
 * of the descriptor and `ready`, and ends with its input. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef XDP
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "eq_stats_xdp.h"
#else
#include "eq_stats.h"
#include "equal.h"
#endif
#ifdef CTR_PORT_DPDK
#include <rte_eal.h>
#endif

#include "ctr_segment.h"
#include "eq_stats_agentx.h"
#include "../segment/dump_module.h"
#include "../support/need.h"

#ifdef XDP
static struct bpf_object *object;

static void
begin(const char *path)
{
	object = bpf_object__open(path);
	NEED(eq_stats_xdp_prepare(object) == 0);
	NEED(bpf_object__load(object) == 0);
	NEED(eq_stats_xdp_attach(object) == 0);
}

static void
update_all(uint32_t turn)
{
	uint32_t packet[16] = { turn };
	LIBBPF_OPTS(bpf_test_run_opts, opts, .data_in = packet, .data_size_in = sizeof(packet));
	const int fd = bpf_program__fd(bpf_object__find_program_by_name(object, "count"));

	NEED(bpf_prog_test_run_opts(fd, &opts) == 0);
	NEED(opts.retval == 2);
}
#else
static void
begin(const char *path)
{
#ifdef CTR_PORT_DPDK
	static char words[][16] = { "equal", "--no-huge", "--no-pci", "--no-telemetry",
				    "--no-shconf", "-m", "256" };
	char *args[7];
	size_t i;

	for (i = 0; i < 7; i++)
		args[i] = words[i];
	NEED(rte_eal_init(7, args) >= 0);
#endif
	(void)path;
	NEED(eq_stats_init() == 0);
}
#endif

/* End a peer, with what it has counted. */
static int
end_peer(void)
{
	struct eq_stats_peer last;
	int rc;

	do {
		eq_stats_burst_end();
		rc = eq_stats_peer_destroy(5, &last);
	} while (rc == -EINPROGRESS);
	printf("last %" PRIu64 " %" PRIu32 "\n", last.pkts, last.bytes);
	return rc;
}

int
main(int argc, char **argv)
{
	const struct ctr_module *const modules[] = { &eq_stats_module };
	struct ctr_segment_options options = { .path = argv[1] };
	struct eq_stats_global last;
	struct ctr_segment *segment;
	uint32_t turn, peer, s;

	if (argc != 4)
		return 2;
	begin(argv[3]);
	for (peer = 0; peer < 64; peer++) {
		struct eq_stats_peer_key key = { 0x0100000a + (peer << 24) };

		NEED(eq_stats_peer_create(peer) == 0);
		NEED(eq_stats_peer_key_set(peer, &key) == 0);
	}
	for (turn = 0; turn < 500; turn++) {
		update_all(turn);
		if (turn == 200)
			NEED(eq_stats_reset() == 0);
		if (turn == 300)
			NEED(eq_stats_global_reset(&last) == 0);
		if (turn == 400)
			NEED(end_peer() == 0);
	}
	for (s = 0; s < ctr_scopes_shown(&eq_stats_module); s++)
		printf("%s: %s\n", eq_stats_module.scopes[s].name, eq_stats_module.scopes[s].strategy);
	dump_module(&eq_stats_module);
	NEED(ctr_segment_create(&segment, modules, 1, &options) == 0);
	NEED(eq_stats_agentx_start(argv[2]) == 0);
	puts("ready");
	(void)fflush(stdout);
	while (getchar() != EOF)
		;
	eq_stats_agentx_stop();
	ctr_segment_close(segment);
	eq_stats_fini();
	return 0;
}
