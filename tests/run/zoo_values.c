/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Values of every kind and width: what is set or counted is what is read.
 */
#include "harness.h"
#include "zoo_stats.h"

/* The gauge as read in every way. */
static void
expect_level(uint64_t wanted)
{
	struct zoo_stats_global global;

	zoo_stats_flush();
	EQUAL(zoo_stats_get_level(), wanted);
	EQUAL(zoo_stats_global_read(&global), 0);
	EQUAL(global.level, wanted);
}

/* RFC 2578, 7.1.7: latched at a bound, the gauge follows when the quantity returns. */
TEST(gauge_latches)
{
	EQUAL(ctr_thread_register(), 0);
	EQUAL(zoo_stats_init(), 0);
	expect_level(10); /* min: the quantity is 0 */
	zoo_stats_add_level(50);
	expect_level(50);
	zoo_stats_add_level(70); /* 120 */
	expect_level(100);
	zoo_stats_sub_level(15); /* 105 */
	expect_level(100);
	zoo_stats_sub_level(15); /* 90 */
	expect_level(90);
	zoo_stats_sub_level(200); /* -110 */
	expect_level(10);
	zoo_stats_add_level(115); /* 5 */
	expect_level(10);
	zoo_stats_inc_level();
	zoo_stats_add_level(5); /* 11 */
	expect_level(11);
	zoo_stats_set_level(77);
	expect_level(77);
	zoo_stats_set_level(1000);
	expect_level(100);
	zoo_stats_sub_level(950); /* 50: set stores the quantity */
	expect_level(50);
	EQUAL(zoo_stats_reset(), 0);
	expect_level(50);
	/* 32 bits wide: the quantity is not. */
	EQUAL(zoo_stats_get_floor(), 0);
	zoo_stats_sub_floor(5);
	zoo_stats_flush();
	EQUAL(zoo_stats_get_floor(), 0);
	zoo_stats_add_floor(UINT64_C(0x100000005)); /* 2^32 */
	zoo_stats_flush();
	EQUAL(zoo_stats_get_floor(), UINT32_MAX);
	zoo_stats_sub_floor(UINT64_C(0xfffffff0));
	zoo_stats_flush();
	EQUAL(zoo_stats_get_floor(), 16);
	zoo_stats_set_floor(3);
	EQUAL(zoo_stats_get_floor(), 3);
	zoo_stats_fini();
	ctr_thread_unregister();
}

TEST(counter_of_32_bits)
{
	struct zoo_stats_global global;

	EQUAL(zoo_stats_init(), 0);
	zoo_stats_inc_events();
	zoo_stats_add_events(UINT32_MAX);
	zoo_stats_flush();
	EQUAL(zoo_stats_get_events(), 0);
	zoo_stats_add_events(7);
	zoo_stats_flush();
	EQUAL(zoo_stats_global_reset(&global), 0);
	EQUAL(global.events, 7);
	EQUAL(zoo_stats_get_events(), 0);
	EQUAL(zoo_stats_get_pkts(), 0);
	zoo_stats_fini();
}

TEST(states)
{
	const uint8_t prefix[16] = { 0x20, 1, 0xd, 0xb8, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };
	const uint8_t mac[6] = { 2, 0, 0, 0xff, 0, 1 };
	const char *longer = "a text that is longer than the 31 octets there are";
	struct zoo_stats_global global;
	uint8_t octets[16];
	char text[32];

	EQUAL(zoo_stats_init(), 0);
	EQUAL(zoo_stats_global_read(&global), 0);
	EQUAL(global.up || global.celsius != 0 || global.mtu != 0 || global.name[0] != 0, 0);
	zoo_stats_set_up(true);
	zoo_stats_set_celsius(-40);
	zoo_stats_set_mtu(UINT32_MAX);
	zoo_stats_set_mode(ZOO_STATS_GLOBAL_MODE_GONE);
	zoo_stats_set_since(360000);
	zoo_stats_set_address(0x0100007f);
	EQUAL(zoo_stats_set_prefix(prefix), 0);
	EQUAL(zoo_stats_set_port_id(mac), 0);
	EQUAL(zoo_stats_set_name("first"), 0);
	EQUAL(zoo_stats_global_read(&global), 0);
	EQUAL(global.up, true);
	EQUAL(global.celsius, -40);
	EQUAL(global.mtu, UINT32_MAX);
	EQUAL(global.mode, 9);
	EQUAL(global.since, 360000);
	EQUAL(global.address, 0x0100007f);
	EQUAL(memcmp(global.prefix, prefix, sizeof(prefix)), 0);
	EQUAL(memcmp(global.port_id, mac, sizeof(mac)), 0);
	EQUAL(strcmp(global.name, "first"), 0);
	EQUAL(zoo_stats_get_up(), true);
	EQUAL(zoo_stats_get_celsius(), -40);
	EQUAL(zoo_stats_get_mtu(), UINT32_MAX);
	EQUAL(zoo_stats_get_mode(), ZOO_STATS_GLOBAL_MODE_GONE);
	EQUAL(zoo_stats_get_prefix(octets), 0);
	EQUAL(memcmp(octets, prefix, sizeof(prefix)), 0);
	EQUAL(zoo_stats_set_name(longer), 0);
	EQUAL(zoo_stats_get_name(text), 0);
	EQUAL(strlen(text), 31);
	EQUAL(strncmp(text, longer, 31), 0);
	EQUAL(zoo_stats_set_name(""), 0);
	EQUAL(zoo_stats_get_name(text), 0);
	EQUAL(strlen(text), 0);
	EQUAL(zoo_stats_set_name(NULL), -EINVAL);
	EQUAL(zoo_stats_set_prefix(NULL), -EINVAL);
	EQUAL(zoo_stats_get_name(NULL), -EINVAL);
	EQUAL(zoo_stats_get_port_id(NULL), -EINVAL);
	EQUAL(zoo_stats_get_prefix(NULL), -EINVAL);
	/* A reset leaves states alone. */
	EQUAL(zoo_stats_reset(), 0);
	EQUAL(zoo_stats_get_celsius(), -40);
	EQUAL(zoo_stats_get_prefix(octets), 0);
	EQUAL(memcmp(octets, prefix, sizeof(prefix)), 0);
	zoo_stats_fini();
	EQUAL(zoo_stats_init(), 0);
	EQUAL(zoo_stats_get_celsius(), 0);
	zoo_stats_fini();
}

static void
expect_queue(uint64_t pkts, uint64_t depth, int mode)
{
	struct zoo_stats_queue queue;

	zoo_stats_flush();
	EQUAL(zoo_stats_queue_read(1, 2, &queue), 0);
	EQUAL(queue.pkts, pkts);
	EQUAL(queue.depth, depth);
	EQUAL(zoo_stats_queue_get_depth(1, 2), depth);
	EQUAL(zoo_stats_get_mode(), mode);
}

/* Sets in updates, one by one, in bulk and in batches, in the order of the calls. */
static void
set_by_updates(void)
{
	const uint32_t ports[3] = { 1, 1, 1 }, queues[3] = { 2, 2, 2 };
	const uint32_t pkts[3] = { 1, 2, 3 }, depths[3] = { 70, 80, 90 };
	struct zoo_stats_batch batch;
	unsigned int i;

	EQUAL(zoo_stats_init(), 0);
	zoo_stats_update_poll(1, 2, 10, 30);
	expect_queue(10, 30, 5);
	zoo_stats_update_drain(1, 2, 4);
	expect_queue(10, 26, 1);
	zoo_stats_update_poll_bulk(ports, queues, pkts, depths, 3);
	expect_queue(16, 90, 5);
	zoo_stats_update_drain_bulk(ports, queues, pkts, 3);
	expect_queue(16, 84, 1);
	zoo_stats_batch_begin(&batch);
	for (i = 0; i < 3; i++)
		zoo_stats_batch_poll(&batch, 1, 2, pkts[i], depths[i]);
	zoo_stats_batch_drain(&batch, 1, 2, 5);
	zoo_stats_batch_drain(&batch, 1, 2, 6);
	zoo_stats_batch_end(&batch);
	expect_queue(22, 79, 1);
	zoo_stats_batch_begin(&batch);
	zoo_stats_batch_drain(&batch, 1, 2, 9);
	zoo_stats_batch_poll(&batch, 1, 2, 1, 500);
	zoo_stats_batch_end(&batch);
	expect_queue(23, 500, 5);
	zoo_stats_batch_begin(&batch);
	zoo_stats_batch_poll(&batch, 1, 2, 1, 400);
	zoo_stats_batch_drain(&batch, 1, 2, 1);
	zoo_stats_batch_poll(&batch, 1, 3, 1, 300);
	zoo_stats_batch_end(&batch);
	expect_queue(24, 399, 5);
	EQUAL(zoo_stats_queue_get_depth(1, 3), 300);
	zoo_stats_fini();
}

TEST(sets_in_updates)
{
	set_by_updates();
	EQUAL(ctr_thread_register(), 0);
	set_by_updates();
	ctr_thread_unregister();
}
