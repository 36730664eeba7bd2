/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Rings of what lcores add: when it is seen, what a full one does, and that all of it is applied.
 * (stress.c has many threads, peaks.c gauges, which change at once.)
 *
 * Option: RING is the tunable the code was generated with. SHARED is defined: whether all lcores share
 * a ring.
 */
#include <stdlib.h>
#include <unistd.h>

#include "ctr.h"
#include "ctr_values.h"
#include "../../run/harness.h"
#include "held_stats.h"

#define CASE(name) TEST_BETWEEN(name, begin(), end())

#define FLOWS HELD_STATS_FLOW_MAX
#define PORTS HELD_STATS_PORT_MAX
#define QUEUES HELD_STATS_QUEUE_MAX

extern uint64_t held_stats_lost(void) __attribute__((weak));

static uint64_t added[FLOWS];

static uint64_t
lost(void)
{
	return held_stats_lost != NULL ? held_stats_lost() : 0;
}

static void
begin(void)
{
	EQUAL(held_stats_init(), 0);
	EQUAL(ctr_thread_register(), 0);
	EQUAL(held_stats_lost != NULL, SHARED);
}

static void
end(void)
{
	ctr_thread_unregister();
	held_stats_fini();
}

static void
count(uint32_t flow)
{
	held_stats_update_packet(flow, flow % PORTS, flow % QUEUES, 2);
	added[flow]++;
}

static uint64_t
seen(void)
{
	uint64_t sum = 0;

	for (uint32_t flow = 0; flow < FLOWS; flow++)
		sum += held_stats_flow_get_pkts(flow);
	return sum;
}

/* All that was counted and not lost is seen, everywhere. */
static void
complete(uint64_t counted)
{
	const struct ctr_scope *own = ctr_scope_find(&held_stats_module, CTR_HEALTH);
	uint64_t ports = 0, queues = 0, bytes = 0, reports[8] = { 0 };

	EQUAL(seen() + lost(), counted);
	EQUAL(own->read(NULL, reports), 0);
	EQUAL(ctr_item_value(ctr_item_find(own, "dropped_updates"), reports),
	      lost() + held_stats_drops());
	for (uint32_t flow = 0; flow < FLOWS; flow++)
		bytes += held_stats_flow_get_bytes(flow);
	for (uint32_t port = 0; port < PORTS; port++) {
		ports += held_stats_port_get_pkts(port);
		for (uint32_t queue = 0; queue < QUEUES; queue++)
			queues += held_stats_queue_get_pkts(port, queue);
	}
	EQUAL(bytes, 2 * seen());
	EQUAL(held_stats_get_total(), 2 * seen());
	EQUAL(ports, seen());
	EQUAL(queues, seen());
}

/* A count is seen after a poll, by whoever polls, or its lcore's flush; not before. */
CASE(polled)
{
	for (unsigned int i = 0; i < 4; i++) {
		uint64_t before = seen();

		count(i);
		EQUAL(seen(), before);
		held_stats_hint_flush();
		EQUAL(seen(), before);
		if (i == 0)
			held_stats_poll();
		else if (i == 1)
			held_stats_flush();
		else if (i == 2)
			held_stats_try_flush();
		else
			held_stats_read_lock();
		EQUAL(seen(), before + 1);
		if (i == 3)
			held_stats_read_unlock();
	}
	complete(4);
}

/* Each time that the ring is full updates are applied at once, and once it is drained it is used. */
CASE(filled)
{
	const uint64_t most = option("RING", 1024);
	uint64_t counted = 0, before;

	for (unsigned int round = 0; round < 50; round++) {
		before = seen();
		for (uint64_t i = 0; i < 2 * most + round; i++) {
			count((uint32_t)(i % FLOWS));
			counted++;
		}
		/* No more than fits is on its way. */
		CHECK(counted - seen() <= most, "too much is on its way");
		CHECK(counted - seen() > 0, "nothing is on its way");
		CHECK(seen() > before, "what does not fit is not seen");
		held_stats_poll();
		complete(counted);
		before = seen();
		count(0);
		EQUAL(seen(), before);
		held_stats_poll();
		complete(++counted);
	}
}

/* Records of all sizes, drained at any time: none is lost, none is applied twice. */
CASE(sizes)
{
	struct worker me = { .random = 88172645463325252u };
	struct held_stats_batch batch;
	struct held_stats_many many;
	uint64_t counted = 0, rows = 0;

	for (unsigned int i = 0; i < 50000; i++) {
		uint32_t flow = draw(&me) % FLOWS, n = draw(&me) % 4;

		switch (draw(&me) % 8) {
		case 0:
			held_stats_batch_begin(&batch);
			for (uint32_t k = 0; k < n; k++)
				held_stats_batch_packet(&batch, flow, flow % PORTS, flow % QUEUES, 2);
			held_stats_batch_end(&batch);
			counted += n;
			break;
		case 1:
			held_stats_update_row(1);
			rows++;
			break;
		case 2:
			if (draw(&me) % 4 == 0)
				held_stats_poll();
			break;
		case 3:
			if (draw(&me) % 8 == 0)
				held_stats_flush();
			break;
		default:
			count(flow);
			counted++;
		}
		if (i % 997 == 0) {
			held_stats_poll();
			EQUAL(held_stats_many_read(1, &many), 0);
			EQUAL(seen() + many.c0 + lost(), counted + rows);
			EQUAL(many.c6, 2 * many.c0);
			EQUAL(many.n1, 3 * many.c0);
			EQUAL(many.c7, 4 * many.c0);
		}
	}
	held_stats_poll();
	EQUAL(held_stats_many_read(1, &many), 0);
	complete(counted + rows - many.c0);
}

/* Records that follow each other, of the same instances or of some of the same, are added up for
 * those that they are of. */
CASE(runs)
{
	uint64_t pkts[FLOWS] = { 0 }, bytes[FLOWS] = { 0 }, ports[PORTS] = { 0 };
	uint64_t queues[PORTS][QUEUES] = { { 0 } }, total = 0;
	struct worker me = { .random = 88172645463325252u };
	uint32_t flow = 0, port = 0, queue = 0;

	for (unsigned int i = 0; i < 60000; i++) {
		const uint16_t size = (uint16_t)(draw(&me) % 100);

		switch (draw(&me) % 8) {
		case 0:
			flow = draw(&me) % FLOWS;
			break;
		case 1:
			port = draw(&me) % PORTS;
			break;
		case 2:
			queue = draw(&me) % QUEUES;
			break;
		default:
			break;
		}
		held_stats_update_packet(flow, port, queue, size);
		pkts[flow]++;
		bytes[flow] += size;
		ports[port]++;
		queues[port][queue]++;
		total += size;
		/* There is always room. */
		if (i % (option("RING", 1024) / 8) == 0)
			held_stats_poll();
	}
	held_stats_poll();
	EQUAL(lost(), 0);
	EQUAL(held_stats_get_total(), total);
	for (flow = 0; flow < FLOWS; flow++) {
		EQUAL(held_stats_flow_get_pkts(flow), pkts[flow]);
		EQUAL(held_stats_flow_get_bytes(flow), bytes[flow]);
	}
	for (port = 0; port < PORTS; port++) {
		EQUAL(held_stats_port_get_pkts(port), ports[port]);
		for (queue = 0; queue < QUEUES; queue++)
			EQUAL(held_stats_queue_get_pkts(port, queue), queues[port][queue]);
	}
}

/* ---- ends ---- */

static uint32_t stop;

static void
end_a_life(struct worker *me)
{
	struct held_stats_peer bill;
	int rc;

	(void)me;
	while ((rc = held_stats_peer_destroy(5, &bill)) == -EINPROGRESS)
		ctr_yield();
	EQUAL(rc, 0);
	EQUAL(bill.pkts, 2);
	set_flag(&stop, 1);
}

/* Another thread ends it, without any poll or flush: the report is enough. */
CASE(ended_elsewhere)
{
	struct worker control = { 0 };

	held_stats_quiescent();
	EQUAL(held_stats_peer_create(5), 0);
	held_stats_update_event(5);
	held_stats_update_event(5);
	worker_start(&control, end_a_life, false);
	workers_go();
	while (!is_set(&stop)) {
		/* The report of another module, or of the port. */
		ctr_quiescent();
		ctr_yield();
	}
	workers_join(&control, 1);
}

/* ---- threads that stop in an update, or in a drain ---- */

static uint64_t word;

/* An lcore that counts and leaves, perhaps with the id of one that has ended. */
static void *
visit(void *unused)
{
	EQUAL(ctr_thread_register(), 0);
	count(3);
	ctr_thread_unregister();
	return unused;
}

static void
count_on(void *times)
{
	for (uint64_t i = 0; i < *(const uint64_t *)times; i++)
		count(1);
}

/* Poll until all that was counted is seen, or lost: the kernel knows a thread a little longer than
 * pthread_join(). */
static void
poll_until_complete(uint64_t counted)
{
	do
		held_stats_poll();
	while (seen() + lost() < counted);
	EQUAL(seen() + lost(), counted);
}

#if SHARED
static uint32_t stopped, go_on;

/* The ring of all lcores, with another function that applies an entry. */
static struct ctr_delta_ring
applied_by(ctr_shared_ring_apply apply)
{
	struct ctr_delta_ring own = held_stats_own;

	own.apply = apply;
	return own;
}

/* The first half of an update that adds to `word`. */
static struct ctr_wb_add *
take(void)
{
	struct ctr_wb_add *add = (struct ctr_wb_add *)ctr_shared_ring_next(&held_stats_own);

	CHECK(add != NULL, "the ring is full");
	add->n = 7;
	return add;
}

static void *
stop_in_an_update(void *ends)
{
	struct ctr_wb_add *taken;

	EQUAL(ctr_thread_register(), 0);
	taken = take();
	set_flag(&stopped, 1);
	if (ends != NULL)
		pthread_exit(NULL);
	await(&go_on);
	ctr_shared_ring_send(taken, (uintptr_t)&word);
	/* Without its unregistration: the end of the thread. */
	return NULL;
}

/* A thread that is preempted in an update holds up nobody, and is never mistaken for one that has
 * ended: what it sends is applied, once, whatever came in between. */
CASE(preempted)
{
	const uint64_t entries = held_stats_own.entries;
	uint64_t counted = 0;
	pthread_t thread;

	(void)alarm(20);
	CHECK(pthread_create(&thread, NULL, stop_in_an_update, NULL) == 0, "no thread");
	await(&stopped);
	for (unsigned int i = 0; i < 5 && counted + 2 < entries; i++) {
		count(i);
		counted++;
		if (i % 2 == 0)
			held_stats_poll();
		else
			held_stats_flush();
		EQUAL(seen(), counted);
	}
	run_thread(visit, NULL);
	counted++;
	ctr_thread_unregister();
	EQUAL(ctr_thread_register(), 0);
	complete(counted);
	/* The ring is full now, for as long as that. */
	for (uint64_t i = 0; i < 2 * entries; i++) {
		count(1);
		counted++;
	}
	held_stats_poll();
	complete(counted);
	EQUAL(lost(), 0);
	EQUAL(ctr_load64(&word), 0);
	set_flag(&go_on, 1);
	CHECK(pthread_join(thread, NULL) == 0, "no end");
	held_stats_poll();
	EQUAL(ctr_load64(&word), 7);
	for (uint64_t i = 0; i < 3 * entries; i++) {
		count(2);
		counted++;
		held_stats_poll();
	}
	complete(counted);
	EQUAL(ctr_load64(&word), 7);
}

static void
exit_instead(uint64_t what, const void *entry)
{
	(void)what;
	(void)entry;
	pthread_exit(NULL);
}

static void *
stop_in_a_drain(void *unused)
{
	const struct ctr_delta_ring own = applied_by(exit_instead);

	(void)unused;
	ctr_shared_ring_drain(&own, 0, true);
	return NULL;
}

/* Wait until that many are counted as lost; the kernel knows a thread a little longer than
 * pthread_join(). */
static void
poll_until_lost(uint64_t n)
{
	do
		held_stats_poll();
	while (lost() < n);
	EQUAL(lost(), n);
}

/* What a thread has begun when it ends, an update or to apply one, is lost and counted, once; all
 * else goes on, turn after turn. */
CASE(ended)
{
	const uint64_t entries = held_stats_own.entries;
	uint64_t counted = 0;

	(void)alarm(20);
	for (unsigned int i = 1; i <= 3; i++) {
		run_thread(stop_in_an_update, &word);
		count(1);
		counted++;
		if (i == 2) {
			/* Another has its id before the ring is drained. */
			run_thread(visit, NULL);
			counted++;
		}
		poll_until_lost(i);
		EQUAL(seen(), counted);
	}
	count(1);
	run_thread(stop_in_a_drain, NULL);
	poll_until_lost(4);
	EQUAL(seen(), counted);
	for (uint64_t i = 0; i < 3 * entries; i++) {
		count(2);
		counted++;
		if (i % 2 != 0 || entries < 4)
			held_stats_poll();
	}
	held_stats_poll();
	EQUAL(lost(), 4);
	EQUAL(seen(), counted);
	EQUAL(ctr_load64(&word), 0);
}

/* As it ends, an lcore counts more than the ring holds; it was cut in an update, or in a drain. */
static void *
count_when_ended(void *in_a_drain)
{
	const struct ctr_delta_ring own = applied_by(exit_instead);
	uint64_t times = 3 * own.entries;

	EQUAL(ctr_thread_register(), 0);
	pthread_cleanup_push(count_on, &times);
	if (in_a_drain != NULL)
		ctr_shared_ring_drain(&own, 0, true);
	(void)take();
	pthread_exit(NULL);
	pthread_cleanup_pop(0);
	return NULL;
}

/* It does not wait for itself. */
CASE(counts_as_it_ends)
{
	const uint64_t times = 3 * held_stats_own.entries;

	(void)alarm(20);
	run_thread(count_when_ended, NULL);
	poll_until_complete(times + 1); /* and the update that was cut */
	count(1);
	run_thread(count_when_ended, &word);
	poll_until_complete(2 * (times + 1));
	EQUAL(lost(), 2);
	EQUAL(ctr_load64(&word), 0);
}

static uint64_t applied;

static void
send_another(uint64_t what, const void *entry)
{
	(void)what;
	(void)entry;
	/* As a busy lcore does in the time. */
	if (++applied < 1000)
		ctr_shared_ring_send(take(), (uintptr_t)&word);
}

/* A drain applies at most what was in the ring when it began. */
CASE(bounded)
{
	const struct ctr_delta_ring own = applied_by(send_another);

	ctr_shared_ring_send(take(), (uintptr_t)&word);
	for (unsigned int i = 1; i < 20; i++) {
		ctr_shared_ring_drain(&own, 0, i % 2 == 0);
		EQUAL(applied, i);
	}
}
#else
static void *
stop_in_a_drain(void *unused)
{
	struct ctr_ring *ring;

	(void)unused;
	EQUAL(ctr_thread_register(), 0);
	count(4);
	ring = ((struct ctr_ring *)ctr_slots_own(&held_stats_slots));
	EQUAL(ctr_ring_consume(&ring->consumer, 0), true);
	pthread_exit(NULL);
}

static void *
outlive(void *unused)
{
	held_stats_poll();
	EQUAL(seen(), 1);
	exit(0);
	return unused;
}

/* The first thread ends in a drain, while the process goes on. */
TEST(first_ended)
{
	pthread_t thread;

	begin();
	(void)alarm(20);
	count(4);
	EQUAL(ctr_ring_consume(&((struct ctr_ring *)ctr_slots_own(&held_stats_slots))->consumer, 0), true);
	CHECK(pthread_create(&thread, NULL, outlive, NULL) == 0, "no thread");
	pthread_exit(NULL);
}

/* As it ends in a drain, an lcore counts more than its ring holds. */
static void *
count_when_ended(void *times)
{
	EQUAL(ctr_thread_register(), 0);
	pthread_cleanup_push(count_on, times);
	EQUAL(ctr_ring_consume(&((struct ctr_ring *)ctr_slots_own(&held_stats_slots))->consumer, 0), true);
	pthread_exit(NULL);
	pthread_cleanup_pop(0);
	return NULL;
}

/* It does not wait for itself. */
CASE(counts_as_it_ends)
{
	uint64_t times = 3 * option("RING", 1024);

	(void)alarm(20);
	run_thread(count_when_ended, &times);
	poll_until_complete(times);
	EQUAL(lost(), 0);
	complete(times);
}

/* An lcore that ends while it drains its ring does not have it any more, whether or not another
 * gets its id: any thread drains it. */
CASE(ended)
{
	(void)alarm(20);
	EQUAL(ctr_load64(&word), 0);
	for (unsigned int i = 1; i <= 3; i++) {
		run_thread(stop_in_a_drain, NULL);
		if (i == 2)
			run_thread(visit, NULL);
		held_stats_poll();
		EQUAL(seen(), i + (i > 1));
	}
	EQUAL(lost(), 0);
	complete(4);
}
#endif
