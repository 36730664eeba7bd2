/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * A scope with room for a million flows of which few exist: what that costs.
 */
#include "harness.h"
#include "heap.h"
#include "many_stats.h"

#define FEW 11u
#define APART 90909u
#define MOST (1u << 20) /* bytes */

/* The flows that exist are apart, so that each has a chunk of its own. */
static void
create_few(void)
{
	uint32_t i;

	EQUAL(many_stats_init(), 0);
	for (i = 0; i < FEW; i++) {
		EQUAL(many_stats_flow_create(i * APART), 0);
		many_stats_flow_add_pkts(i * APART, i + 1);
	}
}

static void
expect_few(const struct many_stats_snapshot *snap, uint64_t times)
{
	uint32_t i;

	EQUAL(snap->num_flow, FEW);
	for (i = 0; i < FEW; i++) {
		EQUAL(snap->flow_index[i], i * APART);
		EQUAL(snap->flow[i].pkts, (i + 1) * times);
		EQUAL(snap->flow_valid[i].pkts & CTR_VALID, CTR_VALID);
	}
}

/* A snapshot takes memory for what exists, and so does a read of it all. */
TEST(few_of_many)
{
	struct many_stats_snapshot *snap;
	uint64_t before, ns;
	uint32_t at, n = 0;

	create_few();
	before = heap_bytes();
	EQUAL(many_stats_snapshot_create(&snap), 0);
	EQUAL(many_stats_snapshot_read(snap), 0);
	CHECK(heap_bytes() - before < MOST, "a snapshot of %u flows takes %" PRIu64 " bytes", FEW,
	      heap_bytes() - before);
	expect_few(snap, 1);
	before = heap_blocks();
	ns = ctr_time_ns();
	EQUAL(many_stats_snapshot_reset(snap), 0);
	ns = ctr_time_ns() - ns;
	expect_few(snap, 1);
	EQUAL(heap_blocks(), before);
	EQUAL(many_stats_snapshot_read(snap), 0);
	expect_few(snap, 0);
	for (at = many_stats_flow_next(0); at < MANY_STATS_FLOW_MAX; at = many_stats_flow_next(at + 1))
		EQUAL(at, n++ * APART);
	EQUAL(n, FEW);
	EQUAL(many_stats_flow_next(MANY_STATS_FLOW_MAX), MANY_STATS_FLOW_MAX);
	printf("bytes=%" PRIu64 " us=%" PRIu64 "\n", heap_bytes(), ns / 1000);
	many_stats_snapshot_free(snap);
	many_stats_fini();
	EQUAL(heap_blocks(), 0);
}

/* It grows by what has come into being since, and says so if there is no memory for that. */
TEST(snapshot_grows)
{
	struct many_stats_snapshot *snap;
	unsigned int nth, failures = 0;
	uint32_t i;

	EQUAL(many_stats_init(), 0);
	EQUAL(many_stats_snapshot_create(&snap), 0);
	EQUAL(many_stats_snapshot_read(snap), 0);
	EQUAL(snap->num_flow, 0);
	for (i = 0; i < 100; i++) {
		EQUAL(many_stats_flow_create(i), 0);
		EQUAL(many_stats_snapshot_read(snap), 0);
		EQUAL(snap->num_flow, i + 1);
		EQUAL(snap->flow_index[i], i);
	}
	for (i = 0; i < 99; i++)
		EQUAL(many_stats_flow_destroy(i, NULL), 0);
	EQUAL(many_stats_snapshot_read(snap), 0);
	EQUAL(snap->num_flow, 1);
	EQUAL(snap->flow_index[0], 99);
	for (i = 0; i < 500; i++)
		EQUAL(many_stats_flow_create(1000 + i), 0);
	many_stats_flow_add_pkts(99, 5);
	many_stats_flush();
	for (nth = 1;; nth++) {
		heap_fail(nth);
		if (many_stats_snapshot_reset(snap) == 0)
			break;
		EQUAL(heap_failed(), true);
		EQUAL(many_stats_flow_get_pkts(99), 5);
		EQUAL(snap->num_flow, 0);
		failures++;
	}
	heap_fail(0);
	EQUAL(failures, 1);
	EQUAL(snap->num_flow, 501);
	EQUAL(snap->flow[0].pkts, 5);
	many_stats_snapshot_free(snap);
	many_stats_fini();
	EQUAL(heap_blocks(), 0);
}
