/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Scopes, items and updates have names that generated code would give its own things.
 */
#include "harness.h"
#include "nat_stats.h"

#define CASE(name) TEST_BETWEEN(name, EQUAL(nat_stats_init(), 0), nat_stats_fini())

static void
update_all(void)
{
	struct nat_stats_batch_own pending;
	const uint32_t index[3] = { 1, 1, 2 }, zero[3] = { 0, 0, 0 };
	const uint16_t n[3] = { 10, 20, 30 }, last[3] = { 1, 2, 3 };

	nat_stats_update_drop(1, 0, 5, 7);
	nat_stats_update_drop_bulk(index, zero, n, last, 3);
	nat_stats_update_end(0, 2, 1, 100);
	nat_stats_batch_begin(&pending);
	nat_stats_batch_drop(&pending, 1, 0, 1, 1);
	nat_stats_batch_drop(&pending, 1, 0, 1, 1);
	nat_stats_batch_end(&pending, 0, 2, 1, 10);
	nat_stats_batch_end_own(&pending);
	nat_stats_inc_drops();
	nat_stats_lcore_inc_lock(3);
	nat_stats_flush();
}

CASE(counts)
{
	struct nat_stats_lcore lcore;
	struct nat_stats_batch batch;
	char who[15] = "x", read[15];

	EQUAL(nat_stats_batch_create(0), 0);
	update_all();
	EQUAL(nat_stats_get_drops(), 5 + 60 + 2 + 1);
	EQUAL(nat_stats_get_value(), 110);
	EQUAL(nat_stats_lcore_read(1, &lcore), 0);
	EQUAL(lcore.drops, 5 + 30 + 2);
	EQUAL(nat_stats_lcore_get_lock(3), 1);
	EQUAL(nat_stats_batch_read(0, &batch), 0);
	EQUAL(batch.first, 2);
	EQUAL(batch.last, 7 + 6 + 2);
	EQUAL(nat_stats_drops_get_drop(1), 110);
	EQUAL(nat_stats_batch_index_get_value(2), 2);
	EQUAL(nat_stats_batch_set_lock(0, who), 0);
	EQUAL(nat_stats_batch_get_lock(0, read), 0);
	EQUAL(read[0], 'x');
	EQUAL(nat_stats_drops(), 0);
	nat_stats_update_end(0, 7, 2, 1);
	EQUAL(nat_stats_drops(), 1);
}

CASE(snapshots_and_views)
{
	struct nat_stats_snapshot *snap;
	struct nat_stats_view seen;

	EQUAL(nat_stats_batch_create(0), 0);
	update_all();
	nat_stats_view_add_drop(1, 9);
	nat_stats_flush();
	EQUAL(nat_stats_snapshot_create(&snap), 0);
	EQUAL(nat_stats_snapshot_read(snap), 0);
	EQUAL(snap->num_batch, 1);
	EQUAL(snap->batch_index_own[0], 0);
	EQUAL(snap->batch[0].first, 2);
	EQUAL(snap->batch_index[2].value, 2);
	EQUAL(snap->batch_index_valid[2].value & CTR_VALID, CTR_VALID);
	nat_stats_snapshot_free(snap);
	EQUAL(nat_stats_view_view_read(NAT_STATS_VIEW_RESET, 1, &seen), 0);
	EQUAL(seen.drop, 9);
	EQUAL(nat_stats_view_view_reset(NAT_STATS_VIEW_CLI, 1, NULL), 0);
	EQUAL(nat_stats_view_view_read(NAT_STATS_VIEW_CLI, 1, &seen), 0);
	EQUAL(seen.drop, 0);
	EQUAL(nat_stats_view_view_read(NAT_STATS_VIEW_RAW, 1, &seen), 0);
	EQUAL(seen.drop, 9);
	EQUAL(nat_stats_reset(), 0);
	EQUAL(nat_stats_get_drops(), 0);
}
