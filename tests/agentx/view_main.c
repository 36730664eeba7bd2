/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * Counts as fast as it can, each packet of 64 octets in the next port and flow of
 * four, and serves it: `view_main SOCKET`. Prints 0 when it does, and what it counted
 * after a line on standard input.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>

#include "agv_stats_agentx.h"

static int stop;

static void *
work(void *counted)
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
	*(uint64_t *)counted = n;
	return NULL;
}

int
main(int argc, char **argv)
{
	uint64_t counted = 0;
	pthread_t thread;
	char line[32];

	if (argc < 2 || agv_stats_init() != 0 || agv_stats_agentx_start(argv[1]) != 0)
		return 2;
	if (pthread_create(&thread, NULL, work, &counted) != 0)
		return 2;
	printf("0\n");
	fflush(stdout);
	if (fgets(line, sizeof(line), stdin) == NULL)
		return 2;
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	printf("%" PRIu64 "\n", counted);
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin) != NULL && line[0] != 'q')
		continue;
	agv_stats_agentx_stop();
	agv_stats_fini();
	printf("end\n");
	return 0;
}
