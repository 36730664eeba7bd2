/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Quiescence on DPDK's rte_rcu_qsbr, thread ids being lcore ids. Include ctr_quiescent.h instead.
 */
#ifndef CTR_QUIESCENT_DPDK_H
#define CTR_QUIESCENT_DPDK_H

/* DPDK's headers do not compile cleanly under an application's own warnings. */
#pragma GCC system_header

#include <rte_rcu_qsbr.h>

CTR_C_BEGIN

/** The variable that an lcore takes part in, or NULL. Use ctr_quiescent(). */
extern struct rte_rcu_qsbr *ctr_quiescent_variable[RTE_MAX_LCORE];

/**
 * Use the application's own variable, in which thread ids are lcore ids, until the end of the
 * process: its reports count, and ctr_quiescent() reports there. Call it before anything reports or
 * is retired. Lcores that defer updates of a module call its P_burst_end(), too, and go offline
 * with ctr_quiescent_offline(). 0; -EINVAL for none, or one for fewer than RTE_MAX_LCORE threads;
 * -EBUSY when another one is in use.
 */
int ctr_quiescent_use(struct rte_rcu_qsbr *variable);

/** The calling lcore takes part from now on. No effect without an lcore id. */
void ctr_quiescent_online(void);

/** @cond INTERNAL */
/* The calling lcore goes out of use; nothing of it is held back any more. */
void ctr_quiescent_leave(void);
/* Whether the callbacks of ctr_port_watch() are called, which then call ctr_quiescent_leave(). */
bool ctr_port_watched(void);
/** @endcond */

/** In a child of fork(): nobody takes part, and the variable in use is the runtime's own. */
void ctr_quiescent_anew(void);

CTR_C_END

/** Report a quiescent state, once a burst; online (again). Never waits. No effect without an lcore
 * id. */
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

#endif /* CTR_QUIESCENT_DPDK_H */
