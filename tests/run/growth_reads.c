/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * A table grows while lcores count in it and others read it: no count is lost, seen twice or seen
 * to go back, and no instance is missing from what is read after it was created.
 *
 * Options: FLOWS that there are in the end, 16384 at most.
 */
#include "harness.h"
#include "many_stats.h"

#define MOST 16384u
#define SIZE 64u
#define WRITERS 3
#define FOREIGN 1 /* of them, the last one */
#define GUEST WRITERS
#define READERS 2
#define STEP 32u /* flows between two looks at the readers */
#define LATER 1024u /* and between two lcores that come */

/* How many flows there are, from index 0 on. */
static uint32_t exist;
static uint32_t flows, stop, reads[READERS];
static uint64_t tallies[WRITERS + 1][MOST];

static void
count(unsigned int who, uint32_t flow)
{
	tallies[who][flow]++;
	many_stats_flow_add_pkts(flow, 1);
	many_stats_flow_add_bytes(flow, SIZE);
}

/* In old ones and in the newest. */
static void
count_in_what_exists(struct worker *me)
{
	while (!is_set(&stop)) {
		for (unsigned int i = 0; i < 64; i++) {
			uint32_t end = __atomic_load_n(&exist, __ATOMIC_ACQUIRE), r = draw(me);

			count(me->number, r % 4 == 0 ? end - 1 : r % end);
		}
		/* With fewer cores than threads, others would wait for a time slice. */
		ctr_yield();
	}
	many_stats_flush();
}

/* Memory of its own for all flows that there are when it comes. */
static void *
count_once_in_each(void *unused)
{
	uint32_t end = __atomic_load_n(&exist, __ATOMIC_ACQUIRE);

	(void)unused;
	EQUAL(ctr_thread_register(), 0);
	for (uint32_t flow = 0; flow < end; flow++)
		count(GUEST, flow);
	ctr_thread_unregister();
	return NULL;
}

/* ---- readers ---- */

/* A read of a flow that began when there were `end` flows. */
static void
look(uint32_t flow, uint32_t end, uint64_t *seen)
{
	uint64_t pkts = many_stats_flow_get_pkts(flow);
	struct many_stats_flow now;
	int rc = many_stats_flow_read(flow, &now);

	CHECK(pkts >= *seen && pkts >> 40 == 0, "%" PRIu64 " after %" PRIu64, pkts, *seen);
	CHECK(rc == 0 || rc == -EAGAIN || (rc == -ENOENT && flow >= end), "flow %u of %u: %d", flow,
	      end, rc);
	if (rc != -ENOENT) {
		CHECK(now.pkts >= pkts && now.pkts >> 40 == 0, "%" PRIu64 " after %" PRIu64, now.pkts,
		      pkts);
		pkts = now.pkts;
	}
	*seen = pkts;
}

static void
read_flows(struct worker *me)
{
	static uint64_t seen[MOST];

	while (!is_set(&stop)) {
		for (unsigned int i = 0; i < 64; i++) {
			uint32_t end = __atomic_load_n(&exist, __ATOMIC_ACQUIRE), r = draw(me), next;
			/* The newest, one that may come any time now, or any. */
			uint32_t flow = r % 4 == 0 ? end - 1 : r % 4 == 1 ? end : r % flows;

			flow = flow < flows ? flow : 0;
			look(flow, end, &seen[flow]);
			next = many_stats_flow_next(flow);
			CHECK(flow >= end || next == flow, "%u after %u of %u", next, flow, end);
		}
		set_flag(&reads[me->number], reads[me->number] + 1);
		ctr_yield();
	}
}

/* One memory for the values of all, which grows as well. */
static void
read_all(struct worker *me)
{
	static uint64_t seen[MOST];
	struct many_stats_snapshot *snap;

	EQUAL(many_stats_snapshot_create(&snap), 0);
	while (!is_set(&stop)) {
		uint32_t end = __atomic_load_n(&exist, __ATOMIC_ACQUIRE);
		int rc = many_stats_snapshot_read(snap);

		CHECK(rc == 0 || rc == -EAGAIN, "snapshot_read gives %d", rc);
		CHECK(snap->num_flow >= end, "%u flows of %u", snap->num_flow, end);
		for (uint32_t i = 0; i < snap->num_flow; i++) {
			uint64_t pkts = snap->flow[i].pkts;

			EQUAL(snap->flow_index[i], i);
			if ((snap->flow_valid[i].pkts & CTR_VALID) == 0)
				continue;
			CHECK(pkts >= seen[i] && pkts >> 40 == 0, "%" PRIu64 " after %" PRIu64, pkts,
			      seen[i]);
			seen[i] = pkts;
		}
		set_flag(&reads[me->number], reads[me->number] + 1);
		ctr_yield();
	}
	many_stats_snapshot_free(snap);
}

/* ---- growth ---- */

/* Each reader has ended a read since. */
static void
wait_for_readers(void)
{
	uint32_t before[READERS];

	for (unsigned int i = 0; i < READERS; i++)
		before[i] = __atomic_load_n(&reads[i], __ATOMIC_RELAXED);
	for (unsigned int i = 0; i < READERS; i++)
		while (__atomic_load_n(&reads[i], __ATOMIC_RELAXED) == before[i])
			ctr_yield();
}

static void
grow(void)
{
	for (uint32_t i = 1; i < flows; i++) {
		EQUAL(many_stats_flow_create(i), 0);
		__atomic_store_n(&exist, i + 1, __ATOMIC_RELEASE);
		if (i % STEP == 0)
			wait_for_readers();
		if (i % LATER == 0) {
			run_thread(count_once_in_each, NULL);
		}
	}
}

TEST(reads_meanwhile)
{
	struct worker workers[WRITERS + READERS];

	flows = (uint32_t)option("FLOWS", 8 * 1024 + 5);
	CHECK(flows <= MOST, "%u flows", flows);
	EQUAL(many_stats_init(), 0);
	EQUAL(many_stats_flow_create(0), 0);
	__atomic_store_n(&exist, 1, __ATOMIC_RELEASE);
	memset(workers, 0, sizeof(workers));
	for (unsigned int i = 0; i < WRITERS + READERS; i++) {
		bool writes = i < WRITERS;
		work_t reader = i == WRITERS ? read_flows : read_all;

		workers[i].number = writes ? i : i - WRITERS;
		worker_start(&workers[i], writes ? count_in_what_exists : reader,
			     i < WRITERS - FOREIGN);
	}
	workers_go();
	grow();
	wait_for_readers();
	set_flag(&stop, 1);
	workers_join(workers, WRITERS + READERS);
	many_stats_flush();
	for (uint32_t i = 0; i < flows; i++) {
		uint64_t sum = 0;

		for (unsigned int who = 0; who <= WRITERS; who++)
			sum += tallies[who][i];
		EQUAL(many_stats_flow_get_pkts(i), sum);
		EQUAL(many_stats_flow_get_bytes(i), sum * SIZE);
	}
	EQUAL(many_stats_late(), 0);
	many_stats_fini();
}
