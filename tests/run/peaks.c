/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Peaks: the greatest and the least value since the last reset, of what is observed and of gauges;
 * with threads and resets no value is in two epochs, and none in no epoch. (amounts.c observes
 * amounts of every size, by every kind of call.)
 *
 * Option: OBSERVED values, by all threads together.
 */
#include <errno.h>
#include <unistd.h>

#include "harness.h"
#include "pea_stats.h"

#define CASE(name) TEST_BETWEEN(name, EQUAL(pea_stats_init(), 0), pea_stats_fini())

#define REGISTERED 3
#define WORKERS (REGISTERED + 1)

CASE(of_gauges)
{
	EQUAL(pea_stats_get_sessions_high(), 0);
	EQUAL(pea_stats_get_pool_low(), 5);
	EQUAL(pea_stats_get_coldest(), 0);
	pea_stats_set_pool(100);
	EQUAL(pea_stats_get_pool_low(), 100);
	pea_stats_add_pool(20);
	EQUAL(pea_stats_get_pool_low(), 100);
	pea_stats_update_open(30);
	pea_stats_update_open(10);
	pea_stats_add_pool(60);
	pea_stats_sub_sessions(25);
	pea_stats_inc_sessions();
	EQUAL(pea_stats_get_sessions(), 16);
	EQUAL(pea_stats_get_sessions_high(), 40);
	EQUAL(pea_stats_get_pool(), 140);
	EQUAL(pea_stats_get_pool_low(), 80);
	/* What a gauge models may be beyond its bounds, and below 0; its peaks are values of it. */
	pea_stats_add_sessions(5000);
	EQUAL(pea_stats_get_sessions_high(), 1000);
	pea_stats_sub_pool(1000);
	EQUAL(pea_stats_get_pool_low(), 5);
	pea_stats_add_pool(3000);
	EQUAL(pea_stats_get_pool_low(), 5);
	pea_stats_sub_sessions(6000);
	EQUAL(pea_stats_get_sessions(), 0);
	EQUAL(pea_stats_get_sessions_high(), 1000);
	pea_stats_update_measure(290);
	pea_stats_update_measure(310);
	pea_stats_update_measure(300);
	EQUAL(pea_stats_get_warmest(), 310);
	EQUAL(pea_stats_get_coldest(), 290);
}

CASE(resets)
{
	struct pea_stats_global last;
	struct pea_stats_session session;

	pea_stats_update_measure(290);
	pea_stats_update_measure(310);
	pea_stats_update_measure(305);
	pea_stats_observe_burst(9);
	pea_stats_observe_gap(9);
	pea_stats_session_observe_length(2, 64);
	EQUAL(pea_stats_global_reset(&last), 0);
	EQUAL(last.warmest, 310);
	EQUAL(last.coldest, 290);
	EQUAL(last.burst, 9);
	EQUAL(last.gap, 9);
	EQUAL(last.temperature, 305);
	EQUAL(pea_stats_session_get_length(2), 64);
	EQUAL(pea_stats_get_temperature(), 305);
	EQUAL(pea_stats_get_burst(), 0);
	EQUAL(pea_stats_get_gap(), UINT64_MAX);
	/* The new epoch began with what the gauge had. */
	pea_stats_update_measure(300);
	EQUAL(pea_stats_get_warmest(), 305);
	EQUAL(pea_stats_get_coldest(), 300);
	EQUAL(pea_stats_global_reset(&last), 0);
	EQUAL(last.warmest, 305);
	EQUAL(last.coldest, 300);
	pea_stats_update_measure(302);
	EQUAL(pea_stats_get_coldest(), 300);
	EQUAL(pea_stats_get_warmest(), 302);
	EQUAL(pea_stats_session_reset(2, &session), 0);
	EQUAL(session.length, 64);
	EQUAL(pea_stats_session_get_length(2), 0);
	EQUAL(pea_stats_reset(), 0);
	EQUAL(pea_stats_get_coldest(), 302);
}

/* A snapshot has them, one that resets too; the flags do not say that they belong to the counts. */
CASE(in_snapshots)
{
	struct pea_stats_snapshot *snap;

	EQUAL(pea_stats_snapshot_create(&snap), 0);
	EQUAL(pea_stats_flow_create(3), 0);
	pea_stats_observe_burst(4);
	pea_stats_flow_observe_delay(3, 5);
	pea_stats_drop_observe_length(PEA_STATS_DROP_REASON_VLAN, PEA_STATS_DROP_DIRECTION_OUT, 6);
	EQUAL(pea_stats_snapshot_reset(snap), 0);
	EQUAL(snap->global.burst, 4);
	EQUAL(snap->global_valid.burst, CTR_VALID);
	EQUAL(snap->flow[0].delay, 5);
	EQUAL(snap->drop[1].length, 6);
	EQUAL(pea_stats_snapshot_read(snap), 0);
	EQUAL(snap->global.burst, 0);
	EQUAL(snap->flow[0].delay, 0);
	EQUAL(snap->drop[1].length, 0);
	pea_stats_snapshot_free(snap);
}

/* What ends has its gauges, peaks and states in the final values; the next life begins without. */
CASE(lives)
{
	struct pea_stats_flow last;

	EQUAL(pea_stats_flow_create(6), 0);
	pea_stats_update_enqueue(6, 70);
	pea_stats_update_enqueue(6, 30);
	pea_stats_flow_sub_depth(6, 1);
	EQUAL(pea_stats_flow_set_peer(6, "left"), 0);
	pea_stats_flow_observe_delay(7, 1);
	EQUAL(pea_stats_late(), 1);
	pea_stats_flush();
	memset(&last, 0xee, sizeof(last));
	EQUAL(pea_stats_flow_destroy(6, &last), 0);
	EQUAL(last.pkts, 2);
	EQUAL(last.depth, 1);
	CHECK(memcmp(last.peer, "left\0", sizeof(last.peer)) == 0, "the peer is %.5s", last.peer);
	EQUAL(last.delay, 70);
	EQUAL(last.depth_high, 2);
	EQUAL(pea_stats_flow_create(6), 0);
	EQUAL(pea_stats_flow_read(6, &last), 0);
	EQUAL(last.delay, 0);
	EQUAL(last.depth_high, 0);
}

TEST(described)
{
	const struct ctr_scope *global = &pea_stats_module.scopes[0];
	const struct ctr_item *burst = ctr_item_find(global, "burst");
	const struct ctr_item *high = ctr_item_find(global, "sessions_high");
	const struct ctr_item *low = ctr_item_find(global, "coldest");

	EQUAL(burst->kind, CTR_GAUGE);
	EQUAL(burst->width, 64);
	CHECK(burst->maximum == UINT64_MAX, "not every value");
	CHECK(strcmp(high->unit, "sessions") == 0, "the unit is %s", high->unit);
	EQUAL(high->maximum, 1000);
	EQUAL(low->width, 32);
}

/* ---- threads ---- */

static uint64_t each;       /* Values of a worker. */
static uint32_t working;
static uint64_t given;      /* The last value that one took. */
static uint32_t turn;       /* Odd while a reset is under way. */
static uint64_t returned;   /* How often the greatest value was in an epoch. */
static uint64_t least;      /* How often the least was. */
static uint64_t above;      /* The greatest value of an epoch. */

static void
observe(struct worker *me)
{
	uint64_t i;

	(void)me;
	/* All values differ, and nearly each is the greatest, or the least, so far. */
	for (i = 0; i < each; i++) {
		uint64_t value = __atomic_add_fetch(&given, 1, __ATOMIC_RELAXED);
		uint32_t before = __atomic_load_n(&turn, __ATOMIC_SEQ_CST);
		uint64_t burst, gap;

		pea_stats_observe_burst(value);
		pea_stats_observe_gap(each * WORKERS + 1 - value);
		burst = pea_stats_get_burst();
		gap = pea_stats_get_gap();
		if ((before & 1) == 0 && before == __atomic_load_n(&turn, __ATOMIC_SEQ_CST))
			CHECK(burst >= value && gap <= each * WORKERS + 1 - value,
			      "%" PRIu64 " is gone", value);
		pea_stats_inc_sessions();
		pea_stats_sub_sessions(1);
	}
	__atomic_sub_fetch(&working, 1, __ATOMIC_RELAXED);
}

static void
epoch(const struct pea_stats_global *values)
{
	returned += values->burst == each * WORKERS;
	least += values->gap == 1;
	if (values->burst > above)
		above = values->burst;
	CHECK(values->sessions_high <= WORKERS, "%" PRIu64 " sessions", values->sessions_high);
}

TEST(threads)
{
	struct worker workers[WORKERS];
	struct pea_stats_global values;
	unsigned int resets = 0;

	each = option("OBSERVED", 1000000) / WORKERS;
	EQUAL(pea_stats_init(), 0);
	set_flag(&working, WORKERS);
	workers_start(workers, WORKERS, observe, REGISTERED);
	workers_go();
	while (is_set(&working)) {
		__atomic_add_fetch(&turn, 1, __ATOMIC_SEQ_CST);
		EQUAL(pea_stats_global_reset(&values), 0);
		__atomic_add_fetch(&turn, 1, __ATOMIC_SEQ_CST);
		epoch(&values);
		usleep(100); /* for values that no reset is beside */
		resets++;
	}
	workers_join(workers, WORKERS);
	EQUAL(pea_stats_global_reset(&values), 0);
	epoch(&values);
	EQUAL(returned, 1);
	EQUAL(least, 1);
	EQUAL(above, each * WORKERS);
	EQUAL(pea_stats_global_read(&values), 0);
	EQUAL(values.burst, 0);
	EQUAL(values.sessions_high, 0);
	printf("%u resets\n", resets);
	pea_stats_fini();
}

/* ---- a value at a time, beside resets that follow each other ---- */

static uint64_t observed; /* The last value, once it is. */

static void
observe_and_wait(struct worker *me)
{
	const uint64_t end = ctr_time_ns() + 30 * UINT64_C(1000000000);
	uint64_t value;

	(void)me;
	/* Fewer where so many threads wait for a core that they take turns slowly. */
	for (value = 1; value <= each && (value <= 1000 || ctr_time_ns() < end); value++) {
		uint32_t begun;

		pea_stats_observe_burst(value);
		pea_stats_observe_gap(UINT64_MAX - value);
		__atomic_store_n(&observed, value, __ATOMIC_RELEASE);
		/* Until a reset that began after it has ended. */
		begun = __atomic_load_n(&turn, __ATOMIC_SEQ_CST);
		while (__atomic_load_n(&turn, __ATOMIC_SEQ_CST) - begun < 4)
			ctr_yield();
	}
	set_flag(&working, 0);
}

TEST(none_lost)
{
	struct worker worker = { 0 };
	struct pea_stats_global values;
	uint64_t most = 0, least = UINT64_MAX;

	each = option("OBSERVED", 1000000) / 20;
	EQUAL(pea_stats_init(), 0);
	set_flag(&working, 1);
	worker_start(&worker, observe_and_wait, true);
	workers_go();
	while (is_set(&working)) {
		uint64_t before = __atomic_load_n(&observed, __ATOMIC_ACQUIRE);

		__atomic_add_fetch(&turn, 1, __ATOMIC_SEQ_CST);
		EQUAL(pea_stats_global_reset(&values), 0);
		__atomic_add_fetch(&turn, 1, __ATOMIC_SEQ_CST);
		most = values.burst > most ? values.burst : most;
		least = values.gap < least ? values.gap : least;
		CHECK(most >= before && least <= UINT64_MAX - before, "%" PRIu64 " is lost", before);
	}
	workers_join(&worker, 1);
	pea_stats_fini();
}
