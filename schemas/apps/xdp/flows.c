/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads flows.bpf.o, attaches it to an interface, makes an instance for each new flow, and publishes
 * all counters in a segment for `ctrgen top`, `ctrgen export` and others, until SIGTERM:
 *   flows INTERFACE flows.bpf.o SEGMENT
 *   cc -O2 flows.c out/flows_stats_xdp.c -Iout -o flows \
 *     $(ctrgen runtime --with xdp --with segment --cflags --archive --libs) */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <net/if.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "ctr_segment.h"
#include "flows_stats_xdp.h"

static volatile sig_atomic_t stopped;

static void
stop(int number)
{
	(void)number;
	stopped = 1;
}

/* A packet of a flow that has no instance. Several may have come before the first is known. */
static int
add_flow(void *context, void *data, size_t size)
{
	const struct flows_stats_flow_key *key = (const struct flows_stats_flow_key *)data;
	uint32_t flow;

	(void)context;
	if (size < sizeof(*key) || flows_stats_flow_key_find(key, &flow) == 0)
		return 0;
	if (flows_stats_flow_alloc(&flow) != 0)
		return 0; /* Counted in creations that were refused. */
	if (flows_stats_flow_key_set(flow, key) == 0)
		flows_stats_inc_flows();
	else
		(void)flows_stats_flow_destroy(flow, NULL);
	return 0;
}

static int
serve(struct bpf_object *object, const char *segment)
{
	const struct ctr_module *const modules[] = { &flows_stats_module };
	struct ctr_segment_options options = { .path = segment };
	struct ring_buffer *unknown = ring_buffer__new(
			bpf_object__find_map_fd_by_name(object, "unknown"), add_flow, NULL, NULL);
	struct ctr_segment *published = NULL;
	int rc = unknown == NULL ? -errno : 0;

	if (rc == 0)
		rc = ctr_segment_create(&published, modules, 1, &options);
	if (rc == 0)
		rc = ctr_segment_start(published, 100);
	if (rc == 0) {
		puts("ready");
		(void)fflush(stdout);
	}
	while (rc == 0 && !stopped) {
		const int n = ring_buffer__poll(unknown, 100);

		if (n < 0 && n != -EINTR)
			rc = n;
	}
	ctr_segment_close(published);
	ring_buffer__free(unknown);
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
	(void)signal(SIGTERM, stop);
	(void)signal(SIGINT, stop);
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
		rc = serve(object, argv[3]);
		(void)bpf_xdp_detach(interface, 0, NULL);
	}
	if (rc != 0)
		(void)fprintf(stderr, "flows: %s\n", strerror(-rc));
	flows_stats_fini();
	bpf_object__close(object);
	return rc != 0;
}
