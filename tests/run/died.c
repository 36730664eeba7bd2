/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * A thread that ends in the middle of an update is repaired: at its end, or by the next
 * owner of its id.
 *
 * OF_SEQUENCE or OF_LOCK says what an update of the strategy is under.
 */
#include "ctr.h"
#include "ep_stats.h"
#include "harness.h"

#ifdef OF_SEQUENCE
#define ENTER(self) ctr_seq_write_begin(&(self)->ctr_seq)
#else
#define ENTER(self) ctr_biased_lock(&(self)->ctr_lock)
#endif

static uint32_t done;

static void *
die_in_an_update(void *unused)
{
	struct ep_stats_instance *self;

	(void)unused;
	EQUAL(ctr_thread_register(), 0);
	ep_stats_update_packet(1, 10);
	self = (struct ep_stats_instance *)ctr_slots_get(&ep_stats_slots, ctr_lcore_id());
	ENTER(self);
	pthread_exit(NULL);
}

static void *
count(void *unused)
{
	(void)unused;
	EQUAL(ctr_thread_register(), 0);
	ep_stats_update_packet(1, 10);
	ctr_thread_unregister();
	set_flag(&done, 1);
	return NULL;
}

static void
run(void *(*what)(void *))
{
	uint64_t until = ctr_time_ns() + UINT64_C(20000000000);
	pthread_t thread;

	set_flag(&done, what != count);
	CHECK(pthread_create(&thread, NULL, what, NULL) == 0, "no thread");
	for (; !is_set(&done); ctr_yield())
		CHECK(ctr_time_ns() < until, "an update waits for a thread that is gone");
	CHECK(pthread_join(thread, NULL) == 0, "no end");
}

static void
check(uint64_t pkts)
{
	struct ep_stats_session value;

	EQUAL(ep_stats_session_read(1, &value), 0);
	EQUAL(value.pkts, pkts);
	EQUAL(value.bytes, 10 * pkts);
}

TEST(died)
{
	unsigned int lcore;

	EQUAL(ep_stats_init(), 0);
	run(die_in_an_update);
	check(1);
	run(count);
	check(2);
	/* It did not even come to unregister: the next owner finds what it left. */
	CTR_SLOTS_FOREACH(lcore, &ep_stats_slots) {
		if (lcore != CTR_NON_LCORE && lcore != ctr_lcore_id())
			ENTER((struct ep_stats_instance *)ctr_slots_get(&ep_stats_slots, lcore));
	}
	run(count);
	check(3);
	ep_stats_fini();
}
