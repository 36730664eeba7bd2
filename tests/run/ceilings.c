/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * A gauge with a limit never exceeds it, whatever lcores do; what is lowered can be raised again.
 *
 * Options: UPDATES of each worker; WORKERS.
 */
#include <unistd.h>

#include "ceil_stats.h"
#include "harness.h"

#define CASE(name) TEST_BETWEEN(name, EQUAL(ceil_stats_init(), 0), ceil_stats_fini())

#define MOST_WORKERS 8
#define CEILING 5u

static struct worker workers[MOST_WORKERS];
static uint64_t refused[MOST_WORKERS];

static struct ceil_stats_tenant
tenant(uint32_t at)
{
	struct ceil_stats_tenant now;
	int rc;

	ceil_stats_flush();
	ceil_stats_poll();
	do
		rc = ceil_stats_tenant_read(at, &now);
	while (rc == -EAGAIN);
	EQUAL(rc, 0);
	return now;
}

static void
expect(uint32_t at, uint64_t sessions, uint64_t left, uint64_t refusals, enum ctr_limit_state state)
{
	const struct ceil_stats_tenant now = tenant(at);

	EQUAL(now.sessions, sessions);
	EQUAL(now.seats_remaining, left);
	EQUAL(now.seats_refused, refusals);
	EQUAL(now.seats_state, state);
}

/* Ceilings from 0 to the largest: reached to the unit, not exceeded; closing gives back. */
TEST(amounts)
{
	static const uint64_t ceilings[] = { 0, 1, UINT16_MAX, UINT64_C(1) << 31, UINT32_MAX,
					     UINT64_C(1) << 57, INT64_MAX - 1, INT64_MAX };
	struct ctr_crossing crossing;
	size_t i;

	EQUAL(ceil_stats_tenant_seats_set(0, 1), -ENODEV);
	CHECK(!ceil_stats_update_kind_try(0), "before the start");
	ceil_stats_update_kind(0);
	EQUAL(ceil_stats_late(), 2);
	for (i = 0; i < sizeof(ceilings) / sizeof(*ceilings); i++) {
		const uint64_t n = ceilings[i];

		EQUAL(ceil_stats_init(), 0);
		CHECK(!ceil_stats_update_open_try(1, 1), "no ceiling");
		expect(1, 0, 0, 1, CTR_LIMIT_IDLE);
		EQUAL(ceil_stats_tenant_crossed_next(&crossing), -ENOENT);
		EQUAL(ceil_stats_tenant_seats_set(1, n), 0);
		expect(1, 0, n, 1, n == 0 ? CTR_LIMIT_NEAR : CTR_LIMIT_OPEN);
		if (n != INT64_MAX)
			CHECK(!ceil_stats_update_open_try(1, n + 1), "one too many");
		else
			ceil_stats_update_close(1, 1); /* of nothing: it is -1 */
		if (n == INT64_MAX)
			CHECK(ceil_stats_update_open_try(1, 1), "from -1");
		CHECK(ceil_stats_update_open_try(1, n), "all of %" PRIu64, n);
		CHECK(ceil_stats_update_open_try(1, 0), "none");
		CHECK(!ceil_stats_update_open_try(1, 1), "one too many");
		CHECK(!ceil_stats_update_open_try(1, INT64_MAX), "a sum that wraps");
		expect(1, n, 0, n != INT64_MAX ? 4 : 3, CTR_LIMIT_REACHED);
		EQUAL(ceil_stats_tenant_crossed_next(&crossing), 0);
		EQUAL(crossing.at, 1);
		EQUAL(crossing.limit, CEIL_STATS_TENANT_LIMIT_SEATS);
		EQUAL(crossing.count, n != INT64_MAX ? 0 : n);
		CHECK(!crossing.expired, "no deadline");
		EQUAL(ceil_stats_tenant_crossed_next(&crossing), -ENOENT);
		CHECK(!ceil_stats_update_open_try(1, 1), "not reported again");
		EQUAL(ceil_stats_tenant_crossed_next(&crossing), -ENOENT);
		EQUAL(tenant(1).seats_state, CTR_LIMIT_REPORTED);
		ceil_stats_update_close(1, n);
		CHECK(ceil_stats_update_open_try(1, n), "again");
		EQUAL(tenant(1).most, n);
		EQUAL(tenant(1).least, 0);
		ceil_stats_fini();
	}
}

/* What always counts exceeds a ceiling; an amount that is negative lowers, and is not refused. */
CASE(above)
{
	struct ctr_crossing crossing;

	EQUAL(ceil_stats_tenant_seats_set(0, 3), 0);
	ceil_stats_update_open(0, 7);
	expect(0, 7, 0, 0, CTR_LIMIT_NEAR);
	CHECK(!ceil_stats_update_open_try(0, 1), "above");
	CHECK(ceil_stats_update_open_try(0, (uint64_t)-5), "lower");
	expect(0, 2, 1, 1, CTR_LIMIT_REACHED);
	CHECK(ceil_stats_update_open_try(0, 1), "the last");
	ceil_stats_tenant_sub_sessions(0, 2);
	CHECK(ceil_stats_update_open_try(0, 2), "two");
	EQUAL(ceil_stats_tenant_seats_set(0, 1), 0); /* a crossing is not read: not set again */
	EQUAL(ceil_stats_tenant_crossed_next(&crossing), 0);
	EQUAL(crossing.count, 7);
	ceil_stats_tenant_set_sessions(0, 0);
	EQUAL(ceil_stats_tenant_seats_set(0, 1), 0);
	expect(0, 0, 1, 1, CTR_LIMIT_OPEN);
	CHECK(ceil_stats_update_open_try(0, 1), "the only one");
	CHECK(!ceil_stats_update_open_try(0, 1), "no more");
	EQUAL(ceil_stats_tenant_crossed_next(&crossing), 0);
	EQUAL(crossing.count, 1);
	EQUAL(tenant(0).most, 7);
}

CASE(arguments)
{
	uint64_t n = 0;

	EQUAL(ceil_stats_tenant_seats_set(4, 1), -ERANGE);
	EQUAL(ceil_stats_tenant_seats_set(0, UINT64_C(1) << 63), -ERANGE);
	EQUAL(ceil_stats_kind_few_set(0, UINT64_C(1) << 32), -ERANGE);
	EQUAL(ceil_stats_kind_few_set(0, UINT32_MAX), 0);
	EQUAL(ceil_stats_link_seats_set(0, 1), -ENOENT);
	EQUAL(ctr_limit_withdraw(&ceil_stats_tenant_seats_limit, 0, 1, &n), -EINVAL);
	CHECK(!ceil_stats_update_open_try(4, 1), "out of range");
	ceil_stats_update_open(4, 1);
	EQUAL(ceil_stats_drops(), 2);
}

/* A counter, a gauge and those of a list admit all of an update, or none of it changes. */
CASE(several)
{
	const uint32_t at[] = { 0, 1, 1 };
	struct ceil_stats_batch batch;
	struct ceil_stats_link last;
	bool ok[2];
	uint32_t i;

	EQUAL(ceil_stats_tenant_seats_set(0, 10), 0);
	EQUAL(ceil_stats_tenant_quota_set(0, 100), 0);
	for (i = 0; i < 2; i++) {
		EQUAL(ceil_stats_link_create(i), 0);
		EQUAL(ceil_stats_link_seats_set(i, 3), 0);
	}
	CHECK(ceil_stats_update_join_try(0, at, 3, 60), "twice on 1");
	CHECK(!ceil_stats_update_join_try(0, at, 3, 1), "1 has one seat");
	CHECK(!ceil_stats_update_join_try(0, at, 1, 41), "the quota");
	EQUAL(ceil_stats_link_get_users(0), 1);
	EQUAL(ceil_stats_link_get_users(1), 2);
	expect(0, 1, 9, 0, CTR_LIMIT_OPEN);
	EQUAL(tenant(0).most, 2); /* it was, until a link refused */
	EQUAL(tenant(0).quota_remaining, 40);
	EQUAL(ceil_stats_link_get_seats_refused(1), 1);
	ceil_stats_batch_begin(&batch);
	CHECK(ceil_stats_batch_join_try(&batch, 0, at + 1, 1, 1), "the last seat");
	CHECK(!ceil_stats_batch_join_try(&batch, 0, at + 1, 1, 1), "no seat");
	ceil_stats_batch_join(&batch, 0, at + 1, 1, 1);
	ceil_stats_batch_end(&batch);
	EQUAL(ceil_stats_link_get_users(1), 4);
	EQUAL(ceil_stats_update_open_try_bulk((const uint32_t[]){ 0, 0 }, (const uint64_t[]){ 7, 1 },
					      2, ok), 1);
	CHECK(ok[0] && !ok[1], "which one");
	ceil_stats_update_leave(0, at, 3);
	EQUAL(ceil_stats_link_get_users(1), 2);
	while (ceil_stats_link_destroy(1, &last) == -EINPROGRESS)
		ceil_stats_burst_end();
	EQUAL(last.seats_remaining, 1);
	EQUAL(last.seats_state, CTR_LIMIT_REACHED);
	EQUAL(ceil_stats_link_create(1), 0);
	EQUAL(ceil_stats_link_get_users(1), 0);
	CHECK(!ceil_stats_update_join_try(0, at + 1, 1, 0), "the next one has no ceiling");
	EQUAL(ceil_stats_link_crossed_next(&(struct ctr_crossing){ 0 }), -ENOENT);
}

/* Another process goes on: with what remained, and with a crossing that was not read. */
TEST(restart)
{
	const struct ctr_scope *scope = ctr_scope_find(&ceil_stats_module, "tenant");
	const uint32_t zero = 0;
	struct ceil_stats_tenant before[4];
	struct ceil_stats_link link;
	struct ceil_stats_kind kind;
	struct ctr_crossing crossing;
	uint32_t i;

	EQUAL(ceil_stats_init(), 0);
	EQUAL(ceil_stats_kind_dozen_set(0, 12), 0);
	CHECK(ceil_stats_update_floor_try(0, 3), "far from the ceiling, and shown as 10");
	EQUAL(ceil_stats_kind_read(0, &kind), 0);
	EQUAL(kind.dozen_remaining, 2);
	for (i = 1; i < 4; i++)
		EQUAL(ceil_stats_tenant_seats_set(i, UINT64_C(1) << 60), 0);
	CHECK(ceil_stats_update_open_try(1, UINT64_C(1) << 59), "half");
	CHECK(!ceil_stats_update_open_try(2, (UINT64_C(1) << 60) + 1), "too many");
	ceil_stats_update_open(3, UINT64_C(1) << 61);
	EQUAL(ceil_stats_tenant_seats_set(0, 3), 0);
	ceil_stats_update_close(0, 2); /* of nothing: it is -2, and shown as 0 */
	EQUAL(ceil_stats_link_create(0), 0);
	EQUAL(ceil_stats_link_seats_set(0, 0), 0);
	CHECK(!ceil_stats_update_join_try(0, &zero, 1, 0), "the link admits none");
	EQUAL(ceil_stats_link_crossed_next(&crossing), 0);
	EQUAL(ceil_stats_link_read(0, &link), 0);
	EQUAL(link.seats_state, CTR_LIMIT_REPORTED);
	for (i = 0; i < 4; i++)
		before[i] = tenant(i);
	ceil_stats_fini();
	EQUAL(ceil_stats_init(), 0);
	for (i = 0; i < 4; i++)
		EQUAL(scope->adopt(&i, &before[i]), 0);
	EQUAL(ceil_stats_link_create(0), 0);
	EQUAL(ctr_scope_find(&ceil_stats_module, "link")->adopt(&zero, &link), 0);
	EQUAL(ceil_stats_link_get_seats_state(0), CTR_LIMIT_REPORTED);
	for (i = 0; i < 4; i++)
		expect(i, before[i].sessions, before[i].seats_remaining, before[i].seats_refused,
		       (enum ctr_limit_state)before[i].seats_state);
	EQUAL(ctr_scope_find(&ceil_stats_module, "kind")->adopt(&zero, &kind), 0);
	CHECK(ceil_stats_update_floor_try(0, 2), "what was shown as remaining");
	CHECK(!ceil_stats_update_floor_try(0, 1), "the ceiling stays 12");
	EQUAL(ceil_stats_tenant_crossed_next(&crossing), 0);
	EQUAL(crossing.at, 2);
	EQUAL(ceil_stats_tenant_crossed_next(&crossing), -ENOENT);
	CHECK(!ceil_stats_update_open_try(1, (UINT64_C(1) << 59) + 1), "too many");
	CHECK(ceil_stats_update_open_try(0, 3), "what the ceiling of 3 allows");
	CHECK(!ceil_stats_update_open_try(0, 1), "not more for a gauge that was negative");
	CHECK(ceil_stats_update_open_try(1, UINT64_C(1) << 59), "the other half");
	ceil_stats_fini();
}

#ifndef CTR_PORT_DPDK
/* A child of fork() has the ceilings, and the crossings that are not read. */
CASE(forks)
{
	struct ctr_crossing crossing;
	pid_t child;

	EQUAL(ceil_stats_kind_few_set(1, 1), 0);
	CHECK(ceil_stats_update_kind_try(1), "the only one");
	CHECK(!ceil_stats_update_kind_try(1), "no more");
	child = fork_off();
	if (child == 0) {
		CHECK(!ceil_stats_update_kind_try(1), "no more");
		EQUAL(ceil_stats_kind_crossed_next(&crossing), 0);
		EQUAL(crossing.at, 1);
		EQUAL(ceil_stats_kind_crossed_next(&crossing), -ENOENT);
		_exit(0);
	}
	ended_well(child);
}
#endif

/* ---- several threads ---- */

static void
open_and_close(struct worker *me)
{
	const uint64_t updates = option("UPDATES", 200000);
	uint64_t i, held = 0;

	for (i = 0; i < updates; i++) {
		const uint64_t n = 1 + draw(me) % 3;

		if (held != 0 && draw(me) % 2 == 0) {
			ceil_stats_update_close(0, held);
			held = 0;
		} else if (ceil_stats_update_open_try(0, n)) {
			held += n;
		} else {
			refused[me->number]++;
		}
		CHECK(ceil_stats_tenant_get_sessions(0) <= CEILING, "too many");
		if (i % 16 == 15)
			ceil_stats_burst_end();
	}
	ceil_stats_update_close(0, held);
	ceil_stats_flush();
}

/* Never more than the ceiling, to the unit; each refusal is counted; reports come once for each time
 * that the ceiling is set. */
CASE(stops)
{
	const unsigned int n = (unsigned int)option("WORKERS", 3);
	uint64_t refusals = 0, sets = 1, reports = 0;
	struct ctr_crossing crossing;
	unsigned int i;

	EQUAL(ceil_stats_tenant_seats_set(0, CEILING), 0);
	workers_start(workers, n, open_and_close, n - 1);
	workers_go();
	for (i = 0; i < 2000; i++) {
		CHECK(ceil_stats_tenant_get_sessions(0) <= CEILING, "too many");
		if (ceil_stats_tenant_crossed_next(&crossing) != 0)
			continue;
		reports++;
		CHECK(crossing.count > CEILING - 3 && crossing.count <= CEILING, "%" PRIu64,
		      crossing.count);
		EQUAL(ceil_stats_tenant_crossed_next(&crossing), -ENOENT);
		EQUAL(ceil_stats_tenant_seats_set(0, CEILING), 0);
		sets++;
	}
	workers_join(workers, n);
	reports += ceil_stats_tenant_crossed_next(&crossing) == 0;
	CHECK(reports == sets || reports == sets - 1, "%" PRIu64 " of %" PRIu64, reports, sets);
	for (i = 0; i < n; i++)
		refusals += refused[i];
	expect(0, 0, CEILING, refusals, (enum ctr_limit_state)tenant(0).seats_state);
	EQUAL(tenant(0).most, CEILING);
}
