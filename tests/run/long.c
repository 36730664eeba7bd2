/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * A billion updates by threads that all update at the same time, while one reads
 * and resets now and then: what resets took and what is left is what was counted.
 *
 * Options: UPDATES, WORKERS with an lcore id.
 */
#define _GNU_SOURCE
#include <time.h>

#include "ep.h"

#define MOST_WORKERS 8
#define BURST 32
#define SIZE 64
#define EVERY_NS 1000000 /* a reset about each millisecond */

static uint64_t wanted;
static unsigned int workers_running;

/* Bursts in each way to update, on sessions of which some are shared by all. */
static void
update_in_bursts(struct worker *me)
{
	uint32_t sessions[BURST];
	uint16_t sizes[BURST];
	struct ep_stats_batch batch;
	uint64_t done = 0, round = 0;
	unsigned int i;

	for (i = 0; i < BURST; i++) {
		sessions[i] = i % 4 == 0 ? 0 : 1 + 16 * me->number + i % 16;
		sizes[i] = SIZE;
	}
	for (; done < wanted; done += BURST, round++) {
		switch (round % 4) {
		case 0:
			ep_stats_update_packet_bulk(sessions, sizes, BURST);
			break;
		case 1:
			ep_stats_batch_begin(&batch);
			for (i = 0; i < BURST; i++)
				ep_stats_batch_packet(&batch, sessions[i], SIZE);
			ep_stats_batch_end(&batch);
			break;
		default:
			for (i = 0; i < BURST; i++)
				ep_stats_update_packet(sessions[i], SIZE);
			break;
		}
	}
	if (me->stays)
		ep_stats_flush();
	(void)__atomic_fetch_sub(&workers_running, 1, __ATOMIC_RELEASE);
}

TEST(long)
{
	struct worker workers[MOST_WORKERS + 1];
	unsigned int n = (unsigned int)option("WORKERS", 2), i;
	uint64_t updates = option("UPDATES", 1000000), resets = 0, sessions = 0, begin, ms;
	static struct ep_sums taken, rest;
	struct ep_stats_session session;
	struct ep_stats_global global;

	CHECK(n > 0 && n <= MOST_WORKERS, "%u workers", n);
	/* One more thread, without an lcore id. */
	wanted = updates / (n + 1) / BURST * BURST + BURST;
	workers_running = n + 1;
	EQUAL(ep_stats_init(), 0);
	workers_start(workers, n + 1, update_in_bursts, n);
	workers_go();
	begin = ctr_time_ns();
	while (__atomic_load_n(&workers_running, __ATOMIC_ACQUIRE) != 0) {
		struct timespec nap = { .tv_nsec = EVERY_NS };
		int rc = ep_stats_global_reset(&global);

		CHECK(rc == 0 || rc == -EAGAIN, "global_reset gives %d", rc);
		taken.total_pkts += global.total_pkts;
		taken.total_bytes += global.total_bytes;
		rc = ep_stats_session_reset(0, &session);
		CHECK(rc == 0 || rc == -EAGAIN, "session_reset gives %d", rc);
		taken.session[0].pkts += session.pkts;
		taken.session[0].bytes += session.bytes;
		resets += 2;
		(void)nanosleep(&nap, NULL);
	}
	ms = (ctr_time_ns() - begin) / 1000000;
	workers_join(workers, n + 1);
	ep_sums_read(&rest, true);
	ep_sums_add(&rest, &taken);
	for (i = 0; i < EP_STATS_SESSION_MAX; i++)
		sessions += rest.session[i].pkts;
	printf("updates=%" PRIu64 " counted=%" PRIu64 " in_sessions=%" PRIu64 " bytes=%" PRIu64
	       " resets=%" PRIu64 " ms=%" PRIu64 "\n", wanted * (n + 1), rest.total_pkts, sessions,
	       rest.total_bytes, resets, ms);
	fflush(stdout);
	EQUAL(rest.total_pkts, wanted * (n + 1));
	EQUAL(sessions, wanted * (n + 1));
	EQUAL(rest.total_bytes, wanted * (n + 1) * SIZE);
	EQUAL(rest.session[0].pkts, wanted / 4 * (n + 1));
	ep_stats_fini();
}
