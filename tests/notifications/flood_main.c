/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * Obeys commands; the clock stands still until a command moves it.
 *
 *   limit N                    told in a second, at most
 *   deep FIRST COUNT VALUE     set the depth of flows; likewise slow, busy
 *   run SECONDS                evaluate every second; of each, prints how often each notification
 *                              was told: deep, its end, slow, busy
 *   sum                        prints a number that follows from which instances were told so far
 *                              that they are deep, how many of them more than once, and totals
 */
#include <stdio.h>
#include <string.h>

#include "flood_stats.h"
#include "ctr_watch.h"

uint64_t __wrap_ctr_time_ns(void);

static uint64_t now_s = 1;
static unsigned int told[4];
static uint8_t deep[FLOOD_STATS_FLOW_MAX];

uint64_t
__wrap_ctr_time_ns(void)
{
	return now_s * 1000000000u;
}

static int
tell(const struct ctr_event *event, void *context)
{
	(void)context;
	told[event->number == 0 ? !event->raised : event->number + 1]++;
	if (event->number == 0 && event->raised)
		deep[event->at]++;
	return 0;
}

static void
change(const char *what, uint32_t first, uint32_t count, uint64_t value)
{
	uint32_t i;

	for (i = first; i < first + count; i++) {
		if (strcmp(what, "deep") == 0)
			flood_stats_flow_set_depth(i, value);
		else if (strcmp(what, "slow") == 0)
			flood_stats_flow_set_delay(i, value);
		else
			flood_stats_port_set_load(i, value);
	}
}

static void
run(struct ctr_watch *watch, unsigned int seconds)
{
	for (; seconds != 0; seconds--, now_s++) {
		memset(told, 0, sizeof(told));
		while (ctr_watch_run(watch) == 0)
			continue;
		printf("%u %u %u %u\n", told[0], told[1], told[2], told[3]);
	}
}

static void
sum(const struct ctr_watch *watch)
{
	struct ctr_watch_totals totals;
	unsigned int once = 0, more = 0;
	uint32_t i;

	ctr_watch_totals(watch, &totals);
	for (i = 0; i < FLOOD_STATS_FLOW_MAX; i++) {
		once += deep[i] != 0;
		more += deep[i] > 1;
	}
	printf("%u %u %lu %lu\n", once, more, totals.limited, totals.lost);
}

int
main(void)
{
	const struct ctr_module *const modules[] = { &flood_stats_module };
	struct ctr_watch *watch;
	unsigned int a, b, c;
	char line[64], what[16];

	if (flood_stats_init() != 0 || ctr_watch_open(&watch, modules, 1, tell, NULL) != 0)
		return 2;
	while (fgets(line, sizeof(line), stdin) != NULL) {
		if (sscanf(line, "limit %u", &a) == 1) {
			if (ctr_watch_limit(watch, a) != 0)
				return 3;
		} else if (sscanf(line, "run %u", &a) == 1) {
			run(watch, a);
		} else if (strncmp(line, "sum", 3) == 0) {
			sum(watch);
		} else if (sscanf(line, "%15s %u %u %u", what, &a, &b, &c) == 4) {
			change(what, a, b, c);
		}
	}
	ctr_watch_close(watch);
	flood_stats_fini();
	return 0;
}
