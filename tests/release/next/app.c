/* SPDX-License-Identifier: BSD-3-Clause */
/* An application of this release: what one for 0.1 had, labels, a histogram, and how
 * instances end. Its argument is the number of threads that count. Says what it has counted, or in
 * which line something was not as it should be. */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "past_stats.h"

#define ROUNDS 20000u
#define CHECK(condition)                                                     \
	do {                                                                 \
		if (!(condition)) {                                          \
			fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
			exit(1);                                             \
		}                                                            \
	} while (0)

/* Counts 8 packets of 100 octets in sessions 1 to 3, 3 hits of flow 7, and an item of each alone. */
static void
count_round(void)
{
	static const uint32_t sessions[2] = {2, 3}, flows[2] = {7, 7};
	static const uint16_t sizes[2] = {100, 100};
	struct past_stats_batch batch;

	past_stats_update_packet(1, 100);
	past_stats_update_packet_bulk(sessions, sizes, 2);
	past_stats_batch_begin(&batch);
	past_stats_batch_packet(&batch, 1, 100);
	past_stats_batch_packet(&batch, 1, 100);
	past_stats_batch_hit(&batch, 7);
	past_stats_batch_end(&batch);
	past_stats_update_hit_bulk(flows, 1);
	past_stats_update_hit(7);
	past_stats_inc_total_pkts();
	past_stats_add_total_bytes(100);
	past_stats_session_inc_pkts(1);
	past_stats_session_add_bytes(1, 100);
	past_stats_session_prefetch(1);
	past_stats_flow_prefetch(7);
	past_stats_update_expired(100);
	past_stats_burst_end();
}

static void *
worker(void *unused)
{
	unsigned int i;

	CHECK(ctr_thread_register() == 0);
	for (i = 0; i < ROUNDS; i++)
		count_round();
	past_stats_flush();
	ctr_thread_unregister();
	return unused;
}

static void
gauges_and_states(void)
{
	past_stats_set_sessions(5);
	past_stats_inc_sessions();
	past_stats_add_sessions(10);
	past_stats_sub_sessions(2);
	CHECK(past_stats_get_sessions() == 14);
	past_stats_set_link_up(true);
	past_stats_set_phase(PAST_STATS_GLOBAL_PHASE_RUNNING);
	CHECK(past_stats_get_link_up() && past_stats_get_phase() == PAST_STATS_GLOBAL_PHASE_RUNNING);
}

static void
reads(uint64_t rounds)
{
	struct past_stats_snapshot *snap;
	struct past_stats_global global;
	struct past_stats_session session;
	struct past_stats_flow flow;

	CHECK(past_stats_get_total_pkts() == 6 * rounds);
	CHECK(past_stats_get_total_bytes() == 600 * rounds);
	CHECK(past_stats_session_get_pkts(1) == 4 * rounds);
	CHECK(past_stats_session_get_bytes(1) == 400 * rounds);
	CHECK(past_stats_flow_get_hits(7) == 3 * rounds && past_stats_flow_exists(7));
	past_stats_read_lock();
	CHECK(past_stats_global_read(&global) == 0 && global.total_pkts == 6 * rounds);
	CHECK(global.sessions == 14 && global.link_up);
	CHECK(past_stats_session_read(2, &session) == 0 && session.bytes == 100 * rounds);
	CHECK(past_stats_flow_read(7, &flow) == 0 && flow.hits == 3 * rounds);
	past_stats_read_unlock();
	CHECK(past_stats_session_read(PAST_STATS_SESSION_MAX, &session) == -ERANGE);
	CHECK(past_stats_flow_read(8, &flow) == -ENOENT);
	CHECK(past_stats_snapshot_create(&snap) == 0 && past_stats_snapshot_read(snap) == 0);
	CHECK(snap->global.total_bytes == 600 * rounds && snap->session[3].pkts == rounds);
	CHECK(snap->end_ns >= snap->start_ns);
	past_stats_snapshot_free(snap);
}

/* What lcores have, together: what all have, or nothing under a strategy that shares. */
static void
lcores(uint64_t rounds)
{
	uint64_t pkts = 0, bytes = 0, session = 0, hits = 0;
	struct past_stats_global global;
	unsigned int lcore;

	if (past_stats_global_lcore_read(CTR_NON_LCORE, &global) == -ENOTSUP)
		return;
	for (lcore = 0; lcore < CTR_SLOTS; lcore++) {
		struct past_stats_session of_session;
		struct past_stats_flow of_flow;

		pkts += past_stats_lcore_get_total_pkts(lcore);
		bytes += past_stats_lcore_get_total_bytes(lcore);
		if (past_stats_session_lcore_read(lcore, 1, &of_session) == 0)
			session += of_session.pkts;
		if (past_stats_flow_lcore_read(lcore, 7, &of_flow) == 0)
			hits += of_flow.hits;
	}
	CHECK(pkts == 6 * rounds && bytes == 600 * rounds);
	CHECK(session == 4 * rounds && hits == 3 * rounds);
}

static void
labels(uint64_t rounds)
{
	struct past_stats_drop drop;

	CHECK(past_stats_drop_get_pkts(PAST_STATS_DROP_TTL) == rounds);
	CHECK(past_stats_drop_get_pkts(PAST_STATS_DROP_VLAN) == 0);
	past_stats_drop_observe_sizes(PAST_STATS_DROP_VLAN, 600);
	past_stats_flush();
	CHECK(past_stats_drop_get_sizes_above_512(PAST_STATS_DROP_VLAN) == 1);
	CHECK(past_stats_drop_read(PAST_STATS_DROP_TTL, &drop) == 0);
	CHECK(drop.sizes_to_512 == rounds && drop.sizes_sum == 100 * rounds && drop.sizes_to_64 == 0);
}

/* What an instance has counted is in its end, and nothing of it in the next life. */
static void
ends(void)
{
	struct past_stats_flow last = {0};
	uint32_t flow = 0;

	CHECK(past_stats_flow_alloc(&flow) == 0 && past_stats_flow_next(0) == flow);
	past_stats_update_hit(flow);
	past_stats_flush();
	while (past_stats_flow_destroy(flow, &last) == -EINPROGRESS)
		past_stats_burst_end();
	CHECK(last.hits == 1 && !past_stats_flow_exists(flow));
	past_stats_update_hit(flow);
	past_stats_flush();
	CHECK(past_stats_late() == 1 && past_stats_drops() == 0);
	CHECK(past_stats_flow_create(flow) == 0 && past_stats_flow_get_hits(flow) == 0);
	CHECK(past_stats_flow_trim() == 0 || past_stats_flow_trim() == -EINPROGRESS);
}

/* Each count is in the result of one reset and in nothing that is read after it. */
static void
resets(uint64_t rounds)
{
	static struct past_stats_session all[PAST_STATS_SESSION_MAX];
	struct past_stats_snapshot *snap;
	struct past_stats_global global;
	struct past_stats_session session;
	struct past_stats_flow flow;

	CHECK(past_stats_global_reset(&global) == 0 && global.total_pkts == 6 * rounds);
	CHECK(past_stats_session_reset(1, &session) == 0 && session.pkts == 4 * rounds);
	CHECK(past_stats_session_reset_all(all) == 0 && all[1].pkts == 0 && all[2].pkts == rounds);
	CHECK(past_stats_flow_reset(7, &flow) == 0 && flow.hits == 3 * rounds);
	CHECK(past_stats_get_total_pkts() == 0 && past_stats_session_get_bytes(3) == 0);
	past_stats_update_packet(9, 50);
	past_stats_flush();
	CHECK(past_stats_snapshot_create(&snap) == 0 && past_stats_snapshot_reset(snap) == 0);
	CHECK(snap->session[9].bytes == 50 && past_stats_session_get_pkts(9) == 0);
	past_stats_snapshot_free(snap);
	past_stats_update_packet(9, 50);
	past_stats_flush();
	CHECK(past_stats_reset() == 0 && past_stats_get_total_pkts() == 0);
	CHECK(past_stats_get_sessions() == 14);
}

int
main(int argc, char **argv)
{
	unsigned int n = argc > 1 ? (unsigned int)atoi(argv[1]) : 1, i;
	pthread_t threads[8];

	CHECK(n >= 1 && n <= 8);
	CHECK(past_stats_init() == 0 && past_stats_init() == -EALREADY);
	CHECK(past_stats_flow_create(7) == 0 && past_stats_flow_create(7) == -EEXIST);
	for (i = 0; i < n; i++)
		CHECK(pthread_create(&threads[i], NULL, worker, NULL) == 0);
	for (i = 0; i < n; i++)
		CHECK(pthread_join(threads[i], NULL) == 0);
	gauges_and_states();
	reads((uint64_t)n * ROUNDS);
	lcores((uint64_t)n * ROUNDS);
	printf("%" PRIu64 " packets\n", past_stats_get_total_pkts());
	labels((uint64_t)n * ROUNDS);
	resets((uint64_t)n * ROUNDS);
	ends();
	CHECK(past_stats_module.num_scopes == 4);
	past_stats_fini();
	return 0;
}
