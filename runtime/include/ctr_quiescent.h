/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Quiescent-state-based reclamation (QSBR), as in rte_rcu_qsbr: detects when no lcore can still use
 * a retired instance. An lcore reports a quiescent state once per burst: it holds no index obtained
 * earlier. A thread that retires an instance obtains a token, and later checks whether all online
 * lcores have reported since. No call blocks.
 *
 * A thread is online from its first report until ctr_quiescent_offline() or until its lcore id is
 * unregistered. Reclamation does not wait for threads without an lcore id: they must not use an
 * instance that another thread retires. */
#ifndef CTR_QUIESCENT_H
#define CTR_QUIESCENT_H

#include "ctr_port.h"

/* ---- updates that lcores defer ---- */

/** Drain reports, for one strategy of a module: the token at which an lcore last had no pending
 * update; 0 before. A quiescent report does not imply that: it may be made for another module. */
struct ctr_drain_tokens {
	uint64_t token[CTR_MAX_LCORE]; /**< By lcore id. */
};

CTR_C_BEGIN

/** Go offline, before sleeping or blocking: until ctr_quiescent_online() or its next report,
 * reclamation does not wait for the calling lcore. It must not use any instance, nor have pending
 * updates: call P_flush() of each module before. */
void ctr_quiescent_offline(void);

/** Obtain a token for ctr_quiescent_passed(). Lcores that report later see what the caller stored
 * before this call. Any thread. */
uint64_t ctr_quiescent_start(void);

/** Whether all online lcores have reported since a token of ctr_quiescent_start(). If so, all their
 * loads and stores before that report happened before this call returns. Does not block. Any
 * thread. */
bool ctr_quiescent_passed(uint64_t token);

/** Whether the thread with an lcore id is online. May change at any time. Any thread. */
bool ctr_quiescent_is_online(unsigned int lcore);

/** Whether the calling lcore is online and has reported since a token. */
bool ctr_quiescent_since(uint64_t token);

/** Whether any lcore has ever reported, or the application uses its own QSBR variable. */
bool ctr_quiescent_used(void);

/** The token that a report would store now. Implies no memory ordering. Any thread. */
uint64_t ctr_quiescent_now(void);

/** Whether each online lcore that defers updates has applied all of them since a token. Does not
 * block. */
bool ctr_drained_since(const struct ctr_drain_tokens *tokens, uint64_t token);

CTR_C_END

/** Call before the calling lcore defers updates: reclamation waits for it. No token is 1. */
static inline void
ctr_drain_join(struct ctr_drain_tokens *tokens)
{
	const unsigned int lcore = ctr_lcore_id();

	if (lcore < CTR_MAX_LCORE &&
	    __builtin_expect(__atomic_load_n(&tokens->token[lcore], __ATOMIC_RELAXED) == 0, 0))
		__atomic_store_n(&tokens->token[lcore], 1, __ATOMIC_RELAXED);
}

/** Report that the calling lcore had no pending update at @p now of ctr_quiescent_now(). Call it
 * before the lcore defers more. */
static inline void
ctr_drain_report(struct ctr_drain_tokens *tokens, uint64_t now)
{
	__atomic_store_n(&tokens->token[ctr_lcore_id()], now, __ATOMIC_RELEASE);
}

/** The thread with an lcore id registers or unregisters: it has no pending update. */
static inline void
ctr_drain_leave(struct ctr_drain_tokens *tokens, unsigned int lcore)
{
	if (lcore < CTR_MAX_LCORE)
		__atomic_store_n(&tokens->token[lcore], 0, __ATOMIC_RELEASE);
}

#endif /* CTR_QUIESCENT_H */
