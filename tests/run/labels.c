/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Indexes that have names: constants, tables of names, bounds, descriptors.
 */
#include <errno.h>

#include "ctr_values.h"
#include "harness.h"
#include "lab_stats.h"

#define CASE(name) TEST_BETWEEN(name, EQUAL(lab_stats_init(), 0), lab_stats_fini())

/* What a loop over all labels finds: the sum of one counter of `drop`. */
static uint64_t
all_drops(void)
{
	uint64_t sum = 0;
	uint32_t why;

	for (why = 0; why < LAB_STATS_DROP_MAX; why++)
		sum += lab_stats_drop_get_pkts(why);
	return sum;
}

static void
count_drops(void)
{
	const uint32_t why[3] = { LAB_STATS_DROP_ACL, LAB_STATS_DROP_ACL, LAB_STATS_DROP_VLAN };
	const uint16_t size[3] = { 10, 20, 30 };
	const enum lab_stats_drop_index kept = LAB_STATS_DROP_TTL;
	struct lab_stats_batch batch;

	lab_stats_update_drop(LAB_STATS_DROP_DEFAULT, 7);
	lab_stats_update_drop(kept, 5);
	lab_stats_update_drop_bulk(why, size, 3);
	lab_stats_batch_begin(&batch);
	lab_stats_batch_drop(&batch, LAB_STATS_DROP_TTL, 100);
	lab_stats_batch_drop(&batch, LAB_STATS_DROP_TTL, 100);
	lab_stats_batch_end(&batch);
	lab_stats_drop_add_pkts(LAB_STATS_DROP_VLAN, 1000);
	lab_stats_link_inc_pkts(LAB_STATS_DROP_TTL, 1);
	lab_stats_flush();
}

CASE(one_list)
{
	struct lab_stats_snapshot *snap;
	struct lab_stats_drop drop;

	count_drops();
	EQUAL(lab_stats_drop_get_pkts(LAB_STATS_DROP_VLAN), 1001);
	EQUAL(lab_stats_drop_get_pkts(LAB_STATS_DROP_TTL), 3);
	EQUAL(lab_stats_drop_get_pkts(LAB_STATS_DROP_ACL), 2);
	EQUAL(lab_stats_drop_get_pkts(LAB_STATS_DROP_DEFAULT), 1);
	EQUAL(all_drops(), 1007);
	EQUAL(lab_stats_get_pkts(), 7);
	EQUAL(lab_stats_drop_read(LAB_STATS_DROP_ACL, &drop), 0);
	EQUAL(drop.bytes, 30);
	EQUAL(lab_stats_link_get_pkts(LAB_STATS_DROP_TTL, 1), 1);
	EQUAL(lab_stats_link_get_pkts(LAB_STATS_DROP_TTL, 0), 0);
	EQUAL(lab_stats_snapshot_create(&snap), 0);
	EQUAL(lab_stats_snapshot_read(snap), 0);
	EQUAL(snap->drop[LAB_STATS_DROP_TTL].bytes, 205);
	lab_stats_snapshot_free(snap);
	EQUAL(lab_stats_drop_reset(LAB_STATS_DROP_VLAN, &drop), 0);
	EQUAL(drop.pkts, 1001);
	EQUAL(all_drops(), 6);
}

CASE(parents_without_items)
{
	struct lab_stats_lane lane;
	struct lab_stats_lamp lamp;
	uint32_t side, slot, at, to;

	EQUAL(lab_stats_lamp_create(LAB_STATS_SIDE_BLUE, 2, 3), 0);
	for (side = 0; side < LAB_STATS_SIDE_MAX; side++)
		for (slot = 0; slot < LAB_STATS_SLOT_MAX; slot++)
			for (at = 0; at < LAB_STATS_LANE_MAX; at++)
				lab_stats_lane_add_pkts(side, slot, at, 100 * side + 10 * slot + at);
	lab_stats_update_light(LAB_STATS_SIDE_BLUE, 2, 1, 3);
	lab_stats_update_light(LAB_STATS_SIDE_MAX, 2, 1, 3);
	lab_stats_update_light(LAB_STATS_SIDE_BLUE, LAB_STATS_SLOT_MAX, 1, 3);
	lab_stats_flush();
	for (side = 0; side < LAB_STATS_SIDE_MAX; side++)
		for (slot = 0; slot < LAB_STATS_SLOT_MAX; slot++)
			for (at = 0; at < LAB_STATS_LANE_MAX; at++) {
				to = side == 1 && slot == 2 && at == 1;
				EQUAL(lab_stats_lane_read(side, slot, at, &lane), 0);
				EQUAL(lane.pkts, 100 * side + 10 * slot + at + to);
			}
	EQUAL(lab_stats_lamp_read(LAB_STATS_SIDE_BLUE, 2, 3, &lamp), 0);
	EQUAL(lamp.turns, 1);
	EQUAL(lamp.lit, true);
	EQUAL(lab_stats_drops(), 2);
	EQUAL(lab_stats_lane_read(LAB_STATS_SIDE_MAX, 0, 0, &lane), -ERANGE);
	EQUAL(lab_stats_lane_read(0, LAB_STATS_SLOT_MAX, 0, &lane), -ERANGE);
}

TEST(index_of_a_parent_without_items)
{
	const struct ctr_scope *scope = ctr_scope_find(&lab_stats_module, "lane");
	unsigned int i;

	for (i = 0; i < lab_stats_module.num_scopes; i++)
		CHECK(lab_stats_module.scopes[i].num_items > 0, "a scope without items is shown");
	CHECK(scope != NULL, "there is no lane");
	EQUAL(scope->num_indexes, 3);
	EQUAL(strcmp(scope->index_names[0], "side"), 0);
	EQUAL(strcmp(scope->index_labels[0][LAB_STATS_SIDE_BLUE], "blue"), 0);
	EQUAL(strcmp(lab_stats_side_labels[LAB_STATS_SIDE_RED], "red"), 0);
	EQUAL(strcmp(scope->index_names[1], "slot"), 0);
	EQUAL(scope->index_maxima[1], 3);
	CHECK(scope->index_labels[1] == NULL, "a slot has a name");
}

/* Updates that fix labels: as calls, in bulk, in a batch. */
static void
count_fixed(void)
{
	const uint32_t reason[3] = { LAB_STATS_FAULT_REASON_LONG, LAB_STATS_FAULT_REASON_LONG,
				     LAB_STATS_FAULT_REASON_CRC };
	const uint32_t port[3] = { 2, 2, 1 }, link[3] = { 0, 1, 1 }, held[3] = { 5, 6, 7 };
	const uint16_t size[3] = { 10, 20, 30 };
	struct lab_stats_batch batch;

	lab_stats_update_acl(1);
	lab_stats_update_acl_bulk(size, 3);
	lab_stats_update_crc_in(2, 1);
	lab_stats_update_crc_in_bulk(port, link, 3);
	lab_stats_update_out(1, LAB_STATS_FAULT_REASON_SHORT, 4);
	lab_stats_update_out_bulk(port, reason, held, 3);
	lab_stats_update_miss();
	lab_stats_batch_begin(&batch);
	lab_stats_batch_acl(&batch, 100);
	lab_stats_batch_miss(&batch);
	lab_stats_batch_acl(&batch, 1000);
	lab_stats_batch_crc_in(&batch, 0, 0);
	lab_stats_batch_end(&batch);
	lab_stats_flush();
}

CASE(fixed_labels)
{
	struct lab_stats_drop drop;
	uint32_t port;

	for (port = 0; port < LAB_STATS_PORT_MAX; port++)
		EQUAL(lab_stats_port_create(port), 0);
	count_fixed();
	EQUAL(lab_stats_get_pkts(), 6);
	EQUAL(lab_stats_drop_read(LAB_STATS_DROP_ACL, &drop), 0);
	EQUAL(drop.pkts, 6);
	EQUAL(drop.bytes, 1161);
	EQUAL(lab_stats_drop_get_pkts(LAB_STATS_DROP_VLAN), 4);
	EQUAL(all_drops(), 10);
	EQUAL(lab_stats_fault_get_pkts(2, LAB_STATS_FAULT_REASON_CRC,
				       LAB_STATS_FAULT_DIRECTION_IN), 3);
	EQUAL(lab_stats_fault_get_pkts(1, LAB_STATS_FAULT_REASON_CRC,
				       LAB_STATS_FAULT_DIRECTION_IN), 1);
	EQUAL(lab_stats_fault_get_pkts(0, LAB_STATS_FAULT_REASON_CRC,
				       LAB_STATS_FAULT_DIRECTION_IN), 1);
	EQUAL(lab_stats_link_get_pkts(LAB_STATS_DROP_TTL, 0), 2);
	EQUAL(lab_stats_link_get_pkts(LAB_STATS_DROP_TTL, 1), 3);
	EQUAL(lab_stats_fault_get_pkts(1, LAB_STATS_FAULT_REASON_SHORT,
				       LAB_STATS_FAULT_DIRECTION_OUT), 1);
	EQUAL(lab_stats_fault_get_pkts(2, LAB_STATS_FAULT_REASON_LONG,
				       LAB_STATS_FAULT_DIRECTION_OUT), 2);
	EQUAL(lab_stats_fault_get_held(2, LAB_STATS_FAULT_REASON_LONG,
				       LAB_STATS_FAULT_DIRECTION_OUT), 6);
	EQUAL(lab_stats_fault_get_held(1, LAB_STATS_FAULT_REASON_CRC,
				       LAB_STATS_FAULT_DIRECTION_OUT), 7);
	lab_stats_update_crc_in(0, LAB_STATS_LINK_MAX);
	lab_stats_flush();
	EQUAL(lab_stats_drops(), 1);
	EQUAL(lab_stats_fault_get_pkts(0, LAB_STATS_FAULT_REASON_CRC,
				       LAB_STATS_FAULT_DIRECTION_IN), 1);
}

TEST(names)
{
	const struct ctr_module *module = &lab_stats_module;
	const struct ctr_scope *drop = ctr_scope_find(module, "drop");
	const struct ctr_scope *fault = ctr_scope_find(module, "fault");
	const struct ctr_scope *link = ctr_scope_find(module, "link");
	const struct ctr_scope *port = ctr_scope_find(module, "port");

	EQUAL(strcmp(lab_stats_drop_labels[LAB_STATS_DROP_DEFAULT], "default"), 0);
	EQUAL(strcmp(lab_stats_fault_reason_labels[LAB_STATS_FAULT_REASON_SHORT], "short"), 0);
	EQUAL(strcmp(lab_stats_fault_direction_labels[LAB_STATS_FAULT_DIRECTION_OUT], "out"), 0);
	EQUAL(drop->num_indexes, 1);
	EQUAL(strcmp(drop->index_names[0], "drop"), 0);
	EQUAL(strcmp(drop->index_labels[0][LAB_STATS_DROP_ACL], "acl"), 0);
	EQUAL(fault->num_indexes, 3);
	CHECK(fault->index_labels[0] == NULL, "a port has a name");
	EQUAL(strcmp(fault->index_names[1], "reason"), 0);
	EQUAL(strcmp(fault->index_names[2], "direction"), 0);
	EQUAL(fault->index_maxima[1], 3);
	EQUAL(strcmp(fault->index_labels[1][2], "long"), 0);
	EQUAL(strcmp(fault->index_labels[2][0], "in"), 0);
	CHECK(link->index_labels[1] == NULL, "a link has a name");
	EQUAL(strcmp(link->index_labels[0][0], "vlan"), 0);
	CHECK(port->index_labels == NULL, "a port has a name");
}
