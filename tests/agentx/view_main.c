/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * Counts as fast as it can, each packet of 64 octets in the next port and flow of
 * four, and serves it: `view_main SOCKET`. `rest` ends that, and prints what was counted.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>

#include "agv_stats_agentx.h"
#include "serve.h"

static int stop;
static pthread_t thread;
static uint64_t counted;

static void *
work(void *unused)
{
	uint64_t n = 0;

	if (ctr_thread_register() != 0)
		return NULL;
	while (__atomic_load_n(&stop, __ATOMIC_RELAXED) == 0) {
		agv_stats_update_packet((uint32_t)(n % 4), (uint32_t)(n % 4), 64);
		agv_stats_burst_end();
		n++;
	}
	agv_stats_flush();
	ctr_thread_unregister();
	counted = n;
	return unused;
}

static int
rest(const char *line)
{
	(void)line;
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	printf("%" PRIu64 " ", counted);
	return 0;
}

int
main(int argc, char **argv)
{
	if (argc < 2 || agv_stats_init() != 0 || pthread_create(&thread, NULL, work, NULL) != 0)
		return 2;
	return serve(&agv_stats_agentx, argv[1], rest, NULL);
}
