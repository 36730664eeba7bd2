/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Instances inside of one that ends: their final counts are those of that generation.
 *
 * stress.c has the same under traffic.
 *
 * Option: WAY of misuse, with CTR_DEBUG.
 */
#include <signal.h>
#include <unistd.h>

#include "harness.h"
#include "tree_stats.h"

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

/* A session with two bearers, each with a flow, and the keys. */
static void
begin(uint32_t session, uint32_t number)
{
	const struct tree_stats_session_key key = { .number = number };
	struct tree_stats_bearer_key kind = { .kind = 0 };
	struct tree_stats_lane_key tag = { .tag = number };

	EQUAL(tree_stats_session_create(session), 0);
	for (; kind.kind < 2; kind.kind++) {
		EQUAL(tree_stats_bearer_create(session, kind.kind), 0);
		EQUAL(tree_stats_bearer_key_set(session, kind.kind, &kind), 0);
		EQUAL(tree_stats_flow_create(session, kind.kind, 1), 0);
	}
	EQUAL(tree_stats_lane_key_set(session, 1, &tag), 0);
	EQUAL(tree_stats_session_key_set(session, &key), 0);
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
check_bill(const struct tally *bill, const struct tally *counted)
{
	EQUAL(bill->pkts, counted->pkts);
	EQUAL(bill->bytes, counted->bytes);
	EQUAL(bill->bearers, counted->bearers);
	EQUAL(bill->marks, counted->marks);
	EQUAL(bill->flows, counted->flows);
	EQUAL(bill->drops, counted->drops);
	EQUAL(bill->lanes, counted->lanes);
}

/* Everything of a new session is 0, and its parts have no keys. */
static void
check_new(uint32_t session)
{
	struct tree_stats_session now;
	struct tree_stats_bearer bearer;
	struct tree_stats_lane_key tag;

	EQUAL(tree_stats_session_read(session, &now), 0);
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
		ctr_quiescent(); /* applies nothing of what is held back of queues */
		EQUAL(tree_stats_session_destroy_with(5, &last, &ops, &bill), -EINPROGRESS);
		tree_stats_quiescent();
		EQUAL(tree_stats_session_destroy_with(5, &last, &ops, &bill), 0);
		EQUAL(tree_stats_session_destroy_with(5, &last, &ops, &bill), -ENOENT);
		/* Nobody needs the counts of the flow that ended by itself. */
		EQUAL(bill.calls, 3);
		bill.pkts = last.pkts;
		bill.bytes = last.bytes;
		bill.flows += 3;
		check_bill(&bill, &counted);
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
