/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Counts by CPU, without a registration: which CPU the calling thread runs on, and adds to the
 * words of that CPU.
 *
 * On x86-64 with glibc 2.35 or later an add is a restartable sequence (rseq(2), which glibc
 * registers for each thread): the thread says where its critical section is, compares the CPU and
 * adds with one plain instruction, which ends the section. If the thread is preempted, moved or
 * interrupted by a signal inside of it, the kernel makes it go on behind it, and nothing is added:
 * so only threads of one CPU write a word, one after the other. An add that did not take place is
 * done atomically elsewhere: a word that takes plain adds takes no others.
 *
 * Elsewhere, where the kernel or the C library have no such sequences, and where assembly is not
 * seen (CTR_ASM), adds are atomic, and the CPU is a hint.
 */
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

#if CTR_CPU_SECTIONS && defined(__OPTIMIZE__)
#define CTR_CPU_SHARED 1
#else
/** Whether adds share a section: without optimization there are too few registers for that. */
#define CTR_CPU_SHARED 0
#endif

/** A number that no CPU has: atomic adds only. */
#define CTR_CPU_NONE UINT32_C(0xfffffff0)

/** Where an update counts. */
struct ctr_cpu {
	uint32_t number; /**< The CPU whose words take plain adds, or CTR_CPU_NONE. */
	ptrdiff_t area;  /**< Of the thread's rseq area, behind the thread pointer. */
};

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The CPU that the calling thread runs on, or did a moment ago, as the system says; UINT32_MAX
 * where it does not. Any thread.
 */
uint32_t ctr_cpu_ask(void);

/**
 * How many slots there are by CPU: one for each CPU that the system has, below CTR_MAX_LCORE.
 *
 * @param most no more than so many; 0: any number
 */
uint32_t ctr_cpu_count(uint32_t most);

/**
 * The slot of the CPU that the calling thread runs on, or did a moment ago: by its number modulo
 * that of slots. Others may write to it at the same time.
 *
 * @param slots an open set by CPU
 */
void *ctr_cpu_slot(const struct ctr_slots *slots) CTR_COLD;

#ifdef __cplusplus
}
#endif

/**
 * Whether the slots of CPUs take plain adds: restartable sequences are compiled in, and
 * the C library has registered them with the kernel. The same in all threads, for ever.
 */
static inline bool
ctr_cpu_plain(void)
{
#if CTR_CPU_SECTIONS
	return __rseq_size != 0;
#else
	return false;
#endif
}

#if CTR_CPU_SECTIONS
/** Where a thread's rseq area is, behind its thread pointer. */
#define CTR_CPU_AREA __rseq_offset
#else
/** There is none. */
#define CTR_CPU_AREA 0
#endif

/** The CPU that the calling thread runs on; CTR_CPU_NONE or more if that has to be asked for. */
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

/** The same with where its area is. */
static inline struct ctr_cpu
ctr_cpu_here(void)
{
	struct ctr_cpu here;

	here.area = CTR_CPU_AREA;
	here.number = ctr_cpu_number(here.area);
	return here;
}

/**
 * The slot of a thread whose CPU has none of its own, or is not known: that which several threads
 * write, or another one where all adds are atomic. In the file that opens the slots.
 */
static inline void *
ctr_cpu_other(const struct ctr_slots *slots)
{
	const uint32_t number = ctr_cpu_plain() ? UINT32_MAX : ctr_cpu_ask();

	return slots->slot[number < slots->cpus ? number : CTR_NON_LCORE];
}

#if CTR_CPU_SECTIONS
/**
 * Say where the section is that follows, and begin it: on another CPU nothing is added. At its
 * beginning `done` is 0 and the carry flag clear, and the comparison leaves both so. Nothing comes
 * between the store and the beginning: a thread that is interrupted there has no section any more.
 */
#define CTR_CPU_BEGIN                                                                              \
	".pushsection __rseq_cs, \"aw?\"\n\t"                                                      \
	".balign 32\n"                                                                             \
	".Lctr_cpu_section%=:\n\t"                                                                 \
	".long 0, 0\n\t"                                                                           \
	".quad .Lctr_cpu_begin%=, .Lctr_cpu_end%= - .Lctr_cpu_begin%=, .Lctr_cpu_abort%=\n\t"      \
	".popsection\n\t"                                                                          \
	"lea{q}\t{.Lctr_cpu_section%=(%%rip), %%rax|rax, .Lctr_cpu_section%=[rip]}\n\t"            \
	"xor{l}\t{%[done], %[done]|%[done], %[done]}\n\t"                                          \
	"mov{q}\t{%%rax, %%fs:8(%[area])|QWORD PTR fs:[%[area] + 8], rax}\n"                       \
	".Lctr_cpu_begin%=:\n\t"                                                                   \
	"xor{l}\t{%%fs:4(%[area]), %[cpu]|%[cpu], DWORD PTR fs:[%[area] + 4]}\n\t"                 \
	"jne\t.Lctr_cpu_moved%=\n\t"

/** What comes back of a section that did not get to its end: how many adds it did, and this. */
#define CTR_CPU_CUT 0x100u

/**
 * The end of a section, and where the kernel makes a thread go on that it stopped inside: `done`
 * adds were done before the one that is next or that was done last, as the carry flag says.
 */
#define CTR_CPU_END                                                                                \
	"\n.Lctr_cpu_end%=:\n\t"                                                                   \
	".pushsection __rseq_failure, \"ax?\"\n\t"                                                 \
	".byte 0x0f, 0xb9, 0x3d\n\t"                                                               \
	".long 0x53053053\n" /* RSEQ_SIG, as an operand of ud1. */                                 \
	".Lctr_cpu_abort%=:\n\t"                                                                   \
	"setc\t{%%al|al}\n\t"                                                                     \
	"movz{bl|x}\t{%%al, %%eax|eax, al}\n\t"                                                   \
	"xor{l}\t{%[done], %%eax|eax, %[done]}\n\t"                                               \
	"and{l}\t{$1, %%eax|eax, 1}\n\t"                                                          \
	"lea{l}\t{0x100(%q[done], %%rax), %[done]|%[done], [%q[done] + rax + 0x100]}\n\t"         \
	"jmp\t.Lctr_cpu_end%=\n"                                                                  \
	".Lctr_cpu_moved%=:\n\t"                                                                   \
	"mov{l}\t{$0x100, %[done]|%[done], 0x100}\n\t"                                            \
	"jmp\t.Lctr_cpu_end%=\n\t"                                                                \
	".popsection"

/** The same of a section with one add: where the kernel stops it, nothing was done. */
#define CTR_CPU_STOP                                                                               \
	"\n.Lctr_cpu_end%=:\n\t"                                                                   \
	".pushsection __rseq_failure, \"ax?\"\n\t"                                                 \
	".byte 0x0f, 0xb9, 0x3d\n\t"                                                               \
	".long 0x53053053\n"                                                                       \
	".Lctr_cpu_abort%=:\n"                                                                     \
	".Lctr_cpu_moved%=:\n\t"                                                                   \
	"mov{l}\t{$0x100, %[done]|%[done], 0x100}\n\t"                                            \
	"jmp\t.Lctr_cpu_end%=\n\t"                                                                \
	".popsection"

/** The first add of a section, and others: they leave a carry, or none, in turns. */
#define CTR_CPU_FIRST(n) "sub{q}\t{%[n" #n "], %[w" #n "]|%[w" #n "], %[n" #n "]}\n\t"
/** The next one, if it is an even one: it leaves no carry. Counting leaves the flag alone. */
#define CTR_CPU_EVEN(n)                                                                            \
	"inc{l}\t%[done]\n\t"                                                                      \
	"add{q}\t{%[n" #n "], %[w" #n "]|%[w" #n "], %[n" #n "]}\n\t"
/** Likewise an odd one: a subtraction of the complement, which leaves a carry. */
#define CTR_CPU_ODD(n)                                                                             \
	"inc{l}\t%[done]\n\t" CTR_CPU_FIRST(n)

/** How many adds of a section were done, by what came back of it. */
static inline uint32_t
ctr_cpu_done(uint32_t done, uint32_t all)
{
	if (ctr_likely(done == all - 1))
		return all;
	return done < CTR_CPU_CUT + all ? done - CTR_CPU_CUT : 0;
}
#endif

/**
 * Add to a word of the slot of a CPU, if the calling thread runs there.
 *
 * @return whether it did; always so where adds are atomic
 */
static inline bool
ctr_cpu_add64(struct ctr_cpu cpu, uint64_t *word, uint64_t n)
{
#if CTR_CPU_SECTIONS
	uint32_t done;

	__asm__ volatile(CTR_CPU_BEGIN "add{q}\t{%[n], %[word]|%[word], %[n]}" CTR_CPU_STOP
			 : [done] "=&r"(done), [cpu] "+&r"(cpu.number), [word] "+m"(*word)
			 : [area] "r"(cpu.area), [n] "er"(n)
			 : "rax", "cc");
	return ctr_likely(done == 0);
#else
	(void)cpu;
	ctr_atomic_add64(word, n);
	return true;
#endif
}

/** The same with a word of 32 bits. */
static inline bool
ctr_cpu_add32(struct ctr_cpu cpu, uint32_t *word, uint32_t n)
{
#if CTR_CPU_SECTIONS
	uint32_t done;

	__asm__ volatile(CTR_CPU_BEGIN "add{l}\t{%[n], %[word]|%[word], %[n]}" CTR_CPU_STOP
			 : [done] "=&r"(done), [cpu] "+&r"(cpu.number), [word] "+m"(*word)
			 : [area] "r"(cpu.area), [n] "ir"(n)
			 : "rax", "cc");
	return ctr_likely(done == 0);
#else
	(void)cpu;
	ctr_atomic_add32(word, n);
	return true;
#endif
}

/**
 * Add to two words in one section, amounts below 2^32. If it is cut, the carry flag says whether
 * the add that is next was done: where one carries out of its word, which takes 2^32 such adds, and
 * the section is cut within two instructions, it is done twice, or the next one not at all.
 *
 * @return how many of the adds were done, from the first on; 2 where adds are atomic
 */
static inline uint32_t
ctr_cpu_add64x2(struct ctr_cpu cpu, uint64_t *w1, uint64_t n1, uint64_t *w2, uint64_t n2)
{
#if CTR_CPU_SHARED
	uint32_t done;

	__asm__ volatile(CTR_CPU_BEGIN CTR_CPU_FIRST(1) CTR_CPU_EVEN(2) CTR_CPU_END
			 : [done] "=&r"(done), [cpu] "+&r"(cpu.number), [w1] "+m"(*w1), [w2] "+m"(*w2)
			 : [area] "r"(cpu.area), [n1] "er"(-n1), [n2] "er"(n2)
			 : "rax", "cc");
	return ctr_cpu_done(done, 2);
#else
	if (!ctr_cpu_add64(cpu, w1, n1))
		return 0;
	return ctr_cpu_add64(cpu, w2, n2) ? 2 : 1;
#endif
}

/** Likewise to three words. */
static inline uint32_t
ctr_cpu_add64x3(struct ctr_cpu cpu, uint64_t *w1, uint64_t n1, uint64_t *w2, uint64_t n2,
		uint64_t *w3, uint64_t n3)
{
#if CTR_CPU_SHARED
	uint32_t done;

	__asm__ volatile(CTR_CPU_BEGIN CTR_CPU_FIRST(1) CTR_CPU_EVEN(2) CTR_CPU_ODD(3) CTR_CPU_END
			 : [done] "=&r"(done), [cpu] "+&r"(cpu.number), [w1] "+m"(*w1), [w2] "+m"(*w2), [w3] "+m"(*w3)
			 : [area] "r"(cpu.area), [n1] "er"(-n1), [n2] "er"(n2),
			   [n3] "er"(-n3)
			 : "rax", "cc");
	return ctr_cpu_done(done, 3);
#else
	const uint32_t done = ctr_cpu_add64x2(cpu, w1, n1, w2, n2);

	if (done < 2)
		return done;
	return ctr_cpu_add64(cpu, w3, n3) ? 3 : 2;
#endif
}

/** Likewise to four words. */
static inline uint32_t
ctr_cpu_add64x4(struct ctr_cpu cpu, uint64_t *w1, uint64_t n1, uint64_t *w2, uint64_t n2,
		uint64_t *w3, uint64_t n3, uint64_t *w4, uint64_t n4)
{
#if CTR_CPU_SHARED
	uint32_t done;

	__asm__ volatile(CTR_CPU_BEGIN CTR_CPU_FIRST(1) CTR_CPU_EVEN(2) CTR_CPU_ODD(3)
				 CTR_CPU_EVEN(4) CTR_CPU_END
			 : [done] "=&r"(done), [cpu] "+&r"(cpu.number), [w1] "+m"(*w1), [w2] "+m"(*w2), [w3] "+m"(*w3),
			   [w4] "+m"(*w4)
			 : [area] "r"(cpu.area), [n1] "er"(-n1), [n2] "er"(n2),
			   [n3] "er"(-n3), [n4] "er"(n4)
			 : "rax", "cc");
	return ctr_cpu_done(done, 4);
#else
	const uint32_t done = ctr_cpu_add64x3(cpu, w1, n1, w2, n2, w3, n3);

	if (done < 3)
		return done;
	return ctr_cpu_add64(cpu, w4, n4) ? 4 : 3;
#endif
}

/**
 * The same pointer, of which the compiler knows nothing: what it computes of it behind a cut is not
 * kept in registers for it before.
 */
static inline void *
ctr_cpu_anew(void *pointer)
{
#if CTR_CPU_SECTIONS
	__asm__("" : "+r"(pointer));
#endif
	return pointer;
}

/**
 * Forget the last section: the kernel then no longer looks at what describes it. To be called by
 * each thread that counted before a library with its updates is unloaded.
 */
static inline void
ctr_cpu_forget(void)
{
#if CTR_CPU_SECTIONS
	if (ctr_cpu_plain())
		__asm__ volatile("mov{q}\t{$0, %%fs:8(%0)|QWORD PTR fs:[%0 + 8], 0}"
				 :
				 : "r"(__rseq_offset)
				 : "memory");
#endif
}

#endif /* CTR_CPU_H */
