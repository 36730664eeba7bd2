/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * Counts packets of some sessions and publishes them: `app SEGMENT`. A line on standard input is the
 * load from then on, after one more packet of each session. Ends with it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "ctr_segment.h"
#include "edge_stats.h"
#include "../support/need.h"

#define EPOCH_MS 5
#define SESSIONS 8u

int
main(int argc, char **argv)
{
	const struct ctr_module *const modules[] = { &edge_stats_module };
	struct ctr_segment_options options = { .views = false };
	struct ctr_segment *segment;
	char line[64];
	uint32_t i;

	NEED(argc == 2);
	options.path = argv[1];
	NEED(edge_stats_init() == 0);
	NEED(ctr_segment_create(&segment, modules, 1, &options) == 0);
	NEED(ctr_segment_start(segment, EPOCH_MS) == 0);
	setvbuf(stdout, NULL, _IOLBF, 0);
	puts("0");
	while (fgets(line, sizeof(line), stdin) != NULL) {
		edge_stats_set_load(strtoull(line, NULL, 10));
		for (i = 0; i < SESSIONS; i++)
			edge_stats_session_inc_pkts(i);
		edge_stats_add_pkts(SESSIONS);
		puts("0");
	}
	ctr_segment_close(segment);
	edge_stats_fini();
	return 0;
}
