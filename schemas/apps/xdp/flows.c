/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads flows.bpf.o, attaches it to an interface, follows flows that begin and end, and publishes all
 * counters in a segment for `ctrgen top`, `ctrgen export` and others, until SIGTERM. SIGUSR1 prints
 * what flows have counted, and resets them:
 *   flows INTERFACE flows.bpf.o SEGMENT
 *   cc -O2 flows.c out/flows_stats_xdp.c -Iout -o flows \
 *     $(ctrgen runtime --with xdp --with segment --cflags --archive --libs) */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <inttypes.h>
#include <net/if.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "ctr_segment.h"
#include "flows_stats_xdp.h"

static volatile sig_atomic_t stopped, billed;

static void
on_signal(int number)
{
	if (number == SIGUSR1)
		billed = 1;
	else
		stopped = 1;
}

/* Indexes that the program may begin flows at before this process sees the first one. */
#define STOCK 1024

static void
print_flow(const char *what, const struct flows_stats_flow_key *key,
	   const struct flows_stats_flow *last)
{
	printf("%s port %u: %" PRIu64 " packets, %" PRIu64 " bytes\n", what, key->port, last->pkts,
	       last->bytes);
	(void)fflush(stdout);
}

/* Print what each flow has counted in this period, and begin the next one. */
static void
bill(void)
{
	struct flows_stats_flow_key key;
	struct flows_stats_flow last;
	uint32_t flow = 0;

	for (; (flow = flows_stats_flow_next(flow)) < FLOWS_STATS_FLOW_MAX; flow++)
		if (flows_stats_flow_key_get(flow, &key) == 0 &&
		    flows_stats_flow_reset(flow, &last) == 0)
			print_flow("period", &key, &last);
}

/* Take flows that begin and end, until SIGTERM. */
static int
follow_flows(void)
{
	struct flows_stats_flow_key key;
	struct flows_stats_flow last;
	uint32_t flow;
	int rc = 0;

	while (!stopped && (rc >= 0 || rc == -EINPROGRESS)) {
		rc = flows_stats_flow_key_next(100, &key, &flow, &last);
		if (rc == CTR_XDP_BEGUN) {
			flows_stats_inc_flows();
		} else if (rc == CTR_XDP_ENDED) {
			flows_stats_sub_flows(1);
			print_flow("end", &key, &last);
		}
		if (billed) {
			billed = 0;
			bill();
		}
	}
	return stopped ? 0 : rc;
}

static int
serve(const char *segment)
{
	const struct ctr_module *const modules[] = { &flows_stats_module };
	struct ctr_segment_options options = { .path = segment };
	struct ctr_segment *published = NULL;
	int rc = flows_stats_flow_key_stock(STOCK);

	if (rc == 0)
		rc = ctr_segment_create(&published, modules, 1, &options);
	if (rc == 0)
		rc = ctr_segment_start(published, 100);
	if (rc == 0) {
		puts("ready");
		(void)fflush(stdout);
		rc = follow_flows();
	}
	ctr_segment_close(published);
	return rc;
}

int
main(int argc, char **argv)
{
	const int interface = argc > 1 ? (int)if_nametoindex(argv[1]) : 0;
	struct bpf_object *object;
	int rc;

	if (argc != 4 || interface == 0) {
		(void)fprintf(stderr, "usage: flows INTERFACE flows.bpf.o SEGMENT\n");
		return 2;
	}
	(void)signal(SIGTERM, on_signal);
	(void)signal(SIGINT, on_signal);
	(void)signal(SIGUSR1, on_signal);
	object = bpf_object__open(argv[2]);
	rc = object == NULL ? -errno : flows_stats_xdp_prepare(object);
	if (rc == 0)
		rc = bpf_object__load(object);
	if (rc == 0)
		rc = flows_stats_xdp_attach(object);
	if (rc == 0)
		rc = bpf_xdp_attach(interface,
				    bpf_program__fd(bpf_object__find_program_by_name(object,
										     "count")),
				    0, NULL);
	if (rc == 0) {
		rc = serve(argv[3]);
		(void)bpf_xdp_detach(interface, 0, NULL);
	}
	if (rc != 0)
		(void)fprintf(stderr, "flows: %s\n", strerror(-rc));
	flows_stats_fini();
	bpf_object__close(object);
	return rc != 0;
}
