/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Histograms in a module with views: the resets of each view return each value exactly once, in
 * its bucket and in the sum, whatever the other views and threads do.
 *
 * Option: OBSERVED values, by all threads together.
 */
#include <errno.h>

#include "ctr.h"
#include "tally.h"
#include "vwd_stats.h"

#define WORKERS 3
#define FLOW 2

static const struct ctr_histogram *const sizes = &vwd_stats_session_sizes_histogram;
static const struct ctr_histogram *const delays = &vwd_stats_flow_delays_histogram;

/* Views in which there are resets; the raw view has none. */
static const enum vwd_stats_view views[] = {
	VWD_STATS_VIEW_DEFAULT, VWD_STATS_VIEW_CLI, VWD_STATS_VIEW_BILLING
};
#define VIEWS (sizeof(views) / sizeof(views[0]))

/* What views have of all sessions, and of the flow. */
struct seen {
	struct tally sizes, delays;
	uint64_t pkts;
};

static void
see(struct seen *seen, enum vwd_stats_view view, bool reset)
{
	struct vwd_stats_session session;
	struct vwd_stats_flow flow;
	uint32_t i;
	int rc;

	for (i = 0; i < VWD_STATS_SESSION_MAX; i++) {
		rc = reset ? vwd_stats_session_view_reset(view, i, &session)
			   : vwd_stats_session_view_read(view, i, &session);
		CHECK(rc == 0 || rc == -EAGAIN, "%d", rc); /* then too, each value is there */
		add(&seen->sizes, sizes, &session);
		seen->pkts += session.pkts;
	}
	rc = reset ? vwd_stats_flow_view_reset(view, FLOW, &flow)
		   : vwd_stats_flow_view_read(view, FLOW, &flow);
	CHECK(rc == 0 || rc == -EAGAIN, "%d", rc);
	add(&seen->delays, delays, &flow);
}

static void
same(enum vwd_stats_view view, const struct seen *got, const struct seen *wanted)
{
	char where[16];

	snprintf(where, sizeof(where), "view %d: ", (int)view);
	equal(where, sizes, &got->sizes, &wanted->sizes);
	equal(where, delays, &got->delays, &wanted->delays);
	EQUAL(got->pkts, wanted->pkts);
}

static void
packet(struct seen *made, uint32_t session, uint16_t size, uint32_t delay)
{
	vwd_stats_update_packet(session, FLOW, size, delay);
	observe(&made->sizes, sizes, size);
	observe(&made->delays, delays, delay);
	made->pkts++;
}

/* Step by step: what one view has reset is still there for the others, and comes once. */
TEST(one_after_the_other)
{
	static const uint16_t drawn[] = { 0, 64, 65, 512, 513, 1518, 1519, 9000 };
	struct seen made = { .pkts = 0 }, none = { .pkts = 0 }, got[VIEWS], raw;
	unsigned int round, i, v;

	memset(got, 0, sizeof(got));
	EQUAL(vwd_stats_init(), 0);
	EQUAL(vwd_stats_flow_create(FLOW), 0);
	for (round = 0; round < 9; round++) {
		for (i = 0; i < 8; i++)
			packet(&made, i % VWD_STATS_SESSION_MAX, drawn[i], drawn[7 - i] + 60u);
		vwd_stats_flush();
		for (v = 0; v < VIEWS; v++) {
			struct seen rest = { .pkts = 0 };

			if (round % (v + 1) != 0)
				continue; /* each view in a rhythm of its own */
			see(&got[v], views[v], true);
			see(&rest, views[v], false);
			same(views[v], &rest, &none);
			same(views[v], &got[v], &made);
		}
		memset(&raw, 0, sizeof(raw));
		see(&raw, VWD_STATS_VIEW_RAW, false);
		same(VWD_STATS_VIEW_RAW, &raw, &made);
	}
	vwd_stats_fini();
}

/* ---- threads ---- */

static struct seen made_by[WORKERS];
static uint64_t rounds;
static uint32_t working;

static void
work(struct worker *me)
{
	uint64_t left;

	for (left = rounds; left > 0; left--) {
		uint16_t size = (uint16_t)(draw(me) >> draw(me) % 32);

		packet(&made_by[me->number], draw(me) % VWD_STATS_SESSION_MAX, size, draw(me) % 2000);
		vwd_stats_hint_flush();
	}
	vwd_stats_flush();
	__atomic_fetch_sub(&working, 1, __ATOMIC_RELEASE);
}

static void
merge(struct seen *into, const struct seen *of)
{
	unsigned int i;

	for (i = 0; i < TALLY_BUCKETS; i++) {
		into->sizes.bucket[i] += of->sizes.bucket[i];
		into->delays.bucket[i] += of->delays.bucket[i];
	}
	into->sizes.sum += of->sizes.sum;
	into->delays.sum += of->delays.sum;
	into->pkts += of->pkts;
}

TEST(beside_threads)
{
	struct worker workers[WORKERS];
	struct seen made = { .pkts = 0 }, got[VIEWS];
	uint64_t resets = 0;
	unsigned int i, v;

	memset(got, 0, sizeof(got));
	rounds = option("OBSERVED", 300000) / WORKERS;
	EQUAL(vwd_stats_init(), 0);
	EQUAL(vwd_stats_flow_create(FLOW), 0);
	working = WORKERS;
	workers_start(workers, WORKERS, work, WORKERS - 1);
	workers_go();
	while (__atomic_load_n(&working, __ATOMIC_ACQUIRE) > 0) {
		v = (unsigned int)(resets % VIEWS);
		see(&got[v], views[v], true);
		resets++;
		ctr_yield();
	}
	workers_join(workers, WORKERS);
	for (i = 0; i < WORKERS; i++)
		merge(&made, &made_by[i]);
	for (v = 0; v < VIEWS; v++) {
		see(&got[v], views[v], false);
		same(views[v], &got[v], &made);
	}
	EQUAL(made.pkts, rounds * WORKERS);
	CHECK(resets > 0, "there was no reset");
	vwd_stats_fini();
}
