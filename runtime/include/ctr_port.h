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

#include "ctr_abi.h"
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

/** For CTR_PORT_SYMBOL(). */
#define CTR_PORT_SYMBOL_OF(abi, port) \
	ctr_abi_##abi##_##port##__the_runtime_is_another__write_one_ctrgen_runtime_port_for_all
/** A name with the ABI and the port; the rest is for who reads that it is undefined. */
#define CTR_PORT_SYMBOL(abi, port) CTR_PORT_SYMBOL_OF(abi, port)
/** Each port's runtime has its own, so that objects of several ports or ABIs do not link. */
#define ctr_port_check CTR_PORT_SYMBOL(CTR_ABI, CTR_PORT_ID)
/** A thread-local variable of the runtime for DPDK, which CTR_PORT_GUARD does not link with. */
#define ctr_port_mark_dpdk ctr_the_runtime_is_for_dpdk__write_one_ctrgen_runtime_port_for_all

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Whether this runtime fits the program it is in; the first thing that a module's `_init()` does.
 * What does not fit is told on stderr. Any thread, at any time.
 *
 * @param alone true if there should be no DPDK in the program: CTR_PORT_ALONE. Of no effect
 *   under the DPDK port
 * @return 0; -EPROTO under the POSIX port, if there is DPDK, or a second runtime whose
 *   threads have other lcore ids
 */
int ctr_port_check(bool alone);

/**
 * Give the calling thread an lcore id, so that it updates its own instance.
 *
 * A thread without an id may update counters too; its updates go to one slot that
 * all such threads share, which is slower. A thread that has an id keeps it: an EAL
 * lcore, one that called rte_thread_register() itself, or one that is registered here.
 *
 * Successful calls count: each needs its ctr_thread_unregister(), so a library may
 * register and unregister a thread whatever its caller did. Any thread, at any time, also
 * in a read section; waits for no reader and no writer.
 *
 * @return 0, also if the thread has an id already; -ENOMEM if there is no memory
 *   for the thread's instances; -ENOSPC if all ids are in use; -ENOTSUP if the
 *   platform refuses (DPDK: rte_thread_register() in a multiprocess setup); -EPROTO as of
 *   ctr_port_check().
 */
int ctr_thread_register(void);

/**
 * Undo a call of ctr_thread_register(). The last one gives back the lcore id, if one of
 * those calls gave it; an id that the thread had before is never taken away. Its counts
 * stay. What its write buffers hold is applied at once, or by whoever has the lock, at
 * the latest when they release it: the call waits for no reader and no writer.
 *
 * No effect on a thread with more such calls than registrations. Under the POSIX port a
 * thread that ends is unregistered, however often it registered.
 */
void ctr_thread_unregister(void);

/**
 * Zeroed memory, aligned to a cache line, from huge pages if the port has them. All of its
 * pages are written to by the calling thread, so that no update has a page fault.
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

#ifdef __cplusplus
}
#endif

#ifndef CTR_ARCHIVE /* The objects of an archive are of one port and ABI. */
/** Every object that includes this header needs a runtime of its own port and ABI to link. */
static int (*const ctr_port_needed)(bool) CTR_RETAINED = ctr_port_check;
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
