/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Lives of instances under traffic, and when a count is seen, under strategies that are no part
 * of ctrgen. A control thread polls where the strategy has work for one.
 */
#include "harness.h"
#include "zoo_stats.h"

#define WORKERS 3
#define FLOWS 4u
#define SIZE 100u

extern void zoo_stats_poll(void) __attribute__((weak));

static uint32_t stop;
static uint64_t added[WORKERS];

static void
poll_if_needed(void)
{
	if (zoo_stats_poll != NULL)
		zoo_stats_poll();
}

/* Bursts of packets for a few flows, whether or not these exist; one report each. */
static void
count_flows(struct worker *me)
{
	uint64_t n = 0;

	while (!is_set(&stop)) {
		unsigned int i;

		for (i = 0; i < 16; i++)
			zoo_stats_update_flow(draw(me) % FLOWS, SIZE);
		n += i;
		zoo_stats_hint_flush();
	}
	zoo_stats_flush();
	zoo_stats_quiescent();
	added[me->number] = n;
}

static void
settle(uint32_t flow, struct zoo_stats_flow *bills)
{
	struct zoo_stats_flow last;
	int rc;

	while ((rc = zoo_stats_flow_destroy(flow, &last)) == -EINPROGRESS) {
		poll_if_needed();
		ctr_yield();
	}
	EQUAL(rc, 0);
	CHECK(last.bytes == last.pkts * SIZE || last.pkts < UINT64_C(1) << 40,
	      "a bill of %" PRIu64 " packets", last.pkts);
	bills->pkts += last.pkts;
	bills->bytes += last.bytes;
}

/* Final bills, and what came too late for a flow, are all that was added. */
TEST(bills)
{
	uint64_t lives = option("LIVES", 2000), life, sum = 0;
	struct zoo_stats_flow bills, last;
	struct worker workers[WORKERS];
	uint32_t flow;

	memset(workers, 0, sizeof(workers));
	memset(&bills, 0, sizeof(bills));
	EQUAL(zoo_stats_init(), 0);
	for (flow = 0; flow < FLOWS; flow++)
		EQUAL(zoo_stats_flow_create(flow), 0);
	for (unsigned int i = 0; i < WORKERS; i++) {
		workers[i].number = i;
		worker_start(&workers[i], count_flows, true);
	}
	workers_go();
	for (life = 0; life < lives; life++) {
		flow = (uint32_t)life % FLOWS;
		if (life % 3 == 0) {
			EQUAL(zoo_stats_flow_reset(flow, &last), 0);
			bills.pkts += last.pkts;
			bills.bytes += last.bytes;
		}
		settle(flow, &bills);
		EQUAL(zoo_stats_flow_create(flow), 0);
		poll_if_needed();
	}
	set_flag(&stop, 1);
	workers_join(workers, WORKERS);
	for (flow = 0; flow < FLOWS; flow++)
		settle(flow, &bills);
	for (unsigned int i = 0; i < WORKERS; i++)
		sum += added[i];
	printf("lives=%" PRIu64 " pkts=%" PRIu64 " late=%" PRIu64 "\n", lives, bills.pkts,
	       zoo_stats_late());
	EQUAL(bills.pkts + zoo_stats_late(), sum);
	EQUAL(bills.bytes, bills.pkts * SIZE);
	/* The global scope is counted with a flow, or not at all. */
	EQUAL(zoo_stats_get_pkts(), bills.pkts);
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
	if (zoo_stats_poll == NULL)
		zoo_stats_flush();
	set_flag(&counted, 2);
	while (__atomic_load_n(&seen, __ATOMIC_ACQUIRE) != 2)
		ctr_yield();
}

/* AT_ONCE: seen when the update returns; else after a flush, or when the control thread polls. */
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
	poll_if_needed();
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
