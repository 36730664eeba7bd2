/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Lives of instances under traffic, and when a count is seen, under strategies that are no part
 * of ctrgen. A control thread polls where the strategy has work for one.
 */
#include "ctr.h"
#include "harness.h"
#include "zoo_stats.h"

#define WORKERS 3
#define FLOWS 4u
#define SIZE 100u

static uint32_t stop, in_use[FLOWS];
static uint64_t added[WORKERS];
static uint64_t in_life[FLOWS]; /* what was added to the present life of a flow */
static uint64_t taken[FLOWS];   /* what resets took of it */

/* Bursts of packets for the flows that are in use; one report each. */
static void
count_flows(struct worker *me)
{
	uint64_t n = 0;

	/* From here on ends wait for this lcore. */
	zoo_stats_quiescent();
	while (!is_set(&stop)) {
		for (unsigned int i = 0; i < 16; i++) {
			uint32_t flow = draw(me) % FLOWS;

			if (is_set(&in_use[flow])) {
				zoo_stats_update_flow(flow, SIZE);
				ctr_atomic_add64(&in_life[flow], 1);
				n++;
			}
		}
		zoo_stats_quiescent();
	}
	zoo_stats_flush();
	/* Those of the EAL stay, and would be waited for. */
	ctr_quiescent_offline();
	added[me->number] = n;
}

static void
settle(uint32_t flow, struct zoo_stats_flow *bills)
{
	struct zoo_stats_flow last;
	int rc;

	set_flag(&in_use[flow], 0);
	while ((rc = zoo_stats_flow_destroy(flow, &last)) == -EINPROGRESS) {
		zoo_stats_poll();
		ctr_yield();
	}
	EQUAL(rc, 0);
	/* No bill has what was added to another life. */
	EQUAL(last.pkts + taken[flow], ctr_exchange64(&in_life[flow]));
	taken[flow] = 0;
	bills->pkts += last.pkts;
	bills->bytes += last.bytes;
}

static void
begin(uint32_t flow)
{
	EQUAL(zoo_stats_flow_create(flow), 0);
	set_flag(&in_use[flow], 1);
}

/* Final bills, with what was reset before, are all that was added. */
TEST(bills)
{
	uint64_t lives = option("LIVES", 100), life, sum = 0;
	struct zoo_stats_flow bills, last;
	struct worker workers[WORKERS];
	uint32_t flow;

	memset(workers, 0, sizeof(workers));
	memset(&bills, 0, sizeof(bills));
	EQUAL(zoo_stats_init(), 0);
	for (flow = 0; flow < FLOWS; flow++)
		begin(flow);
	for (unsigned int i = 0; i < WORKERS; i++) {
		workers[i].number = i;
		worker_start(&workers[i], count_flows, true);
	}
	workers_go();
	for (life = 0; life < lives; life++) {
		flow = (uint32_t)life % FLOWS;
		/* No life without traffic. */
		while (ctr_load64(&in_life[flow]) == 0)
			ctr_yield();
		if (life % 3 == 0) {
			EQUAL(zoo_stats_flow_reset(flow, &last), 0);
			taken[flow] += last.pkts;
			bills.pkts += last.pkts;
			bills.bytes += last.bytes;
		}
		settle(flow, &bills);
		begin(flow);
		zoo_stats_poll();
	}
	set_flag(&stop, 1);
	workers_join(workers, WORKERS);
	for (flow = 0; flow < FLOWS; flow++)
		settle(flow, &bills);
	for (unsigned int i = 0; i < WORKERS; i++)
		sum += added[i];
	printf("lives=%" PRIu64 " pkts=%" PRIu64 "\n", lives, bills.pkts);
	CHECK(sum >= lives, "%" PRIu64 " packets in %" PRIu64 " lives", sum, lives);
	EQUAL(bills.pkts, sum);
	EQUAL(bills.bytes, sum * SIZE);
	EQUAL(zoo_stats_late(), 0);
	EQUAL(zoo_stats_get_pkts(), sum);
	zoo_stats_fini();
}

static uint32_t counted, seen;

static void
count_and_wait(struct worker *me)
{
	(void)me;
	zoo_stats_update_flow(1, SIZE);
	zoo_stats_port_add_pkts(2, 7);
	set_flag(&counted, 1);
	while (!is_set(&seen))
		ctr_yield();
	if (option("POLLED", 0) == 0)
		zoo_stats_flush();
	set_flag(&counted, 2);
	while (__atomic_load_n(&seen, __ATOMIC_ACQUIRE) != 2)
		ctr_yield();
}

/* AT_ONCE: seen when the update returns; else after a flush, or POLLED, a poll. */
TEST(when_seen)
{
	uint64_t at_once = option("AT_ONCE", 1);
	struct worker workers[1];

	memset(workers, 0, sizeof(workers));
	EQUAL(zoo_stats_init(), 0);
	EQUAL(zoo_stats_flow_create(1), 0);
	worker_start(&workers[0], count_and_wait, true);
	workers_go();
	while (!is_set(&counted))
		ctr_yield();
	EQUAL(zoo_stats_flow_get_pkts(1), at_once);
	EQUAL(zoo_stats_port_get_pkts(2), 7 * at_once);
	set_flag(&seen, 1);
	while (__atomic_load_n(&counted, __ATOMIC_ACQUIRE) != 2)
		ctr_yield();
	zoo_stats_poll();
	EQUAL(zoo_stats_flow_get_pkts(1), 1);
	EQUAL(zoo_stats_port_get_pkts(2), 7);
	set_flag(&seen, 2);
	workers_join(workers, 1);
	zoo_stats_fini();
}

/* A counter of 64 bits goes on beyond 32, in steps of any size. */
TEST(beyond_32_bits)
{
	const uint64_t steps[] = { 1, UINT64_C(0xfffffffe), 3, UINT64_C(1) << 40, 0, 12345678 };
	uint64_t sum = 0, i;

	EQUAL(zoo_stats_init(), 0);
	EQUAL(ctr_thread_register(), 0);
	for (i = 0; i < 60; i++) {
		uint64_t n = steps[i % 6];

		zoo_stats_queue_add_bytes(1, 2, n);
		zoo_stats_add_events((uint32_t)n);
		sum += n;
		zoo_stats_flush();
		CHECK(zoo_stats_queue_get_bytes(1, 2) == sum, "%" PRIu64 " after %" PRIu64 " of %" PRIu64,
		      zoo_stats_queue_get_bytes(1, 2), i, sum);
		EQUAL(zoo_stats_get_events(), (uint32_t)sum);
	}
	ctr_thread_unregister();
	zoo_stats_fini();
}

static void
count_in_steps(struct worker *me)
{
	(void)me;
	while (!is_set(&stop)) {
		unsigned int i;

		for (i = 0; i < 64; i++)
			zoo_stats_queue_add_bytes(1, 2, 600);
		zoo_stats_flush();
	}
}

/* What only grows is never read as less than before, nor as an amount that nobody added. */
TEST(no_spill_is_torn)
{
	uint64_t reads = option("READS", 100000), before = 0, i;
	struct zoo_stats_queue value;
	struct worker workers[2];

	memset(workers, 0, sizeof(workers));
	EQUAL(zoo_stats_init(), 0);
	for (i = 0; i < 2; i++)
		worker_start(&workers[i], count_in_steps, true);
	workers_go();
	for (i = 0; i < reads; i++) {
		uint64_t now = zoo_stats_queue_get_bytes(1, 2);

		CHECK(now >= before && now % 600 == 0, "%" PRIu64 " after %" PRIu64, now, before);
		EQUAL(zoo_stats_queue_read(1, 2, &value), 0);
		CHECK(value.bytes >= now && value.bytes % 600 == 0, "%" PRIu64 " after %" PRIu64,
		      value.bytes, now);
		before = value.bytes;
	}
	set_flag(&stop, 1);
	workers_join(workers, 2);
	zoo_stats_fini();
}
