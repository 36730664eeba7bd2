/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * Counts packets at a steady rate and publishes them: `app SEGMENT PACKETS-A-SECOND`. Obeys lines on
 * standard input: `sent` (how many there were, and at what time in ns), `load N`. Ends with it.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ctr_segment.h"
#include "edge_stats.h"
#include "../support/need.h"

#define EPOCH_MS 5
#define SESSIONS 8u

static bool running = true;
static uint64_t rate;

/* Send what is due. One that was not let run for a while sends what it has missed. */
static void *
traffic(void *unused)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	const uint64_t begin = ctr_time_ns();
	uint64_t sent = 0, due;

	NEED(ctr_thread_register() == 0);
	while (__atomic_load_n(&running, __ATOMIC_RELAXED)) {
		due = (ctr_time_ns() - begin) / 1000 * rate / 1000000;
		for (; sent < due; sent++) {
			edge_stats_add_pkts(1);
			edge_stats_session_add_pkts((uint32_t)(sent % SESSIONS), 1);
		}
		nanosleep(&pause, NULL);
	}
	ctr_thread_unregister();
	return unused;
}

int
main(int argc, char **argv)
{
	const struct ctr_module *const modules[] = { &edge_stats_module };
	struct ctr_segment_options options = { .views = false };
	struct ctr_segment *segment;
	pthread_t thread;
	char line[64];

	NEED(argc == 3);
	options.path = argv[1];
	rate = strtoull(argv[2], NULL, 10);
	NEED(edge_stats_init() == 0);
	edge_stats_set_load(40);
	NEED(ctr_segment_create(&segment, modules, 1, &options) == 0);
	NEED(ctr_segment_start(segment, EPOCH_MS) == 0);
	NEED(pthread_create(&thread, NULL, traffic, NULL) == 0);
	setvbuf(stdout, NULL, _IOLBF, 0);
	puts("0");
	while (fgets(line, sizeof(line), stdin) != NULL) {
		if (strncmp(line, "load ", 5) == 0)
			edge_stats_set_load(strtoull(line + 5, NULL, 10));
		printf("%" PRIu64 " %" PRIu64 "\n", edge_stats_get_pkts(), ctr_time_ns());
	}
	__atomic_store_n(&running, false, __ATOMIC_RELAXED);
	NEED(pthread_join(thread, NULL) == 0);
	ctr_segment_close(segment);
	edge_stats_fini();
	return 0;
}
