/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Strategies that hold back updates tell when they have applied them: an instance that ends is
 * settled when every lcore has told so since.
 */
#ifndef CTR_SETTLED_H
#define CTR_SETTLED_H

#include "ctr_quiescent.h"

/** By lcore id, the token of when its lcore last applied all that it deferred of one strategy of a
 * module; 0 before. A quiescent report does not say that: it may be of another module. */
struct ctr_settled {
	uint64_t moment[CTR_MAX_LCORE]; /**< By lcore id. */
};

#ifdef __cplusplus
extern "C" {
#endif

/** Whether every online lcore that defers updates has applied all since a token. Never waits. */
bool ctr_settled_since(const struct ctr_settled *settled, uint64_t moment);

#ifdef __cplusplus
}
#endif

/** The calling lcore is going to defer updates, so reclamation waits for it. No token is 1. */
static inline void
ctr_settled_begin(struct ctr_settled *settled)
{
	const unsigned int lcore = ctr_lcore_id();

	if (lcore < CTR_MAX_LCORE &&
	    __builtin_expect(__atomic_load_n(&settled->moment[lcore], __ATOMIC_RELAXED) == 0, 0))
		__atomic_store_n(&settled->moment[lcore], 1, __ATOMIC_RELAXED);
}

/** The calling lcore had applied all that it deferred at @p now of ctr_quiescent_now(), and reports
 * before it defers more. */
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

#endif /* CTR_SETTLED_H */
