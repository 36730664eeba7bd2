/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Snapshots for which lcores copy their own counters: step by step, and under traffic.
 *
 * Options: WHOLE, 1 under a strategy whose reads do not show half of an update; SINCE, 1 where
 * values of one lcore are since the reset; ROUNDS, how many snapshots are taken.
 */
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness.h"
#include "own_stats.h"

#define SIZE 100u
#define FLOWS 2500u
#define FAR 4000u /* In a piece of memory that no other flow is in. */
#define FOREVER UINT64_MAX

/* ---- a worker that does what it is told ---- */

enum order {
	NOTHING,
	COUNT,
	BEGIN_UPDATE, /* The first counter of an update. */
	END_UPDATE,   /* The other one. */
	ADOPT,        /* Adds what another process has counted. */
	REPORT,
	MOVE_ON, /* Reports, and does not look for what it is asked. */
	SLEEP,
	LEAVE,
};

static uint32_t order, flow, me_is;

static void
adopt(void)
{
	const struct ctr_scope *scope = &own_stats_module.scopes[1];
	const struct own_stats_flow former = { .pkts = 3, .bytes = 3 * SIZE };

	CHECK(strcmp(scope->name, "flow") == 0, "another scope");
	EQUAL(scope->adopt(&flow, &former), 0);
}

static void
obey(struct worker *me)
{
	uint32_t what;

	(void)me;
	EQUAL(ctr_thread_register(), 0);
	set_flag(&me_is, ctr_lcore_id());
	do {
		what = __atomic_load_n(&order, __ATOMIC_ACQUIRE);
		if (what == COUNT)
			own_stats_update_packet(flow, flow % 5, SIZE);
		else if (what == BEGIN_UPDATE)
			own_stats_flow_inc_pkts(flow);
		else if (what == END_UPDATE)
			own_stats_flow_add_bytes(flow, SIZE);
		else if (what == ADOPT)
			adopt();
		else if (what == REPORT)
			own_stats_quiescent();
		else if (what == MOVE_ON)
			ctr_quiescent();
		else if (what == SLEEP)
			ctr_quiescent_offline();
		else if (what == LEAVE)
			ctr_thread_unregister();
		else
			ctr_yield();
		if (what != NOTHING)
			__atomic_store_n(&order, NOTHING, __ATOMIC_RELEASE);
	} while (what != LEAVE);
}

static void
tell(enum order what)
{
	__atomic_store_n(&order, what, __ATOMIC_RELEASE);
	while (__atomic_load_n(&order, __ATOMIC_ACQUIRE) != NOTHING)
		ctr_yield();
}

static void
tell_count(uint32_t index)
{
	flow = index;
	tell(COUNT);
}

/* ---- a thread that asks ---- */

static struct own_stats_snapshot *snap;
static int answer;

static void
ask(struct worker *me)
{
	(void)me;
	do {
		answer = own_stats_snapshot_ask(snap, FOREVER);
	} while (answer == -EBUSY);
}

static void
ask_reset(struct worker *me)
{
	(void)me;
	do {
		answer = own_stats_snapshot_ask_reset(snap, FOREVER);
	} while (answer == -EBUSY);
}

/* Start it, and return when it has asked; only lcores that have come before are asked. */
static void
begin_to(void (*what)(struct worker *me), struct worker *asker)
{
	struct own_stats_snapshot *probe;
	int rc;

	EQUAL(own_stats_snapshot_create(&probe), 0);
	memset(asker, 0, sizeof(*asker));
	worker_start(asker, what, false);
	workers_go();
	do {
		rc = own_stats_snapshot_ask(probe, 0);
		ctr_yield();
	} while (rc != -EBUSY);
	own_stats_snapshot_free(probe);
}

static void
begin_to_ask(struct worker *asker)
{
	begin_to(ask, asker);
}

/* Ask, and have the worker answer. */
static void
asked_and_answered(void (*what)(struct worker *me))
{
	struct worker asker;

	begin_to(what, &asker);
	tell(REPORT);
	workers_join(&asker, 1);
	EQUAL(snap->lcores[me_is].by, CTR_COPIED_BY_OWNER);
}

static void
begin(struct worker *worker)
{
	EQUAL(own_stats_init(), 0);
	for (uint32_t i = 0; i < 5; i++)
		EQUAL(own_stats_flow_create(i), 0);
	EQUAL(own_stats_snapshot_create(&snap), 0);
	memset(worker, 0, sizeof(*worker));
	worker_start(worker, obey, false);
	workers_go();
	tell_count(1);
}

static void
end(struct worker *worker)
{
	own_stats_snapshot_free(snap);
	tell(LEAVE);
	workers_join(worker, 1);
	own_stats_fini();
}

static unsigned int
it(void)
{
	return __atomic_load_n(&me_is, __ATOMIC_RELAXED);
}

/* What the worker had of a flow in the snapshot. */
static void
had(uint32_t index, uint64_t pkts)
{
	struct own_stats_flow part;

	EQUAL(own_stats_flow_snapshot_lcore(snap, it(), index, &part), 0);
	EQUAL(part.pkts, pkts);
	EQUAL(part.bytes, pkts * SIZE);
}

/* Where a flow is in the snapshot, or UINT32_MAX. */
static uint32_t
found(uint32_t index)
{
	for (uint32_t n = 0; n < snap->num_flow; n++)
		if (snap->flow_index[n] == index)
			return n;
	return UINT32_MAX;
}

static void
total(uint32_t index, uint64_t pkts, uint8_t flags)
{
	uint32_t n = found(index);

	CHECK(n != UINT32_MAX, "no flow %u", index);
	EQUAL(snap->flow[n].pkts, pkts);
	EQUAL(snap->flow[n].bytes, pkts * SIZE);
	EQUAL(snap->flow_valid[n].pkts, flags);
	EQUAL(snap->flow_valid[n].bytes, flags);
}

#define ONE_MOMENT (CTR_VALID | CTR_CONSISTENT)

/* What the flags say of what the reader has read while it might change. */
static uint8_t
read_flags(void)
{
	return option("WHOLE", 0) != 0 ? ONE_MOMENT : CTR_VALID;
}

/* ---- the requests themselves ---- */

static struct ctr_asks asks;
static uint32_t returned;

static void
wait_for_all(struct worker *me)
{
	(void)me;
	ctr_asks_wait(&asks, 0);
	set_flag(&returned, 1);
}

TEST(requests)
{
	const struct timespec nap = { 0, 50000000 };
	struct worker reader = { 0 };
	struct ctr_copied copied;
	int place[2];

	CHECK(ctr_ask_accept(&asks, 2) == NULL, "nobody has asked");
	/* Taken back before it is accepted. */
	ctr_ask_begin(&asks, 2, &place[0]);
	CHECK(ctr_ask_withdraw(&asks, 2), "nobody has accepted");
	CHECK(ctr_ask_accept(&asks, 2) == NULL, "it was taken back");
	CHECK(!ctr_ask_taken(&asks, 2, &copied), "no answer");
	EQUAL(copied.by, CTR_COPIED_BY_READER);
	/* Accepted: then who has asked waits for the answer. */
	ctr_ask_begin(&asks, 2, &place[0]);
	ctr_ask_begin(&asks, 3, &place[1]);
	asks.open.word = 1;
	CHECK(ctr_asked(&asks) && ctr_ask_accept(&asks, 2) == &place[0], "another place");
	CHECK(ctr_ask_accept(&asks, 2) == NULL, "accepted twice");
	CHECK(ctr_ask_accept(&asks, CTR_MAX_LCORE) == NULL, "no lcore");
	CHECK(!ctr_ask_withdraw(&asks, 2), "taken back from who copies");
	worker_start(&reader, wait_for_all, false);
	workers_go();
	(void)nanosleep(&nap, NULL);
	CHECK(!is_set(&returned), "not waited for who copies");
	ctr_ask_answer(&asks, 2);
	workers_join(&reader, 1);
	CHECK(!ctr_asked(&asks) && ctr_ask_accept(&asks, 3) == NULL, "asked still");
	CHECK(ctr_ask_taken(&asks, 2, &copied), "no answer");
	EQUAL(copied.by, CTR_COPIED_BY_OWNER);
	CHECK(!ctr_ask_taken(&asks, 3, &copied), "an answer");
	CHECK(!ctr_ask_taken(&asks, 2, &copied), "an answer twice");
}

/* ---- snapshots, step by step ---- */

TEST(answered)
{
	struct worker worker, asker;
	struct own_stats_global part;
	struct own_stats_port port;

	begin(&worker);
	tell(REPORT);
	tell_count(3);
	own_stats_set_level(7);
	begin_to_ask(&asker);
	EQUAL(own_stats_snapshot_ask(NULL, 0), -EINVAL);
	tell_count(3);
	tell(REPORT);
	workers_join(&asker, 1);
	tell_count(3);
	EQUAL(answer, 0);
	EQUAL(snap->lcores[it()].by, CTR_COPIED_BY_OWNER);
	EQUAL(snap->lcores[CTR_NON_LCORE].by, CTR_COPIED_BY_READER);
	CHECK(snap->lcores[it()].time_ns >= snap->start_ns &&
		      snap->lcores[it()].time_ns <= snap->end_ns, "another time");
	EQUAL(snap->num_flow, 5);
	total(1, 1, ONE_MOMENT);
	total(3, 2, ONE_MOMENT);
	total(0, 0, ONE_MOMENT);
	had(1, 1);
	had(3, 2);
	EQUAL(snap->global.pkts, 3);
	EQUAL(snap->global.level, 7);
	EQUAL(snap->global_valid.pkts, ONE_MOMENT);
	EQUAL(snap->global_valid.level, CTR_VALID);
	EQUAL(snap->port[3].pkts, 2);
	EQUAL(snap->port_valid[3].pkts, ONE_MOMENT);
	EQUAL(own_stats_global_snapshot_lcore(snap, it(), &part), 0);
	EQUAL(part.pkts, 3);
	EQUAL(own_stats_port_snapshot_lcore(snap, it(), 3, &port), 0);
	EQUAL(port.pkts, 2);
	EQUAL(port.bytes, 2 * SIZE);
	EQUAL(own_stats_port_snapshot_lcore(snap, it(), 5, &port), -ERANGE);
	EQUAL(own_stats_port_snapshot_lcore(snap, CTR_SLOTS, 0, &port), -ERANGE);
	EQUAL(own_stats_port_snapshot_lcore(snap, it(), 3, NULL), -EINVAL);
	EQUAL(own_stats_global_snapshot_lcore(snap, CTR_MAX_LCORE - 1, &part), -ENOENT);
	/* The next one is another. */
	EQUAL(own_stats_snapshot_read(snap), 0);
	EQUAL(own_stats_global_snapshot_lcore(snap, it(), &part), -ENOENT);
	EQUAL(snap->lcores[it()].by, CTR_COPIED_BY_NOBODY);
	EQUAL(snap->global.pkts, 4);
	end(&worker);
}

TEST(not_answered)
{
	struct worker worker;
	int wanted = option("WHOLE", 0) != 0 ? 0 : -EAGAIN;
	struct own_stats_flow part;

	begin(&worker);
	/* It has never reported. */
	EQUAL(own_stats_snapshot_ask(snap, FOREVER), wanted);
	EQUAL(snap->lcores[it()].by, CTR_COPIED_BY_READER);
	total(1, 1, read_flags());
	total(2, 0, ONE_MOMENT);
	EQUAL(own_stats_flow_snapshot_lcore(snap, it(), 1, &part), wanted);
	EQUAL(part.pkts, 1);
	had(2, 0);
	/* It takes part, and does not come in time. */
	tell(REPORT);
	EQUAL(own_stats_snapshot_ask(snap, 1000), wanted);
	EQUAL(snap->lcores[it()].by, CTR_COPIED_BY_READER);
	/* It comes later: nobody asks any more. */
	tell_count(1);
	tell(REPORT);
	EQUAL(own_stats_flow_snapshot_lcore(snap, it(), 1, &part), wanted);
	EQUAL(part.pkts, 1);
	/* It sleeps: that is not waited for. */
	tell(SLEEP);
	EQUAL(own_stats_snapshot_ask(snap, FOREVER), wanted);
	EQUAL(snap->lcores[it()].by, CTR_COPIED_BY_READER);
	total(1, 2, read_flags());
	EQUAL(own_stats_flow_reset(1, NULL), 0);
	tell_count(1);
	tell(SLEEP);
	EQUAL(own_stats_snapshot_ask(snap, FOREVER), wanted);
	total(1, 1, read_flags());
	EQUAL(own_stats_flow_snapshot_lcore(snap, it(), 1, &part), wanted);
	EQUAL(part.pkts, option("SINCE", 0) != 0 ? 1 : 3);
	/* It is gone, and what it has counted is not. */
	tell(REPORT);
	own_stats_snapshot_free(snap);
	snap = NULL;
	tell(LEAVE);
	workers_join(&worker, 1);
	EQUAL(own_stats_snapshot_create(&snap), 0);
	EQUAL(own_stats_snapshot_ask(snap, FOREVER), wanted);
	total(1, 1, read_flags());
	own_stats_snapshot_free(snap);
	own_stats_fini();
}

/* Who asks is not in the middle of an update. */
TEST(asks_itself)
{
	const bool foreign = ctr_lcore_id() >= CTR_MAX_LCORE;

	EQUAL(own_stats_init(), 0);
	EQUAL(own_stats_flow_create(1), 0);
	EQUAL(own_stats_snapshot_create(&snap), 0);
	own_stats_update_packet(1, 1, SIZE);
	if (foreign) {
		EQUAL(own_stats_snapshot_ask(snap, FOREVER),
		      option("WHOLE", 0) != 0 ? 0 : -EAGAIN);
		total(1, 1, read_flags()); /* Of a thread that has no id. */
		EQUAL(ctr_thread_register(), 0);
	}
	own_stats_update_packet(1, 1, SIZE);
	(void)own_stats_snapshot_ask(snap, FOREVER);
	EQUAL(snap->lcores[ctr_lcore_id()].by, CTR_COPIED_BY_OWNER);
	total(1, 2, foreign ? read_flags() : ONE_MOMENT);
	own_stats_snapshot_free(snap);
	if (foreign)
		ctr_thread_unregister();
	own_stats_fini();
}

/* What changes between the question and the answer. */
TEST(meanwhile)
{
	struct worker worker, asker;
	struct own_stats_flow last, part;

	begin(&worker);
	EQUAL(own_stats_flow_create(FAR + 1024), 0);
	EQUAL(own_stats_flow_destroy(FAR + 1024, NULL), 0);
	tell(REPORT);
	tell_count(2);
	tell_count(3);
	tell_count(4);
	begin_to_ask(&asker);
	EQUAL(own_stats_flow_reset(2, &last), 0);
	EQUAL(last.pkts, 1);
	EQUAL(own_stats_port_reset(4, NULL), 0);
	EQUAL(own_stats_flow_destroy(3, NULL), -EINPROGRESS);
	EQUAL(own_stats_flow_create(6), 0);
	EQUAL(own_stats_flow_create(FAR), 0);
	/* Memory stays that the worker may copy. */
	for (unsigned int i = 0; i < 3; i++) {
		EQUAL(own_stats_flow_trim(), -EINPROGRESS);
		tell(MOVE_ON);
	}
	tell_count(FAR);
	tell_count(2);
	tell(REPORT);
	workers_join(&asker, 1);
	EQUAL(own_stats_late(), 0);
	EQUAL(answer, option("WHOLE", 0) != 0 ? 0 : -EAGAIN);
	EQUAL(snap->lcores[it()].by, CTR_COPIED_BY_OWNER);
	EQUAL(found(3), UINT32_MAX);
	total(1, 1, ONE_MOMENT);
	had(1, 1);
	total(2, 1, read_flags());
	total(4, 1, ONE_MOMENT);
	total(6, 0, read_flags());
	total(FAR, 1, read_flags());
	EQUAL(own_stats_flow_snapshot_lcore(snap, it(), 2, &part), -ENOENT);
	EQUAL(own_stats_flow_snapshot_lcore(snap, it(), 3, &part), -ENOENT);
	EQUAL(own_stats_flow_snapshot_lcore(snap, it(), 6, &part), -ENOENT);
	EQUAL(own_stats_flow_snapshot_lcore(snap, it(), FAR, &part), -ENOENT);
	EQUAL(snap->port[4].pkts, 0);
	EQUAL(snap->port_valid[4].pkts, read_flags());
	EQUAL(snap->port[1].pkts, 1);
	EQUAL(snap->port_valid[1].pkts, ONE_MOMENT);
	/* Since what moment the values of one lcore are. */
	begin_to_ask(&asker);
	tell(REPORT);
	workers_join(&asker, 1);
	EQUAL(answer, option("WHOLE", 0) != 0 ? 0 : -EAGAIN);
	total(2, 1, read_flags()); /* It was reset by a reader. */
	total(4, 1, ONE_MOMENT);
	total(6, 0, ONE_MOMENT);
	if (option("SINCE", 0) == 0)
		had(2, 2);
	while (own_stats_flow_trim() == -EINPROGRESS)
		tell(REPORT);
	end(&worker);
}

/* An instance ends, and another one is in its place when the worker answers. */
TEST(another_life)
{
	struct worker worker, asker;
	struct own_stats_flow last, part;

	begin(&worker);
	tell(REPORT);
	tell_count(2);
	begin_to_ask(&asker);
	EQUAL(own_stats_flow_destroy(2, &last), -EINPROGRESS);
	tell(MOVE_ON);
	EQUAL(own_stats_flow_destroy(2, &last), 0);
	EQUAL(last.pkts, 1);
	tell(MOVE_ON);
	EQUAL(own_stats_flow_create(2), 0);
	tell_count(2);
	tell_count(2);
	tell(REPORT);
	workers_join(&asker, 1);
	EQUAL(snap->lcores[it()].by, CTR_COPIED_BY_OWNER);
	total(2, 2, read_flags());
	EQUAL(own_stats_flow_snapshot_lcore(snap, it(), 2, &part), -ENOENT);
	had(1, 1);
	end(&worker);
}

/* What a snapshot has of a flow, of so many packets and octets. */
static void
has(uint32_t index, uint64_t pkts, uint64_t bytes, uint8_t flags)
{
	uint32_t n = found(index);

	CHECK(n != UINT32_MAX, "no flow %u", index);
	EQUAL(snap->flow[n].pkts, pkts);
	EQUAL(snap->flow[n].bytes, bytes);
	EQUAL(snap->flow_valid[n].pkts, flags);
	EQUAL(snap->flow_valid[n].bytes, flags);
}

/* A reset comes between the two counters of an update; until the next one, they are not together. */
TEST(between)
{
	const bool since = option("SINCE", 0) != 0;
	int wanted = option("WHOLE", 0) != 0 ? 0 : -EAGAIN;
	struct own_stats_flow last, part;
	struct worker worker;

	begin(&worker);
	tell(REPORT);
	tell_count(3);
	flow = 2;
	tell(BEGIN_UPDATE);
	EQUAL(own_stats_flow_reset(2, &last), 0);
	EQUAL(last.pkts, 1);
	EQUAL(last.bytes, 0);
	EQUAL(own_stats_flow_reset(4, NULL), 0);
	tell(END_UPDATE);
	for (unsigned int i = 0; i < 2; i++) {
		asked_and_answered(ask);
		EQUAL(answer, wanted);
		has(2, 0, SIZE, read_flags());
		total(1, 1, ONE_MOMENT);
		total(3, 1, ONE_MOMENT);
		total(4, 0, ONE_MOMENT); /* Was reset when it had no counts. */
		had(3, 1);
		EQUAL(own_stats_flow_snapshot_lcore(snap, it(), 2, &part), since ? wanted : 0);
		EQUAL(part.pkts, since ? 0 : 1);
		EQUAL(part.bytes, SIZE);
		/* Other reads promise nothing, and say nothing. */
		EQUAL(own_stats_flow_read(2, &part), 0);
		EQUAL(own_stats_flow_lcore_read(it(), 2, &part), 0);
	}
	/* A reset that takes what lcores have copied is whole, and what was not together is in it. */
	asked_and_answered(ask_reset);
	EQUAL(answer, wanted);
	has(2, 0, SIZE, read_flags());
	total(3, 1, ONE_MOMENT);
	tell_count(2);
	asked_and_answered(ask);
	EQUAL(answer, 0);
	total(2, 1, ONE_MOMENT);
	total(3, 0, ONE_MOMENT);
	had(3, since ? 0 : 1);
	EQUAL(own_stats_flow_snapshot_lcore(snap, it(), 2, &part), 0);
	EQUAL(part.pkts, since ? 1 : 2);
	EQUAL(part.bytes, (since ? 1 : 2) * SIZE);
	/* So is a new life. */
	EQUAL(own_stats_flow_reset(2, NULL), 0);
	EQUAL(own_stats_flow_destroy(2, &last), -EINPROGRESS);
	for (unsigned int i = 0; i < 2; i++)
		tell(REPORT);
	EQUAL(own_stats_flow_destroy(2, &last), 0);
	EQUAL(own_stats_flow_create(2), 0);
	tell_count(2);
	asked_and_answered(ask);
	EQUAL(answer, 0);
	total(2, 1, ONE_MOMENT);
	end(&worker);
}

/* What another process has counted was not read together there. */
TEST(adopted)
{
	struct worker worker;

	begin(&worker);
	tell(REPORT);
	flow = 2;
	tell(ADOPT);
	asked_and_answered(ask_reset);
	total(2, 3, read_flags());
	asked_and_answered(ask);
	total(2, 0, ONE_MOMENT);
	end(&worker);
}

/* A new period begins where the copies end: what is counted between the answer and the reset is of
 * the new one. */
TEST(resets)
{
	const bool since = option("SINCE", 0) != 0, whole = option("WHOLE", 0) != 0;
	struct worker worker, asker;
	struct own_stats_flow now;

	begin(&worker);
	EQUAL(own_stats_snapshot_ask_reset(NULL, 0), -EINVAL);
	tell(REPORT);
	tell_count(2);
	tell_count(3);
	own_stats_set_level(7);
	begin_to(ask_reset, &asker);
	EQUAL(own_stats_flow_reset(3, NULL), 0);
	EQUAL(own_stats_flow_create(6), 0);
	tell_count(3);
	/* Nobody takes the copy before the worker has gone on. */
	own_stats_read_lock();
	tell(REPORT);
	tell_count(1);
	tell_count(2);
	tell_count(2);
	own_stats_read_unlock();
	workers_join(&asker, 1);
	EQUAL(answer, whole ? 0 : -EAGAIN);
	total(1, 1, ONE_MOMENT);
	total(2, 1, ONE_MOMENT);
	had(1, 1);
	total(3, 1, read_flags()); /* Was reset meanwhile, so it is read. */
	total(6, 0, read_flags());
	EQUAL(snap->global.pkts, 4);
	EQUAL(snap->global.level, 7);
	EQUAL(snap->global_valid.pkts, ONE_MOMENT);
	EQUAL(snap->port[2].pkts, 1);
	EQUAL(own_stats_flow_read(1, &now), 0);
	EQUAL(now.pkts, 1);
	EQUAL(now.bytes, SIZE);
	EQUAL(own_stats_flow_read(2, &now), 0);
	EQUAL(now.pkts, 2);
	EQUAL(own_stats_flow_lcore_read(it(), 2, &now), 0);
	EQUAL(now.pkts, since ? 2 : 3);
	EQUAL(now.bytes, (since ? 2 : 3) * SIZE);
	EQUAL(own_stats_flow_read(3, &now), 0);
	EQUAL(now.pkts, 0);
	EQUAL(own_stats_get_pkts(), 3);
	EQUAL(own_stats_get_level(), 7);
	end(&worker);
}

/* A child of fork() has neither the lcore that is asked nor who asks it. */
TEST(forked)
{
	struct worker worker, asker;
	int ended = -1;
	pid_t child;

	begin(&worker);
	tell(REPORT);
	begin_to_ask(&asker);
	child = fork();
	if (child == 0) {
		struct own_stats_snapshot *own;
		int rc = own_stats_snapshot_create(&own);

		if (rc == 0)
			rc = own_stats_snapshot_ask(own, FOREVER);
		_exit(rc == -EAGAIN && own->num_flow == 5 ? 0 : 1);
	}
	CHECK(child > 0 && waitpid(child, &ended, 0) == child, "no child");
	EQUAL(ended, 0);
	tell(REPORT);
	workers_join(&asker, 1);
	EQUAL(answer, 0);
	end(&worker);
}

/* ---- traffic ---- */

#define WORKERS 3

static uint32_t stop, napping, running;

static void
work(struct worker *me)
{
	uint32_t round = 0;

	if (!me->registered)
		EQUAL(ctr_thread_register(), 0);
	own_stats_quiescent();
	(void)__atomic_add_fetch(&running, 1, __ATOMIC_RELAXED);
	while (!is_set(&stop)) {
		for (unsigned int i = 0; i < 32; i++) {
			uint32_t index = draw(me) % FLOWS;

			own_stats_update_packet(index, index % 5, SIZE);
		}
		if (is_set(&napping) && ++round % 64 == 0) {
			ctr_quiescent_offline();
			if (round % 512 == 0)
				ctr_yield();
		}
		own_stats_quiescent();
	}
	if (!me->registered)
		ctr_thread_unregister();
}

static void
start(struct worker *workers)
{
	EQUAL(own_stats_init(), 0);
	for (uint32_t i = 0; i < FLOWS; i++)
		EQUAL(own_stats_flow_create(i), 0);
	EQUAL(own_stats_snapshot_create(&snap), 0);
	set_flag(&stop, 0);
	set_flag(&running, 0);
	memset(workers, 0, WORKERS * sizeof(*workers));
	for (unsigned int i = 0; i < WORKERS; i++) {
		workers[i].number = i;
		worker_start(&workers[i], work, false);
	}
	workers_go();
	while (__atomic_load_n(&running, __ATOMIC_RELAXED) < WORKERS)
		ctr_yield();
}

static void
finish(struct worker *workers)
{
	set_flag(&stop, 1);
	workers_join(workers, WORKERS);
	own_stats_snapshot_free(snap);
	own_stats_fini();
}

/* All counters of one lcore, in all scopes, are of one moment: returns how many packets it had. */
static uint64_t
one_moment(unsigned int lcore)
{
	struct own_stats_global whole;
	struct own_stats_flow one;
	struct own_stats_port port;
	uint64_t pkts = 0, ports = 0;

	EQUAL(own_stats_global_snapshot_lcore(snap, lcore, &whole), 0);
	EQUAL(whole.bytes, whole.pkts * SIZE);
	for (uint32_t i = 0; i < FLOWS; i++) {
		EQUAL(own_stats_flow_snapshot_lcore(snap, lcore, i, &one), 0);
		EQUAL(one.bytes, one.pkts * SIZE);
		pkts += one.pkts;
	}
	for (uint32_t i = 0; i < 5; i++) {
		EQUAL(own_stats_port_snapshot_lcore(snap, lcore, i, &port), 0);
		EQUAL(port.bytes, (uint64_t)port.pkts * SIZE);
		ports += port.pkts;
	}
	EQUAL(pkts, whole.pkts);
	EQUAL(ports, whole.pkts);
	return pkts;
}

TEST(traffic)
{
	static uint64_t before[CTR_SLOTS];
	struct worker workers[WORKERS];
	uint64_t rounds = option("ROUNDS", 200), owners = 0, num = 0, sum;

	start(workers);
	set_flag(&napping, 0);
	while (num < rounds) {
		int rc = own_stats_snapshot_ask(snap, FOREVER);

		sum = 0;
		for (unsigned int lcore = 0; lcore < CTR_MAX_LCORE; lcore++)
			if (snap->lcores[lcore].by == CTR_COPIED_BY_OWNER) {
				uint64_t pkts = one_moment(lcore);

				CHECK(pkts >= before[lcore], "went back");
				before[lcore] = pkts;
				sum += pkts;
				owners++;
			} else {
				sum = UINT64_MAX / 2;
			}
		if (sum < UINT64_MAX / 2) {
			EQUAL(rc, 0);
			EQUAL(snap->global.pkts, sum);
			EQUAL(snap->global_valid.pkts, ONE_MOMENT);
		}
		num += owners != 0;
	}
	finish(workers);
	printf("owners=%" PRIu64 "\n", owners);
}

/* The bits of all that lcores have in the snapshot, by a sum. */
static uint64_t
digest(void)
{
	uint64_t sum = 0;

	for (unsigned int lcore = 0; lcore < CTR_SLOTS; lcore++)
		for (uint32_t i = 0; i < FLOWS; i++) {
			struct own_stats_flow one;
			int rc = own_stats_flow_snapshot_lcore(snap, lcore, i, &one);

			if (rc == -ENOENT)
				break;
			sum = sum * 31 + one.pkts * 7 + one.bytes;
		}
	return sum;
}

/*
 * Workers sleep, wake up and come too late at any time: what they have copied is whole, and nobody
 * writes to a snapshot that is returned.
 */
TEST(wakes)
{
	struct worker workers[WORKERS];
	struct worker dice = { .random = 9 };
	uint64_t rounds = option("ROUNDS", 200), num, owners = 0, readers = 0, before;

	start(workers);
	set_flag(&napping, 1);
	for (num = 0; num < rounds; num++) {
		(void)own_stats_snapshot_ask(snap, draw(&dice) % 4 * 3000000);
		before = digest();
		for (unsigned int lcore = 0; lcore < CTR_MAX_LCORE; lcore++)
			if (snap->lcores[lcore].by == CTR_COPIED_BY_OWNER) {
				(void)one_moment(lcore);
				owners++;
			} else if (snap->lcores[lcore].by == CTR_COPIED_BY_READER) {
				readers++;
			}
		EQUAL(digest(), before);
	}
	finish(workers);
	printf("owners=%" PRIu64 " readers=%" PRIu64 "\n", owners, readers);
}

/* Flows come and go, and are reset, while lcores copy. */
TEST(churn)
{
	struct worker workers[WORKERS];
	uint64_t rounds = option("ROUNDS", 200), num, marked = 0;
	struct worker churner = { .random = 8 }, asker;

	start(workers);
	set_flag(&napping, 1);
	for (num = 0; num < rounds; num++) {
		memset(&asker, 0, sizeof(asker));
		worker_start(&asker, ask, false);
		workers_go();
		for (unsigned int i = 0; i < 20; i++) {
			uint32_t index = draw(&churner) % FLOWS;

			(void)own_stats_flow_reset(index, NULL);
			index = draw(&churner) % FLOWS;
			(void)own_stats_flow_destroy(index, NULL);
			index = draw(&churner) % FLOWS;
			(void)own_stats_flow_create(index);
			(void)own_stats_flow_trim();
		}
		workers_join(&asker, 1);
		for (uint32_t n = 0; n < snap->num_flow; n++) {
			CHECK(snap->flow[n].pkts < UINT64_C(1) << 40, "below 0");
			if (snap->flow_valid[n].bytes & CTR_CONSISTENT) {
				EQUAL(snap->flow[n].bytes, snap->flow[n].pkts * SIZE);
				marked++;
			}
		}
	}
	finish(workers);
	printf("marked=%" PRIu64 "\n", marked);
}

/* Bills by copies: each is whole, and what the bills have together is what was counted. */
TEST(bills)
{
	static struct own_stats_flow sum[FLOWS];
	struct own_stats_global all = { 0 };
	struct worker workers[WORKERS];
	uint64_t rounds = option("ROUNDS", 200), num, marked = 0, pkts = 0;
	struct own_stats_flow last;

	memset(sum, 0, sizeof(sum));
	start(workers);
	set_flag(&napping, 1);
	for (num = 0; num < rounds; num++) {
		(void)own_stats_snapshot_ask_reset(snap, num % 2 != 0 ? FOREVER : 0);
		for (uint32_t n = 0; n < snap->num_flow; n++) {
			CHECK(snap->flow[n].pkts < UINT64_C(1) << 40, "below 0");
			if (snap->flow_valid[n].bytes & CTR_CONSISTENT) {
				EQUAL(snap->flow[n].bytes, snap->flow[n].pkts * SIZE);
				marked += snap->flow[n].pkts != 0;
			}
			sum[snap->flow_index[n]].pkts += snap->flow[n].pkts;
			sum[snap->flow_index[n]].bytes += snap->flow[n].bytes;
		}
		all.pkts += snap->global.pkts;
		all.bytes += snap->global.bytes;
	}
	set_flag(&stop, 1);
	workers_join(workers, WORKERS);
	for (uint32_t i = 0; i < FLOWS; i++) {
		EQUAL(own_stats_flow_read(i, &last), 0);
		sum[i].pkts += last.pkts;
		EQUAL(sum[i].bytes + last.bytes, sum[i].pkts * SIZE);
		pkts += sum[i].pkts;
	}
	all.pkts += own_stats_get_pkts();
	EQUAL(all.pkts, pkts);
	EQUAL(all.bytes + own_stats_get_bytes(), pkts * SIZE);
	own_stats_snapshot_free(snap);
	own_stats_fini();
	printf("marked=%" PRIu64 "\n", marked);
}
