/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Updates whose machine code sections.py runs. Each returns which of its adds did not take place.
 */
#include "ctr_cpu.h"

uint64_t words[4];

uint32_t two(struct ctr_cpu cpu, uint64_t n1, uint64_t n2);
uint32_t mixed(struct ctr_cpu cpu, uint32_t n1, uint64_t n2);
uint32_t four(struct ctr_cpu cpu, uint64_t n1, uint64_t n2, uint64_t n3, uint64_t n4);

uint32_t
two(struct ctr_cpu cpu, uint64_t n1, uint64_t n2)
{
	return ctr_cpu_add64x2(cpu, 1, &words[0], n1, &words[1], n2);
}

/* A word of 32 bits, and one of 64. */
uint32_t
mixed(struct ctr_cpu cpu, uint32_t n1, uint64_t n2)
{
	const uint32_t missed = ctr_cpu_add32(cpu, 1, (uint32_t *)&words[0], n1);

	return missed | ctr_cpu_add64(cpu, 2, &words[1], n2);
}

uint32_t
four(struct ctr_cpu cpu, uint64_t n1, uint64_t n2, uint64_t n3, uint64_t n4)
{
	const uint32_t missed = ctr_cpu_add64x2(cpu, 1, &words[0], n1, &words[1], n2);

	return missed | ctr_cpu_add64x2(cpu, 4, &words[2], n3, &words[3], n4);
}

int
main(void)
{
	return 0;
}
