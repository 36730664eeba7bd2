/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Port to DPDK, 22.11 or later. Include ctr_port.h instead.
 */
#ifndef CTR_PORT_DPDK_H
#define CTR_PORT_DPDK_H

/* DPDK's headers do not compile cleanly under an application's own warnings. */
#pragma GCC system_header

#include <rte_config.h>
#include <rte_lcore.h>
#include <rte_pause.h>
#include <rte_version.h>

#include "ctr_common.h"

#if RTE_VERSION < RTE_VERSION_NUM(22, 11, 0, 0)
#error "ctrgen's runtime needs DPDK 22.11 or later"
#endif

/** The port's name in ctr_port_check(). */
#define CTR_PORT_ID dpdk
/** For ctr_port_check(): there should be DPDK in the program. */
#define CTR_PORT_ALONE false
/** Once in each generated source; here nothing. */
#define CTR_PORT_GUARD(module) CTR_STATIC_ASSERT(1, "DPDK is there")
/** Number of lcore ids: 0 to CTR_MAX_LCORE - 1. */
#define CTR_MAX_LCORE ((unsigned int)RTE_MAX_LCORE)
/** Whether a child of fork() has a copy of what ctr_alloc() gave: not of huge pages. */
#define CTR_FORK_COPIES 0
/** Return value of ctr_lcore_id() on a thread without an lcore id. */
#define CTR_LCORE_ANY ((unsigned int)LCORE_ID_ANY)

/** The calling thread's lcore id, or CTR_LCORE_ANY. */
static inline unsigned int
ctr_lcore_id(void)
{
	return rte_lcore_id();
}

/** Tell the core that this is a spin loop. */
static inline void
ctr_pause(void)
{
	rte_pause();
}

#endif /* CTR_PORT_DPDK_H */
