/* SPDX-License-Identifier: BSD-3-Clause */
/* Time, processors and random numbers of the programs of benchmarks. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <time.h>

/** Nanoseconds of a clock. */
static inline uint64_t
clock_ns(clockid_t clock)
{
	struct timespec now;

	(void)clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/** Nanoseconds of the calling thread: without those of others on its core. */
static inline uint64_t
thread_ns(void)
{
	return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

/** Keep the calling thread on a core. */
static inline void
pin(unsigned int core)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(core, &cpus);
	(void)pthread_setaffinity_np(pthread_self(), sizeof(cpus), &cpus);
}

/** The next of a thread's random numbers; @p state is not 0. */
static inline uint64_t
next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

#endif /* PROGRAM_H */
