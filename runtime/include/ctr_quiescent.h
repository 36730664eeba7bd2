/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Quiescent-state-based reclamation (QSBR), as in rte_rcu_qsbr: detects when no lcore can still use
 * a retired instance. An lcore reports a quiescent state once a burst: it keeps no index from
 * before. A thread that retires an instance takes a token, and checks later whether all online
 * lcores have reported since. No call waits.
 *
 * A thread is online from its first report until ctr_quiescent_offline() or until its lcore id goes
 * out of use. A thread without an lcore id is never waited for, so it must not use what another
 * retires. */
#ifndef CTR_QUIESCENT_H
#define CTR_QUIESCENT_H

#include "ctr_port.h"

/* ---- updates that lcores defer ---- */

/** By lcore id, the token of when its lcore last applied all that it deferred of one strategy of a
 * module; 0 before. A quiescent report does not say that: it may be of another module. */
struct ctr_settled {
	uint64_t moment[CTR_MAX_LCORE]; /**< By lcore id. */
};

CTR_C_BEGIN

/** Go offline, to sleep or to block: until ctr_quiescent_online() or its next report no thread
 * waits for the calling lcore. It must not use any instance, nor defer updates: call P_flush()
 * of each module before. */
void ctr_quiescent_offline(void);

/** A token: lcores that report later see what the caller has stored. Any thread. */
uint64_t ctr_quiescent_start(void);

/** Whether all online lcores have reported since a token of ctr_quiescent_start(); then what they
 * did before happened before this call returns. Never waits. Any thread. */
bool ctr_quiescent_passed(uint64_t moment);

/** Whether the thread with an lcore id has reported since it got the id, also if it is offline now;
 * undefined for a free id. What it did before that report happened before this call returns. Any
 * thread. */
bool ctr_quiescent_reports(unsigned int lcore);

/** Whether the thread with an lcore id is online. That may change at once. Any thread. */
bool ctr_quiescent_takes_part(unsigned int lcore);

/** Whether the calling lcore is online and has reported since a token. */
bool ctr_quiescent_since(uint64_t moment);

/** Whether any lcore has ever reported, or the application has handed over its own variable. */
bool ctr_quiescent_used(void);

/** The token that a report of the calling lcore would be of now. Orders nothing. Any thread. */
uint64_t ctr_quiescent_now(void);

/** Whether every online lcore that defers updates has applied all since a token. Never waits. */
bool ctr_settled_since(const struct ctr_settled *settled, uint64_t moment);

CTR_C_END

/** The calling lcore is going to defer updates, so reclamation waits for it. No token is 1. */
static inline void
ctr_settled_begin(struct ctr_settled *settled)
{
	const unsigned int lcore = ctr_lcore_id();

	if (lcore < CTR_MAX_LCORE &&
	    __builtin_expect(__atomic_load_n(&settled->moment[lcore], __ATOMIC_RELAXED) == 0, 0))
		__atomic_store_n(&settled->moment[lcore], 1, __ATOMIC_RELAXED);
}

/** At @p now the calling lcore had applied all it deferred; it reports before it defers more. */
static inline void
ctr_settled_tell(struct ctr_settled *settled, uint64_t now)
{
	__atomic_store_n(&settled->moment[ctr_lcore_id()], now, __ATOMIC_RELEASE);
}

/** The thread with an lcore id goes, or comes: nothing of it is held back. */
static inline void
ctr_settled_leave(struct ctr_settled *settled, unsigned int lcore)
{
	if (lcore < CTR_MAX_LCORE)
		__atomic_store_n(&settled->moment[lcore], 0, __ATOMIC_RELEASE);
}

#endif /* CTR_QUIESCENT_H */
