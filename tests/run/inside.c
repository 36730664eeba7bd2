/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Instances inside of one that ends: their final counts are those of that generation.
 *
 * Step by step, and under traffic: workers count for subscribers that they find by key or in a
 * table of the application; the control thread ends them, with all that is inside, and begins the
 * next ones at the same indexes. The final counts of each subscriber are what workers counted.
 *
 * Options: LIVES of subscribers; WORKERS; WAY of misuse, with CTR_DEBUG.
 */
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include "harness.h"
#include "tree_stats.h"

#define MOST_WORKERS 4u
#define PLACES 64u
#define RING 8192u /* subscribers that are not billed yet, at most */
#define BURST 16u

/* What was counted for a subscriber. */
struct tally {
	uint64_t pkts, bytes, bearers, marks, flows, drops, lanes;
	unsigned int calls;
};

/* ---- what receives final counts ---- */

static void
of_bearer(uint32_t session, uint32_t bearer, const struct tree_stats_bearer *last, void *user)
{
	struct tally *tally = user;

	CHECK(session < TREE_STATS_SESSION_MAX && bearer < TREE_STATS_BEARER_MAX, "bearer %u", bearer);
	tally->bearers += last->bytes;
	tally->marks += last->marks;
	tally->calls++;
}

static void
of_flow(uint32_t session, uint32_t bearer, uint32_t flow, const struct tree_stats_flow *last,
	void *user)
{
	(void)session, (void)bearer, (void)flow;
	((struct tally *)user)->flows += last->pkts;
	((struct tally *)user)->calls++;
}

static void
of_queue(uint32_t session, uint32_t bearer, uint32_t queue, const struct tree_stats_queue *last,
	 void *user)
{
	(void)session, (void)bearer, (void)queue;
	((struct tally *)user)->drops += last->drops;
}

static void
of_lane(uint32_t session, uint32_t lane, const struct tree_stats_lane *last, void *user)
{
	(void)session, (void)lane;
	((struct tally *)user)->lanes += last->pkts;
}

static const struct tree_stats_end_ops ops = {
	.bearer = of_bearer, .flow = of_flow, .queue = of_queue, .lane = of_lane,
};

static struct tree_stats_session_key
subscriber(uint32_t number)
{
	struct tree_stats_session_key key = { .number = number };

	return key;
}

/* Two bearers in a session, each with a flow, and the keys. */
static void
furnish(uint32_t session, uint32_t number)
{
	const struct tree_stats_session_key key = subscriber(number);
	struct tree_stats_bearer_key kind = { .kind = 0 };
	struct tree_stats_lane_key tag = { .tag = number };

	for (; kind.kind < 2; kind.kind++) {
		EQUAL(tree_stats_bearer_create(session, kind.kind), 0);
		EQUAL(tree_stats_bearer_key_set(session, kind.kind, &kind), 0);
		EQUAL(tree_stats_flow_create(session, kind.kind, 1), 0);
	}
	EQUAL(tree_stats_lane_key_set(session, 1, &tag), 0);
	/* Last: a worker that finds the session finds what is inside of it. */
	EQUAL(tree_stats_session_key_set(session, &key), 0);
}

static void
begin(uint32_t session, uint32_t number)
{
	EQUAL(tree_stats_session_create(session), 0);
	furnish(session, number);
}

static void
count(struct tally *tally, uint32_t session, uint32_t bearer, uint64_t size)
{
	tree_stats_update_packet(session, bearer, size);
	tree_stats_update_side(session, bearer, 1, 0, 1);
	tree_stats_queue_add_depth(session, bearer, 0, 3);
	tally->pkts++;
	tally->bytes += size;
	tally->bearers += size;
	tally->marks++;
	tally->flows++;
	tally->drops++;
	tally->lanes++;
}

static void
check_bill(const struct tally *bill, const struct tally *counted, uint64_t number)
{
	CHECK(bill->pkts == counted->pkts && bill->bytes == counted->bytes &&
	      bill->bearers == counted->bearers && bill->marks == counted->marks &&
	      bill->flows == counted->flows && bill->drops == counted->drops &&
	      bill->lanes == counted->lanes,
	      "the bill of subscriber %" PRIu64 " is off by %" PRId64 " packets, %" PRId64 " and %"
	      PRId64 " octets, %" PRId64 " marks, %" PRId64 " of flows, %" PRId64 " drops, %" PRId64
	      " of lanes", number, (int64_t)(bill->pkts - counted->pkts),
	      (int64_t)(bill->bytes - counted->bytes), (int64_t)(bill->bearers - counted->bearers),
	      (int64_t)(bill->marks - counted->marks), (int64_t)(bill->flows - counted->flows),
	      (int64_t)(bill->drops - counted->drops), (int64_t)(bill->lanes - counted->lanes));
}

/* Everything of a new session is 0, and its parts have no keys. */
static void
check_new(uint32_t session)
{
	struct tree_stats_session now;
	struct tree_stats_bearer bearer;
	struct tree_stats_lane_key tag;
	int rc;

	/* Other sessions are counted in the same sections. */
	while ((rc = tree_stats_session_read(session, &now)) == -EAGAIN)
		sched_yield();
	EQUAL(rc, 0);
	EQUAL(now.pkts + now.bytes, 0);
	EQUAL(tree_stats_bearer_read(session, 0, &bearer), -ENOENT);
	EQUAL(tree_stats_bearer_exists(session, 1), false);
	EQUAL(tree_stats_flow_exists(session, 1, 1), false);
	EQUAL(tree_stats_lane_get_pkts(session, 1), 0);
	EQUAL(tree_stats_queue_get_drops(session, 1, 0), 0);
	EQUAL(tree_stats_queue_get_depth(session, 1, 0), 0);
	EQUAL(tree_stats_lane_key_get(session, 1, &tag), -ENOENT);
}

/* ---- step by step ---- */

/* The calling thread has an lcore id, and reports. */
static void
open_all(void)
{
	if (ctr_lcore_id() >= CTR_MAX_LCORE)
		EQUAL(ctr_thread_register(), 0);
	EQUAL(tree_stats_init(), 0);
	tree_stats_quiescent();
}

TEST(together)
{
	struct tally counted = { 0 }, bill = { 0 };
	const struct tree_stats_bearer_key kind = { .kind = 0 };
	struct tree_stats_session last;
	struct tree_stats_bearer of_one;
	uint32_t found, again;

	open_all();
	EQUAL(tree_stats_bearer_create(5, 0), -ENOENT);
	EQUAL(tree_stats_bearer_alloc(5, &found), -ENOENT);
	for (again = 0; again < 3; again++) {
		begin(5, again);
		for (size_t i = 0; i < CORNERS; i++)
			count(&counted, 5, (uint32_t)i % 2, corners[i]);
		/* One of the bearers ends before. */
		EQUAL(tree_stats_flow_destroy(5, 1, 1, NULL), -EINPROGRESS);
		EQUAL(tree_stats_bearer_destroy(5, 1, &of_one), -EINPROGRESS);
		/* None of what is inside is lost without a notice. */
		EQUAL(tree_stats_session_destroy(5, &last), -EBUSY);
		EQUAL(tree_stats_session_destroy(5, NULL), -EBUSY);
		EQUAL(tree_stats_session_exists(5), true);
		EQUAL(tree_stats_bearer_key_find(5, &kind, &found), 0);
		EQUAL(tree_stats_session_destroy_with(5, &last, &ops, &bill), -EINPROGRESS);
		EQUAL(bill.calls, 0);
		EQUAL(tree_stats_session_exists(5) + tree_stats_bearer_exists(5, 0), 0);
		EQUAL(tree_stats_bearer_next(0), TREE_STATS_SESSION_MAX * TREE_STATS_BEARER_MAX);
		EQUAL(tree_stats_bearer_key_find(5, &kind, &found), -ENOENT);
		/* What was found before counts until the next report. */
		count(&counted, 5, 0, 1000);
		EQUAL(tree_stats_session_create(5), -EBUSY);
		EQUAL(tree_stats_bearer_create(5, 2), -ENOENT);
		EQUAL(tree_stats_bearer_destroy(5, 0, NULL), -ENOENT);
		EQUAL(tree_stats_session_destroy(5, &last), -EBUSY);
		EQUAL(tree_stats_session_destroy_with(5, &last, &ops, &bill), -EINPROGRESS);
		EQUAL(bill.calls, 0);
		tree_stats_quiescent();
		EQUAL(tree_stats_session_destroy_with(5, &last, &ops, &bill), 0);
		EQUAL(tree_stats_session_destroy_with(5, &last, &ops, &bill), -ENOENT);
		/* Nobody needs the counts of the flow that ended by itself. */
		EQUAL(bill.calls, 3);
		bill.pkts = last.pkts;
		bill.bytes = last.bytes;
		bill.flows += 3;
		check_bill(&bill, &counted, again);
		memset(&bill, 0, sizeof(bill));
		memset(&counted, 0, sizeof(counted));
		tree_stats_quiescent();
		EQUAL(tree_stats_session_create(5), 0);
		check_new(5);
		/* With nothing inside that could lose counts, it ends as any other. */
		tree_stats_quiescent();
		EQUAL(tree_stats_session_destroy(5, NULL), -EINPROGRESS);
		tree_stats_quiescent();
		EQUAL(tree_stats_session_destroy(5, NULL), 0);
	}
	EQUAL(tree_stats_late(), 0);
	EQUAL(tree_stats_bearer_trim(), -EINPROGRESS);
	EQUAL(tree_stats_session_trim(), -EINPROGRESS);
	tree_stats_quiescent();
	EQUAL(tree_stats_bearer_trim(), 0);
	EQUAL(tree_stats_session_trim(), 0);
	begin(5, 7);
	tree_stats_fini();
	tree_stats_fini();
}

/* Nobody needs the counts: whoever takes the index next ends it, with all inside of it. */
TEST(discarded)
{
	struct tally counted = { 0 };
	uint32_t index;

	open_all();
	for (unsigned int way = 0; way < 2; way++) {
		begin(0, 1);
		count(&counted, 0, 0, 100);
		EQUAL(tree_stats_session_destroy_with(0, NULL, NULL, NULL), -EINPROGRESS);
		tree_stats_quiescent();
		if (way == 0)
			EQUAL(tree_stats_session_create(0), 0);
		else
			EQUAL(tree_stats_session_alloc(&index), 0);
		check_new(0);
		EQUAL(tree_stats_bearer_create(0, 0), 0);
		EQUAL(tree_stats_bearer_get_bytes(0, 0), 0);
		EQUAL(tree_stats_queue_get_drops(0, 0, 0), 0);
		EQUAL(tree_stats_session_destroy_with(0, NULL, NULL, NULL), -EINPROGRESS);
		tree_stats_quiescent();
		EQUAL(tree_stats_session_destroy_with(0, NULL, NULL, NULL), 0);
	}
	tree_stats_fini();
}

/* ---- misuse, in debug builds ---- */

static void
keep(unsigned int way)
{
	struct tree_stats_batch batch;
	const uint32_t sessions[] = { 3 }, bearers[] = { 0 };
	const uint64_t sizes[] = { 10 };

	switch (way % 6) {
	case 0:
		tree_stats_update_packet(3, 0, 10);
		break;
	case 1:
		tree_stats_session_inc_pkts(3);
		break;
	case 2:
		tree_stats_update_packet_bulk(sessions, bearers, sizes, 1);
		break;
	case 3:
		tree_stats_batch_begin(&batch);
		tree_stats_batch_packet(&batch, 3, 0, 10);
		tree_stats_batch_end(&batch);
		break;
	case 4:
		tree_stats_bearer_inc_marks(3, 0);
		break;
	default:
		tree_stats_lane_inc_pkts(3, 1);
	}
}

static volatile sig_atomic_t misused;

static void
stopped(int unused)
{
	(void)unused;
	_exit(misused ? 0 : 1);
}

/* With ways above 5, the instance is settled when it is used. */
TEST(kept)
{
	const unsigned int way = (unsigned int)option("WAY", 0);

	(void)signal(SIGABRT, stopped);
	open_all();
	begin(3, 1);
	keep(way);
	tree_stats_quiescent();
	keep(way);
	EQUAL(tree_stats_session_destroy_with(3, NULL, NULL, NULL), -EINPROGRESS);
	keep(way);
	tree_stats_quiescent();
	if (way > 5)
		EQUAL(tree_stats_session_destroy_with(3, NULL, NULL, NULL), 0);
	misused = 1;
	keep(way);
#ifdef CTR_DEBUG
	CHECK(false, "an index that was kept does not stop the program");
#endif
	tree_stats_fini();
}

/* ---- under traffic ---- */

struct subscriber {
	struct subscriber *next; /* in the list of those that end */
	uint64_t number;
	uint32_t index;
	struct tally bill;
};

/* The number of a subscriber and the index of its session, by place; 0: none. */
static uint64_t published[PLACES];
static struct tally tallies[MOST_WORKERS][RING];
static struct subscriber subscribers[RING];
static struct subscriber *ending;
static uint64_t bursts[MOST_WORKERS];
static uint32_t stop;
static unsigned int workers;

static void
one_burst(struct worker *me)
{
	for (unsigned int i = 0; i < BURST; i++) {
		const uint64_t found = __atomic_load_n(&published[draw(me) % PLACES], __ATOMIC_ACQUIRE);
		const struct tree_stats_session_key key = subscriber((uint32_t)(found >> 32));
		const struct tree_stats_bearer_key kind = { .kind = (uint32_t)(draw(me) % 2) };
		uint32_t session = (uint32_t)found, bearer = kind.kind;

		if (found == 0)
			continue;
		if (i % 4 == 0 && (tree_stats_session_key_find(&key, &session) != 0 ||
				   tree_stats_bearer_key_find(session, &kind, &bearer) != 0))
			continue;
		count(&tallies[me->number][(found >> 32) % RING], session, bearer,
		      draw(me) % 3 == 0 ? corners[draw(me) % CORNERS] : 64 + i);
	}
}

static void
work(struct worker *me)
{
	uint64_t done;

	tree_stats_quiescent();
	for (done = 1; !is_set(&stop); done++) {
		one_burst(me);
		__atomic_store_n(&bursts[me->number], done, __ATOMIC_RELAXED);
		if (done % 512 == 0) {
			tree_stats_flush();
			ctr_quiescent_offline();
			ctr_yield();
			ctr_quiescent_online();
		} else {
			tree_stats_quiescent();
		}
		/* With fewer cores than threads, others would wait for a time slice. */
		if (done % 32 == 0)
			ctr_yield();
	}
	tree_stats_flush();
	ctr_quiescent_offline();
}

/* Go on with those that end; how many are left. */
static unsigned int
look_after(void)
{
	unsigned int left = 0;
	struct subscriber **at = &ending;

	while (*at != NULL) {
		struct subscriber *one = *at;
		struct tree_stats_session last;
		struct tally counted = { 0 };
		int rc = tree_stats_session_destroy_with(one->index, &last, &ops, &one->bill);

		if (rc == -EINPROGRESS) {
			at = &one->next;
			left++;
			continue;
		}
		EQUAL(rc, 0);
		one->bill.pkts = last.pkts;
		one->bill.bytes = last.bytes;
		for (unsigned int n = 0; n < workers; n++) {
			struct tally *tally = &tallies[n][one->number % RING];

			counted.pkts += tally->pkts;
			counted.bytes += tally->bytes;
			counted.bearers += tally->bearers;
			counted.marks += tally->marks;
			counted.flows += tally->flows;
			counted.drops += tally->drops;
			counted.lanes += tally->lanes;
			memset(tally, 0, sizeof(*tally));
		}
		/* Counters of 32 bits are added up here, each of which wraps. */
		check_bill(&one->bill, &counted, one->number);
		EQUAL(one->bill.calls, 4);
		*at = one->next;
		memset(one, 0, sizeof(*one));
	}
	return left;
}

static void
publish(uint64_t number)
{
	struct subscriber *one = &subscribers[number % RING];
	unsigned int spins = 0;
	int rc;

	while (one->number != 0) {
		(void)look_after();
		ctr_spin_wait(&spins);
	}
	one->number = number;
	while ((rc = tree_stats_session_alloc(&one->index)) == -ENOSPC) {
		(void)look_after();
		ctr_spin_wait(&spins);
	}
	EQUAL(rc, 0);
	check_new(one->index);
	furnish(one->index, (uint32_t)number);
	__atomic_store_n(&published[number % PLACES], number << 32 | one->index, __ATOMIC_RELEASE);
}

static void
withdraw(unsigned int place)
{
	struct subscriber *one = &subscribers[(published[place] >> 32) % RING];

	if (published[place] == 0)
		return;
	__atomic_store_n(&published[place], 0, __ATOMIC_RELEASE);
	one->next = ending;
	ending = one;
}

/* Workers count for the present subscribers. */
static void
wait_for_bursts(void)
{
	for (unsigned int n = 0, spins = 0; n < workers; n++) {
		const uint64_t then = __atomic_load_n(&bursts[n], __ATOMIC_RELAXED);

		while (__atomic_load_n(&bursts[n], __ATOMIC_RELAXED) == then)
			ctr_spin_wait(&spins);
	}
}

TEST(subscribers)
{
	const uint64_t wanted = option("LIVES", 2000);
	struct worker all[MOST_WORKERS];
	unsigned int n, spins = 0;
	uint64_t number, since;

	workers = (unsigned int)option("WORKERS", 2);
	CHECK(workers <= MOST_WORKERS, "%u workers", workers);
	EQUAL(tree_stats_init(), 0);
	workers_start(all, workers, work, workers);
	workers_go();
	since = ctr_time_ns();
	for (number = 1; number <= wanted; number++) {
		withdraw((unsigned int)(number % PLACES));
		while (look_after() > 256)
			ctr_spin_wait(&spins);
		publish(number);
		if (number % PLACES == 0)
			wait_for_bursts();
	}
	for (n = 0; n < PLACES; n++)
		withdraw(n);
	while (look_after() != 0)
		ctr_spin_wait(&spins);
	since = (ctr_time_ns() - since) / 1000000;
	set_flag(&stop, 1);
	workers_join(all, workers);
	printf("subscribers=%" PRIu64 " packets=%" PRIu64 " late=%" PRIu64 " ms=%" PRIu64 "\n",
	       number - 1, tree_stats_get_pkts(), tree_stats_late(), since);
	EQUAL(tree_stats_late(), 0);
	tree_stats_fini();
}
