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
