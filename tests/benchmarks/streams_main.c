/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A snapshot of many instances, and memcpy. streams.py makes a program of this file and a module.
 *
 * Arguments: how many threads count first, each in a copy of its own; rounds; bytes that memcpy
 * copies. Prints for each round the ns of CPU time of a snapshot, and of memcpy.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "program.h"
#include "stream_stats.h"

static pthread_barrier_t counted;

static void *
count(void *arg)
{
	uint32_t i;

	ctr_thread_register();
	for (i = 0; i < STREAM_STATS_FLOW_MAX; i++)
		stream_stats_update_packet(i, 100);
	pthread_barrier_wait(&counted);
	ctr_thread_unregister();
	return arg;
}

int
main(int argc, char **argv)
{
	const uint32_t threads = argc == 4 ? (uint32_t)atoi(argv[1]) : 0;
	const size_t bytes = threads != 0 ? strtoul(argv[3], NULL, 10) : 0;
	int (*const create)(const uint32_t *index) = stream_stats_module.scopes[0].create;
	struct stream_stats_snapshot *snap;
	uint64_t begin, middle;
	pthread_t thread[16];
	char *from, *to;
	uint32_t i;
	int rounds;

	/* Huge pages on neither side. */
	if (prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0) != 0 || threads == 0 || threads > 16 ||
	    stream_stats_init() != 0 || stream_stats_snapshot_create(&snap) != 0)
		return 1;
	for (i = 0; create != NULL && i < STREAM_STATS_FLOW_MAX; i++)
		if (create(&i) != 0)
			return 1;
	pthread_barrier_init(&counted, NULL, threads);
	for (i = 0; i < threads; i++)
		pthread_create(&thread[i], NULL, count, NULL);
	for (i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	from = malloc(bytes);
	to = malloc(bytes);
	if (from == NULL || to == NULL)
		return 1;
	memset(from, 1, bytes);
	memset(to, 2, bytes);
	(void)stream_stats_snapshot_read(snap);
	for (rounds = atoi(argv[2]); rounds > 0; rounds--) {
		begin = thread_ns();
		if (stream_stats_snapshot_read(snap) != 0)
			return 1;
		middle = thread_ns();
		memcpy(to, from, bytes);
		printf("%" PRIu64 " %" PRIu64 "\n", middle - begin, thread_ns() - middle);
		from[rounds] = to[rounds + 1];
	}
	for (i = 0; i < STREAM_STATS_FLOW_MAX; i++)
		if (snap->flow[i].c0 != threads)
			return 1;
	stream_stats_snapshot_free(snap);
	return 0;
}
