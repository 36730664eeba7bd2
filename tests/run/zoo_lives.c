/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Dynamic instances that come and go at one index while others read and reset them.
 */
#include <unistd.h>

#include "harness.h"
#include "zoo_stats.h"

#define CASE(name) TEST_BETWEEN(name, EQUAL(zoo_stats_init(), 0), zoo_stats_fini())

#define FLOW 5u
#define READERS 3  /* more than cores, so that some lose theirs in the middle of a read */
#define FORMER 100 /* packets of every other flow */

static uint32_t stop;

/* A flow with the label "later" has counted one packet, its forerunner FORMER. */
static void
read_one_life(struct worker *me)
{
	struct zoo_stats_flow flow;
	uint64_t reads = 0;

	while (!is_set(&stop)) {
		int rc = zoo_stats_flow_read(FLOW, &flow);

		CHECK(rc == 0 || rc == -ENOENT || rc == -EAGAIN, "flow_read gives %d", rc);
		if (rc == 0 && flow.label[0] == 'l')
			CHECK(flow.pkts <= 1, "a flow of 1 packet is read with %" PRIu64, flow.pkts);
		reads += rc == 0;
		if (reads % 4096 == 0)
			ctr_yield();
	}
	(void)me;
}

static void
live_once(const char *label, uint64_t pkts)
{
	EQUAL(zoo_stats_flow_create(FLOW), 0);
	zoo_stats_flow_add_pkts(FLOW, pkts);
	EQUAL(zoo_stats_flow_set_label(FLOW, label), 0);
	EQUAL(zoo_stats_flow_destroy(FLOW, NULL), 0);
}

/* No read mixes what two flows that followed each other have counted. */
CASE(one_life_in_a_read)
{
	uint64_t rounds = option("LIVES", 60000), i;
	struct worker readers[READERS];

	EQUAL(ctr_thread_register(), 0);
	workers_start(readers, READERS, read_one_life, 0);
	workers_go();
	for (i = 0; i < rounds; i++) {
		live_once("former", FORMER);
		live_once("later", 1);
	}
	set_flag(&stop, 1);
	workers_join(readers, READERS);
	ctr_thread_unregister();
}

static int reset_gives;
static struct zoo_stats_flow taken;

static void
reset_flow(struct worker *me)
{
	reset_gives = zoo_stats_flow_reset(FLOW, &taken);
	(void)me;
}

/* A flow that goes while a reset of it waits for its turn is not there. */
CASE(reset_of_what_went)
{
	struct worker resetter;

	EQUAL(zoo_stats_flow_create(FLOW), 0);
	memset(&resetter, 0, sizeof(resetter));
	zoo_stats_read_lock();
	worker_start(&resetter, reset_flow, false);
	workers_go();
	usleep(20000);
	EQUAL(zoo_stats_flow_destroy(FLOW, NULL), 0);
	zoo_stats_read_unlock();
	workers_join(&resetter, 1);
	EQUAL(reset_gives, -ENOENT);
}
