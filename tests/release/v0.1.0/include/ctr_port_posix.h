/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Port to POSIX threads and compiler atomics. Include ctr_port.h instead.
 */
#ifndef CTR_PORT_POSIX_H
#define CTR_PORT_POSIX_H

#include "ctr_common.h"

#ifndef CTR_POSIX_MAX_LCORE
/** Number of threads that can be registered at the same time. To change it, define it on the
 * compiler's command line, as a plain number, with the same value for the runtime, the generated
 * code and the application. */
#define CTR_POSIX_MAX_LCORE 128
#endif

/** Number of lcore ids: 0 to CTR_MAX_LCORE - 1. */
#define CTR_MAX_LCORE ((unsigned int)CTR_POSIX_MAX_LCORE)
/** Return value of ctr_lcore_id() on a thread without an lcore id. */
#define CTR_LCORE_ANY UINT32_MAX

/** For CTR_POSIX_NAME(). */
#define CTR_POSIX_NAMED(lcores) ctr_posix_lcore_of_##lcores
/** For ctr_posix_lcore: a name with the number that a macro stands for. */
#define CTR_POSIX_NAME(lcores) CTR_POSIX_NAMED(lcores)
/**
 * The name of the variable contains the number of ids: updates that were compiled for
 * another number than the runtime do not link.
 */
#define ctr_posix_lcore CTR_POSIX_NAME(CTR_POSIX_MAX_LCORE)

#ifdef __cplusplus
extern "C" {
#endif

/** The calling thread's lcore id; use ctr_lcore_id(). */
extern __thread unsigned int ctr_posix_lcore;

#ifdef __cplusplus
}
#endif

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

#endif /* CTR_PORT_POSIX_H */
