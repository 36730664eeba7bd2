/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What updates take next to scrapes: one thread updates sessions at random on processor 0, the
 * server of OpenMetrics and its client are on processor 1. scrapes.py compiles this with
 * segment.yaml.
 *
 * Argument: number of rounds. Prints a line for each: the mean and the 99.9th percentile of an
 * update in ns, and the number of scrapes: without any, while processor 1 computes; with one in half
 * a second; with one after the other.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "ctr_openmetrics.h"
#include "sg_stats.h"
#include "../support/need.h"

#define SLICE_NS UINT64_C(500000000)
#define TICKS 65536u

static const char *const modes[] = { "none", "scrape", "scrapes" };
enum { NONE, SCRAPE, SCRAPES, MODES, END };

static uint64_t found[TICKS];
static unsigned int mode = END; /* atomic */
static unsigned int served;     /* atomic */
static bool rests;              /* whether the other thread does nothing; atomic */

static void
pin(int processor, int priority)
{
	const struct sched_param param = { .sched_priority = priority };
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(processor, &set);
	NEED(pthread_setaffinity_np(pthread_self(), sizeof(set), &set) == 0);
	if (priority != 0) /* as if it were isolated, if that is allowed */
		(void)pthread_setschedparam(pthread_self(), SCHED_FIFO, &param);
}

static inline uint64_t
ticks(void)
{
#if defined(__x86_64__)
	unsigned int unused;

	return __builtin_ia32_rdtscp(&unused);
#else
	return ctr_time_ns();
#endif
}

/* Scrape once; returns the number of octets. */
static size_t
scrape(void)
{
	static const char request[] = "GET /metrics HTTP/1.0\r\n\r\n";
	static char text[1 << 18];
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(ctr_openmetrics_port()),
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	const int fd = socket(AF_INET, SOCK_STREAM, 0);
	size_t total = 0;
	ssize_t size;

	NEED(fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0);
	NEED(write(fd, request, sizeof(request) - 1) == sizeof(request) - 1);
	while ((size = read(fd, text, sizeof(text))) > 0)
		total += (size_t)size;
	NEED(size == 0 && total > SG_STATS_SESSION_MAX);
	close(fd);
	return total;
}

static void *
other(void *unused)
{
	unsigned int was = END, now;

	pin(1, 1);
	for (;;) {
		now = __atomic_load_n(&mode, __ATOMIC_ACQUIRE);
		__atomic_store_n(&rests, now == END, __ATOMIC_RELEASE);
		if (now == SCRAPES || (now == SCRAPE && was != SCRAPE)) {
			(void)scrape();
			__atomic_add_fetch(&served, 1, __ATOMIC_RELAXED);
		} else if (now == END) {
			usleep(1000);
		}
		was = now;
	}
	return unused;
}

/* Update for a slice of time; prints what that took. */
static void
measure(double ns_of_tick)
{
	const uint64_t end_ns = ctr_time_ns() + SLICE_NS;
	uint64_t total = 0, sum = 0, left, began, took;
	uint32_t n = 1, i, next = TICKS;
	double tail;

	memset(found, 0, sizeof(found));
	do {
		for (i = 0; i < 1000; i++) {
			n = n * 1664525u + 1013904223u;
			began = ticks();
			sg_stats_update_packet((uint32_t)((uint64_t)n * SG_STATS_SESSION_MAX >> 32), 64);
			took = ticks() - began;
			found[took < TICKS ? took : TICKS - 1]++;
		}
		total += 1000;
	} while (ctr_time_ns() < end_ns);
	for (i = 0; i < TICKS; i++)
		sum += found[i] * i;
	for (left = total / 1000, i = TICKS; left > found[--i];) {
		left -= found[i];
		next = found[i] != 0 ? i : next;
	}
	/* Clocks of processors go in steps of some ticks. */
	tail = i + (next - i) * (1 - (double)left / (double)found[i]);
	printf("mean=%.3f tail=%.3f ", ns_of_tick * (double)sum / (double)total, ns_of_tick * tail);
}

int
main(int argc, char **argv)
{
	static const struct ctr_module *const modules[] = { &sg_stats_module };
	const struct ctr_openmetrics_options options = { .modules = modules, .num_modules = 1,
							 .series = 4000000 };
	const unsigned int rounds = argc > 1 ? (unsigned int)atoi(argv[1]) : 0;
	uint64_t began, ns;
	pthread_t thread;
	unsigned int i;

	NEED(sg_stats_init() == 0);
	pin(1, 1); /* of the server, as it is the thread that starts it */
	NEED(ctr_openmetrics_start("127.0.0.1:0", &options) == 0);
	NEED(pthread_create(&thread, NULL, other, NULL) == 0);
	pin(0, 1);
	NEED(ctr_thread_register() == 0);
	for (i = 0; i < SG_STATS_SESSION_MAX; i++)
		sg_stats_update_packet(i, 64);
	ns = ctr_time_ns();
	began = ticks();
	usleep(100000);
	ns = ctr_time_ns() - ns;
	began = ticks() - began;
	for (i = 0; i < rounds * MODES; i++) {
		__atomic_store_n(&served, 0, __ATOMIC_RELAXED);
		__atomic_store_n(&mode, i % MODES, __ATOMIC_RELEASE);
		printf("%s ", modes[i % MODES]);
		measure((double)ns / (double)began);
		__atomic_store_n(&mode, END, __ATOMIC_RELEASE);
		printf("served=%u\n", __atomic_load_n(&served, __ATOMIC_RELAXED));
		fflush(stdout);
		while (!__atomic_load_n(&rests, __ATOMIC_ACQUIRE))
			usleep(1000);
	}
	return 0;
}
