/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Counters of one update belong together: every packet has 64 octets, so all
 * reads and resets must show 64 times as many octets as packets, while updates
 * go on back-to-back. Reads that give -EAGAIN promise nothing and are counted.
 * A reset that gives -EAGAIN takes every count, but its group and what it leaves do
 * not belong together; with the next reset that gives 0 they do again.
 * It goes on until counters were seen to move and resets happened often enough.
 *
 * Options: READS by the reader, MOVES that it sees, RESETS meanwhile, FOREIGN; IMPATIENT if
 * resets give up for good, so that reads are looked at only between them.
 */
#include "ep_stats.h"
#include "harness.h"

#define REGISTERED 2
#define SIZE 64
#define BURST 48

static uint32_t stop;
static uint64_t resets, resets_again, again, moves;
/* Odd while what was left by a reset may not belong together. */
static uint64_t torn;
static bool patient;

static void
update_all_the_time(struct worker *me)
{
	uint32_t sessions[BURST];
	uint16_t sizes[BURST];
	struct ep_stats_batch batch;
	unsigned int i, rounds = 0;

	for (i = 0; i < BURST; i++) {
		sessions[i] = i / 16 % 2;
		sizes[i] = SIZE;
	}
	while (!is_set(&stop)) {
		for (i = 0; i < BURST; i++)
			ep_stats_update_packet(i % 2, SIZE);
		ep_stats_update_packet_bulk(sessions, sizes, BURST);
		ep_stats_batch_begin(&batch);
		for (i = 0; i < BURST; i++)
			ep_stats_batch_packet(&batch, sessions[i], SIZE);
		ep_stats_batch_end(&batch);
		ep_stats_hint_flush();
		/* With fewer cores than threads, others would wait for a time slice. */
		if (++rounds % 32 == 0)
			ctr_yield();
	}
	if (me->stays)
		ep_stats_flush();
}

static void
matches(const char *what, uint64_t bytes, uint64_t pkts)
{
	CHECK(bytes == SIZE * pkts, "torn: %s shows %" PRIu64 " packets and %" PRIu64
	      " octets, %" PRId64 " too many", what, pkts, bytes, (int64_t)(bytes - SIZE * pkts));
}

static void
reset_all_the_time(struct worker *me)
{
	struct ep_stats_session taken[2] = { { 0, 0 } }, session;
	struct ep_stats_global all = { 0 }, global;
	unsigned int apart[3] = { 0 }, i;

	while (!is_set(&stop)) {
		(void)__atomic_fetch_add(&torn, torn % 2 == 0, __ATOMIC_SEQ_CST);
		i = draw(me) % 2;
		apart[i] = ep_stats_session_reset(i, &session) == -EAGAIN;
		taken[i].bytes += session.bytes;
		taken[i].pkts += session.pkts;
		if (apart[i] == 0)
			matches("session_reset", taken[i].bytes, taken[i].pkts);
		resets_again += apart[i];
		apart[2] = ep_stats_global_reset(&global) == -EAGAIN;
		all.total_bytes += global.total_bytes;
		all.total_pkts += global.total_pkts;
		if (apart[2] == 0)
			matches("global_reset", all.total_bytes, all.total_pkts);
		resets_again += apart[2];
		if (apart[0] + apart[1] + apart[2] == 0)
			(void)__atomic_fetch_add(&torn, 1, __ATOMIC_SEQ_CST);
		(void)__atomic_fetch_add(&resets, 2, __ATOMIC_RELAXED);
		/* Else some readers would never see anything but 0. */
		if (resets % 64 == 0)
			ctr_yield();
	}
}

/* Whether a read is to match: no reset that may give up is behind it since `was`. */
static bool
whole(int rc, uint64_t was)
{
	if (rc != 0)
		return false;
	return patient ||
		(was % 2 == 0 && __atomic_load_n(&torn, __ATOMIC_SEQ_CST) == was);
}

/* Read in one of several ways. */
static void
read_once(uint64_t i)
{
	static uint64_t before;
	uint64_t was = __atomic_load_n(&torn, __ATOMIC_SEQ_CST);
	struct ep_stats_session session = { 0, 0 };
	struct ep_stats_global global;
	int rc;

	if (i % 8 == 0) {
		rc = ep_stats_global_read(&global);
		if (whole(rc, was))
			matches("global_read", global.total_bytes, global.total_pkts);
	} else if (i % 8 == 1) {
		rc = ep_stats_session_lcore_read((unsigned int)(i / 8 % 8), 0, &session);
		if (rc == 0)
			matches("session_lcore_read", session.bytes, session.pkts);
	} else {
		rc = ep_stats_session_read(1, &session);
		if (whole(rc, was))
			matches("session_read", session.bytes, session.pkts);
		moves += session.pkts != before;
		before = session.pkts;
	}
	CHECK(rc == 0 || rc == -EAGAIN || rc == -ENOTSUP, "a read gives %d", rc);
	again += rc == -EAGAIN;
	if (i % 4096 == 0)
		ctr_yield();
}

/* Whether there was enough of everything after @p reads reads. */
static bool
enough(uint64_t reads)
{
	return reads >= option("READS", 1000000) && moves >= option("MOVES", 20000) &&
		__atomic_load_n(&resets, __ATOMIC_RELAXED) >= option("RESETS", 2000);
}

TEST(consistency)
{
	unsigned int foreign = (unsigned int)option("FOREIGN", 1), n = REGISTERED + foreign;
	struct worker workers[REGISTERED + 2];
	uint64_t reads = 0, begin;

	patient = option("IMPATIENT", 0) == 0;
	EQUAL(ep_stats_init(), 0);
	workers_start(workers, n, update_all_the_time, REGISTERED);
	workers[n].number = n;
	worker_start(&workers[n], reset_all_the_time, false);
	workers_go();
	begin = ctr_time_ns();
	for (; reads % 1024 != 0 || !enough(reads); reads++)
		read_once(reads);
	printf("reads=%" PRIu64 " moves=%" PRIu64 " again=%" PRIu64 " ms=%" PRIu64, reads, moves, again,
	       (ctr_time_ns() - begin) / 1000000);
	set_flag(&stop, 1);
	workers_join(workers, n + 1);
	printf(" resets=%" PRIu64 " resets_again=%" PRIu64 "\n", resets, resets_again);
	ep_stats_fini();
}
