/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * States of 64 bits: set whole, touched, never set, left alone by resets, gone with their instance.
 */
#include <errno.h>

#include "harness.h"
#include "mom_stats.h"

#define CASE(name) TEST_BETWEEN(name, EQUAL(mom_stats_init(), 0), mom_stats_fini())

#define BIG UINT64_C(0xfedcba9876543210)

CASE(sixty_four_bits)
{
	struct mom_stats_flow flow;

	EQUAL(mom_stats_get_last(), 0);
	EQUAL(mom_stats_get_id(), 0);
	EQUAL(mom_stats_flow_create(2), 0);
	mom_stats_set_id(BIG);
	mom_stats_update_packet(2, BIG - 1, BIG - 2);
	mom_stats_flush();
	EQUAL(mom_stats_get_id(), BIG);
	EQUAL(mom_stats_get_last(), BIG - 1);
	EQUAL(mom_stats_flow_read(2, &flow), 0);
	EQUAL(flow.last, BIG - 1);
	EQUAL(flow.teid, BIG - 2);
	EQUAL(flow.pkts, 1);
	EQUAL(mom_stats_flow_reset(2, NULL), 0);
	EQUAL(mom_stats_flow_get_last(2), BIG - 1);
	EQUAL(mom_stats_flow_get_teid(2), BIG - 2);
}

CASE(touched)
{
	uint64_t before, after;

	EQUAL(mom_stats_flow_create(1), 0);
	EQUAL(mom_stats_flow_get_last(1), 0);
	before = ctr_time_ns();
	mom_stats_touch_last();
	mom_stats_flow_touch_last(1);
	mom_stats_flow_touch_last(4);
	mom_stats_flush();
	after = ctr_time_ns();
	CHECK(mom_stats_get_last() >= before && mom_stats_get_last() <= after, "not now");
	CHECK(mom_stats_flow_get_last(1) >= before && mom_stats_flow_get_last(1) <= after,
	      "not now");
	EQUAL(mom_stats_drops(), 1);
	EQUAL(mom_stats_flow_destroy(1, NULL), 0);
	EQUAL(mom_stats_flow_create(1), 0);
	EQUAL(mom_stats_flow_get_last(1), 0);
	EQUAL(mom_stats_flow_get_teid(1), 0);
}

TEST(described)
{
	const struct ctr_item *item = mom_stats_module.scopes[1].items;

	EQUAL(item[1].kind, CTR_STATE);
	EQUAL(item[1].type, CTR_TIMESTAMP);
	EQUAL(item[1].size, 8);
	EQUAL(item[2].type, CTR_U64);
	EQUAL(item[2].offset, offsetof(struct mom_stats_flow, teid));
}
