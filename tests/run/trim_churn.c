/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Flows come and go in waves under traffic and reads, and after each wave the memory goes too.
 *
 * Every bill is exact, whatever was given back and taken again. AddressSanitizer sees who is still
 * in memory that went.
 *
 * Options: WAVES.
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
	uint32_t at;

	while (!is_set(&stop)) {
		at = draw(me) % TRIM_STATS_FLOW_MAX;
		if (trim_stats_flow_read(at, &values) == 0)
			CHECK(values.pkts >> 32 == 0, "%" PRIu64 " packets", values.pkts);
		(void)trim_stats_flow_view_read(TRIM_STATS_VIEW_SHOWN, at, &values);
		(void)trim_stats_flow_lcore_read(0, at, &values);
		CHECK(trim_stats_flow_get_pkts(at) >> 32 == 0, "a getter gives less than 0");
		(void)trim_stats_flow_lcore_get_pkts(0, at);
		(void)trim_stats_flow_set_name(at, "a flow");
		ctr_yield();
	}
}

static void
create_to(uint32_t end)
{
	uint32_t index = kept, got;

	for (; index < end; index++) {
		EQUAL(trim_stats_flow_alloc(&got), 0);
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

/* End the flows behind `kept` when all lcores have reported, and give back their memory; return
 * whether that was done. Without `wait` the next wave may come first. */
static unsigned int
end_wave(bool wait)
{
	const uint64_t before = heap_bytes();
	uint32_t index = published;
	unsigned int spins = 0;
	uint64_t moment;

	__atomic_store_n(&published, kept, __ATOMIC_RELEASE);
	moment = ctr_quiescent_start();
	while (!ctr_quiescent_passed(moment))
		ctr_spin_wait(&spins);
	while (index-- > kept)
		bill(index);
	while (trim_stats_flow_trim() == -EINPROGRESS && wait)
		ctr_spin_wait(&spins);
	return heap_bytes() < before;
}

TEST(waves)
{
	unsigned int waves = (unsigned int)option("WAVES", 100), n, given = 0;
	struct worker workers[WRITERS + READERS], me = { .random = 1 };

	EQUAL(trim_stats_init(), 0);
	memset(workers, 0, sizeof(workers));
	for (n = 0; n < WRITERS + READERS; n++) {
		workers[n].number = n;
		worker_start(&workers[n], n < WRITERS ? count_bursts : read_some, n < WRITERS);
	}
	workers_go();
	while (!ctr_quiescent_used())
		ctr_yield();
	for (n = 0; n < waves; n++) {
		create_to(kept + draw(&me) % (TRIM_STATS_FLOW_MAX - kept) + 1);
		kept = draw(&me) % published / 4; /* These stay for the next wave. */
		given += end_wave(n % 2 == 0);
	}
	set_flag(&stop, 1);
	workers_join(workers, WRITERS + READERS);
	kept = 0;
	given += end_wave(true);
	CHECK(given > 1, "nothing was given back beside threads");
	EQUAL(trim_stats_late(), 0);
	trim_stats_fini();
	EQUAL(heap_blocks(), 0);
}
