/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * The port: what the runtime needs from the platform.
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
 * Give the calling thread an lcore id, so that it updates an instance of its own.
 *
 * A thread may update counters without; its updates then go to one slot that
 * all such threads share, with atomic adds. EAL threads have an id already.
 *
 * @return 0, also when the thread has an id already; -ENOMEM when memory for
 *   the thread's instances is missing; -ENOSPC when all ids are taken; -ENOTSUP
 *   when the platform refuses (DPDK: rte_thread_register() in a multiprocess
 *   setup).
 */
int ctr_thread_register(void);

/**
 * Return the calling thread's lcore id. What it counted stays counted, what it
 * holds in a write buffer is flushed. Without effect on a thread that has no
 * id of ctr_thread_register().
 */
void ctr_thread_unregister(void);

/**
 * Zeroed memory on a cache line, from huge pages where the port has them.
 *
 * @param size bytes
 * @param lcore the lcore that will write it, which decides the NUMA node;
 *   CTR_NON_LCORE for none in particular
 * @return NULL when there is no memory
 */
void *ctr_alloc(size_t size, unsigned int lcore);

/** Free what ctr_alloc() gave; NULL is allowed. */
void ctr_free(void *memory);

/** Nanoseconds of a monotonic clock that all threads share. */
uint64_t ctr_time_ns(void);

/** Let other threads of this core run. */
void ctr_yield(void);

/** Called by the port when @p lcore comes into use. */
typedef int (*ctr_lcore_up_t)(unsigned int lcore);
/** Called by the port, in the leaving thread, when @p lcore goes out of use. */
typedef void (*ctr_lcore_down_t)(unsigned int lcore);

/**
 * Have @p up called for every lcore in use and every later one, and @p down
 * when one leaves. For ctr_slots.c; thread-safe.
 *
 * @return 0, or the first error of @p up
 */
int ctr_port_watch(ctr_lcore_up_t up, ctr_lcore_down_t down);

/** End what ctr_port_watch() began. */
void ctr_port_unwatch(void);

#ifdef __cplusplus
}
#endif

/**
 * Wait a moment in a spin loop: pause, and let others run now and then, since
 * on an overcommitted core the awaited thread may be the one that is preempted.
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
