/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Counts by CPU, without a registration.
 *
 * On x86-64 with glibc 2.35 or later an add is a restartable sequence (rseq(2)): if the thread is
 * preempted, migrated or interrupted in it, the kernel aborts it before the add. So only threads
 * of one CPU write a word, one after the other. An aborted add is done atomically in another slot.
 * Without rseq or inline assembly (CTR_ASM), adds are atomic and the CPU is a hint. */
#ifndef CTR_CPU_H
#define CTR_CPU_H

#include "ctr_slots.h"

#if CTR_ASM_X86_64 && defined(__LP64__) && defined(__GLIBC__)
#if __GLIBC_PREREQ(2, 35)
#include <sys/rseq.h>
#define CTR_CPU_SECTIONS 1
#endif
#endif
#ifndef CTR_CPU_SECTIONS
/** Whether updates are compiled as restartable sequences. */
#define CTR_CPU_SECTIONS 0
#endif

/** A name that tells how updates are compiled. */
#if CTR_CPU_SECTIONS
#define CTR_CPU_MODE(name) name##_by_sections
#define CTR_CPU_AREA __rseq_offset
#else
#define CTR_CPU_MODE(name) name##_by_atomics
/** Where a thread's rseq area is, behind its thread pointer. */
#define CTR_CPU_AREA 0
#endif

/** A number that no CPU has: atomic adds only. */
#define CTR_CPU_NONE UINT32_C(0xfffffff0)

/** Location of an update. */
struct ctr_cpu {
	uint32_t number; /**< The CPU whose words take plain adds, or CTR_CPU_NONE. */
	ptrdiff_t area;  /**< Of the thread's rseq area, behind the thread pointer. */
};

CTR_C_BEGIN

/** The CPU of the calling thread, from the system; UINT32_MAX if unknown. Any thread. */
uint32_t ctr_cpu_ask(void);

/** Slots by CPU: one for each configured CPU, at most @p most (0: any) and CTR_MAX_LCORE. */
uint32_t ctr_cpu_count(uint32_t most);

CTR_C_END

/** Whether slots of CPUs take plain adds: rseq is compiled in and registered. A constant. */
static inline bool
ctr_cpu_no_rseq(void)
{
#if CTR_CPU_SECTIONS
	return __rseq_size != 0;
#else
	return false;
#endif
}

/** The CPU that the calling thread runs on; CTR_CPU_NONE or more: a system call has to find it. */
static inline uint32_t
ctr_cpu_number(ptrdiff_t area)
{
#if CTR_CPU_SECTIONS
	uint32_t number;

	__asm__ volatile("mov{l}\t{%%fs:4(%1), %0|%0, DWORD PTR fs:[%1 + 4]}"
			 : "=r"(number)
			 : "r"(area));
	return number;
#else
	(void)area;
	return ctr_cpu_ask();
#endif
}

/** The slot of a thread whose CPU has none, or is not known; NULL while the set is not open. */
static CTR_COLD CTR_UNUSED void *
ctr_cpu_other(const struct ctr_slots *slots)
{
	const uint32_t number = ctr_cpu_no_rseq() ? UINT32_MAX : ctr_cpu_ask();

	return slots->slot[number < slots->cpus ? number : CTR_NON_LCORE];
}

/** The slot that the calling thread writes now, and its CPU; NULL while the set is not open. */
static inline void *
ctr_cpu_self(const struct ctr_slots *slots, struct ctr_cpu *cpu)
{
	void *self;

	cpu->area = CTR_CPU_AREA;
	cpu->number = ctr_cpu_number(cpu->area);
	if (ctr_unlikely(cpu->number >= slots->cpus)) {
		cpu->number = CTR_CPU_NONE;
		return ctr_cpu_other(slots);
	}
	self = slots->slot[cpu->number];
	CTR_ASSUME(self != NULL);
	return self;
}

/** The slot for atomic adds that were not done in @p self. */
static inline void *
ctr_cpu_missed(const struct ctr_slots *slots, struct ctr_cpu cpu, void *self)
{
	return cpu.number == CTR_CPU_NONE ? self : slots->slot[CTR_NON_LCORE];
}

#if CTR_CPU_SECTIONS
/** A section: publish it, compare the CPU, add. Its last add is its last instruction, so an aborted
 * section has not done that one. The `abort` handler leaves which adds are missing in `at`,
 * which is cleared before the first. No instruction comes between the store and the beginning. */
#define CTR_CPU_SECTION(adds, abort)                                                               \
	".pushsection __rseq_cs, \"aw?\"\n\t"                                                      \
	".balign 32\n"                                                                             \
	".Lctr_cpu_section%=:\n\t"                                                                 \
	".long 0, 0\n\t"                                                                           \
	".quad .Lctr_cpu_begin%=, .Lctr_cpu_end%= - .Lctr_cpu_begin%=, .Lctr_cpu_abort%=\n\t"      \
	".popsection\n\t"                                                                          \
	"lea{q}\t{.Lctr_cpu_section%=(%%rip), %q[at]|%q[at], .Lctr_cpu_section%=[rip]}\n\t"       \
	"mov{q}\t{%q[at], %%fs:8(%[area])|QWORD PTR fs:[%[area] + 8], %q[at]}\n"                  \
	".Lctr_cpu_begin%=:\n\t"                                                                   \
	"cmp{l}\t{%[cpu], %%fs:4(%[area])|DWORD PTR fs:[%[area] + 4], %[cpu]}\n\t"                \
	"jne\t.Lctr_cpu_abort%=\n\t"                                                              \
	"xor{l}\t{%k[at], %k[at]|%k[at], %k[at]}\n\t" adds ".Lctr_cpu_end%=:\n\t"                 \
	".pushsection __rseq_failure, \"ax?\"\n\t"                                                 \
	".byte 0x0f, 0xb9, 0x3d\n\t"                                                               \
	".long 0x53053053\n" /* RSEQ_SIG, as an operand of ud1. */                                 \
	".Lctr_cpu_abort%=:\n\t" abort "jmp\t.Lctr_cpu_end%=\n\t"                                 \
	".popsection"

/** The add to a word, by the suffix of its size and a number. */
#define CTR_CPU_ADD(size, i) "add{" size "}\t{%[n" #i "], %[w" #i "]|%[w" #i "], %[n" #i "]}\n"

/** One add was aborted. */
#define CTR_CPU_MISSED "mov{l}\t{%[bit], %k[at]|%k[at], %[bit]}\n\t"

/** The second add was aborted; the first as well if `at` is not clear, or the flags are those of
 * clearing it (zero, no carry). Only an add of 0 to 0 leaves these, and may be repeated. */
#define CTR_CPU_MISSED2                                                                            \
	"jne\t.Lctr_cpu_first%=\n\t"                                                              \
	"jae\t.Lctr_cpu_none%=\n"                                                                 \
	".Lctr_cpu_first%=:\n\t"                                                                   \
	"test{q}\t{%q[at], %q[at]|%q[at], %q[at]}\n\t"                                            \
	"jne\t.Lctr_cpu_none%=\n\t" CTR_CPU_MISSED                                                \
	"add{l}\t{%k[at], %k[at]|%k[at], %k[at]}\n\t"                                             \
	"jmp\t.Lctr_cpu_end%=\n"                                                                  \
	".Lctr_cpu_none%=:\n\t" CTR_CPU_MISSED                                                     \
	"lea{l}\t{(%q[at],%q[at],2), %k[at]|%k[at], [%q[at] + %q[at] * 2]}\n\t"
#endif

/** Add to a word of the slot of a CPU, if the calling thread runs there. 0; @p bit: not added. */
static inline uint32_t
ctr_cpu_add64(struct ctr_cpu cpu, uint32_t bit, uint64_t *word, uint64_t n)
{
#if CTR_CPU_SECTIONS
	uint64_t at;

	__asm__ volatile(CTR_CPU_SECTION(CTR_CPU_ADD("q", 1), CTR_CPU_MISSED)
			 : [at] "=&r"(at), [w1] "+m"(*word)
			 : [area] "r"(cpu.area), [cpu] "r"(cpu.number), [bit] "ri"(bit), [n1] "er"(n)
			 : "cc");
	return (uint32_t)at;
#else
	(void)cpu;
	(void)bit;
	ctr_atomic_add64(word, n);
	return 0;
#endif
}

/** The same with a word of 32 bits. */
static inline uint32_t
ctr_cpu_add32(struct ctr_cpu cpu, uint32_t bit, uint32_t *word, uint32_t n)
{
#if CTR_CPU_SECTIONS
	uint64_t at;

	__asm__ volatile(CTR_CPU_SECTION(CTR_CPU_ADD("l", 1), CTR_CPU_MISSED)
			 : [at] "=&r"(at), [w1] "+m"(*word)
			 : [area] "r"(cpu.area), [cpu] "r"(cpu.number), [bit] "ri"(bit), [n1] "ir"(n)
			 : "cc");
	return (uint32_t)at;
#else
	(void)cpu;
	(void)bit;
	ctr_atomic_add32(word, n);
	return 0;
#endif
}

/** Add to two words in one section. 0, or the bits of what is missing: of both, or of the second,
 * whose bit is the next above @p bit. */
static inline uint32_t
ctr_cpu_add64x2(struct ctr_cpu cpu, uint32_t bit, uint64_t *w1, uint64_t n1, uint64_t *w2,
		uint64_t n2)
{
#if CTR_CPU_SECTIONS
	uint64_t at;

	__asm__ volatile(CTR_CPU_SECTION(CTR_CPU_ADD("q", 1) "\t" CTR_CPU_ADD("q", 2),
					 CTR_CPU_MISSED2)
			 : [at] "=&r"(at), [w1] "+m"(*w1), [w2] "+m"(*w2)
			 : [area] "r"(cpu.area), [cpu] "r"(cpu.number), [bit] "ri"(bit), [n1] "er"(n1),
			   [n2] "er"(n2)
			 : "cc");
	return (uint32_t)at;
#else
	return ctr_cpu_add64(cpu, bit, w1, n1) | ctr_cpu_add64(cpu, bit << 1, w2, n2);
#endif
}

/** Forget the last section. For each thread that counted, before its code is unloaded. */
static inline void
ctr_cpu_forget(void)
{
#if CTR_CPU_SECTIONS
	if (ctr_cpu_no_rseq())
		__asm__ volatile("mov{q}\t{$0, %%fs:8(%0)|QWORD PTR fs:[%0 + 8], 0}"
				 :
				 : "r"(__rseq_offset)
				 : "memory");
#endif
}

#endif /* CTR_CPU_H */
