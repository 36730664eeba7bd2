/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * What a child of fork() may do, whatever other threads of its parent were about.
 *
 * The schema is schemas/forking.yaml.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <unistd.h>

#include "ctr.h"
#include "forking_stats.h"
#include "harness.h"

#define OCTETS 10
#define FLOWS 4
#define THREADS 3

static uint32_t begun, stop;

#ifndef CTR_PORT_DPDK
/* What a creation begins with takes time, in which others may fork. */
static bool allocations_are_slow;

void *__real_ctr_alloc(size_t size, unsigned int lcore);
void *__wrap_ctr_alloc(size_t size, unsigned int lcore);

void *
__wrap_ctr_alloc(size_t size, unsigned int lcore)
{
	if (allocations_are_slow) {
		set_flag(&begun, 1);
		usleep(50000);
	}
	return __real_ctr_alloc(size, lcore);
}
#endif

/* ---- what other threads are about ---- */

static void
read_for_long(struct worker *me)
{
	(void)me;
	forking_stats_read_lock();
	set_flag(&begun, 1);
	await(&stop);
	forking_stats_read_unlock();
}

static void
add(struct worker *me)
{
	while (!is_set(&stop))
		forking_stats_update_packet(draw(me) % FLOWS, OCTETS);
}

static void
name(struct worker *me)
{
	while (!is_set(&stop)) {
		forking_stats_set_name(draw(me) % 2 != 0 ? "odd" : "even");
		forking_stats_flow_set_label(draw(me) % FLOWS, "label");
	}
}

/* One life after the other, each with its updates; and resets. */
static void
live(struct worker *me)
{
	while (!is_set(&stop)) {
		uint32_t flow = FLOWS + draw(me) % FLOWS;

		if (forking_stats_flow_create(flow) == 0)
			forking_stats_update_packet(flow, OCTETS);
		(void)forking_stats_flow_destroy(flow, NULL);
		(void)forking_stats_reset();
	}
}

static void
register_briefly(struct worker *me)
{
	while (!is_set(&stop)) {
		EQUAL(ctr_thread_register(), 0);
		forking_stats_update_packet(draw(me) % FLOWS, OCTETS);
		ctr_thread_unregister();
	}
}

/* ---- what a child does ---- */

static struct forking_stats_global
values(void)
{
	struct forking_stats_global value;

	EQUAL(forking_stats_global_read(&value), 0);
	return value;
}

/* Nothing is lost of what this process counts from now on. */
static void *
count(void *registered)
{
	struct forking_stats_flow flow;
	uint32_t at;

	if (registered != NULL)
		EQUAL(ctr_thread_register(), 0);
	EQUAL(forking_stats_flow_alloc(&at), 0);
	for (unsigned int i = 0; i < 100; i++)
		forking_stats_update_packet(at, OCTETS);
	forking_stats_flush();
	EQUAL(forking_stats_flow_read(at, &flow), 0);
	EQUAL(flow.pkts, 100);
	EQUAL(forking_stats_flow_reset(at, &flow), 0);
	EQUAL(flow.pkts, 100);
	(void)forking_stats_flow_destroy(at, NULL);
	if (registered != NULL)
		ctr_thread_unregister();
	return NULL;
}

/* Everything that a process may do. */
static void
use(bool registers)
{
	struct forking_stats_global before, after, last;
	int rc = forking_stats_reset();

	/* A reset of another thread that gave up on its group (-EAGAIN) is told by the next one. */
	CHECK(rc == 0 || rc == -EAGAIN, "reset gives %d", rc);
	EQUAL(forking_stats_reset(), 0);
	before = values();
	(void)count(NULL);
	run_thread(count, NULL);
	if (registers)
		run_thread(count, &begun);
	after = values();
	EQUAL(after.pkts - before.pkts, registers ? 300 : 200);
	EQUAL(after.bytes - before.bytes, registers ? 300 * OCTETS : 200 * OCTETS);
	EQUAL(forking_stats_global_reset(&last), 0);
	EQUAL(last.pkts, after.pkts);
	EQUAL(values().pkts, 0);
	forking_stats_set_name("child");
	EQUAL(strcmp(values().name, "child"), 0);
	for (uint32_t flow = 0; flow < FLOWS; flow++)
		if (forking_stats_flow_exists(flow))
			forking_stats_flow_set_label(flow, "child");
}

static void
start(void)
{
	EQUAL(forking_stats_init(), 0);
	for (uint32_t flow = 0; flow < FLOWS; flow++)
		EQUAL(forking_stats_flow_create(flow), 0);
}

#ifdef CTR_PORT_DPDK

/* The child has modules of its own that begin anew; the parent's are as they were. */
TEST(anew)
{
	struct worker workers[THREADS] = { 0 };
	struct forking_stats_flow flow;
	unsigned int lcore = ctr_lcore_id();
	void *slot;
	pid_t child;

	start();
	for (unsigned int i = 0; i < 100; i++)
		forking_stats_update_packet(0, OCTETS);
	forking_stats_flush();
	for (unsigned int i = 0; i < THREADS; i++) {
		workers[i].number = i;
		worker_start(&workers[i], i == 0 ? read_for_long : i == 1 ? name : live, i != 2);
	}
	workers_go();
	await(&begun);
	child = fork_off();
	if (child == 0) {
		EQUAL(ctr_lcore_id(), lcore);
		EQUAL(values().pkts, 0);
		EQUAL(forking_stats_flow_exists(0), false);
		EQUAL(forking_stats_flow_read(0, &flow), -ENOENT);
		forking_stats_update_packet(0, OCTETS);
		EQUAL(forking_stats_late(), 1);
		/* On no heap that the parent has a part of. */
		slot = ctr_alloc(100, 0);
		CHECK(slot != NULL, "no memory");
		ctr_free(slot);
		use(false);
		EQUAL(forking_stats_init(), -EALREADY);
		forking_stats_fini();
		EQUAL(forking_stats_init(), 0);
		use(false);
		_exit(0);
	}
	ended_well(child);
	set_flag(&stop, 1);
	workers_join(workers, THREADS);
	EQUAL(forking_stats_flow_read(0, &flow), 0);
	forking_stats_fini();
}

static void *
register_in_the_child(void *unused)
{
	(void)unused;
	EQUAL(ctr_thread_register(), -ENOTSUP);
	return NULL;
}

/* A child gets no lcore id, and keeps the one that the thread had. */
TEST(no_lcore)
{
	pid_t child;

	start();
	child = fork_off();
	if (child == 0) {
		EQUAL(ctr_thread_register(), 0);
		ctr_thread_unregister();
		run_thread(register_in_the_child, NULL);
		_exit(0);
	}
	ended_well(child);
	forking_stats_fini();
}

#else

/* Fork while others are busy, several times, and have each child do everything. */
static void
beside(work_t first, work_t second, bool registered, unsigned int forks)
{
	struct worker workers[THREADS] = { 0 };

	start();
	EQUAL(ctr_thread_register(), 0);
	for (unsigned int i = 0; i < THREADS; i++) {
		workers[i].number = i;
		worker_start(&workers[i], i == 0 ? first : second, registered && i != 1);
	}
	workers_go();
	for (unsigned int i = 0; i < forks; i++) {
		pid_t child;

		usleep(100);
		child = fork_off();
		if (child == 0) {
			use(true);
			_exit(0);
		}
		ended_well(child);
	}
	set_flag(&stop, 1);
	workers_join(workers, THREADS);
	ctr_thread_unregister();
	forking_stats_fini();
}

TEST(beside_readers)
{
	beside(read_for_long, name, true, (unsigned int)option("FORKS", 20));
}

TEST(beside_updates)
{
	beside(add, add, true, (unsigned int)option("FORKS", 100));
}

TEST(beside_setters)
{
	beside(name, name, true, (unsigned int)option("FORKS", 100));
}

TEST(beside_lives)
{
	beside(live, live, true, (unsigned int)option("FORKS", 100));
}

TEST(beside_registrations)
{
	beside(register_briefly, register_briefly, false, (unsigned int)option("FORKS", 100));
}

#ifdef EXCLUDES
static void *
add_once(void *unused)
{
	(void)unused;
	set_flag(&begun, 1);
	forking_stats_update_packet(0, OCTETS);
	return NULL;
}
#endif

/* What the thread that forks has, it has in the child; no other thread gets it before. */
TEST(in_a_read_section)
{
	struct forking_stats_global value;
	pthread_t thread, adder;
	pid_t child;

	start();
	EQUAL(ctr_thread_register(), 0);
	forking_stats_update_packet(0, OCTETS);
	forking_stats_read_lock();
	child = fork_off();
	if (child == 0) {
		EQUAL(forking_stats_global_read(&value), 0);
		EQUAL(value.pkts, 1);
		CHECK(pthread_create(&thread, NULL, count, NULL) == 0, "no thread");
#ifdef EXCLUDES
		CHECK(pthread_create(&adder, NULL, add_once, NULL) == 0, "no thread");
#else
		adder = thread;
		set_flag(&begun, 1);
#endif
		/* It has begun, and has time to go on. */
		for (unsigned int i = 0; i < 50 || !is_set(&begun); i++) {
			usleep(1000);
			EQUAL(forking_stats_global_read(&value), 0);
			EQUAL(value.pkts, 1);
		}
		forking_stats_read_unlock();
		CHECK(pthread_join(thread, NULL) == 0, "no end");
		CHECK(adder == thread || pthread_join(adder, NULL) == 0, "no end");
		use(true);
		_exit(0);
	}
	ended_well(child);
	forking_stats_read_unlock();
	use(true);
	forking_stats_fini();
}

static void *
create(void *flow)
{
	EQUAL(forking_stats_flow_create(*(uint32_t *)flow), 0);
	return NULL;
}

/* Fork waits for what another thread changes. */
TEST(in_a_creation)
{
	struct forking_stats_flow value;
	uint32_t flow = 0;
	pthread_t thread;
	pid_t child;

	EQUAL(forking_stats_init(), 0);
	allocations_are_slow = true;
	CHECK(pthread_create(&thread, NULL, create, &flow) == 0, "no thread");
	await(&begun);
	child = fork_off();
	if (child == 0) {
		allocations_are_slow = false;
		EQUAL(forking_stats_flow_read(flow, &value), 0);
		use(true);
		_exit(0);
	}
	ended_well(child);
	CHECK(pthread_join(thread, NULL) == 0, "no end");
	allocations_are_slow = false;
	forking_stats_fini();
}

static void *
change_twice(void *unused)
{
	ctr_change_begin();
	set_flag(&begun, 1);
	usleep(50000); /* The fork waits by now. */
	ctr_change_begin();
	ctr_change_end();
	ctr_change_end();
	return unused;
}

/* A change in a change does not wait for a fork that waits for the first. */
TEST(in_a_nested_change)
{
	pthread_t thread;
	pid_t child;

	EQUAL(forking_stats_init(), 0);
	CHECK(pthread_create(&thread, NULL, change_twice, NULL) == 0, "no thread");
	await(&begun);
	(void)alarm((unsigned int)option("SECONDS", 20));
	child = fork_off();
	if (child == 0)
		_exit(0);
	ended_well(child);
	CHECK(pthread_join(thread, NULL) == 0, "no end");
	(void)alarm(0);
	forking_stats_fini();
}

/* Fork waits for no read section. */
TEST(past_a_read_section)
{
	struct worker reader = { 0 };
	uint64_t before;
	pid_t child;

	start();
	worker_start(&reader, read_for_long, true);
	workers_go();
	await(&begun);
	(void)alarm((unsigned int)option("SECONDS", 20));
	child = fork_off();
	if (child == 0)
		_exit(0);
	ended_well(child);
	set_flag(&stop, 1);
	workers_join(&reader, 1);
	before = values().pkts;
	forking_stats_update_packet(0, OCTETS);
	EQUAL(values().pkts, before + 1);
	forking_stats_fini();
}

static unsigned int registered_at_once;

static void *
take_an_id(void *barrier)
{
	if (ctr_thread_register() == 0) {
		__atomic_add_fetch(&registered_at_once, 1, __ATOMIC_RELAXED);
		(void)pthread_barrier_wait((pthread_barrier_t *)barrier);
	} else {
		_exit(1);
	}
	return NULL;
}

/* What others held back is counted, and their lcore ids are free: all but one. */
TEST(ids_are_given_back)
{
	struct worker workers[THREADS];
	pthread_t threads[CTR_MAX_LCORE];
	pthread_barrier_t barrier;
	pid_t child;

	start();
	EQUAL(ctr_thread_register(), 0);
	workers_start(workers, THREADS, read_for_long, THREADS);
	workers_go();
	await(&begun);
	child = fork_off();
	if (child == 0) {
		unsigned int n = CTR_MAX_LCORE - 1;

		CHECK(pthread_barrier_init(&barrier, NULL, n) == 0, "no barrier");
		for (unsigned int i = 0; i < n; i++)
			CHECK(pthread_create(&threads[i], NULL, take_an_id, &barrier) == 0, "no thread");
		for (unsigned int i = 0; i < n; i++)
			CHECK(pthread_join(threads[i], NULL) == 0, "no end");
		EQUAL(registered_at_once, n);
		_exit(0);
	}
	ended_well(child);
	set_flag(&stop, 1);
	workers_join(workers, THREADS);
	ctr_thread_unregister();
	forking_stats_fini();
}

/* Add once, and keep it in the buffer where there is one. */
static void
hold_back(struct worker *me)
{
	(void)me;
	forking_stats_update_packet(0, OCTETS);
	set_flag(&begun, 1);
	await(&stop);
}

/* A thread of the child may have the memory of one that is not there, and its variables. */
TEST(held_back)
{
	struct worker worker = { 0 };
	pid_t child;

	start();
	worker_start(&worker, hold_back, true);
	workers_go();
	await(&begun);
	child = fork_off();
	if (child == 0) {
		EQUAL(values().pkts, 1);
		run_thread(count, &worker);
		_exit(0);
	}
	ended_well(child);
	set_flag(&stop, 1);
	workers_join(&worker, 1);
	EQUAL(values().pkts, 1);
	forking_stats_fini();
}

static void *
wait_for_epoch(void *unused)
{
	(void)unused;
	EQUAL(ctr_thread_register(), 0);
	ctr_quiescent();
	set_flag(&begun, 1);
	await(&stop);
	ctr_thread_unregister();
	return NULL;
}

/* A child waits for no report of a thread that is not there; a grandchild neither. */
TEST(quiescence)
{
	struct forking_stats_flow last;
	pthread_t thread;
	pid_t child;

	start();
	CHECK(pthread_create(&thread, NULL, wait_for_epoch, NULL) == 0, "no thread");
	await(&begun);
	EQUAL(forking_stats_flow_destroy(0, &last), -EINPROGRESS);
	child = fork_off();
	if (child == 0) {
		EQUAL(forking_stats_flow_destroy(0, &last), 0);
		child = fork_off();
		if (child == 0) {
			EQUAL(forking_stats_flow_destroy(1, &last), 0);
			use(true);
			_exit(0);
		}
		ended_well(child);
		_exit(0);
	}
	ended_well(child);
	set_flag(&stop, 1);
	CHECK(pthread_join(thread, NULL) == 0, "no end");
	forking_stats_fini();
}

#endif
