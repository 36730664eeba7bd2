/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * The CPU on which the calling thread runs, or did a moment ago.
 */
#ifndef CPU_H
#define CPU_H

#include <sys/syscall.h>
#include <unistd.h>

/** Its number; 0 where the system does not say. */
static inline unsigned int
cpu_now(void)
{
	unsigned int cpu = 0;

	(void)syscall(SYS_getcpu, &cpu, NULL, NULL);
	return cpu;
}

#endif /* CPU_H */
