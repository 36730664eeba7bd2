/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Quotas stop to the octet, thresholds are reported once, whatever lcores do.
 *
 * Options: UPDATES of each worker; WORKERS; CROSSINGS to wait for; FORKS; SECONDS of a child.
 */
#include <unistd.h>

#include "../../runtime/src/core/limit.h"
#include "harness.h"
#include "ctr_values.h"
#include "limits_stats.h"

#define CASE(name) TEST_BETWEEN(name, start(), limits_stats_fini())

#define MOST_WORKERS 8
#define FEW 4u /* sessions, so that workers meet */
#define SESSIONS LIMITS_STATS_SESSION_MAX
#define QUOTA LIMITS_STATS_SESSION_LIMIT_QUOTA
#define REPORT LIMITS_STATS_SESSION_LIMIT_REPORT

static struct worker workers[MOST_WORKERS];
static uint64_t passed[MOST_WORKERS][SESSIONS], refused[MOST_WORKERS][SESSIONS];
static uint32_t stop;

static void
start(void)
{
	EQUAL(limits_stats_init(), 0);
	memset(passed, 0, sizeof(passed));
	memset(refused, 0, sizeof(refused));
	set_flag(&stop, 0);
}

static unsigned int
run_workers(work_t work, bool last_has_no_lcore)
{
	const unsigned int n = (unsigned int)option("WORKERS", 3);

	workers_start(workers, n, work, n - last_has_no_lcore);
	workers_go();
	return n;
}

static uint64_t
total(uint64_t (*counts)[SESSIONS], uint32_t session)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < MOST_WORKERS; i++)
		sum += counts[i][session];
	return sum;
}

static struct limits_stats_session
session_at(uint32_t session)
{
	struct limits_stats_session now;
	int rc;

	limits_stats_flush();
	limits_stats_poll();
	do
		rc = limits_stats_session_read(session, &now);
	while (rc == -EAGAIN);
	EQUAL(rc, 0);
	return now;
}

/* The next crossing: of an instance, of a limit, its count. */
static void
expect(uint32_t at, uint32_t limit, uint64_t count)
{
	struct ctr_crossing crossing;

	EQUAL(limits_stats_session_crossed_next(&crossing), 0);
	EQUAL(crossing.at, at);
	EQUAL(crossing.limit, limit);
	EQUAL(crossing.count, count);
	CHECK(!crossing.expired, "crossed");
}

static void
expect_none(void)
{
	struct ctr_crossing crossing;

	EQUAL(limits_stats_session_crossed_next(&crossing), -ENOENT);
}

static void
pass(uint32_t session, uint64_t up)
{
	CHECK(limits_stats_update_packet_try(session, up, 0), "session %" PRIu32, session);
}

static void
refuse(uint32_t session, uint64_t up)
{
	CHECK(!limits_stats_update_packet_try(session, up, 0), "session %" PRIu32, session);
}

/* All that is left of a quota can be used, to the octet. */
static void
use_up(uint32_t session, uint64_t left)
{
	for (; left != 0; left -= left > 7 ? left / 2 : 1)
		pass(session, left > 7 ? left / 2 : 1);
	refuse(session, 1);
}

/* ---- one thread ---- */

static const uint64_t amounts[] = {
	0, 1, 63, 64, UINT16_MAX, UINT64_C(1) << 20, UINT64_C(1) << 31, UINT32_MAX,
	UINT64_C(1) << 40, CTR_LIMIT_MOST - 1, CTR_LIMIT_MOST,
};

TEST(amounts)
{
	struct limits_stats_session now;
	size_t i;

	EQUAL(limits_stats_session_quota_set(0, 1), -ENODEV);
	refuse(0, 1);
	EQUAL(limits_stats_late(), 1);
	for (i = 0; i < sizeof(amounts) / sizeof(*amounts); i++) {
		const uint64_t n = amounts[i];

		start();
		EQUAL(limits_stats_session_quota_set(1, n), 0);
		CHECK(!limits_stats_update_packet_try(1, n, 1), "one more than %" PRIu64, n);
		CHECK(!limits_stats_update_packet_try(1, n, UINT64_MAX), "a sum that wraps");
		now = session_at(1);
		EQUAL(now.quota_remaining, n);
		EQUAL(now.quota_refused, 2);
		CHECK(limits_stats_update_packet_try(1, n / 3, n - n / 3), "all of %" PRIu64, n);
		pass(1, 0);
		CHECK(!limits_stats_update_packet_try(1, 0, 1), "one, when none is left");
		now = session_at(1);
		EQUAL(now.up + now.down, n);
		EQUAL(now.quota_remaining, 0);
		EQUAL(now.quota_refused, 3);
		EQUAL(now.quota_state, CTR_LIMIT_REACHED);
		EQUAL(limits_stats_session_quota_set(1, n), 0);
		EQUAL(session_at(1).quota_remaining, n);
		limits_stats_fini();
	}
}

CASE(arguments)
{
	uint64_t taken;

	EQUAL(limits_stats_session_quota_set(64, 1), -ERANGE);
	EQUAL(limits_stats_session_quota_set(UINT32_MAX, 1), -ERANGE);
	EQUAL(limits_stats_session_quota_set(0, CTR_LIMIT_MOST + 1), -ERANGE);
	EQUAL(limits_stats_session_quota_set(0, UINT64_MAX), -ERANGE);
	EQUAL(limits_stats_session_quota_set(0, CTR_LIMIT_MOST), 0);
	EQUAL(limits_stats_session_quota_set(0, 1), -ERANGE);
	EQUAL(session_at(0).quota_remaining, CTR_LIMIT_MOST);
	EQUAL(limits_stats_session_report_set(0, 0), -EINVAL);
	EQUAL(limits_stats_session_few_set(0, UINT64_C(1) << 32), -ERANGE);
	EQUAL(limits_stats_session_few_set(0, UINT32_MAX), 0);
	EQUAL(limits_stats_session_quota_withdraw(0, 1, NULL), -EINVAL);
	EQUAL(limits_stats_session_quota_withdraw(64, 1, &taken), -ERANGE);
	EQUAL(limits_stats_session_crossed_next(NULL), -EINVAL);
	expect_none();
	EQUAL(limits_stats_flow_quota_set(7, 1), -ENOENT);
	CHECK(!limits_stats_update_flow_try(7, 0), "no such flow");
	EQUAL(limits_stats_late(), 1);
	CHECK(!limits_stats_update_packet_try(64, 1, 1), "out of range");
	limits_stats_update_packet(64, 1, 1);
	EQUAL(limits_stats_drops(), 2);
}

static unsigned int calls;

static void
set_again(const struct ctr_crossing *crossing, void *user)
{
	calls++;
	EQUAL(crossing->at, 2);
	EQUAL(crossing->limit, LIMITS_STATS_SESSION_LIMIT_REPORT);
	EQUAL(crossing->count, *(const uint64_t *)user);
	EQUAL(limits_stats_session_report_set(crossing->at, 50), 0);
}

/* A threshold from one thread: reported when reached, once, with the count; then set again. */
CASE(threshold)
{
	uint64_t count = 103;

	EQUAL(session_at(2).report_state, CTR_LIMIT_IDLE);
	limits_stats_update_packet(2, 1, 2);
	EQUAL(limits_stats_session_report_set(2, 100), 0);
	limits_stats_burst_end();
	EQUAL(session_at(2).report_remaining, 97);
	limits_stats_update_packet(2, 96, 0);
	EQUAL(session_at(2).report_remaining, 1);
	expect_none();
	limits_stats_update_packet(2, 0, 4);
	limits_stats_update_packet(2, 5, 0);
	EQUAL(limits_stats_session_report_set(2, 100), -EBUSY);
	EQUAL(session_at(2).report_state, CTR_LIMIT_REACHED);
	EQUAL(limits_stats_session_crossed(set_again, &count), 1);
	EQUAL(calls, 1);
	limits_stats_burst_end();
	EQUAL(session_at(2).report_remaining, 45);
	/* It moves to 20 more than at the last report; then to less than was counted since. */
	EQUAL(limits_stats_session_report_set(2, 20), 0);
	EQUAL(session_at(2).report_remaining, 15);
	EQUAL(limits_stats_session_report_set(2, 3), 0);
	expect(2, REPORT, 108);
	expect_none();
}

/* A threshold with a deadline is reported once: when crossed, or after the time, with the count. */
TEST(deadlines)
{
	struct ctr_crossing crossing;
	uint32_t found = 0, s;

	EQUAL(limits_stats_session_report_deadline(0, 1), -ENODEV);
	start();
	EQUAL(limits_stats_session_report_deadline(64, 1), -ERANGE);
	EQUAL(limits_stats_session_report_deadline(0, 1), -EINVAL);
	EQUAL(limits_stats_flow_report_deadline(0, 1), -ENOENT);
	for (s = 0; s < 6; s++) {
		EQUAL(limits_stats_session_report_set(s, UINT64_C(1) << 40), 0);
		limits_stats_update_packet(s, 7 + s, 0); /* from a share */
		EQUAL(limits_stats_session_report_deadline(s, s == 1 ? UINT32_MAX : 1), 0);
	}
	EQUAL(limits_stats_session_report_deadline(2, 0), 0);
	EQUAL(limits_stats_session_report_set(3, UINT64_C(1) << 41), 0);
	EQUAL(limits_stats_session_report_set(4, 5), 0); /* crossed before the deadline */
	limits_stats_burst_end();
	expect(4, REPORT, 11);
	expect_none();
	(void)sleep(1);
	while (found != (1u << 0 | 1u << 5)) {
		limits_stats_burst_end();
		if (limits_stats_session_crossed_next(&crossing) != 0)
			continue;
		CHECK((found & 1u << crossing.at) == 0, "%" PRIu32 " twice", crossing.at);
		found |= 1u << crossing.at;
		EQUAL(crossing.count, 7 + crossing.at);
		CHECK(crossing.expired, "not crossed");
	}
	EQUAL(session_at(0).report_state, CTR_LIMIT_REPORTED);
	expect_none();
	limits_stats_update_packet(0, 4, 0);
	EQUAL(limits_stats_session_report_set(0, 6), 0);
	EQUAL(session_at(0).report_remaining, 2);
	limits_stats_update_packet(0, 2, 0);
	limits_stats_burst_end();
	expect(0, REPORT, 13);
	limits_stats_fini();
}

/* After a grant a limit is near again only when an update finds so. */
CASE(topped_up)
{
	const uint64_t many = UINT64_C(1) << 40;

	EQUAL(ctr_thread_register(), 0);
	EQUAL(limits_stats_session_quota_set(0, 3000), 0);
	use_up(0, 3000);
	expect(0, QUOTA, 3000);
	limits_stats_update_packet(1, 1500, 0); /* before its first grant */
	EQUAL(limits_stats_session_report_set(2, 100), 0);
	limits_stats_update_packet(2, 60, 0);
	for (uint32_t s = 0; s < 2; s++) {
		EQUAL(limits_stats_session_quota_set(s, many), 0);
		EQUAL(session_at(s).quota_state, CTR_LIMIT_OPEN);
	}
	for (unsigned int i = 0; i < 3; i++) { /* the last two with a share lent, and a recall */
		EQUAL(limits_stats_session_report_set(2, many), 0);
		EQUAL(session_at(2).report_state, CTR_LIMIT_OPEN);
		if (i == 1)
			limits_stats_burst_end();
		EQUAL(session_at(2).report_state, CTR_LIMIT_OPEN);
		limits_stats_update_packet(2, 1, 0);
		EQUAL(session_at(2).report_state, CTR_LIMIT_OPEN);
	}
	pass(0, 1500);
	EQUAL(session_at(0).quota_state, CTR_LIMIT_OPEN);
	EQUAL(limits_stats_session_quota_set(3, 100), 0);
	limits_stats_update_packet(3, 200, 0);
	EQUAL(limits_stats_session_quota_set(3, 50), 0);
	EQUAL(session_at(3).quota_state, CTR_LIMIT_NEAR); /* nothing remains */
	ctr_thread_unregister();
}

/* One update under two quotas: what one refuses is not taken from the other. */
CASE(two_quotas)
{
	struct limits_stats_global all;

	EQUAL(limits_stats_global_all_set(3), 0);
	EQUAL(limits_stats_session_quota_set(0, 10), 0);
	CHECK(limits_stats_update_both_try(0, 6), "first");
	CHECK(!limits_stats_update_both_try(0, 6), "second");
	CHECK(limits_stats_update_both_try(0, 4), "third");
	limits_stats_flush();
	limits_stats_poll();
	EQUAL(limits_stats_global_read(&all), 0);
	EQUAL(all.all_remaining, 1);
	EQUAL(all.pkts, 2);
	EQUAL(session_at(0).quota_refused, 1);
	EQUAL(session_at(0).up, 10);
}

CASE(bulk_and_batch)
{
	const uint32_t at[] = { 0, 1, 0, 1, 1 };
	const uint64_t up[] = { 5, 5, 5, 5, 1 }, down[] = { 0, 1, 2, 3, 0 };
	bool ok[5];
	struct limits_stats_batch batch;

	EQUAL(limits_stats_session_quota_set(0, 12), 0);
	EQUAL(limits_stats_session_quota_set(1, 8), 0);
	EQUAL(limits_stats_update_packet_try_bulk(at, up, down, 5, ok), 4);
	CHECK(ok[0] && ok[1] && ok[2] && !ok[3] && ok[4], "which ones");
	EQUAL(session_at(0).quota_remaining, 0);
	EQUAL(session_at(1).quota_remaining, 1);
	limits_stats_batch_begin(&batch);
	CHECK(limits_stats_batch_packet_try(&batch, 1, 1, 0), "the last");
	CHECK(!limits_stats_batch_packet_try(&batch, 1, 1, 0), "nothing is left");
	limits_stats_batch_packet(&batch, 1, 7, 0);
	limits_stats_batch_end(&batch);
	EQUAL(session_at(1).up + session_at(1).down, 6 + 1 + 1 + 7);
	EQUAL(session_at(1).quota_refused, 2);
	limits_stats_update_packet_bulk(at, up, down, 5);
	EQUAL(session_at(0).up + session_at(0).down, 12 + 12);
	EQUAL(limits_stats_session_quota_set(0, 13), 0);
	EQUAL(session_at(0).quota_remaining, 1);
}

static uint64_t
flow_left(uint32_t flow)
{
	limits_stats_flush();
	return limits_stats_flow_get_quota_remaining(flow);
}

/* All instances of a list admit an update, or none of them counts it; where one is in it twice, it
 * counts twice. */
CASE(lists)
{
	const uint32_t at[] = { 0, 1, 2, 1, 3 }, none[] = { 0, 9 };
	const uint32_t *const lists[] = { at, at + 2, at };
	const uint32_t sessions[] = { 0, 0, 0 }, nums[] = { 1, 1, 2 }, sizes[] = { 7, 8, 1 };
	struct limits_stats_batch batch;
	struct ctr_crossing crossing;
	bool ok[3];
	uint32_t i;

	EQUAL(limits_stats_session_quota_set(0, 1000), 0);
	for (i = 0; i < 4; i++) {
		EQUAL(limits_stats_flow_create(i), 0);
		EQUAL(limits_stats_flow_quota_set(i, 100), 0);
	}
	EQUAL(limits_stats_flow_report_set(1, 120), 0);
	CHECK(limits_stats_update_rules_try(0, at, 0, 1), "none");
	CHECK(limits_stats_update_rules_try(0, at, 4, 50), "all of what 1 has, twice 50");
	CHECK(!limits_stats_update_rules_try(0, at + 1, 3, 1), "the first refuses");
	CHECK(!limits_stats_update_rules_try(0, at, 4, 1), "the second refuses");
	CHECK(limits_stats_update_rules_try(0, at + 4, 1, 100), "the last");
	CHECK(!limits_stats_update_rules_try(0, at, 5, 0), "too many");
	CHECK(!limits_stats_update_rules_try(0, none, 2, 1), "no such flow");
	EQUAL(limits_stats_drops(), 1);
	EQUAL(limits_stats_late(), 1);
	EQUAL(limits_stats_flow_quota_set(1, 31), 0);
	CHECK(!limits_stats_update_rules_try(0, at + 1, 3, 16), "twice is too much");
	EQUAL(flow_left(0), 50);
	EQUAL(flow_left(1), 31);
	EQUAL(flow_left(2), 50);
	EQUAL(flow_left(3), 0);
	EQUAL(limits_stats_flow_get_quota_refused(1), 3);
	EQUAL(session_at(0).quota_remaining, 1000 - 1 - 50 - 100);
	CHECK(limits_stats_update_rules_try(0, at + 1, 3, 15), "once each");
	EQUAL(limits_stats_update_rules_try_bulk(sessions, lists, nums, sizes, 3, ok), 3);
	limits_stats_burst_end();
	EQUAL(limits_stats_flow_crossed_next(&crossing), 0);
	EQUAL(crossing.at, 1);
	EQUAL(limits_stats_flow_get_quota_remaining(1), 0);
	limits_stats_update_rules(0, at, 4, 1); /* counts where nothing remains */
	limits_stats_batch_begin(&batch);
	CHECK(!limits_stats_batch_rules_try(&batch, 0, at, 2, 1), "1 has nothing");
	CHECK(limits_stats_batch_rules_try(&batch, 0, at, 1, 1), "0 has");
	limits_stats_batch_end(&batch);
	EQUAL(flow_left(0), 100 - 50 - 7 - 1 - 1 - 1);
	EQUAL(flow_left(2), 100 - 50 - 15 - 8 - 1);
	limits_stats_poll();
	EQUAL(limits_stats_flow_get_bytes(1), 100 + 30 + 1 + 2);
}

/* Named instances: each has its own amounts; the one that refuses counts that. */
CASE(names)
{
	EQUAL(limits_stats_session_quota_set(0, 10), 0);
	EQUAL(limits_stats_session_quota_set(1, 4), 0);
	CHECK(limits_stats_update_across_try(0, 1, 4), "both");
	CHECK(!limits_stats_update_across_try(0, 1, 1), "the target refuses");
	CHECK(limits_stats_update_across_try(0, 0, 3), "with itself, twice 3");
	CHECK(!limits_stats_update_across_try(0, 1, 1), "the source refuses");
	EQUAL(session_at(0).up, 7);
	EQUAL(session_at(0).down, 3);
	EQUAL(session_at(0).quota_remaining, 0);
	EQUAL(session_at(0).quota_refused, 1);
	EQUAL(session_at(1).quota_refused, 1);
	EQUAL(session_at(1).quota_remaining, 0);
}

/* ---- restart ---- */

#define RESTARTED 8u

/* Sessions in each state that a limit has. */
static void
make_states(void)
{
	EQUAL(limits_stats_session_quota_set(1, 100), 0);
	pass(1, 97);
	refuse(1, 4);
	expect(1, QUOTA, 97); /* reported; 3 remain */
	EQUAL(limits_stats_session_quota_set(2, 100), 0);
	pass(2, 100); /* used up, nothing refused */
	EQUAL(limits_stats_session_report_set(3, 100), 0);
	limits_stats_update_packet(3, 103, 0);
	limits_stats_burst_end();
	expect(3, REPORT, 103);
	limits_stats_update_packet(3, 5, 0); /* reported, not set again */
	EQUAL(limits_stats_session_report_set(4, 100), 0);
	limits_stats_update_packet(4, 110, 0);
	limits_stats_burst_end();
	expect(4, REPORT, 110);
	EQUAL(limits_stats_session_report_set(4, 50), 0);
	limits_stats_update_packet(4, 20, 0); /* on the way */
	limits_stats_update_packet(5, 9, 0);  /* never set */
	EQUAL(limits_stats_session_quota_set(6, 10), 0);
	pass(6, 10);
	refuse(6, 1);
	EQUAL(limits_stats_session_report_set(7, 30), 0);
	limits_stats_update_packet(7, 32, 0);
	limits_stats_update_packet(7, 8, 0); /* 6 and 7: not reported */
	EQUAL(limits_stats_session_quota_set(0, UINT64_C(1) << 40), 0);
	pass(0, 1); /* from a share */
	limits_stats_flush();
	EQUAL(session_at(0).quota_state, CTR_LIMIT_OPEN);
	EQUAL(session_at(1).quota_state, CTR_LIMIT_REPORTED);
	EQUAL(session_at(1).quota_remaining, 3);
	EQUAL(session_at(2).quota_state, CTR_LIMIT_NEAR);
	EQUAL(session_at(3).report_state, CTR_LIMIT_REPORTED);
	EQUAL(session_at(3).report_since, 5);
	EQUAL(session_at(4).report_since, 20);
	EQUAL(session_at(5).report_state, CTR_LIMIT_IDLE);
	EQUAL(session_at(5).report_since, 9);
	EQUAL(session_at(6).quota_state, CTR_LIMIT_REACHED);
	EQUAL(session_at(7).report_state, CTR_LIMIT_REACHED);
	EQUAL(session_at(7).report_since, 8);
}

/* A process that goes on with the values of another one: no crossing is lost, none reported again;
 * counts of crossings go on. */
CASE(restart)
{
	const struct ctr_scope *scope = ctr_scope_find(&limits_stats_module, "session");
	struct limits_stats_session before[RESTARTED], now;
	uint32_t i, round;

	make_states();
	for (round = 0; round < 2; round++) {
		for (i = 0; i < RESTARTED; i++)
			before[i] = session_at(i);
		limits_stats_fini();
		start();
		for (i = 0; i < RESTARTED; i++)
			EQUAL(scope->adopt(&i, &before[i]), 0);
		for (i = 0; i < RESTARTED; i++) {
			now = session_at(i);
			EQUAL(now.up, before[i].up);
			EQUAL(now.quota_remaining, before[i].quota_remaining);
			EQUAL(now.quota_refused, before[i].quota_refused);
			EQUAL(now.quota_state, before[i].quota_state);
			EQUAL(now.report_remaining, before[i].report_remaining);
			EQUAL(now.report_since, before[i].report_since);
			EQUAL(now.report_state, before[i].report_state);
		}
	}
	expect(6, QUOTA, 10);
	expect(7, REPORT, 40 - 8);
	expect_none();
	refuse(1, 4); /* was reported */
	expect_none();
	pass(1, 3);
	refuse(2, 1);
	expect(2, QUOTA, 100);
	EQUAL(limits_stats_session_report_set(3, 100), 0); /* 5 of these are counted */
	EQUAL(limits_stats_session_report_set(5, 10), 0);
	EQUAL(limits_stats_session_report_set(7, 10), 0);
	limits_stats_update_packet(3, 94, 0);
	limits_stats_update_packet(4, 29, 0);
	expect_none();
	for (i = 3; i <= 7; i++)
		limits_stats_update_packet(i, 2, 0);
	expect(3, REPORT, 103 + 5 + 94 + 2);
	expect(4, REPORT, 110 + 20 + 29 + 2);
	expect(5, REPORT, 9 + 2);
	expect(7, REPORT, 40 + 2);
	expect_none();
	EQUAL(session_at(0).quota_remaining, (UINT64_C(1) << 40) - 1);
}

/* destroy() returns what limits were: also that a crossing was not reported. */
CASE(last_state)
{
	struct limits_stats_flow last;

	EQUAL(limits_stats_flow_create(3), 0);
	EQUAL(limits_stats_flow_quota_set(3, 100), 0);
	EQUAL(limits_stats_flow_report_set(3, 50), 0);
	CHECK(limits_stats_update_flow_try(3, 60), "the first");
	CHECK(!limits_stats_update_flow_try(3, 60), "the second");
	CHECK(limits_stats_update_flow_try(3, 7), "the third");
	EQUAL(limits_stats_flow_destroy(3, &last), 0);
	EQUAL(last.quota_state, CTR_LIMIT_REACHED);
	EQUAL(last.report_state, CTR_LIMIT_REACHED);
	EQUAL(last.report_since, 7);
	EQUAL(last.quota_remaining, 33);
	EQUAL(limits_stats_flow_create(3), 0);
	EQUAL(limits_stats_flow_destroy(3, &last), 0);
	EQUAL(last.quota_state, CTR_LIMIT_IDLE);
	EQUAL(last.report_state, CTR_LIMIT_IDLE);
}

/* ---- several threads ---- */

/* Counts of the threads are by session; behind the first sessions are flows, and ports. */
#define FLOWS FEW
#define PORTS (2 * FEW)
#define OF_RULES (3 * FEW) /* the session whose quota never stops an update of rules */

/* Update a list of flows, each of which has to admit it. */
static void
try_rules(struct worker *me)
{
	const uint32_t size = draw(me) % 1500, num = draw(me) % 5;
	uint32_t at[4], k;
	bool passes;

	for (k = 0; k < num; k++)
		at[k] = draw(me) % FEW;
	passes = limits_stats_update_rules_try(OF_RULES, at, num, size);
	for (k = 0; passes && k < num; k++)
		passed[me->number][FLOWS + at[k]] += size;
	refused[me->number][FLOWS] += !passes;
}

static void
try_all(struct worker *me)
{
	uint64_t *passes = passed[me->number], *refusals = refused[me->number], i;
	const uint64_t updates = option("UPDATES", 200000);

	for (i = 0; i < updates; i++) {
		const uint32_t at = draw(me) % FEW;
		const uint64_t up = draw(me) % 1500, down = draw(me) % 3;

		if (i % 4 == 0)
			try_rules(me);
		else if (i % 4 == 1 && limits_stats_update_port_try(at, (uint32_t)up))
			passes[PORTS + at] += up;
		else if (i % 4 == 1)
			refusals[PORTS + at]++;
		else if (limits_stats_update_packet_try(at, up, down))
			passes[at] += up + down;
		else
			refusals[at]++;
		if (i % 16 == 15)
			limits_stats_burst_end();
	}
	limits_stats_flush();
}

/* Grant a session more, and take some of that back; never is more counted than was granted. */
static void
grant_session(uint32_t s, uint64_t more, uint64_t *granted)
{
	uint64_t taken, count;
	int rc;

	EQUAL(limits_stats_session_quota_set(s, more), 0);
	*granted += more;
	rc = limits_stats_session_quota_withdraw(s, more / 3, &taken);
	CHECK(rc == 0 || rc == -EINPROGRESS, "withdraw: %d", rc);
	*granted -= taken;
	count = session_at(s).up + session_at(s).down;
	CHECK(count <= *granted + taken, "%" PRIu64 " of %" PRIu64, count, *granted);
}

/* All that was granted is used or remains; lcores that have left hold nothing. */
static void
check_granted(uint32_t at, uint64_t of_session, uint64_t of_flow)
{
	const struct limits_stats_session now = session_at(at);

	EQUAL(now.up + now.down, total(passed, at));
	EQUAL(now.quota_refused, total(refused, at));
	EQUAL(now.quota_remaining, of_session - total(passed, at));
	use_up(at, now.quota_remaining);
	EQUAL(limits_stats_flow_get_bytes(at), total(passed, FLOWS + at));
	EQUAL(flow_left(at), of_flow - total(passed, FLOWS + at));
	EQUAL(limits_stats_port_get_quota_refused(at), total(refused, PORTS + at));
	for (; limits_stats_update_port_try(at, 1); passed[0][PORTS + at]++)
		;
	EQUAL(total(passed, PORTS + at), UINT64_C(7) << 7 * at);
	EQUAL(limits_stats_port_get_pkts(at), UINT64_C(7) << 7 * at);
	EQUAL(limits_stats_port_get_quota_remaining(at), 0);
}

/* Grants while traffic flows, some of them taken back; no octet too many, and none is lost: of
 * quotas of sessions, of lists of flows, and of ports, where a quota alone decides. */
CASE(stops)
{
	uint64_t of_session[FEW] = { 0 }, of_flow[FEW] = { 0 }, refusals = 0;
	unsigned int n, round;
	uint32_t at;

	EQUAL(limits_stats_session_quota_set(OF_RULES, UINT64_C(1) << 50), 0);
	for (at = 0; at < FEW; at++) {
		EQUAL(limits_stats_flow_create(at), 0);
		EQUAL(limits_stats_port_quota_set(at, UINT64_C(7) << 7 * at), 0);
	}
	n = run_workers(try_all, true);
	for (round = 0; round < 300; round++) {
		for (at = 0; at < FEW; at++) {
			const uint64_t more = UINT64_C(1) << (round + at) % 20;

			grant_session(at, UINT64_C(1) << (round + at) % 26, &of_session[at]);
			EQUAL(limits_stats_flow_quota_set(at, more), 0);
			of_flow[at] += more;
			CHECK(limits_stats_flow_get_bytes(at) <= of_flow[at], "flow %" PRIu32, at);
		}
		ctr_pause();
	}
	workers_join(workers, n);
	limits_stats_poll();
	for (at = 0; at < FEW; at++) {
		check_granted(at, of_session[at], of_flow[at]);
		refusals += limits_stats_flow_get_quota_refused(at);
	}
	EQUAL(refusals, total(refused, FLOWS));
}

#ifndef CTR_PORT_DPDK
/* Take from a quota, and count towards thresholds that are crossed again and again. */
static void
try_and_count(struct worker *me)
{
	uint64_t i;

	for (i = 0; !is_set(&stop); i++) {
		const uint32_t session = draw(me) % FEW;

		if (!limits_stats_update_packet_try(session, draw(me) % 1500, 1))
			limits_stats_update_packet(FEW + session, 1 + draw(me) % 64, 0);
		if (i % 16 == 15)
			limits_stats_burst_end();
	}
	limits_stats_flush();
}

/* In a child: no more than was granted, no less but what lcores were taking; crossings arrive. */
static void
use_what_is_left(const uint64_t *granted, unsigned int n)
{
	struct ctr_crossing crossing;
	uint64_t left, used;
	uint32_t s;

	(void)alarm((unsigned int)option("SECONDS", 60));
	EQUAL(ctr_thread_register(), 0);
	for (s = 0; s < FEW; s++) {
		used = session_at(s).up + session_at(s).down;
		left = session_at(s).quota_remaining;
		CHECK(left + used <= granted[s], "%" PRIu64 " + %" PRIu64 " of %" PRIu64, left,
		      used, granted[s]);
		CHECK(granted[s] - left - used <= n * (CTR_LIMIT_SHARE + 1500u), "lost %" PRIu64,
		      granted[s] - left - used);
		use_up(s, left);
	}
	while (limits_stats_session_crossed_next(&crossing) == 0)
		if (crossing.limit == LIMITS_STATS_SESSION_LIMIT_REPORT)
			EQUAL(limits_stats_session_report_set(crossing.at, 50), 0);
	for (s = FEW; s < 2 * FEW; s++) {
		CHECK((int)session_at(s).report_state != CTR_LIMIT_REACHED, "a report is missing");
		limits_stats_update_packet(s, UINT64_C(1) << 23, 0);
		limits_stats_burst_end();
		do
			EQUAL(limits_stats_session_crossed_next(&crossing), 0);
		while (crossing.at != s);
	}
	_exit(0);
}

static struct ctr_limit_account *
report_account(uint32_t session)
{
	return limit_account(&limits_stats_session_report_limit, session);
}

/* Another thread has begun a recall of session 0, and has crossed session 1: it does not go on. */
CASE(forks_in_between)
{
	struct ctr_crossing crossing;
	pid_t child;
	uint32_t s;

	EQUAL(ctr_thread_register(), 0);
	for (s = 0; s < 3; s++) {
		EQUAL(limits_stats_session_report_set(s, UINT64_C(1) << 40), 0);
		limits_stats_update_packet(s, s, 0);
	}
	limits_stats_flush();
	report_account(0)->word |= LIMIT_LENT | LIMIT_NEAR | LIMIT_RECALL;
	report_account(0)->pending = 2;
	report_account(1)->word = LIMIT_REPORT;
	EQUAL(limits_stats_session_report_set(3, UINT64_C(1) << 40), 0);
	EQUAL(limits_stats_session_report_deadline(3, 1), 0);
	child = fork_off();
	if (child == 0) {
		EQUAL(limits_stats_session_crossed_next(&crossing), 0);
		EQUAL(crossing.at, 1);
		for (s = 0; s < 3; s++) {
			EQUAL(limits_stats_session_report_set(s, 100), 0);
			limits_stats_update_packet(s, 200, 0);
			limits_stats_burst_end();
			EQUAL(limits_stats_session_crossed_next(&crossing), 0);
			EQUAL(crossing.at, s);
		}
		(void)sleep(2);
		EQUAL(limits_stats_session_crossed_next(&crossing), 0);
		CHECK(crossing.at == 3 && crossing.expired, "the deadline of 3");
		_exit(0);
	}
	ended_well(child);
}

/* A child of fork() has what remained, whatever lcores were about. */
CASE(forks)
{
	const uint64_t forks = option("FORKS", 20);
	uint64_t granted[FEW] = { 0 }, round;
	struct ctr_crossing crossing;
	unsigned int n;
	uint32_t s;

	for (s = FEW; s < 2 * FEW; s++)
		EQUAL(limits_stats_session_report_set(s, 1), 0);
	n = run_workers(try_and_count, true);
	for (round = 0; round < forks; round++) {
		pid_t child;

		for (s = 0; s < FEW; s++) {
			const uint64_t more = UINT64_C(1) << (round + s) % 26;

			EQUAL(limits_stats_session_quota_set(s, more), 0);
			granted[s] += more;
		}
		if (round % 2 == 0)
			while (limits_stats_session_crossed_next(&crossing) == 0)
				if (crossing.limit == LIMITS_STATS_SESSION_LIMIT_REPORT)
					EQUAL(limits_stats_session_report_set(crossing.at, 99), 0);
		child = fork_off();
		if (child == 0)
			use_what_is_left(granted, n);
		ended_well(child);
	}
	set_flag(&stop, 1);
	workers_join(workers, n);
}
#endif

static void
hold(struct worker *me)
{
	CHECK(limits_stats_update_packet_try(0, 1, 0), "worker %u", me->number);
	while (!is_set(&stop))
		limits_stats_burst_end();
	limits_stats_flush();
}

/* Shares that others hold come back within one burst of each, so that all of a grant can be used. */
CASE(comes_back)
{
	unsigned int n, i;
	uint64_t used;

	EQUAL(limits_stats_session_quota_set(0, UINT64_C(1) << 24), 0);
	n = run_workers(hold, false);
	while ((used = session_at(0).up) != n)
		ctr_pause();
	used = (UINT64_C(1) << 24) - n;
	for (i = 0; !limits_stats_update_packet_try(0, used, 0); i++)
		CHECK(i < 100000000, "%" PRIu64 " remain", session_at(0).quota_remaining);
	refuse(0, 1);
	set_flag(&stop, 1);
	workers_join(workers, n);
	EQUAL(session_at(0).up, UINT64_C(1) << 24);
}

/* What was last reported of a session, and its threshold: of the thread that has the report. */
static uint64_t last_count[SESSIONS], last_step[SESSIONS], crossed;
static bool own; /* lcores read reports themselves */

/* Read reports, and set each threshold again. */
static void
take_reports(struct worker *me)
{
	struct ctr_crossing crossing;

	while (limits_stats_session_crossed_next(&crossing) == 0) {
		const uint32_t s = crossing.at;

		CHECK(crossing.count >= last_count[s] + last_step[s], "%" PRIu64 " after %" PRIu64,
		      crossing.count, last_count[s]);
		last_count[s] = crossing.count;
		if (own)
			last_step[s] = 1 + draw(me) % 128;
		else
			last_step[s] = 1 + (UINT64_C(1) << draw(me) % 12) +
				       (draw(me) % 512 == 0 ? 1u << 22 : 0);
		EQUAL(limits_stats_session_report_set(s, last_step[s]), 0);
		__atomic_fetch_add(&crossed, 1, __ATOMIC_RELAXED);
	}
}

static bool
crossed_enough(void)
{
	return __atomic_load_n(&crossed, __ATOMIC_RELAXED) >= option("CROSSINGS", 20000);
}

static void
count_all(struct worker *me)
{
	uint64_t i;

	for (i = 0; i % 64 != 0 || !crossed_enough(); i++) {
		const uint32_t session = draw(me) % SESSIONS;
		const uint64_t up = draw(me) % 64;

		limits_stats_update_packet(session, up, 0);
		passed[me->number][session] += up;
		if (i % 8 != 7)
			continue;
		limits_stats_burst_end();
		if (own)
			take_reports(me);
	}
	limits_stats_flush();
}

/* Each crossing is reported once, at or behind the threshold, and none is missing at the end. */
static void
report_crossings(void)
{
	struct worker control = { .random = 1 };
	struct ctr_crossing crossing;
	unsigned int n;
	uint32_t s;

	for (s = 0; s < SESSIONS; s++) {
		last_step[s] = 1;
		EQUAL(limits_stats_session_report_set(s, 1), 0);
	}
	n = run_workers(count_all, !own);
	while (!own && !crossed_enough())
		take_reports(&control);
	workers_join(workers, n);
	while (limits_stats_session_crossed_next(&crossing) == 0) {
		s = crossing.at;
		CHECK(crossing.count >= last_count[s] + last_step[s], "at the end");
		last_count[s] = crossing.count;
		last_step[s] = UINT64_MAX; /* not set again */
	}
	for (s = 0; s < SESSIONS; s++) {
		const uint64_t counted = total(passed, s), since = counted - last_count[s];
		const struct limits_stats_session now = session_at(s);

		EQUAL(now.up + now.down, counted);
		CHECK(counted >= last_count[s], "session %" PRIu32, s);
		if (last_step[s] == UINT64_MAX)
			continue;
		CHECK(since < last_step[s], "a crossing is missing: %" PRIu64 " of %" PRIu64, since,
		      last_step[s]);
		EQUAL(now.report_remaining, last_step[s] - since);
	}
}

CASE(reports)
{
	report_crossings();
}

/* The same where lcores report and set themselves: many crossings in a short time. */
CASE(own_reports)
{
	own = true;
	report_crossings();
}

/* ---- lives ---- */

static uint32_t published; /* index + 1 of the flow that workers find */

static void
use_flows(struct worker *me)
{
	uint64_t i;

	for (i = 0; !is_set(&stop); i++) {
		const uint32_t flow = __atomic_load_n(&published, __ATOMIC_ACQUIRE);

		if (flow != 0)
			(void)limits_stats_update_flow_try(flow - 1, draw(me) % 1500);
		if (i % 4 == 3)
			limits_stats_burst_end();
	}
	limits_stats_flush();
}

/* The end of a life returns the rest exactly, shares of lcores included; the next one has nothing. */
CASE(lives)
{
	const uint64_t rounds = option("LIVES", 500);
	struct limits_stats_flow last;
	struct ctr_crossing crossing;
	unsigned int n, wait;
	uint64_t round;
	uint32_t flow;
	int rc;

	n = run_workers(use_flows, false);
	for (round = 0; round < rounds; round++) {
		const uint64_t grant = UINT64_C(1) << round % 24;

		EQUAL(limits_stats_flow_alloc(&flow), 0);
		CHECK(!limits_stats_update_flow_try(flow, 1), "a new flow has no grant");
		EQUAL(limits_stats_flow_quota_set(flow, grant), 0);
		EQUAL(limits_stats_flow_report_set(flow, grant / 2 + 1), 0);
		__atomic_store_n(&published, flow + 1, __ATOMIC_RELEASE);
		for (wait = 0; wait < round % 64 * 100; wait++)
			ctr_pause();
		/* Some crossings are read, others end with the flow. */
		if (round % 3 == 0 && limits_stats_flow_crossed_next(&crossing) == 0)
			EQUAL(crossing.at, flow);
		__atomic_store_n(&published, 0, __ATOMIC_RELEASE);
		while ((rc = limits_stats_flow_destroy(flow, &last)) == -EINPROGRESS)
			limits_stats_burst_end();
		EQUAL(rc, 0);
		EQUAL(last.bytes + last.quota_remaining, grant);
		while (limits_stats_flow_crossed_next(&crossing) == 0)
			CHECK(false, "a flow that has ended");
	}
	set_flag(&stop, 1);
	workers_join(workers, n);
}

static uint32_t asleep;

static void
sleep_with_a_share(struct worker *me)
{
	(void)me;
	limits_stats_update_flow(0, 1);
	limits_stats_try_flush(); /* of the update: the share stays */
	limits_stats_burst_end();
	ctr_quiescent_offline();
	set_flag(&asleep, 1);
	await(&stop);
	limits_stats_burst_end();
}

/* Memory of a flow that has ended stays until lcores have returned its shares, which reports no
 * crossing. */
TEST(trims)
{
	struct limits_stats_flow last;
	struct ctr_crossing crossing;

	start();
	set_flag(&asleep, 0);
	EQUAL(limits_stats_flow_create(0), 0);
	EQUAL(limits_stats_flow_report_set(0, 4000), 0);
	worker_start(&workers[0], sleep_with_a_share, true);
	workers_go();
	await(&asleep);
	limits_stats_update_flow(0, 5000);
	EQUAL(limits_stats_flow_destroy(0, &last), 0);
	EQUAL(last.bytes, 5001);
	EQUAL(limits_stats_flow_trim(), -EINPROGRESS);
	set_flag(&stop, 1);
	workers_join(workers, 1);
	EQUAL(limits_stats_flow_crossed_next(&crossing), -ENOENT);
	EQUAL(limits_stats_flow_trim(), 0);
	limits_stats_fini();
}

static void
report_once(struct worker *me)
{
	(void)me;
	limits_stats_burst_end();
	ctr_quiescent_offline();
}

/* An lcore that answered a recall may queue the crossing after the end: memory stays until it has. */
TEST(trims_reports)
{
	const struct ctr_limit *limit = &limits_stats_flow_report_limit;
	struct ctr_limit_account *account;
	struct limit_step step;
	uint64_t word;

	start();
	worker_start(&workers[0], report_once, true);
	workers_go();
	workers_join(workers, 1);
	EQUAL(limits_stats_flow_create(0), 0);
	EQUAL(limits_stats_flow_report_set(0, 4000), 0);
	account = limit_account(limit, 0);
	word = account->word;
	limit_begin(&step, 0);
	step.flags = LIMIT_REPORT;
	step.crosses = true;
	CHECK(limit_change(account, &word, &step), "the lcore decides");
	while (limits_stats_flow_destroy(0, NULL) == -EINPROGRESS)
		limits_stats_burst_end();
	limits_stats_burst_end();
	EQUAL(limits_stats_flow_trim(), -EINPROGRESS);
	ctr_core_limit_follow(limit, 0, account, &step);
	limits_stats_burst_end();
	EQUAL(limits_stats_flow_trim(), 0);
	EQUAL(limits_stats_flow_crossed_next(&(struct ctr_crossing){ 0 }), -ENOENT);
	limits_stats_fini();
}
