/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Port to POSIX threads and compiler atomics. Include ctr_port.h instead. */
#ifndef CTR_PORT_POSIX_H
#define CTR_PORT_POSIX_H

#include "ctr_common.h"

#ifdef CTR_POSIX_BESIDE_DPDK
#define CTR_PORT_ALONE false
#define CTR_PORT_GUARD(module) CTR_STATIC_ASSERT(1, "DPDK may be there")
#else
#if defined(_RTE_CONFIG_H_) || defined(RTE_MAX_LCORE) || defined(_RTE_COMMON_H_)
#error "DPDK with the POSIX port, which does not know lcores: write 'ctrgen runtime --port dpdk' (meson: port=dpdk; CMake: PORT dpdk), or -DCTR_POSIX_BESIDE_DPDK if no lcore counts"
#endif
/** For ctr_port_check(): there should be no DPDK in the program. Define CTR_POSIX_BESIDE_DPDK for
 * generated code and application if there is, and only plain threads count. */
#define CTR_PORT_ALONE true
/** Once in the source of each @p module: a program with DPDK in it does not link. The EAL's
 * variable of that name is thread-local, which linkers refuse. The advice is what GNU ld says of a
 * call of rte_eal_init(). No variable: sanitizers would refer to it. */
#define CTR_PORT_GUARD(module)                                                                        \
	extern const char ctr_posix_dpdk __asm__("per_lcore__thread_id") __attribute__((weak));       \
	static const char *const ctr_posix_guard_##module CTR_RETAINED = &ctr_posix_dpdk;             \
	__asm__(".pushsection .gnu.warning.rte_eal_init, \"\", %progbits\n"                          \
		".asciz \"DPDK with the POSIX port of ctrgen's runtime, which does not know lcores: " \
		"write 'ctrgen runtime --port dpdk' (meson: port=dpdk; CMake: PORT dpdk), or "        \
		"-DCTR_POSIX_BESIDE_DPDK if no lcore counts\"\n"                                      \
		".popsection\n")
#endif

/** The port's name in ctr_port_check(). */
#define CTR_PORT_ID posix

#ifndef CTR_POSIX_MAX_LCORE
/** Number of threads that can be registered at the same time; a plain number on the compiler's
 * command line, the same for the runtime, the generated code and the application. */
#define CTR_POSIX_MAX_LCORE 128
#endif

/** Number of lcore ids in ctr_port_check(). */
#define CTR_PORT_LCORES CTR_POSIX_MAX_LCORE
/** Number of lcore ids: 0 to CTR_MAX_LCORE - 1. */
#define CTR_MAX_LCORE ((unsigned int)CTR_POSIX_MAX_LCORE)
/** Whether a child of fork() has a copy of what ctr_alloc() gave. */
#define CTR_FORK_COPIES 1
/** Return value of ctr_lcore_id() on a thread without an lcore id. */
#define CTR_LCORE_ANY UINT32_MAX

CTR_C_BEGIN

/** The calling thread's lcore id; use ctr_lcore_id(). */
extern CTR_THREAD_LOCAL unsigned int ctr_posix_lcore;

CTR_C_END

/** The calling thread's lcore id, or CTR_LCORE_ANY. */
static inline unsigned int
ctr_lcore_id(void)
{
	return ctr_posix_lcore;
}

/** Tell the core that this is a spin loop. */
static inline void
ctr_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield" ::: "memory");
#else
	__asm__ volatile("" ::: "memory");
#endif
}

/* ---- quiescence (ctr_quiescent.h) ---- */

/** Last report of an lcore, on a cache line of its own. */
struct ctr_quiescent_slot {
	uint64_t epoch; /**< Epoch of the last report; 0: offline. */
} __attribute__((aligned(2 * CTR_CACHE_LINE)));

CTR_C_BEGIN

/** The epoch, on a line of its own: moments are counted from 1. Use ctr_quiescent(). */
extern struct ctr_quiescent_slot ctr_quiescent_counter;
/** By lcore id. Use ctr_quiescent(). */
extern struct ctr_quiescent_slot ctr_quiescent_slots[CTR_MAX_LCORE];

/** Go online: reclamation waits for the calling lcore. No effect without an lcore id. */
void ctr_quiescent_online(void);

/** @cond INTERNAL */
/* No thread waits for the lcore: it is offline, or its thread has exited. */
void ctr_quiescent_leave(unsigned int lcore);
/** @endcond */

CTR_C_END

/** Report a quiescent state, once a burst; online (again). No effect without an lcore id. */
static inline void
ctr_quiescent(void)
{
	unsigned int lcore = ctr_lcore_id();
	uint64_t *word;

	if (lcore >= CTR_MAX_LCORE)
		return;
	word = &ctr_quiescent_slots[lcore].epoch;
	/* Acquire: what was retired before the epoch. Release: uses before the report. */
	if (__builtin_expect(*word != 0, 1))
		__atomic_store_n(word,
				 __atomic_load_n(&ctr_quiescent_counter.epoch, __ATOMIC_ACQUIRE),
				 __ATOMIC_RELEASE);
	else
		ctr_quiescent_online();
}

#endif /* CTR_PORT_POSIX_H */
