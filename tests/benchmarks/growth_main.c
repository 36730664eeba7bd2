/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A worker counts packets of flows in bursts, on a core of its own, while another core creates
 * flows: 1,000 at first, a million in the end. Half of the packets are of the newest flows, so that
 * the worker is the first to count in memory that has just been made. Without growth, all flows are
 * there and counted before, and the worker goes on to new ones at the same pace.
 * growth.py compiles this with the updates of schemas/ep.yaml.
 *
 * Arguments: ns for each flow without growth, or 0 to create flows as fast as it goes; with DPDK
 * those of the EAL. Prints ns for each flow; the longest burst and the 99.9th percentile in ns of
 * the thread, the same in ns of the clock; page faults of the worker; and the number of bursts.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#ifdef CTR_PORT_DPDK
#include <rte_eal.h>
#endif

#include "ep_stats.h"
#include "program.h"

#define BURST 32
#define FEW 1000u
#define FLOWS EP_STATS_SESSION_MAX
#define NEWEST 1024u
#define BUCKET_NS 20
#define BUCKETS (1u << 17)

struct delays {
	uint64_t longest;
	uint32_t histogram[BUCKETS];
};

static uint32_t made, ready, go, stop;
static struct delays own, wall;
static uint64_t bursts, faults;

static uint64_t
faults_here(void)
{
	struct rusage used;

	(void)getrusage(RUSAGE_THREAD, &used);
	return (uint64_t)used.ru_minflt + (uint64_t)used.ru_majflt;
}

/* No other thread takes the core of this one, where the system allows that. */
static void
keep_the_core(void)
{
	const struct sched_param first = { .sched_priority = 1 };

	(void)pthread_setschedparam(pthread_self(), SCHED_FIFO, &first);
}

static void
note(struct delays *delays, uint64_t ns)
{
	const uint64_t bucket = ns / BUCKET_NS;

	delays->histogram[bucket < BUCKETS ? bucket : BUCKETS - 1]++;
	if (ns > delays->longest)
		delays->longest = ns;
}

/* The delay that one burst of a thousand exceeds. */
static uint64_t
most(const struct delays *delays)
{
	uint64_t above = 0;
	uint32_t i = BUCKETS;

	while (i > 0 && above <= bursts / 1000)
		above += delays->histogram[--i];
	return (uint64_t)i * BUCKET_NS;
}

static void
choose(uint32_t *flow, uint32_t many)
{
	static uint64_t random = 88172645463325252u;
	const uint32_t newest = many < NEWEST ? many : NEWEST;

	for (unsigned int i = 0; i < BURST; i++) {
		(void)next_random(&random);
		flow[i] = (uint32_t)(random >> 20);
		flow[i] = i % 2 == 0 ? flow[i] % many : many - 1 - flow[i] % newest;
	}
}

/* One burst; noted from the beginning on. */
static void
burst(bool noted)
{
	uint64_t began, began_wall;
	uint32_t flow[BURST];

	choose(flow, __atomic_load_n(&made, __ATOMIC_ACQUIRE));
	began_wall = ctr_time_ns();
	began = thread_ns();
	for (unsigned int i = 0; i < BURST; i++)
		ep_stats_update_packet(flow[i], 64);
	ep_stats_burst_end();
	if (noted) {
		note(&own, thread_ns() - began);
		note(&wall, ctr_time_ns() - began_wall);
		bursts++;
	}
}

static void *
work(void *unused)
{
	uint64_t before;

	pin(0);
	keep_the_core();
	if (ctr_thread_register() != 0)
		abort();
	memset(&own, 0, sizeof(own));
	memset(&wall, 0, sizeof(wall));
	for (uint32_t i = 0; i < FLOWS; i++)
		ep_stats_update_packet(i, 64);
	for (unsigned int i = 0; i < 1000; i++)
		burst(false);
	before = faults_here();
	__atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
	while (__atomic_load_n(&go, __ATOMIC_RELAXED) == 0)
		burst(false);
	while (__atomic_load_n(&stop, __ATOMIC_RELAXED) == 0)
		burst(true);
	faults = faults_here() - before;
	ctr_thread_unregister();
	return unused;
}

static int
create(uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to; i++)
		if (ep_stats_session_create(i) != 0)
			return -1;
	return 0;
}

int
main(int argc, char **argv)
{
	const double pace = argc > 1 ? atof(argv[1]) : 0;
	pthread_t thread;
	uint64_t began;

#ifdef CTR_PORT_DPDK
	argv[1] = argv[0];
	if (rte_eal_init(argc - 1, argv + 1) < 0)
		return 1;
#endif
	pin(1);
	if (ep_stats_init() != 0 || create(0, pace == 0 ? FEW : FLOWS) != 0)
		return 1;
	made = FEW;
	if (pthread_create(&thread, NULL, work, NULL) != 0)
		return 1;
	while (__atomic_load_n(&ready, __ATOMIC_ACQUIRE) == 0)
		ctr_yield();
	__atomic_store_n(&go, 1, __ATOMIC_RELAXED);
	began = ctr_time_ns();
	for (uint32_t i = FEW; i < FLOWS; i++) {
		if (pace == 0 && ep_stats_session_create(i) != 0)
			return 1;
		while (pace != 0 && (double)(ctr_time_ns() - began) < pace * (i - FEW))
			ctr_pause();
		__atomic_store_n(&made, i + 1, __ATOMIC_RELEASE);
	}
	printf("%.1f ", (double)(ctr_time_ns() - began) / (FLOWS - FEW));
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	(void)pthread_join(thread, NULL);
	printf("%lu %lu %lu %lu %lu %lu\n", (unsigned long)own.longest, (unsigned long)most(&own),
	       (unsigned long)wall.longest, (unsigned long)most(&wall), (unsigned long)faults,
	       (unsigned long)bursts);
	return 0;
}
