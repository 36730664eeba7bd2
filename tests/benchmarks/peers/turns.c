/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that sleep between turns, and in one count until they are told to end. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <x86intrin.h>

#include "turns.h"

#define POLL_MS 0.02

static struct worker {
	pthread_t thread;
	sem_t go;
	uint64_t begin, end, packets;
} CTR_CACHE_ALIGNED workers[THREADS];
static struct job job;
static sem_t ended;
static uint32_t arrived CTR_CACHE_ALIGNED;
static bool stop CTR_CACHE_ALIGNED;
static void (*at_begin)(unsigned int thread);

unsigned int peers_counting;
int peers_cpu[CPUS];
uint32_t turn_bursts[BINS];

void
nap(double ms)
{
	const struct timespec t = { 0, (long)(ms * 1e6) };

	(void)nanosleep(&t, NULL);
}

static inline bool
told_to_stop(void)
{
	return __atomic_load_n(&stop, __ATOMIC_RELAXED);
}

static uint64_t
count(unsigned int thread)
{
	__typeof__(job.peer->burst) burst = job.peer->burst;
	const uint32_t *instance = job.instance;
	const uint16_t *bytes = job.bytes;
	const uint32_t mask = job.mask;
	uint32_t at = (mask / THREADS * thread) & ~(BURST - 1);
	uint64_t packets = 0;

	for (; !told_to_stop(); packets += BURST) {
		burst(thread, instance + at, bytes + at);
		at = (at + BURST) & mask;
	}
	return packets;
}

static uint64_t
count_timed(unsigned int thread)
{
	uint64_t packets = 0;
	unsigned int cpu;

	memset(turn_bursts, 0, sizeof(turn_bursts));
	for (; !told_to_stop(); packets += BURST) {
		const uint64_t begin = __rdtscp(&cpu);
		uint64_t cycles;

		job.peer->burst(thread, job.instance, job.bytes);
		cycles = __rdtscp(&cpu) - begin;
		turn_bursts[cycles < BINS ? cycles : BINS - 1]++;
	}
	return packets;
}

/* All begin together; who waits lets others of the same CPU come. */
static void
arrive(void)
{
	__atomic_fetch_add(&arrived, 1, __ATOMIC_ACQ_REL);
	while (__atomic_load_n(&arrived, __ATOMIC_ACQUIRE) < peers_counting)
		(void)sched_yield();
}

static void *
run(void *arg)
{
	struct worker *self = (struct worker *)arg;
	const unsigned int thread = (unsigned int)(self - workers);
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(peers_cpu[thread % CPUS], &set);
	if (pthread_setaffinity_np(pthread_self(), sizeof(set), &set) != 0 ||
	    ctr_thread_register() != 0)
		abort();
	at_begin(thread);
	for (;;) {
		(void)sem_post(&ended);
		while (sem_wait(&self->go) != 0)
			continue;
		arrive();
		self->begin = __rdtsc();
		self->packets = job.timed ? count_timed(thread) : count(thread);
		if (job.peer->end != NULL)
			job.peer->end();
		self->end = __rdtsc();
	}
	return NULL;
}

int
turns_init(void (*begin)(unsigned int thread))
{
	int rc = 0;

	at_begin = begin;
	/* To sleep no longer than asked for. */
	(void)prctl(PR_SET_TIMERSLACK, 1ul);
	(void)sem_init(&ended, 0, 0);
	for (unsigned int t = 0; rc == 0 && t < THREADS; t++) {
		(void)sem_init(&workers[t].go, 0, 0);
		rc = -pthread_create(&workers[t].thread, NULL, run, &workers[t]);
		while (rc == 0 && sem_wait(&ended) != 0)
			continue;
	}
	return rc;
}

void
turn_begin(const struct job *what, unsigned int threads)
{
	job = *what;
	peers_counting = threads;
	__atomic_store_n(&arrived, 0, __ATOMIC_RELEASE);
	__atomic_store_n(&stop, false, __ATOMIC_RELEASE);
	for (unsigned int t = 0; t < threads; t++)
		(void)sem_post(&workers[t].go);
	while (__atomic_load_n(&arrived, __ATOMIC_ACQUIRE) < threads)
		(void)sched_yield();
}

struct turn
turn_end(void)
{
	struct turn all = { 0 };
	uint64_t begin = UINT64_MAX, end = 0;

	__atomic_store_n(&stop, true, __ATOMIC_RELEASE);
	for (unsigned int t = 0; t < peers_counting; t++)
		while (sem_wait(&ended) != 0)
			continue;
	for (unsigned int t = 0; t < peers_counting; t++) {
		const struct worker *w = &workers[t];

		begin = w->begin < begin ? w->begin : begin;
		end = w->end > end ? w->end : end;
		all.packets += w->packets;
	}
	all.cycles = end - begin;
	peers_counting = 0;
	if (job.peer->poll != NULL)
		job.peer->poll();
	return all;
}

struct turn
turn_for(const struct job *what, unsigned int threads, double ms)
{
	const uint64_t end = ctr_time_ns() + (uint64_t)(ms * 1e6);

	turn_begin(what, threads);
	if (what->peer->poll == NULL) {
		nap(ms);
		return turn_end();
	}
	while (ctr_time_ns() < end) {
		what->peer->poll();
		nap(POLL_MS);
	}
	return turn_end();
}
