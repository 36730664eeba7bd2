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

static void
must(int rc, const char *what)
{
	if (rc != 0) {
		(void)fprintf(stderr, "%s: %d\n", what, rc);
		exit(1);
	}
}

#ifdef XDP
static struct bpf_object *object;

static void
begin(const char *path)
{
	object = bpf_object__open(path);
	must(eq_stats_xdp_prepare(object), "prepare");
	must(bpf_object__load(object), "load");
	must(eq_stats_xdp_attach(object), "attach");
}

static void
update_all(uint32_t turn)
{
	uint32_t packet[16] = { turn };
	LIBBPF_OPTS(bpf_test_run_opts, opts, .data_in = packet, .data_size_in = sizeof(packet));
	const int fd = bpf_program__fd(bpf_object__find_program_by_name(object, "count"));

	must(bpf_prog_test_run_opts(fd, &opts), "run");
	must((int)opts.retval - 2, "verdict");
}
#else
static void
begin(const char *path)
{
	(void)path;
#ifdef CTR_PORT_DPDK
	{
		static char words[][16] = { "equal", "--no-huge", "--no-pci", "--no-telemetry",
					    "--no-shconf", "-m", "256" };
		char *args[7];
		size_t i;

		for (i = 0; i < 7; i++)
			args[i] = words[i];
		must(rte_eal_init(7, args) < 0, "rte_eal_init");
	}
#endif
	must(eq_stats_init(), "init");
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

/* Every value, as a generic reader finds it. */
static void
dump(void)
{
	uint64_t values[64];
	uint32_t s, at, i;

	for (s = 0; s < eq_stats_module.num_scopes + eq_stats_module.num_health; s++) {
		const struct ctr_scope *scope = &eq_stats_module.scopes[s];

		for (at = 0; at < 80; at++) {
			uint32_t index[2] = { at, 0 };

			if (scope->num_indexes == 2) {
				index[0] = at / scope->index_maxima[1];
				index[1] = at % scope->index_maxima[1];
			}
			if ((scope->num_indexes == 0 && at > 0) ||
			    scope->read(index, values) != 0)
				continue;
			for (i = 0; i < scope->num_items; i++)
				printf("%s %s %" PRIu32 " %s %" PRIu64 "\n", scope->name,
				       scope->strategy, at, scope->items[i].name,
				       ctr_item_value(&scope->items[i], values));
		}
	}
}

int
main(int argc, char **argv)
{
	const struct ctr_module *const modules[] = { &eq_stats_module };
	struct ctr_segment_options options = { .path = argv[1] };
	struct eq_stats_global last;
	struct ctr_segment *segment;
	uint32_t turn, peer;

	if (argc != 4)
		return 2;
	begin(argv[3]);
	for (peer = 0; peer < 64; peer++) {
		struct eq_stats_peer_key key = { 0x0100000a + (peer << 24) };

		must(eq_stats_peer_create(peer), "create");
		must(eq_stats_peer_key_set(peer, &key), "key");
	}
	for (turn = 0; turn < 500; turn++) {
		update_all(turn);
		if (turn == 200)
			must(eq_stats_reset(), "reset");
		if (turn == 300)
			must(eq_stats_global_reset(&last), "reset of global");
		if (turn == 400)
			must(end_peer(), "destroy");
	}
	dump();
	must(ctr_segment_create(&segment, modules, 1, &options), "segment");
	must(eq_stats_agentx_start(argv[2]), "agent");
	puts("ready");
	(void)fflush(stdout);
	while (getchar() != EOF)
		;
	eq_stats_agentx_stop();
	ctr_segment_close(segment);
	eq_stats_fini();
	return 0;
}
