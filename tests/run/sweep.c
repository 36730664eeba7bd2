/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * A snapshot, and the rows of a descriptor, are what reads of each instance are: counts of several
 * lcores, since the last reset.
 */
#include <stdlib.h>

#include "harness.h"
#include "swp_stats.h"

#define WORKERS 3u

static void
count(struct worker *me)
{
	const uint32_t own = me->number + 1;
	uint32_t i;

	for (i = 0; i < SWP_STATS_FLOW_MAX; i++) {
		swp_stats_flow_add_pkts(i, own * i);
		swp_stats_flow_add_small(i, own * UINT32_C(1500000000));
		swp_stats_flow_set_level(i, i + 5);
		swp_stats_queue_add_pkts(i, i % 3, own + i);
	}
	for (i = 1; i < SWP_STATS_CALL_MAX; i += 100) {
		swp_stats_call_add_pkts(i, own);
		swp_stats_call_add_bytes(i, own * i);
	}
	for (i = 0; i < SWP_STATS_WIDE_MAX; i++) {
		swp_stats_wide_add_c0(i, own);
		swp_stats_wide_add_c7(i, own * 7);
		swp_stats_wide_add_c8(i, own * i);
	}
	swp_stats_flush();
}

static void
count_all(void)
{
	struct worker workers[WORKERS];

	workers_start(workers, WORKERS, count, WORKERS - 1);
	workers_go();
	workers_join(workers, WORKERS);
}

/* Rows of a scope, from `at` on, against reads. */
static void
compare_rows(const struct ctr_scope *scope, uint32_t total, uint32_t at, uint32_t num)
{
	uint8_t *rows = (uint8_t *)calloc(num, scope->value_size);
	uint8_t *one = (uint8_t *)calloc(1, scope->value_size);
	int *rc = (int *)calloc(num, sizeof(*rc));
	uint32_t index[2], i;

	CHECK(at + num <= total, "%u", total);
	swp_stats_module.read_lock();
	scope->rows(at, num, rows, rc);
	swp_stats_module.read_unlock();
	for (i = 0; i < num; i++) {
		index[0] = (at + i) / (scope->num_indexes > 1 ? scope->index_maxima[1] : 1);
		index[1] = (at + i) % (scope->num_indexes > 1 ? scope->index_maxima[1] : 1);
		EQUAL(rc[i], scope->read(index, one));
		CHECK(memcmp(one, rows + i * scope->value_size, scope->value_size) == 0,
		      "row %u of %s", at + i, scope->name);
	}
	free(rows);
	free(one);
	free(rc);
}

static void
compare(struct swp_stats_snapshot *snap)
{
	struct swp_stats_flow flow;
	struct swp_stats_queue queue;
	struct swp_stats_call call;
	struct swp_stats_wide wide;
	uint32_t i, num = 0, rows = 0;

	EQUAL(swp_stats_snapshot_read(snap), 0);
	for (i = 0; i < SWP_STATS_FLOW_MAX; i++) {
		EQUAL(swp_stats_flow_read(i, &flow), 0);
		EQUAL(snap->flow[i].pkts, flow.pkts);
		EQUAL(snap->flow[i].small, flow.small);
		EQUAL(snap->flow[i].level, flow.level);
		CHECK((snap->flow_valid[i].pkts & CTR_VALID) != 0, "flow %u", i);
	}
	for (i = 0; i < SWP_STATS_FLOW_MAX * 3; i++) {
		EQUAL(swp_stats_queue_read(i / 3, i % 3, &queue), 0);
		EQUAL(snap->queue[i].pkts, queue.pkts);
	}
	for (i = 0; i < SWP_STATS_CALL_MAX; i++) {
		if (swp_stats_call_read(i, &call) != 0)
			continue;
		EQUAL(snap->call_index[num], i);
		EQUAL(snap->call[num].pkts, call.pkts);
		EQUAL(snap->call[num++].bytes, call.bytes);
	}
	EQUAL(snap->num_call, num);
	for (i = 0; i < SWP_STATS_WIDE_MAX; i++) {
		EQUAL(swp_stats_wide_read(i, &wide), 0);
		CHECK(memcmp(&snap->wide[i], &wide, sizeof(wide)) == 0, "wide %u", i);
	}
	for (i = 0; i < swp_stats_module.num_scopes; i++) {
		const struct ctr_scope *scope = &swp_stats_module.scopes[i];
		uint32_t total = scope->index_maxima[0];

		if (scope->num_indexes > 1)
			total *= scope->index_maxima[1];
		if (scope->rows != NULL) {
			compare_rows(scope, total, 0, total);
			compare_rows(scope, total, total / 2, 2);
			rows++;
		}
	}
	EQUAL(rows, 3);
}

TEST(sweep)
{
	struct swp_stats_snapshot *snap;
	struct swp_stats_flow flow;
	uint32_t i;

	EQUAL(swp_stats_init(), 0);
	EQUAL(swp_stats_snapshot_create(&snap), 0);
	for (i = 1; i < SWP_STATS_CALL_MAX; i += 100)
		EQUAL(swp_stats_call_create(i), 0);
	compare(snap);
	count_all();
	compare(snap);
	EQUAL(swp_stats_flow_read(69, &flow), 0);
	EQUAL(flow.pkts, 6 * 69);
	EQUAL(flow.small, UINT32_C(6) * UINT32_C(1500000000));
	EQUAL(swp_stats_flow_reset(69, NULL), 0);
	EQUAL(swp_stats_queue_reset(1, 1, NULL), 0);
	EQUAL(swp_stats_call_reset(101, NULL), 0);
	EQUAL(swp_stats_wide_reset(2, NULL), 0);
	compare(snap);
	EQUAL(snap->flow[69].pkts, 0);
	count_all();
	compare(snap);
	EQUAL(snap->flow[69].pkts, 6 * 69);
	EQUAL(snap->flow[68].pkts, 2 * 6 * 68);
	EQUAL(swp_stats_call_destroy(101, NULL), 0);
	compare(snap);
	swp_stats_snapshot_free(snap);
	swp_stats_fini();
}
