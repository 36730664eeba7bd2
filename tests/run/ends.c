/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * How a flow ends, step by step: a worker does what it is told, one thing at a time.
 *
 * Option: HELD, 1 if updates wait in a buffer.
 */
#include <unistd.h>

#include "ctr.h"
#include "ctr_table.h"
#include "ctr_values.h"
#include "harness.h"
#include "lives_stats.h"

#define CASE(name) TEST_BETWEEN(name, EQUAL(lives_stats_init(), 0), lives_stats_fini())

#define FLOW 5u
#define SIZE 100

static void
count(void)
{
	lives_stats_update_packet(FLOW, SIZE);
	lives_stats_flow_add_marks(FLOW, 2);
}

static void
begin(struct worker *worker)
{
	EQUAL(lives_stats_init(), 0);
	memset(worker, 0, sizeof(*worker));
	worker_start(worker, obey, false); /* it registers itself, no EAL lcore could leave */
	workers_go();
}

static void
end(struct worker *worker)
{
	tell(ctr_thread_unregister);
	workers_join(worker, 1);
	lives_stats_fini();
}

/* A bill of so many packets of the worker. */
static void
expect(const struct lives_stats_flow *bill, uint64_t pkts)
{
	EQUAL(bill->pkts, pkts);
	EQUAL(bill->bytes, pkts * SIZE);
	EQUAL(bill->marks, pkts * 2);
}

/* Gone for readers at once, settled when the lcore has reported; then its index is free. */
TEST(settled)
{
	struct lives_stats_flow last;
	struct worker worker;
	unsigned int life;

	begin(&worker);
	tell(lives_stats_quiescent);
	for (life = 0; life < 3; life++) {
		EQUAL(lives_stats_flow_create(FLOW), 0);
		EQUAL(lives_stats_flow_get_pkts(FLOW), 0);
		tell(count);
		EQUAL(lives_stats_flow_destroy(FLOW, &last), -EINPROGRESS);
		EQUAL(lives_stats_flow_exists(FLOW), false);
		EQUAL(lives_stats_flow_read(FLOW, &last), -ENOENT);
		EQUAL(lives_stats_flow_reset(FLOW, &last), -ENOENT);
		EQUAL(lives_stats_flow_view_reset(LIVES_STATS_VIEW_SHOWN, FLOW, &last), -ENOENT);
		EQUAL(lives_stats_flow_get_pkts(FLOW), 0);
		EQUAL(lives_stats_flow_next(0), LIVES_STATS_FLOW_MAX);
		EQUAL(lives_stats_flow_create(FLOW), -EBUSY);
		tell(count); /* in the burst that is under way */
		EQUAL(lives_stats_flow_destroy(FLOW, &last), -EINPROGRESS);
		tell(count);
		tell(life == 1 ? lives_stats_hint_flush : lives_stats_quiescent);
		EQUAL(lives_stats_flow_create(FLOW), -EBUSY); /* somebody waits for the bill */
		EQUAL(lives_stats_flow_destroy(FLOW, &last), 0);
		expect(&last, 3);
		EQUAL(lives_stats_flow_destroy(FLOW, &last), -ENOENT);
		tell(count); /* by mistake */
		EQUAL(lives_stats_late(), 2 * (life + 1));
	}
	end(&worker);
}

/* Reports that apply nothing, such as those of other modules, settle nothing that is held back. */
TEST(other_reports)
{
	struct lives_stats_flow last;
	struct worker worker;
	unsigned int i;

	begin(&worker);
	tell(lives_stats_quiescent);
	EQUAL(lives_stats_flow_create(FLOW), 0);
	tell(count);
	EQUAL(lives_stats_flow_destroy(FLOW, &last), -EINPROGRESS);
	for (i = 0; option("HELD", 0) != 0 && i < 4; i++) {
		tell(ctr_quiescent);
		EQUAL(lives_stats_flow_destroy(FLOW, &last), -EINPROGRESS);
	}
	tell(lives_stats_quiescent);
	EQUAL(lives_stats_flow_destroy(FLOW, &last), 0);
	expect(&last, 1);
	end(&worker);
}

/* Who sleeps, or has never reported, is not waited for. */
TEST(sleeper)
{
	struct lives_stats_flow last;
	struct worker worker;

	begin(&worker);
	EQUAL(lives_stats_flow_create(FLOW), 0);
	EQUAL(lives_stats_flow_destroy(FLOW, &last), 0);
	tell(lives_stats_quiescent);
	EQUAL(lives_stats_flow_create(FLOW), 0);
	EQUAL(lives_stats_flow_destroy(FLOW, &last), -EINPROGRESS);
	tell(ctr_quiescent_offline);
	EQUAL(lives_stats_flow_destroy(FLOW, &last), 0);
	expect(&last, 0);
	end(&worker);
}

/* Who leaves is not waited for either; what it held back is in the bill. */
TEST(left_behind)
{
	struct lives_stats_flow last;
	struct worker worker;
	unsigned int inside;

	for (inside = 0; inside < 2; inside++) {
		begin(&worker);
		tell(lives_stats_quiescent);
		EQUAL(lives_stats_flow_create(FLOW), 0);
		tell(count);
		if (inside != 0)
			lives_stats_read_lock();
		EQUAL(lives_stats_flow_destroy(FLOW, &last), -EINPROGRESS);
		tell(ctr_thread_unregister);
		EQUAL(lives_stats_flow_destroy(FLOW, &last), 0);
		expect(&last, 1);
		if (inside != 0)
			lives_stats_read_unlock();
		workers_join(&worker, 1);
		EQUAL(lives_stats_late(), 0);
		lives_stats_fini();
	}
}

/* Nor is the next thread with the id waited for: what the former one left is in the bill. */
TEST(taken_over)
{
	struct lives_stats_flow last;
	struct worker worker, next;

	begin(&worker);
	tell(lives_stats_quiescent);
	EQUAL(lives_stats_flow_create(FLOW), 0);
	tell(count);
	lives_stats_read_lock();
	tell(ctr_thread_unregister);
	memset(&next, 0, sizeof(next));
	next.number = 1;
	worker_start(&next, obey, false);
	workers_go();
	tell(ctr_quiescent_offline); /* once it has registered */
	EQUAL(lives_stats_flow_destroy(FLOW, &last), 0);
	expect(&last, 1);
	lives_stats_read_unlock();
	tell(ctr_thread_unregister);
	workers_join(&worker, 1);
	workers_join(&next, 1);
	EQUAL(lives_stats_late(), 0);
	lives_stats_fini();
}

static uint64_t token;
static uint32_t downs;

static void
look_at_who_leaves(const struct ctr_domain *domain, void *slot)
{
	(void)domain;
	(void)slot;
	CHECK(token == 0 || !ctr_quiescent_passed(token), "who hands over is not waited for");
	downs++;
}

static void *
report_and_leave(void *arg)
{
	EQUAL(ctr_thread_register(), 0);
	lives_stats_quiescent();
	if (arg != NULL)
		*(uint64_t *)arg = ctr_quiescent_start();
	ctr_thread_unregister();
	return NULL;
}

/* Who leaves hands over what it held back before it is not waited for any more. */
TEST(handed_over)
{
	static const struct ctr_strategy strategy = { .leave = look_at_who_leaves };
	const struct ctr_domain domain = { .strategy = &strategy };
	struct ctr_slots slots;
	unsigned int n;

	memset(&slots, 0, sizeof(slots));
	slots.size = 64;
	for (n = 0; n < 2; n++) {
		EQUAL(ctr_slots_open(&slots, &domain), 0);
		token = 0;
		run_thread(report_and_leave, &token);
		EQUAL(downs, n + 1);
		CHECK(ctr_quiescent_passed(token), "who is gone is waited for");
		/* The next to open is told of lcores after the first who reported. */
		ctr_slots_close(&slots);
	}
}

/* An index whose end nobody waits for is found again by _alloc(), the lowest first. */
TEST(found_again)
{
	struct lives_stats_flow last;
	struct worker worker;
	uint32_t at, i;

	begin(&worker);
	tell(lives_stats_quiescent);
	for (i = 0; i < LIVES_STATS_FLOW_MAX; i++) {
		EQUAL(lives_stats_flow_alloc(&at), 0);
		EQUAL(at, i);
	}
	EQUAL(lives_stats_flow_alloc(&at), -ENOSPC);
	EQUAL(lives_stats_flow_destroy(FLOW, NULL), -EINPROGRESS);
	EQUAL(lives_stats_flow_destroy(FLOW + 1, &last), -EINPROGRESS);
	EQUAL(lives_stats_flow_destroy(FLOW + 2, NULL), -EINPROGRESS);
	EQUAL(lives_stats_flow_alloc(&at), -ENOSPC);
	tell(lives_stats_quiescent);
	EQUAL(lives_stats_flow_alloc(&at), 0);
	EQUAL(at, FLOW);
	EQUAL(lives_stats_flow_alloc(&at), 0);
	EQUAL(at, FLOW + 2);
	EQUAL(lives_stats_flow_alloc(&at), -ENOSPC);
	EQUAL(lives_stats_flow_destroy(FLOW + 1, &last), 0);
	EQUAL(lives_stats_flow_alloc(&at), 0);
	EQUAL(at, FLOW + 1);
	end(&worker);
}

/* By the descriptor: the names of views are at their numbers, and accessors take those. */
static void
check_views_by_descriptor(void)
{
	const struct ctr_module *module = &lives_stats_module;
	const struct ctr_scope *flow = ctr_scope_find(module, "flow");
	const uint32_t index[] = { FLOW };
	struct lives_stats_flow now;

	EQUAL(module->num_views, LIVES_STATS_VIEW_BILLED + 1);
	EQUAL(strcmp(module->views[LIVES_STATS_VIEW_RAW], "raw"), 0);
	EQUAL(strcmp(module->views[LIVES_STATS_VIEW_BILLED], "billed"), 0);
	EQUAL(flow->view_read(LIVES_STATS_VIEW_BILLED, index, &now), 0);
	EQUAL(now.pkts, 5);
	EQUAL(flow->view_reset(LIVES_STATS_VIEW_RAW, index, &now), -EINVAL);
	EQUAL(flow->view_reset(LIVES_STATS_VIEW_SHOWN, index, &now), 0);
	EQUAL(now.pkts, 5);
}

/* What one view has reset, the others still have; the raw one is not reset. */
CASE(views)
{
	struct lives_stats_flow now;
	unsigned int round;

	for (round = 0; round < 2; round++) {
		EQUAL(lives_stats_flow_create(FLOW), 0);
		lives_stats_flow_add_pkts(FLOW, 5);
		lives_stats_flush();
		EQUAL(lives_stats_flow_view_reset(LIVES_STATS_VIEW_RAW, FLOW, &now), -EINVAL);
		EQUAL(lives_stats_flow_view_reset(LIVES_STATS_VIEW_BILLED + 1, FLOW, &now), -EINVAL);
		EQUAL(lives_stats_flow_view_read(LIVES_STATS_VIEW_BILLED + 1, FLOW, &now), -EINVAL);
		check_views_by_descriptor();
		EQUAL(lives_stats_flow_view_read(LIVES_STATS_VIEW_SHOWN, FLOW, &now), 0);
		EQUAL(now.pkts, 0);
		EQUAL(lives_stats_flow_view_read(LIVES_STATS_VIEW_BILLED, FLOW, &now), 0);
		EQUAL(now.pkts, 5);
		EQUAL(lives_stats_flow_get_pkts(FLOW), 5);
		lives_stats_flow_add_pkts(FLOW, 2);
		EQUAL(lives_stats_flow_reset(FLOW, &now), 0);
		EQUAL(now.pkts, 7);
		EQUAL(lives_stats_flow_read(FLOW, &now), 0);
		EQUAL(now.pkts, 0);
		EQUAL(lives_stats_flow_view_reset(LIVES_STATS_VIEW_SHOWN, FLOW, &now), 0);
		EQUAL(now.pkts, 2);
		EQUAL(lives_stats_flow_view_reset(LIVES_STATS_VIEW_BILLED, FLOW, &now), 0);
		EQUAL(now.pkts, 7);
		lives_stats_flow_add_pkts(FLOW, 1);
		lives_stats_flush();
		EQUAL(lives_stats_flow_view_read(LIVES_STATS_VIEW_RAW, FLOW, &now), 0);
		EQUAL(now.pkts, 8);
		EQUAL(lives_stats_flow_destroy(FLOW, &now), 0);
		EQUAL(now.pkts, 1);
	}
}

static int reset_gives;

static void
reset_flow(struct worker *me)
{
	struct lives_stats_flow taken;

	reset_gives = lives_stats_flow_reset(FLOW, &taken);
	(void)me;
}

/* A flow that goes while a reset of it waits for its turn is not there. */
CASE(reset_of_what_went)
{
	struct worker resetter = { 0 };

	EQUAL(lives_stats_flow_create(FLOW), 0);
	lives_stats_read_lock();
	worker_start(&resetter, reset_flow, false);
	workers_go();
	usleep(20000);
	EQUAL(lives_stats_flow_destroy(FLOW, NULL), 0);
	lives_stats_read_unlock();
	workers_join(&resetter, 1);
	EQUAL(reset_gives, -ENOENT);
}

static uint32_t stop;

/* Each life has one event. */
static void
read_one_event(struct worker *me)
{
	struct lives_stats_flow flow;
	uint64_t reads;

	for (reads = 0; !is_set(&stop); reads++) {
		uint64_t got = lives_stats_flow_get_pkts(FLOW);
		int rc = lives_stats_flow_read(FLOW, &flow);

		CHECK(got <= 1, "a getter gives %" PRIu64 " events of a life with 1", got);
		CHECK(rc == 0 || rc == -ENOENT || rc == -EAGAIN, "flow_read gives %d", rc);
		CHECK(rc != 0 || (flow.pkts <= 1 && flow.depth <= 1000), "a read gives %" PRIu64
		      " events of a life with 1", flow.pkts);
		if (reads % 4096 == 0)
			ctr_yield();
	}
	(void)me;
}

static void
live_once(void)
{
	struct lives_stats_flow last;

	EQUAL(lives_stats_flow_create(FLOW), 0);
	lives_stats_flow_inc_pkts(FLOW);
	lives_stats_flush();
	EQUAL(lives_stats_flow_destroy(FLOW, &last), 0);
	EQUAL(last.pkts, 1);
}

static void
live_in_two_copies(struct worker *me)
{
	uint64_t n = option("LIVES", 100000), i;

	for (i = 0; i < n; i++) {
		EQUAL(ctr_thread_register(), 0);
		live_once();
		ctr_thread_unregister();
		live_once();
	}
	set_flag(&stop, 1);
	(void)me;
}

/* No getter adds up two lives, nor does a read; their counts are in two copies in turn. */
CASE(one_event)
{
	struct worker workers[3];
	unsigned int n;

	memset(workers, 0, sizeof(workers));
	for (n = 0; n < 3; n++)
		worker_start(&workers[n], n == 0 ? live_in_two_copies : read_one_event, false);
	workers_go();
	workers_join(workers, 3);
}

/* +1 and -1, in whatever life the flow has; it never reports. */
static void
go_up_and_down(struct worker *me)
{
	while (!is_set(&stop)) {
		lives_stats_flow_add_depth(FLOW, 1);
		lives_stats_flow_sub_depth(FLOW, 1);
		lives_stats_flush();
	}
	(void)me;
}

/* A gauge begins at 0, even if somebody is late: what it had before does not come back. */
CASE(gauge_of_before)
{
	uint64_t n = option("LIVES", 100000), i;
	struct worker worker;

	memset(&worker, 0, sizeof(worker));
	EQUAL(lives_stats_flow_create(FLOW), 0);
	worker_start(&worker, go_up_and_down, true);
	workers_go();
	for (i = 0; i < n; i++) {
		uint64_t depth;

		lives_stats_flow_add_depth(FLOW, 1000000);
		lives_stats_flush();
		EQUAL(lives_stats_flow_destroy(FLOW, NULL), 0);
		EQUAL(lives_stats_flow_create(FLOW), 0);
		depth = lives_stats_flow_get_depth(FLOW);
		CHECK(depth <= 1000, "a new flow has a depth of %" PRIu64, depth);
		if (i % 64 == 0)
			ctr_yield();
	}
	set_flag(&stop, 1);
	workers_join(&worker, 1);
}
