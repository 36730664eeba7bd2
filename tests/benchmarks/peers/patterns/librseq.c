/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Words for each CPU; each add is a restartable sequence of its own (rseq(2)), in the area that the
 * C library has registered: it says where it is, compares the CPU, adds. One that was cut begins
 * again with the CPU that the thread is on by then.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <sys/rseq.h>

#include "peers.h"

static struct pair *of_cpu[CPU_SETSIZE];

static int
init(uint32_t instances)
{
	for (unsigned int i = 0; i < CPUS; i++) {
		of_cpu[peers_cpu[i]] = PEER_ARRAY(struct pair, instances);
		if (of_cpu[peers_cpu[i]] == NULL)
			return -ENOMEM;
	}
	return __rseq_size != 0 ? 0 : -ENOTSUP;
}

static inline uint32_t
cpu_start(void)
{
	uint32_t cpu;

	__asm__ volatile("movl\t%%fs:(%1), %0" : "=r"(cpu) : "r"(__rseq_offset));
	return cpu;
}

/* struct rseq: cpu_id is at 4, rseq_cs at 8; struct rseq_cs: version, flags, begin, length, cut. */
static inline bool
add_on(uint32_t cpu, uint64_t *word, uint64_t n)
{
	__asm__ goto volatile(".pushsection __rseq_cs, \"aw\"\n\t"
			      ".balign\t32\n"
			      ".Lcs%=:\t.long\t0, 0\n\t"
			      ".quad\t.Lbegin%=, .Lend%= - .Lbegin%=, .Lcut%=\n\t"
			      ".popsection\n\t"
			      "leaq\t.Lcs%=(%%rip), %%rax\n\t"
			      "movq\t%%rax, %%fs:8(%[area])\n"
			      ".Lbegin%=:\n\t"
			      "cmpl\t%[cpu], %%fs:4(%[area])\n\t"
			      "jne\t%l[cut]\n\t"
			      "addq\t%[n], %[word]\n"
			      ".Lend%=:\n\t"
			      ".pushsection __rseq_failure, \"ax\"\n\t"
			      ".byte\t0x0f, 0xb9, 0x3d\n\t"
			      ".long\t%c[signature]\n"
			      ".Lcut%=:\tjmp\t%l[cut]\n\t"
			      ".popsection"
			      :
			      : [area] "r"(__rseq_offset), [cpu] "r"(cpu), [n] "er"(n),
				[word] "m"(*word), [signature] "i"(RSEQ_SIG)
			      : "rax", "cc", "memory"
			      : cut);
	return true;
cut:
	return false;
}

static inline void
update(unsigned int thread, uint32_t instance, uint16_t bytes)
{
	uint32_t cpu;

	(void)thread;
	do {
		cpu = cpu_start();
	} while (ctr_unlikely(!add_on(cpu, &of_cpu[cpu][instance].packets, 1)));
	do {
		cpu = cpu_start();
	} while (ctr_unlikely(!add_on(cpu, &of_cpu[cpu][instance].bytes, bytes)));
}

PEER_BURST(update, (void)0)

static void
read_sum(uint32_t instance, struct pair *now)
{
	*now = (struct pair){ 0 };
	for (unsigned int i = 0; i < CPUS; i++)
		peer_sum(now, &of_cpu[peers_cpu[i]][instance]);
}

PEER(librseq, .name = "librseq", .init = init, .burst = burst, .read = read_sum,
     .bytes = CPUS * sizeof(struct pair));
