/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * What a debug build aborts on.
 */
#include "ep_stats.h"
#include "harness.h"

TEST(in_a_section)
{
	EQUAL(ep_stats_init(), 0);
	ep_stats_read_lock();
	ep_stats_read_lock();
	ep_stats_read_unlock();
	ep_stats_update_packet(1, 1);
}

TEST(bulk_in_a_section)
{
	const uint32_t sessions[] = { 1, 2 };
	const uint16_t sizes[] = { 1, 2 };

	EQUAL(ep_stats_init(), 0);
	ep_stats_read_lock();
	ep_stats_update_packet_bulk(sessions, sizes, 2);
}

/* Where the schema leaves indexes to debug builds. */
TEST(past_the_last)
{
	volatile uint32_t past = EP_STATS_SESSION_MAX;

	EQUAL(ep_stats_init(), 0);
	ep_stats_update_packet(past, 1);
}

static void *
add_as(void *lcore)
{
	ctr_posix_lcore = *(const unsigned int *)lcore;
	ep_stats_inc_total_pkts();
	return NULL;
}

TEST(second_writer)
{
	unsigned int lcore;

	EQUAL(ep_stats_init(), 0);
	EQUAL(ctr_thread_register(), 0);
	ep_stats_inc_total_pkts();
	lcore = ctr_lcore_id();
	run_thread(add_as, &lcore);
}
