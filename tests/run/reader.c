/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * What a reader does to writers, and when it sees what they did.
 *
 * Options: TRIALS, PAUSE_MS that a reader is held for at most; MOST and LEAST writers
 * that may and must be seen to get nowhere meanwhile (for LEAST, PATIENCE times the
 * trials); BEFORE, whether an update is to be seen before it is flushed; PARTS, whether
 * an lcore is to have a part of its own.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <time.h>

#include "ep_stats.h"
#include "harness.h"

#define WRITERS 2
#define SIZE 64
#define ENOUGH 3000 /* updates: more than any write buffer holds back */

static uint32_t stop, held, hold;
static uint64_t progress[WRITERS * 8]; /* a line for each */

static void
nap(void)
{
	struct timespec t = { .tv_nsec = 200000 };

	(void)nanosleep(&t, NULL);
}

/* The reader is preempted here, wherever it is. */
static void
on_signal(int number)
{
	(void)number;
	set_flag(&held, 1);
	while (is_set(&hold))
		nap();
	set_flag(&held, 0);
}

static void
update_all_the_time(struct worker *me)
{
	uint64_t *done = &progress[me->number * 8];

	while (!is_set(&stop)) {
		ep_stats_update_packet(me->number, SIZE);
		__atomic_store_n(done, *done + 1, __ATOMIC_RELAXED);
		if (*done % 4096 == 0)
			ctr_yield();
	}
	if (me->stays)
		ep_stats_flush();
}

static void
read_all_the_time(struct worker *me)
{
	struct ep_stats_session session;
	struct ep_stats_global global;

	(void)me;
	while (!is_set(&stop)) {
		(void)ep_stats_session_read(0, &session);
		(void)ep_stats_global_read(&global);
		(void)ep_stats_session_read(1, &session);
	}
}

/* How many writers get nowhere while the reader is held. One that only waits for a core is not
 * stuck: where more than `most` seem to be, they get longer.
 */
static unsigned int
stuck_writers(uint64_t pause_ms, uint64_t most)
{
	const uint64_t longer = 10 * UINT64_C(1000000000);
	uint64_t before[WRITERS], end = ctr_time_ns() + pause_ms * 1000000;
	unsigned int i, stuck = WRITERS;

	for (i = 0; i < WRITERS; i++)
		before[i] = __atomic_load_n(&progress[i * 8], __ATOMIC_RELAXED);
	while (stuck != 0 && ctr_time_ns() < (stuck > most ? end + longer : end)) {
		nap();
		for (i = 0, stuck = 0; i < WRITERS; i++)
			stuck += __atomic_load_n(&progress[i * 8], __ATOMIC_RELAXED) - before[i] <
				ENOUGH;
	}
	return stuck;
}

TEST(held_reader)
{
	uint64_t trials = option("TRIALS", 100), pause_ms = option("PAUSE_MS", 100), trial;
	uint64_t most = option("MOST", WRITERS), least = option("LEAST", 0);
	uint64_t patience = option("PATIENCE", 20) * trials;
	struct worker writers[WRITERS], reader[1] = { 0 };
	struct sigaction action = { .sa_handler = on_signal };
	unsigned int worst = 0;

	EQUAL(sigaction(SIGUSR1, &action, NULL), 0);
	EQUAL(ep_stats_init(), 0);
	workers_start(writers, WRITERS, update_all_the_time, WRITERS);
	worker_start(reader, read_all_the_time, false);
	workers_go();
	for (trial = 0; trial < trials || (worst < least && trial < patience); trial++) {
		unsigned int stuck;

		set_flag(&hold, 1);
		EQUAL(pthread_kill(reader[0].thread, SIGUSR1), 0);
		while (!is_set(&held))
			nap();
		stuck = stuck_writers(pause_ms, most);
		worst = stuck > worst ? stuck : worst;
		set_flag(&hold, 0);
		while (is_set(&held))
			nap();
		nap();
		if (worst > most)
			break;
	}
	set_flag(&stop, 1);
	workers_join(writers, WRITERS);
	workers_join(reader, 1);
	ep_stats_fini();
	CHECK(worst <= most, "%u writers are stopped", worst);
	CHECK(worst >= least, "%u writers are stopped", worst);
}

/* A read section is open: MOST and LEAST writers get nowhere until it ends. */
TEST(read_section)
{
	uint64_t pause_ms = option("PAUSE_MS", 50), most = option("MOST", 0);
	uint64_t least = option("LEAST", 0);
	struct worker writers[WRITERS];
	unsigned int stuck;

	EQUAL(ep_stats_init(), 0);
	workers_start(writers, WRITERS, update_all_the_time, WRITERS);
	ep_stats_read_lock();
	workers_go();
	stuck = stuck_writers(pause_ms, most);
	ep_stats_read_unlock();
	set_flag(&stop, 1);
	workers_join(writers, WRITERS);
	ep_stats_fini();
	CHECK(stuck <= most && stuck >= least, "%u writers are stopped", stuck);
}

static uint32_t added, looked;

static void
add_and_wait(struct worker *me)
{
	ep_stats_update_packet(7, SIZE);
	__atomic_store_n(&added, 1 + ctr_lcore_id(), __ATOMIC_RELEASE);
	while (__atomic_load_n(&looked, __ATOMIC_ACQUIRE) == 0)
		ctr_yield();
	ep_stats_flush();
	(void)me;
}

/* What another thread sees of an update before and behind the flush, and of its lcore's part. */
TEST(visible)
{
	struct worker writer[1] = { 0 };
	struct ep_stats_session part = { 0, 0 };
	uint64_t before, parts = option("PARTS", 0);
	uint32_t lcore;
	int rc;

	EQUAL(ep_stats_init(), 0);
	worker_start(writer, add_and_wait, true);
	workers_go();
	while ((lcore = __atomic_load_n(&added, __ATOMIC_ACQUIRE)) == 0)
		ctr_yield();
	before = ep_stats_session_get_pkts(7);
	rc = ep_stats_session_lcore_read(lcore - 1, 7, &part);
	__atomic_store_n(&looked, 1, __ATOMIC_RELEASE);
	workers_join(writer, 1);
	/* Where the control thread drains it may be seen before. */
	if (option("POLLED", 0) == 0)
		EQUAL(before, option("BEFORE", 1));
	EQUAL(ep_stats_session_get_pkts(7), 1);
	EQUAL(rc == 0, parts);
	EQUAL(part.pkts, parts);
	ep_stats_fini();
}
