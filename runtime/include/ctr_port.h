/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * The port, the platform layer of the runtime. Select it with -DCTR_PORT_DPDK or
 * -DCTR_PORT_POSIX, the same for the runtime, the generated code and the application; `ctrgen
 * runtime --port NAME --cflags` prints the flags. */
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

/** End of the linker's message about the symbol. */
#define CTR_PORT_HINT the_runtime_is_another__write_one_ctrgen_runtime_port_for_all
/** For CTR_PORT_SYMBOL(). */
#define CTR_PORT_SYMBOL_OF(abi, port, lcores, hint) \
	ctr_abi_##abi##_##port##_of_##lcores##_lcores__##hint
/** A symbol with ABI, port and number of lcore ids. */
#define CTR_PORT_SYMBOL(abi, port, lcores, hint) CTR_PORT_SYMBOL_OF(abi, port, lcores, hint)
/** The symbol of this runtime: objects that differ in one of these do not link. */
#define ctr_port_check CTR_PORT_SYMBOL(CTR_ABI, CTR_PORT_ID, CTR_PORT_LCORES, CTR_PORT_HINT)

CTR_C_BEGIN

/** Check that this runtime fits the program; a mismatch is reported on stderr. Any thread.
 * @param alone CTR_PORT_ALONE: the program must not contain DPDK; POSIX port only
 * @return 0; -EPROTO: it contains DPDK */
int ctr_port_check(bool alone);

/** Assign the calling thread an lcore id, so that it updates its own shard. Threads without an id
 * share a slot, which is slower. A thread that has an id keeps it. Calls nest: each needs a
 * ctr_thread_unregister(). MT-safe, at any time, also in a read section; does not wait for readers
 * or writers.
 * @return 0, also if the thread has an id already; -ENOMEM; -ENOSPC if all ids are in use; -EAGAIN
 *   if the process has no key of pthread_key_create() left (POSIX); -ENOTSUP if the platform
 *   refuses (DPDK: rte_thread_register() in a multiprocess setup) */
int ctr_thread_register(void);

/** Undo one ctr_thread_register(). The last call releases the lcore id, if a registration assigned
 * it. Counts remain; pending updates are applied, at once or by the lock holder. Does not wait for
 * readers or writers. No effect without a registration. The POSIX port unregisters threads that
 * exit. */
void ctr_thread_unregister(void);

/** Allocate zeroed memory, aligned to a cache line, on the NUMA node of @p lcore (CTR_NON_LCORE:
 * any), from huge pages if the port has them. Touches all pages. NULL if out of memory. */
void *ctr_alloc(size_t size, unsigned int lcore);

/** Free memory of ctr_alloc(); NULL is allowed. */
void ctr_free(void *memory);

/** Nanoseconds of a monotonic clock that all threads share. */
uint64_t ctr_time_ns(void);

/** Yield the core to other threads. */
void ctr_yield(void);

CTR_C_END

#ifndef CTR_ARCHIVE /* An archive has objects of one port. */
/** Makes every object that includes this header need the matching runtime to link. */
static int (*const ctr_port_needed)(bool) CTR_RETAINED = ctr_port_check;
#endif

/** Wait in a spin loop: pause, and occasionally yield the core. */
static inline void
ctr_spin_wait(unsigned int *spins)
{
	if (ctr_unlikely((++*spins & 127u) == 0))
		ctr_yield();
	else
		ctr_pause();
}

#endif /* CTR_PORT_H */
