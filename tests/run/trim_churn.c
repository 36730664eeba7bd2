/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Flows come and go in waves under traffic and reads, and after each wave the memory goes too.
 *
 * Every bill is exact, whatever was given back and taken again. AddressSanitizer sees who is still
 * in memory that went.
 *
 * Options: WAVES; FLOWS of a wave at most; HELD, 1 if updates wait in a buffer.
 */
#include "harness.h"
#include "heap.h"
#include "trim_stats.h"

#define WRITERS 2
#define READERS 2
#define BURST 16u

static uint64_t tallies[WRITERS][TRIM_STATS_FLOW_MAX];
/* How many flows there are, from index 0 on, and how many of them stay. */
static uint32_t published, kept;
static uint32_t stop;

static void
count_bursts(struct worker *me)
{
	trim_stats_quiescent();
	while (!is_set(&stop)) {
		uint32_t n = __atomic_load_n(&published, __ATOMIC_ACQUIRE), i;

		for (i = 0; i < BURST && n != 0; i++) {
			uint32_t index = draw(me) % n;

			tallies[me->number][index]++;
			trim_stats_flow_add_depth(index, 1);
			trim_stats_update_packet(index, 3);
		}
		trim_stats_quiescent();
		ctr_yield();
	}
	trim_stats_flush();
	ctr_quiescent_offline();
}

static void
read_some(struct worker *me)
{
	struct trim_stats_flow values;
	char name[sizeof(values.name)];
	uint32_t at, next;

	while (!is_set(&stop)) {
		at = draw(me) % TRIM_STATS_FLOW_MAX;
		if (trim_stats_flow_read(at, &values) == 0)
			CHECK(values.pkts >> 32 == 0, "%" PRIu64 " packets", values.pkts);
		(void)trim_stats_flow_view_read(TRIM_STATS_VIEW_SHOWN, at, &values);
		(void)trim_stats_flow_lcore_read(0, at, &values);
		CHECK(trim_stats_flow_get_pkts(at) >> 32 == 0, "a getter gives less than 0");
		(void)trim_stats_flow_lcore_get_pkts(0, at);
		(void)trim_stats_flow_get_depth(at);
		(void)trim_stats_flow_exists(at);
		if (trim_stats_flow_set_name(at, "a flow") == 0)
			(void)trim_stats_flow_get_name(at, name);
		next = trim_stats_flow_next(at);
		CHECK(next >= at && next <= TRIM_STATS_FLOW_MAX, "%u after %u", next, at);
		ctr_yield();
	}
}

static void
create_to(uint32_t end)
{
	uint32_t index = kept, got;

	for (; index < end; index++) {
		int rc = trim_stats_flow_alloc(&got);

		EQUAL(rc, 0);
		EQUAL(got, index);
	}
	__atomic_store_n(&published, end, __ATOMIC_RELEASE);
}

static void
bill(uint32_t index)
{
	struct trim_stats_flow last;
	uint64_t sum = 0;
	unsigned int n, spins = 0;
	int rc;

	while ((rc = trim_stats_flow_destroy(index, &last)) == -EINPROGRESS)
		ctr_spin_wait(&spins);
	EQUAL(rc, 0);
	for (n = 0; n < WRITERS; n++) {
		sum += tallies[n][index];
		tallies[n][index] = 0;
	}
	EQUAL(last.pkts, sum);
	EQUAL(last.marks, (uint32_t)(3 * sum));
}

TEST(waves)
{
	unsigned int waves = (unsigned int)option("WAVES", 100), n, given = 0, again = 0, spins = 0;
	struct trim_stats_snapshot *snap;
	struct worker workers[WRITERS + READERS];
	uint32_t flows = (uint32_t)option("FLOWS", TRIM_STATS_FLOW_MAX), index;
	uint64_t before, random = 1;

	EQUAL(trim_stats_init(), 0);
	EQUAL(trim_stats_snapshot_create(&snap), 0);
	memset(workers, 0, sizeof(workers));
	for (n = 0; n < WRITERS + READERS; n++) {
		workers[n].number = n;
		worker_start(&workers[n], n < WRITERS ? count_bursts : read_some, n < WRITERS);
	}
	workers_go();
	while (!ctr_quiescent_used())
		ctr_yield();
	for (n = 0; n < waves; n++) {
		uint64_t moment;
		int rc;

		random = random * 6364136223846793005u + 1442695040888963407u;
		kept = published;
		create_to(kept + (uint32_t)(random >> 33) % (flows - kept) + 1);
		rc = trim_stats_snapshot_read(snap);
		CHECK(rc == 0 || rc == -EAGAIN, "snapshot_read gives %d", rc);
		EQUAL(snap->num_flow, published);
		/* Some stay for the next wave. */
		kept = (uint32_t)(random >> 50) % published / 4;
		index = published;
		__atomic_store_n(&published, kept, __ATOMIC_RELEASE);
		moment = ctr_quiescent_start();
		while (!ctr_quiescent_passed(moment))
			ctr_spin_wait(&spins);
		before = heap_bytes();
		while (index-- > kept)
			bill(index);
		/* Every other time the next wave comes before all have moved on. */
		while (trim_stats_flow_trim() == -EINPROGRESS) {
			again++;
			if (n % 2 != 0)
				break;
			ctr_spin_wait(&spins);
		}
		given += heap_bytes() < before;
	}
	set_flag(&stop, 1);
	workers_join(workers, WRITERS + READERS);
	for (index = 0; index < kept; index++)
		bill(index);
	EQUAL(trim_stats_flow_trim(), 0);
	EQUAL(trim_stats_late(), 0);
	printf("waves=%u given=%u again=%u\n", n, given, again);
	fflush(stdout);
	CHECK(given != 0 && again != 0, "nothing was given back, or at once");
	trim_stats_snapshot_free(snap);
	trim_stats_fini();
	EQUAL(heap_blocks(), 0);
}
