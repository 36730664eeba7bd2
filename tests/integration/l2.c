/* SPDX-License-Identifier: BSD-3-Clause */
/* Ports with queues, drops by reason and direction, and the final count of a flow under traffic. */
#include <pthread.h>
#include <stdio.h>

#include "l2_stats.h"

#define NONE UINT32_MAX

/* The application's lookup table, with one flow. */
static uint32_t flow = NONE, stop;

/* A worker: bursts of packets, a quiescent state after each. */
static void *
forward(void *unused)
{
	int i;

	(void)unused;
	if (ctr_thread_register() != 0)
		return NULL;
	l2_stats_burst_end();
	while (__atomic_load_n(&stop, __ATOMIC_ACQUIRE) == 0) {
		for (i = 0; i < 32; i++) {
			uint32_t found = __atomic_load_n(&flow, __ATOMIC_ACQUIRE);

			if (found != NONE)
				l2_stats_update_packet(1, 3, found, 64); /* port 1, queue 3 */
		}
		l2_stats_drop_inc_pkts(L2_STATS_DROP_REASON_TTL,
				       L2_STATS_DROP_DIRECTION_IN);
		l2_stats_burst_end();
	}
	l2_stats_flush();
	ctr_thread_unregister();
	return NULL;
}

int
main(void)
{
	struct l2_stats_flow bill;
	pthread_t worker;
	uint32_t index, why;
	int rc;

	if (l2_stats_init() != 0 || l2_stats_flow_alloc(&index) != 0)
		return 1;
	/* Port 1 starts, with one queue. */
	if (l2_stats_port_create(1) != 0 || l2_stats_queue_create(1, 3) != 0)
		return 1;
	__atomic_store_n(&flow, index, __ATOMIC_RELEASE);
	if (pthread_create(&worker, NULL, forward, NULL) != 0)
		return 1;
	while (l2_stats_queue_get_pkts(1, 3) == 0)
		;

	/* Unlink the index from the lookup table, then destroy the instance. */
	__atomic_store_n(&flow, NONE, __ATOMIC_RELEASE);
	while ((rc = l2_stats_flow_destroy(index, &bill)) == -EINPROGRESS)
		;
	__atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
	pthread_join(worker, NULL);
	if (rc == 0 && bill.pkts == l2_stats_port_get_rx_pkts(1))
		printf("the bill has every packet\n");
	for (why = 0; why < L2_STATS_DROP_REASON_MAX; why++)
		if (l2_stats_drop_get_pkts(why, L2_STATS_DROP_DIRECTION_IN) != 0)
			printf("some dropped: %s\n", l2_stats_drop_reason_labels[why]);
	l2_stats_fini();
	return 0;
}
