/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Port to DPDK, 22.11 or later. Include ctr_port.h instead. */
#ifndef CTR_PORT_DPDK_H
#define CTR_PORT_DPDK_H

/* DPDK's headers do not compile cleanly under an application's own warnings. */
#pragma GCC system_header

#include <rte_config.h>
#include <rte_lcore.h>
#include <rte_pause.h>
#include <rte_rcu_qsbr.h>
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
/** Number of lcore ids in ctr_port_check(). */
#define CTR_PORT_LCORES RTE_MAX_LCORE
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

/* ---- quiescence (ctr_quiescent.h) ---- */

CTR_C_BEGIN

/** By lcore id, the QSBR variable in which it is online, or NULL. Use ctr_quiescent(). */
extern struct rte_rcu_qsbr *ctr_quiescent_variable[RTE_MAX_LCORE];

/** Use the application's own variable, in which thread ids are lcore ids, until the end of the
 * process: its reports count, and ctr_quiescent() reports there. Call it before anything reports or
 * is retired. Lcores that defer updates of a module call its P_burst_end(), too, and go offline
 * with ctr_quiescent_offline(). 0; -EINVAL for none, or one for fewer than RTE_MAX_LCORE threads;
 * -EBUSY when another one is in use. */
int ctr_quiescent_use(struct rte_rcu_qsbr *variable);

/** Go online: reclamation waits for the calling lcore. No effect without an lcore id. */
void ctr_quiescent_online(void);

/** @cond INTERNAL */
/* Unregister the calling lcore; nothing of it is pending any more. */
void ctr_quiescent_leave(void);
/* Whether the callbacks of ctr_port_watch() are called, which then call ctr_quiescent_leave(). */
bool ctr_port_watched(void);
/* Never unload the shared object of the runtime: DPDK calls its code until the process ends. */
void ctr_port_stay_loaded(void);
/** @endcond */

/** In a child of fork(): no lcore is online, and the variable in use is the runtime's own. */
void ctr_quiescent_reinit(void);

CTR_C_END

/** Report a quiescent state, once a burst; online (again). No effect without an lcore id. */
static inline void
ctr_quiescent(void)
{
	unsigned int lcore = rte_lcore_id();

	if (lcore >= RTE_MAX_LCORE)
		return;
	if (__builtin_expect(ctr_quiescent_variable[lcore] != NULL, 1))
		rte_rcu_qsbr_quiescent(ctr_quiescent_variable[lcore], lcore);
	else
		ctr_quiescent_online();
}

#endif /* CTR_PORT_DPDK_H */
