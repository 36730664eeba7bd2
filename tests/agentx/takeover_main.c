/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * One of several processes that serve the same module: `takeover_main SOCKET NUMBER [SEGMENT]`.
 * All that it counts is a multiple of its number, unless a former process hands its counts over in
 * the segment. Obeys lines on standard input: `status` prints
 * standing, reason and priority of each group, `told` how often it was told of a change; `reset`
 * counts anew in a port, `create` in another flow; `final` hands the counts over.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agx_stats_agentx.h"
#include "ctr_segment.h"

#define GROUPS 8

static unsigned int told;

/* Any thread can ask for the status; what is told and what is shown are the same. */
static void
changed(const struct ctr_agentx_status *status, void *argument)
{
	struct ctr_agentx_status all[GROUPS];
	const int num = ctr_agentx_status(all, GROUPS);
	int i;

	for (i = 0; i < num; i++) {
		if (all[i].oid == status->oid && all[i].standing == status->standing &&
		    all[i].reason == status->reason && all[i].module == &agx_stats_module)
			__atomic_fetch_add((unsigned int *)argument, 1, __ATOMIC_RELAXED);
	}
}

static void
print_status(void)
{
	struct ctr_agentx_status all[GROUPS];
	const int num = ctr_agentx_status(all, GROUPS);
	int i;

	for (i = 0; i < num && i < GROUPS; i++)
		printf("%s %d %u %s\n", all[i].scope, (int)all[i].standing, all[i].priority,
				ctr_agentx_reason(all[i].reason));
	printf("end\n");
}

static void
count(uint64_t number)
{
	unsigned int port, queue;

	agx_stats_add_wide(number);
	for (port = 0; port < AGX_STATS_PORT_MAX; port++) {
		agx_stats_port_add_frames(port, number * (port + 1));
		for (queue = 0; queue < AGX_STATS_QUEUE_MAX; queue++)
			agx_stats_queue_add_pkts(port, queue, number * (port + 1) * (queue + 1));
	}
}

static int
obey(const char *line, uint64_t number, struct ctr_segment *segment)
{
	int rc = 0;

	if (strcmp(line, "told\n") == 0)
		return (int)__atomic_load_n(&told, __ATOMIC_RELAXED);
	if (strcmp(line, "final\n") == 0)
		return ctr_segment_final(segment);
	if (strcmp(line, "reset\n") == 0) {
		rc = agx_stats_port_reset(0, NULL);
		agx_stats_port_add_frames(0, number);
	} else {
		rc = agx_stats_flow_create(1);
		agx_stats_flow_add_hits(1, number);
	}
	return rc;
}

int
main(int argc, char **argv)
{
	static const struct ctr_module *const modules[] = { &agx_stats_module };
	struct ctr_segment_former former = { .path = argc > 3 ? argv[3] : NULL,
					     .wait_ms = 10000 };
	const struct ctr_segment_options options = { .path = former.path, .former = &former };
	struct ctr_segment *segment = NULL;
	char line[32];

	if (argc < 3 || agx_stats_init() != 0 || ctr_agentx_status(NULL, 0) != -EINVAL ||
	    ctr_agentx_on_status(changed, &told) != 0)
		return 2;
	if (argc > 3)
		fprintf(stderr, "initialised\n");
	if (argc > 3 && ctr_segment_create(&segment, modules, 1, &options) != 0)
		return 2;
	if (former.instances == 0)
		count(strtoull(argv[2], NULL, 10));
	if (agx_stats_agentx_start(argv[1]) != 0 || ctr_agentx_on_status(NULL, NULL) != -EBUSY)
		return 2;
	/* Created now, it has a time of creation. */
	if (former.instances == 0 && agx_stats_flow_create(0) == 0)
		agx_stats_flow_add_hits(0, strtoull(argv[2], NULL, 10));
	printf("0\n");
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin) != NULL && strcmp(line, "quit\n") != 0) {
		if (strcmp(line, "status\n") == 0)
			print_status();
		else
			printf("%d\n", obey(line, strtoull(argv[2], NULL, 10), segment));
		fflush(stdout);
	}
	if (segment != NULL && ctr_segment_final(segment) != 0)
		return 2;
	agx_stats_agentx_stop();
	ctr_segment_close(segment);
	agx_stats_fini();
	printf("end\n");
	return 0;
}
