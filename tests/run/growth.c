/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Memory is touched by who creates it: the lcore that counts first has no page fault.
 *
 * Options: FLOWS that there are in the end.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <sys/resource.h>

#include "harness.h"
#include "many_stats.h"

#define FEW 1000u

static uint32_t flows, counted, grown;
static int64_t faults;

static int64_t
faults_here(void)
{
	struct rusage used;

	EQUAL(getrusage(RUSAGE_THREAD, &used), 0);
	return used.ru_minflt + used.ru_majflt;
}

static void
count(uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to; i++) {
		many_stats_flow_add_pkts(i, 1);
		many_stats_flow_add_bytes(i, 64);
		many_stats_flow_set_depth(i, i);
	}
	many_stats_flush();
}

/* Counts in one flow, and then in all that there are in the end. */
static void
count_twice(struct worker *me)
{
	int64_t before;

	(void)me;
	EQUAL(ctr_thread_register(), 0);
	(void)faults_here();
	count(0, 1);
	set_flag(&counted, 1);
	await(&grown);
	before = faults_here();
	count(0, flows);
	faults = faults_here() - before;
	ctr_thread_unregister();
}

static void
create(uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to; i++)
		EQUAL(many_stats_flow_create(i), 0);
}

/* The lcore comes when there are `first` flows; the others are created while it is there. Those of
 * the EAL are there from the beginning.
 */
static void
grow(uint32_t first, bool of_the_eal)
{
	struct worker worker = { 0 };

	flows = (uint32_t)option("FLOWS", 20000);
	if (first > flows)
		first = flows;
	EQUAL(many_stats_init(), 0);
	create(0, first);
	worker_start(&worker, count_twice, of_the_eal);
	workers_go();
	await(&counted);
	create(first, flows);
	set_flag(&grown, 1);
	workers_join(&worker, 1);
	EQUAL(many_stats_late(), 0);
	EQUAL(faults, 0);
	many_stats_fini();
}

TEST(table_grows)
{
	grow(FEW, true);
}

TEST(lcore_comes_late)
{
	grow(UINT32_MAX, false);
}
