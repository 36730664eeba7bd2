/* SPDX-License-Identifier: BSD-3-Clause */
/* CPUs of the system, and the time. */
#define _GNU_SOURCE 1 /* sched_getcpu() */
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include "ctr_cpu.h"

#if defined(__GLIBC__) && !defined(__USE_GNU)
/* A forced include (-include) had <sched.h> before _GNU_SOURCE was defined. */
int sched_getcpu(void);
#endif

uint32_t
ctr_cpu_ask(void)
{
	return (uint32_t)sched_getcpu();
}

uint32_t
ctr_cpu_count(uint32_t most)
{
	long count = sysconf(_SC_NPROCESSORS_CONF);

	if (count < 1)
		count = 1;
	if (count > (long)CTR_MAX_LCORE)
		count = (long)CTR_MAX_LCORE;
	return most != 0 && (long)most < count ? most : (uint32_t)count;
}

uint64_t
ctr_time_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void
ctr_yield(void)
{
	(void)sched_yield();
}
