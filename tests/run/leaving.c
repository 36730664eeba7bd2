/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Threads leave and come while another is in a read section, and creates an instance.
 *
 * What a thread that leaves has buffered is visible when the section ends, at the latest.
 */
#include "ctr.h"
#include "harness.h"
#include "leaving_stats.h"

#define CASE(name) TEST_BETWEEN(name, EQUAL(leaving_stats_init(), 0), leaving_stats_fini())

#define FLOW 5
#define SECOND UINT64_C(1000000000)

static uint32_t counted, leave, left, gone;

static void
wait_for(const uint32_t *flag, const char *what)
{
	uint64_t until = ctr_time_ns() + 20 * SECOND;

	for (; !is_set(flag); ctr_yield())
		CHECK(ctr_time_ns() < until, "%s", what);
}

static void *
count_and_leave(void *unused)
{
	(void)unused;
	EQUAL(ctr_thread_register(), 0);
	leaving_stats_inc_pkts();
	set_flag(&counted, 1);
	wait_for(&leave, "no section begins");
	ctr_thread_unregister();
	set_flag(&left, 1);
	return NULL;
}

/* On the POSIX port with the id, and the buffer, of the thread that has just left. */
static void *
come_and_go(void *unused)
{
	(void)unused;
	EQUAL(ctr_thread_register(), 0);
	leaving_stats_inc_pkts();
	ctr_thread_unregister();
	set_flag(&gone, 1);
	return NULL;
}

#ifdef CTR_PORT_DPDK
static int
look_at(unsigned int lcore, void *unused)
{
	(void)lcore;
	(void)unused;
	return 0;
}
#endif

CASE(leaving)
{
	pthread_t leaves, comes;

	CHECK(pthread_create(&leaves, NULL, count_and_leave, NULL) == 0, "no thread");
	wait_for(&counted, "nobody counts");
	leaving_stats_read_lock();
	set_flag(&leave, 1);
	wait_for(&left, "who leaves waits for a read section");
	CHECK(pthread_create(&comes, NULL, come_and_go, NULL) == 0, "no thread");
	wait_for(&gone, "who registers waits for a read section");
#ifdef CTR_PORT_DPDK
	EQUAL(rte_lcore_iterate(look_at, NULL), 0);
#endif
	EQUAL(leaving_stats_flow_create(FLOW), 0);
	EQUAL(leaving_stats_get_pkts(), 0);
	leaving_stats_read_unlock();
	EQUAL(leaving_stats_get_pkts(), 2);
	CHECK(pthread_join(comes, NULL) == 0, "no end");
	CHECK(pthread_join(leaves, NULL) == 0, "no end");
	EQUAL(ctr_thread_register(), 0);
	leaving_stats_flow_inc_pkts(FLOW);
	leaving_stats_flush();
	EQUAL(leaving_stats_flow_get_pkts(FLOW), 1);
	ctr_thread_unregister();
}

static int asynchronous;

/* Ends with read sections, and a lock of another part, if nothing prevents that. */
static void *
ends_in_a_section(void *how)
{
	static struct ctr_control other = CTR_CONTROL_INITIALIZER;

	if (how == &asynchronous)
		EQUAL(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL), 0);
	leaving_stats_read_lock();
	ctr_control_lock(&other);
	leaving_stats_read_lock();
	set_flag(&counted, 1);
	while (!is_set(&leave))
		if (how != &asynchronous)
			pthread_testcancel();
	leaving_stats_read_unlock();
	leaving_stats_read_unlock();
	set_flag(&left, 1);
	ctr_control_unlock(&other);
	for (;;)
		pthread_testcancel();
}

/* Sections and changes of a thread that may be where the one before was; it stays for a while. */
static void *
comes_after(void *done)
{
	leaving_stats_read_lock();
	(void)leaving_stats_get_pkts();
	leaving_stats_read_unlock();
	EQUAL(leaving_stats_reset(), 0);
	leaving_stats_inc_pkts();
	leaving_stats_flush();
	set_flag((uint32_t *)done, 1);
	wait_for(&gone, "nobody comes");
	return NULL;
}

/* A thread that is cancelled in a read section ends behind it. */
CASE(ended)
{
	const void *const how[] = { &asynchronous, NULL };
	uint32_t first, second;
	pthread_t ends, next, last;
	unsigned int i;

	for (i = 0; i < 2 * 8; i++) {
		counted = leave = left = gone = first = second = 0;
		CHECK(pthread_create(&ends, NULL, ends_in_a_section, (void *)(uintptr_t)how[i % 2]) == 0,
		      "no thread");
		wait_for(&counted, "no section begins");
		EQUAL(pthread_cancel(ends), 0);
		ctr_yield();
		set_flag(&leave, 1);
		CHECK(pthread_join(ends, NULL) == 0, "no end");
		CHECK(left != 0, "cancelled in a section");
		CHECK(pthread_create(&next, NULL, comes_after, &first) == 0, "no thread");
		wait_for(&first, "the lock is taken for ever");
		CHECK(pthread_create(&last, NULL, comes_after, &second) == 0, "no thread");
		wait_for(&second, "a thread was in a section of another");
		set_flag(&gone, 1);
		EQUAL(pthread_join(next, NULL), 0);
		EQUAL(pthread_join(last, NULL), 0);
	}
	CHECK(leaving_stats_get_pkts() == 1, "a reset was lost");
}
