/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * Evaluates 100,000 rows some times: prints the rows that were read, the notifications, the calls
 * that it took, and the nanoseconds of all of it.
 */
#include <stdio.h>
#include <unistd.h>

#include "cost_stats.h"
#include "ctr_watch.h"

static int
tell(const struct ctr_event *event, void *context)
{
	(void)event;
	(void)context;
	return 0;
}

int
main(void)
{
	const struct ctr_module *const modules[] = { &cost_stats_module };
	struct ctr_watch_totals totals = { 0, 0, 0, 0, 0, 0, 0 };
	struct ctr_watch *watch;
	unsigned int calls = 0;

	if (cost_stats_init() != 0 || ctr_watch_open(&watch, modules, 1, tell, NULL) != 0)
		return 2;
	while (totals.passes < 3) {
		uint32_t wait_ms = ctr_watch_run(watch);

		calls++;
		ctr_watch_totals(watch, &totals);
		if (totals.passes == 1)
			cost_stats_flow_add_drops(99999, 1000000000);
		usleep(1000 * wait_ms);
	}
	printf("%lu %lu %u %lu\n", totals.rows, totals.raised, calls, totals.busy_ns);
	ctr_watch_close(watch);
	cost_stats_fini();
	return 0;
}
