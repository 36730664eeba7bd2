/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * An application all of whose counters grow: `fleet_main SEGMENT`. Ends
 * with its standard input.
 */
#include <poll.h>
#include <stdio.h>

#include "ctr_segment.h"
#include "fleet_stats.h"

#define PERIOD_MS 500

int
main(int argc, char **argv)
{
	const struct ctr_module *const modules[] = { &fleet_stats_module };
	struct ctr_segment_options options = { .views = false };
	struct pollfd end = { 0, POLLIN, 0 };
	struct ctr_segment *segment;
	uint32_t i, n = 1;

	if (argc != 2 || fleet_stats_init() != 0)
		return 2;
	options.path = argv[1];
	if (ctr_segment_create(&segment, modules, 1, &options) != 0)
		return 3;
	puts("0");
	fflush(stdout);
	while (poll(&end, 1, PERIOD_MS) == 0) {
		for (i = 0; i < FLEET_STATS_SESSION_MAX; i++) {
			n = n * 1664525u + 1013904223u;
			fleet_stats_session_add_pkts(i, n >> 24);
			fleet_stats_session_add_bytes(i, n >> 14);
		}
		fleet_stats_flush();
		(void)ctr_segment_publish(segment);
	}
	ctr_segment_close(segment);
	fleet_stats_fini();
	return 0;
}
