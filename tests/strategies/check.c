/* SPDX-License-Identifier: BSD-3-Clause */
/* Fails if a strategy loses counts, or returns them twice: three threads, one without an lcore id. */
#include <pthread.h>
#include <stdio.h>

#include "ep_stats.h"

#define WORKERS 3 /* the last one has no lcore id */
#define UPDATES 1000000u

static unsigned int running = WORKERS;

static void *
worker(void *arg)
{
	unsigned int number = *(unsigned int *)arg;
	unsigned int i;

	if (number != WORKERS - 1)
		ctr_thread_register();
	for (i = 0; i < UPDATES; i++) {
		ep_stats_update_packet(7, 100);
		ep_stats_burst_end();
	}
	ep_stats_flush();
	ctr_thread_unregister();
	__atomic_fetch_sub(&running, 1, __ATOMIC_RELEASE);
	return NULL;
}

int
main(void)
{
	unsigned int i, numbers[WORKERS];
	struct ep_stats_session last;
	pthread_t threads[WORKERS];
	uint64_t pkts = 0, bytes = 0;

	if (ep_stats_init() != 0)
		return 1;
	for (i = 0; i < WORKERS; i++) {
		numbers[i] = i;
		if (pthread_create(&threads[i], NULL, worker, &numbers[i]) != 0)
			return 1;
	}
	while (__atomic_load_n(&running, __ATOMIC_ACQUIRE) != 0) {
		ep_stats_session_reset(7, &last);
		pkts += last.pkts;
		bytes += last.bytes;
	}
	for (i = 0; i < WORKERS; i++)
		pthread_join(threads[i], NULL);
	ep_stats_session_reset(7, &last);
	pkts += last.pkts;
	bytes += last.bytes;
	printf("%lu packets, %lu bytes\n", (unsigned long)pkts, (unsigned long)bytes);
	ep_stats_fini();
	return pkts == WORKERS * UPDATES && bytes == 100 * pkts ? 0 : 1;
}
