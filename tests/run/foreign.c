/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Instances by CPU of threads without an lcore id.
 *
 * Options: CPUS, how many there are at most; PARTS, whether what an lcore has can be read.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "on_cpus.h"

#include <unistd.h>

#include "ep.h"

#define SIZE 10
#define TIMES 1000

/* What threads have counted of session 3 on a CPU, or on others that share its copy. */
static uint64_t
copy_has(unsigned int cpu)
{
	const struct ep_stats_instance *self =
		(const struct ep_stats_instance *)ctr_slots_get(&ep_stats_cpus, cpu % ep_stats_cpus.cpus);

	CHECK(self != NULL, "CPU %u has no copy", cpu);
	return __atomic_load_n(&self->session[3].pkts, __ATOMIC_RELAXED);
}

static void
count(void)
{
	for (unsigned int i = 0; i < TIMES; i++)
		ep_stats_update_packet(3, SIZE);
}

/* The same on a CPU, whose copy gets all of it; what one packet is in a word that also has a number
 * (ctr_narrow.h), is a power of two. */
static void
count_on(unsigned int cpu)
{
	uint64_t before = copy_has(cpu), one;

	go_to(cpu);
	ep_stats_update_packet(3, SIZE);
	one = copy_has(cpu) - before;
	CHECK(sizeof(((struct ep_stats_instance *)0)->session[3].pkts) == 8 ?
		      one == 1 :
		      one != 0 && (one & (one - 1)) == 0,
	      "%" PRIu64 " of one packet", one);
	for (unsigned int i = 1; i < TIMES; i++)
		ep_stats_update_packet(3, SIZE);
	EQUAL(copy_has(cpu), before + TIMES * one);
}

/* What an lcore has, or threads without an id. */
static void
part_is(unsigned int lcore, uint64_t pkts)
{
	struct ep_stats_session part;

	if (option("PARTS", 1) == 0) {
		EQUAL(ep_stats_session_lcore_read(lcore, 3, &part), -ENOTSUP);
		return;
	}
	EQUAL(ep_stats_session_lcore_read(lcore, 3, &part), 0);
	EQUAL(part.pkts, pkts);
	EQUAL(part.bytes, pkts * SIZE);
	EQUAL(ep_stats_session_lcore_get_pkts(lcore, 3), pkts);
}

/* On each CPU; then as an lcore. */
static void
count_everywhere(struct worker *me)
{
	struct ep_stats_session last;
	uint64_t sum = 0;

	(void)me;
	for (unsigned int i = 0; i < num_cpus; i++) {
		count_on(cpus[i]);
		sum += TIMES;
		EQUAL(ep_stats_session_get_pkts(3), sum);
		part_is(CTR_NON_LCORE, sum);
	}
	EQUAL(ctr_thread_register(), 0);
	count();
	part_is(CTR_NON_LCORE, sum);
	part_is(ctr_lcore_id(), TIMES);
	EQUAL(ep_stats_session_get_pkts(3), sum + TIMES);
	EQUAL(ep_stats_session_reset(3, &last), 0);
	EQUAL(last.pkts, sum + TIMES);
	EQUAL(last.bytes, (sum + TIMES) * SIZE);
	EQUAL(ep_stats_session_get_pkts(3), 0);
	ctr_thread_unregister();
}

/* A thread without an lcore id counts where it runs; with one it does not. */
TEST(on_its_cpu)
{
	const uint64_t most = option("CPUS", 1), have = (uint64_t)sysconf(_SC_NPROCESSORS_CONF);
	struct worker worker;

	memset(&worker, 0, sizeof(worker));
	find_cpus();
	EQUAL(ep_stats_init(), 0);
	EQUAL(ep_stats_cpus.cpus, most < have ? most : have);
	CHECK(ctr_slots_get(&ep_stats_slots, CTR_NON_LCORE) == NULL, "a copy too many");
	CHECK(ctr_slots_known(CTR_NON_LCORE), "nobody knows of threads without an id");
	worker_start(&worker, count_everywhere, false);
	workers_go();
	workers_join(&worker, 1);
	ep_stats_fini();
	CHECK(!ctr_slots_known(CTR_NON_LCORE), "it is open");
}
