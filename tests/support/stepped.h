/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * A wall clock that a test steps, in place of the system's. Include it once in a program. */
#ifndef CTR_TEST_STEPPED_H
#define CTR_TEST_STEPPED_H

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define STEP_S 3600

/* By how much the wall clock is ahead. */
static long stepped_s;

int
clock_gettime(clockid_t clock, struct timespec *now)
{
	const long rc = syscall(SYS_clock_gettime, clock, now);

	if (rc == 0 && clock == CLOCK_REALTIME)
		now->tv_sec += __atomic_load_n(&stepped_s, __ATOMIC_RELAXED);
	return (int)rc;
}

static void
step_clock(void)
{
	__atomic_fetch_add(&stepped_s, STEP_S, __ATOMIC_RELAXED);
}

#endif /* CTR_TEST_STEPPED_H */
