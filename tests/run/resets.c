/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Resets under back-to-back updates: none is lost (what it took would be
 * counted twice), and none takes what it does not report.
 *
 * Options: RESETS; WRITERS, which have an lcore id; FOREIGN, more writers, which have none.
 */
#include "ep_stats.h"
#include "harness.h"

#define CASE(name) TEST_BETWEEN(name, EQUAL(ep_stats_init(), 0), ep_stats_fini())

#define MOST_WRITERS 4
#define SIZE 100

static uint64_t updates[MOST_WRITERS];
static uint32_t stop;

static void
update_all_the_time(struct worker *me)
{
	uint64_t n = 0;

	while (!is_set(&stop)) {
		ep_stats_update_packet(7, SIZE);
		/* With fewer cores than threads, others would wait for a time slice. */
		if (++n % 4096 == 0)
			ctr_yield();
	}
	updates[me->number] = n;
	if (me->stays)
		ep_stats_flush();
}

TEST(resets)
{
	struct worker workers[MOST_WRITERS];
	uint64_t wanted = option("RESETS", 20000), i, sum = 0, took = 0, added = 0;
	unsigned int writers = (unsigned int)option("WRITERS", 2), n;
	unsigned int foreign = (unsigned int)option("FOREIGN", 2);
	static struct ep_stats_session all[EP_STATS_SESSION_MAX];
	struct ep_stats_session last = { 0, 0 };
	uint64_t again = 0;
	int rc = 0, left;

	CHECK(writers + foreign <= MOST_WRITERS, "%u writers", writers);
	EQUAL(ep_stats_init(), 0);
	workers_start(workers, writers + foreign, update_all_the_time, writers);
	workers_go();
	for (i = 0; i < wanted; i++) {
		unsigned int spins = 0;

		/* Not while all writers happen to be off their cores. */
		while (ep_stats_session_get_pkts(7) == 0)
			ctr_spin_wait(&spins);
		if (i % 16 == 0) {
			rc = ep_stats_session_reset_all(all);
			last = all[7];
		} else {
			rc = ep_stats_session_reset(7, &last);
		}
		CHECK(rc == 0 || rc == -EAGAIN, "session_reset gives %d", rc);
		again += rc == -EAGAIN;
		sum += last.pkts;
		took += last.pkts != 0;
		EQUAL(last.bytes >> 48, 0);
	}
	set_flag(&stop, 1);
	workers_join(workers, writers + foreign);
	for (n = 0; n < writers + foreign; n++)
		added += updates[n];
	/* What is left begins where the last reset left off: amid an update only if it gave up. */
	left = ep_stats_session_read(7, &last);
	CHECK(left == 0 || (left == -EAGAIN && rc == -EAGAIN), "session_read gives %d", left);
	printf("resets=%" PRIu64 " took=%" PRIu64 " again=%" PRIu64 " updates=%" PRIu64 "\n", wanted,
	       took, again, added);
	fflush(stdout);
	CHECK(sum + last.pkts == added, "%" PRIu64 " were added, resets took %" PRIu64
	      " and %" PRIu64 " are left: %" PRId64 " too many", added, sum, last.pkts,
	      (int64_t)(sum + last.pkts - added));
	/* Session resets leave the global counters alone. */
	EQUAL(ep_stats_get_total_pkts(), added);
	EQUAL(ep_stats_get_total_bytes(), added * SIZE);
	ep_stats_fini();
}

/* Have the counters wrap after so many packets more. */
static void
approach(uint64_t packets)
{
	ep_stats_session_add_pkts(7, 0 - packets);
	ep_stats_session_add_bytes(7, 0 - packets * SIZE);
	EQUAL(ep_stats_session_reset(7, NULL), 0);
}

static void
read_one_epoch(struct worker *me)
{
	struct ep_stats_session now;

	while (!is_set(&stop)) {
		uint64_t pkts = ep_stats_session_get_pkts(7);
		int rc = ep_stats_session_read(7, &now);

		CHECK(pkts <= 1, "get gives %" PRIu64 " packets, 1 was counted", pkts);
		CHECK(rc == 0 || rc == -EAGAIN, "session_read gives %d", rc);
		CHECK(now.pkts <= 1 && now.bytes <= SIZE, "read gives %" PRIu64 " packets and %" PRIu64
		      " octets, 1 and %d were counted", now.pkts, now.bytes, SIZE);
	}
	(void)me;
}

/*
 * One packet between two resets: no reader sees more, however long it was off its core
 * in the middle of reading. Half-way the counters wrap.
 */
CASE(epochs)
{
	struct worker readers[MOST_WRITERS];
	uint64_t wanted = option("EPOCHS", 300000), i, sum = 0;
	struct ep_stats_session last = { 0, 0 };

	EQUAL(ctr_thread_register(), 0);
	approach(wanted / 2);
	workers_start(readers, MOST_WRITERS, read_one_epoch, 0);
	workers_go();
	for (i = 0; i < wanted; i++) {
		int rc;

		ep_stats_update_packet(7, SIZE);
		do {
			rc = ep_stats_session_reset(7, &last);
			CHECK(rc == 0 || rc == -EAGAIN, "session_reset gives %d", rc);
			sum += last.pkts;
		} while (rc == -EAGAIN);
	}
	set_flag(&stop, 1);
	workers_join(readers, MOST_WRITERS);
	EQUAL(sum, wanted);
	ctr_thread_unregister();
}

/* Count an event; all of it is taken by a reset, which may say that its group is not whole. */
static void
count_one(void)
{
	struct ep_stats_session last;
	int rc;

	ep_stats_session_inc_pkts(7);
	rc = ep_stats_session_reset(7, &last);
	CHECK(rc == 0 || rc == -EAGAIN, "session_reset gives %d", rc);
	EQUAL(last.pkts, 1);
}

static void
count_in_two_copies(struct worker *me)
{
	uint64_t wanted = option("EPOCHS", 100000) / 2, i;

	for (i = 0; i < wanted; i++) {
		EQUAL(ctr_thread_register(), 0);
		count_one();
		ctr_thread_unregister();
		count_one();
	}
	set_flag(&stop, 1);
	(void)me;
}

/* As epochs, but every second packet is counted in another copy than the one before. */
CASE(copies)
{
	struct worker workers[MOST_WRITERS];
	unsigned int n;

	memset(workers, 0, sizeof(workers));
	for (n = 0; n < MOST_WRITERS; n++)
		worker_start(&workers[n], n == 0 ? count_in_two_copies : read_one_epoch, false);
	workers_go();
	workers_join(workers, MOST_WRITERS);
	EQUAL(ep_stats_session_get_pkts(7), 0);
}
