/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Nothing is lost, nothing counted twice: with updates of every kind from
 * threads of every kind, a reader and a resetter going on at full speed, what
 * was read and reset plus what remains is what was added.
 *
 * Options: RUNS in a row, ROUNDS of one update call each, by worker and run. A run
 * goes on until there were some resets, too.
 */
#include <stdlib.h>

#include "ep.h"

#define REGISTERED 4
#define FOREIGN 2
#define WORKERS (REGISTERED + FOREIGN)
#define BURST 40 /* more than a bulk call handles at once */
/* No counter gets here; one that is taken below 0 does. */
#define ABSURD (UINT64_C(1) << 48)

static struct ep_sums added[WORKERS], taken;
static int64_t gauge[WORKERS];
static uint32_t stop;
/* Workers stand still while the resetter asks for it. */
static uint32_t pause_wanted, standing, working;
static uint64_t resets, reads, resets_before;

/* Most go to few sessions, so that threads meet; bursts have runs of one session. */
static uint32_t
some_session(struct worker *me)
{
	uint32_t r = draw(me);

	return (r & 7) != 0 ? (r >> 8) % 4 : (r >> 8) % EP_STATS_SESSION_MAX;
}

static void
note(struct ep_sums *mine, uint32_t session, uint64_t pkts, uint64_t bytes)
{
	mine->total_pkts += pkts;
	mine->total_bytes += bytes;
	mine->session[session].pkts += pkts;
	mine->session[session].bytes += bytes;
}

static void
burst(struct worker *me, struct ep_sums *mine, bool bulk)
{
	uint32_t sessions[BURST];
	uint16_t sizes[BURST];
	struct ep_stats_batch batch;
	unsigned int i, n = draw(me) % (BURST + 1);

	for (i = 0; i < n; i++) {
		bool same = i > 0 && (draw(me) & 3) != 0;

		sessions[i] = same ? sessions[i - 1] : some_session(me);
		sizes[i] = (uint16_t)draw(me);
		note(mine, sessions[i], 1, sizes[i]);
	}
	if (bulk) {
		ep_stats_update_packet_bulk(sessions, sizes, n);
		return;
	}
	ep_stats_batch_begin(&batch);
	for (i = 0; i < n; i++)
		ep_stats_batch_packet(&batch, sessions[i], sizes[i]);
	ep_stats_batch_end(&batch);
}

/* Items one by one, the gauge too. */
static void
singles(struct worker *me, struct ep_sums *mine, int64_t *level)
{
	uint32_t session = some_session(me);
	uint32_t n = draw(me) % 1000;

	ep_stats_inc_total_pkts();
	ep_stats_add_total_pkts(2);
	ep_stats_add_total_bytes(n);
	ep_stats_session_inc_pkts(session);
	ep_stats_session_add_pkts(session, 2);
	ep_stats_session_add_bytes(session, n);
	note(mine, session, 3, n);
	ep_stats_add_sessions(n);
	ep_stats_sub_sessions(n / 2);
	ep_stats_inc_sessions();
	*level += 1 + n - n / 2;
}

static void
stand(void)
{
	if (!is_set(&pause_wanted))
		return;
	(void)__atomic_fetch_add(&standing, 1, __ATOMIC_ACQ_REL);
	while (__atomic_load_n(&pause_wanted, __ATOMIC_ACQUIRE) != 0)
		ctr_yield();
	(void)__atomic_fetch_sub(&standing, 1, __ATOMIC_ACQ_REL);
}

/* Whether there were some resets during this run. */
static bool
disturbed(void)
{
	return __atomic_load_n(&resets, __ATOMIC_RELAXED) - resets_before > 20;
}

static void
update(struct worker *me)
{
	struct ep_sums *mine = &added[me->number];
	uint64_t rounds = option("ROUNDS", 1500), i;

	for (i = 0; i < rounds || !disturbed(); i++) {
		uint32_t session = some_session(me);
		uint16_t size = (uint16_t)draw(me);

		switch (draw(me) % 4) {
		case 0:
			ep_stats_update_packet(session, size);
			note(mine, session, 1, size);
			break;
		case 1:
			burst(me, mine, true);
			break;
		case 2:
			burst(me, mine, false);
			break;
		default:
			singles(me, mine, &gauge[me->number]);
			break;
		}
		if (i % 8 == 0)
			ep_stats_hint_flush();
		stand();
	}
	if (me->stays)
		ep_stats_flush();
	else if (me->registered)
		ctr_thread_unregister(); /* what it held is applied before nobody counts */
	(void)__atomic_fetch_sub(&working, 1, __ATOMIC_ACQ_REL);
}

static void
read_all_the_time(struct worker *me)
{
	struct ep_stats_snapshot *snap;
	struct ep_stats_session session;
	struct ep_stats_global global;

	EQUAL(ep_stats_snapshot_create(&snap), 0);
	while (!is_set(&stop)) {
		uint32_t index = some_session(me);
		int rc = ep_stats_global_read(&global);

		CHECK(rc == 0 || rc == -EAGAIN, "global_read gives %d", rc);
		rc = ep_stats_session_read(index, &session);
		CHECK(rc == 0 || rc == -EAGAIN, "session_read gives %d", rc);
		CHECK(global.total_pkts < ABSURD && session.bytes < ABSURD &&
		      ep_stats_get_total_bytes() < ABSURD &&
		      ep_stats_session_get_pkts(index) < ABSURD &&
		      ep_stats_lcore_get_total_pkts((unsigned int)(reads % CTR_SLOTS)) < ABSURD,
		      "a counter is below 0");
		if (reads++ % 64 == 0) {
			rc = ep_stats_snapshot_read(snap);
			CHECK(rc == 0 || rc == -EAGAIN, "snapshot_read gives %d", rc);
		}
	}
	ep_stats_snapshot_free(snap);
}

/* Whether a reset gave up since all was reset while nobody counted: of one thread. */
static bool gave_up;

/* ep_stats_reset() does not say what it takes away: nobody counts meanwhile. */
static void
reset_standing(struct ep_stats_snapshot *snap)
{
	int rc;

	set_flag(&pause_wanted, 1);
	while (__atomic_load_n(&standing, __ATOMIC_ACQUIRE) <
	       __atomic_load_n(&working, __ATOMIC_ACQUIRE))
		ctr_yield();
	ep_stats_read_lock();
	rc = ep_stats_snapshot_read(snap);
	/* What is left may begin amid an update, if a reset gave up before. */
	CHECK(rc == 0 || (rc == -EAGAIN && gave_up), "snapshot_read gives %d", rc);
	rc = ep_stats_reset();
	CHECK(rc == 0 || (rc == -EAGAIN && gave_up), "reset gives %d", rc);
	ep_sums_add_snapshot(&taken, snap);
	EQUAL(ep_stats_snapshot_read(snap), 0);
	ep_stats_read_unlock();
	gave_up = false;
	__atomic_store_n(&pause_wanted, 0, __ATOMIC_RELEASE);
	while (is_set(&standing))
		ctr_yield();
}

static void
reset_all_the_time(struct worker *me)
{
	struct ep_stats_session *all, session;
	struct ep_stats_snapshot *snap;
	struct ep_stats_global global;
	uint32_t i, index;
	int rc = 0;

	EQUAL(ep_stats_snapshot_create(&snap), 0);
	all = (struct ep_stats_session *)calloc(EP_STATS_SESSION_MAX, sizeof(*all));
	CHECK(all != NULL, "no memory");
	while (!is_set(&stop)) {
		uint32_t which = draw(me) % 64;

		if (which == 0) {
			rc = ep_stats_session_reset_all(all);
			for (i = 0; i < EP_STATS_SESSION_MAX; i++) {
				taken.session[i].pkts += all[i].pkts;
				taken.session[i].bytes += all[i].bytes;
			}
		} else if (which == 1) {
			rc = ep_stats_snapshot_reset(snap);
			ep_sums_add_snapshot(&taken, snap);
		} else if (which == 2) {
			reset_standing(snap);
		} else if (which < 20) {
			rc = which & 1 ? ep_stats_global_reset(&global)
				       : ep_stats_global_reset_all(&global);
			taken.total_pkts += global.total_pkts;
			taken.total_bytes += global.total_bytes;
		} else {
			index = some_session(me);
			rc = ep_stats_session_reset(index, &session);
			taken.session[index].pkts += session.pkts;
			taken.session[index].bytes += session.bytes;
		}
		CHECK(rc == 0 || rc == -EAGAIN, "a reset gives %d", rc);
		gave_up |= rc != 0;
		(void)__atomic_fetch_add(&resets, 1, __ATOMIC_RELAXED);
	}
	free(all);
	ep_stats_snapshot_free(snap);
}

static void
check(uint64_t run)
{
	static struct ep_sums rest, wanted;
	char when[32];
	int64_t level = 0;
	unsigned int i;

	ep_sums_read(&rest, gave_up);
	ep_sums_add(&rest, &taken);
	memset(&wanted, 0, sizeof(wanted));
	for (i = 0; i < WORKERS; i++) {
		ep_sums_add(&wanted, &added[i]);
		level += gauge[i];
	}
	snprintf(when, sizeof(when), "run %" PRIu64, run);
	ep_sums_check(&rest, &wanted, when);
	EQUAL(ep_stats_get_sessions(), level);
}

/* Everything is accounted for over all runs: the module stays initialised. */
TEST(conservation)
{
	struct worker workers[WORKERS + 2];
	uint64_t runs = option("RUNS", 10), run;
	unsigned int i;

	EQUAL(ep_stats_init(), 0);
	for (run = 1; run <= runs; run++) {
		set_flag(&stop, 0);
		working = WORKERS;
		resets_before = resets;
		workers_start(workers, WORKERS, update, REGISTERED);
		for (i = WORKERS; i < WORKERS + 2; i++)
			workers[i].number = i;
		worker_start(&workers[WORKERS], read_all_the_time, false);
		worker_start(&workers[WORKERS + 1], reset_all_the_time, false);
		workers_go();
		workers_join(workers, WORKERS);
		set_flag(&stop, 1);
		workers_join(workers + WORKERS, 2);
		check(run);
	}
	CHECK(taken.total_pkts != 0 && taken.session[0].pkts != 0, "no reset took anything");
	printf("runs=%" PRIu64 " pkts=%" PRIu64 " resets=%" PRIu64 " reads=%" PRIu64 "\n", runs,
	       taken.total_pkts, resets, reads);
	ep_stats_fini();
}
