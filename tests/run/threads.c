/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Threads come and go; what they counted stays.
 *
 * Options: SHARE of the work of a thread.
 */
#include "ctr_values.h"
#include "ep_stats.h"
#include "harness.h"

#define CASE(name) TEST_BETWEEN(name, EQUAL(ep_stats_init(), 0), ep_stats_fini())

#define MOST_THREADS 300
#define SIZE 10
/* Registered threads that share the work of a test. */
#define SHARERS 5

static uint32_t leave;
static uint64_t registered, refused;

/* One packet of session 1, from a thread of its own. */
static void *
count_one(void *how)
{
	const char *end = (const char *)how;
	int rc = ctr_thread_register();

	CHECK(rc == 0, "ctr_thread_register() gives %d", rc);
	CHECK(ctr_lcore_id() < CTR_MAX_LCORE, "lcore id %u", ctr_lcore_id());
	EQUAL(ctr_thread_register(), 0);
	ep_stats_update_packet(1, SIZE);
	if (strcmp(end, "unregister") == 0) {
		ctr_thread_unregister();
		ctr_thread_unregister();
		EQUAL(ctr_lcore_id(), CTR_LCORE_ANY);
		ctr_thread_unregister();
		ep_stats_update_packet(1, SIZE);
		EQUAL(ctr_thread_register(), 0);
		ep_stats_update_packet(1, SIZE);
		ctr_thread_unregister();
	}
	return NULL;
}

static void
run_alone(const char *how)
{
	run_thread(count_one, (void *)(uintptr_t)how);
}

/* A library that counts, on a thread of its caller: whatever id that has, it keeps. */
static void
call_library(void)
{
	unsigned int before = ctr_lcore_id();

	EQUAL(ctr_thread_register(), 0);
	CHECK(ctr_lcore_id() < CTR_MAX_LCORE, "lcore id %u", ctr_lcore_id());
	ep_stats_update_packet(4, SIZE);
	ctr_thread_unregister();
	EQUAL(ctr_lcore_id(), before);
}

static void *
nest(void *unused)
{
	unsigned int lcore;

	(void)unused;
	call_library();
	EQUAL(ctr_thread_register(), 0);
	lcore = ctr_lcore_id();
	call_library();
	EQUAL(ctr_thread_register(), 0);
	call_library();
	ctr_thread_unregister();
	EQUAL(ctr_lcore_id(), lcore);
	ep_stats_update_packet(4, SIZE);
	ctr_thread_unregister();
	EQUAL(ctr_lcore_id(), CTR_LCORE_ANY);
	/* One too many changes nothing: the next registration counts from 1. */
	ctr_thread_unregister();
	call_library();
	return NULL;
}

#ifdef CTR_PORT_DPDK
/* A thread to which the application gives an id: it is not ours, whoever nests in whom. */
static void *
nest_in_the_application(void *unused)
{
	unsigned int lcore;

	(void)unused;
	EQUAL(rte_thread_register(), 0);
	lcore = rte_lcore_id();
	call_library();
	call_library();
	ctr_thread_unregister();
	EQUAL(rte_lcore_id(), lcore);
	rte_thread_unregister();
	EQUAL(rte_lcore_id(), LCORE_ID_ANY);
	return NULL;
}

/* The application takes away the id that we gave, and gives the thread another. */
static void *
take_away(void *unused)
{
	(void)unused;
	EQUAL(ctr_thread_register(), 0);
	rte_thread_unregister();
	EQUAL(rte_thread_register(), 0);
	ctr_thread_unregister();
	CHECK(rte_lcore_id() < CTR_MAX_LCORE, "the application's id is gone");
	rte_thread_unregister();
	EQUAL(rte_lcore_id(), LCORE_ID_ANY);
	return NULL;
}
#endif

/* Registrations count, and an id goes back only to where it came from. */
CASE(nested)
{
	uint64_t expected = 5;

	run_thread(nest, NULL);
#ifdef CTR_PORT_DPDK
	run_thread(nest_in_the_application, NULL);
	call_library(); /* on an lcore of the EAL */
	ep_stats_flush();
	expected += 3;
#endif
	EQUAL(ep_stats_session_get_pkts(4), expected);
}

/* Many more threads than ids, one after the other, with resets now and then. */
CASE(thread_churn)
{
	struct ep_stats_session last = { 0, 0 };
	uint64_t expected = 0;
	unsigned int i;

	for (i = 0; i < MOST_THREADS; i++) {
		run_alone("unregister");
		expected += 3;
		EQUAL(ep_stats_session_get_pkts(1), expected);
		if (i % 50 == 49) {
			EQUAL(ep_stats_session_reset(1, &last), 0);
			EQUAL(last.pkts, expected);
			EQUAL(last.bytes, expected * SIZE);
			expected = 0;
			EQUAL(ep_stats_session_get_pkts(1), 0);
		}
	}
	EQUAL(ep_stats_get_total_pkts(), 3 * MOST_THREADS);
}

/* POSIX port: a thread that just ends returns its id and keeps nothing back. */
CASE(thread_exit)
{
	unsigned int i;

	for (i = 1; i <= MOST_THREADS; i++) {
		run_alone("just end");
		EQUAL(ep_stats_session_get_pkts(1), i);
	}
	EQUAL(ep_stats_get_total_bytes(), MOST_THREADS * SIZE);
}

static void *
hold_an_id(void *unused)
{
	int rc = ctr_thread_register();

	(void)unused;
	CHECK(rc == 0 || rc == -ENOSPC, "ctr_thread_register() gives %d", rc);
	(void)__atomic_fetch_add(rc == 0 ? &registered : &refused, 1, __ATOMIC_RELAXED);
	/* Those without an id count all the same. */
	ep_stats_update_packet(2, SIZE);
	await(&leave);
	ctr_thread_unregister();
	return NULL;
}

/* One thread more than there are ids is refused, and can still count. */
TEST(thread_limit)
{
	pthread_t threads[CTR_MAX_LCORE + 1];
	unsigned int i, n = CTR_MAX_LCORE + 1, free_ids = CTR_MAX_LCORE;

#ifdef CTR_PORT_DPDK
	free_ids = CTR_MAX_LCORE - rte_lcore_count();
	n = free_ids + 1;
#endif
	EQUAL(ep_stats_init(), 0);
	for (i = 0; i < n; i++)
		CHECK(pthread_create(&threads[i], NULL, hold_an_id, NULL) == 0, "thread %u", i);
	while (__atomic_load_n(&registered, __ATOMIC_RELAXED) +
	       __atomic_load_n(&refused, __ATOMIC_RELAXED) < n)
		ctr_yield();
	set_flag(&leave, 1);
	for (i = 0; i < n; i++)
		CHECK(pthread_join(threads[i], NULL) == 0, "thread %u", i);
	EQUAL(registered, free_ids);
	EQUAL(refused, 1);
	EQUAL(ep_stats_session_get_pkts(2), n);
	run_alone("unregister");
	EQUAL(ep_stats_get_total_pkts(), n + 3);
	ep_stats_fini();
}

/* Steps that threads take one after the other. */
static uint32_t step;

static void
await_step(uint32_t until)
{
	while (__atomic_load_n(&step, __ATOMIC_ACQUIRE) < until)
		ctr_yield();
}

static void
next_step(uint32_t to, uint32_t until)
{
	__atomic_store_n(&step, to, __ATOMIC_RELEASE);
	await_step(until);
}

/* Whether the parts of lcores are known, and the part of one of them. */
static bool
part(unsigned int lcore, uint32_t session, uint64_t *pkts)
{
	struct ep_stats_session values;

	*pkts = ep_stats_session_lcore_get_pkts(lcore, session);
	return ep_stats_session_lcore_read(lcore, session, &values) == 0;
}

static void *
outlast(void *unused)
{
	(void)unused;
	EQUAL(ctr_thread_register(), 0);
	ep_stats_update_packet(5, SIZE);
	ep_stats_inc_total_pkts();
	ep_stats_flush();
	next_step(1, 2);
	ep_stats_update_packet(5, SIZE);
	ep_stats_inc_total_pkts();
	next_step(3, 4);
	ep_stats_inc_total_pkts();
	ep_stats_update_packet(5, SIZE);
	ep_stats_update_packet(5, SIZE);
	ctr_thread_unregister();
	ep_stats_update_packet(5, SIZE);
	return NULL;
}

/* A thread keeps its lcore id while the module ends, and begins again. */
CASE(thread_outlasts_module)
{
	pthread_t thread;
	uint64_t pkts;

	CHECK(pthread_create(&thread, NULL, outlast, NULL) == 0, "no thread");
	await_step(1);
	EQUAL(ep_stats_session_get_pkts(5), 1);
	EQUAL(ep_stats_get_total_pkts(), 2);
	ep_stats_fini();
	next_step(2, 3);
	EQUAL(ep_stats_late(), 2);
	EQUAL(ep_stats_init(), 0);
	next_step(4, 4);
	CHECK(pthread_join(thread, NULL) == 0, "no end");
	EQUAL(ep_stats_session_get_pkts(5), 3);
	EQUAL(ep_stats_get_total_pkts(), 4);
	if (part(CTR_NON_LCORE, 5, &pkts))
		EQUAL(pkts, 1);
}

static void *
pass_id_on(void *unused)
{
	(void)unused;
	EQUAL(ctr_thread_register(), 0);
	ep_stats_update_packet(6, SIZE);
	ctr_thread_unregister();
	next_step(1, 2);
	EQUAL(ctr_thread_register(), 0);
	ep_stats_update_packet(6, SIZE);
	ctr_thread_unregister();
	return NULL;
}

static void *
take_id(void *unused)
{
	(void)unused;
	await_step(1);
	EQUAL(ctr_thread_register(), 0);
	ep_stats_update_packet(6, SIZE);
	next_step(2, 3);
	ctr_thread_unregister();
	return NULL;
}

/* A thread has another id than before, which is that of another thread now. */
CASE(thread_id_passes_on)
{
	uint64_t pkts, most = 0;
	pthread_t second;
	unsigned int lcore;

	CHECK(pthread_create(&second, NULL, take_id, NULL) == 0, "no thread");
	run_thread(pass_id_on, NULL);
	next_step(3, 3);
	CHECK(pthread_join(second, NULL) == 0, "no end");
	EQUAL(ep_stats_session_get_pkts(6), 3);
	for (lcore = 0; lcore < CTR_MAX_LCORE; lcore++)
		if (part(lcore, 6, &pkts) && pkts > most)
			most = pkts;
	if (part(0, 6, &pkts))
		EQUAL(most, 2);
}

#ifdef CTR_PORT_DPDK
/* A thread of the application ends with the lcore id that it has registered. */
static void *
end_registered(void *unused)
{
	(void)unused;
	EQUAL(rte_thread_register(), 0);
	ep_stats_update_packet(7, SIZE);
	ep_stats_update_packet(7, SIZE);
	ep_stats_flush();
	return NULL;
}

CASE(thread_ends_registered)
{
	unsigned int i;

	/* One after the other: each has the memory of the former. */
	for (i = 0; i < 3; i++)
		run_thread(end_registered, NULL);
	EQUAL(ep_stats_session_get_pkts(7), 6);
}
#endif

static void
share(struct worker *me)
{
	uint64_t n = option("SHARE", 1000) * (me->number + 1), i;

	for (i = 0; i < n; i++)
		ep_stats_update_packet(3, SIZE);
	if (me->stays)
		ep_stats_flush();
}

/*
 * The value is that since the last reset; what lcores and the foreign slot have is since the
 * start, and its sum is all that was counted. Per-core strategies only.
 */
static void
check_shares(uint64_t pkts, uint64_t all, uint64_t foreign)
{
	const struct ctr_scope *scope = ctr_scope_find(&ep_stats_module, "session");
	uint64_t sum = 0, bytes = 0, of_session = 0, read = 0;
	const uint32_t index[] = { 3 };
	struct ep_stats_session session;
	unsigned int lcore, nonzero = 0;

	EQUAL(ep_stats_session_get_pkts(3), pkts);
	for (lcore = 0; lcore <= CTR_NON_LCORE; lcore++) {
		int rc = ep_stats_session_lcore_read(lcore, 3, &session);

		if (rc == -ENOTSUP) {
			EQUAL(ep_stats_session_lcore_get_pkts(lcore, 3), 0);
			continue;
		}
		EQUAL(rc, 0);
		EQUAL(scope->lcore_read(lcore, index, &session), 0);
		sum += ep_stats_lcore_get_total_pkts(lcore);
		bytes += ep_stats_lcore_get_total_bytes(lcore);
		of_session += ep_stats_session_lcore_get_pkts(lcore, 3);
		read += session.pkts;
		nonzero += session.pkts != 0;
		EQUAL(session.bytes, session.pkts * SIZE);
	}
	if (ep_stats_session_lcore_read(0, 3, &session) == -ENOTSUP)
		return;
	EQUAL(ep_stats_session_lcore_read(CTR_NON_LCORE + 1, 3, &session), -ERANGE);
	EQUAL(scope->lcore_read(CTR_NON_LCORE + 1, index, &session), -ERANGE);
	EQUAL(ep_stats_session_lcore_get_pkts(CTR_NON_LCORE + 1, 3), 0);
	EQUAL(ep_stats_session_lcore_get_pkts(CTR_NON_LCORE, 3), foreign);
	EQUAL(of_session, all);
	EQUAL(read, all);
	EQUAL(sum, all);
	EQUAL(bytes, all * SIZE);
	EQUAL(nonzero, all != 0 ? SHARERS + 1 : 0);
}

#ifdef CTR_PORT_DPDK
CASE(taken_away)
{
	run_thread(take_away, NULL);
}
#endif

/* EAL workers, registered threads that are none of the EAL's, and foreign ones. */
CASE(thread_shares)
{
	struct ep_stats_session last = { 0, 0 };
	struct worker workers[SHARERS + 2];
	unsigned int i, round;
	uint64_t pkts = 0, all = 0, foreign = 0, each = option("SHARE", 1000);

	for (round = 0; round < 3; round++) {
		memset(workers, 0, sizeof(workers));
		for (i = 0; i < SHARERS + 2; i++) {
			workers[i].number = i;
			worker_start(&workers[i], share, i < SHARERS);
			pkts += each * (i + 1);
			all += each * (i + 1);
			foreign += i < SHARERS ? 0 : each * (i + 1);
		}
		workers_go();
		workers_join(workers, SHARERS + 2);
		check_shares(pkts, all, foreign);
		if (round == 1) {
			EQUAL(ep_stats_session_reset(3, &last), 0);
			EQUAL(last.pkts, pkts);
			pkts = 0;
			check_shares(0, all, foreign);
		}
	}
	EQUAL(ep_stats_reset(), 0);
	EQUAL(ep_stats_get_total_pkts(), 0);
	check_shares(0, all, foreign);
}
