/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread on one core counts packets, and a control thread on another core polls, if the strategy
 * has something for it: the time of an update, cycles of the poll thread for it, and how many
 * updates found no room. ring.py compiles this with the updates of schemas/ep.yaml under several
 * strategies, and runs these in turns.
 *
 * Arguments: uniform or bursts; rounds of work between two packets (multiplications, each of which
 * waits for the last); how many workers there are, on one core. Prints nanoseconds of an update, of
 * the thread itself, without those of the work; cycles of the poll thread for an update; per cent
 * of its time that it was busy; and per cent of the updates that were dropped.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <x86intrin.h>

#include "ep_stats.h"

#define PACKETS (1u << 20)
#define ROUNDS 8
#define BURST 16
#define FLOWS EP_STATS_SESSION_MAX
#define WORKERS 2

extern void ep_stats_poll(void) __attribute__((weak));
extern uint64_t ep_stats_lost(void) __attribute__((weak));

static unsigned int work, workers;
static bool bursts;
static uint32_t stop;
static pthread_barrier_t barrier;
static uint64_t busy, waited;

static struct worker {
	pthread_t thread;
	uint32_t *flow;
	uint64_t random, sink, ns, idle;
} worker[WORKERS];

static void
pin(int core)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(core, &cpus);
	(void)pthread_setaffinity_np(pthread_self(), sizeof(cpus), &cpus);
}

static uint32_t
draw(struct worker *me)
{
	me->random ^= me->random << 13;
	me->random ^= me->random >> 7;
	me->random ^= me->random << 17;
	return (uint32_t)(me->random >> 20) % FLOWS;
}

/* Time of the calling thread in nanoseconds: without that of others on its core. */
static uint64_t
own_time(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t
packets(struct worker *me, bool count)
{
	uint64_t begin = own_time(), sink = me->sink;

	for (uint32_t i = 0; i < PACKETS; i++) {
		for (unsigned int k = 0; k < work; k++) {
			sink = sink * 6364136223846793005u + me->flow[i];
			__asm__ volatile("" : "+r"(sink));
		}
		if (count)
			ep_stats_update_packet(me->flow[i], 64);
	}
	me->sink = sink;
	return own_time() - begin;
}

static void *
run(void *arg)
{
	struct worker *me = (struct worker *)arg;

	pin(0);
	if (ctr_thread_register() != 0)
		abort();
	for (uint32_t i = 0; i < PACKETS; i++)
		me->flow[i] = bursts && i % BURST != 0 ? me->flow[i - 1] : draw(me);
	(void)packets(me, true);
	(void)pthread_barrier_wait(&barrier);
	for (unsigned int i = 0; i < ROUNDS; i++) {
		me->idle += packets(me, false);
		me->ns += packets(me, true);
	}
	(void)pthread_barrier_wait(&barrier);
	ep_stats_flush();
	ctr_thread_unregister();
	return NULL;
}

static void *
poll_all_the_time(void *unused)
{
	uint64_t before, now;

	(void)unused;
	pin(1);
	now = __rdtsc();
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		before = now;
		if (ep_stats_poll != NULL)
			ep_stats_poll();
		now = __rdtsc();
		/* A poll that found next to nothing. */
		if (now - before > 2000)
			busy += now - before;
		waited += now - before;
		for (unsigned int i = 0; i < 20; i++)
			_mm_pause();
		before = __rdtsc();
		waited += before - now;
		now = before;
	}
	return NULL;
}

int
main(int argc, char **argv)
{
	struct ep_stats_global global;
	uint64_t begun, lost = 0;
	double updates, ns = 0;
	pthread_t poller;

	if (argc < 4 || ep_stats_init() != 0)
		return 1;
	bursts = strcmp(argv[1], "bursts") == 0;
	work = (unsigned int)atoi(argv[2]);
	workers = (unsigned int)atoi(argv[3]);
	(void)pthread_barrier_init(&barrier, NULL, workers + 1);
	if (pthread_create(&poller, NULL, poll_all_the_time, NULL) != 0)
		return 1;
	for (unsigned int i = 0; i < workers; i++) {
		worker[i].random = 88172645463325252u + i * 7919;
		worker[i].flow = (uint32_t *)malloc(PACKETS * sizeof(uint32_t));
		if (worker[i].flow == NULL ||
		    pthread_create(&worker[i].thread, NULL, run, &worker[i]) != 0)
			return 1;
	}
	(void)pthread_barrier_wait(&barrier);
	busy = waited = 0;
	begun = ep_stats_lost != NULL ? ep_stats_lost() : 0;
	(void)pthread_barrier_wait(&barrier);
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	(void)pthread_join(poller, NULL);
	for (unsigned int i = 0; i < workers; i++) {
		(void)pthread_join(worker[i].thread, NULL);
		ns += (double)worker[i].ns - (double)worker[i].idle;
	}
	if (ep_stats_poll != NULL)
		ep_stats_poll();
	lost = ep_stats_lost != NULL ? ep_stats_lost() : 0;
	updates = (double)workers * ROUNDS * PACKETS;
	if (ep_stats_global_read(&global) != 0 ||
	    global.total_pkts + lost != (uint64_t)workers * (ROUNDS + 1) * PACKETS) {
		fprintf(stderr, "%lu packets were counted\n", (unsigned long)global.total_pkts);
		return 1;
	}
	printf("%.3f %.3f %.2f %.3f\n", ns / updates, (double)busy / updates,
	       100.0 * (double)busy / (double)(waited + 1),
	       100.0 * (double)(lost - begun) / updates);
	ep_stats_fini();
	return 0;
}
