/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * A thread leaves while another, in a read section, creates an instance.
 *
 * The thread that leaves has to flush, for which it waits until the section ends.
 */
#include "harness.h"
#include "leaving_stats.h"

#define FLOW 5
#define SECOND UINT64_C(1000000000)

static uint32_t counted, leave, created;

static void
wait_for(const uint32_t *flag)
{
	while (!is_set(flag))
		ctr_yield();
}

static void *
count_and_leave(void *unused)
{
	(void)unused;
	EQUAL(ctr_thread_register(), 0);
	leaving_stats_inc_pkts();
	set_flag(&counted, 1);
	wait_for(&leave);
	ctr_thread_unregister();
	return NULL;
}

static void *
create_in_a_section(void *unused)
{
	uint64_t until;

	(void)unused;
	leaving_stats_read_lock();
	set_flag(&leave, 1);
	/* Time for the other thread to be about to flush. */
	for (until = ctr_time_ns() + SECOND / 20; ctr_time_ns() < until;)
		ctr_yield();
	EQUAL(leaving_stats_flow_create(FLOW), 0);
	EQUAL(leaving_stats_get_pkts(), 0);
	set_flag(&created, 1);
	leaving_stats_read_unlock();
	return NULL;
}

TEST(leaving)
{
	pthread_t leaves, creates;
	uint64_t until;

	EQUAL(leaving_stats_init(), 0);
	CHECK(pthread_create(&leaves, NULL, count_and_leave, NULL) == 0, "no thread");
	wait_for(&counted);
	CHECK(pthread_create(&creates, NULL, create_in_a_section, NULL) == 0, "no thread");
	for (until = ctr_time_ns() + 10 * SECOND; !is_set(&created); ctr_yield())
		CHECK(ctr_time_ns() < until, "creation waits for a thread that waits for it");
	CHECK(pthread_join(creates, NULL) == 0, "no end");
	CHECK(pthread_join(leaves, NULL) == 0, "no end");
	EQUAL(leaving_stats_get_pkts(), 1);
	EQUAL(ctr_thread_register(), 0);
	leaving_stats_flow_inc_pkts(FLOW);
	leaving_stats_flush();
	EQUAL(leaving_stats_flow_get_pkts(FLOW), 1);
	ctr_thread_unregister();
	leaving_stats_fini();
}
