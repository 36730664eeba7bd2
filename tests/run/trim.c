/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Memory of flows that are gone is given back when nobody can be in it any more, step by step.
 *
 * Options: HELD, 1 if updates wait in a buffer; COPY and ONCE, bytes of a piece of memory in
 * each copy and beside them; COPIES, 1 where lcores share one; OTHERS, copies of
 * threads that are none; READ, the read that is stopped.
 */
#ifdef CTR_PORT_DPDK
#include <rte_lcore.h>
#include <rte_malloc.h>
#endif

#include "harness.h"
#include "heap.h"
#include "trim_stats.h"

#define PIECE 1024u
#define FIRST 3u                  /* A flow that stays. */
#define VICTIM (PIECE + 64u)      /* One in another piece, of the same epoch as: */
#define OTHER (2u * PIECE + 64u)
#define MARKS 7u

/* ---- a worker that does what it is told ---- */

static uint32_t flow;

static void
count(void)
{
	trim_stats_update_packet(flow, MARKS);
}

static void
tell_count(uint32_t index)
{
	flow = index;
	tell(count);
}

static void
begin(struct worker *worker)
{
	EQUAL(trim_stats_init(), 0);
	memset(worker, 0, sizeof(*worker));
	worker_start(worker, obey, false);
	workers_go();
}

static void
end(struct worker *worker)
{
	tell(ctr_thread_unregister);
	workers_join(worker, 1);
	trim_stats_fini();
	EQUAL(heap_blocks(), 0);
}

static uint32_t came, may_count;

/* Comes into use, and counts later. */
static void
come(struct worker *me)
{
	(void)me;
	EQUAL(ctr_thread_register(), 0);
	set_flag(&came, 1);
	while (__atomic_load_n(&may_count, __ATOMIC_ACQUIRE) == 0)
		ctr_yield();
	trim_stats_update_packet(VICTIM, MARKS);
	trim_stats_flush();
	ctr_thread_unregister();
}

/* ---- what is expected ---- */

/* Bytes of a piece with so many lcores in use, and the copy of threads that are none. */
static uint64_t
piece(unsigned int lcores)
{
	uint64_t copies = option("COPIES", lcores + 1);

	return option("ONCE", 0) + copies * option("COPY", 0);
}

/* How many lcores are in use, with so many registered threads. */
static unsigned int
lcores(unsigned int threads)
{
#ifdef CTR_PORT_DPDK
	(void)threads;
	return rte_lcore_count();
#else
	return threads;
#endif
}

/* Bytes that the allocator has given away, beside the test's own record of that. */
static uint64_t
allocated(void)
{
#ifdef CTR_PORT_DPDK
	struct rte_malloc_socket_stats stats;
	uint64_t sum = 0;
	int socket;

	for (socket = 0; socket < RTE_MAX_NUMA_NODES; socket++)
		if (rte_malloc_get_socket_stats(socket, &stats) == 0)
			sum += stats.heap_allocsz_bytes;
	return sum;
#else
	return heap_bytes();
#endif
}

static void
create(uint32_t index)
{
	EQUAL(trim_stats_flow_create(index), 0);
	EQUAL(trim_stats_flow_get_pkts(index), 0);
	EQUAL(trim_stats_flow_get_depth(index), 0);
}

static void
expect(uint32_t index, uint64_t pkts)
{
	struct trim_stats_flow values;

	EQUAL(trim_stats_flow_read(index, &values), 0);
	EQUAL(values.pkts, pkts);
	EQUAL(values.marks, pkts * MARKS);
	EQUAL(trim_stats_flow_get_pkts(index), pkts);
}

static void
expect_none(uint32_t index)
{
	struct trim_stats_flow values;
	char name[sizeof(values.name)];

	EQUAL(trim_stats_flow_exists(index), false);
	EQUAL(trim_stats_flow_read(index, &values), -ENOENT);
	EQUAL(trim_stats_flow_view_read(TRIM_STATS_VIEW_SHOWN, index, &values), -ENOENT);
	EQUAL(trim_stats_flow_reset(index, &values), -ENOENT);
	EQUAL(trim_stats_flow_destroy(index, &values), -ENOENT);
	EQUAL(trim_stats_flow_get_name(index, name), -ENOENT);
	EQUAL(trim_stats_flow_set_name(index, "name"), -ENOENT);
	EQUAL(trim_stats_flow_get_pkts(index), 0);
	EQUAL(trim_stats_flow_get_marks(index), 0);
	EQUAL(trim_stats_flow_get_depth(index), 0);
	EQUAL(trim_stats_flow_lcore_get_pkts(0, index), 0);
}

/* Whether a report applies what the worker holds back of a flow that stays. Where reports are not
 * needed for that, none does. */
static void
expect_applied(bool wanted)
{
	uint64_t before = trim_stats_flow_get_pkts(FIRST);

	tell_count(FIRST);
	if (trim_stats_flow_get_pkts(FIRST) == before) {
		tell(trim_stats_quiescent);
		if (option("HELD", 0) != 0) /* else the control thread may apply it at any time */
			EQUAL(trim_stats_flow_get_pkts(FIRST) == before + 1, wanted);
		tell(trim_stats_flush);
	} else {
		tell(trim_stats_quiescent);
	}
}

/* ---- the tests ---- */

/* While nobody has ever reported, an update could be anywhere. */
TEST(nobody_reports)
{
	EQUAL(trim_stats_init(), 0);
	EQUAL(trim_stats_flow_trim(), -ENOTSUP);
	create(FIRST);
	EQUAL(trim_stats_flow_destroy(FIRST, NULL), 0);
	EQUAL(trim_stats_flow_trim(), -ENOTSUP);
	trim_stats_fini();
}

/* What is given back is all of the pieces in which nothing exists; others stay as they are. */
TEST(given_back)
{
	struct worker worker;
	uint64_t before, one, given;
	uint32_t i;

	begin(&worker);
	tell(trim_stats_quiescent);
	one = piece(lcores(1));
	before = heap_bytes();
	for (i = 0; i < 4 * PIECE; i++) {
		create(i);
		tell_count(i);
	}
	EQUAL(heap_bytes() - before, 4 * one);
	EQUAL(trim_stats_flow_trim(), 0);
	EQUAL(heap_bytes() - before, 4 * one);
	for (i = 0; i < 4 * PIECE; i++)
		if (i != FIRST && i != 3 * PIECE)
			EQUAL(trim_stats_flow_destroy(i, NULL), -EINPROGRESS);
	EQUAL(trim_stats_flow_trim(), -EINPROGRESS);
	EQUAL(heap_bytes() - before, 4 * one);
	tell(trim_stats_quiescent);
	/* All are settled; but the worker may know of them from before that. */
	given = allocated();
	EQUAL(trim_stats_flow_trim(), -EINPROGRESS);
	EQUAL(heap_bytes() - before, 4 * one);
	expect_none(VICTIM);
	expect_applied(true);
	EQUAL(trim_stats_flow_trim(), 0);
	EQUAL(heap_bytes() - before, 2 * one);
	given -= allocated();
	CHECK(given >= 2 * one, "the allocator got %" PRIu64 " bytes of %" PRIu64, given, 2 * one);
	EQUAL(trim_stats_flow_trim(), 0);
	EQUAL(trim_stats_late(), 0);
	expect_none(VICTIM);
	tell_count(VICTIM);
	EQUAL(trim_stats_late(), 1);
	expect_applied(false);
	tell(trim_stats_flush);
	expect(FIRST, 3);
	expect(3 * PIECE, 1);
	EQUAL(trim_stats_flow_next(0), FIRST);
	EQUAL(trim_stats_flow_next(FIRST + 1), 3 * PIECE);
	EQUAL(trim_stats_flow_next(3 * PIECE + 1), 4 * PIECE);
	end(&worker);
}

/* It can be created again at any time, with a count of 0 and memory for all lcores. */
TEST(taken_back)
{
	struct worker worker, another;
	uint64_t before, one;

	begin(&worker);
	tell(trim_stats_quiescent);
	before = heap_bytes();
	one = piece(lcores(1));
	create(FIRST);
	create(VICTIM);
	tell_count(VICTIM);
	EQUAL(trim_stats_flow_destroy(VICTIM, NULL), -EINPROGRESS);
	tell(trim_stats_quiescent);
	EQUAL(trim_stats_flow_trim(), -EINPROGRESS);
	EQUAL(heap_bytes() - before, 2 * one);
	create(VICTIM);
	EQUAL(heap_bytes() - before, 2 * one);
	expect_applied(false);
	tell_count(VICTIM);
	tell(trim_stats_quiescent);
	/* What was out of sight is in use again, and is no waste. */
	EQUAL(trim_stats_flow_trim(), 0);
	tell(trim_stats_flush);
	expect(VICTIM, 1);
	EQUAL(trim_stats_flow_destroy(VICTIM, NULL), -EINPROGRESS);
	tell(trim_stats_quiescent);
	EQUAL(trim_stats_flow_trim(), -EINPROGRESS);
	/* One that comes meanwhile has no memory for what nobody sees. */
	memset(&another, 0, sizeof(another));
	worker_start(&another, come, false);
	workers_go();
	await(&came);
	heap_fail(1);
	if (option("COPIES", 0) == 0) {
		EQUAL(trim_stats_flow_create(VICTIM), -ENOMEM);
		EQUAL(heap_failed(), true);
		EQUAL(trim_stats_flow_exists(VICTIM), false);
	}
	heap_fail(0);
	create(VICTIM);
	__atomic_store_n(&may_count, 1, __ATOMIC_RELEASE);
	workers_join(&another, 1);
	tell_count(VICTIM);
	tell(trim_stats_flush);
	expect(VICTIM, 2);
	end(&worker);
}

/* One that is settled may stand in line behind one that is not: its memory stays as well. */
TEST(in_line)
{
	struct trim_stats_flow last;
	struct worker worker;
	uint64_t before, one;
	unsigned int i;

	begin(&worker);
	tell(trim_stats_quiescent);
	before = heap_bytes();
	one = piece(lcores(1));
	create(VICTIM);
	create(OTHER);
	EQUAL(trim_stats_flow_destroy(OTHER, NULL), -EINPROGRESS);
	EQUAL(trim_stats_flow_destroy(VICTIM, NULL), -EINPROGRESS);
	tell(trim_stats_quiescent);
	/* Who wants to know the count settles both, while they are in line. */
	EQUAL(trim_stats_flow_destroy(OTHER, &last), 0);
	EQUAL(trim_stats_flow_destroy(VICTIM, &last), 0);
	create(OTHER);
	EQUAL(trim_stats_flow_destroy(OTHER, NULL), -EINPROGRESS);
	EQUAL(trim_stats_flow_trim(), -EINPROGRESS);
	EQUAL(trim_stats_flow_exists(VICTIM), false);
	tell(trim_stats_quiescent);
	EQUAL(trim_stats_flow_trim(), -EINPROGRESS);
	EQUAL(heap_bytes() - before, 2 * one);
	for (i = 0; i < 4 && trim_stats_flow_trim() != 0; i++)
		tell(trim_stats_quiescent);
	EQUAL(heap_bytes(), before);
	end(&worker);
}

/* Reports that apply nothing give back nothing that an lcore may write to. */
TEST(other_reports)
{
	struct worker worker;
	uint64_t before;
	unsigned int i;

	begin(&worker);
	tell(trim_stats_quiescent);
	before = heap_bytes();
	create(VICTIM);
	EQUAL(trim_stats_flow_destroy(VICTIM, NULL), -EINPROGRESS);
	tell(trim_stats_quiescent);
	tell_count(VICTIM); /* late, but nobody has asked since */
	EQUAL(trim_stats_flow_trim(), -EINPROGRESS);
	for (i = 0; option("HELD", 0) != 0 && i < 4; i++) {
		tell(ctr_quiescent);
		EQUAL(trim_stats_flow_trim(), -EINPROGRESS);
		CHECK(heap_bytes() > before, "memory that may be written to is given back");
	}
	tell(trim_stats_quiescent);
	EQUAL(trim_stats_flow_trim(), 0);
	EQUAL(heap_bytes(), before);
	tell(trim_stats_flush);
	end(&worker);
}

/* What is out of sight at the end is freed as well. */
TEST(left_over)
{
	struct worker worker;

	begin(&worker);
	tell(trim_stats_quiescent);
	create(FIRST);
	create(VICTIM);
	EQUAL(trim_stats_flow_destroy(VICTIM, NULL), -EINPROGRESS);
	tell(trim_stats_quiescent);
	EQUAL(trim_stats_flow_trim(), -EINPROGRESS);
	end(&worker);
	EQUAL(trim_stats_init(), 0);
	expect_none(VICTIM);
	expect_none(FIRST);
	create(VICTIM);
	trim_stats_fini();
	EQUAL(heap_blocks(), 0);
}
