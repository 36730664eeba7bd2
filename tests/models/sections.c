/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Sections whose machine code sections.py runs, and what a program makes of what comes back of one.
 */
#include <stdio.h>

#include "ctr_cpu.h"

uint64_t words[4];

uint32_t two(struct ctr_cpu cpu);
uint32_t three(struct ctr_cpu cpu);
uint32_t four(struct ctr_cpu cpu);

uint32_t
two(struct ctr_cpu cpu)
{
	return ctr_cpu_add64x2(cpu, &words[0], 1, &words[1], 2);
}

uint32_t
three(struct ctr_cpu cpu)
{
	return ctr_cpu_add64x3(cpu, &words[0], 1, &words[1], 2, &words[2], 3);
}

uint32_t
four(struct ctr_cpu cpu)
{
	return ctr_cpu_add64x4(cpu, &words[0], 1, &words[1], 2, &words[2], 3, &words[3], 4);
}

/** For each number of adds, and of what a section may return: how many were done. */
int
main(void)
{
	for (uint32_t all = 2; all <= 4; all++)
		for (uint32_t done = 0; done < 0x300; done++)
			printf("%u %u %u\n", all, done, ctr_cpu_done(done, all));
	return 0;
}
