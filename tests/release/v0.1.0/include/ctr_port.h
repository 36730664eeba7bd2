/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * The port: the functions of the platform that the runtime uses.
 *
 * A port defines CTR_MAX_LCORE and CTR_LCORE_ANY, ctr_lcore_id() and
 * ctr_pause(); the functions below live in the port's source files. Choose the
 * port at compile time with -DCTR_PORT_DPDK or -DCTR_PORT_POSIX, the same for
 * the runtime, the generated code and the application; `ctrgen runtime --port
 * NAME --cflags` prints the flags.
 */
#ifndef CTR_PORT_H
#define CTR_PORT_H

#include "ctr_common.h"

#if defined(CTR_PORT_DPDK) && defined(CTR_PORT_POSIX)
#error "both CTR_PORT_DPDK and CTR_PORT_POSIX are defined: keep one"
#elif defined(CTR_PORT_DPDK)
#include "ctr_port_dpdk.h"
#elif defined(CTR_PORT_POSIX)
#include "ctr_port_posix.h"
#else
#error "no port chosen: compile with the flags of 'ctrgen runtime --port dpdk|posix --cflags'"
#endif

/** Index of the slot shared by all threads without an lcore id. */
#define CTR_NON_LCORE CTR_MAX_LCORE
/** Number of slots: one for each possible lcore and the shared one. */
#define CTR_SLOTS (CTR_MAX_LCORE + 1u)

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Give the calling thread an lcore id, so that it updates its own instance.
 *
 * A thread without an id may update counters too; its updates go to one slot that
 * all such threads share, which is slower. EAL threads have an id already.
 *
 * @return 0, also if the thread has an id already; -ENOMEM if there is no memory
 *   for the thread's instances; -ENOSPC if all ids are in use; -ENOTSUP if the
 *   platform refuses (DPDK: rte_thread_register() in a multiprocess setup).
 */
int ctr_thread_register(void);

/**
 * Give back the calling thread's lcore id. Its counts stay, and its write buffers
 * are flushed. No effect on a thread whose id is not from ctr_thread_register().
 */
void ctr_thread_unregister(void);

/**
 * Zeroed memory, aligned to a cache line, from huge pages if the port has them.
 *
 * @param size bytes
 * @param lcore the lcore that will write it, which determines the NUMA node;
 *   CTR_NON_LCORE for no particular lcore
 * @return NULL if there is no memory
 */
void *ctr_alloc(size_t size, unsigned int lcore);

/** Free memory of ctr_alloc(); NULL is allowed. */
void ctr_free(void *memory);

/** Nanoseconds of a monotonic clock that all threads share. */
uint64_t ctr_time_ns(void);

/** Let other threads of this core run. */
void ctr_yield(void);

/** Called by the port when @p lcore comes into use. */
typedef int (*ctr_lcore_up_t)(unsigned int lcore);
/** Called by the port, in the thread that unregisters, when @p lcore goes out of use. */
typedef void (*ctr_lcore_down_t)(unsigned int lcore);

/**
 * Register callbacks: @p up is called for every lcore in use and for every later one,
 * @p down when an lcore goes out of use. For ctr_slots.c; thread-safe.
 *
 * @return 0, or the first error of @p up
 */
int ctr_port_watch(ctr_lcore_up_t up, ctr_lcore_down_t down);

/** Unregister the callbacks of ctr_port_watch(). */
void ctr_port_unwatch(void);

#ifdef __cplusplus
}
#endif

/**
 * Wait in a spin loop: pause, and yield the core from time to time, since on an
 * overcommitted core the thread that is waited for may be preempted.
 */
static inline void
ctr_spin_wait(unsigned int *spins)
{
	if (ctr_unlikely((++*spins & 127u) == 0))
		ctr_yield();
	else
		ctr_pause();
}

#endif /* CTR_PORT_H */
