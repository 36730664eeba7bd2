/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Four threads count packets of 64 flows while the main thread reads; then the
 * counters are read and reset in one step. Needs no DPDK: in a DPDK
 * application, lcores do what the threads do here and register themselves.
 *
 * To let Prometheus scrape the process, call `ctrgen runtime --with openmetrics`,
 * ctr_openmetrics_stop() before app_stats_fini(), and after app_stats_init():
 *
 *	#include "ctr_openmetrics.h"
 *
 *	const struct ctr_module *const modules[] = { &app_stats_module };
 *	const struct ctr_openmetrics_options options = { .modules = modules, .num_modules = 1 };
 *
 *	if (ctr_openmetrics_start("127.0.0.1:9464", &options) != 0)
 *		return 1;
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>

#include "app_stats.h"

#define WORKERS 4
#define BURSTS 31250u
#define BURST_SIZE 32u
#define SIZE 64u

static void *
worker(void *arg)
{
	uint32_t flow = *(const uint32_t *)arg;

	/* Gives the thread an lcore id, and with it counters of its own. */
	if (ctr_thread_register() != 0)
		fprintf(stderr, "no lcore id left: counting goes on, a little slower\n");
	app_stats_add_workers(1);

	for (uint32_t burst = 0; burst < BURSTS; burst++) {
		for (uint32_t i = 0; i < BURST_SIZE; i++) {
			app_stats_update_packet(flow, SIZE);
			flow = (flow + 1) % APP_STATS_FLOW_MAX;
		}
		/* After each burst, even if it is empty: readers see its counts soon. */
		app_stats_burst_end();
	}

	/* Before a thread sleeps or ends: readers see all of its counts. */
	app_stats_flush();
	app_stats_sub_workers(1);
	ctr_thread_unregister();
	return NULL;
}

int
main(void)
{
	pthread_t threads[WORKERS];
	uint32_t first[WORKERS];
	struct app_stats_global total;
	struct app_stats_flow flow;
	uint64_t pkts = 0;

	if (app_stats_init() != 0) {
		fprintf(stderr, "cannot allocate the statistics\n");
		return 1;
	}
	app_stats_set_running(true);
	for (uint32_t i = 0; i < WORKERS; i++) {
		first[i] = i;
		if (pthread_create(&threads[i], NULL, worker, &first[i]) != 0)
			return 1;
	}

	/* Reading while others count is what this is for. */
	printf("so far: %" PRIu64 " packets\n", app_stats_get_rx_pkts());

	for (uint32_t i = 0; i < WORKERS; i++)
		pthread_join(threads[i], NULL);
	app_stats_set_running(false);

	/* Read and reset in one step: no count is lost in between. */
	for (uint32_t i = 0; i < APP_STATS_FLOW_MAX; i++) {
		if (app_stats_flow_reset(i, &flow) != 0)
			return 1;
		pkts += flow.pkts;
	}
	if (app_stats_global_reset(&total) != 0)
		return 1;
	printf("total: %" PRIu64 " packets, %" PRIu64 " bytes\n", total.rx_pkts, total.rx_bytes);
	printf("flows: %" PRIu64 " packets\n", pkts);
	printf("after the reset: %" PRIu64 " packets\n", app_stats_get_rx_pkts());

	app_stats_fini();
	return total.rx_pkts == (uint64_t)WORKERS * BURSTS * BURST_SIZE && pkts == total.rx_pkts ? 0 : 1;
}
