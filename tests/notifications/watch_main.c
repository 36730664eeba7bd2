/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * Obeys commands, and prints what is told: the clock stands still until a command moves it.
 *
 *   at MS         the time in milliseconds
 *   run           evaluate what is due
 *   answer RC     what the one who is told answers from now on
 *   totals        what was told, what not
 *   SCOPE.ITEM N [INDEX..]   change an item
 *   create SCOPE N, destroy SCOPE N, reset SCOPE N
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gw_stats.h"
#include "ctr_watch.h"

uint64_t __wrap_ctr_time_ns(void);

static uint64_t now_ms;
static int answer;

uint64_t
__wrap_ctr_time_ns(void)
{
	return now_ms * 1000000u;
}

static int
tell(const struct ctr_event *event, void *context)
{
	const struct ctr_scope *scope = &event->module->scopes[event->notification->scope];
	unsigned int i;

	printf("%s%s", event->raised ? "+" : "-", event->notification->name);
	for (i = 0; i < scope->num_indexes; i++)
		printf("%c%u", i == 0 ? ' ' : '.', event->index[i]);
	printf(" %.6g\n", event->seen);
	(void)context;
	return answer;
}

static int
change(const char *what, long n, uint32_t a, uint32_t b)
{
	if (strcmp(what, "global.load") == 0)
		gw_stats_set_load((uint64_t)n);
	else if (strcmp(what, "global.spare") == 0)
		gw_stats_set_spare((uint64_t)n);
	else if (strcmp(what, "session.drops") == 0)
		gw_stats_session_add_drops(a, (uint64_t)n);
	else if (strcmp(what, "session.errors") == 0)
		gw_stats_session_add_errors(a, (uint32_t)n);
	else if (strcmp(what, "flow.pkts") == 0)
		gw_stats_flow_add_pkts(a, (uint64_t)n);
	else if (strcmp(what, "flow.phase") == 0)
		gw_stats_flow_set_phase(a, (enum gw_stats_flow_phase)n);
	else if (strcmp(what, "port.link") == 0)
		gw_stats_port_set_link(a, (enum gw_stats_port_link)n);
	else if (strcmp(what, "port.alarm") == 0)
		gw_stats_port_set_alarm(a, n != 0);
	else if (strcmp(what, "port.temperature") == 0)
		gw_stats_port_set_temperature(a, (int32_t)n);
	else if (strcmp(what, "queue.deepest") == 0)
		gw_stats_queue_observe_deepest(a, b, (uint64_t)n);
	else
		return -1;
	return 0;
}

static int
obey(const char *line, struct ctr_watch *watch)
{
	struct ctr_watch_totals totals;
	unsigned int a = 0, b = 0;
	char word[32];
	long n = 0;

	if (sscanf(line, "at %ld", &n) == 1) {
		now_ms = (uint64_t)n;
	} else if (strncmp(line, "run", 3) == 0) {
		while (ctr_watch_run(watch) == 0)
			continue;
	} else if (sscanf(line, "answer %d", &answer) == 1) {
		return 0;
	} else if (strncmp(line, "totals", 6) == 0) {
		ctr_watch_totals(watch, &totals);
		printf("%lu %lu %lu %lu\n", totals.raised, totals.cleared, totals.limited,
		       totals.lost);
	} else if (sscanf(line, "create session %u", &a) == 1) {
		return gw_stats_session_create(a);
	} else if (sscanf(line, "destroy session %u", &a) == 1) {
		return gw_stats_session_destroy(a, NULL);
	} else if (sscanf(line, "reset session %u", &a) == 1) {
		return gw_stats_session_reset(a, NULL);
	} else if (sscanf(line, "create flow %u", &a) == 1) {
		return gw_stats_flow_create(a);
	} else if (sscanf(line, "destroy flow %u", &a) == 1) {
		return gw_stats_flow_destroy(a, NULL);
	} else if (sscanf(line, "%31s %ld %u %u", word, &n, &a, &b) >= 2) {
		return change(word, n, a, b);
	}
	return 0;
}

int
main(void)
{
	const struct ctr_module *const modules[] = { &gw_stats_module };
	struct ctr_watch *watch;
	char line[64];

	if (gw_stats_init() != 0 || ctr_watch_open(&watch, modules, 1, tell, NULL) != 0)
		return 2;
	while (fgets(line, sizeof(line), stdin) != NULL) {
		if (obey(line, watch) != 0)
			printf("failed: %s", line);
	}
	ctr_watch_close(watch);
	gw_stats_fini();
	return 0;
}
