/* SPDX-License-Identifier: BSD-3-Clause */
/* Costs of the machine itself: lower bounds for every strategy. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <sched.h>

#include "bench.h"

#define TURNS UINT64_C(20000)

struct rally {
	CTR_CACHE_ALIGNED uint64_t ball;
	CTR_CACHE_ALIGNED int other;
};

static void
pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	(void)pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
}

/* The other side answers odd values. */
static void
play(struct rally *r, uint64_t mine)
{
	uint64_t turn;

	for (turn = mine; turn < 2 * TURNS; turn += 2) {
		while (__atomic_load_n(&r->ball, __ATOMIC_ACQUIRE) != turn)
			ctr_pause();
		__atomic_store_n(&r->ball, turn + 1, __ATOMIC_RELEASE);
	}
}

static void *
other_side(void *arg)
{
	struct rally *r = (struct rally *)arg;

	pin(r->other);
	play(r, 1);
	return NULL;
}

double
bench_transfer(int a, int b)
{
	struct rally r = { .other = b };
	cpu_set_t before;
	pthread_t thread;
	uint64_t begin;
	double cycles;

	if (pthread_getaffinity_np(pthread_self(), sizeof(before), &before) != 0 ||
	    pthread_create(&thread, NULL, other_side, &r) != 0)
		return 0;
	pin(a);
	/* The first turn waits for the start of the other thread: do not measure it. */
	__atomic_store_n(&r.ball, 1, __ATOMIC_RELEASE);
	while (__atomic_load_n(&r.ball, __ATOMIC_ACQUIRE) != 2)
		ctr_pause();
	begin = rte_rdtsc();
	play(&r, 2);
	cycles = (double)(rte_rdtsc() - begin);
	(void)pthread_join(thread, NULL);
	(void)pthread_setaffinity_np(pthread_self(), sizeof(before), &before);
	return cycles / (2.0 * (double)TURNS - 2);
}

double
bench_timer(void)
{
	uint64_t begin = rte_rdtsc_precise();
	unsigned int i;

	for (i = 0; i < 1000; i++)
		(void)rte_rdtsc_precise();
	return (double)(rte_rdtsc_precise() - begin) / 1001;
}

/* A chain of adds, each of which waits for the one before: one cycle of the core each. */
double
bench_clock(void)
{
	double best = 0;
	unsigned int i, k;

	for (i = 0; i < 9; i++) {
		uint64_t begin = rte_rdtsc_precise(), x = 0;
		double took;

		for (k = 0; k < 1000; k++) {
			x += k;
			__asm__ volatile("" : "+r"(x));
			x += k;
			__asm__ volatile("" : "+r"(x));
			x += k;
			__asm__ volatile("" : "+r"(x));
			x += k;
			__asm__ volatile("" : "+r"(x));
		}
		took = (double)(rte_rdtsc_precise() - begin) / 4000;
		if (i == 0 || took < best)
			best = took;
	}
	return best;
}

double
bench_calibrate(void)
{
	struct ctr_bench_work work = { .state = { 1, 2, 3, 4 }, .iterations = 1000000 };
	double best = 0;
	unsigned int i;

	for (i = 0; i < 5; i++) {
		uint64_t begin = rte_rdtsc_precise();
		double took;

		ctr_bench_toil(&work);
		took = (double)(rte_rdtsc_precise() - begin) / work.iterations;
		if (i == 0 || took < best)
			best = took;
	}
	return best;
}
