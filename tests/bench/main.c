/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Runs every way of counting of every strategy in turn, round after round, and
 * prints one line of cycles per packet for each. bench.py makes ratios of them.
 *
 * usage: bench ROUNDS
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "ctr_port.h"
#include "bench.h"

#define PACKETS (1u << 16)
#define FLOWS 1024u

/** A sequence of packets. */
struct traffic {
	const char *name;
	uint32_t session[PACKETS];
	uint16_t size[PACKETS];
};

static struct traffic one_session = { .name = "one" };
static struct traffic interleaved = { .name = "sixteen" };
static struct traffic many = { .name = "many" };
static struct traffic million = { .name = "million" };

static inline uint64_t
cycles(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#else
	return ctr_time_ns();
#endif
}

/* What a second thread is doing while the first is measured; NULL for nothing. */
static bench_count_t rival;
/* How often it has done so. */
static uint64_t rival_calls;

static void
pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	/* With one CPU, both stay on it: there is nothing to contend for then. */
	(void)pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
}

static void *
compete(void *unused)
{
	(void)unused;
	if (ctr_thread_register() != 0)
		return NULL;
	pin(1);
	for (;;) {
		bench_count_t count = __atomic_load_n(&rival, __ATOMIC_ACQUIRE);

		if (count != NULL) {
			count(one_session.session, one_session.size, 256);
			__atomic_fetch_add(&rival_calls, 1, __ATOMIC_RELAXED);
		} else {
			ctr_pause();
		}
	}
}

/* xorshift64*, Vigna 2016. */
static uint64_t
next_random(void)
{
	static uint64_t x = 88172645463325252u;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	return x * 2685821657736338717u;
}

static void
make_traffic(void)
{
	unsigned int i;

	for (i = 0; i < PACKETS; i++) {
		one_session.session[i] = i / BURST % FLOWS;
		interleaved.session[i] = i / BURST * 16 % FLOWS + i % 16;
		many.session[i] = (uint32_t)(next_random() % FLOWS);
		million.session[i] = (uint32_t)(next_random() % SESSIONS);
		one_session.size[i] = interleaved.size[i] = 64;
		many.size[i] = million.size[i] = (uint16_t)(64 + next_random() % 1400);
	}
}

static void
run(const struct bench *bench, const char *way, bench_count_t count, const struct traffic *t)
{
	uint64_t begin = cycles();

	count(t->session, t->size, PACKETS);
	printf("%s %s %s %.4f\n", bench->name, way, t->name,
	       (double)(cycles() - begin) / PACKETS);
}

/* As run(), while another thread counts in the same way. */
static void
run_contended(const struct bench *bench, const char *way, bench_count_t count)
{
	uint64_t calls = __atomic_load_n(&rival_calls, __ATOMIC_RELAXED);

	__atomic_store_n(&rival, count, __ATOMIC_RELEASE);
	while (__atomic_load_n(&rival_calls, __ATOMIC_RELAXED) == calls)
		ctr_yield();
	run(bench, way, count, &one_session);
	__atomic_store_n(&rival, (bench_count_t)NULL, __ATOMIC_RELEASE);
}

int
main(int argc, char **argv)
{
	unsigned int rounds = argc > 1 ? (unsigned int)strtoul(argv[1], NULL, 10) : 11;
	unsigned int round, i;
	pthread_t other;

	if (ctr_thread_register() != 0)
		return 1;
	pin(0);
	make_traffic();
	for (i = 0; benches[i] != NULL; i++)
		if (benches[i]->init() != 0)
			return 1;
	if (pthread_create(&other, NULL, compete, NULL) != 0)
		return 1;
	for (round = 0; round <= rounds; round++) {
		for (i = 0; benches[i] != NULL; i++) {
			const struct bench *b = benches[i];
			uint64_t before = b->counted();
			uint64_t expected = before + 6 * (uint64_t)PACKETS;

			/* Which goes first alternates; round 0 warms up. */
			if (round == 0)
				printf("# warm-up\n");
			run(b, "hand", b->hand, &many);
			run(b, "single", b->single, &many);
			run(b, "single", b->single, &one_session);
			run(b, "batch", b->batch, &one_session);
			run(b, "single", b->single, &interleaved);
			run(b, "batch", b->batch, &interleaved);
			run(b, "bulk", b->bulk, &many);
			if (b->counted() != expected) {
				fprintf(stderr, "%s: lost counts\n", b->name);
				return 1;
			}
			if (round == 0)
				printf("# measured\n");
		}
		for (i = 0; benches[i] != NULL; i++) {
			const struct bench *b = benches[i];

			run(b, round == 0 ? "warm" : "single", b->single, &million);
			run(b, round == 0 ? "warm" : "bulk", b->bulk, &million);
			run_contended(b, round == 0 ? "warm" : "single2", b->single);
			run_contended(b, round == 0 ? "warm" : "batch2", b->batch);
		}
	}
	return 0;
}
