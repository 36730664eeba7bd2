/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Numbers of instances that are constants of DPDK: the last instance is there under each port, and
 * the next one is refused.
 */
#include <errno.h>

#include "harness.h"
#include "sym_stats.h"

#ifdef CTR_PORT_DPDK
#define PORTS RTE_MAX_ETHPORTS
#define QUEUES RTE_MAX_QUEUES_PER_PORT
#define FLOWS RTE_MAX_LCORE
#else
#define PORTS 3
#define QUEUES 2
#define FLOWS 2
#endif

TEST(last_instances)
{
	struct sym_stats_snapshot *snap;
	struct sym_stats_queue queue;
	struct sym_stats_flow flow;
	const uint32_t port = PORTS - 1, at = QUEUES - 1;
	uint32_t i, found;

	EQUAL(SYM_STATS_PORT_MAX, PORTS);
	EQUAL(SYM_STATS_QUEUE_MAX, QUEUES);
	EQUAL(SYM_STATS_FLOW_MAX, FLOWS);
	EQUAL(sym_stats_init(), 0);
	for (i = 0; i < FLOWS; i++) {
		EQUAL(sym_stats_flow_alloc(&found), 0);
		EQUAL(found, i);
	}
	EQUAL(sym_stats_flow_alloc(&found), -ENOSPC);
	EQUAL(sym_stats_flow_create(FLOWS), -ERANGE);
	for (i = 0; i < FLOWS; i++)
		sym_stats_update_packet(port, at, i, i + 1);
	sym_stats_update_packet(PORTS, at, 0, 1);
	sym_stats_update_packet(port, QUEUES, 0, 1);
	sym_stats_update_packet(port, at, FLOWS, 1);
	sym_stats_port_set_queues(port, 7);
	sym_stats_flush();
	EQUAL(sym_stats_drops(), 3);
	EQUAL(sym_stats_queue_read(port, at, &queue), 0);
	EQUAL(queue.pkts, FLOWS);
	EQUAL(sym_stats_queue_get_pkts(0, 0), 0);
	EQUAL(sym_stats_queue_read(PORTS, 0, &queue), -ERANGE);
	EQUAL(sym_stats_queue_read(0, QUEUES, &queue), -ERANGE);
	for (i = 0; i < FLOWS; i++) {
		EQUAL(sym_stats_flow_read(i, &flow), 0);
		EQUAL(flow.pkts, 1);
		EQUAL(flow.level, i + 1);
	}
	EQUAL(sym_stats_snapshot_create(&snap), 0);
	EQUAL(sym_stats_snapshot_read(snap), 0);
	EQUAL(snap->queue[PORTS * QUEUES - 1].pkts, FLOWS);
	EQUAL(snap->port[port].queues, 7);
	sym_stats_snapshot_free(snap);
	EQUAL(sym_stats_reset(), 0);
	EQUAL(sym_stats_queue_get_pkts(port, at), 0);
	EQUAL(sym_stats_flow_get_pkts(FLOWS - 1), 0);
	EQUAL(sym_stats_module.scopes[1].index_maxima[0], PORTS);
	EQUAL(sym_stats_module.scopes[1].index_maxima[1], QUEUES);
	sym_stats_fini();
}

/* The last chunk of 1,024 has 76 instances. */
TEST(trim_of_a_part_of_a_chunk)
{
	int rc;

	EQUAL(sym_stats_init(), 0);
	EQUAL(ctr_thread_register(), 0);
	sym_stats_quiescent();
	EQUAL(sym_stats_call_create(SYM_STATS_CALL_MAX - 1), 0);
	sym_stats_call_inc_pkts(SYM_STATS_CALL_MAX - 1);
	sym_stats_flush();
	while (sym_stats_call_destroy(SYM_STATS_CALL_MAX - 1, NULL) == -EINPROGRESS)
		sym_stats_quiescent();
	EQUAL(sym_stats_call_create(0), 0);
	while ((rc = sym_stats_call_trim()) == -EINPROGRESS)
		sym_stats_quiescent();
	EQUAL(rc, 0);
	EQUAL(sym_stats_call_create(SYM_STATS_CALL_MAX - 1), 0);
	EQUAL(sym_stats_call_get_pkts(SYM_STATS_CALL_MAX - 1), 0);
	ctr_thread_unregister();
	sym_stats_fini();
}
