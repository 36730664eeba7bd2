/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Write buffers: what is visible when, and that an update is never split.
 *
 * Options: BUFFER, SOFT and HINTS are the tunables the code was generated with.
 */
#include "../../run/harness.h"
#include "trio_stats.h"

#define CASE(name) TEST_BETWEEN(name, begin(), end())

#define LARGEST 2u /* units of a record of update `each`; those of `all`, and adds, have one */

static uint32_t held, leave, called;

/* All counters show the same; how many. */
static uint64_t
visible(void)
{
	struct trio_stats_global value;

	EQUAL(trio_stats_global_read(&value), 0);
	CHECK(value.first == value.second && value.second == value.third,
	      "an update was split: %" PRIu64 ", %" PRIu32 ", %" PRIu64, value.first, value.second,
	      value.third);
	EQUAL(trio_stats_get_first(), value.first);
	return value.first;
}

static void
begin(void)
{
	EQUAL(trio_stats_init(), 0);
	EQUAL(ctr_thread_register(), 0);
	EQUAL(visible(), 0);
}

static void
end(void)
{
	ctr_thread_unregister();
	trio_stats_fini();
}

/* With the lock free, each update shows what is in the buffer and what was applied. */
CASE(room)
{
	uint64_t size = option("BUFFER", 1024), soft = option("SOFT", 512), applied = 0, i;
	uint64_t used = 0, most = 0;

	for (i = 1; i <= 4 * size; i++) {
		if (i % 3 == 0) {
			trio_stats_update_each(1, 1, 1);
			used += LARGEST;
		} else {
			trio_stats_update_all(1);
			used++;
		}
		most = used > most ? used : most;
		/* No room for any record, or past the threshold. */
		if (used + LARGEST > size || used > soft) {
			applied = i;
			used = 0;
		}
		EQUAL(visible(), applied);
	}
	CHECK(most <= size && applied > 0, "%" PRIu64 " units held", most);
	trio_stats_flush();
	EQUAL(visible(), 4 * size);
}

/* Every HINTS-th hint flushes, whether or not there were updates between. */
CASE(hints)
{
	uint64_t hints = option("HINTS", 64), i, round;

	for (round = 1; round <= 3; round++) {
		trio_stats_update_all(1);
		for (i = 1; i < hints; i++) {
			trio_stats_hint_flush();
			EQUAL(visible(), round - 1);
		}
		trio_stats_hint_flush();
		EQUAL(visible(), round);
	}
	/* A flush for another reason begins a new count. */
	for (i = 1; i < hints; i++)
		trio_stats_hint_flush();
	trio_stats_update_all(1);
	trio_stats_flush();
	trio_stats_update_all(1);
	for (i = 1; i < hints; i++)
		trio_stats_hint_flush();
	EQUAL(visible(), 4);
	trio_stats_hint_flush();
	EQUAL(visible(), 5);
}

static void *
hold_the_lock(void *unused)
{
	(void)unused;
	trio_stats_read_lock();
	EQUAL(visible(), 0);
	set_flag(&held, 1);
	await(&leave);
	EQUAL(visible(), 0);
	trio_stats_read_unlock();
	return NULL;
}

/* With the lock taken, only flush and a full buffer wait for it. */
CASE(taken)
{
	uint64_t size = option("BUFFER", 1024), hints = option("HINTS", 64), i;
	pthread_t thread;

	CHECK(pthread_create(&thread, NULL, hold_the_lock, NULL) == 0, "no thread");
	await(&held);
	for (i = 0; i < size - LARGEST; i++)
		trio_stats_update_all(1);
	trio_stats_try_flush();
	EQUAL(trio_stats_get_first(), 0);
	for (i = 0; i < 2 * hints; i++)
		trio_stats_hint_flush();
	EQUAL(trio_stats_get_first(), 0);
	set_flag(&leave, 1);
	CHECK(pthread_join(thread, NULL) == 0, "no end");
	/* The hints that found the lock taken still count. */
	trio_stats_hint_flush();
	EQUAL(visible(), size - LARGEST);
}

static void *
hold_the_lock_for_a_call(void *unused)
{
	trio_stats_read_lock();
	set_flag(&held, 1);
	await(&leave);
	/* As long as a call takes that does not wait. */
	for (unsigned int i = 0; i < 10000 && !is_set(&called); i++)
		ctr_yield();
	trio_stats_read_unlock();
	return unused;
}

/* An lcore that finds the lock taken in each of its calls waits for it in the last of the bound: the
 * records are applied, whatever else has the lock. */
CASE(patience)
{
	const uint64_t bound = option("BOUND", 1024);
	pthread_t thread;

	CHECK(pthread_create(&thread, NULL, hold_the_lock_for_a_call, NULL) == 0, "no thread");
	await(&held);
	trio_stats_update_all(1);
	for (uint64_t i = 1; i < bound; i++)
		trio_stats_burst_end();
	EQUAL(trio_stats_get_first(), 0);
	set_flag(&leave, 1);
	trio_stats_burst_end();
	set_flag(&called, 1);
	EQUAL(trio_stats_get_first(), 1);
	CHECK(pthread_join(thread, NULL) == 0, "no end");
	EQUAL(visible(), 1);
}

/* A set comes after the adds before it and before those after it. */
CASE(order)
{
	trio_stats_add_level(5);
	trio_stats_set_level(100);
	trio_stats_add_level(7);
	trio_stats_sub_level(3);
	trio_stats_flush();
	EQUAL(trio_stats_get_level(), 104);
	trio_stats_add_level(1);
	trio_stats_update_set_all(50);
	EQUAL(trio_stats_get_level(), 50);
	EQUAL(trio_stats_get_first(), 50);
	EQUAL(trio_stats_get_third(), 50);
	EQUAL(trio_stats_get_second(), 0);
	trio_stats_add_level(2);
	EQUAL(trio_stats_get_level(), 50);
	trio_stats_flush();
	EQUAL(trio_stats_get_level(), 52);
}
