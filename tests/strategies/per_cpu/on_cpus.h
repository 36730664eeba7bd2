/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * The CPUs on which a test may run, and a thread's way to one. Before all other headers, for it
 * wants _GNU_SOURCE.
 */
#ifndef ON_CPUS_H
#define ON_CPUS_H

#include <sched.h>

#include "../../run/harness.h"

#define MOST_CPUS 1024

static unsigned int cpus[MOST_CPUS], num_cpus;

/* Find the CPUs on which the program may run. */
static void
find_cpus(void)
{
	cpu_set_t set;

	CHECK(sched_getaffinity(0, sizeof(set), &set) == 0, "no affinity");
	for (unsigned int i = 0; i < MOST_CPUS; i++)
		if (CPU_ISSET(i, &set))
			cpus[num_cpus++] = i;
}

/* The calling thread runs there from now on. */
static void
go_to(unsigned int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	CHECK(sched_setaffinity(0, sizeof(set), &set) == 0, "not to CPU %u", cpu);
}

#endif /* ON_CPUS_H */
