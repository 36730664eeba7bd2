/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elements that lcores hold back of, one at a time (shared_coalesced, entries=1), in every order of
 * the accesses to shared words. The scenario is the first argument:
 *
 *   sums   two lcores count two things in turn and flush; a third thread resets one and reads
 *   flush  one lcore flushes between what it counts, another never does until the end
 *   lives  an lcore counts a thing and reports; another thread ends it and creates the next
 *
 * Prints how many orders there were. Threads are coroutines of one thread, each with an lcore id of
 * its own, which a thread that waits has registered.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "things_stats.h"

#define THREADS 3
#define LCORES 2
#define DEEP 64

static struct turn {
	ucontext_t context;
	char stack[1 << 16];
	void (*run)(void);
	unsigned int lcore;
	bool done;
} turn[THREADS];

static ucontext_t scheduler;
static unsigned int threads, running = THREADS, lcore_of[LCORES];
static unsigned int choice[DEEP], choices[DEEP], depth, known;
static pthread_barrier_t registered;
static uint64_t taken, seen, counted;
static bool published, ended;
static struct things_stats_thing bill;

#define CHECK(condition)                                                                \
	do {                                                                            \
		if (!(condition)) {                                                     \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
			exit(1);                                                        \
		}                                                                       \
	} while (0)

/* What an lcore holds is its own. */
static bool
own(const void *address)
{
	for (unsigned int i = 0; i < LCORES; i++) {
		const char *slot = (const char *)things_stats_slots.slot[lcore_of[i]];
		const char *at = (const char *)address;

		if (slot != NULL && at >= slot && at < slot + things_stats_slots.size)
			return true;
	}
	return false;
}

void
turns_step(const void *address)
{
	if (running < THREADS && !own(address))
		(void)swapcontext(&turn[running].context, &scheduler);
}

/* A place where anything may come between, as between two calls. */
static void
pause_here(void)
{
	turns_step(&turn);
}

static void
begin(void)
{
	turn[running].run();
	turn[running].done = true;
}

/* The next of so many ways to go on; all are taken, one after the other. */
static unsigned int
pick(unsigned int n)
{
	if (depth == known) {
		CHECK(known < DEEP);
		choice[known] = 0;
		choices[known++] = n;
	}
	return choice[depth++];
}

static void
run_once(void)
{
	for (unsigned int i = 0; i < threads; i++) {
		turn[i].done = false;
		(void)getcontext(&turn[i].context);
		turn[i].context.uc_stack.ss_sp = turn[i].stack;
		turn[i].context.uc_stack.ss_size = sizeof(turn[i].stack);
		turn[i].context.uc_link = &scheduler;
		makecontext(&turn[i].context, begin, 0);
	}
	for (depth = 0;;) {
		unsigned int ready[THREADS], n = 0;

		for (unsigned int i = 0; i < threads; i++)
			if (!turn[i].done)
				ready[n++] = i;
		if (n == 0)
			break;
		running = ready[n == 1 ? 0 : pick(n)];
		ctr_posix_lcore = turn[running].lcore;
		(void)swapcontext(&scheduler, &turn[running].context);
	}
	running = THREADS;
	ctr_posix_lcore = CTR_LCORE_ANY;
}

/* ---- what threads do ---- */

static void
count_both(void)
{
	things_stats_update_event(0);
	things_stats_update_event(1);
	things_stats_flush();
}

static void
reset_and_read(void)
{
	struct things_stats_thing last;

	CHECK(things_stats_thing_reset(0, &last) == 0);
	taken = last.events;
	seen = things_stats_thing_get_events(0);
}

static void
sums_hold(void)
{
	CHECK(taken + things_stats_thing_get_events(0) == 2);
	CHECK(taken + seen <= 2);
	CHECK(things_stats_thing_get_events(1) == 2);
}

static void
flush_between(void)
{
	things_stats_update_event(0);
	things_stats_flush();
	things_stats_update_event(0);
	things_stats_update_event(1);
	things_stats_flush();
	things_stats_update_event(1);
	things_stats_flush();
}

static void
flush_at_last(void)
{
	for (unsigned int i = 0; i < 3; i++)
		things_stats_update_event(0);
	things_stats_flush();
}

static void
flushes_hold(void)
{
	CHECK(things_stats_thing_get_events(0) == 5);
	CHECK(things_stats_thing_get_events(1) == 2);
}

static void
burst(void)
{
	if (published) {
		things_stats_update_event(0);
		counted++;
	}
	pause_here();
	things_stats_quiescent();
	pause_here();
}

static void
count_and_report(void)
{
	for (unsigned int i = 0; i < 4; i++)
		burst();
	things_stats_flush();
}

static void
end_and_begin(void)
{
	pause_here();
	published = false;
	for (unsigned int tries = 0; tries < 3 && !ended; tries++) {
		ended = things_stats_thing_destroy(0, &bill) == 0;
		pause_here();
	}
	if (ended)
		CHECK(things_stats_thing_create(0) == 0);
}

static void
lives_hold(void)
{
	struct things_stats_thing next;

	if (ended) {
		CHECK(bill.events == counted && things_stats_late() == 0);
		CHECK(things_stats_thing_read(0, &next) == 0 && next.events == 0);
	}
}

/* ---- scenarios ---- */

static const struct scenario {
	const char *name;
	void (*run[THREADS])(void);
	void (*holds)(void);
} scenarios[] = {
	{ "sums", { count_both, count_both, reset_and_read }, sums_hold },
	{ "flush", { flush_between, flush_at_last, NULL }, flushes_hold },
	{ "lives", { count_and_report, end_and_begin, NULL }, lives_hold },
};

static void
make_ready(const struct scenario *scenario)
{
	CHECK(things_stats_init() == 0);
	CHECK(things_stats_thing_create(0) == 0 && things_stats_thing_create(1) == 0);
	threads = 0;
	for (unsigned int i = 0; i < THREADS && scenario->run[i] != NULL; i++) {
		turn[threads].run = scenario->run[i];
		turn[threads++].lcore = i < LCORES ? lcore_of[i] : CTR_LCORE_ANY;
	}
	if (scenario->run[0] == count_and_report) {
		turn[1].lcore = CTR_LCORE_ANY;
		/* From here on ends wait for this lcore. */
		ctr_posix_lcore = lcore_of[0];
		things_stats_quiescent();
		ctr_posix_lcore = CTR_LCORE_ANY;
	}
	taken = seen = counted = 0;
	published = true;
	ended = false;
	memset(&bill, 0, sizeof(bill));
}

static void *
have_an_id(void *lcore)
{
	CHECK(ctr_thread_register() == 0);
	*(unsigned int *)lcore = ctr_lcore_id();
	(void)pthread_barrier_wait(&registered);
	(void)pthread_barrier_wait(&registered);
	return NULL;
}

int
main(int argc, char **argv)
{
	const struct scenario *scenario = NULL;
	pthread_t holders[LCORES];
	unsigned long orders = 0, ends = 0;

	for (size_t i = 0; i < sizeof(scenarios) / sizeof(scenarios[0]); i++)
		if (argc > 1 && strcmp(argv[1], scenarios[i].name) == 0)
			scenario = &scenarios[i];
	CHECK(scenario != NULL);
	(void)pthread_barrier_init(&registered, NULL, LCORES + 1);
	for (unsigned int i = 0; i < LCORES; i++)
		CHECK(pthread_create(&holders[i], NULL, have_an_id, &lcore_of[i]) == 0);
	(void)pthread_barrier_wait(&registered);
	do {
		make_ready(scenario);
		run_once();
		scenario->holds();
		things_stats_fini();
		orders++;
		ends += ended;
		for (known = depth; known > 0 && choice[known - 1] + 1 == choices[known - 1]; known--)
			;
		if (known > 0)
			choice[known - 1]++;
	} while (known > 0);
	printf("orders=%lu ends=%lu\n", orders, ends);
	(void)pthread_barrier_wait(&registered);
	for (unsigned int i = 0; i < LCORES; i++)
		(void)pthread_join(holders[i], NULL);
	return 0;
}
